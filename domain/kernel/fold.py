"""The fold: a state is what its events make of it, and nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel.clock import Timing, first_timing, paused, restored, resumed, retimed
from domain.kernel.event import (
    KERNEL_EVENTS,
    BundledSeated,
    ClockRestored,
    Created,
    Event,
    HandedOver,
    InvitationMade,
    InvitationUsed,
    Joined,
    JudgeNamed,
    MotionMade,
    MotionVoted,
    Paused,
    PauseVoted,
    Record,
    Resumed,
    Rewound,
    Ruled,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
)
from domain.kernel.ruleset import Ruleset, advance
from domain.kernel.rulings import CallJudge, HandOver, Motion, Undo
from domain.kernel.state import Invitation, OpenMotion, Seat, State, Table, Tenure

T = TypeVar("T")

_OF_THE_KERNEL = frozenset(KERNEL_EVENTS)

# The game takes no notice of these.
_OF_THE_TABLE = (
    PauseVoted,
    Paused,
    Resumed,
    JudgeNamed,
    InvitationMade,
    InvitationUsed,
    MotionMade,
    MotionVoted,
    Ruled,
    ClockRestored,
    HandedOver,
    Sealed,
)


def _set(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _vacate(tenures: tuple[Tenure, ...], seat: int, version: int) -> tuple[Tenure, ...]:
    return tuple(
        replace(tenure, until=version) if tenure.seat == seat and tenure.until is None else tenure
        for tenure in tenures
    )


def evolve_table(table: Table, event: Event, version: int) -> Table:
    """Apply an event of the kernel to the table."""
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
            return table


def evolve_people(table: Table, record: Record) -> Table:
    """Apply an event to who is at the table and what they agreed on: all that sight goes by.

    It takes no game; only the clocks and the time of the end are left as they were.
    """
    return _agreements(evolve_table(table, record.event, record.version), record.event, record)


def _handed_over(table: Table, event: HandedOver, version: int) -> Table:
    """Give a seat to its new holder. Its nonce stays: the key of all chance is fixed."""
    holder = table.seats[event.seat]
    assert holder is not None
    seat = replace(holder, since=version, player=event.player, bundled=event.bundled, left=False)
    tenures = _vacate(table.tenures, event.seat, version)
    if event.player is not None:
        tenures = (*tenures, Tenure(event.seat, event.player, version, None))
    return replace(table, seats=_set(table.seats, event.seat, seat), tenures=tenures)


def _agreements(table: Table, event: Event, record: Record) -> Table:
    """Keep what the seats and judges agree on: motions, and what carried motions bring."""
    motions = table.motions
    match event:
        case MotionMade():
            made = OpenMotion(record.version, event.seat, event.motion, record.time)
            return replace(table, motions=(*motions, made))
        case MotionVoted(agree=False):
            return replace(table, motions=tuple(m for m in motions if m.id != event.motion))
        case MotionVoted():
            judge = record.actor.partition(":")[2] if event.seat is None else None
            return replace(
                table,
                motions=tuple(
                    _agreed(motion, event.seat, judge) if motion.id == event.motion else motion
                    for motion in motions
                ),
            )
        case Rewound():
            return replace(table, motions=_without(motions, Undo))
        case HandedOver():
            handed = _handed_over(table, event, record.version)
            return replace(handed, motions=_without(motions, HandOver))
        case InvitationMade():
            invitation = Invitation(record.version, event.digest)
            return replace(table, invitations=(*table.invitations, invitation))
        case InvitationUsed():
            rest = tuple(each for each in table.invitations if each.id != event.invitation)
            return replace(table, invitations=rest, invited=(*table.invited, event.player))
        case JudgeNamed():
            judges = (*table.judges, event.judge)
            return replace(table, judges=judges, motions=_without(motions, CallJudge))
        case _:
            return table


def _without(motions: tuple[OpenMotion, ...], kind: type[Motion]) -> tuple[OpenMotion, ...]:
    return tuple(motion for motion in motions if not isinstance(motion.motion, kind))


def _agreed(motion: OpenMotion, seat: int | None, judge: str | None) -> OpenMotion:
    if seat is not None:
        return replace(motion, agreed=tuple(sorted({*motion.agreed, seat})))
    return replace(motion, judges=tuple(sorted({*motion.judges, judge or ""})))


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
        rematch_of=event.rematch_of,
        invited=event.invited,
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
        case ClockRestored():
            return restored(table.timing, before, event.seat, event.milliseconds, time)
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
    if type(event) in _OF_THE_KERNEL:
        table = _agreements(evolve_table(state.table, event, version), event, record)
        game = _evolve_game(ruleset, state, event, version, history)
        table = _retimed(state, table, game, record)
    else:
        # The game's own events, nearly all there are: they touch the table by chance and time.
        game = ruleset.evolve(state.game, event, version)
        table = _touched(state, game, event, record.time)
    return State(version, record.time, record.chain, table, game)


def _evolve_game(
    ruleset: Ruleset[Any], state: State, event: Event, version: int, history: Sequence[Record]
) -> Any:
    if isinstance(event, Rewound):
        return game_at(ruleset, history, event.to)
    if isinstance(event, Started):
        options = msgspec.convert(state.table.options, ruleset.options)
        return ruleset.new(len(state.table.seats), options)
    if state.game is None or isinstance(event, _OF_THE_TABLE):
        return state.game
    return advance(ruleset, state.game, event, version)


def _retimed(state: State, table: Table, game: Any, record: Record) -> Table:
    """Let the clocks go on over an event of the kernel, and note the end or its undoing."""
    over = game is not None and game.outcome is not None
    if over is not (table.ended is not None):
        table = replace(table, ended=record.time if over else None)
    timing = _timing(state, table, game, record)
    return table if timing is table.timing else replace(table, timing=timing)


def _touched(state: State, game: Any, event: Event, time: int) -> Table:
    """Give the table after an event of the game itself."""
    table, before, after = state.table, state.game.decision, game.decision
    number = getattr(event, "chance", None)
    timing = table.timing
    if before is not after:
        timing = retimed(timing, table.clock, before, after, time, reopened=False)
    if number is not None:
        return replace(table, draws=number + 1, timing=timing)
    return table if timing is table.timing else replace(table, timing=timing)


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
