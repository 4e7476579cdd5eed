"""Two histories that differ only in what a viewer may not know, over HTTP: the same bytes.

For every game, with clocks, so that deadlines, lists and whose turn it is are among what is read.

Each history stands in a store of its own; the application runs on both with the same ids and
times. Masked are only the chain's hashes and the digests of hidden parts, wherever they stand.
"""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from unittest import mock

import httpx
import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.codec import encode
from domain.kernel.event import Record
from domain.kernel.fold import fold
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SEALED, SPECTATOR, Sight
from service.api import app as api_app
from service.api import commands, games, operation, views
from service.api.app import OPERATIONS
from service.sources import spell
from service.store.types import Append, Entry
from tests.domain.kit import LEAKS, TEXT, answer, random_probes, secret_of
from tests.domain.timed_pairs import timed_pair
from tests.service.inprocess import NOW, World, world

PAIRS = {"stir-fry-eighteen": 12, "just-desserts": 12, "memesio": 12}
LEAKING = 30  # pairs after which a planted leak must have been found
SEATS = 3

GETS = [each for each in OPERATIONS if each.method == "GET" and each.path.startswith("/v1/")]
STREAMED = "text/event-stream"


@dataclass
class Pair:
    """Two histories, and their viewer: the holder of a seat, or nobody in particular."""

    ruleset: Ruleset[Any]
    one: list[Record]
    other: list[Record]
    sight: Sight
    state: State
    number: int


@dataclass
class Worlds:
    """The application on two stores in which the same players have the same tokens."""

    one: World
    other: World
    players: list[str]
    tokens: list[str]


@asynccontextmanager
async def worlds(urls: Sequence[str], seed: int) -> AsyncIterator[Worlds]:
    async with world(urls[0], seed) as one, world(urls[1], seed) as other:
        people = []
        for each in (one, other):
            made = [await each.service.accounts.create(f"P {seat}") for seat in range(SEATS + 1)]
            people.append([(account.id, token) for account, token in made])
        assert people[0] == people[1]
        yield Worlds(one, other, [name for name, _ in people[0]], [token for _, token in people[0]])


def pair(ruleset: str, name: str, number: int, players: Sequence[str]) -> Pair:
    entropy = f"{ruleset} {name} {number}"
    random = Random(entropy)
    sight = SPECTATOR if random.random() < 0.2 else Sight(seats=(random.randrange(SEATS),))
    one, other = timed_pair(
        ruleset,
        entropy,
        sight,
        game=spell(random.randbytes(10)),
        players=players[:SEATS],
        began=NOW - 3_600_000,
    )
    rules = CATALOGUE[ruleset]
    return Pair(rules, one, other, sight, fold(rules, one), number)


async def store(where: World, records: Sequence[Record], players: Sequence[str]) -> None:
    append = Append(
        game=records[0].event.game,
        expected=0,
        entries=tuple(Entry(each.version, encode(each), each.chain) for each in records),
        digest=bytes(8),
        created=records[0].time,
        listing="running",
        players=tuple(players),
    )
    assert type(await where.service.store.append(append)).__name__ == "Appended"


# What is asked.


def reads(pair: Pair) -> list[str]:
    """Every address that can be read, with every parameter it takes."""
    game, version = pair.state.table.game, pair.state.version
    asked = [
        each.path.replace(":str", "").format(game=game, ruleset=pair.ruleset.id, seat=0)
        for each in GETS
        if each.media_type != STREAMED
    ]
    step = max(1, version // 6)
    asked += [f"/v1/games/{game}?version={each}" for each in (*range(1, version, step), version)]
    asked += [f"/v1/games/{game}?version={version + 1}", f"/v1/games/{game}/events?limit=500"]
    asked += [f"/v1/games/{game}/events?after=3.00000000", "/v1/games?status=running&limit=100"]
    seats = [f"seat:{seat}" for seat in range(SEATS + 1)]
    for perspective in ("spectator", *seats):
        asked += [
            f"/v1/games/{game}{each}perspective={perspective}"
            for each in ("?", f"?version={version - 1}&", "/events?limit=500&", "/claims?")
        ]
    return [*asked, f"/v1/games/{game}/nothing", "/"]


def writes(pair: Pair, seated: bool) -> list[tuple[str, str, Any]]:
    """Commands that are refused: by the role, by the state, and by the rules of the game."""
    game, name = f"/v1/games/{pair.state.table.game}", pair.ruleset.id
    decision = decision_id(pair.state)
    asked: list[tuple[str, str, Any]] = [
        ("POST", f"{game}/start", None),
        ("POST", f"{game}/seats", {"type": "join"}),
        ("POST", f"{game}/seats", {"type": "bundled", "bundled": "random"}),
        (
            "POST",
            f"{game}/actions",
            {"ruleset": name, "decision": 2, "action": {"type": "call"}},
        ),
        ("POST", f"{game}/actions", {"ruleset": name, "decision": 2, "action": {"type": "no"}}),
        ("POST", f"{game}/rematch", None),
        ("POST", f"{game}/invitations", None),
        ("POST", "/v1/invitations/uses", {"game": game[-16:], "secret": "0" * 32}),
    ]
    if not seated:
        asked.append(("DELETE", f"{game}/seats/0", None))
    other, random = fold(pair.ruleset, pair.other), Random(pair.number)
    for viewer in pair.sight.seats:
        for seat, action in random_probes(pair.ruleset, viewer, random, 6):
            told = [answer(pair.ruleset, each, seat, action) for each in (pair.state, other)]
            assert told[0] == told[1]
            if told[0].startswith(b'["refused"'):
                act: dict[str, Any] = {"ruleset": name, "decision": decision}
                act["action"] = msgspec.to_builtins(action)
                if action.__struct_config__.tag in pair.ruleset.free_text:
                    act["text"] = "x" if TEXT else None
                asked.append(("POST", f"{game}/actions", act))
    return asked


# What is compared.

_CURSOR = re.compile(rb"\b(\d+)\.[0-9a-f]{8}\b")
_HASH = re.compile(rb"\b[0-9a-f]{64}\b")


def masked(content: bytes) -> bytes:
    """Blank out hashes: of the chain, whole and cut short, and of hidden parts."""
    return _CURSOR.sub(rb"\1.*", _HASH.sub(b"*", content))


def shown(response: httpx.Response) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    headers = [(name, masked(value)) for name, value in response.headers.raw if name != b"date"]
    return response.status_code, headers, masked(response.content)


async def differences(both: Worlds, pair: Pair) -> list[str]:
    """The requests that are answered differently in the two worlds."""
    await store(both.one, pair.one, both.players[:SEATS])
    await store(both.other, pair.other, both.players[:SEATS])
    viewers = {"nobody": "", "stranger": both.tokens[SEATS]}
    seated = bool(pair.sight.seats)
    if seated:
        viewers = {"seat": both.tokens[pair.sight.seats[0]]}
    found = []
    for name, token in viewers.items():
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        paths = reads(pair)
        asked = [("GET", path, None) for path in paths] + [("HEAD", paths[-3], None)]
        for method, path, body in [*asked, *writes(pair, seated)]:
            more = {} if body is None else {"json": body}
            told = [
                await each.http.request(method, path, headers=headers, **more)
                for each in (both.one, both.other)
            ]
            assert told[0].status_code < 500, told[0].text
            if method not in ("GET", "HEAD"):
                assert told[0].status_code >= 400, f"{method} {path} is accepted"
            if shown(told[0]) != shown(told[1]):
                found.append(f"{name}: {method} {path} {body}")
        found += await by_cursor(both, pair, headers)
    return found


async def by_cursor(both: Worlds, pair: Pair, headers: dict[str, str]) -> list[str]:
    """Follow the cursors and entity tags that each world gives: they name hashes of its own."""
    path = f"/v1/games/{pair.state.table.game}"
    told = []
    for each in (both.one, both.other):
        got = [await each.http.get(f"{path}/events?limit=7", headers=headers)]
        while got[-1].json()["more"]:
            after = got[-1].json()["next"]
            got.append(await each.http.get(f"{path}/events?limit=7&after={after}", headers=headers))
        tag = (await each.http.get(path, headers=headers)).headers["etag"]
        again = {**headers, "If-None-Match": tag}
        got.append(await each.http.get(path, headers=again))
        assert got[-1].status_code == 304
        again = {**headers, "If-Match": tag, "Idempotency-Key": "k"}
        got.append(await each.http.post(f"{path}/seats", headers=again, json={"type": "join"}))
        streamed = {**headers, "Accept": STREAMED}
        got.append(await each.http.get(f"{path}/events?wait=0", headers=streamed))
        assert got[-1].headers["content-type"].startswith(STREAMED)
        assert got[-1].text.count("\nid: ") == pair.state.version
        told.append([shown(answer) for answer in got])
    return [] if told[0] == told[1] else ["pages of events, or a conditional request"]


@pytest.mark.parametrize("name", PAIRS)
def test_nothing_that_is_hidden_makes_a_difference_over_http(name: str, urls: list[str]):
    async def compare() -> tuple[int, int]:
        differing = requests = 0
        async with worlds(urls, seed=300 + list(PAIRS).index(name)) as both:
            for number in range(PAIRS[name]):
                each = pair(name, "http", number, both.players)
                assert await differences(both, each) == [], f"pair {number}"
                differing += each.one != each.other
                requests += len(reads(each)) + len(writes(each, True))
        return differing, requests

    differing, requests = asyncio.run(compare())
    print(f"{PAIRS[name]} pairs, {differing} of them differ; {requests} requests to each world")
    assert differing > 0.8 * PAIRS[name]


@pytest.mark.parametrize("name", PAIRS)
def test_whoever_may_know_sees_the_difference(name: str, urls: list[str]):
    """Else the comparison would be blind: a sealed game's viewer is told another story."""
    with mock.patch.object(views, "sight", return_value=SEALED):
        found = asyncio.run(_found(urls, name, seed=310 + list(PAIRS).index(name)))
    assert found


async def _found(urls: Sequence[str], name: str, seed: int) -> str | None:
    async with worlds(urls, seed) as both:
        for number in range(LEAKING):
            each = pair(name, f"leak {seed}", number, both.players)
            if told := await differences(both, each):
                return told[0]
    return None


# Leaks, planted one at a time.


@contextmanager
def _in_the_catalogue(
    leak: Callable[[Any], AbstractContextManager[Any]], name: str
) -> Iterator[None]:
    """One of the kit's leaks: a ruleset that says too much."""
    with leak(CATALOGUE[name]) as leaky, mock.patch.dict(CATALOGUE, {name: leaky}):
        yield


def _of(request: Any) -> int:
    """Something that depends on all that is hidden in the game that a request is about."""
    game = request.scope["path_params"].get("game", "")
    table = request.app.state.opening.service.tables.cached(game)
    return 0 if table is None else secret_of(table.ruleset, table.state.game)


def _deck_in_a_header(_: str) -> AbstractContextManager[Any]:
    """Every answer about a game has a header made of its deck."""
    serve = operation.serve

    async def leaky(which: Any, request: Any) -> Any:
        reply = await serve(which, request)
        return replace(reply, headers={**reply.headers, "X-Shard": str(_of(request) % 1000)})

    return mock.patch.object(api_app, "serve", leaky)


def _deck_in_an_error(_: str) -> AbstractContextManager[Any]:
    """A refusal says something of the deck."""
    refused = commands.refused

    def leaky(call: Any, refusal: Any) -> Any:
        error = refused(call, refusal)
        error.detail += f" Next is {_of(call.request) % 1000}."
        return error

    return mock.patch.object(commands, "refused", leaky)


def _hands_in_a_size(_: str) -> AbstractContextManager[Any]:
    """Bodies are longer or shorter with what is hidden; what they say is the same."""
    serve = operation.serve

    async def leaky(which: Any, request: Any) -> Any:
        reply = await serve(which, request)
        if isinstance(reply.body, bytes):
            return reply
        return replace(reply, body=msgspec.json.encode(reply.body) + b" " * (_of(request) % 50))

    return mock.patch.object(api_app, "serve", leaky)


def _event_by_content(_: str) -> AbstractContextManager[Any]:
    """An event's actor has a digest of the whole event, without a salt."""
    seen = views.seen

    def leaky(record: Record, sight: Sight, seed: bytes) -> Any:
        event = seen(record, sight, seed)
        name = zlib.crc32(msgspec.json.encode(record.event)) % 1000
        return msgspec.structs.replace(event, actor=f"{event.actor}-{name}")

    return mock.patch.object(views, "seen", leaky)


def _order_in_a_list(name: str) -> AbstractContextManager[Any]:
    """Legal actions stand in an order that depends on what others hold."""
    rules = CATALOGUE[name]

    def legal(game: Any, seat: int) -> Any:
        listed = list(rules.legal(game, seat))
        turn = secret_of(rules, game) % max(1, len(listed))
        return listed[turn:] + listed[:turn]

    return mock.patch.dict(CATALOGUE, {name: replace(rules, legal=legal)})


def _deadline_by_hand(_: str) -> AbstractContextManager[Any]:
    """Who has more to think about is given a little more time."""
    limit = views.seat_deadline

    def leaky(state: State, seat: int) -> int | None:
        until = limit(state, seat)
        more = secret_of(CATALOGUE[state.table.ruleset], state.game) % 1000
        return None if until is None else until + more

    return mock.patch.object(views, "seat_deadline", leaky)


def _turn_in_a_list(_: str) -> AbstractContextManager[Any]:
    """A list of games says something of what is in the hands."""
    summary = games.summary

    def leaky(table: Any) -> Any:
        told = summary(table)
        more = secret_of(table.ruleset, table.state.game) if table.state.game else 0
        return msgspec.structs.replace(told, time=told.time + more % 1000)

    return mock.patch.object(games, "summary", leaky)


PLANTED: dict[str, Callable[[str], AbstractContextManager[Any]]] = {
    "a header": _deck_in_a_header,
    "an error text": _deck_in_an_error,
    "a size": _hands_in_a_size,
    "an id": _event_by_content,
    "an order": _order_in_a_list,
    "a deadline": _deadline_by_hand,
    "a list": _turn_in_a_list,
    **{
        f"the kit's {kind}": lambda name, leak=LEAKS[kind]: _in_the_catalogue(leak, name)
        for kind in ("a view", "an event", "a count")
    },
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found_over_http(leak: str, name: str, urls: list[str]):
    seed = 320 + list(PLANTED).index(leak) * len(PAIRS) + list(PAIRS).index(name)
    with PLANTED[leak](name):
        found = asyncio.run(_found(urls, name, seed))
    assert found is not None, f"{leak} may leak without being found"
