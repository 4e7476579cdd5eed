"""A way to a server that can lose answers."""

import asyncio
import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Self


class Proxy:
    """Passes bytes both ways; on demand it drops a connection in place of an answer to an append.

    The request has then reached the server and been carried out.
    """

    def __init__(self, server: Path) -> None:
        self._server = server
        self._folder = Path(tempfile.mkdtemp(prefix="potluck-proxy-"))
        self._losing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.lost = 0
        self.url = f"unix://{self._folder}/s"

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_unix_server(self._serve, self._folder / "s")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def lose_next_answer(self) -> None:
        """Lose the answer to the next append."""
        self._losing = True

    async def _serve(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            far, forth = await asyncio.open_unix_connection(self._server)
        except OSError:
            back.close()
            return
        appending = False

        async def there() -> None:
            nonlocal appending
            while data := await near.read(65536):
                appending = appending or b"FCALL" in data
                forth.write(data)

        async def back_again() -> None:
            nonlocal appending
            while data := await far.read(65536):
                if appending and self._losing:
                    self._losing = False
                    self.lost += 1
                    return
                appending = False
                back.write(data)

        ways = [asyncio.create_task(there()), asyncio.create_task(back_again())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for writer in (back, forth):
                with contextlib.suppress(OSError):
                    writer.close()
            self._tasks.discard(task)
