"""A game that is being watched, and those who watch it.

What is read of a game is kept once and shown to each with their own sight; where two have the same
sight of an event, they get the same bytes.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from domain.kernel.event import Record
from domain.kernel.fold import evolve_people
from domain.kernel.state import State
from domain.kernel.viewer import Sight, narrowed, seen, sight
from service.accounts import Holder
from service.presence import Seats
from service.store.errors import StoreUnavailable
from service.tables import Table

RECENT = 256  # events that a watched game keeps at hand for those a little behind

_encode = msgspec.json.Encoder().encode


class Shown:
    """An event, and what of it has been shown to whom: one message of a stream for each sight."""

    __slots__ = ("_frames", "record", "version")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.version = record.version
        self._frames: dict[Sight, bytes] = {}

    def frame(self, view: Sight, secret: bytes) -> bytes:
        """Give the event as a message of a stream; its id is the cursor behind it."""
        frame = self._frames.get(view)
        if frame is None:
            record = self.record
            body = _encode(seen(record, view, secret))
            digits = record.chain.hex()[:8].encode()
            frame = b"id: %d.%b\ndata: %b\n\n" % (record.version, digits, body)
            self._frames[view] = frame
        return frame


class Channel:
    """A game that is being watched: its table as of a version, and the events around that."""

    def __init__(self, table: Table, present: Seats) -> None:
        state = table.state
        self.game = state.table.game
        self.table = state.table
        self.version = state.version
        self.chain = state.chain
        self.secret = bytes.fromhex(state.table.seed)
        self.recent: list[Shown] = []
        self.watchers: set[Watcher] = set()
        self.present = present
        self.wanted = False
        self.looking: asyncio.Task[None] | None = None
        self.failure: StoreUnavailable | None = None

    def extend(self, records: Sequence[Record]) -> bool:
        """Take new events in; say whether seats changed hands."""
        lowest = min((watcher.at for watcher in self.watchers), default=self.version)
        if self.recent:
            passed = max(lowest, self.recent[-1].version - RECENT) - self.recent[0].version + 1
            del self.recent[: max(0, passed)]
        seats = self.table.seats
        for record in records:
            self.table = evolve_people(self.table, record)
            self.recent.append(Shown(record))
        self.version, self.chain = records[-1].version, records[-1].chain
        return seats is not self.table.seats

    def replace(self, state: State) -> None:
        """Take up another log of the same game."""
        self.table, self.version, self.chain = state.table, state.version, state.chain
        self.recent.clear()

    def after(self, version: int) -> list[Shown] | None:
        """Give the events after a version if they are at hand."""
        if not self.recent or version + 1 < self.recent[0].version:
            return None
        return self.recent[version + 1 - self.recent[0].version :]


class Reads(Protocol):
    """Where a watcher gets what is not at hand. Both may raise StoreUnavailable, StoreCorrupt."""

    async def look(self, channel: Channel) -> None:
        """Read what is new in a game."""

    async def after(self, channel: Channel, version: int) -> list[Shown]:
        """Give a game's events after a version, as many as are easily had, in order."""


def _nothing() -> None:
    """Do nothing."""


class Watcher:
    """Somebody's place in a game that they watch: a stream's, or a waiting request's.

    ``at`` is the version up to which they have seen it, ``taken`` how many events they were given
    since somebody last counted. ``lost`` says that the game's log is no longer the one they have
    seen. ``ended`` is why no more should be sent, once that is so. With a ``perspective`` they see
    the private sides of these seats at most.
    """

    def __init__(
        self,
        reads: "Reads",
        channel: Channel,
        holder: Holder | None,
        *,
        stream: bool,
        present: bool,
        noted: bool,
    ) -> None:
        self.at = 0
        self.taken = 0
        self.lost = False
        self.ended: str | None = None
        self.beat = False
        self.perspective: tuple[int, ...] | None = None
        self.stream = stream
        self.present = present
        self.holder = holder
        self.player = holder.player if holder is not None else None
        self.channel = channel
        self.last_sent = asyncio.get_running_loop().time()
        self.sending = False
        self.abort: Callable[[], None] = _nothing
        self._reads = reads
        self._noted = noted
        self._woken = False
        self._waiting: asyncio.Future[None] | None = None

    @property
    def caught_up(self) -> bool:
        """Whether they have seen all there is."""
        return self.at >= self.channel.version and not self.lost

    def sight(self, version: int) -> Sight:
        """Give their sight of a version, by who sits there now and did then."""
        view = sight(self.channel.table, self.player, version)
        return view if self.perspective is None else narrowed(view, self.perspective)

    def _sees_unnoted(self) -> bool:
        """Whether they have become a judge meanwhile: each look of a judge is to be noted first."""
        table = self.channel.table
        return self.player in table.judges and not (self._noted or table.sealed)

    def wake(self) -> None:
        """Let them look again."""
        self._woken = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def end(self, reason: str) -> None:
        """Let them come to an end; the first reason counts."""
        if self.ended is None:
            self.ended = reason
            self.wake()

    async def wait(self) -> None:
        """Wait until woken; one call of `wake` since the last wait is enough."""
        if not self._woken:
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        self._woken = False

    async def locate(self, version: int, digits: str) -> bool:
        """Stand behind the event of a cursor; False if this log has no such event.

        Raises StoreUnavailable, StoreCorrupt.
        """
        channel = self.channel
        if version > channel.version:
            await self._reads.look(channel)
        if version == channel.version:
            found = channel.chain
        elif version > channel.version:
            return False
        else:
            shown = await self._reads.after(channel, version - 1)
            if not shown:
                return False
            found = shown[0].record.chain
        if found.hex()[:8] != digits:
            return False
        self.at = version
        return True

    async def take(self, most: int, most_bytes: int) -> list[bytes]:
        """Give what comes next, framed, and stand behind it; nothing if there is nothing yet.

        Raises StoreUnavailable, StoreCorrupt.
        """
        channel = self.channel
        if self.at >= channel.version:
            return []
        frames: list[bytes] = []
        size = 0
        events = channel.after(self.at)
        if events is None:
            events = await self._reads.after(channel, self.at)
        if self._sees_unnoted():
            self.end("role")
            return []
        if not events:
            # Not there although it was: the log may have lost its tip. Looking will tell.
            await self._reads.look(channel)
        for shown in events:
            if len(frames) == most or size >= most_bytes or self.lost:
                break
            frames.append(shown.frame(self.sight(shown.version), channel.secret))
            size += len(frames[-1])
            self.at = shown.version
        self.taken += len(frames)
        return frames
