"""The fold: a state is what its events make of it, and nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel.clock import Timing, first_timing, paused, resumed, retimed
from domain.kernel.event import (
    BundledSeated,
    Created,
    Event,
    Joined,
    Paused,
    PauseVoted,
    Record,
    Resumed,
    Rewound,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
)
from domain.kernel.ruleset import Ruleset, advance
from domain.kernel.state import Seat, State, Table, Tenure

T = TypeVar("T")

_OF_THE_TABLE = (PauseVoted, Paused, Resumed, Sealed)  # the game takes no notice of these


def _set(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _vacate(tenures: tuple[Tenure, ...], seat: int, version: int) -> tuple[Tenure, ...]:
    return tuple(
        replace(tenure, until=version) if tenure.seat == seat and tenure.until is None else tenure
        for tenure in tenures
    )


def evolve_table(table: Table, event: Event, version: int) -> Table:
    """Apply an event to the table. Game events touch it only by the chance they used."""
    match event:
        case Joined():
            seat = Seat(since=version, player=event.player, nonce=event.nonce)
            tenure = Tenure(event.seat, event.player, version, None)
            return replace(
                table,
                seats=_set(table.seats, event.seat, seat),
                tenures=(*table.tenures, tenure),
            )
        case BundledSeated():
            seat = Seat(since=version, bundled=event.bundled)
            return replace(table, seats=_set(table.seats, event.seat, seat))
        case SeatFreed():
            return replace(
                table,
                seats=_set(table.seats, event.seat, None),
                tenures=_vacate(table.tenures, event.seat, version),
            )
        case Started():
            return replace(table, started=True)
        case SeatLeft():
            holder = table.seats[event.seat]
            assert holder is not None
            return replace(
                table,
                seats=_set(table.seats, event.seat, replace(holder, left=True)),
                tenures=_vacate(table.tenures, event.seat, version),
            )
        case Rewound():
            return replace(table, rewound=version)
        case Sealed():
            return replace(table, sealed=True)
        case PauseVoted():
            votes = {*table.pause_votes} - {event.seat}
            if event.pause is not table.timing.paused:
                votes.add(event.seat)
            return replace(table, pause_votes=tuple(sorted(votes)))
        case Paused() | Resumed():
            return replace(table, pause_votes=())
        case _:
            number = getattr(event, "chance", None)
            return table if number is None else replace(table, draws=number + 1)


def _new_table(event: Created, time: int) -> Table:
    return Table(
        game=event.game,
        ruleset=event.ruleset,
        ruleset_version=event.ruleset_version,
        options=event.options,
        host=event.host,
        public=event.public,
        seed=event.seed,
        created=time,
        seats=(None,) * event.seats,
        clock=event.clock,
        expires=event.expires,
    )


def _timing(state: State, table: Table, game: Any, record: Record) -> Timing:
    """Let the clocks go on over an event."""
    event, time = record.event, record.time
    before = state.game.decision if state.game is not None else None
    after = game.decision if game is not None else None
    match event:
        case Started():
            return first_timing(table.clock, len(table.seats))
        case Paused():
            return paused(table.timing, before, time)
        case Resumed():
            return resumed(table.timing, time)
        case _:
            reopened = isinstance(event, Rewound)
            return retimed(table.timing, table.clock, before, after, time, reopened=reopened)


def evolve(
    ruleset: Ruleset[Any], state: State | None, record: Record, history: Sequence[Record] = ()
) -> State:
    """Apply the next event to a state (None before the first).

    ``history`` is needed for a rewind only: the events from version 1 on, at least up to the
    version that it goes back to.
    """
    event, version = record.event, record.version
    if state is None:
        assert isinstance(event, Created)
        return State(version, record.time, record.chain, _new_table(event, record.time), None)
    table = evolve_table(state.table, event, version)
    game = state.game
    if isinstance(event, Rewound):
        game = game_at(ruleset, history, event.to)
    elif isinstance(event, Started):
        options = msgspec.convert(table.options, ruleset.options)
        game = ruleset.new(len(table.seats), options)
    elif game is not None and not isinstance(event, _OF_THE_TABLE):
        game = advance(ruleset, game, event, version)
    timing = _timing(state, table, game, record)
    if timing is not table.timing:
        table = replace(table, timing=timing)
    return State(version, record.time, record.chain, table, game)


def fold(ruleset: Ruleset[Any], records: Iterable[Record]) -> State:
    """Fold a whole history, from version 1 on. Raises ValueError for an empty one."""
    history: list[Record] = []
    state: State | None = None
    for record in records:
        history.append(record)
        state = evolve(ruleset, state, record, history)
    if state is None:
        raise ValueError("there is no event to fold")
    return state


def ancestors(history: Sequence[Record], version: int) -> list[Record]:
    """Give the surviving line up to a version: its ancestors by parent and itself, oldest first."""
    line: list[Record] = []
    while version > 0:
        record = history[version - 1]
        line.append(record)
        version = record.parent
    line.reverse()
    return line


def game_at(ruleset: Ruleset[Any], history: Sequence[Record], version: int) -> Any:
    """Fold the game alone along the ancestors of a version.

    The parent of a rewind is the version that it goes back to, so a rewind in that line changes
    nothing and is passed over.
    """
    state: State | None = None
    for record in ancestors(history, version):
        if not isinstance(record.event, Rewound):
            state = evolve(ruleset, state, record)
    return None if state is None else state.game
