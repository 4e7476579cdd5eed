"""Rulings of judges, and motions that the seats agree on."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from domain.kernel.clock import GameClock
from domain.kernel.commands import MakeMotion, NameJudge, Rule, Vote
from domain.kernel.errors import Refusal
from domain.kernel.event import (
    Adjusted,
    Audience,
    ClockRestored,
    Event,
    Forfeited,
    HandedOver,
    JudgeNamed,
    MotionMade,
    MotionVoted,
    Paused,
    Record,
    Resumed,
    Rewound,
    Ruled,
    Sealed,
    SeatLeft,
    Started,
    tells,
)
from domain.kernel.fold import ancestors, game_at
from domain.kernel.pen import chance_of
from domain.kernel.ruleset import Play, Ruleset
from domain.kernel.rulings import (
    Adjust,
    AnyMotion,
    AnyRuling,
    CallJudge,
    Forfeit,
    Halt,
    HandOver,
    Note,
    ReplaceSeat,
    RestoreClock,
    Rewind,
    SealNow,
    Undo,
)
from domain.kernel.state import OpenMotion, State, Table

MOTION_LASTS = 10 * 60 * 1000  # ms: an older motion can no longer be agreed to
MOTIONS_MOST = 4  # open at once


def people(table: Table) -> tuple[int, ...]:
    """List the seats of people who have not left; bundled players agree to anything."""
    return tuple(
        number
        for number, seat in enumerate(table.seats)
        if seat is not None and seat.player is not None and not seat.left
    )


# Judges.


def name_judge(state: State, command: NameJudge) -> list[Event]:
    """Let the host name a judge before the start."""
    table = state.table
    if table.host != command.player:
        raise Refusal("host_only", code="forbidden")
    if table.started:
        raise Refusal("judges_before_start", code="game-started")
    if table.sealed:
        raise Refusal("game_over", code="game-over")
    _check_may_judge(table, command.judge)
    return [JudgeNamed(judge=command.judge)]


def no_such_player(player: str, pointer: str) -> Refusal:
    """Give the refusal of a command that names somebody who is nobody."""
    return Refusal("no_such_player", code="not-eligible", pointer=pointer, player=player)


def _check_may_judge(table: Table, player: str) -> None:
    """Who has ever sat at a table never judges it."""
    if table.has_sat(player):
        raise Refusal("judge_has_sat", code="not-eligible", pointer="/judge")
    if player in table.judges:
        raise Refusal("already_judge", code="already-so", pointer="/judge")


def rule(
    ruleset: Ruleset[Any], state: State, command: Rule, history: Sequence[Record]
) -> list[Event]:
    """Write a judge's ruling and what follows from it."""
    if command.judge not in state.table.judges:
        raise Refusal("judges_only", code="forbidden")
    if state.table.sealed:
        raise Refusal("game_sealed", code="game-over")
    ruled = Ruled(ruling=command.ruling, text=command.text)
    return [ruled, *_consequences(ruleset, state, command.ruling, history)]


def _consequences(
    ruleset: Ruleset[Any], state: State, ruling: AnyRuling, history: Sequence[Record]
) -> Sequence[Event]:
    if isinstance(ruling, Note):
        return []
    if not state.table.started:
        raise Refusal("game_not_started", code="game-not-started")
    match ruling:
        case Rewind():
            return rewound(ruleset, state, ruling.to, history, first=1, reshuffle=ruling.reshuffle)
        case Adjust():
            _check_seat(state, ruling.seat)
            if ruleset.adjust is None:
                raise Refusal("no_scores", code="not-possible")
            return [Adjusted(seat=ruling.seat, points=ruling.points)]
        case RestoreClock():
            _check_seat(state, ruling.seat)
            if not isinstance(state.table.clock, GameClock):
                raise Refusal("no_game_clock", code="not-possible")
            return [ClockRestored(seat=ruling.seat, milliseconds=ruling.milliseconds)]
        case Forfeit():
            return _forfeit(ruleset, state, ruling.seat)
        case Halt():
            check_running(state)
            if ruling.pause is state.table.timing.paused:
                raise Refusal("already_so", code="already-so")
            return [Paused() if ruling.pause else Resumed()]
        case ReplaceSeat():
            return [_hand_over(ruleset, state, ruling.seat, ruling.bundled, ruling.player)]


def _check_seat(state: State, seat: int) -> None:
    if seat >= len(state.table.seats):
        most = len(state.table.seats) - 1
        raise Refusal("no_such_seat", code="not-possible", pointer="/ruling/seat", most=most)


def check_running(state: State) -> None:
    """Refuse what only a running game allows."""
    if not state.table.started:
        raise Refusal("game_not_started", code="game-not-started")
    if state.game.outcome is not None:
        raise Refusal("game_over", code="game-over")


def _forfeit(ruleset: Ruleset[Any], state: State, seat: int) -> list[Event]:
    check_running(state)
    _check_seat(state, seat)
    holder = state.table.seats[seat]
    if holder is None or holder.left or seat not in state.game.present():
        raise Refusal("seat_gone", code="not-possible", pointer="/ruling/seat", seat=seat)
    play = Play(ruleset, state.game, state.version + 1, chance_of(state))
    play.write(Forfeited(seat=seat))
    ruleset.leave(play, seat)
    return play.events


# Taking the game back.


def rewound(
    ruleset: Ruleset[Any],
    state: State,
    to: int,
    history: Sequence[Record],
    *,
    first: int,
    reshuffle: bool | None,
) -> list[Event]:
    """Take the game back to a version; ``first`` is how many events of the command come before.

    Who has left since then leaves again. What nobody has seen is shuffled anew where an undone
    line told anybody anything hidden, so that a known deck is not played again.
    """
    _check_target(state, to, history)
    play = Play(ruleset, state.game, state.version + first, chance_of(state))
    play.take_back(Rewound(to=to), game_at(ruleset, history, to))
    if reshuffle is None:
        reshuffle = _known_beyond(history, to)
    if reshuffle and play.game.outcome is None:
        ruleset.reshuffle(play)
    for seat, holder in enumerate(state.table.seats):
        left = holder is not None and holder.left
        if left and play.game.outcome is None and seat in play.game.present():
            play.write(SeatLeft(seat=seat))
            ruleset.leave(play, seat)
    return play.events


def _known_beyond(history: Sequence[Record], to: int) -> bool:
    """Say whether anybody was told more than the line to a version tells of what is hidden in it.

    Any undone line may have told it, not the last one alone: who goes back into an undone line
    knows how that went on. Only what had parted from the line before a rewind in it that shuffled
    anew tells nothing of the order that came of this.
    """
    line = ancestors(history, to)
    renewed = 0
    for record, after in pairwise(line):
        if isinstance(record.event, Rewound) and Audience.NOBODY in after.event.hidden.values():
            renewed = record.version
    parted = {record.version: record.version for record in line}  # where each left the line
    for record in history:
        if record.version in parted:
            continue
        parted[record.version] = parted[record.parent]
        if parted[record.version] >= renewed and _tells_anybody(record.event):
            return True
    return False


def _tells_anybody(event: Event) -> bool:
    """Say whether an event tells; a shuffle tells nobody how it came out."""
    return tells(event) and set(event.hidden.values()) != {Audience.NOBODY}


def _check_target(state: State, to: int, history: Sequence[Record]) -> None:
    """A game can be taken back to where a command ended, the start or later."""
    if to >= state.version:
        raise Refusal("rewind_ahead", code="not-possible", pointer="/to", current=state.version)
    if history[to].count == 0:
        after = next(r.version for r in reversed(history[:to]) if r.count) - 1
        raise Refusal("rewind_within", code="not-possible", pointer="/to", before=after)
    if state.table.timing.paused:
        raise Refusal("paused", code="paused")
    started = next((r.version for r in history if isinstance(r.event, Started)), None)
    if started is None or to < started:
        raise Refusal("rewind_before_start", code="not-possible", pointer="/to")


# Motions.


def make_motion(
    ruleset: Ruleset[Any], state: State, command: MakeMotion, history: Sequence[Record], time: int
) -> list[Event]:
    """Write a motion, and what follows if nobody has to be asked."""
    table, motion = state.table, command.motion
    if table.sealed:
        raise Refusal("game_sealed", code="game-over")
    if not table.started:
        raise Refusal("game_not_started", code="game-not-started")
    open_now = [each for each in table.motions if time < each.time + MOTION_LASTS]
    if any(each.seat == command.seat for each in open_now) or len(open_now) >= MOTIONS_MOST:
        raise Refusal("motion_open", code="motion-open")
    _check_motion(ruleset, state, motion, history)
    made = MotionMade(seat=command.seat, motion=motion, text=command.text)
    opened = OpenMotion(state.version + 1, command.seat, motion, time)
    if isinstance(motion, Undo) and _harmless(state, command.seat, motion.to, history):
        return [made, *rewound(ruleset, state, motion.to, history, first=1, reshuffle=None)]
    if _asked(table, opened):
        return [made]
    return [made, *_carried(ruleset, state, opened, history, first=1)]


def _check_motion(
    ruleset: Ruleset[Any], state: State, motion: AnyMotion, history: Sequence[Record]
) -> None:
    """Refuse at once what could not be carried."""
    match motion:
        case Undo():
            if state.game.outcome is not None:
                raise Refusal("game_over", code="game-over")
            _check_target(state, motion.to, history)
        case HandOver():
            check_running(state)
            _hand_over(ruleset, state, motion.seat, motion.bundled, motion.player)
        case CallJudge():
            check_running(state)
            _check_may_judge(state.table, motion.judge)
        case SealNow():
            if state.game.outcome is None:
                raise Refusal("not_ended", code="not-possible")


def _harmless(state: State, seat: int, to: int, history: Sequence[Record]) -> bool:
    """Say whether an undo can be had at once: nobody else acted and nothing hidden was shown."""
    undone = history[to : state.version]
    return all(record.actor == f"seat:{seat}" and not tells(record.event) for record in undone)


def _asked(table: Table, motion: OpenMotion) -> list[int]:
    """List the seats that still have to agree to a motion."""
    done = {motion.seat, *motion.agreed}
    return [seat for seat in people(table) if seat not in done]


def _judges_asked(table: Table, motion: OpenMotion) -> list[str]:
    if not isinstance(motion.motion, SealNow):
        return []
    return [judge for judge in table.judges if judge not in motion.judges]


def vote(
    ruleset: Ruleset[Any], state: State, command: Vote, history: Sequence[Record], time: int
) -> list[Event]:
    """Write a vote on a motion, and if it was the last one that was needed, what follows."""
    table = state.table
    found = next((each for each in table.motions if each.id == command.motion), None)
    if found is None or table.sealed or time >= found.time + MOTION_LASTS:
        raise Refusal("motion_closed", code="motion-closed", motion=command.motion)
    if command.seat is None and command.judge not in table.judges:
        raise Refusal("not_seated", code="forbidden")
    if command.seat is not None and command.seat == found.seat and command.agree:
        raise Refusal("own_motion", code="already-so")
    voted = MotionVoted(motion=command.motion, agree=command.agree, seat=command.seat)
    if not command.agree:
        return [voted]
    now = (
        OpenMotion(found.id, found.seat, found.motion, found.time, (*found.agreed, command.seat))
        if command.seat is not None
        else OpenMotion(
            found.id,
            found.seat,
            found.motion,
            found.time,
            found.agreed,
            (*found.judges, command.judge or ""),
        )
    )
    if _asked(table, now) or _judges_asked(table, now):
        return [voted]
    return [voted, *_carried(ruleset, state, now, history, first=1)]


def _carried(
    ruleset: Ruleset[Any],
    state: State,
    motion: OpenMotion,
    history: Sequence[Record],
    *,
    first: int,
) -> Sequence[Event]:
    if _judges_asked(state.table, motion):
        return []
    match motion.motion:
        case Undo(to=to):
            return rewound(ruleset, state, to, history, first=first, reshuffle=None)
        case HandOver(seat=seat, bundled=bundled, player=player):
            return [_hand_over(ruleset, state, seat, bundled, player)]
        case CallJudge(judge=judge):
            _check_may_judge(state.table, judge)
            return [JudgeNamed(judge=judge)]
        case SealNow():
            return [Sealed(seed=state.table.seed)]


def _hand_over(
    ruleset: Ruleset[Any], state: State, seat: int, bundled: str | None, player: str | None
) -> HandedOver:
    """Give a seat a new holder, unless it was left for good or the new one knows too much."""
    table = state.table
    check_running(state)
    _check_seat(state, seat)
    holder = table.seats[seat]
    if holder is None or holder.left:
        raise Refusal("seat_gone", code="not-possible", pointer="/seat", seat=seat)
    if (bundled is None) is (player is None):
        raise Refusal("one_holder", code="not-possible")
    if bundled is not None and bundled not in ruleset.bundled_players:
        known = ", ".join(ruleset.bundled_players)
        raise Refusal("no_such_bundled_player", code="unknown-bundled-player", known=known)
    if player is not None and (table.has_sat(player) or player in table.judges):
        raise Refusal("knows_too_much", code="not-eligible", pointer="/player")
    return HandedOver(seat=seat, bundled=bundled, player=player)
