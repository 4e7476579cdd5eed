"""What a game gives the kernel, and how its rules write events."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.decision import Outcome
from domain.kernel.event import (
    KERNEL_EVENTS,
    Adjusted,
    Ended,
    Event,
    Expired,
    Forfeited,
    SeatLeft,
    TextRef,
)
from domain.kernel.player import Chooser, choose_at_random
from domain.kernel.state import GameState
from domain.kernel.viewer import SeenRecord, Sight

G = TypeVar("G", bound=GameState)

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Release:
    """Something hidden that the rules themselves disclose, by a public event.

    Non-interference holds between histories that agree on the releases (``rule`` names the rule
    that discloses, ``what`` says in words what it discloses).
    """

    rule: str
    what: str


class BalanceLine(msgspec.Struct, frozen=True):
    """A line of a balance table: what was measured, its value, its aim if any, and if it is met."""

    what: str
    value: str
    aim: str = ""
    met: bool | None = None


class Statistics(Protocol):
    """Gathers how finished games of one game went, for the game's own balance table."""

    def add(self, events: Sequence[Event], /) -> None:
        """Add a finished game's events."""

    def lines(self) -> Sequence[BalanceLine]:
        """Give the table's lines."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ruleset(Generic[G]):
    """A game, as the kernel and the service know it. Each room of ``domain`` ends in one.

    Facts:
        ``id`` and ``version`` (a game is pinned to both), ``seats`` (least and most), ``options``
        (a struct with defaults), ``rules`` (the ids of all rules, in the order of the rules
        page), ``cards`` (one struct per kind of card, for clients), ``releases``.
    Types:
        ``actions`` and ``forms`` (same tags), ``events``, ``state`` (with ``present()``, the seats
        that have not left the game), ``view``, ``claim`` (None
        where the game has no claims).
    Rules:
        ``new(seats, options)`` gives the state before the set-up, or raises a Refusal if the
        options do not go together;
        ``set_up(play)`` writes the set-up and the first turn;
        ``decide(play, seat, action)`` writes an action's events or raises a Refusal;
        ``leave(play, seat)`` writes what follows a seat's leaving (the kernel has already
        written :class:`SeatLeft`, which ``evolve`` must handle);
        ``default(play, seat)`` writes the default of an absent seat's open decision;
        ``evolve(game, event, version)`` applies an event and holds no rule;
        ``reshuffle(play)`` shuffles anew what nobody has seen (after a rewind);
        ``adjust(game, seat, points)`` changes a score by a ruling (None where there is none).
    Views:
        ``legal(game, seat)`` lists forms, complete and in a fixed order; ``board(game, sight)``
        is the one redaction of the state; ``claims(records)`` reads the audit of bluffs off
        events that are redacted already; ``action_of(event)`` gives the action that a command's
        first event carries, None for other events.

    Beyond the rules:
        ``balance(seats, planning)`` gathers the game's own balance table, given how many play and
        which seats plan (None where there is none);
        ``tallies(claims, seats)`` counts the claims of a sealed game by seat (``tally`` is the
        type), None where the game has no claims;
        ``players`` are the game's own bundled players by name (``random`` is there for every
        game); ``free_text`` maps the tag of an action to its field of free text, whose words stay
        beside the log while the event holds a :class:`TextRef`.

    ``upcasters`` lift the JSON value of an event of type and schema to the next schema.
    """

    id: str
    version: int
    seats: tuple[int, int]
    options: type[msgspec.Struct]
    rules: tuple[str, ...]
    cards: tuple[msgspec.Struct, ...]
    releases: tuple[Release, ...]
    actions: tuple[type[msgspec.Struct], ...]
    forms: tuple[type[msgspec.Struct], ...]
    events: tuple[type[Event], ...]
    state: type[G]
    view: type[msgspec.Struct]
    claim: type[msgspec.Struct] | None
    new: Callable[[int, Any], G]
    set_up: Callable[["Play[G]"], None]
    decide: Callable[["Play[G]", int, Any], None]
    leave: Callable[["Play[G]", int], None]
    default: Callable[["Play[G]", int], None]
    evolve: Callable[[G, Any, int], G]
    reshuffle: Callable[["Play[G]"], None]
    adjust: Callable[[G, int, int], G] | None
    legal: Callable[[G, int], Sequence[msgspec.Struct]]
    board: Callable[[G, Sight], msgspec.Struct]
    claims: Callable[[Iterable[SeenRecord]], Sequence[msgspec.Struct]]
    action_of: Callable[[Any], msgspec.Struct | None]
    players: Mapping[str, Chooser] = field(default_factory=dict)
    free_text: Mapping[str, str] = field(default_factory=dict)
    balance: Callable[[int, Sequence[int]], Statistics] | None = None
    tally: type[msgspec.Struct] | None = None
    tallies: Callable[[Any, int], Sequence[msgspec.Struct]] | None = None
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=dict)

    @property
    def all_events(self) -> tuple[type[Event], ...]:
        """The kernel's event types and the game's own."""
        return (*KERNEL_EVENTS, *self.events)

    @property
    def bundled_players(self) -> Mapping[str, Chooser]:
        """The game's bundled players by name: ``random``, and those of its own room."""
        return {"random": choose_at_random, **self.players}

    @property
    def action_type(self) -> Any:
        """The union of the game's actions, for decoding."""
        return reduce(or_, self.actions)


def advance(ruleset: Ruleset[G], game: G, event: Event, version: int) -> G:
    """Apply one event to a game's state."""
    if isinstance(event, Ended):
        return msgspec.structs.replace(game, decision=None, outcome=event.outcome)
    if isinstance(event, Expired):
        return msgspec.structs.replace(game, decision=None, outcome=Outcome("expired", (), ()))
    if isinstance(event, Forfeited):
        return ruleset.evolve(game, SeatLeft(seat=event.seat), version)
    if isinstance(event, Adjusted):
        assert ruleset.adjust is not None
        return ruleset.adjust(game, event.seat, event.points)
    return ruleset.evolve(game, event, version)


class Play(Generic[G]):
    """The pen with which rules write the events of one command.

    ``game`` is always the state after the events written so far. ``chance`` is drawn from by the
    event that records the outcome, and only by it. ``text`` stands for the action's free text.
    """

    def __init__(
        self,
        ruleset: Ruleset[G],
        game: G,
        version: int,
        chance: Chance,
        text: TextRef | None = None,
    ) -> None:
        self._ruleset = ruleset
        self.game = game
        self.version = version
        self.chance = chance
        self.text = text
        self.events: list[Event] = []

    def write(self, event: Event) -> None:
        """Write the next event and apply it."""
        self.version += 1
        self.game = advance(self._ruleset, self.game, event, self.version)
        self.events.append(event)

    def take_back(self, event: Event, game: G) -> None:
        """Write the event that takes the game back, with the game as it was then."""
        self.version += 1
        self.game = game
        self.events.append(event)

    def end(self, reason: str, winners: Iterable[int], scores: Iterable[int]) -> None:
        """End the game by the rule with the given id."""
        self.write(Ended(outcome=Outcome(reason, tuple(winners), tuple(scores))))
