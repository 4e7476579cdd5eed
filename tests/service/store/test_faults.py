"""What happens when the server fails, and that it passes by itself."""

import asyncio
import inspect
import os
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from redis import exceptions as driver
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection

from service.store.client import Settings
from service.store.errors import StoreUnavailable, translate
from service.store.store import Store
from service.store.types import Appended, Conflict, Repeated
from tests.service.store.make import append, new_game, new_key
from tests.service.store.proxy import Proxy
from tests.service.store.servers import Server, chosen_binary, free_port, start_binary

pytestmark = pytest.mark.anyio


@pytest.fixture
async def own(redis_server: Server) -> AsyncIterator[Store]:
    """A store on a server of the test's own, impatient."""
    store = await Store.open(Settings(url=redis_server.url, timeout=0.3, connect_timeout=0.3))
    yield store
    await store.close()


@pytest.fixture
async def own_raw(redis_server: Server) -> AsyncIterator[Redis]:
    client = Redis.from_url(redis_server.url, protocol=2)
    yield client
    await client.aclose()


async def reason_of(attempt) -> str:
    with pytest.raises(StoreUnavailable) as caught:
        await attempt
    assert caught.value.retry_after > 0
    return caught.value.reason


def every_call(store: Store, game: str) -> list:
    return [
        store.append(append(game, 1)),
        store.append(append(game, 1, key=new_key())),
        store.read(game),
        store.settle(game, new_key(), 0),
        store.lookup(game, new_key()),
        store.put_player("ann", b"", bytes(32)),
        store.player("ann"),
        store.player_by_token(bytes(32)),
        store.games("open", limit=3),
        store.games_of("ann", limit=3),
        store.count("open"),
        store.due(5, 5),
        store.ping(),
        anext(store.game_ids()),
    ]


async def test_a_store_that_went_down_comes_back(own: Store, redis_server: Server) -> None:
    game = new_game()
    await own.append(append(game))
    redis_server.kill()
    for call in every_call(own, game):
        assert await reason_of(call) == "down"
    assert {finding.severity for finding in await own.settings()} == {"unknown"}
    redis_server.start()
    await own.ping()
    assert len(await own.read(game)) == 1
    assert await own.append(append(game, 1, key=new_key())) == Appended(2, 2)
    assert [found async for found in own.game_ids()] == [game]


async def test_a_server_that_hangs_is_not_waited_for(own: Store, redis_server: Server) -> None:
    game = new_game()
    await own.append(append(game))
    redis_server.pause()
    ambiguous = append(game, 1)
    calls = [own.append(ambiguous), *every_call(own, game)]
    reasons = await asyncio.gather(*(reason_of(call) for call in calls))
    assert set(reasons) == {"timeout"}
    redis_server.resume()
    # The server may well have carried it out after all; the same call tells.
    assert await own.append(ambiguous) in (Appended(2, 2), Conflict(2))
    assert len(await own.read(game)) == 2


async def test_a_full_server_takes_nothing_and_still_gives(own: Store, own_raw: Redis) -> None:
    game, key = new_game(), new_key()
    await own.append(append(game, key=key))
    await own_raw.config_set("maxmemory", "1")
    assert await reason_of(own.append(append(game, 1, 3))) == "full"
    assert await reason_of(own.put_player("ann", b"", bytes(32))) == "full"
    assert len(await own.read(game)) == 1
    recorded, _ = await own.settle(game, key, 0)
    assert recorded
    again = await Store.open(own_raw_url(own_raw))
    assert len(await again.read(game)) == 1
    await again.close()
    await own_raw.config_set("maxmemory", "0")
    assert await own.append(append(game, 1, 3)) == Appended(2, 4)


def own_raw_url(client: Redis) -> str:
    return f"unix://{client.connection_pool.connection_kwargs['path']}"


async def test_a_replica_takes_nothing_until_it_is_promoted(
    redis_server: Server, tmp_path: Path
) -> None:
    port = free_port()
    folder = tmp_path / "primary"
    folder.mkdir()
    primary = start_binary(chosen_binary(), folder, port=port, repl_diskless_sync_delay="0")
    source = await Store.open(primary.url)
    game = new_game()
    await source.append(append(game))
    replica = Redis.from_url(redis_server.url, protocol=2)
    await replica.replicaof("127.0.0.1", str(port))
    while (await replica.info("replication"))["master_link_status"] != "up":
        await asyncio.sleep(0.02)
    store = await Store.open(redis_server.url)
    assert len(await store.read(game)) == 1
    assert await reason_of(store.append(append(game, 1))) == "read-only"
    assert await reason_of(store.put_player("ann", b"", bytes(32))) == "read-only"
    await replica.replicaof("NO", "ONE")
    assert await store.append(append(game, 1)) == Appended(2, 2)
    await source.close()
    await store.close()
    await replica.aclose()
    primary.stop()


async def test_a_server_without_enough_replicas_takes_nothing(own: Store, own_raw: Redis) -> None:
    await own_raw.config_set("min-replicas-to-write", "1")
    assert await reason_of(own.append(append(new_game()))) == "replicas"


async def test_a_server_that_must_not_be_used(own: Store, own_raw: Redis) -> None:
    await own_raw.execute_command("ACL", "SETUSER", "default", "-fcall")
    assert await reason_of(own.append(append(new_game()))) == "denied"


async def test_a_server_busy_with_a_script(own: Store, own_raw: Redis) -> None:
    await own_raw.config_set("lua-time-limit", "1")
    hog = asyncio.create_task(own_raw.execute_command("EVAL", "while true do end", 0))
    await asyncio.sleep(0.2)
    assert await reason_of(own.append(append(new_game()))) == "busy"
    assert await reason_of(own.read(new_game())) == "busy"
    killer = Redis.from_url(own_raw_url(own_raw))
    await killer.script_kill()
    await asyncio.wait([hog])
    assert hog.exception()
    await killer.aclose()
    await own.append(append(new_game()))


async def test_a_loading_server_is_told_from_a_dead_one(tmp_path: Path) -> None:
    folder = tmp_path / "loading"
    folder.mkdir()
    slow = {"key_load_delay": "5000", "loading_process_events_interval_bytes": "1024"}
    server = start_binary(chosen_binary(), folder, enable_debug_command="local", **slow)
    store = await Store.open(server.url)
    games = [new_game() for _ in range(100)]
    await asyncio.gather(*(store.append(append(game)) for game in games))
    raw = Redis.from_url(server.url)
    loading = asyncio.create_task(raw.execute_command("DEBUG", "RELOAD"))
    await asyncio.sleep(0.2)
    assert await reason_of(store.append(append(games[0], 1))) == "loading"
    await loading
    assert await store.append(append(games[0], 1)) == Appended(2, 2)
    await raw.aclose()
    await store.close()
    server.stop()


@pytest.mark.parametrize("key", [None, b"0123456789abcdef"])
async def test_a_lost_answer_is_settled_within_the_call(
    redis_server: Server, key: bytes | None
) -> None:
    """The server appends, the answer is lost, the driver tries again: one copy, and success."""
    async with Proxy(redis_server.socket) as proxy:
        store = await Store.open(Settings(url=proxy.url))
        game = new_game()
        await store.append(append(game))
        proxy.lose_next_answer()
        ours = append(game, 1, 2, key=key)
        answer = await store.append(ours)
        assert answer == (Repeated(2, 3, same=True) if key else Appended(2, 3))
        assert proxy.lost == 1
        assert (await store.read(game))[1:] == list(ours.entries)
        await store.close()


@pytest.mark.parametrize("key", [None, b"0123456789abcdef"])
async def test_a_lost_answer_is_settled_by_the_same_call_again(
    redis_server: Server, key: bytes | None
) -> None:
    async with Proxy(redis_server.socket) as proxy:
        store = await Store.open(Settings(url=proxy.url, retries=0))
        game = new_game()
        await store.append(append(game))
        proxy.lose_next_answer()
        ours = append(game, 1, 2, key=key)
        assert await reason_of(store.append(ours)) == "down"
        await store.append(append(game, 3))
        answer = await store.append(ours)
        assert answer == (Repeated(2, 3, same=True) if key else Appended(2, 3))
        assert len(await store.read(game)) == 4
        await store.close()


async def test_history_under_cuts_and_kills(redis_server: Server) -> None:
    """Whatever is cut and killed: each success is stored once, in order, without a gap."""
    succeeded: dict[bytes, tuple[int, int]] = {}
    unknown: set[bytes] = set()
    async with Proxy(redis_server.socket) as proxy:
        store = await Store.open(Settings(url=proxy.url, retries=0, timeout=1.0))
        game, stop = new_game(), asyncio.Event()
        await store.append(append(game))

        async def write() -> None:
            version = 1
            while not stop.is_set():
                one = append(game, version)
                mark = one.entries[0].chain
                try:
                    answer = await store.append(one)
                except StoreUnavailable:
                    unknown.add(mark)
                    await asyncio.sleep(0.01)
                    continue
                if isinstance(answer, Appended):
                    succeeded[mark] = (answer.first, answer.last)
                    version = answer.last
                elif isinstance(answer, Conflict):
                    version = answer.version

        writers = [asyncio.create_task(write()) for _ in range(8)]
        for round_number in range(12):
            await asyncio.sleep(0.05)
            if round_number % 4 == 3:
                redis_server.kill()
                redis_server.start()
            else:
                proxy.lose_next_answer()
        stop.set()
        await asyncio.gather(*writers)
        await store.close()
    direct = await Store.open(redis_server.url)
    entries = await direct.read(game)
    await direct.close()
    stored = [entry.chain for entry in entries]
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert len(set(stored)) == len(stored)
    assert len(succeeded) > 20
    assert unknown
    for mark, (first, last) in succeeded.items():
        assert first == last
        assert stored[first - 1] == mark
    assert set(stored[1:]) <= set(succeeded) | unknown


def test_every_error_has_a_reason() -> None:
    reasons = {
        driver.ResponseError("MISCONF Errors writing to the AOF file"): "disk",
        driver.ResponseError("NOREPLICAS Not enough good replicas"): "replicas",
        driver.InvalidResponse("Protocol Error"): "error",
        driver.ClusterDownError("Hash slot not served"): "cluster",
        driver.SlotNotCoveredError("no"): "cluster",
        driver.BusyLoadingError("loading"): "loading",
        driver.MaxConnectionsError("Too many connections"): "busy",
        driver.AuthenticationError("no"): "denied",
        OSError(28, os.strerror(28)): "down",
        TimeoutError(): "timeout",
        ValueError("what?"): "error",
    }
    for error, reason in reasons.items():
        assert translate(error).reason == reason, error


async def test_many_writers_on_one_game(store: Store) -> None:
    game, wins = new_game(), 4
    await store.append(append(game))

    async def write(writer: int) -> list[int]:
        versions, version = [], 1
        key = new_key()
        while len(versions) < wins:
            one = append(game, version, key=key)
            answer = await store.append(one)
            if isinstance(answer, Conflict):
                version = answer.version
                continue
            assert answer == Appended(version + 1, version + 1)
            assert await store.append(msgspec.structs.replace(one)) == Repeated(
                version + 1, version + 1, same=True
            )
            versions.append(version + 1)
            version, key = version + 1, new_key()
        return versions

    taken = await asyncio.gather(*(write(writer) for writer in range(50)))
    assert sorted(version for versions in taken for version in versions) == list(range(2, 202))
    assert [entry.version for entry in await store.read(game)] == list(range(1, 202))


def pool_of(store: Store) -> list[AbstractConnection]:
    """The resting connections of a store."""
    return list(store._client._driver.connection_pool._available_connections)


async def test_connections_that_rested_meet_a_server_that_hangs_up(
    redis_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It takes each connection and closes it: the call fails soon, by itself, and comes back."""
    hanging_up = False
    open_ones: set[asyncio.StreamWriter] = set()

    async def serve(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if hanging_up:
            back.close()
            return
        open_ones.add(back)
        far, forth = await asyncio.open_unix_connection(redis_server.socket)
        await asyncio.gather(relay(near, forth), relay(far, back), return_exceptions=True)
        back.close()
        forth.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    listener = await asyncio.start_unix_server(serve, tmp_path / "s")
    store = await Store.open(Settings(url=f"unix://{tmp_path / 's'}"))
    connected = AbstractConnection.connect_check_health
    deepest = 0

    async def counted(self: AbstractConnection, *words: bool, **named: bool) -> None:
        nonlocal deepest
        names = [frame.function for frame in inspect.stack(0)]
        deepest = max(deepest, names.count("counted"))
        await connected(self, *words, **named)

    monkeypatch.setattr(AbstractConnection, "connect_check_health", counted)
    await store.ping()
    await store.read(new_game())
    for connection in pool_of(store):
        connection.next_health_check = asyncio.get_running_loop().time() - 60
    hanging_up = True
    for writer in open_ones:
        writer.close()
    for _ in range(3):
        await reason_of(store.ping())
        await reason_of(store.read(new_game()))
    assert deepest == 1, "connecting never calls itself"
    hanging_up = False
    await store.ping()
    await store.close()
    listener.close()
