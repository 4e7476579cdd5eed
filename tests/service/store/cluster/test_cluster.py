"""What only a cluster can show: slots, a primary that goes, a partition that moves, a service."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.crc import key_slot

from service.store.client import Settings
from service.store.errors import StoreUnavailable
from service.store.store import Store
from tests.service.players import Player, Table
from tests.service.serving import Serving
from tests.service.store.clusters import Cluster
from tests.service.store.conformance.case import Case, append, new_game, new_key
from tests.service.store.conformance.wrong import WRONG
from tests.service.store.servers import Server, wait_until

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
async def case(cluster: Cluster) -> AsyncIterator[Case]:
    async with Case(cluster.url) as empty:
        yield empty


def server_of(cluster: Cluster, case: Case, game: str) -> Server:
    port = case.raw.get_node_from_key(case.tag(game)).port
    return next(node for node in cluster.nodes if node.port == port)


async def test_a_call_that_would_cross_slots_shows(case: Case) -> None:
    """A store that keeps players' lists elsewhere works on one server, and does not here."""
    case.kind = WRONG["all-of-an-append-lies-in-one-slot"]
    store = await case.open()
    before = await case.everything()
    with pytest.raises(StoreUnavailable) as caught:
        await store.append(append(new_game(), players=("ann", "bob", "cyd")))
    assert caught.value.reason == "cluster"
    assert await case.everything() == before


async def test_games_lie_on_all_primaries(case: Case) -> None:
    store = await case.open()
    games = [new_game() for _ in range(60)]
    await asyncio.gather(*(store.append(append(game)) for game in games))
    for server in case.servers:
        assert await server.dbsize() > 10


async def test_each_primary_is_asked_for_its_settings(case: Case) -> None:
    store = await case.open()
    last = case.servers[-1]
    await last.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert "maxmemory-policy" in {finding.setting for finding in await store.settings()}
    finally:
        await last.config_set("maxmemory-policy", "noeviction")
    assert "maxmemory-policy" not in {finding.setting for finding in await store.settings()}


async def test_a_primary_that_went_comes_back(cluster: Cluster, case: Case) -> None:
    """Its games are away and not lost; the same store finds them again by itself."""
    store = await Store.open(Settings(url=cluster.url, timeout=1, connect_timeout=1))
    game = new_game()
    await store.append(append(game))
    server = server_of(cluster, case, game)
    server.kill()
    ours = append(game, 1, key=new_key())
    with pytest.raises(StoreUnavailable):
        await store.append(ours)
    server.start()
    wait_until(cluster.whole, 30)
    answer = await _patiently(store, ours)
    assert (answer.first, answer.last) == (2, 2)
    assert len(await store.read(game)) == 2
    await store.close()


async def _patiently(store: Store, ours):
    for _ in range(100):
        try:
            return await store.append(ours)
        except StoreUnavailable:
            await asyncio.sleep(0.1)
    raise AssertionError("it never came back")


async def test_a_partition_that_moves_loses_nothing(cluster: Cluster, case: Case) -> None:
    """Its slot goes from one primary to another while it is written to."""
    store = await case.open()
    game = new_game()
    await store.append(append(game))
    slot = key_slot(case.tag(game).encode())
    old = server_of(cluster, case, game)
    new = next(node for node in cluster.nodes if node is not old)
    stop = asyncio.Event()
    done: list[bytes] = []

    async def write() -> None:
        version = 1
        while not stop.is_set():
            ours = append(game, version, key=new_key())
            answer = await _patiently(store, ours)
            assert (answer.first, answer.last) == (version + 1, version + 1)
            done.append(ours.entries[0].chain)
            version += 1

    writing = asyncio.create_task(write())
    await asyncio.sleep(0.2)
    await _move(slot, old, new)
    moved_at = len(done)
    while len(done) < moved_at + 20 and not writing.done():
        await asyncio.sleep(0.02)
    stop.set()
    await writing
    assert moved_at > 0
    assert [entry.chain for entry in await store.read(game, 1)] == done


async def _move(slot: int, old: Server, new: Server) -> None:
    source = Redis(host="127.0.0.1", port=old.port, protocol=2)
    target = Redis(host="127.0.0.1", port=new.port, protocol=2)
    ours, theirs = (
        await source.execute_command("CLUSTER", "MYID"),
        await target.execute_command("CLUSTER", "MYID"),
    )
    await target.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ours)
    await source.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", theirs)
    while keys := await source.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100):
        await source.execute_command("MIGRATE", "127.0.0.1", new.port, "", 0, 5000, "KEYS", *keys)
    for client in (target, source):
        await client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", theirs)
        await client.aclose()


def test_the_service_runs_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """Two workers; a whole game over HTTP, with a bundled player, and it verifies."""
    rng = random.Random(1)
    with Serving(tmp_path / "s", "--workers", "2", redis_url=cluster.url) as serving:
        serving.wait_until_ready()
        ada, ben = (Player(serving.address, name) for name in ("Ada", "Ben"))
        table = Table(ada, ben, target=3).started().played(rng)
        events = table.events()
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        assert table.view()["status"] in ("ended", "sealed")
        listed = ada.get("/v1/players/me/games").json()["games"]
        assert table.id in {game["id"] for game in listed}
        assert "Traceback" not in serving.log.read_text()
