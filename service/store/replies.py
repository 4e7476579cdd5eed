"""Reading what the server answers."""

from typing import Any, Final

from service.store.errors import StoreCorrupt, StoreUnavailable
from service.store.types import Append, Appended, Conflict, Entry, Noted, Recorded, Repeated

__all__ = ["answer", "clock", "entries_after", "recorded_range"]

_FIELDS: Final = [b"body", b"chain", b"aside"]


def answer(append: Append, reply: Any) -> Appended | Repeated | Conflict:
    """Read what the server-side function says; its codes stand in `append.lua`."""
    match reply:
        case [0, int(first), int(last)]:
            return Appended(first, last)
        case [1, int(first), int(last)]:
            return Repeated(first, last, same=True)
        case [2, int(first), int(last)]:
            return Repeated(first, last, same=False)
        case [3, int(version)]:
            return Conflict(version)
        case [4, bytes(found)]:
            raise StoreCorrupt(append.game, found.decode(errors="replace"))
        case [5, bytes(argument)]:
            raise ValueError(f"the server-side function refuses {argument.decode()!r}")
    raise StoreUnavailable("error", f"an unknown answer: {reply!r}")


def recorded_range(game: str, found: bytes | None) -> Recorded | None:
    """Read what stands under a command's key."""
    if found is None:
        return None
    try:
        first, count, digest = found.split(b":", 2)
        return Recorded(int(first), int(first) + int(count) - 1, digest)
    except ValueError as error:
        raise StoreCorrupt(game, "a command key stands for an unreadable record") from error


def clock(reply: Any) -> tuple[Noted | None, int]:
    """Read what was noted of the time, and what the server's clock says; an odd note is none."""
    found, at = reply
    words = (found or b"").split(b" ")
    if len(words) != 2 or not all(word.isdigit() for word in words):
        return None, int(at)
    return Noted(int(words[0]), int(words[1])), int(at)


def entries_after(game: str, after: int, reply: list[Any]) -> list[Entry]:
    """Read entries that must follow a version without a gap."""
    entries = []
    for version, (entry_id, fields) in enumerate(reply, after + 1):
        if entry_id != b"%d-0" % version:
            raise StoreCorrupt(game, f"found entry {entry_id.decode()} in place of {version}-0")
        if len(fields) != 6 or fields[0::2] != _FIELDS:
            raise StoreCorrupt(game, f"entry {version} has other fields than an event")
        entries.append(Entry(version, fields[1], fields[3], fields[5]))
    return entries
