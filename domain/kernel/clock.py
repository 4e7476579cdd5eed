"""Clocks: how long a seat may take, and until when.

A deadline is never stored by itself. It follows from the event that opened the decision (its time)
and the clock that the table was made with, so any worker, any restart and any verifier computes the
same one.
"""

from typing import Annotated

import msgspec
from msgspec.structs import replace

from domain.kernel.decision import Decision

Seconds = Annotated[int, msgspec.Meta(ge=1, le=1_209_600)]  # up to a fortnight


class DecisionClock(
    msgspec.Struct, frozen=True, tag_field="kind", tag="decision", forbid_unknown_fields=True
):
    """Each decision has its own time, in seconds."""

    seconds: Seconds


class GameClock(
    msgspec.Struct, frozen=True, tag_field="kind", tag="game", forbid_unknown_fields=True
):
    """Each seat has time for the whole game, in seconds, and gains some with every answer."""

    seconds: Seconds
    increment: Annotated[int, msgspec.Meta(ge=0, le=3_600)] = 0


Clock = DecisionClock | GameClock


class Timing(msgspec.Struct, frozen=True):
    """Where the clocks of a table stand.

    ``since`` is when the seats that are asked now were asked (ms since 1970); ``banks`` is what
    each seat had left then of its time for the game (ms; empty without such a clock); ``paused``
    stops all clocks.
    """

    since: int = 0
    banks: tuple[int, ...] = ()
    paused: bool = False


def first_timing(clock: Clock | None, seats: int) -> Timing:
    """Give the timing at the start of a game."""
    if isinstance(clock, GameClock):
        return Timing(banks=(clock.seconds * 1000,) * seats)
    return Timing()


def retimed(
    timing: Timing,
    clock: Clock | None,
    before: Decision | None,
    after: Decision | None,
    time: int,
    *,
    reopened: bool,
) -> Timing:
    """Let the clocks go on over an event at ``time``.

    Seats that were asked and are no longer have their time taken off and gain the increment.
    Seats that are asked anew, and all of a decision that was ``reopened``, start afresh.
    """
    if timing.paused:
        return timing
    asked_before = before.asked if before else ()
    same = before is not None and after is not None and before.opened == after.opened
    goes_on = same and not reopened and set(after.asked if after else ()) <= set(asked_before)
    banks = timing.banks
    if banks and isinstance(clock, GameClock):
        still = after.asked if goes_on and after else ()
        done = [seat for seat in asked_before if seat not in still]
        banks = _charged(banks, done, time - timing.since, clock.increment * 1000)
    if goes_on:
        return timing if banks is timing.banks else replace(timing, banks=banks)
    return Timing(time, banks)


def paused(timing: Timing, decision: Decision | None, time: int) -> Timing:
    """Stop the clocks: what the seats that are asked have used so far is taken off."""
    asked = decision.asked if decision else ()
    banks = _charged(timing.banks, asked, time - timing.since, 0) if timing.banks else ()
    return Timing(time, banks, paused=True)


def resumed(timing: Timing, time: int) -> Timing:
    """Let the clocks go on; a decision that has its own time starts afresh."""
    return Timing(time, timing.banks)


def restored(
    timing: Timing, decision: Decision | None, seat: int, milliseconds: int, time: int
) -> Timing:
    """Set what a seat has left of its time for the game, from now on.

    The bank of a seat that is asked says what it had left when it was asked, so what it has
    thought since then comes on top.
    """
    asked = decision is not None and seat in decision.asked and not timing.paused
    left = milliseconds + (time - timing.since if asked else 0)
    banks = tuple(left if number == seat else bank for number, bank in enumerate(timing.banks))
    return replace(timing, banks=banks)


def deadline(timing: Timing, clock: Clock | None, seat: int) -> int | None:
    """Say until when a seat that is asked may answer (ms since 1970); None for ever."""
    if clock is None or timing.paused:
        return None
    if isinstance(clock, DecisionClock):
        return timing.since + clock.seconds * 1000
    return timing.since + timing.banks[seat]


def _charged(
    banks: tuple[int, ...], seats: list[int] | tuple[int, ...], used: int, gained: int
) -> tuple[int, ...]:
    return tuple(
        max(0, bank - used) + gained if seat in seats else bank for seat, bank in enumerate(banks)
    )
