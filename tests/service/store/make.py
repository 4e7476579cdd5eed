"""Appends for tests: everything has a default, chain hashes are random."""

import os
from typing import Any

from service.store.types import Append, Entry

DIGEST = b"digest-1"


def new_game() -> str:
    return f"g-{os.urandom(8).hex()}"


def new_key() -> bytes:
    """A command key, with the bytes that could trip a pattern or a separator."""
    return os.urandom(12) + b"\0\n:%"


def entry(version: int, body: bytes | None = None, aside: bytes = b"") -> Entry:
    return Entry(version, body or b'{"event":%d}' % version, os.urandom(32), aside)


def entries(expected: int, count: int = 1) -> tuple[Entry, ...]:
    return tuple(entry(version) for version in range(expected + 1, expected + count + 1))


def append(game: str, expected: int = 0, count: int = 1, **more: Any) -> Append:
    more = {"digest": DIGEST, "created": 1_000, "entries": entries(expected, count), **more}
    return Append(game=game, expected=expected, **more)
