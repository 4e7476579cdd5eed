"""Where the service takes time and randomness from, so that tests can supply both."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
ID_LENGTH = 16
FOLLOWED = 100  # ms: the largest correction of the system's clock that is followed at once


class SteadyClock:
    """The time of day, but for jumps: it goes on at its own pace when the system's clock is set.

    Deadlines must not run out because somebody corrected a clock. Small corrections are followed;
    a worker that starts later begins with the new time.
    """

    def __init__(
        self,
        wall: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        steady: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()

    def __call__(self) -> int:
        """Give the time in ms since 1970."""
        offset = self._wall() - self._steady()
        if abs(offset - self._offset) <= FOLLOWED:
            self._offset = offset
        return self._steady() + self._offset


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
