"""Streams on a cluster: told by each primary of its own games, also of one that moved."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.crc import key_slot

from service.operator import replace_token
from service.store.keys import Keys
from service.store.store import DEFAULT_PARTITIONS
from tests.service.live.reader import Stream, versions
from tests.service.players import Player, Table
from tests.service.serving import Serving
from tests.service.store.cluster.test_cluster import _move
from tests.service.store.clusters import Cluster
from tests.service.store.servers import Server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


def slot_of(table: Table) -> int:
    return key_slot(Keys(DEFAULT_PARTITIONS).game(table.id).tag.encode())


def listeners(node: Server) -> int:
    """How many subscribing connections a primary has."""
    with Redis(host="127.0.0.1", port=node.port, protocol=2, decode_responses=True) as raw:
        return len(raw.client_list(_type="pubsub"))


async def all_have(tables: list[Table], streams: list[Stream]) -> None:
    for place, stream in enumerate(streams):
        view = await asyncio.to_thread(tables[place % len(tables)].view)
        await stream.until(lambda _, s=stream, v=view: versions(s)[-1:] == [v["version"]])
        assert versions(stream) == list(range(1, view["version"] + 1))


def test_streams_on_a_cluster(running: Cluster, tmp_path: Path) -> None:
    """Two workers, games on every primary, presence across workers; then a partition moves.

    Players lie on every primary too, and one gets a new token: the streams of the old one end.
    """
    rng = random.Random(1)
    with Serving(tmp_path / "s", "--workers", "2", redis_url=running.url) as serving:
        serving.wait_until_ready()
        players = [Player(serving.address, name) for name in ("Ada", "Ben")]
        tables = [Table(*players).started() for _ in range(9)]
        assert len({running.node_of(slot_of(table)).port for table in tables}) > 1

        async def watch() -> None:
            path = "/v1/games/{}/events"
            streams = [
                await Stream.open(serving.port, path.format(table.id)) for table in tables * 2
            ]
            held = [await Stream.open(serving.port, path.format(tables[0].id), players[0].token)]
            for table in tables:
                await asyncio.to_thread(table.step, rng)
            await all_have(tables, streams)
            for stream in (streams[0], streams[9]):
                await stream.until(lambda _, s=stream: s.named("presence")[-1]["seats"] == [0])
            # Each of the two workers listens to each primary over one connection.
            assert {listeners(node) for node in running.nodes} == {2}

            slot = slot_of(tables[0])
            old = running.node_of(slot)
            new = next(node for node in running.nodes if node is not old)
            await _move(slot, old, new)
            for _ in range(4):
                for table in tables[:3]:
                    await asyncio.to_thread(table.step, rng)
                await all_have(tables, streams)
            assert not any(stream.named("reset") for stream in (*streams, *held))
            assert {listeners(node) for node in running.nodes} == {2}

            path = f"{tables[1].path}/events"
            lost = [await Stream.open(serving.port, path, players[0].token) for _ in range(4)]
            kept = [await Stream.open(serving.port, path, players[1].token) for _ in range(4)]
            assert await replace_token(running.url, players[0].id)
            await asyncio.gather(*(stream.rest() for stream in (*lost, *held)))
            again = await Stream.open(serving.port, path, players[0].token)
            assert again.status == 401
            for stream in kept:
                await stream.until(lambda _, s=stream: s.named("presence")[-1:] == [{"seats": [1]}])

        asyncio.run(watch())
