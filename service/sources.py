"""Where the service takes time and randomness from, so that tests can supply both."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
ID_LENGTH = 16


def _now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Sources:
    """Time in ms since 1970, and random bytes from the operating system."""

    now: Callable[[], int] = _now
    random_bytes: Callable[[int], bytes] = secrets.token_bytes

    def new_id(self) -> str:
        """Make an id of 16 characters (80 random bits): one spelling, safe in paths."""
        return spell(self.random_bytes(10))


def spell(data: bytes) -> str:
    """Spell the first 80 bits of some bytes as an id."""
    number = int.from_bytes(data[:10], "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(75, -1, -5))
