"""Games in a position, and what happens in them: for tests that read like the rules page.

Hands and decks are written as words: ``given("noodles pork", "ginger", deck="shrimp noodles")``
puts seat 0 to move at a table of two. Cards that are named nowhere lie face down among this
turn's discards, so that all 18 are there; without ``deck`` they are the deck.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import pytest

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
from domain.stir_fry_eighteen.actions import (
    Action,
    Call,
    Cook,
    DiscardPair,
    DiscardProtein,
    EndTurn,
    Pass,
    Reduce,
)
from domain.stir_fry_eighteen.cards import DECK
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from domain.stir_fry_eighteen.state import TURN, Game, Player, Turn
from tests.domain.stir_fry_eighteen.room import conserved

SEED = "5a" * 32


def words(cards: str) -> tuple[str, ...]:
    """Read cards off a line of words."""
    return tuple(cards.split())


def hand_of(cards: str) -> tuple[str, ...]:
    """Read a hand off a line of words, in the order in which hands are kept."""
    return tuple(sorted(words(cards)))


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
        records = decide(STIR_FRY_EIGHTEEN, self.state, command, Context(actor, time))
        for record in records:
            self.records.append(record)
            self.state = evolve(STIR_FRY_EIGHTEEN, self.state, record)
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

    def pair(self, seat: int, cards: str) -> "Table":
        return self.act(seat, DiscardPair(words(cards)))

    def protein(self, seat: int, card: str, declared: str | None = None) -> "Table":
        return self.act(seat, DiscardProtein(declared or card, words(card)))

    def cook(self, seat: int, dish: str) -> "Table":
        return self.act(seat, Cook(words(dish)))

    def end_turn(self, seat: int) -> "Table":
        return self.act(seat, EndTurn())

    def call(self, seat: int, decision: int | None = None) -> "Table":
        return self.act(seat, Call(), decision)

    def passes(self, *seats: int) -> "Table":
        for seat in seats:
            self.act(seat, Pass())
        return self

    def reduce(self, seat: int, cards: str) -> "Table":
        return self.act(seat, Reduce(words(cards)))

    def leaves(self, seat: int) -> "Table":
        player = f"p{seat}"
        return self.command(Vacate(player=player, seat=seat), player_actor(player))

    def lapses(self, seat: int) -> "Table":
        return self.command(Default(seat=seat, decision=decision_id(self.state) or 0), SERVICE)

    def refolded(self) -> State:
        """Fold the whole log; only for tables that were not put into a position."""
        return fold(STIR_FRY_EIGHTEEN, self.records)

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

    def score(self, seat: int) -> int:
        return self.game.players[seat].score

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
        """The tags of the forms listed for a seat."""
        listed = STIR_FRY_EIGHTEEN.legal(self.game, seat)
        return [str(form.__struct_config__.tag) for form in listed]


def given(
    *hands: str,
    deck: str | None = None,
    turn: int = 0,
    scores: Sequence[int] | None = None,
    owed: Sequence[int] | None = None,
    number: int = 1,
    dry_turns: int = 0,
    replaced: str | None = None,
    options: Options | None = None,
    seed: str = SEED,
) -> Table:
    """Put a game into a position: it is the turn of a seat that has drawn its card."""
    options = options or Options()
    table = Table(len(hands), options, seed)
    rest = Counter(DECK)
    if replaced is not None:
        rest = rest - Counter([replaced]) + Counter(["tofu"])
    players = []
    for seat, hand in enumerate(hands):
        cards = hand_of(hand)
        assert not Counter(cards) - rest, f"too many of a card in {hand}"
        rest -= Counter(cards)
        score = scores[seat] if scores else 0
        players.append(Player(cards, score, owed[seat] if owed else 0))
    pile = tuple(sorted(rest.elements())) if deck is None else words(deck)
    assert not Counter(pile) - rest, f"too many of a card in {deck}"
    state = table.state
    assert state is not None
    game = Game(
        options=options,
        players=tuple(players),
        deck=pile,
        turn=Turn(turn, number),
        face_down=tuple(sorted((rest - Counter(pile)).elements())),
        dry_turns=dry_turns,
        decision=Decision(TURN, state.version, (turn,)),
    )
    conserved(game)
    table.state = msgspec.structs.replace(state, game=game)
    return table


@contextmanager
def refused(
    rule: str | None, key: str, *, code: str = "illegal-action", pointer: str | None = None
) -> Iterator[None]:
    """What is done here is refused, under this rule."""
    with pytest.raises(Refusal) as caught:
        yield
    refusal = caught.value
    assert (refusal.rule, refusal.key, refusal.code) == (rule, key, code)
    assert refusal.pointer == pointer
