"""State: the table, which nothing takes back, and the game, which a rewind does."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from domain.kernel.canonical import part_digest, part_salt
from domain.kernel.clock import Clock, Timing, deadline
from domain.kernel.decision import Decision, Outcome
from domain.kernel.rulings import AnyMotion


class Seat(msgspec.Struct, frozen=True):
    """Who holds a seat: a player (by id) or a bundled player (by name), and since which version.

    ``left`` is set when the holder left the running game for good.
    """

    since: int
    player: str | None = None
    bundled: str | None = None
    nonce: str | None = None
    left: bool = False


class Tenure(msgspec.Struct, frozen=True):
    """That a player held a seat from one version up to another (None: still does)."""

    seat: int
    player: str
    since: int
    until: int | None


class OpenMotion(msgspec.Struct, frozen=True):
    """A motion that has been neither carried nor declined: its id, who made it and when (ms).

    ``agreed`` are the seats that agree, ``judges`` the judges that do.
    """

    id: int
    seat: int
    motion: AnyMotion
    time: int
    agreed: tuple[int, ...] = ()
    judges: tuple[str, ...] = ()


class Invitation(msgspec.Struct, frozen=True):
    """An invitation that has not been used: its id (a version) and the digest of its secret."""

    id: int
    digest: str


class Table(msgspec.Struct, frozen=True):
    """What is true of a table whatever the game is taken back to.

    ``seed`` is secret until ``sealed``; ``draws`` is the number of the next draw of chance;
    ``rewound`` the version of the last rewind, 0 if there was none; ``pause_votes`` are the seats
    that want to pause, or while paused to go on; ``judges`` are players; ``ended`` is when the
    game ended (ms), if it has; ``invited`` are players who were invited.
    """

    game: str
    ruleset: str
    ruleset_version: int
    options: dict[str, bool | int | str | None]
    host: str
    public: bool
    seed: str
    created: int
    seats: tuple[Seat | None, ...]
    tenures: tuple[Tenure, ...] = ()
    started: bool = False
    sealed: bool = False
    draws: int = 0
    rewound: int = 0
    clock: Clock | None = None
    expires: int | None = None
    timing: Timing = Timing()
    pause_votes: tuple[int, ...] = ()
    judges: tuple[str, ...] = ()
    motions: tuple[OpenMotion, ...] = ()
    ended: int | None = None
    rematch_of: str | None = None
    invited: tuple[str, ...] = ()
    invitations: tuple[Invitation, ...] = ()

    @property
    def nonces(self) -> tuple[str | None, ...]:
        """The seats' nonces in seat order."""
        return tuple(seat.nonce if seat else None for seat in self.seats)

    def has_sat(self, player: str) -> bool:
        """Say whether a player holds a seat or ever did."""
        return any(tenure.player == player for tenure in self.tenures)

    def seat_of(self, player: str) -> int | None:
        """The seat that a player holds now; None where there is none or it was left for good."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player and not seat.left:
                return number
        return None


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """What every game's state has: the open decision, and the outcome once it has ended."""

    decision: Decision | None = None
    outcome: Outcome | None = None


class State(msgspec.Struct, frozen=True):
    """A table with its game at one version.

    ``time`` is that of the last event, in ms; ``chain`` the chain's value after it (32 bytes).
    ``game`` is None before the start.
    """

    version: int
    time: int
    chain: bytes
    table: Table
    game: Any


Status = Literal["open", "running", "ended", "sealed"]


def status(state: State) -> Status:
    """Say where a table stands: ``open``, ``running``, ``ended`` or ``sealed``."""
    if state.table.sealed:
        return "sealed"
    if not state.table.started:
        return "open"
    return "ended" if state.game.outcome is not None else "running"


def decision_id(state: State) -> int | None:
    """Give the id of the open decision: the version that last opened it.

    A rewind reopens the decision of the version that it goes back to, under its own version, so
    that an answer to the undone line never counts in the new one.
    """
    if state.game is None or state.game.decision is None:
        return None
    decision: Decision = state.game.decision
    return max(decision.opened, state.table.rewound)


def seat_deadline(state: State, seat: int) -> int | None:
    """Say until when a seat may answer the open decision (ms); None for ever, or if not asked."""
    decision = state.game.decision if state.game is not None else None
    if decision is None or seat not in decision.asked:
        return None
    return deadline(state.table.timing, state.table.clock, seat)


def expires_at(state: State) -> int | None:
    """Say when the table expires if nothing happens (ms); None for never."""
    table = state.table
    over = table.sealed or (state.game is not None and state.game.outcome is not None)
    return None if table.expires is None or over else state.time + table.expires


SEAL_AFTER = 24 * 60 * 60 * 1000  # ms: how long a judge can still take back a game that has ended


def seals_at(state: State) -> int | None:
    """Say when an ended game will be sealed (ms); None if it has not ended, or is sealed."""
    ended = state.table.ended
    return None if ended is None or state.table.sealed else ended + SEAL_AFTER


def commitment(table: Table) -> str:
    """Give the commitment to the game's chance: the digest under which its seed is in the chain."""
    return _commitment(table.seed)


@lru_cache(maxsize=4096)
def _commitment(seed: str) -> str:
    return part_digest(part_salt(bytes.fromhex(seed), 1, "seed"), seed)
