"""What goes wrong: the service stops, the store dies, a wake-up or a log's tip is lost."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from service.accounts import Accounts
from service.live import Hub
from service.sources import Sources
from service.store.errors import StoreUnavailable
from service.store.store import Store
from service.stream_settings import Settings
from service.tables import Tables
from tests.service.live.conftest import SETTINGS, steps
from tests.service.live.reader import Stream, versions
from tests.service.players import Player, Table
from tests.service.serving import Serving, kill, wait_for_end
from tests.service.store.servers import free_port, wait_until

STREAMS = int(os.environ.get("POTLUCK_TEST_STREAMS", "200"))


def again(player: Player, serving: Serving) -> Player:
    """The same player, after a restart."""
    same = Player(serving.address, None)
    same.id, same.token = player.id, player.token
    return same


def test_stopping_ends_streams_first_and_they_come_back(serve, rng: random.Random):
    """Within seconds, with hundreds open on two workers; nothing is lost or repeated after."""
    serving = serve("--workers", "2", port=free_port()).start(**SETTINGS)
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")), target=20).started()
    steps(table, rng, 5)
    path = f"{table.path}/events"
    port = serving.port

    async def before() -> list[Stream]:
        streams = [await Stream.open(port, path) for _ in range(STREAMS)]
        await asyncio.to_thread(table.step, rng)
        await asyncio.gather(*(stream.until(lambda _, s=stream: s.events) for stream in streams))
        pids = serving.family()
        assert serving.process
        begun = time.monotonic()
        serving.process.terminate()
        await asyncio.gather(*(stream.rest() for stream in streams))
        await asyncio.to_thread(serving.process.wait, 15)
        took = time.monotonic() - begun
        assert took < 5, took
        assert serving.process.returncode == 0
        wait_for_end(*pids)
        for stream in streams:
            # The stream ends as a whole body does, with a word on when to come back.
            assert stream.over
            assert not stream.named("end")
            assert 500 <= (stream.messages[-1].retry or 0) <= 3000
        return streams

    first = asyncio.run(before())
    serving.start(**SETTINGS)
    table.players = tuple(again(player, serving) for player in table.players)
    table.host = table.players[0]

    async def after() -> None:
        lasts = [stream.events[-1].id for stream in first]
        streams = [await Stream.open(port, path, last=last) for last in lasts]
        await asyncio.to_thread(table.played, rng)
        await asyncio.gather(*(stream.rest() for stream in streams))
        version = (await asyncio.to_thread(table.view))["version"]
        for old, new in zip(first, streams, strict=True):
            assert versions(old) + versions(new) == list(range(1, version + 1))
            assert not new.named("reset")

    asyncio.run(after())


def test_streams_go_on_when_the_store_dies_and_comes_back(serve, rng: random.Random):
    """The embedded store is killed; its parent brings it back. No stream ends, none has a gap."""
    serving = serve("--fsync", "always").start(**SETTINGS, POTLUCK_STREAM_LOOK_EVERY="1")
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")), target=20).started()
    path = f"{table.path}/events"

    async def watch() -> None:
        streams = [await Stream.open(serving.port, path) for _ in range(20)]
        await asyncio.to_thread(steps, table, rng, 3)
        (pid,) = serving.store()
        kill(pid)
        wait_until(lambda: serving.store() not in ([], [pid]), 20)
        serving.wait_until_ready()
        await asyncio.to_thread(steps, table, rng, 3)
        version = (await asyncio.to_thread(table.view))["version"]
        for stream in streams:
            await stream.until(lambda _, s=stream: versions(s)[-1:] == [version])
            assert versions(stream) == list(range(1, version + 1))
            assert not stream.named("reset")

    asyncio.run(watch())


def test_the_reader_comes_back_when_its_connection_is_cut(serve, rng: random.Random):
    """And reads what it missed meanwhile."""
    serving = serve().start(**SETTINGS, POTLUCK_STREAM_LOOK_EVERY="60")
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")), target=20).started()

    async def watch() -> None:
        stream = await Stream.open(serving.port, f"{table.path}/events")
        for _ in range(5):
            serving.tell_store("CLIENT", "KILL", "TYPE", "pubsub")
            await asyncio.to_thread(table.step, rng)
            version = (await asyncio.to_thread(table.view))["version"]
            await stream.until(lambda _, v=version: versions(stream)[-1:] == [v], 5)
        assert versions(stream) == list(range(1, version + 1))

    asyncio.run(watch())


def test_not_ready_while_the_store_is_not_heard(serve):
    """A store that answers, but lets nobody subscribe, is not enough."""
    serving = serve().start(**SETTINGS)
    assert serving.status("/readyz") == 200
    serving.tell_store("ACL", "SETUSER", "default", "-ssubscribe")
    serving.tell_store("CLIENT", "KILL", "TYPE", "pubsub")
    wait_until(lambda: serving.status("/readyz") == 503, 10)
    assert serving.status("/healthz") == 200
    wait_until(lambda: b"\npotluck_hub_up 0.0\n" in serving.request("GET", "/metrics")[2], 5)
    serving.tell_store("ACL", "SETUSER", "default", "+ssubscribe")
    serving.wait_until_ready()


# With the hub in this process.


class Deaf(Hub):
    """A hub that no wake-up reaches."""

    def _woken(self, game: bytes, version: int) -> None:
        pass


@asynccontextmanager
async def hub_on(
    url: str, make: Callable[..., Hub] = Hub, **more: float
) -> AsyncIterator[tuple[Hub, Tables]]:
    store = await Store.open(url)
    tables = Tables(store, Sources())
    accounts = Accounts(store, Sources())
    hub = make(tables, accounts, Sources(), asyncio.Event(), Settings(**more))
    await hub.start()
    try:
        yield hub, tables
    finally:
        await hub.stop()
        await store.close()


def test_a_lost_wake_up_costs_one_pause(live: Serving, rng: random.Random):
    table = Table(*(Player(live.address, name) for name in ("Ada", "Ben"))).started()

    async def watch() -> None:
        url = f"unix://{live.store_socket()}"
        async with hub_on(url, Deaf, look_every=0.5) as (hub, tables):
            held = await tables.current(table.id)
            assert held
            with hub.watch(held, None, "here", stream=True) as watcher:
                await asyncio.to_thread(table.step, rng)
                version = (await asyncio.to_thread(table.view))["version"]
                begun = time.monotonic()
                while watcher.channel.version < version:
                    await watcher.wait()
                assert time.monotonic() - begun < 2

    asyncio.run(watch())


def test_a_log_that_lost_its_tip_is_shown_from_the_start(live: Serving, rng: random.Random):
    """The end of a log is cut off, and it grows anew: another line of the same game."""
    table = Table(*(Player(live.address, name) for name in ("Ada", "Ben"))).started()
    steps(table, rng, 6)

    async def watch() -> None:
        url = f"unix://{live.store_socket()}"
        async with hub_on(url, look_every=0.3) as (hub, tables):
            held = await tables.current(table.id)
            assert held
            before = held.state.version
            with hub.watch(held, None, "here", stream=True) as watcher:
                assert await watcher.locate(before, held.state.chain.hex()[:8])
                key = tables.store._keys.game(table.id).events
                entries = await tables.store.read(table.id, 0, before - 4)
                await tables.store._client.run("DEL", key)
                for one in entries:
                    fields = ("body", one.body, "chain", one.chain, "aside", one.aside)
                    await tables.store._client.run("XADD", key, f"{one.version}-0", *fields)
                while not watcher.lost:
                    await watcher.wait()
                assert watcher.channel.version == before - 4
                assert watcher.channel.chain == entries[-1].chain
                watcher.lost, watcher.at = False, 0
                assert len(await watcher.take(500, 1 << 20)) == before - 4
            held = await tables.current(table.id)
            assert held
            assert held.state.version == before - 4

    asyncio.run(watch())


def test_reading_fails_while_the_store_is_gone(serve, rng: random.Random):
    """`look` tells; what watches stays, and goes on when the store is back."""
    serving = serve().start(**SETTINGS)
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")), target=20).started()
    url = f"unix://{serving.store_socket()}"

    async def watch() -> None:
        async with hub_on(url, look_every=0.3) as (hub, tables):
            held = await tables.current(table.id)
            assert held
            with hub.watch(held, None, "here", stream=True) as watcher:
                hub.check()
                (pid,) = serving.store()
                kill(pid)
                raised = 0
                for _ in range(20):
                    try:
                        await hub.look(watcher.channel)
                    except StoreUnavailable:
                        raised += 1
                        break
                assert raised or serving.store() != [pid]
                serving.wait_until_ready()
                await asyncio.to_thread(table.step, rng)
                version = (await asyncio.to_thread(table.view))["version"]
                async with asyncio.timeout(10):
                    while watcher.channel.version < version:
                        await watcher.wait()
                hub.check()

    asyncio.run(watch())
