import asyncio
import random

import pytest
from redis.asyncio import Redis

from service.store.store import Store
from service.store.types import Listing
from tests.service.store.make import append, new_game

pytestmark = pytest.mark.anyio

Place = tuple[int, str]


async def fill(store: Store, times: list[int], **more: object) -> list[Place]:
    """Make a game at each of these times; give their places, newest first."""
    places = [(created, new_game()) for created in times]
    appends = [append(game, created=created, **more) for created, game in places]
    await asyncio.gather(*(store.append(one) for one in appends))
    return sorted(places, reverse=True)


async def pages(store: Store, listing: Listing, limit: int) -> list[Place]:
    found: list[Place] = []
    while True:
        page = await store.games(listing, limit=limit, after=found[-1] if found else None)
        found += page
        if len(page) < limit:
            return found


async def test_games_come_newest_first_from_all_partitions(store: Store) -> None:
    random.seed(1)
    places = await fill(store, [random.randrange(50) for _ in range(300)], listing="open")
    for limit in (1, 7, 64, 299, 300, 1000):
        assert await pages(store, "open", limit) == places, limit
    assert await store.count("open") == 300
    assert await store.games("running", limit=5) == []
    assert await store.games("open", limit=0) == []


@pytest.mark.parametrize("partitions", [1, 3])
async def test_games_of_one_millisecond_all_show(
    raw: Redis, shared_url: str, partitions: int
) -> None:
    store = await Store.open(shared_url, partitions=partitions)
    places = await fill(store, [5] * 200 + [4, 6], listing="open")
    for limit in (1, 3, 50):
        assert await pages(store, "open", limit) == places, limit
    await store.close()


async def test_pages_do_not_shift_when_games_come_and_go(store: Store) -> None:
    places = await fill(store, list(range(100, 140)), listing="open")
    shown = await store.games("open", limit=10)
    await fill(store, [500, 501], listing="open")
    _, gone = shown[3]
    await store.append(append(gone, 1, listing="running", created=shown[3][0]))
    shown += await store.games("open", limit=10, after=shown[-1])
    assert shown == places[:20]


async def test_a_game_stands_in_one_list_at_most(store: Store) -> None:
    game = new_game()
    walk: list[Listing | None] = ["open", "running", "ended", None, "open", None]
    for version, listing in enumerate(walk):
        await store.append(append(game, version, listing=listing))
        for other in ("open", "running", "ended"):
            expected = [(1_000, game)] if other == listing else []
            assert await store.games(other, limit=9) == expected
            assert await store.count(other) == len(expected)


async def test_a_player_keeps_every_game_once(store: Store) -> None:
    game, other = new_game(), new_game()
    await store.append(append(game, 0, players=("ann",)))
    await store.append(append(game, 1, players=("ann", "bob")))
    await store.append(append(game, 2, players=("bob",)))
    await store.append(append(other, 0, players=("ann",), created=2_000))
    assert await store.games_of("ann", limit=9) == [(2_000, other), (1_000, game)]
    assert await store.games_of("ann", limit=9, after=(2_000, other)) == [(1_000, game)]
    assert await store.games_of("bob", limit=9) == [(1_000, game)]
    assert await store.games_of("cyd", limit=9) == []


async def test_what_is_due_comes_earliest_first(store: Store) -> None:
    games = {due: new_game() for due in (30, 10, 20, 40)}
    for due, game in games.items():
        await store.append(append(game, due=due))
    assert await store.due(9, 9) == []
    assert await store.due(30, 9) == [(due, games[due]) for due in (10, 20, 30)]
    assert await store.due(99, 2) == [(due, games[due]) for due in (10, 20)]
    await store.append(append(games[10], 1, due=50))
    await store.append(append(games[20], 1))
    assert await store.due(99, 9) == [(30, games[30]), (40, games[40]), (50, games[10])]
    assert await store.due(99, 0) == []


async def test_times_keep_every_millisecond(store: Store) -> None:
    latest = 2**53 - 1
    places = await fill(store, [latest, latest - 1, latest - 2], listing="open")
    assert await store.games("open", limit=9) == places


async def test_every_game_is_named_once(store: Store) -> None:
    games = {new_game() for _ in range(300)}
    await asyncio.gather(*(store.append(append(game)) for game in games))
    named = [game async for game in store.game_ids()]
    assert sorted(named) == sorted(games)


async def test_malformed_ids_are_the_callers_fault(store: Store) -> None:
    for attempt in (
        store.read("a:b"),
        store.lookup("", b"k"),
        store.games_of("a b", limit=1),
        store.games("secret", limit=1),  # type: ignore[arg-type]
        store.player("{x}"),
        store.read("g", -1),
    ):
        with pytest.raises(ValueError):
            await attempt


async def test_players_are_found_by_id_and_by_token(store: Store, raw: Redis) -> None:
    first, second = b"\0" * 31 + b"\n", b"\xff" * 32
    assert await store.player("ann") is None
    assert await store.player_by_token(first) is None
    await store.put_player("ann", b'{"id":"ann"}', first)
    assert await store.player("ann") == b'{"id":"ann"}'
    assert await store.player_by_token(first) == b'{"id":"ann"}'
    await store.put_player("ann", b'{"id":"ann","name":"Ann"}', first)
    assert await store.player_by_token(first) == b'{"id":"ann","name":"Ann"}'
    await store.put_player("ann", b"", second)
    assert await store.player_by_token(second) == b""
    assert await store.player_by_token(first) is None
    assert len(await raw.keys("*:token:*")) == 1
    with pytest.raises(ValueError):
        await store.put_player("ann", b"", b"short")


async def test_a_token_counts_only_if_its_player_says_so(store: Store, raw: Redis) -> None:
    """What a crash between the two writes of a new token leaves behind opens nothing."""
    old, new = b"a" * 32, b"b" * 32
    await store.put_player("ann", b"record", old)
    (key,) = await raw.keys("*:token:*")
    await raw.set(store._keys.token(new), await raw.get(key))
    await raw.set(store._keys.token(b"c" * 32), "nobody")
    assert await store.player_by_token(new) is None
    assert await store.player_by_token(b"c" * 32) is None
    assert await store.player_by_token(old) == b"record"
