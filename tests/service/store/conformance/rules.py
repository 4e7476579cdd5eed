"""The rules that every store keeps, each by its name.

A rule is a function of a ``Case`` that raises if the store does not keep it. Rules look at one
thing each: for every one there is a store in ``wrong.py`` that breaks it and no other.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from redis.crc import key_slot

from service.store.errors import StoreCorrupt, StoreError, StoreMismatch, StoreUnavailable
from service.store.types import MAX_BODIES, Appended, Conflict, Entry, Recorded, Repeated
from tests.service.store.conformance.case import (
    Case,
    append,
    digest,
    new_game,
    new_key,
)

Rule = Callable[[Case], Awaitable[None]]

RULES: dict[str, Rule] = {}


def rule(check: Rule) -> Rule:
    """Enter a rule under its function's name."""
    RULES[check.__name__.replace("_", "-")] = check
    return check


# What is stored.


@rule
async def bytes_come_back_as_they_went(case: Case) -> None:
    """Body, chain hash and what stands aside are the same, whatever bytes they hold."""
    store, game = await case.open(), new_game()
    every = bytes(range(256))
    odd = (
        Entry(1, every, every[:32], every),
        Entry(2, b"", every[-32:], b""),
        Entry(3, every * 512, bytes(32), b"\r\n"),
    )
    await store.append(append(game, entries=odd))
    assert await store.read(game) == list(odd)


@rule
async def a_read_starts_after_its_version(case: Case) -> None:
    """Nothing of what the caller has already, nothing left out, no more than was asked for."""
    store, game = await case.open(), new_game()
    stored = append(game, 0, 9)
    await store.append(stored)
    assert await store.read(game, 3) == list(stored.entries[3:])
    assert await store.read(game, 3, 2) == list(stored.entries[3:5])
    assert await store.read(game, 9) == []
    assert await store.read(game, 99) == []


@rule
async def a_long_game_is_read_whole(case: Case) -> None:
    """However many pieces it takes."""
    store, game = await case.open(), new_game()
    stored = append(game, 0, 170)
    await store.append(stored)
    assert await store.read(game) == list(stored.entries)


@rule
async def a_hole_is_told(case: Case) -> None:
    """A read never closes a gap silently."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 4))
    await case.raw.xdel(case.key(game, "events"), "2-0")
    with pytest.raises(StoreCorrupt):
        await store.read(game)


# Versions.


@rule
async def no_version_is_left_out(case: Case) -> None:
    """Who expects more than there is gets the version, and nothing is written."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 3))
    before = await case.everything()
    for expected in (4, 9):
        assert await store.append(append(game, expected)) == Conflict(3)
    assert await case.everything() == before


@rule
async def nobody_is_overtaken(case: Case) -> None:
    """Who decided on an older version gets the newer one, and nothing is written."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 3))
    before = await case.everything()
    for expected in (1, 2):
        assert await store.append(append(game, expected, 4)) == Conflict(3)
    assert await case.everything() == before


@rule
async def of_racing_appends_one_wins(case: Case) -> None:
    """Through stores of different processes as well as through one."""
    stores = [await case.open() for _ in range(3)]
    game = new_game()
    await stores[0].append(append(game))
    racing = [append(game, 1, 2) for _ in range(12)]
    answers = await asyncio.gather(*(stores[n % 3].append(one) for n, one in enumerate(racing)))
    winners = [one for one, answer in zip(racing, answers, strict=True) if answer == Appended(2, 3)]
    assert len(winners) == 1
    assert answers.count(Conflict(3)) == len(racing) - 1
    stored = [entry.chain for entry in await stores[0].read(game)][1:]
    assert stored == [entry.chain for entry in winners[0].entries]


@rule
async def a_game_begins_at_one(case: Case) -> None:
    """An unknown game takes nothing that was meant to follow something, and leaves no trace."""
    store, game = await case.open(), new_game()
    before = await case.everything()
    with contextlib.suppress(StoreError):
        assert await store.append(append(game, 4)) == Conflict(0)
    assert await case.everything() == before


@rule
async def a_game_is_made_once(case: Case) -> None:
    """Two that make the same game: the second is told that it is there."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 1))
    assert await store.append(append(game, 0, 2)) == Conflict(1)


@rule
async def the_head_must_be_the_stored_one(case: Case) -> None:
    """An append onto another line of the game than the stored one is a conflict."""
    store, game = await case.open(), new_game()
    first = append(game, 0, 2)
    await store.append(first)
    assert await store.append(append(game, 2, head=os.urandom(32))) == Conflict(2)
    right = append(game, 2, head=first.entries[-1].chain)
    assert await store.append(right) == Appended(3, 3)


# All or nothing.


@rule
async def a_command_is_stored_whole_or_not_at_all(case: Case) -> None:
    """Whichever of its keys cannot take it, nothing of it is there afterwards."""
    store = await case.open()
    for kind in ("due", "games:open", "games:running", "games:ended", "games-of:ann", "feed"):
        game = new_game()
        await case.raw.set(f"{case.tag(game)}:{kind}", "in the way")
        before = await case.everything()
        with pytest.raises(StoreError):
            await store.append(
                append(game, 0, 2, key=new_key(), players=("ann",), listing="open", due=5)
            )
        assert await case.everything() == before, kind
        await case.raw.delete(f"{case.tag(game)}:{kind}")


@rule
async def a_key_of_a_wrong_type_is_told(case: Case) -> None:
    """As damage to this game, not as a store that is away."""
    store, game = await case.open(), new_game()
    await case.raw.set(case.key(game, "events"), "no stream")
    with pytest.raises(StoreCorrupt) as caught:
        await store.append(append(game, 0, 1))
    assert caught.value.game == game


@rule
async def a_lost_tip_is_told(case: Case) -> None:
    """A game whose newest entry was taken away takes no other in its place."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 3))
    await case.raw.xdel(case.key(game, "events"), "3-0")
    for expected in (2, 3):
        with pytest.raises(StoreCorrupt):
            await store.append(append(game, expected))


@rule
async def a_foreign_entry_is_told(case: Case) -> None:
    """An entry that somebody else added is no version."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 3))
    await case.raw.xadd(case.key(game, "events"), {"body": "x"}, id="3-1")
    with pytest.raises(StoreCorrupt):
        await store.append(append(game, 3))


@rule
async def keys_without_events_are_told(case: Case) -> None:
    """A game whose events are gone is damaged, not new."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 2, key=new_key()))
    await case.raw.delete(case.key(game, "events"))
    with pytest.raises(StoreCorrupt):
        await store.append(append(game))


@rule
async def the_server_keeps_the_bounds(case: Case) -> None:
    """Also against a caller that does not keep them itself."""
    store, game = await case.open(), new_game()
    good = append(game)
    before = await case.everything()
    command: list[Any] = list(store._append_command(good))
    command[-3] = bytes(MAX_BODIES + 1)
    async with case.server_of(game) as server:
        assert (await server.execute_command(*command))[0] == 5
    assert await case.everything() == before


# A command's key.


@rule
async def a_repeat_is_told_as_one(case: Case) -> None:
    """The same key again is answered as a repeat, with the versions of the first time."""
    store, game, key = await case.open(), new_game(), new_key()
    await store.append(append(game, 0, 2, key=key))
    assert await store.append(append(game, 0, 2, key=key)) == Repeated(1, 2, same=True)


@rule
async def a_known_key_is_answered_first(case: Case) -> None:
    """Whatever version the caller expects by now, and nothing is written."""
    store, game, key = await case.open(), new_game(), new_key()
    await store.append(append(game, 0, 2))
    await store.append(append(game, 2, 2, key=key))
    await store.append(append(game, 4))
    before = await case.everything()
    for expected in (0, 4, 5, 77):
        answer: Any = await store.append(append(game, expected, 1, key=key))
        assert (answer.first, answer.last) == (3, 4), expected
    assert await case.everything() == before


@rule
async def a_key_holds_as_long_as_its_game(case: Case) -> None:
    """However many commands came after."""
    store, game = await case.open(), new_game()
    keys = [new_key() for _ in range(40)]
    for version, key in enumerate(keys):
        await store.append(append(game, version, key=key))
    for version, key in enumerate(keys, 1):
        found = await store.lookup(game, key)
        assert found is not None, version
        assert (found.first, found.last) == (version, version)


@rule
async def another_body_under_a_key_is_told(case: Case) -> None:
    """A key that was used for something else is no repeat."""
    store, game, key = await case.open(), new_game(), new_key()
    await store.append(append(game, 0, 1, key=key))
    answer: Any = await store.append(append(game, 1, 1, key=key, digest=digest("b")))
    assert not answer.same


@rule
async def a_key_is_its_games_own(case: Case) -> None:
    """The same key in another game is a new one, though the games be neighbours."""
    store, game, key = await case.open(), new_game(), new_key()
    other = case.neighbour(game)
    await store.append(append(game, 0, 1, key=key))
    with contextlib.suppress(StoreCorrupt):
        assert await store.append(append(other, 0, 2, key=key)) == Appended(1, 2)
    assert len(await store.read(other)) == 2


@rule
async def the_same_bytes_were_appended(case: Case) -> None:
    """Without a key too, what was stored and only not answered is not stored again."""
    store, game = await case.open(), new_game()
    ours = append(game, 0, 3)
    await store.append(ours)
    await store.append(append(game, 3))
    before = await case.everything()
    assert await store.append(ours) == Appended(1, 3)
    assert await case.everything() == before


@rule
async def other_bytes_were_not(case: Case) -> None:
    """A stranger's entry at the same version is never acknowledged as one's own."""
    store, game = await case.open(), new_game()
    ours = append(game, 0, 2)
    await store.append(ours)
    last = msgspec.structs.replace(ours.entries[-1], chain=os.urandom(32))
    theirs = msgspec.structs.replace(ours, entries=(ours.entries[0], last))
    assert await store.append(theirs) == Conflict(2)


@rule
async def what_is_aside_tells_calls_apart(case: Case) -> None:
    """Equal events may be two commands': the same action of one seat at the same millisecond."""
    store, game = await case.open(), new_game()
    ours = append(game, 0, 2, key=new_key())
    first = msgspec.structs.replace(ours.entries[0], aside=b"request 1")
    await store.append(msgspec.structs.replace(ours, entries=(first, *ours.entries[1:])))
    other = msgspec.structs.replace(first, aside=b"request 2")
    again = msgspec.structs.replace(ours, entries=(other, *ours.entries[1:]))
    for key in (new_key(), None):
        assert await store.append(msgspec.structs.replace(again, key=key)) == Conflict(2)


@rule
async def a_lookup_tells_the_whole_command(case: Case) -> None:
    """Its first and last version, and the digest that came with it."""
    store, game, key = await case.open(), new_game(), new_key()
    await store.append(append(game))
    await store.append(append(game, 1, 3, key=key, digest=b":1:2:\n\0%"))
    assert await store.lookup(game, key) == Recorded(2, 4, b":1:2:\n\0%")
    assert await store.lookup(game, new_key()) is None


@rule
async def settling_catches_up_as_well(case: Case) -> None:
    """One call says what a key stands for and what came after a version."""
    store, game, key = await case.open(), new_game(), new_key()
    stored = append(game, 0, 4, key=key)
    await store.append(stored)
    assert (await store.settle(game, key, 1))[1] == list(stored.entries[1:])
    assert await store.settle(game, new_key(), 4) == (None, [])


# What goes with an append.


@rule
async def the_feed_names_each_command(case: Case) -> None:
    """One pointer for each, with the version that the game then had."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, 3))
    await store.append(append(game, 3, 1))
    feed = await case.raw.xrange(f"{case.tag(game)}:feed")
    assert [(fields[b"game"], fields[b"version"]) for _, fields in feed] == [
        (game.encode(), b"3"),
        (game.encode(), b"4"),
    ]


@rule
async def the_feed_stays_bounded(case: Case) -> None:
    """Its far end goes; the games stay."""
    store, game = await case.open(feed_length=100), new_game()
    for version in range(330):
        await store.append(append(game, version))
    # The server drops whole nodes, of 100 entries each by default.
    assert 100 <= await case.raw.xlen(f"{case.tag(game)}:feed") <= 200
    assert await case.raw.xlen(case.key(game, "events")) == 330


@rule
async def whoever_listens_is_woken(case: Case) -> None:
    """Wherever the game lies."""
    store = await case.open()
    heard: asyncio.Queue[tuple[bytes, int]] = asyncio.Queue()
    up = asyncio.Event()
    subscription = store.channels.subscription(
        lambda game, version: heard.put_nowait((game, version)), lambda *_: None, up.set
    )
    listening = asyncio.create_task(subscription.run())
    try:
        await asyncio.wait_for(up.wait(), 10)
        games = sorted(new_game().encode() for _ in range(6))
        for game in games:
            await store.append(append(game.decode(), 0, 2))
        woken = [await asyncio.wait_for(heard.get(), 2) for _ in games]
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    assert sorted(woken) == [(game, 2) for game in games]


@rule
async def a_game_stands_in_one_list(case: Case) -> None:
    """In the one that its newest append names, or in none."""
    store, game = await case.open(), new_game()
    walk: list[Any] = ["open", "running", "ended", None, "open", None]
    for version, listing in enumerate(walk):
        await store.append(append(game, version, listing=listing))
        for other in ("open", "running", "ended"):
            expected = [(1_000, game)] if other == listing else []
            assert await store.games(other, limit=9) == expected
            assert await store.count(other) == len(expected)


@rule
async def the_newest_due_time_counts(case: Case) -> None:
    """A later one replaces it, none takes it away."""
    store, game = await case.open(), new_game()
    await store.append(append(game, due=30))
    assert await store.due(30, 9) == [(30, game)]
    await store.append(append(game, 1, due=50))
    assert await store.due(49, 9) == []
    assert await store.due(50, 9) == [(50, game)]
    await store.append(append(game, 2))
    assert await store.due(99, 9) == []


@rule
async def each_player_keeps_the_game(case: Case) -> None:
    """Everyone whom an append names, also when later ones do not."""
    store, game = await case.open(), new_game()
    await store.append(append(game, 0, players=("ann", "bob", "cyd")))
    await store.append(append(game, 1))
    for player in ("ann", "bob", "cyd"):
        assert await store.games_of(player, limit=9) == [(1_000, game)]
    assert await store.games_of("dan", limit=9) == []


@rule
async def pages_show_every_game_once(case: Case) -> None:
    """Also games of one millisecond, over all partitions, newest first."""
    store = await case.open()
    made = [(created, new_game()) for created in (5,) * 25 + (4, 6)]
    for created, game in made:
        await store.append(append(game, created=created, listing="running"))
    found: list[tuple[int, str]] = []
    while page := await store.games("running", limit=4, after=found[-1] if found else None):
        found += page
    assert found == sorted(made, reverse=True)


@rule
async def every_game_is_named_once(case: Case) -> None:
    """Wherever it lies."""
    store = await case.open()
    games = {new_game() for _ in range(40)}
    for game in games:
        await store.append(append(game))
    named = [game async for game in store.game_ids()]
    assert sorted(named) == sorted(games)


# Beside the games.


@rule
async def a_new_token_voids_the_old(case: Case) -> None:
    """Even if a crash left the old one's key behind."""
    store = await case.open()
    old, new = os.urandom(32), os.urandom(32)
    await store.put_player("ann", b"record", old)
    assert await store.player_by_token(old) == b"record"
    await store.put_player("ann", b"record", new)
    await case.raw.set(case.keys.token(old), "ann")
    assert await store.player_by_token(new) == b"record"
    assert await store.player_by_token(old) is None
    assert await store.token_hashes(["ann", "nobody"]) == [new, None]


@rule
async def erased_words_are_gone(case: Case) -> None:
    """The others stay."""
    store, game = await case.open(), new_game()
    await store.put_text(game, "t1", b"one")
    await store.put_text(game, "t2", b"two")
    assert await store.texts(game) == {"t1": b"one", "t2": b"two"}
    assert await store.erase_text(game, "t1")
    assert await store.texts(game) == {"t2": b"two"}


# The store as a whole.


@rule
async def a_store_stays_what_it_was_made(case: Case) -> None:
    """Opened with another number of partitions it is refused: games would not be found."""
    await case.open(partitions=8)
    with pytest.raises(StoreMismatch):
        await case.open()


@rule
async def a_store_has_one_secret(case: Case) -> None:
    """Whoever opens it, also all at once."""
    stores = await asyncio.gather(*(case.open() for _ in range(5)))
    assert len({await store.secret() for store in stores}) == 1


@rule
async def all_of_an_append_lies_in_one_slot(case: Case) -> None:
    """So that a cluster can carry it out in one place."""
    store = await case.open()
    for game in (new_game(), new_game()):
        command = store._append_command(append(game, players=("ann", "bob", "cyd")))
        keys = command[3 : 3 + int(command[2])]
        wake = command[3 + len(keys) + 9]
        slots = {key_slot(str(key).encode()) for key in (*keys, wake)}
        assert slots == {key_slot(case.tag(game).encode())}


@rule
async def keys_stand_where_the_documents_say(case: Case) -> None:
    """`docs/store.md` is a promise to whoever looks into the server."""
    store = await case.open()
    key = b"0123456789abcdef"
    await store.append(append("g-1", 0, 1, key=key, players=("ann",), listing="open", due=7))
    await store.put_text("g-1", "t", b"words")
    await store.put_player("ann", b"", bytes(32))
    assert sorted(await case.everything()) == [
        b"potluck:store",
        b"{p009}:due",
        b"{p009}:feed",
        b"{p009}:game:g-1:events",
        b"{p009}:game:g-1:keys",
        b"{p009}:game:g-1:texts",
        b"{p009}:games-of:ann",
        b"{p009}:games:open",
        *sorted(name.encode() for name in (case.keys.player("ann"), case.keys.token(bytes(32)))),
    ]


@rule
async def a_lost_function_is_brought_again(case: Case) -> None:
    """After FUNCTION FLUSH the next append works, and so do those beside it."""
    store = await case.open()
    games = [new_game() for _ in range(6)]
    for version in range(3):
        await case.everywhere("FUNCTION", "FLUSH")
        answers = await asyncio.gather(*(store.append(append(game, version)) for game in games))
        assert answers == [Appended(version + 1, version + 1)] * len(games)


@rule
async def what_fails_fails_alone(case: Case) -> None:
    """Calls of one moment travel together; one that meets damage harms no other."""
    store = await case.open()
    good, bad = new_game(), new_game()
    stored = append(good, 0, 2)
    await store.append(stored)
    await case.raw.set(case.key(bad, "events"), "no stream")
    answers = await asyncio.gather(
        store.read(good), store.read(bad), store.read(good), return_exceptions=True
    )
    assert answers[0] == answers[2] == list(stored.entries)
    assert isinstance(answers[1], StoreError)


@rule
async def cut_connections_are_made_anew(case: Case) -> None:
    """Nothing has to be opened again."""
    store, game = await case.open(), new_game()
    await store.append(append(game))
    for version in (1, 2):
        ours = append(game, version)
        await case.everywhere("CLIENT", "PAUSE", 10_000, "WRITE")
        under_way = asyncio.create_task(store.append(ours))
        await asyncio.sleep(0.1)
        await case.everywhere("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        await case.everywhere("CLIENT", "UNPAUSE")
        answer: Any = None
        with contextlib.suppress(StoreUnavailable):
            answer = await under_way
        if answer is None:
            answer = await store.append(ours)
        assert answer == Appended(version + 1, version + 1)
    assert len(await store.read(game)) == 3
