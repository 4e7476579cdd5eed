"""Games at which judges rule, every command checked.

After every command the fold is held against an interpreter of its own, which knows no fold: it
follows the surviving line by itself and asks the game alone what an event does. After every rewind
each viewer must be shown what was shown at that version, save what is never taken back.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.kernel.clock import DecisionClock
from domain.kernel.decide import (
    Command,
    Context,
    decide,
)
from domain.kernel.decision import Order
from domain.kernel.errors import Refusal
from domain.kernel.event import (
    KERNEL_EVENTS,
    Adjusted,
    Audience,
    Created,
    Ended,
    Expired,
    Forfeited,
    HandedOver,
    Joined,
    JudgeNamed,
    Paused,
    Record,
    Resumed,
    Rewound,
    Sealed,
    SeatLeft,
    Started,
)
from domain.kernel.fold import evolve
from domain.kernel.rulings import Rewind
from domain.kernel.state import State, decision_id, seat_deadline
from tests.domain.kit import Room, sights

JUDGE = "judy"
NOBODY = Audience.NOBODY


class Interpreter:
    """What a log means, found without the fold: the game's line, and the table's whole story."""

    def __init__(self, room: Room) -> None:
        self.ruleset = room.ruleset
        self.lines: list[tuple[Any, ...]] = [()]  # the surviving line as (parent's line, record)
        self.left: dict[int, bool] = {}
        self.holders: dict[int, str | None] = {}
        self.judges: list[str] = []
        self.draws: list[int] = []
        self.paused = self.sealed = False
        self.created: Created | None = None

    def take(self, record: Record) -> None:
        """Take in the next event of the log."""
        event = record.event
        if isinstance(event, Rewound):
            self.lines.append(self.lines[event.to])  # from here on as if it were that version
        else:
            self.lines.append((self.lines[record.version - 1], record))
        number = getattr(event, "chance", None)
        if number is not None:
            assert number == len(self.draws), "a draw of chance is used twice or left out"
            self.draws.append(number)
        match event:
            case Created():
                self.created = event
            case Joined():
                self.holders[event.seat] = event.player
            case HandedOver():
                self.holders[event.seat] = event.player
            case SeatLeft():
                self.left[event.seat] = True
            case JudgeNamed():
                self.judges.append(event.judge)
            case Paused():
                self.paused = True
            case Resumed():
                self.paused = False
            case Sealed():
                self.sealed = True

    def step(self, game: Any, record: Record) -> Any:
        """Let one event act on a game."""
        event = record.event
        match event:
            case Started():
                assert self.created is not None
                options = msgspec.convert(self.created.options, self.ruleset.options)
                return self.ruleset.new(self.created.seats, options)
            case Ended():
                return msgspec.structs.replace(game, decision=None, outcome=event.outcome)
            case Adjusted():
                return self.ruleset.adjust(game, event.seat, event.points)
            case Forfeited() | SeatLeft():
                return self.ruleset.evolve(game, SeatLeft(seat=event.seat), record.version)
            case _ if type(event) in KERNEL_EVENTS:
                assert not isinstance(event, Expired)
                return game
            case _:
                return self.ruleset.evolve(game, event, record.version)

    def game(self, version: int) -> Any:
        """Play the surviving line of a version from its beginning."""
        line, at = [], self.lines[version]
        while at:
            at, record = at
            line.append(record)
        game = None
        for record in reversed(line):
            game = self.step(game, record)
        return game

    def check_table(self, state: State) -> None:
        """Hold the table against what was gathered: no rewind takes any of this back."""
        table = state.table
        assert table.draws == len(self.draws)
        assert table.judges == tuple(self.judges)
        assert (table.timing.paused, table.sealed) == (self.paused, self.sealed)
        for seat, holder in enumerate(table.seats):
            if holder is not None:
                assert holder.left is self.left.get(seat, False)
                assert holder.player == self.holders.get(seat)


class Judged:
    """A game with rulings; ``seen`` counts what it came by."""

    def __init__(self, room: Room) -> None:
        self.room, self.ruleset = room, room.ruleset
        self.records: list[Record] = []
        self.states: list[State] = []
        self.now = 1_000
        self.interpreter = Interpreter(room)
        self.seen: Counter[str] = Counter()
        self.superseded: int | None = None

    @property
    def state(self) -> State:
        return self.states[-1]

    # Commands.

    def command(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Decide and apply a command, and check it. Raises Refusal."""
        self.now += 7
        before = self.states[-1] if self.states else None
        context = Context(actor, self.now)
        records = decide(self.ruleset, before, command, context, self.records)
        for record in records:
            self.records.append(record)
            old = self.states[-1] if self.states else None
            after = evolve(self.ruleset, old, record, self.records)
            self.states.append(after)
            self.interpreter.take(record)
            if after.game is not None:
                self.room.conserved(after.game)
            if isinstance(record.event, Rewound):
                assert old is not None
                self._check_rewound(old, after, record.event.to)
        self.interpreter.check_table(self.state)
        assert self.state.game == self.interpreter.game(self.state.version)
        rewound = next((r for r in records if isinstance(r.event, Rewound)), None)
        if before is not None and rewound is not None:
            self._check_after(before, records, rewound)
        return records

    def attempt(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Decide and apply a command if the rules allow it."""
        try:
            return self.command(command, actor)
        except Refusal as refusal:
            self.seen[f"refused: {refusal.key}"] += 1
            return ()

    def _check_rewound(self, old: State, new: State, to: int) -> None:
        """Check the moment of a rewind: the game of that version, the table of this one."""
        target = self.states[to - 1]
        assert new.game == target.game
        for sight in sights(len(new.table.seats)).values():
            assert self.ruleset.board(new.game, sight) == self.ruleset.board(target.game, sight)
        for seat in range(len(new.table.seats)):
            assert self.ruleset.legal(new.game, seat) == self.ruleset.legal(target.game, seat)
        for name in ("seats", "tenures", "judges", "draws", "seed", "sealed", "invited"):
            assert getattr(new.table, name) == getattr(old.table, name), f"{name} was taken back"
        if new.game.decision is None:
            assert decision_id(new) is None
            return
        assert decision_id(new) == new.version, "a rewind opens its decision anew"
        for seat in new.game.decision.asked:
            clock, until = new.table.clock, seat_deadline(new, seat)
            if clock is None:
                assert until is None
            elif isinstance(clock, DecisionClock):
                assert until == new.time + clock.seconds * 1000
            else:
                assert until == new.time + new.table.timing.banks[seat]

    def _check_after(self, before: State, records: Sequence[Record], rewound: Record) -> None:
        """Check what a whole rewind shows, and note what kind it was."""
        assert isinstance(rewound.event, Rewound)
        to = rewound.event.to
        target = self.states[to - 1]
        after = [type(r.event).__name__ for r in records if r.version > rewound.version]
        shuffled = any("huffled" in name for name in after)
        if "SeatLeft" not in after and shuffled:  # else as _check_rewound has found it
            for sight in sights(len(target.table.seats)).values():
                now = self.ruleset.board(self.state.game, sight)
                assert now == self.ruleset.board(target.game, sight), f"{sight} sees a reshuffle"
            assert self.state.game.decision == target.game.decision
            assert self.state.game.outcome == target.game.outcome
            for seat in range(len(target.table.seats)):
                listed = self.ruleset.legal(self.state.game, seat)
                assert listed == self.ruleset.legal(target.game, seat)
        self.superseded = decision_id(before)
        line, there = self.interpreter.lines[before.version], self.interpreter.lines[to]
        while line and line is not there:
            line = line[0]
        self._note_rewind(before, target, after, undone=line is not there)
        if shuffled:
            self.seen["rewind: shuffled anew"] += 1
        elif self.state.game.outcome is None and _by_default(records[0]):
            self._check_unknown(to)

    def _check_unknown(self, to: int) -> None:
        """The deck of a version that is played again untouched was never drawn from beyond it."""
        shuffle, left = self._deck(to)
        for version in range(1, _rewinding_from(self.records)):
            other, less = self._deck(version)
            assert other != shuffle or less >= left or shuffle == 0, (
                f"the deck of version {to} was drawn from up to version {version}"
            )
        self.seen["rewind: the same deck, and nobody knows it"] += 1

    def _deck(self, version: int) -> tuple[int, int]:
        """Name the deck of a version by its last shuffle, and how many cards it has left."""
        game, line = self.states[version - 1].game, self.interpreter.lines[version]
        shuffle = 0
        while line and not shuffle:
            line, record = line
            names = {"order", "dessert_order"} & record.event.hidden.keys()
            shuffle = record.version if names and record.event.hidden[names.pop()] is NOBODY else 0
        if game is None:
            return 0, 0
        deck = getattr(game, "deck", None)
        return shuffle, len(game.dessert_deck if deck is None else deck)

    def _note_rewind(
        self, before: State, target: State, after: Sequence[str], *, undone: bool
    ) -> None:
        for name, holds in (
            ("undoing a rewind", undone),
            ("with a window open", window(before)),
            ("into an open window", window(target)),
            ("to an empty deck", empty(target)),
            ("from an empty deck", empty(before)),
            ("out of the end", before.game.outcome is not None),
            ("to an end", target.game.outcome is not None),
            ("to before the last turns", before.version - target.version > 100),
            ("leaving again", "SeatLeft" in after),
            ("clocks running", before.table.clock is not None),
        ):
            self.seen[f"rewind: {name}"] += holds
        self.seen["rewinds"] += 1


def _by_default(first: Record) -> bool:
    """Say whether a rewind left it to the rule whether to shuffle."""
    ruling = getattr(first.event, "ruling", None)
    return not isinstance(ruling, Rewind) or ruling.reshuffle is None


def _rewinding_from(records: Sequence[Record]) -> int:
    """Give the version at which the last rewind stands."""
    return next(r.version for r in reversed(records) if isinstance(r.event, Rewound))


def window(state: State) -> bool:
    """Say whether several seats are asked at once, or one after the other."""
    decision = state.game.decision if state.game is not None else None
    return decision is not None and decision.order is not Order.ONE


def empty(state: State) -> bool:
    """Say whether a deck has no card left."""
    game = state.game
    names = ("deck", "dessert_deck", "guest_deck")
    return game is not None and any(getattr(game, name, None) == () for name in names)
