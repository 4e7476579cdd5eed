"""A proxy between service and store that understands commands and meddles with them.

It reads requests and replies just far enough to know where each begins and ends, so that a fate can
be given to one command: carried out and its answer lost, never carried out, held up, or refused in
the server's place. It runs on a thread of its own, for tests that talk to a service in another
process.
"""

import asyncio
import contextlib
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

Words = list[bytes]

CONFLICT = b"*2\r\n:3\r\n"
"""How the server-side function begins to say so; see `append.lua`."""


@dataclass(frozen=True)
class Lose:
    """Carry it out, then cut the connection in place of the answer.

    That an append was not carried out, because the game had moved on, is let through.
    """


@dataclass(frozen=True)
class Drop:
    """Cut the connection; the server never hears of it."""


@dataclass(frozen=True)
class Delay:
    """Answer later, by so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Refuse:
    """Answer with an error in the server's place."""

    error: str


Fate = Lose | Drop | Delay | Refuse | None
Fates = Callable[[Words], Fate]


def passing(_: Words) -> Fate:
    return None


class Meddler:
    """The proxy. ``fates`` may be changed at any time; so may ``refusing`` (of connections)."""

    def __init__(self, server: Path) -> None:
        self.fates: Fates = passing
        self.refusing = False
        self.met: Counter[str] = Counter()
        self._server = server
        self._folder = Path(tempfile.mkdtemp(prefix="potluck-meddler-"))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"unix://{self._folder}/s"

    def __enter__(self) -> Self:
        self._thread.start()
        self._listener = self._do(asyncio.start_unix_server(self._serve, self._folder / "s"))
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut_all()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        shutil.rmtree(self._folder, ignore_errors=True)

    def cut_all(self) -> None:
        """Cut every connection there is."""

        async def cut() -> None:
            tasks = list(self._connections)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self._do(cut())

    def next_appends(self, *fates: Fate) -> None:
        """Give fates to the next appends, one each; what comes after them passes."""
        waiting = list(fates)

        def fate(words: Words) -> Fate:
            return waiting.pop(0) if waiting and words[0] == b"FCALL" else None

        self.fates = fate

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        try:
            if self.refusing:
                return
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                far, forth = await asyncio.open_unix_connection(self._server)
                try:
                    await _Connection(self, near, back, far, forth).run()
                finally:
                    forth.close()
        except asyncio.CancelledError:
            pass
        finally:
            self._connections.discard(task)
            back.close()


class _Connection:
    """One connection: commands go there in order, each answer meets its command's fate."""

    def __init__(
        self,
        meddler: Meddler,
        near: asyncio.StreamReader,
        back: asyncio.StreamWriter,
        far: asyncio.StreamReader,
        forth: asyncio.StreamWriter,
    ) -> None:
        self._meddler = meddler
        self._near, self._back, self._far, self._forth = near, back, far, forth
        self._fates: asyncio.Queue[Fate] = asyncio.Queue()
        self._listening = False

    async def run(self) -> None:
        ways = [asyncio.create_task(self._there()), asyncio.create_task(self._back_again())]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in done:
                way.result()
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _there(self) -> None:
        while True:
            raw, words = await read_command(self._near)
            words[0] = words[0].upper()
            self._listening = self._listening or words[0] == b"SSUBSCRIBE"
            fate = self._meddler.fates(words)
            if fate is not None:
                self._meddler.met[type(fate).__name__] += 1
            if isinstance(fate, Drop):
                return
            if not isinstance(fate, Refuse):
                self._forth.write(raw)
                await self._forth.drain()
            self._fates.put_nowait(fate)

    async def _back_again(self) -> None:
        while True:
            if self._listening:
                # What is published comes unasked.
                self._back.write(await read_reply(self._far))
                continue
            fate = await self._fates.get()
            if isinstance(fate, Refuse):
                self._back.write(b"-" + fate.error.encode() + b"\r\n")
                continue
            reply = await read_reply(self._far)
            if isinstance(fate, Lose) and not reply.startswith(CONFLICT):
                return
            if isinstance(fate, Delay):
                await asyncio.sleep(fate.seconds)
            self._back.write(reply)


async def read_command(reader: asyncio.StreamReader) -> tuple[bytes, Words]:
    """Read one request: its bytes as they came, and its words."""
    raw = [await reader.readuntil(b"\r\n")]
    words = []
    for _ in range(int(raw[0][1:])):
        head = await reader.readuntil(b"\r\n")
        word = await reader.readexactly(int(head[1:]) + 2)
        words.append(word[:-2])
        raw += (head, word)
    return b"".join(raw), words


async def read_reply(reader: asyncio.StreamReader) -> bytes:
    """Read one reply of the protocol's version 2."""
    head = await reader.readuntil(b"\r\n")
    kind, rest = head[:1], head[1:-2]
    if kind == b"$" and rest != b"-1":
        return head + await reader.readexactly(int(rest) + 2)
    if kind == b"*":
        return head + b"".join([await read_reply(reader) for _ in range(max(0, int(rest)))])
    return head
