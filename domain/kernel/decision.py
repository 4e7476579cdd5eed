"""Decisions: what the game asks of whom, and how it ended."""

from enum import StrEnum

import msgspec


class Order(StrEnum):
    """In which order the seats of a decision answer."""

    ONE = "one"  # one seat is asked (a turn; JD-21)
    IN_TURN = "in_turn"  # several seats, one after the other (JD-30)
    AT_ONCE = "at_once"  # several seats, in any order (SF-6)


class Decision(msgspec.Struct, frozen=True):
    """Something the game asks. While it is open nothing else can happen but leaving.

    ``opened`` is the version of the event that opened it and serves as its id (see
    :func:`domain.kernel.state.decision_id` for what a rewind does to it); ``awaited`` are the
    seats that still have to answer, in their order.
    """

    kind: str
    opened: int
    awaited: tuple[int, ...]
    order: Order = Order.ONE

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may answer now."""
        return self.awaited if self.order is Order.AT_ONCE else self.awaited[:1]


def ask(
    kind: str, opened: int, seats: tuple[int, ...], order: Order = Order.ONE
) -> Decision | None:
    """Open a decision, or none if there is nobody to ask."""
    return Decision(kind, opened, seats, order) if seats else None


def answered(decision: Decision | None, seat: int) -> Decision | None:
    """Strike a seat off the awaited ones; the decision closes with the last of them."""
    if decision is None:
        return None
    rest = tuple(other for other in decision.awaited if other != seat)
    return msgspec.structs.replace(decision, awaited=rest) if rest else None


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended.

    ``reason`` is the id of the rule that ended it; ``winners`` are the seats that won (several
    where the rules share a win); ``scores`` has one number per seat, in the unit of the ruleset.
    """

    reason: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
