import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from service.store.store import Store
from tests.service.store.servers import (
    Server,
    chosen_binary,
    start_binary,
    start_embedded,
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests that leave it as it is."""
    given = os.environ.get("POTLUCK_TEST_REDIS_URL")
    if given:
        yield given
    elif os.environ.get("POTLUCK_STORE_SERVER", "valkey") == "valkey":
        embedded = start_embedded(tmp_path_factory.mktemp("embedded"))
        yield embedded.url
        embedded.stop()
    else:
        server = start_binary(chosen_binary(), tmp_path_factory.mktemp("server"))
        yield server.url
        server.stop()


@pytest.fixture
async def raw(shared_url: str) -> AsyncIterator[Redis]:
    """The server beneath the store, emptied."""
    client = Redis.from_url(shared_url, protocol=2)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture
async def store(raw: Redis, shared_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(shared_url)
    yield opened
    await opened.close()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Server]:
    """A server of a test's own, to be stopped, filled up or killed.

    It writes and flushes before it answers: with `everysec` even a killed process can lose what it
    acknowledged, because writing is put off for up to two seconds while the disk is slow.
    """
    folder = tmp_path / "server"
    folder.mkdir()
    server = start_binary(chosen_binary(), folder, appendfsync="always")
    yield server
    server.stop()
