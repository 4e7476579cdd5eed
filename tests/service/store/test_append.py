import asyncio
import hashlib

import msgspec
import pytest
from redis.asyncio import Redis

from service.store import function
from service.store.client import Settings
from service.store.errors import StoreCorrupt
from service.store.store import Store
from service.store.types import (
    MAX_BODIES,
    MAX_VERSION,
    Appended,
    Conflict,
    Entry,
    Recorded,
    Repeated,
)
from tests.service.store.make import DIGEST, append, entries, entry, new_game, new_key

pytestmark = pytest.mark.anyio


def key_of(game: str, kind: str) -> str:
    return f"{tag_of(game)}:game:{game}:{kind}"


def tag_of(game: str) -> str:
    number = int.from_bytes(hashlib.sha256(game.encode()).digest()[:4], "big") % 64
    return f"{{p{number:03d}}}"


async def dump(raw: Redis) -> dict[bytes, bytes]:
    """Everything on the server, byte for byte."""
    return {key: await raw.dump(key) for key in sorted(await raw.keys())}


async def test_what_was_appended_is_read_back(store: Store) -> None:
    game = new_game()
    first, second = append(game, 0, 3), append(game, 3, 2)
    assert await store.append(first) == Appended(1, 3)
    assert await store.append(second) == Appended(4, 5)
    assert await store.read(game) == [*first.entries, *second.entries]
    assert await store.read(game, 2, 2) == [first.entries[2], second.entries[0]]
    assert await store.read(game, 5) == []
    assert await store.read(game, 500) == []


async def test_bytes_stay_what_they_are(store: Store) -> None:
    game = new_game()
    every_byte = bytes(range(256))
    odd = (
        Entry(1, every_byte, every_byte[:32], every_byte),
        Entry(2, b"", every_byte[-32:], b""),
        Entry(3, every_byte * 4096, bytes(32), b"\r\n"),
    )
    await store.append(append(game, entries=odd))
    assert await store.read(game) == list(odd)


async def test_an_unknown_game_is_empty(store: Store) -> None:
    game = new_game()
    assert await store.read(game) == []
    assert await store.settle(game, new_key(), 0) == (None, [])
    assert await store.lookup(game, new_key()) is None


async def test_a_long_game_is_read_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.store._PAGE", 7)
    game = new_game()
    stored = append(game, 0, 30)
    await store.append(stored)
    assert await store.read(game) == list(stored.entries)
    assert await store.read(game, 3, 21) == list(stored.entries[3:24])
    assert await store.settle(game, None, 2) == (None, list(stored.entries[2:]))


@pytest.mark.parametrize(
    "change",
    [
        {"entries": ()},
        {"entries": (entry(2),)},
        {"entries": (entry(1), entry(3))},
        {"entries": (entry(1), entry(1))},
        {"entries": (Entry(1, b"", b"short"),)},
        {"entries": (Entry(1, b"", bytes(32), bytes(5000)),)},
        {"entries": (Entry(1, bytes(MAX_BODIES + 1), bytes(32)),)},
        {"entries": entries(0, 1001)},
        {"expected": -1, "entries": entries(-1)},
        {"expected": MAX_VERSION, "entries": entries(MAX_VERSION)},
        {"key": b"short"},
        {"digest": b"short"},
        {"game": "a:b"},
        {"game": ""},
        {"game": "a" * 65},
        {"players": ("{p001}",)},
        {"listing": "secret"},
        {"created": -1},
        {"due": 2**53},
        {"head": bytes(32)},
    ],
)
def test_a_malformed_append_is_refused_before_it_is_sent(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        append(**{"game": "g", **change})


async def test_the_function_checks_bounds_itself(store: Store, raw: Redis) -> None:
    game = new_game()
    good = store._append_command(append(game))
    arguments = 3 + good[2]
    before = await dump(raw)
    for at, wrong in {
        1: -1,
        2: 2,
        3: b"short",
        4: b"short",
        5: b"secret",
        6: b"inf",
        7: b"nan",
        8: b"1e3",
        10: b"short",
        12: b"short",
        11: bytes(MAX_BODIES + 1),
        13: bytes(5000),
    }.items():
        bad = list(good)
        bad[arguments + at] = wrong
        assert (await raw.execute_command(*bad))[0] == 5, at
    assert (await raw.execute_command(*good, b"one too many"))[0] == 5
    assert await dump(raw) == before


async def test_only_the_next_version_goes_in(store: Store, raw: Redis) -> None:
    game = new_game()
    assert await store.append(append(game, 4)) == Conflict(0)
    assert await raw.keys(f"*{game}*") == []
    await store.append(append(game, 0, 3))
    before = await dump(raw)
    for expected in (0, 1, 2, 4, 9):
        assert await store.append(append(game, expected)) == Conflict(3), expected
    assert await dump(raw) == before


async def test_a_known_key_is_answered_before_anything_else(store: Store, raw: Redis) -> None:
    game, key = new_game(), new_key()
    await store.append(append(game))
    assert await store.append(append(game, 1, 2, key=key)) == Appended(2, 3)
    await store.append(append(game, 3))
    before = await dump(raw)
    for expected in (0, 1, 4, 77):
        again = append(game, expected, 1, key=key)
        assert await store.append(again) == Repeated(2, 3, same=True)
        other = msgspec.structs.replace(again, digest=b"digest-2")
        assert await store.append(other) == Repeated(2, 3, same=False)
    assert await dump(raw) == before


async def test_a_digest_may_hold_any_byte(store: Store) -> None:
    game = new_game()
    for number, digest in enumerate((bytes(8), b":::::::\n", b"\xff" * 8, b"1:2:3:\0%")):
        key = new_key()
        await store.append(append(game, number, key=key, digest=digest))
        again = append(game, number, key=key, digest=digest)
        assert await store.append(again) == Repeated(number + 1, number + 1, same=True)
        assert await store.lookup(game, key) == Recorded(number + 1, number + 1, digest)


async def test_settle_looks_up_and_catches_up(store: Store) -> None:
    game, key = new_game(), new_key()
    stored = append(game, 0, 4, key=key)
    await store.append(stored)
    assert await store.settle(game, key, 1) == (Recorded(1, 4, DIGEST), list(stored.entries[1:]))
    assert await store.settle(game, new_key(), 4) == (None, [])
    assert await store.settle(game, None, 3) == (None, list(stored.entries[3:]))


async def test_the_same_entries_again_were_appended(store: Store, raw: Redis) -> None:
    game = new_game()
    ours = append(game, 0, 3)
    await store.append(ours)
    await store.append(append(game, 3))
    before = await dump(raw)
    assert await store.append(ours) == Appended(1, 3)
    middle = append(game, 1, entries=ours.entries[1:])
    assert await store.append(middle) == Appended(2, 3)
    other_chain = msgspec.structs.replace(ours.entries[2], chain=bytes(32))
    other_body = msgspec.structs.replace(ours.entries[2], body=b"other")
    for other in (other_chain, other_body):
        theirs = msgspec.structs.replace(ours, entries=(*ours.entries[:2], other))
        assert await store.append(theirs) == Conflict(4)
    longer = append(game, 0, entries=(*ours.entries, *entries(3, 2)))
    assert await store.append(longer) == Conflict(4)
    assert await dump(raw) == before


async def test_a_head_must_be_the_stored_one(store: Store) -> None:
    game = new_game()
    first = append(game, 0, 2)
    await store.append(first)
    elsewhere = append(game, 2, head=bytes(32))
    assert await store.append(elsewhere) == Conflict(2)
    here = append(game, 2, head=first.entries[-1].chain)
    assert await store.append(here) == Appended(3, 3)


WRONG_KEYS = {
    "events": "{tag}:game:{game}:events",
    "keys": "{tag}:game:{game}:keys",
    "feed": "{tag}:feed",
    "due": "{tag}:due",
    "open": "{tag}:games:open",
    "running": "{tag}:games:running",
    "ended": "{tag}:games:ended",
    "first player": "{tag}:games-of:ann",
    "last player": "{tag}:games-of:bob",
}


@pytest.mark.parametrize("kind", WRONG_KEYS)
async def test_a_key_of_a_wrong_type_stops_everything(store: Store, raw: Redis, kind: str) -> None:
    game = new_game()
    wrong = WRONG_KEYS[kind].format(tag=tag_of(game), game=game)
    more = {"key": new_key(), "players": ("ann", "bob"), "listing": "open", "due": 5}
    await raw.set(wrong, "not what it should be")
    before = await dump(raw)
    with pytest.raises(StoreCorrupt) as caught:
        await store.append(append(game, 0, 2, **more))
    assert caught.value.game == game
    assert wrong in caught.value.found
    assert await dump(raw) == before


async def test_a_feed_that_takes_nothing_stops_everything(store: Store, raw: Redis) -> None:
    game = new_game()
    await raw.xadd(f"{tag_of(game)}:feed", {"a": "b"}, id=f"{2**64 - 1}-{2**64 - 1}")
    before = await dump(raw)
    with pytest.raises(StoreCorrupt):
        await store.append(append(game, 0, 2, key=new_key(), players=("ann",), due=5))
    assert await dump(raw) == before


async def test_a_read_of_a_wrong_type_is_corrupt(store: Store, raw: Redis) -> None:
    game = new_game()
    await raw.set(key_of(game, "events"), "x")
    await raw.set(key_of(game, "keys"), "x")
    for attempt in (
        store.read(game),
        store.settle(game, new_key(), 0),
        store.lookup(game, new_key()),
    ):
        with pytest.raises(StoreCorrupt):
            await attempt


async def test_a_deleted_tip_is_corrupt(store: Store, raw: Redis) -> None:
    game = new_game()
    await store.append(append(game, 0, 3))
    await raw.xdel(key_of(game, "events"), "3-0")
    before = await dump(raw)
    for expected in (2, 3):
        with pytest.raises(StoreCorrupt, match="the newest entry is 2-0 but the last id is 3-0"):
            await store.append(append(game, expected))
    await raw.xdel(key_of(game, "events"), "1-0", "2-0")
    with pytest.raises(StoreCorrupt, match="empty"):
        await store.append(append(game, 3))
    assert before


async def test_a_foreign_entry_is_corrupt(store: Store, raw: Redis) -> None:
    game = new_game()
    await store.append(append(game, 0, 3))
    await raw.xadd(key_of(game, "events"), {"body": "x"}, id="3-1")
    with pytest.raises(StoreCorrupt):
        await store.append(append(game, 3))
    with pytest.raises(StoreCorrupt):
        await store.read(game, 3)


async def test_a_hole_is_corrupt(store: Store, raw: Redis) -> None:
    game = new_game()
    await store.append(append(game, 0, 4))
    await raw.xdel(key_of(game, "events"), "2-0")
    with pytest.raises(StoreCorrupt, match="3-0 in place of 2-0"):
        await store.read(game)
    assert len(await store.read(game, 2)) == 2


async def test_keys_without_events_are_corrupt(store: Store, raw: Redis) -> None:
    game, key = new_game(), new_key()
    await store.append(append(game, 0, 2, key=key))
    await raw.delete(key_of(game, "events"))
    with pytest.raises(StoreCorrupt, match="without events"):
        await store.append(append(game))
    await raw.hset(key_of(game, "keys"), key, "nonsense")  # type: ignore[misc]
    with pytest.raises(StoreCorrupt, match="unreadable"):
        await store.append(append(game, key=key))
    with pytest.raises(StoreCorrupt, match="unreadable"):
        await store.lookup(game, key)


async def test_flushed_functions_are_loaded_again(store: Store, raw: Redis) -> None:
    games = [new_game() for _ in range(20)]
    for version in range(10):
        if version % 3 == 1:
            await raw.function_flush()
        answers = await asyncio.gather(*(store.append(append(game, version)) for game in games))
        assert answers == [Appended(version + 1, version + 1)] * 20


async def test_two_releases_have_functions_side_by_side(store: Store, raw: Redis) -> None:
    older = function.SOURCE.replace(function.LIBRARY, "potluck_older").replace(
        function.APPEND, "potluck_append_older"
    )
    await raw.function_load(older)
    game = new_game()
    command = list(store._append_command(append(game)))
    command[1] = "potluck_append_older"
    assert await raw.execute_command(*command) == [0, 1, 1]
    assert await store.append(append(game, 1)) == Appended(2, 2)


async def test_the_feed_gets_a_pointer_for_each_command(store: Store, raw: Redis) -> None:
    game = new_game()
    await store.append(append(game, 0, 3))
    await store.append(append(game, 3, 1))
    feed = await raw.xrange(f"{tag_of(game)}:feed")
    assert [fields for _, fields in feed] == [
        {b"game": game.encode(), b"version": b"3"},
        {b"game": game.encode(), b"version": b"4"},
    ]


async def test_the_feed_does_not_grow_for_ever(raw: Redis, shared_url: str) -> None:
    store = await Store.open(Settings(url=shared_url, feed_length=100))
    game = new_game()
    for version in range(500):
        await store.append(append(game, version))
    # The server drops whole nodes, of 100 entries each by default.
    assert 100 <= await raw.xlen(f"{tag_of(game)}:feed") <= 200
    assert len(await store.read(game)) == 500
    await store.close()


async def test_whoever_listens_is_woken(store: Store, raw: Redis) -> None:
    game = new_game()
    listener = raw.pubsub()
    await listener.execute_command("SSUBSCRIBE", f"{tag_of(game)}:wake")
    assert await listener.parse_response()
    await store.append(append(game, 0, 3))
    assert await asyncio.wait_for(listener.parse_response(), 5) == [
        b"smessage",
        f"{tag_of(game)}:wake".encode(),
        f"{game} 3".encode(),
    ]
    await listener.aclose()


async def test_stored_layout(store: Store, raw: Redis) -> None:
    """The layout is a promise: `docs/store.md` states it."""
    game, key = "g-1", b"0123456789abcdef"
    await store.append(
        append(game, 0, 2, key=key, players=("ann",), listing="open", due=77, created=5)
    )
    assert await raw.hgetall(f"{{p009}}:game:{game}:keys") == {key: b"1:2:" + DIGEST}
    assert sorted(await raw.keys()) == [
        b"potluck:store",
        b"{p009}:due",
        b"{p009}:feed",
        b"{p009}:game:g-1:events",
        b"{p009}:game:g-1:keys",
        b"{p009}:games-of:ann",
        b"{p009}:games:open",
    ]
