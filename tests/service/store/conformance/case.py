"""What a rule gets to work with: a store that it opens, and the servers beneath it."""

import contextlib
import hashlib
import os
from collections.abc import AsyncIterator
from typing import Any, Self

from redis.asyncio import Redis, RedisCluster

from service.store.client import Settings
from service.store.keys import Keys
from service.store.store import DEFAULT_PARTITIONS, Store
from service.store.types import Append, Entry

Dump = dict[bytes, bytes]
CLUSTER = "redis+cluster://"


class Case:
    """One rule's turn on an empty server or cluster.

    ``kind`` is the store under test, the real one or a wrong one.
    """

    def __init__(self, url: str, kind: type[Store] = Store) -> None:
        self.url = url
        self.kind = kind
        self.on_cluster = url.startswith(CLUSTER)
        self.keys = Keys(DEFAULT_PARTITIONS)
        self._opened: list[Store] = []

    async def __aenter__(self) -> Self:
        plain = self.url.replace(CLUSTER, "redis://")
        if self.on_cluster:
            self.raw: Any = RedisCluster.from_url(plain, protocol=2)
            await self.raw.initialize()
            self.servers = [
                Redis(host=node.host, port=node.port, protocol=2)
                for node in self.raw.get_primaries()
            ]
        else:
            self.raw = Redis.from_url(plain, protocol=2)
            self.servers = [self.raw]
        for server in self.servers:
            await server.flushdb()
        return self

    async def __aexit__(self, *_: object) -> None:
        for store in self._opened:
            await store.close()
        for client in {id(client): client for client in (*self.servers, self.raw)}.values():
            await client.aclose()

    async def open(self, **more: Any) -> Store:
        """Open the store under test."""
        partitions = more.pop("partitions", DEFAULT_PARTITIONS)
        store = await self.kind.open(Settings(url=self.url, **more), partitions=partitions)
        self._opened.append(store)
        return store

    async def everything(self) -> Dump:
        """All that stands on the servers, byte for byte."""
        found: Dump = {}
        for server in self.servers:
            for key in sorted(await server.keys()):
                found[key] = await server.dump(key)
        return found

    async def everywhere(self, *words: Any) -> list[Any]:
        """Send a command to every server."""
        return [await server.execute_command(*words) for server in self.servers]

    def tag(self, game: str) -> str:
        return self.keys.tags[self.keys.partition(game)]

    def key(self, game: str, kind: str) -> str:
        return f"{self.tag(game)}:game:{game}:{kind}"

    def neighbour(self, game: str) -> str:
        """A new game in the same partition."""
        while True:
            other = new_game()
            if self.tag(other) == self.tag(game):
                return other

    @contextlib.asynccontextmanager
    async def server_of(self, game: str) -> AsyncIterator[Redis]:
        """A connection to the server that holds a game."""
        if not self.on_cluster:
            yield self.raw
            return
        node = self.raw.get_node_from_key(self.tag(game))
        client = Redis(host=node.host, port=node.port, protocol=2)
        try:
            yield client
        finally:
            await client.aclose()


def new_game() -> str:
    return f"g-{os.urandom(8).hex()}"


def new_key() -> bytes:
    return os.urandom(12) + b"\0\n:%"


def digest(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()[:8]


def entries(expected: int, count: int = 1) -> tuple[Entry, ...]:
    """Entries that are like no others."""
    return tuple(
        Entry(version, os.urandom(24), os.urandom(32))
        for version in range(expected + 1, expected + count + 1)
    )


def append(game: str, expected: int = 0, count: int = 1, **more: Any) -> Append:
    more = {"digest": digest("a"), "created": 1_000, "entries": entries(expected, count), **more}
    return Append(game=game, expected=expected, **more)
