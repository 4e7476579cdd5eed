"""What streams may cost: a cap for each client, readers that take nothing, store connections."""

import asyncio
import contextlib
import random
import re
import time
from pathlib import Path

from domain.kernel.decide import Join, Vacate, player_actor
from service.sources import Sources
from service.store.store import Store
from service.tables import Tables
from tests.service.live.conftest import SETTINGS
from tests.service.live.reader import Stream, versions
from tests.service.players import Player, Table
from tests.service.serving import Serving


def count_of(serving: Serving, name: str) -> float:
    text = serving.request("GET", "/metrics")[2].decode()
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_a_player_has_so_many_streams_and_no_more(live: Serving):
    table = Table(*(Player(live.address, name) for name in ("Ada", "Ben"))).seated()
    path, token = f"{table.path}/events", table.host.token

    async def watch() -> None:
        streams = [await Stream.open(live.port, path, token) for _ in range(20)]
        assert {stream.status for stream in streams} == {200}
        cursor = (await asyncio.to_thread(table.view))["cursor"]
        for query in ("", f"?wait=5&after={cursor}"):
            for accept in ("text/event-stream", "application/json"):
                if not query and accept == "application/json":
                    continue
                refused = await Stream.open(live.port, path + query, token, Accept=accept)
                assert refused.status == 429
                assert refused.headers["content-type"] == "application/problem+json"
                assert int(refused.headers["retry-after"]) >= 1
                assert b'"code":"too-many-streams"' in await refused.body()
        # Pages are still given, to others streams too, and after one has closed it goes on.
        assert (await asyncio.to_thread(table.host.get, path)).status_code == 200
        assert (await Stream.open(live.port, path, table.players[1].token)).status == 200
        streams[0].cut()
        for _ in range(100):
            again = await Stream.open(live.port, path, token)
            if again.status == 200:
                return
            await asyncio.sleep(0.05)
        raise AssertionError("a closed stream still counts")

    asyncio.run(watch())


async def lengthen(url: str, game: str, player: str, times: int) -> int:
    """Let a player take a seat and leave it many times; gives the game's version."""
    store = await Store.open(url)
    tables = Tables(store, Sources())
    actor = player_actor(player)
    try:
        for _ in range(times):
            await tables.execute(game, lambda _: (Join(seat=1, player=player), actor))
            done = await tables.execute(game, lambda _: (Vacate(seat=1, player=player), actor))
        return done.table.state.version
    finally:
        await store.close()


def rss(pid: int) -> int:
    """Resident memory in bytes."""
    line = next(
        line
        for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        if line.startswith("VmRSS:")
    )
    return int(line.split()[1]) * 1024


def test_readers_that_take_nothing_are_dropped_and_cost_little(serve):
    """Each has more to take than is kept for it, is dropped, and may come back.

    Nor does one that is still there hold the service up when it stops.
    """
    serving = serve().start(**SETTINGS, POTLUCK_STREAM_SLOW_AFTER="2")
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")))
    path = f"{table.path}/events"
    url = f"unix://{serving.store_socket()}"
    nobody = 30

    async def watch() -> None:
        player = table.players[1].id
        version = await lengthen(url, table.id, player, 800)
        before = rss(serving.workers()[0])
        stuck = [await Stream.open(serving.port, path, receive_buffer=4096) for _ in range(nobody)]
        # Others are served as if nothing were.
        begun = time.monotonic()
        brisk = await Stream.open(serving.port, f"{path}?limit=500")
        await brisk.rest()
        assert time.monotonic() - begun < 5
        most = 0
        slow = 'potluck_streams_ended_total{reason="slow"}'
        for _ in range(100):
            most = max(most, await asyncio.to_thread(rss, serving.workers()[0]))
            if await asyncio.to_thread(count_of, serving, slow) == nobody:
                break
            await asyncio.sleep(0.2)
        assert count_of(serving, slow) == nobody
        assert most - before < 24 * 2**20, (most - before) / 2**20
        # What it did get goes on where it stopped.
        with contextlib.suppress(TimeoutError):
            await stuck[0].rest(5)
        got = versions(stuck[0])
        assert got
        back = await Stream.open(serving.port, f"{path}?wait=0", last=stuck[0].events[-1].id)
        await back.rest()
        assert got + versions(back) == list(range(1, version + 1))
        again = [await Stream.open(serving.port, path, receive_buffer=4096) for _ in range(5)]
        await asyncio.sleep(0.5)
        begun = time.monotonic()
        assert await asyncio.to_thread(serving.stop) == 0
        assert time.monotonic() - begun < 5
        for stream in again:
            stream.cut()

    asyncio.run(watch())


def connections(serving: Serving) -> int:
    reply = serving.tell_store("INFO", "clients").decode()
    found = re.search(r"connected_clients:(\d+)", reply)
    assert found
    return int(found[1])


def test_store_connections_do_not_grow_with_streams(serve, rng: random.Random):
    """Whatever is watched: one connection that listens, and the pool for commands.

    All come from one address without a token, which has a cap of its own.
    """
    settings = {**SETTINGS, "POTLUCK_STREAM_PER_ADDRESS": "120"}
    serving = serve("--workers", "1").start(**settings)
    tables = [
        Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
        for _ in range(5)
    ]
    for table in tables:
        table.step(rng)
    before = connections(serving)
    subscribed = serving.tell_store("PUBSUB", "SHARDNUMSUB", "{p007}:wake")

    async def watch() -> None:
        paths = [f"{tables[place % 5].path}/events" for place in range(120)]
        streams = [await Stream.open(serving.port, path) for path in paths]
        assert {stream.status for stream in streams} == {200}
        assert (await Stream.open(serving.port, paths[0])).status == 429
        held = await Stream.open(serving.port, paths[0], tables[0].host.token)
        assert held.status == 200
        held.cut()
        for table in tables:
            await asyncio.to_thread(table.step, rng)
        after = await asyncio.to_thread(connections, serving)
        # The pool may have grown to its own bound meanwhile, of 8 and a few single ones.
        assert after <= max(before, 1 + 4 + 4 + 8)
        assert serving.tell_store("PUBSUB", "SHARDNUMSUB", "{p007}:wake") == subscribed
        assert b":1\r\n" in subscribed
        assert count_of(serving, "potluck_open_streams") in (120, 121)  # one is about to close
        assert count_of(serving, "potluck_watched_games") == 5
        for stream in streams:
            stream.cut()

    asyncio.run(watch())
