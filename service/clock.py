"""One time for all workers of a store, also for those that start while a clock is wrong.

A running worker goes on at its own pace (`SteadyClock`), so what is to be agreed on is where it
begins. The time is noted in two places: for this machine beside the data, measured by the time
since the machine was started, which nobody can set; for all machines in the store, measured by the
server's clock. Whoever starts goes on from a note. `docs/operations.md` says what that is worth.
"""

import asyncio
import contextlib
import os
from pathlib import Path

import msgspec
import structlog

from service.sources import SteadyClock
from service.store.errors import StoreError
from service.store.folder import boot_id
from service.store.store import Store
from service.store.types import Noted

log = structlog.get_logger()

PLACE = "POTLUCK_CLOCK"
"""The variable that hands a worker the name of the machine's note."""

BEAT_EVERY = 1.0  # seconds
APART = 2_000  # ms: what two workers may differ by before anything is done about it
FRESH = 20_000  # ms after which a note that still holds is made anew
LONGEST = 60_000  # ms for which a note holds when nobody makes it anew


class _OfMachine(msgspec.Struct, frozen=True):
    """A note for one boot of this machine; ``at`` is in ms since its start."""

    boot: str
    time: int
    at: int


class SharedClock:
    """A worker's steady clock, kept with those of all other workers of the store."""

    def __init__(self, store: Store, steady: SteadyClock, place: Path | None) -> None:
        self._store = store
        self._steady = steady
        # Without a name for the boot nobody could tell an old note from one of today.
        self._boot = boot_id()
        self._place = place if self._boot else None
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Take up the time, before anything is stamped with it. Raises StoreUnavailable."""
        noted, at = await self._store.clock()
        of_machine = self._of_machine()
        elapsed = self._steady.elapsed()
        self._steady.set(_held(of_machine, elapsed) or _begun(noted, at))
        ahead = self._steady.ahead()
        if abs(ahead) > APART:
            log.warning("the service's time is not the system's", ahead=ahead)
        await self.beat()
        self._task = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        """Leave the notes as they are."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def beat(self) -> None:
        """Compare with what the others noted, and note what needs to be. Raises StoreError.

        The store's clock may have jumped, so only the noted time itself says that others are ahead:
        this machine stood still, or two services began apart. Time never goes back.
        """
        noted, at = await self._store.clock()
        now = self._steady()
        if noted is not None and noted.time > now + APART:
            log.warning("this worker's clock was behind the others'", by=noted.time - now)
            self._steady.set(noted.time)
            now = noted.time
        if not _still_says(noted, at, now):
            await self._store.note_time(now)
        self._note_for_machine(now)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(BEAT_EVERY)
            with contextlib.suppress(StoreError):
                await self.beat()

    def _of_machine(self) -> Noted | None:
        if self._place is None:
            return None
        try:
            note = msgspec.json.decode(self._place.read_bytes(), type=_OfMachine)
        except (OSError, msgspec.MsgspecError):
            return None
        return Noted(note.time, note.at) if note.boot == self._boot else None

    def _note_for_machine(self, now: int) -> None:
        elapsed = self._steady.elapsed()
        if self._place is None or _still_says(self._of_machine(), elapsed, now):
            return
        draft = self._place.with_name(f"clock.{os.getpid()}.new")
        with contextlib.suppress(OSError):
            draft.write_bytes(msgspec.json.encode(_OfMachine(self._boot, now, elapsed)))
            draft.replace(self._place)


def _held(noted: Noted | None, at: int) -> int | None:
    """Say what time it is by a note, as long as it holds."""
    if noted is None or not 0 <= at - noted.at <= LONGEST:
        return None
    return noted.time + at - noted.at


def _begun(noted: Noted | None, at: int) -> int:
    """Say what time to begin with, by the store's note and its server's clock."""
    if noted is None:
        return at
    # Where the note holds no longer the clock went back, or nobody was there for a while.
    return _held(noted, at) or max(noted.time, at)


def _still_says(noted: Noted | None, at: int, now: int) -> bool:
    """Whether a note still says what time it is, and will do so for a while."""
    if noted is None or not 0 <= at - noted.at <= FRESH:
        return False
    return abs(noted.time + at - noted.at - now) <= APART
