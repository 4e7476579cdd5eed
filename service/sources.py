"""Where the service takes time and randomness from, so that tests can supply both."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
ID_LENGTH = 16
FOLLOWED = 100  # ms: the largest correction of the system's clock that is followed at once
AT_ONCE = 5  # ms within which two clocks must be read to be compared

# Goes on while the machine sleeps, where there is one that does: then others' clocks go on too.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SteadyClock:
    """The time of day, but for jumps: it goes on at its own pace when the system's clock is set.

    Deadlines must not run out because somebody corrected a clock. Small corrections are followed.
    What time it begins with is decided elsewhere (`service.clock`).
    """

    def __init__(
        self,
        wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        steady: Callable[[], int] = lambda: time.clock_gettime_ns(_STEADY) // 1_000_000,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._seen = self._offset = wall() - steady()

    def __call__(self) -> int:
        """Give the time in ms since 1970."""
        before = self._steady()
        wall = self._wall()
        elapsed = self._steady()
        if elapsed - before <= AT_ONCE:
            change = wall - elapsed - self._seen
            self._seen += change
            if abs(change) <= FOLLOWED:
                self._offset += change
        return elapsed + self._offset

    def elapsed(self) -> int:
        """Give the ms since the machine was started."""
        return self._steady()

    def set(self, now: int) -> None:
        """Go on from another time."""
        self._offset = now - self._steady()

    def ahead(self) -> int:
        """Say by how many ms it is ahead of the system's clock."""
        return self() - self._wall()


@dataclass(frozen=True)
class Sources:
    """Time in ms since 1970, and random bytes from the operating system."""

    now: Callable[[], int] = field(default_factory=SteadyClock)
    random_bytes: Callable[[int], bytes] = secrets.token_bytes

    def new_id(self) -> str:
        """Make an id of 16 characters (80 random bits): one spelling, safe in paths."""
        return spell(self.random_bytes(10))


def spell(data: bytes) -> str:
    """Spell the first 80 bits of some bytes as an id."""
    number = int.from_bytes(data[:10], "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(75, -1, -5))
