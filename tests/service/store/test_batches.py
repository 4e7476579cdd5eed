"""Calls of one event-loop turn travel together and still stand for themselves."""

import asyncio
from collections.abc import Sequence

import pytest
from redis.asyncio import Redis

from service.store.client import Batches, Client, Command, Settings
from service.store.errors import StoreCorrupt, StoreUnavailable
from service.store.store import Store
from service.store.types import Appended, Conflict
from tests.service.store.make import append, new_game
from tests.service.store.test_append import key_of

pytestmark = pytest.mark.anyio


async def test_calls_of_one_turn_are_one_batch(raw: Redis, shared_url: str) -> None:
    client = Client(Settings(url=shared_url))
    sizes = []
    send = client._send

    async def counting(commands: Sequence[Command]) -> list[object]:
        sizes.append(len(commands))
        return await send(commands)

    client._writes = Batches(counting, 4, 128)
    await asyncio.gather(*(client.write(("SET", f"k{n}", n)) for n in range(100)))
    assert sizes == [100]
    await asyncio.gather(*(client.write(("SET", f"k{n}", n)) for n in range(300)))
    assert sizes == [100, 128, 128, 44]
    await client.close()


async def test_no_more_batches_than_allowed_are_under_way() -> None:
    under_way, most, gate = 0, 0, asyncio.Event()

    async def send(commands: Sequence[Command]) -> list[object]:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await gate.wait()
        under_way -= 1
        return [command[0] for command in commands]

    batches = Batches(send, 2, 3)
    calls = [asyncio.create_task(batches.call(((n,), (n + 0.5,)))) for n in range(50)]
    await asyncio.sleep(0.01)
    assert under_way == 2
    gate.set()
    assert await asyncio.gather(*calls) == [[n, n + 0.5] for n in range(50)]
    assert most == 2


async def test_one_bad_item_fails_alone(store: Store, raw: Redis) -> None:
    games = [new_game() for _ in range(9)]
    await store.append(append(games[1]))
    await raw.set(key_of(games[4], "events"), "not a stream")
    answers = await asyncio.gather(
        *(store.append(append(game)) for game in games), return_exceptions=True
    )
    assert answers[1] == Conflict(1)
    assert isinstance(answers[4], StoreCorrupt)
    for number in (0, 2, 3, 5, 6, 7, 8):
        assert answers[number] == Appended(1, 1)
    reads = await asyncio.gather(*(store.read(game) for game in games), return_exceptions=True)
    assert isinstance(reads[4], StoreCorrupt)
    assert [len(entries) for entries in (*reads[:4], *reads[5:])] == [1] * 8


async def test_the_cancelled_leave_the_others_alone(store: Store) -> None:
    for turn in range(5):
        games = [new_game() for _ in range(40)]
        calls = [asyncio.create_task(store.append(append(game))) for game in games]
        for _ in range(turn):
            await asyncio.sleep(0)
        for call in calls[::2]:
            call.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert answers[1::2] == [Appended(1, 1)] * 20, turn
        for game in games[1::2]:
            assert len(await store.read(game)) == 1
        for game in games[::2]:
            assert len(await store.read(game)) in (0, 1)
            assert isinstance(await store.append(append(game)), Appended | Conflict)


async def test_a_lost_connection_fails_each_with_an_error_of_its_own() -> None:
    async def send(commands: Sequence[Command]) -> list[object]:
        raise ConnectionRefusedError("nobody there")

    batches = Batches(send, 2, 10)
    errors = await asyncio.gather(
        *(batches.call((("PING",),)) for _ in range(5)), return_exceptions=True
    )
    assert {type(error) for error in errors} == {StoreUnavailable}
    assert len({id(error) for error in errors}) == 5


async def test_closing_waits_for_what_is_under_way(raw: Redis, shared_url: str) -> None:
    store = await Store.open(shared_url)
    games = [new_game() for _ in range(300)]
    calls = [asyncio.create_task(store.append(append(game))) for game in games]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*calls) == [Appended(1, 1)] * 300
