"""Pages of a list that is spread over all partitions.

Within a partition games stand by the time they were made. A page is merged from all of them, newest
first, games of one millisecond by their ids downwards. Its cursor is the last game shown, not a
count, so games that come or go never make a page skip or repeat another game.
"""

import heapq
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from service.store.client import Command

__all__ = ["Place", "earliest", "newest_first"]

Place = tuple[int, str]
"""When a game was made, in milliseconds, and its id: where it stands in a list."""

Fetch = Callable[[Sequence[Command]], Awaitable[list[Any]]]


class _Source(msgspec.Struct):
    """One partition's part of a list, read piece by piece."""

    key: str
    after: Place | None
    want: int
    found: list[Place]
    exhausted: bool = False

    def command(self) -> Command:
        """Word the command that reads the next piece."""
        newest = "+inf" if self.after is None else str(self.after[0])
        bounds = (newest, "-inf", "WITHSCORES", "LIMIT", 0, self.want)
        return ("ZREVRANGEBYSCORE", self.key, *bounds)

    def take(self, reply: list[bytes]) -> None:
        """Keep what the piece brings beyond what is known."""
        places = _places(reply)
        fresh = [place for place in places if self.after is None or place < self.after]
        self.exhausted = len(places) < self.want
        if fresh:
            self.found.extend(fresh)
            self.after = fresh[-1]
        else:
            # A piece full of games of one millisecond, all known: only a longer one goes on.
            self.want *= 2


async def newest_first(
    fetch: Fetch, keys: Sequence[str], limit: int, after: Place | None
) -> list[Place]:
    """Give up to `limit` places behind `after`, newest first."""
    if limit < 1:
        return []
    # A little more than a fair share from each partition is nearly always enough for a page.
    want = min(limit, 2 * limit // len(keys) + 4)
    sources = [_Source(key=key, after=after, want=want, found=[]) for key in keys]
    asked = sources
    while asked:
        replies = await fetch([source.command() for source in asked])
        for source, reply in zip(asked, replies, strict=True):
            source.take(reply)
        page = heapq.nlargest(limit, (place for source in sources for place in source.found))
        asked = [source for source in sources if _may_hold_more(source, page, limit)]
    return page


def _may_hold_more(source: _Source, page: list[Place], limit: int) -> bool:
    if source.exhausted:
        return False
    if len(page) < limit or source.after is None:
        return True
    return source.after > page[-1]


async def earliest(fetch: Fetch, keys: Sequence[str], before: int, limit: int) -> list[Place]:
    """Give up to `limit` places up to and including the time `before`, earliest first."""
    if limit < 1:
        return []
    bounds = ("-inf", before, "WITHSCORES", "LIMIT", 0, limit)
    replies = await fetch([("ZRANGEBYSCORE", key, *bounds) for key in keys])
    return heapq.nsmallest(limit, (place for reply in replies for place in _places(reply)))


def _places(reply: list[bytes]) -> list[Place]:
    """Read members and scores that follow each other."""
    return [
        (int(float(score)), game.decode())
        for game, score in zip(reply[::2], reply[1::2], strict=True)
    ]
