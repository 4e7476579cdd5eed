"""Games in a position, and what happens in them: for tests that read like the rules page.

``given("fudge pound-cake", "cheesecake", centre="inga", deck="fudge")`` puts seat 0 to move at a
table of two: hands, decks and guests are written as words, decks and discarded guests top first.
What is named nowhere lies under the decks, or where ``rest`` and ``guest_rest`` say.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import pytest

from domain.just_desserts.actions import (
    Action,
    Block,
    Buffet,
    DiscardGuest,
    Dump,
    End,
    Kitchen,
    LetGo,
    Poach,
    ReturnGuest,
    Serve,
)
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.state import TURN, Game, Player, Turn
from domain.kernel.decide import (
    SERVICE,
    Act,
    Command,
    Context,
    Create,
    Default,
    Join,
    Start,
    Vacate,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.decision import Decision, Outcome
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, Record
from domain.kernel.fold import evolve, fold
from domain.kernel.state import State, decision_id
from tests.domain.just_desserts.facts import desserts_in_play, guests_in_play
from tests.domain.just_desserts.room import conserved

SEED = "5a" * 32
BASIC = Options()
ADVANCED = Options(advanced=True)

DECK, DISCARDS = "deck", "discards"


def words(cards: str) -> tuple[str, ...]:
    """Read cards off a line of words."""
    return tuple(cards.split())


class Table:
    """A table at which commands are done one by one. ``events`` are those of the last one."""

    def __init__(self, seats: int, options: Options, seed: str = SEED) -> None:
        self.records: list[Record] = []
        self.state: State | None = None
        self.events: list[Event] = []
        host = player_actor("p0")
        create = Create(
            game="g0001",
            ruleset_version=1,
            options=options,
            seats=seats,
            host="p0",
            public=True,
            seed=seed,
        )
        self.command(create, host)
        for seat in range(seats):
            self.command(Join(player=f"p{seat}"), player_actor(f"p{seat}"))
        self.command(Start(player="p0"), host)

    def command(self, command: Command, actor: str) -> "Table":
        """Do a command. Raises Refusal."""
        time = self.state.time + 1 if self.state else 1
        records = decide(JUST_DESSERTS, self.state, command, Context(actor, time))
        for record in records:
            self.records.append(record)
            self.state = evolve(JUST_DESSERTS, self.state, record)
            if self.state.game is not None:
                conserved(self.state.game)
        self.events = [record.event for record in records]
        return self

    # When.

    def act(self, seat: int, action: Action, decision: int | None = None) -> "Table":
        """Let a seat act; without a decision's id, on the one that is open."""
        if decision is None:
            decision = decision_id(self.state) or 0
        return self.command(Act(seat=seat, decision=decision, action=action), seat_actor(seat))

    def serve(self, seat: int, guest: str, desserts: str) -> "Table":
        return self.act(seat, Serve(guest, words(desserts)))

    def end(self, seat: int) -> "Table":
        return self.act(seat, End())

    def kitchen(self, seat: int) -> "Table":
        return self.act(seat, Kitchen())

    def dump(self, seat: int, desserts: str) -> "Table":
        return self.act(seat, Dump(words(desserts)))

    def poach(self, seat: int, owner: int, guest: str, desserts: str) -> "Table":
        return self.act(seat, Poach(owner, guest, words(desserts)))

    def block(self, seat: int, desserts: str) -> "Table":
        return self.act(seat, Block(words(desserts)))

    def let_go(self, seat: int) -> "Table":
        return self.act(seat, LetGo())

    def buffet(self, seat: int, desserts: str) -> "Table":
        return self.act(seat, Buffet(words(desserts)))

    def returns(self, seat: int, guest: str) -> "Table":
        return self.act(seat, ReturnGuest(guest))

    def discards(self, seat: int, guest: str) -> "Table":
        return self.act(seat, DiscardGuest(guest))

    def leaves(self, seat: int) -> "Table":
        player = f"p{seat}"
        return self.command(Vacate(player=player, seat=seat), player_actor(player))

    def lapses(self, seat: int) -> "Table":
        return self.command(Default(seat=seat, decision=decision_id(self.state) or 0), SERVICE)

    def refolded(self) -> State:
        """Fold the whole log; only for tables that were not put into a position."""
        return fold(JUST_DESSERTS, self.records)

    # Then.

    @property
    def game(self) -> Game:
        assert self.state is not None
        return self.state.game

    @property
    def types(self) -> list[str]:
        """The types of the last command's events."""
        return [str(event.__struct_config__.tag) for event in self.events]

    def event(self, tag: str) -> Event:
        """The last command's only event of a type."""
        (found,) = (event for event in self.events if event.__struct_config__.tag == tag)
        return found

    def hand(self, seat: int) -> tuple[str, ...]:
        return self.game.players[seat].hand

    def guests(self, seat: int) -> tuple[str, ...]:
        return self.game.players[seat].guests

    @property
    def decision(self) -> Decision:
        assert self.game.decision is not None
        return self.game.decision

    @property
    def asks(self) -> tuple[str, tuple[int, ...]]:
        """What is being asked of whom."""
        return self.decision.kind, self.decision.asked

    @property
    def outcome(self) -> Outcome:
        assert self.game.outcome is not None, "the game goes on"
        return self.game.outcome

    def legal(self, seat: int) -> list[str]:
        """The tags of the forms listed for a seat, and whom they are about."""
        listed = JUST_DESSERTS.legal(self.game, seat)
        return [
            " ".join([str(form.__struct_config__.tag), *([form.guest] if _names(form) else [])])
            for form in listed
        ]


def _names(form: msgspec.Struct) -> bool:
    return "guest" in form.__struct_fields__


def given(
    *hands: str,
    guests: Sequence[str] = (),
    centre: str = "",
    deck: str = "",
    discards: str = "",
    rest: str | int = DECK,
    guest_deck: str = "",
    doorway: str = "",
    guest_rest: str | int = DECK,
    turn: Turn | int = 0,
    idle_turns: int = 0,
    dry_turns: int = 0,
    options: Options = BASIC,
) -> Table:
    """Put a game into a position: it is the turn of a seat that has drawn and revealed.

    ``doorway`` are the discarded guests, the first of them standing there.
    """
    table = Table(len(hands), options)
    state = table.state
    assert state is not None
    held = [list(words(hand)) for hand in hands]
    won = [list(words(row)) for row in guests] + [[] for _ in hands[len(guests) :]]
    piles = {DECK: list(words(deck)), DISCARDS: list(words(discards))}
    guest_piles = {DECK: list(words(guest_deck)), DISCARDS: list(words(doorway))}
    named = {card for pile in (*held, *piles.values()) for card in pile}
    left_over = [card for card in desserts_in_play(options) if card not in named]
    (held[rest] if isinstance(rest, int) else piles[rest]).extend(left_over)
    standing = {*words(centre)} | {card for pile in (*won, *guest_piles.values()) for card in pile}
    apart = [card for card in guests_in_play(options) if card not in standing]
    (won[guest_rest] if isinstance(guest_rest, int) else guest_piles[guest_rest]).extend(apart)
    turn = turn if isinstance(turn, Turn) else Turn(turn, 1)
    game = Game(
        options=options,
        players=tuple(
            Player(tuple(sorted(hand)), tuple(row)) for hand, row in zip(held, won, strict=True)
        ),
        dessert_deck=tuple(piles[DECK]),
        dessert_discards=tuple(sorted(piles[DISCARDS])),
        guest_deck=tuple(guest_piles[DECK]),
        guest_discards=tuple(guest_piles[DISCARDS]),
        centre=words(centre),
        turn=turn,
        idle_turns=idle_turns,
        dry_turns=dry_turns,
        decision=Decision(TURN, state.version, (turn.seat,)),
    )
    conserved(game)
    table.state = msgspec.structs.replace(state, game=game)
    return table


@contextmanager
def refused(
    rule: str | None,
    key: str,
    pointer: str | None = None,
    *,
    code: str = "illegal-action",
    **params: object,
) -> Iterator[None]:
    """What is done here is refused, under this rule."""
    with pytest.raises(Refusal) as caught:
        yield
    refusal = caught.value
    assert (refusal.rule, refusal.key, refusal.code) == (rule, key, code)
    assert refusal.pointer == pointer
    for name, value in params.items():
        assert refusal.params[name] == value
