import asyncio
import multiprocessing
from pathlib import Path

import pytest
from redis.asyncio import Redis

from service.store.errors import StoreMismatch, StoreUnavailable
from service.store.keys import META, Keys
from service.store.store import Store
from tests.service.store.make import append, new_game
from tests.service.store.servers import Server

pytestmark = pytest.mark.anyio


async def test_what_is_fixed_at_creation_is_checked(raw: Redis, shared_url: str) -> None:
    first = await Store.open(shared_url, partitions=8)
    again = await Store.open(shared_url, partitions=8)
    assert await first.secret() == await again.secret()
    assert len(await first.secret()) == 32
    with pytest.raises(StoreMismatch, match="8 partitions and is opened with 64"):
        await Store.open(shared_url)
    for store in (first, again):
        await store.close()


@pytest.mark.parametrize(
    "found",
    [
        b"",
        b"{}",
        b'{"format":2,"partitions":64,"secret":"00"}',
        b'{"format":1,"partitions":"64","secret":"00"}',
        b'{"format":1,"partitions":64,"secret":"00","more":1}',
        b'{"format":1,"partitions":64,"secret":"00"}',
        b'{"format":1,"partitions":64,"secret":"zz"}',
    ],
)
async def test_another_make_of_store_is_refused(raw: Redis, shared_url: str, found: bytes) -> None:
    await raw.set(META, found)
    with pytest.raises(StoreMismatch):
        await Store.open(shared_url)
    assert await raw.get(META) == found


async def test_a_foreign_key_in_the_stores_place_is_refused(raw: Redis, shared_url: str) -> None:
    await raw.lpush(META, "x")  # type: ignore[misc]
    with pytest.raises(StoreMismatch):
        await Store.open(shared_url)


@pytest.mark.parametrize("partitions", [0, 1000])
async def test_a_store_has_a_sane_number_of_partitions(
    raw: Redis, shared_url: str, partitions: int
) -> None:
    with pytest.raises(ValueError):
        await Store.open(shared_url, partitions=partitions)


async def test_many_opens_of_a_new_store_agree(raw: Redis, shared_url: str) -> None:
    stores = await asyncio.gather(*(Store.open(shared_url) for _ in range(12)))
    assert len({await store.secret() for store in stores}) == 1
    game = new_game()
    for version, store in enumerate(stores):
        await store.append(append(game, version))
        await store.close()


def _open_in_a_process(url: str, partitions: int) -> str:
    async def attempt() -> str:
        store = await Store.open(url, partitions=partitions)
        secret = await store.secret()
        await store.close()
        return secret.hex()

    try:
        return asyncio.run(attempt())
    except StoreMismatch:
        return "refused"


async def test_two_processes_open_a_new_store(raw: Redis, shared_url: str) -> None:
    """With the same number of partitions both get it; with different numbers, one."""
    spawning = multiprocessing.get_context("spawn")

    def both(*partitions: int) -> list[str]:
        with spawning.Pool(2) as pool:
            return pool.starmap(_open_in_a_process, [(shared_url, n) for n in partitions], 1)

    alike = await asyncio.to_thread(both, 64, 64)
    assert len(set(alike)) == 1
    assert alike != ["refused", "refused"]
    await raw.flushdb()
    different = await asyncio.to_thread(both, 64, 32)
    assert different.count("refused") == 1


async def test_opening_a_store_that_is_down_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        await Store.open(f"unix://{tmp_path}/nobody")
    assert caught.value.reason == "down"
    with pytest.raises(StoreUnavailable):
        await Store.open("redis://127.0.0.1:1")


def test_partitions_are_spread_by_the_hash_of_the_id() -> None:
    keys = Keys(64)
    assert [keys.partition(name) for name in ("g-1", "g-2", "a")] == [9, 11, 18]
    assert keys.tags[9] == "{p009}"
    counts = [0] * 64
    for number in range(6400):
        counts[keys.partition(f"game-{number}")] += 1
    assert min(counts) > 60
    assert max(counts) < 150


async def test_the_servers_settings_are_looked_at(redis_server: Server) -> None:
    raw = Redis.from_url(redis_server.url)
    store = await Store.open(redis_server.url)
    assert {(f.severity, f.setting) for f in await store.settings()} == {
        ("note", "aof-load-truncated")
    }
    await raw.config_set("appendfsync", "everysec")
    assert {(f.severity, f.setting) for f in await store.settings()} == {
        ("note", "appendfsync"),
        ("note", "aof-load-truncated"),
    }
    await raw.config_set("maxmemory-policy", "allkeys-lru")
    await raw.config_set("appendfsync", "no")
    found = {f.setting: f for f in await store.settings()}
    assert found["maxmemory-policy"].severity == "danger"
    assert found["maxmemory-policy"].found == "allkeys-lru"
    assert found["maxmemory-policy"].wanted == "noeviction"
    assert found["appendfsync"].severity == "warning"
    await raw.config_set("appendonly", "no")
    found = {f.setting: f for f in await store.settings()}
    assert found["appendonly"].severity == "danger"
    assert "appendfsync" not in found
    await raw.aclose()
    await store.close()


async def test_a_server_that_does_not_tell_its_settings(
    store: Store, raw: Redis, shared_url: str
) -> None:
    await raw.execute_command(
        "ACL", "SETUSER", "mute", "on", ">word", "~*", "&*", "+@all", "-config"
    )
    plain = Redis.from_url(shared_url)
    options = plain.connection_pool.connection_kwargs
    where = (
        f"unix://mute:word@{options['path']}"
        if "path" in options
        else (f"redis://mute:word@{options['host']}:{options['port']}")
    )
    try:
        mute = await Store.open(where)
        assert {f.severity for f in await mute.settings()} == {"unknown"}
        assert len(await mute.settings()) == 4
        await mute.close()
    finally:
        await raw.execute_command("ACL", "DELUSER", "mute")
        await plain.aclose()
