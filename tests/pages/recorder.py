"""A way from a browser to the service that keeps all it lets through, and can be cut."""

import asyncio
import contextlib
import threading
from typing import Self


class Recorder:
    """Passes bytes both ways; ``received`` is all that the browser was sent.

    ``streams`` has the same bytes connection by connection.
    """

    def __init__(self, port: int) -> None:
        self._far = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._ways: set[asyncio.Task[None]] = set()
        self._open = True
        self._received: list[bytes] = []
        self.streams: list[bytearray] = []

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._listener = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.port: int = self._listener.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._listener.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def received(self) -> bytes:
        return b"".join(self._received)

    def cut(self) -> None:
        """End all connections, and every new one at once."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result(10)

    def mend(self) -> None:
        """Let new connections through again."""
        self._open = True

    async def _cut(self) -> None:
        self._open = False
        ways = list(self._ways)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)

    async def _serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._ways.add(task)
        try:
            if self._open:
                await self._pass(near, back)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._ways.discard(task)
            back.transport.abort()

    async def _pass(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, forth = await asyncio.open_connection("127.0.0.1", self._far)
        stream = bytearray()
        self.streams.append(stream)

        async def there() -> None:
            while data := await near.read(65536):
                forth.write(data)
                await forth.drain()

        async def back_again() -> None:
            while data := await far.read(65536):
                self._received.append(data)
                stream.extend(data)
                back.write(data)
                await back.drain()

        ways = [asyncio.create_task(there()), asyncio.create_task(back_again())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            with contextlib.suppress(OSError):
                forth.transport.abort()
