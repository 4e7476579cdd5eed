"""The store dies, fills up, takes no writes, is not there yet: 503, and recovery by itself."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.service.inprocess import world
from tests.service.players import RULESET, Player, Table
from tests.service.process.conftest import unavailable
from tests.service.serving import Serving, kill
from tests.service.store.servers import wait_until

Serve = Callable[..., Serving]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One service for all tests here that break its store and see it recover."""
    with Serving(tmp_path_factory.mktemp("faults"), "--workers", "2") as running:
        yield running


@pytest.fixture
def table(shared: Serving) -> Table:
    shared.wait_until_ready()
    return Table(*(Player(shared.address, name) for name in ("Ada", "Ben"))).started()


def test_a_killed_store_is_503_and_then_back(shared: Serving, table: Table, rng: Any):
    """The parent starts it again; the workers are the same, and go on by themselves."""
    workers = shared.workers()
    actor = table.actor()
    body = table.choice(actor, rng)
    (store,) = shared.store()
    seen = []
    for key in ("one", "two", "three"):
        kill(store)
        answer = table.act(actor, body, key=key)
        seen += [unavailable(answer)]
        shared.wait_until_ready()
        (store,) = shared.store()
        assert table.act(actor, body, key=key).status_code == 200
        actor = table.actor()
        body = table.choice(actor, rng)
    assert any(seen)
    assert shared.workers() == workers
    assert shared.status("/healthz") == 200


def test_a_full_store_refuses_moves_and_still_shows_games(shared: Serving, table: Table, rng: Any):
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("CONFIG", "SET", "maxmemory", "1") == b"+OK\r\n"
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("CONFIG", "SET", "maxmemory", "0")
    _recovers(table, actor, body)


def test_a_read_only_store_refuses_moves_and_still_shows_games(
    shared: Serving, table: Table, rng: Any
):
    """It was made a replica of a server that is not there."""
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("REPLICAOF", "127.0.0.1", "1").startswith(b"+OK")
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("REPLICAOF", "NO", "ONE")
    _recovers(table, actor, body)


def test_a_store_that_wants_replicas_refuses_moves(shared: Serving, table: Table, rng: Any):
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("CONFIG", "SET", "min-replicas-to-write", "1") == b"+OK\r\n"
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("CONFIG", "SET", "min-replicas-to-write", "0")
    _recovers(table, actor, body)


def test_a_store_without_its_function_gets_it_again(shared: Serving, table: Table, rng: Any):
    assert shared.tell_store("FUNCTION", "FLUSH") == b"+OK\r\n"
    table.step(rng)


def _refuses_writes_and_reads_on(
    table: Table, actor: Player, body: dict[str, Any], before: bytes
) -> None:
    for _ in range(2):
        assert unavailable(table.act(actor, body, key="k"))
    assert unavailable(actor.post("/v1/games", {"ruleset": RULESET, "seats": 2}))
    assert unavailable(actor.post("/v1/players", {"name": "Late"}))
    assert actor.get(table.path).content == before
    for path in (f"{table.path}/events", f"{table.path}/actions", "/v1/games", "/"):
        assert actor.get(path).status_code == 200, path
    # Each worker's live reader comes back at a time of its own after the store was away.
    wait_until(lambda: actor.get("/readyz").status_code == 200, 20)
    # What is wrong with a request is still told first.
    assert table.act(actor, {**body, "decision": "1"}).status_code == 422


def _recovers(table: Table, actor: Player, body: dict[str, Any]) -> None:
    answer = table.act(actor, body, key="k")
    assert answer.status_code == 200, answer.text
    assert "idempotency-replayed" not in answer.headers, "the refused tries left nothing behind"
    assert [event["version"] for event in table.events()] == list(
        range(1, table.view()["version"] + 1)
    )


def test_a_damaged_log_is_503_for_that_game_alone(shared: Serving, table: Table, rng: Any):
    other = Table(*table.players).started()
    keys = shared.tell_store("KEYS", f"*{table.id}:events").split(b"\r\n")
    (key,) = (word.decode() for word in keys if word.startswith(b"{"))
    assert shared.tell_store("XDEL", key, "3-0") == b":1\r\n"
    answers = asyncio.run(_asked(f"unix://{shared.store_socket()}", table.path, other.path))
    assert (answers[0].status_code, answers[0].json()["code"]) == (503, "log-damaged")
    assert answers[1].status_code == 200


async def _asked(url: str, *paths: str) -> list[httpx.Response]:
    """Ask an application that has none of the games in memory yet."""
    async with world(url) as fresh:
        return [await fresh.http.get(path) for path in paths]


def test_the_embedded_stores_folder_is_its_owners_alone(shared: Serving):
    assert shared.data.stat().st_mode & 0o077 == 0
    assert shared.store_socket().parent.stat().st_mode & 0o077 == 0
    for path in shared.data.rglob("*.aof"):
        assert path.stat().st_mode & 0o077 == 0
