"""Hearing what the store publishes: one connection per server, however many listen.

Channels are sharded, so that on a cluster each is heard from the server that holds its partition.
A connection that falls silent or breaks is made anew; what was published meanwhile is lost, so
whoever listens must look for themselves each time it is up again.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import structlog
from redis.exceptions import RedisClusterException, RedisError

from service.store.errors import Reason, translate

__all__ = ["Connect", "Heard", "Subscription"]

Connect = Callable[[Sequence[str]], Awaitable[Mapping[Any, Sequence[str]]]]
"""Gives a new connection to each server and which of the channels it has."""

Heard = Callable[[bytes, bytes], None]
"""Is told of a channel and what was published there. It must not block."""

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0
_PING_EVERY: Final = 2.0
_SILENT_AFTER: Final = 5.0
"""Seconds without any word after which a connection counts as dead; pings make for words."""

_ERRORS: Final = (RedisError, RedisClusterException, OSError)

_log = structlog.get_logger(__name__)


class _Moved(RedisError):
    """A channel is no longer served where it was: its partition moved to another server."""


class Subscription:
    """Listens on sharded channels for as long as `run` runs.

    `up` says whether every channel is being listened to; `on_up` is called each time that becomes
    true, and whatever was published before is not heard.
    """

    def __init__(
        self, connect: Connect, channels: Sequence[str], heard: Heard, on_up: Callable[[], None]
    ) -> None:
        self._connect = connect
        self._channels = tuple(channels)
        self._heard = heard
        self._on_up = on_up
        self._missing: set[bytes] = set()
        self._said: dict[Any, float] = {}
        self.up = False
        self.reason: Reason = "down"
        """Why it is not up, as the store's errors say it."""

    async def run(self) -> None:
        """Listen until cancelled; connect again after every error, with growing pauses."""
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._listen()
            except _ERRORS as error:
                self.reason = translate(error).reason
                if self.up:
                    pause = _FIRST_PAUSE
                    _log.warning("the live reader lost the store", error=str(error))
            self.up = False
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _listen(self) -> None:
        self._missing = {channel.encode() for channel in self._channels}
        connections = await self._connect(self._channels)
        tasks: list[asyncio.Task[None]] = []
        try:
            for connection, channels in connections.items():
                tasks.append(asyncio.create_task(self._read(connection, channels)))
                tasks.append(asyncio.create_task(self._keep_awake(connection)))
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._said.clear()
            for connection in connections:
                with contextlib.suppress(*_ERRORS):
                    await connection.disconnect(nowait=True)

    async def _read(self, connection: Any, channels: Sequence[str]) -> None:
        await connection.connect()
        clock = asyncio.get_running_loop().time
        self._said[connection] = clock()
        # One command a channel: those of one command would have to lie in one slot.
        commands = [("SSUBSCRIBE", channel) for channel in channels]
        await connection.send_packed_command(connection.pack_commands(commands))
        while True:
            reply = await connection.read_response(disable_decoding=True, timeout=math.inf)
            self._said[connection] = clock()
            kind = reply[0]
            if kind == b"smessage":
                self._heard(reply[1], reply[2])
            elif kind == b"ssubscribe":
                self._missing.discard(reply[1])
                if not self._missing and not self.up:
                    self.up = True
                    self._on_up()
            elif kind == b"sunsubscribe":
                raise _Moved(f"channel {reply[1].decode()} is no longer here")

    async def _keep_awake(self, connection: Any) -> None:
        """Ask for a word now and then, and give a connection up that stays silent."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        while True:
            await asyncio.sleep(_PING_EVERY)
            if clock() - self._said.get(connection, begun) > _SILENT_AFTER:
                raise TimeoutError("the store is silent")
            if connection in self._said:
                await connection.send_command("PING", check_health=False)
