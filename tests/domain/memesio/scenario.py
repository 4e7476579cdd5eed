"""Games in a position, and what happens in them: for tests that read like the rules page.

Cards are written as words, so that tests hold whatever the deck's cards are exactly:
``cake`` is a card with that recipe, ``*sugar`` one with that ingredient half (and a recipe that
is hard to cook), ``ladle`` a special card. A number behind tells several apart: ``*sugar2``.
``table["*sugar2"]`` is the card's id. Sources are written ``h:*sugar`` from hand, ``p:*sugar``
from the pantry, ``t:3`` dessert 3 on the table, ``k:packet`` a packet used as such.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Union

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
    chance_of,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.decision import Decision, Outcome
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, Record, TextRef
from domain.kernel.fold import evolve
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SPECTATOR
from domain.memesio.actions import (
    Action,
    Alone,
    AskMaiti,
    AskMemesio,
    AskNyamonas,
    Cook,
    Hand,
    Invent,
    Nested,
    Stock,
)
from domain.memesio.cards import CARDS, DECK, Card
from domain.memesio.options import Options
from domain.memesio.ruleset import MEMESIO
from domain.memesio.sources import FromHand, FromPacket, FromPantry, FromTable, Source
from domain.memesio.state import TURN, Dessert, Game, Player, Turn, on_top
from domain.memesio.view import Board
from tests.domain.memesio.room import conserved

SEED = "5a" * 32
SOURCES = {"h": FromHand, "p": FromPantry, "k": FromPacket}


class Made(NamedTuple):
    """A dessert to put on the table; ``name`` None is an invention."""

    name: str | None
    parts: tuple[Union[str, "Made"], ...]
    marked: bool = False


def made(name: str, *parts: str | Made, marked: bool = False) -> Made:
    """A dessert to put on the table; without parts it stands there alone."""
    return Made(name, parts, marked)


def invention(*parts: str) -> Made:
    """An invention to put on the table."""
    return Made(None, parts)


class Cards:
    """Deals cards for words, each card of the deck once."""

    def __init__(self) -> None:
        self.rest = Counter(DECK)
        self.ids: dict[str, str] = {}

    def __call__(self, word: str) -> str:
        assert word not in self.ids, f"{word} is named twice"
        card = min(
            (card for card in CARDS if self.rest[card.id] and _is(card, word)),
            key=lambda card: (-(card.recipe.level if card.recipe else 0), card.id),
        )
        self.rest[card.id] -= 1
        self.ids[word] = card.id
        return card.id

    def several(self, words: str) -> tuple[str, ...]:
        return tuple(self(word) for word in words.split())


def _is(card: Card, word: str) -> bool:
    word = word.rstrip("0123456789")
    if word.startswith("*"):
        return card.recipe is not None and card.ingredient == word[1:]
    return word in (card.special, card.recipe.id if card.recipe else None)


class Table:
    """A table at which commands are done one by one. ``events`` are those of the last one."""

    def __init__(self, seats: int, options: Options | None = None, seed: str = SEED) -> None:
        self.records: list[Record] = []
        self.state: State | None = None
        self.events: list[Event] = []
        self.ids: Mapping[str, str] = {}
        create = Create(
            game="g0001",
            ruleset_version=1,
            options=options or Options(),
            seats=seats,
            host="p0",
            public=True,
            seed=seed,
        )
        self.command(create, player_actor("p0"))
        for seat in range(seats):
            self.command(Join(player=f"p{seat}"), player_actor(f"p{seat}"))
        self.command(Start(player="p0"), player_actor("p0"))

    def __getitem__(self, word: str) -> str:
        return self.ids[word]

    def all(self, words: str) -> tuple[str, ...]:
        """The ids of cards written as words."""
        return tuple(self.ids[word] for word in words.split())

    def command(self, command: Command, actor: str) -> "Table":
        """Do a command. Raises Refusal."""
        time = self.state.time + 1 if self.state else 1
        records = decide(MEMESIO, self.state, command, Context(actor, time))
        for record in records:
            self.records.append(record)
            self.state = evolve(MEMESIO, self.state, record)
            if self.state.game is not None:
                conserved(self.state.game)
        self.events = [record.event for record in records]
        return self

    # When.

    def act(self, seat: int, action: Action, text: TextRef | None = None) -> "Table":
        decision = decision_id(self.state) or 0
        return self.command(
            Act(seat=seat, decision=decision, action=action, text=text), seat_actor(seat)
        )

    def sources(self, words: str) -> tuple[Source, ...]:
        """Read sources off a line of words."""
        found: list[Source] = []
        for word in words.split():
            kind, name = word.split(":")
            if kind == "t":
                found.append(FromTable(int(name)))
            else:
                found.append(SOURCES[kind](self.ids[name]))
        return tuple(found)

    def cook(self, seat: int, card: str, sources: str) -> "Table":
        return self.act(seat, Cook(self.ids[card], self.sources(sources)))

    def stock(self, seat: int, card: str) -> "Table":
        return self.act(seat, Stock(self.ids[card]))

    def memesio(self, seat: int, takes: str, card: str = "memesio") -> "Table":
        return self.act(seat, AskMemesio(self.ids[card], self.ids[takes]))

    def nyamonas(self, seat: int, dessert: int, takes: str, card: str = "nyamonas") -> "Table":
        return self.act(seat, AskNyamonas(self.ids[card], dessert, self.ids[takes]))

    def maiti(
        self, seat: int, dessert: int, keeps: Hand | Alone | Nested, card: str = "maiti"
    ) -> "Table":
        return self.act(seat, AskMaiti(self.ids[card], dessert, keeps))

    def ladle(
        self,
        seat: int,
        sources: str,
        heads: bool = True,
        card: str = "ladle",
        text: TextRef | None = None,
    ) -> "Table":
        """Invent something, with the coin's side settled beforehand."""
        while (chance_of(self.state).pick(2)[1] == 0) != heads:
            table = self.state.table
            table = msgspec.structs.replace(table, draws=table.draws + 1)
            self.state = msgspec.structs.replace(self.state, table=table)
        invent = Invent(self.ids[card], self.sources(sources), "Cloud with claws")
        return self.act(seat, invent, text)

    def leaves(self, seat: int) -> "Table":
        player = f"p{seat}"
        return self.command(Vacate(player=player, seat=seat), player_actor(player))

    def lapses(self, seat: int) -> "Table":
        return self.command(Default(seat=seat, decision=decision_id(self.state) or 0), SERVICE)

    # Then.

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def board(self) -> Board:
        """The board as a spectator sees it."""
        return MEMESIO.board(self.game, SPECTATOR)

    def event(self, tag: str) -> Event:
        """The one event of a type that the last command wrote."""
        [event] = [each for each in self.events if each.__struct_config__.tag == tag]
        return event

    def tags(self) -> list[str]:
        """The types of the events that the last command wrote."""
        return [str(event.__struct_config__.tag) for event in self.events]

    def hand(self, seat: int) -> tuple[str, ...]:
        return self.game.players[seat].hand

    def stack(self, ingredient: str) -> tuple[str, ...]:
        return self.game.pantry.get(ingredient, ())

    def desserts(self, seat: int) -> list[str | None]:
        return [dessert.recipe for dessert in self.game.players[seat].desserts]

    def dessert(self, number: int) -> Dessert:
        found = self.game.find(number)
        assert found is not None, f"dessert {number} is not on the table"
        return found[1]

    @property
    def screams(self) -> list[float]:
        """Everybody's screams, whole ones."""
        return [player.score / 2 for player in self.game.players]

    @property
    def outcome(self) -> Outcome:
        assert self.game.outcome is not None, "the game goes on"
        return self.game.outcome

    def legal(self, seat: int) -> list[str]:
        """The tags of the forms listed for a seat."""
        return [str(form.__struct_config__.tag) for form in MEMESIO.legal(self.game, seat)]

    def forms(self, seat: int, tag: str) -> list[msgspec.Struct]:
        """The forms of a type listed for a seat."""
        listed = MEMESIO.legal(self.game, seat)
        return [form for form in listed if form.__struct_config__.tag == tag]


def given(
    *hands: str,
    pantry: str = "",
    tables: Mapping[int, Sequence[Made]] | None = None,
    deck: str | None = None,
    scores: Sequence[float] | None = None,
    turn: int = 0,
    options: Options | None = None,
) -> Table:
    """Put a game into a position: it is the turn of a seat that has drawn its card.

    ``pantry`` is laid out in order, so that of one stack the card named last is on top.
    ``tables`` has each seat's desserts; they get numbers from 1, parts before the whole. Cards
    named nowhere are the deck; with a ``deck`` given they have left the game.
    """
    table = Table(len(hands), options)
    cards = Cards()
    count = 0

    def dessert(wanted: Made) -> Dessert:
        nonlocal count
        card = None if wanted.name is None else cards(wanted.name)
        recipe = None if wanted.name is None else wanted.name.rstrip("0123456789")
        parts = tuple(
            dessert(part) if isinstance(part, Made) else cards(part) for part in wanted.parts
        )
        count += 1
        return Dessert(count, recipe, card, parts, wanted.marked)

    players = []
    for seat, hand in enumerate(hands):
        held = tuple(sorted(cards.several(hand)))
        screams = scores[seat] if scores else 0
        players.append(Player(held, int(screams * 2)))
    stocked = on_top({}, cards.several(pantry))
    for seat, desserts in sorted((tables or {}).items()):
        served = tuple(dessert(each) for each in desserts)
        players[seat] = msgspec.structs.replace(players[seat], desserts=served)
    pile = None if deck is None else cards.several(deck)
    rest = tuple(sorted(cards.rest.elements()))
    state = table.state
    game = Game(
        options=options or Options(),
        players=tuple(players),
        deck=rest if pile is None else pile,
        turn=Turn(turn, 1),
        pantry=stocked,
        made=count,
        spoiled=() if pile is None else rest,
        decision=Decision(TURN, state.version, (turn,)),
    )
    conserved(game)
    table.ids = cards.ids
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
