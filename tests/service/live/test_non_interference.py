"""Two histories that differ only in what a viewer may not know: the same live table, byte for byte.

For every game, with clocks: a stream that catches up and then goes on as events come, presence as
others come and go, a request that waits, the answers that the service gives for those whose time is
over, and the lists. Masked are the chain's hashes and the digests of hidden parts, as for the
pages. In bulk: ``python -m tests.service.live.test_non_interference --pairs 1000``
"""

import argparse
import asyncio
import itertools
import logging
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import msgspec
import pytest
import structlog

from domain.kernel.codec import encode
from domain.kernel.event import Record
from domain.kernel.fold import evolve
from domain.kernel.viewer import SEALED, SPECTATOR, SeenRecord, Sight, seen
from service import watching
from service.caretaker import Caretaker
from service.presence import Presence
from service.sources import spell
from service.store.embedded import Embedded
from service.store.types import Append, Entry
from service.tables import Table, Tables
from service.watching import Shown, Watcher
from tests.domain.kit import secret_of
from tests.domain.timed_pairs import timed_history, timed_pair
from tests.service.api.test_non_interference import Worlds, masked, worlds
from tests.service.inprocess import NOW, World

PAIRS = {"stir-fry-eighteen": 10, "just-desserts": 10, "memesio": 10}
LEAKING = 20  # pairs after which a planted leak must have been found
SEATS = 3
KINDS = {
    "stir-fry-eighteen": {"turn", "taste_test", "reduction"},
    "just-desserts": {"turn", "blocking", "returning", "clearing"},
    "memesio": {"turn"},
}
PATIENCE = 10.0
DAY = 86_400_000

_made = itertools.count()


@dataclass
class Compared:
    """What a comparison came to. ``kinds`` are the decisions that were open in between."""

    pairs: int = 0
    differing: int = 0
    presences: int = 0
    defaults: int = 0
    laid_open: int = 0
    kinds: set[str] = field(default_factory=set)
    found: list[str] = field(default_factory=list)


@dataclass
class Told:
    """What a viewer was told of a history, and then of what the service ``added`` to it.

    If that was the end, all is laid open by the seal.
    """

    before: list[bytes]
    after: list[bytes]
    added: list[Record]
    sealed: bool


class Stream:
    """An open stream, straight from the application: what it has sent so far, and its end."""

    def __init__(self, where: World, path: str, token: str, last: str = "") -> None:
        self.sent = b""
        self._left = asyncio.Event()
        headers = [(b"accept", b"text/event-stream"), (b"host", b"potluck")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        if last:
            headers.append((b"last-event-id", last.encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("here", 1),
            "server": ("potluck", 80),
        }
        self._task = asyncio.create_task(where.app(scope, self._receive, self._send))
        self._asked = False

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200, self.sent
        self.sent += message.get("body", b"")

    async def leave(self) -> None:
        """Close it, as its reader would."""
        self._left.set()
        await self._task

    async def ended(self) -> None:
        """Wait for its end."""
        async with asyncio.timeout(PATIENCE):
            await self._task


async def append(where: World, records: Sequence[Record], players: list[str], begin: int) -> None:
    """Store a history as far as it has come: in one go, or a piece while a stream is open."""
    entries = tuple(Entry(one.version, encode(one), one.chain) for one in records[begin:])
    facts = Append(
        game=records[0].event.game,
        expected=begin,
        entries=entries,
        digest=bytes(8),
        created=records[0].time,
        listing="running",
        players=tuple(players),
    )
    assert type(await where.service.store.append(facts)).__name__ == "Appended"


async def quiet(where: World, game: str, version: int, watchers: int) -> None:
    """Wait until a game's watchers have been told all of it and wait for more."""
    hub = where.service.hub
    async with asyncio.timeout(PATIENCE):
        while True:
            await asyncio.sleep(0.001)
            channel = hub._games.get(game.encode())
            if channel is None:
                assert watchers, "nobody is there"
                continue
            if (
                channel.version == version
                and channel.looking is None
                and len(channel.watchers) == watchers
                and all(_rests(each) for each in channel.watchers)
            ):
                return


def _rests(watcher: Watcher) -> bool:
    return watcher._waiting is not None and not watcher._waiting.done() and not watcher._woken


async def lists(where: World, game: str, token: str) -> list[bytes]:
    """What a viewer is told of a game beside streams: its view, and its entries in lists.

    The rest of a list is of other pairs, in some of which the rules have laid something open since.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    told = [(await where.http.get(f"/v1/games/{game}", headers=headers)).content]
    for path in ("/v1/games?status=running", *(["/v1/players/me/games"] if token else [])):
        page = (await where.http.get(path, headers=headers)).json()
        entries = [each for each in page["games"] if each["id"] == game]
        told.append(msgspec.json.encode(entries))
    return told


async def live(
    where: World, records: list[Record], players: list[str], tokens: list[str], seat: int
) -> Told:
    """Let a viewer follow a game from its middle on, in company."""
    game, token = records[0].event.game, tokens[seat] if seat >= 0 else ""
    path, end = f"/v1/games/{game}/events", len(records)
    half, later = end // 2, 3 * end // 4
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    await append(where, records[:half], players, 0)
    as_stream = {**headers, "Accept": "text/event-stream"}
    first = await where.http.get(f"{path}?wait=0", headers=as_stream)
    last = f"{half}.{records[half - 1].chain.hex()[:8]}"
    stream = Stream(where, path, token, last)
    await quiet(where, game, half, 1)
    company = Stream(where, path, tokens[(seat + 1) % SEATS])
    await quiet(where, game, half, 2)
    waiting = asyncio.create_task(where.http.get(f"{path}?wait=20&after={last}", headers=headers))
    await quiet(where, game, half, 3)
    await append(where, records[:later], players, half)
    waited = await waiting
    await quiet(where, game, later, 2)
    await company.leave()
    await quiet(where, game, later, 1)
    await append(where, records, players, later)
    await quiet(where, game, end, 1)
    assert [first.status_code, waited.status_code] == [200, 200]
    told = [first.content, stream.sent, waited.content, *await lists(where, game, token)]
    assert b"[]" not in told, "a game is not in the lists"
    # Now the time of somebody who is asked is over.
    before = len(stream.sent)
    await Caretaker(where.service.tables, where.service.bundled, grace=0)._look_at(game)
    table = await where.service.tables.current(game)
    assert table
    sealed = table.state.table.sealed
    await (stream.ended() if sealed else quiet(where, game, table.state.version, 1))
    after = [stream.sent[before:], *await lists(where, game, token)]
    await stream.leave()
    return Told(told, after, await where.service.tables.records(game, end), sealed)


def kinds_of(name: str, entropy: str) -> set[str]:
    """The kinds of decisions that are open in the history that some entropy makes."""
    random = Random(entropy)
    seats = [f"p{seat}" for seat in range(SEATS)]
    play = timed_history(name, random, game="g", players=seats, began=NOW)
    kinds, state = set(), None
    for record in play.records:
        state = evolve(play.ruleset, state, record, play.records)
        if state.game is not None and state.game.decision is not None:
            kinds.add(state.game.decision.kind)
    return kinds


async def compare(both: Worlds, name: str, entropy: str, compared: Compared) -> None:
    """Make a pair, let its viewer follow either history, and compare."""
    random = Random(entropy)
    seat = random.randrange(-1, SEATS)
    sight = SPECTATOR if seat < 0 else Sight(seats=(seat,))
    players = both.players[:SEATS]
    game = spell(random.randbytes(10))
    # Newest first, so that each is on the first page of the lists.
    began = NOW - 10 * DAY + 1_000 * next(_made)
    pair = timed_pair(name, entropy, sight, game=game, players=players, began=began)
    compared.pairs += 1
    compared.differing += [each.event for each in pair[0]] != [each.event for each in pair[1]]
    compared.kinds |= kinds_of(name, entropy)
    told = [
        await live(where, records, players, both.tokens, seat)
        for where, records in zip((both.one, both.other), pair, strict=True)
    ]
    compared.presences += told[0].before[1].count(b"event: presence") - 1
    if _masked(told[0].before) != _masked(told[1].before):
        compared.found.append(f"{name} {entropy}: the stream, who waited, or the lists")
    secret = bytes.fromhex(pair[0][0].event.seed)
    added = [[_timeless(seen(one, sight, secret)) for one in each.added] for each in told]
    compared.defaults += bool(added[0])
    if told[0].sealed or _masked(added[0]) != _masked(added[1]):
        compared.laid_open += 1  # the rules laid a card open that was hidden before
    elif _masked(told[0].after) != _masked(told[1].after):
        compared.found.append(f"{name} {entropy}: what the service did")


def _masked(pieces: Sequence[bytes]) -> list[bytes]:
    return [masked(piece) for piece in pieces]


def _timeless(event: SeenRecord) -> bytes:
    """An event without its time, which the rules do not choose."""
    return msgspec.json.encode(msgspec.structs.replace(event, time=0))


async def compare_many(
    urls: Sequence[str], name: str, pairs: int, seed: int, *, until_found: bool = False
) -> Compared:
    """Compare many pairs of a game."""
    compared = Compared()
    async with worlds(urls, seed) as both:
        for entropy in chosen(name, seed, pairs):
            await compare(both, name, entropy, compared)
            if until_found and compared.found:
                break
    return compared


def chosen(name: str, seed: int, pairs: int) -> Iterator[str]:
    """Give entropy for pairs: so many, and then more until every kind of decision was open."""
    kinds: set[str] = set()
    for number in itertools.count():
        entropy = f"live {seed} {number}"
        if number < pairs:
            kinds |= kinds_of(name, entropy)
            yield entropy
        elif KINDS[name] <= kinds:
            return
        elif more := kinds_of(name, entropy) - kinds:
            kinds |= more
            yield entropy


@pytest.mark.parametrize("name", PAIRS)
def test_nothing_that_is_hidden_makes_a_difference_live(name: str, urls: list[str]):
    seed = 400 + list(PAIRS).index(name)
    compared = asyncio.run(compare_many(urls, name, PAIRS[name], seed))
    print(f"{name}: {compared}")
    assert compared.found == []
    assert compared.differing > 0.6 * compared.pairs
    assert compared.defaults > 0.6 * compared.pairs
    assert compared.laid_open < compared.defaults
    assert compared.presences > compared.pairs
    assert compared.kinds == KINDS[name]


# Leaks, planted one at a time.


def _secret(table: Table) -> int:
    return secret_of(table.ruleset, table.state.game) if table.state.game else 0


def _in_a_frame(_: str) -> AbstractContextManager[Any]:
    """An event's actor has a digest of the whole event."""

    def leaky(record: Record, view: Sight, secret: bytes) -> Any:
        name = zlib.crc32(msgspec.json.encode(record.event)) % 1000
        shown = seen(record, view, secret)
        return msgspec.structs.replace(shown, actor=f"{shown.actor}-{name}")

    return mock.patch.object(watching, "seen", leaky)


def _in_a_size(_: str) -> AbstractContextManager[Any]:
    """A message is padded with what nobody reads, by what is hidden in it."""
    frame = Shown.frame

    def leaky(self: Shown, view: Sight, secret: bytes) -> bytes:
        size = zlib.crc32(msgspec.json.encode(self.record.event)) % 5
        return b":" + b" " * size + b"\n" + frame(self, view, secret)

    return mock.patch.object(Shown, "frame", leaky)


def _in_presence(_: str) -> AbstractContextManager[Any]:
    """Who is said to be present depends on the hands."""
    known: dict[int, Tables] = {}
    begun, seats = Tables.__init__, Presence.seats

    def init(self: Tables, store: Any, sources: Any) -> None:
        begun(self, store, sources)
        known[id(store.channels)] = self

    def leaky(self: Presence, game: str) -> Any:
        table = known[id(self._channels)].cached(game)
        more = _secret(table) % 5 if table else 0
        return tuple(sorted({*seats(self, game), more}))

    stack = ExitStack()
    stack.enter_context(mock.patch.object(Tables, "__init__", init))
    stack.enter_context(mock.patch.object(Presence, "seats", leaky))
    return stack


def _in_the_time_of_a_default(_: str) -> AbstractContextManager[Any]:
    """The service thinks longer for who has more to think about."""
    execute = Tables.execute

    async def leaky(self: Tables, game: str, make: Any, **more: Any) -> Any:
        held = self.cached(game)
        late = _secret(held) % 1000 if held else 0
        real = self.time_of
        with mock.patch.object(self, "time_of", lambda state: real(state) + late):
            return await execute(self, game, make, **more)

    return mock.patch.object(Tables, "execute", leaky)


def _in_all_that_is_seen(_: str) -> AbstractContextManager[Any]:
    """The viewer of a stream sees what only a sealed game shows."""
    return mock.patch.object(watching, "sight", return_value=SEALED)


PLANTED: dict[str, Callable[[str], AbstractContextManager[Any]]] = {
    "a frame": _in_a_frame,
    "a size": _in_a_size,
    "presence": _in_presence,
    "the time of a default": _in_the_time_of_a_default,
    "a stream's sight": _in_all_that_is_seen,
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found_live(leak: str, name: str, urls: list[str]):
    seed = 420 + list(PLANTED).index(leak) * len(PAIRS) + list(PAIRS).index(name)
    with PLANTED[leak](name):
        compared = asyncio.run(compare_many(urls, name, LEAKING, seed, until_found=True))
    assert compared.found, f"{leak} may leak without being found"


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rulesets", nargs="*", default=list(PAIRS))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="makes the same pairs again")
    given = parser.parse_args(arguments)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    for name in given.rulesets:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            places = [Path(folder, each) for each in ("one", "other")]
            with Embedded(places[0]) as one, Embedded(places[1]) as other:
                urls = [one.url, other.url]
                compared = asyncio.run(compare_many(urls, name, given.pairs, given.seed))
        print(
            f"{name}: {compared.pairs} pairs, {compared.differing} of them differ;"
            f" {compared.defaults} with an answer by the service, {compared.laid_open} of which"
            f" laid something open; decisions: {', '.join(sorted(compared.kinds))};"
            f" {len(compared.found)} differences; {time.perf_counter() - began:.0f} s"
        )
        print(*compared.found[:5], sep="\n")


if __name__ == "__main__":
    main()
