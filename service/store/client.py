"""The one place that knows redis-py: connections to a server or a cluster, and batches of commands.

Everything here speaks RESP2 and takes replies as the server sends them, so that the store reads the
same shapes whichever server it is and whatever the driver's defaults become.
"""

import asyncio
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final, cast

import hiredis
import msgspec
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff
from redis.exceptions import ConnectionError as DriverConnectionError
from redis.exceptions import RedisClusterException, RedisError

from service.store.errors import translate

__all__ = ["Client", "Command", "Settings", "check_url"]

Command = tuple[bytes | str | int, ...]
"""A command and its arguments."""

# Commands whose replies redis-py would turn into something else.
_UNTOUCHED: Final = (
    "CONFIG GET",
    "EVAL",
    "GET",
    "GETRANGE",
    "HGET",
    "HGETALL",
    "SET",
    "XRANGE",
    "ZCARD",
    "ZRANGE",
    "ZRANGEBYSCORE",
    "ZREVRANGEBYSCORE",
)

# Half a minute until a connection to a server that vanished counts as lost.
_KEEPALIVE: Final = {
    getattr(socket, name): value
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}

_CLUSTER_SCHEMES: Final = {"redis+cluster://": "redis://", "rediss+cluster://": "rediss://"}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach the server and how patient to be with it.

    Fields:
        url: `redis://`, `rediss://` or `unix://` for one server; `redis+cluster://` or
            `rediss+cluster://` for a cluster.
        cluster: treat a plain URL as a cluster's.
        timeout: seconds to wait for a reply. An append that meets it is ambiguous until repeated.
        connect_timeout: seconds to wait for a connection.
        retries: how often a lost connection is tried again within one call, with a jittered pause
            of up to `retry_cap` seconds each. A timeout is not tried again: the caller has
            waited long enough.
        retry_cap: see `retries`.
        writers: how many batches of appends may be under way at once, each on a connection.
        readers: the same for everything that only reads.
        batch: the most calls sent as one batch.
        feed_length: how many pointers each partition's feed keeps, about (the server trims whole
            nodes, so a few hundred more may stand there).
    """

    url: str
    cluster: bool = False
    timeout: float = 5.0
    connect_timeout: float = 2.0
    retries: int = 2
    retry_cap: float = 0.25
    writers: int = 4
    readers: int = 4
    batch: int = 128
    feed_length: int = 10_000


def check_url(url: str) -> None:
    """Raise `ValueError` for a URL that can lead to no server, whichever servers there are."""
    _connect(Settings(url=url))


class Client:
    """Connections to a server or a cluster. Every error that leaves it is the store's own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._driver = _connect(settings)
        self._writes = Batches(self._send, settings.writers, settings.batch)
        self._reads = Batches(self._send, settings.readers, settings.batch)
        self._looked_up = False

    async def write(self, command: Command) -> Any:
        """Send one writing command; give its reply, or the driver's error for it, unraised."""
        return (await self._writes.call((command,)))[0]

    async def read(self, *commands: Command) -> list[Any]:
        """Send commands that only read; give their replies, or the driver's errors, unraised.

        Those that lie in one slot are carried out in this order.
        """
        return await self._reads.call(commands)

    async def run(self, name: str, *arguments: bytes | str | int) -> Any:
        """Send one command outside the batches, on a cluster to every primary if it is that kind.

        Raises `StoreUnavailable` for every error.
        """
        try:
            return await self._driver.execute_command(name, *arguments)
        except (RedisError, RedisClusterException, OSError) as error:
            raise translate(error) from error

    async def run_everywhere(self, name: str, *arguments: str) -> list[Any]:
        """Send one command to the server, or to each primary of a cluster; give their replies.

        Raises `StoreUnavailable` for every error.
        """
        if isinstance(self._driver, Redis):
            return [await self.run(name, *arguments)]
        try:
            replies = await self._driver.execute_command(
                name, *arguments, target_nodes=RedisCluster.PRIMARIES
            )
        except (RedisError, RedisClusterException, OSError) as error:
            raise translate(error) from error
        # From a single primary the driver gives the bare reply.
        return list(replies.values()) if isinstance(replies, dict) else [replies]

    async def scan(self, pattern: str, kind: str) -> AsyncIterator[bytes]:
        """Give every key of this type and pattern, some perhaps twice."""
        try:
            async for key in self._driver.scan_iter(match=pattern, count=1000, _type=kind):
                yield key
        except (RedisError, RedisClusterException, OSError) as error:
            raise translate(error) from error

    async def listeners(self, channels: Sequence[str]) -> dict[Any, list[str]]:
        """Give a new connection to each server, and which of some sharded channels it has.

        They stand beside the pools, are not connected yet, and are the caller's to close.
        """
        driver = self._driver
        if isinstance(driver, Redis):
            pool: Any = driver.connection_pool
            return {pool.make_connection(): list(channels)}
        if self._looked_up:
            await driver.nodes_manager.initialize()
        await driver.initialize()
        self._looked_up = True
        by_node: dict[Any, list[str]] = {}
        for channel in channels:
            by_node.setdefault(driver.get_node_from_key(channel), []).append(channel)
        return {
            node.connection_class(**node.connection_kwargs): names
            for node, names in by_node.items()
        }

    async def forget_connections(self) -> None:
        """Drop resting connections, so that the next call looks the server's address up again.

        After a failover behind a name, old connections still lead to the former primary.
        """
        if isinstance(self._driver, Redis):
            await self._driver.connection_pool.disconnect(inuse_connections=False)

    async def close(self) -> None:
        """Wait for what is under way, then close the connections."""
        await self._writes.drain()
        await self._reads.drain()
        await self._driver.aclose()

    async def _send(self, commands: Sequence[Command]) -> list[Any]:
        pipeline = self._driver.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        return await pipeline.execute(raise_on_error=False)


class _Call:
    __slots__ = ("commands", "reply")

    def __init__(self, commands: Sequence[Command], reply: asyncio.Future[list[Any]]) -> None:
        self.commands = commands
        self.reply = reply


class Batches:
    """Sends the calls of one event-loop turn together.

    Whoever awaits a call waits for a future of their own: if they are cancelled the batch goes on,
    and an error of one command is that command's reply. Only a lost connection fails a whole batch.
    While `most_under_way` batches are out, calls gather for the next.
    """

    def __init__(
        self,
        send: Callable[[Sequence[Command]], Awaitable[list[Any]]],
        most_under_way: int,
        most_calls: int,
    ) -> None:
        self._send = send
        self._most_under_way = most_under_way
        self._most_calls = most_calls
        self._waiting: deque[_Call] = deque()
        self._under_way: set[asyncio.Task[None]] = set()
        self._woken = False

    async def call(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands with the next batch and give their replies."""
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[list[Any]] = loop.create_future()
        self._waiting.append(_Call(commands, reply))
        if not self._woken:
            self._woken = True
            loop.call_soon(self._wake)
        return await reply

    async def drain(self) -> None:
        """Wait until nothing waits and nothing is under way."""
        while self._waiting or self._under_way:
            self._wake()
            await asyncio.wait(tuple(self._under_way))

    def _wake(self) -> None:
        self._woken = False
        while self._waiting and len(self._under_way) < self._most_under_way:
            size = min(len(self._waiting), self._most_calls)
            calls = [self._waiting.popleft() for _ in range(size)]
            task = asyncio.create_task(self._run(calls))
            self._under_way.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if self._waiting and not self._woken:
            self._wake()

    async def _run(self, calls: list[_Call]) -> None:
        try:
            replies = await self._send([command for call in calls for command in call.commands])
        except asyncio.CancelledError:
            for call in calls:
                call.reply.cancel()
            raise
        except Exception as error:
            # Each caller gets an error of its own: a raised exception gathers the traceback of
            # whoever raises it.
            for call in calls:
                if not call.reply.done():
                    unavailable = translate(error)
                    unavailable.__cause__ = error
                    call.reply.set_exception(unavailable)
            return
        at = 0
        for call in calls:
            end = at + len(call.commands)
            if not call.reply.done():
                call.reply.set_result(replies[at:end])
            at = end


class _Retry(Retry):
    """Tries a lost connection again, but not one on which there was no answer in time.

    The driver wraps a timeout while connecting into a connection error.
    """

    async def call_with_retry(
        self,
        do: Callable[[], Awaitable[Any]],
        fail: Callable[..., Any],
        is_retryable: Callable[[Exception], bool] | None = None,
        with_failure_count: bool = False,
    ) -> Any:
        def is_worth_it(error: Exception) -> bool:
            if translate(error).reason == "timeout":
                return False
            return is_retryable is None or is_retryable(error)

        return await super().call_with_retry(do, fail, is_worth_it, with_failure_count)


def _connect(settings: Settings) -> Redis | RedisCluster:
    url, cluster = settings.url, settings.cluster
    for scheme, plain in _CLUSTER_SCHEMES.items():
        if url.startswith(scheme):
            url, cluster = plain + url.removeprefix(scheme), True
    retry = _Retry(
        ExponentialWithJitterBackoff(cap=settings.retry_cap, base=0.02),
        settings.retries,
        supported_errors=(DriverConnectionError,),
    )
    shared: dict[str, Any] = {
        "socket_timeout": settings.timeout,
        "socket_connect_timeout": settings.connect_timeout,
        "socket_keepalive": True,
        "retry": retry,
        "protocol": 2,
        "decode_responses": False,
        # The driver's own check of rested connections calls itself without end when a server takes
        # connections and closes them at once. The system looks whether the other side still lives.
        "health_check_interval": 0,
        "socket_keepalive_options": _KEEPALIVE,
        # Room for the batches, and a few for single commands beside them.
        "max_connections": settings.writers + settings.readers + 8,
    }
    driver: Any
    if cluster:
        driver = RedisCluster.from_url(url, **shared)
    else:
        if url.startswith("unix://"):
            del shared["socket_keepalive"], shared["socket_keepalive_options"]
        driver = Redis.from_url(url, **shared)
        pool = driver.connection_pool
        pool.connection_class = _packing(pool.connection_class)
    for command in _UNTOUCHED:
        driver.set_response_callback(command, _as_sent)
    return cast("Redis | RedisCluster", driver)


def _packing(connection: type) -> type:
    """Let hiredis spell commands out; the driver's asyncio connections do it in Python, slower."""

    def pack_command(_: object, *words: Any) -> list[bytes]:
        name, *arguments = words
        # A name of two words goes out as two.
        first = name.split() if isinstance(name, bytes) else name.encode().split()
        return [hiredis.pack_command((*first, *arguments))]

    return type(f"Packing{connection.__name__}", (connection,), {"pack_command": pack_command})


def _as_sent(reply: Any, **_: Any) -> Any:
    return reply
