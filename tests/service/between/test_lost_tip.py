"""A log whose tip went backwards: after a restore from a back-up, or a failover that lost a second.

Nobody is shown what the log no longer holds, and nothing is built on it.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from redis import Redis

from tests.service.between.meddler import Meddler
from tests.service.players import Player, Table
from tests.service.serving import Serving
from tests.service.store.servers import Server, wait_until

READS = 8  # enough to meet both workers


@pytest.fixture
def raw(store: Server) -> Iterator[Redis]:
    client = Redis.from_url(store.url, protocol=2)
    yield client
    client.close()


class Backup:
    """All that a store held at one moment."""

    def __init__(self, raw: Redis) -> None:
        self._raw = raw
        self._kept = {key: raw.dump(key) for key in raw.keys("*")}

    def restore(self) -> None:
        """Put it back, as it was; nobody is told."""
        pipe = self._raw.pipeline(transaction=True)
        pipe.flushdb()
        for key, dumped in self._kept.items():
            pipe.restore(key, 0, dumped)
        pipe.execute()


def table_of(serving: Serving, rng: random.Random) -> Table:
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
    for _ in range(3):
        table.step(rng)
    return table


def met_everywhere(table: Table) -> None:
    """Have every worker see the table as it is."""
    for _ in range(READS):
        Player(str(table.host.http.base_url), None).get(table.path)


@contextmanager
def through(table: Table, serving: Serving) -> Iterator[Table]:
    """The same table by way of another service."""
    clients = [player.http for player in table.players]
    for player in table.players:
        player.http = Player(serving.address, None).http
    yield table
    for player, client in zip(table.players, clients, strict=True):
        player.http = client


def test_what_is_gone_is_not_shown(serving: Serving, raw: Redis, rng: random.Random):
    table = table_of(serving, rng)
    backup = Backup(raw)
    before = [player.get(table.path).json() for player in table.players]
    for _ in range(4):
        table.step(rng)
    met_everywhere(table)
    cursor = table.host.get(f"{table.path}/events").json()["next"]
    backup.restore()
    for _ in range(READS):
        fresh = Player(serving.address, None)
        assert fresh.get(table.path).json()["version"] == before[0]["version"]
        answer = fresh.get(f"{table.path}/events?after={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (409, "cursor-reset")
    for player, seen in zip(table.players, before, strict=True):
        assert player.get(table.path).json() == seen


def test_a_command_is_never_decided_on_what_is_gone(
    serving: Serving, raw: Redis, rng: random.Random
):
    """A move in answer to a decision that is gone is refused; its key is as good as new."""
    table = table_of(serving, rng)
    backup = Backup(raw)
    version = table.view()["version"]
    for _ in range(4):
        table.step(rng)
    actor = table.actor()
    body = table.choice(actor, rng)
    met_everywhere(table)
    backup.restore()
    answer = table.act(actor, body, key="late")
    assert answer.status_code == 409, answer.text
    assert table.view()["version"] == version
    table.step(rng)
    assert table.view()["version"] > version


def test_a_log_that_grew_anew_is_read_anew(
    serving: Serving, between: Meddler, store: Server, raw: Redis, rng: random.Random, tmp_path
):
    """Another service went on from the back-up, past the version that this one remembers."""
    table = table_of(serving, rng)
    backup = Backup(raw)
    for _ in range(3):
        table.step(rng)
    ghost = table.view()["version"]
    met_everywhere(table)
    cursor = table.host.get(f"{table.path}/events").json()["next"]
    backup.restore()
    with (
        Serving(tmp_path / "other", redis_url=store.url) as other,
        through(table, other),
    ):
        while table.view()["version"] <= ghost + 1:
            table.step(rng)
        views = [player.get(table.path).json() for player in table.players]
        events = [table.events(player) for player in table.players]
    for _ in range(READS):
        for player, seen, logged in zip(table.players, views, events, strict=True):
            here = Player(serving.address, None)
            here.token = player.token
            assert here.get(table.path).json() == seen
            assert table.events(here) == logged
        answer = here.get(f"{table.path}/events?after={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (409, "cursor-reset")
    table.step(rng)
    assert serving.status("/readyz") == 200


def test_a_tip_that_was_taken_away_is_damage(serving: Serving, raw: Redis, rng: random.Random):
    """The server refuses a version that was given out before: the game stands still, said aloud."""
    table = table_of(serving, rng)
    actor = table.actor()
    body = table.choice(actor, rng)
    version = table.view()["version"]
    (key,) = raw.keys(f"*:game:{table.id}:events")
    assert raw.xdel(key, f"{version}-0") == 1
    answer = table.act(actor, body)
    assert (answer.status_code, answer.json()["code"]) == (503, "log-damaged")
    wait_until(lambda: serving.event("a log is damaged") is not None)
    assert serving.status("/readyz") == 200, "one game's damage is no other's"


def test_a_game_that_is_gone_as_a_whole(serving: Serving, raw: Redis, rng: random.Random):
    """Back-ups hold no games that were made later."""
    backup = Backup(raw)
    table = table_of(serving, rng)
    met_everywhere(table)
    actor = table.actor()
    body = table.choice(actor, rng)
    backup.restore()
    late = Player(serving.address, None)
    for _ in range(READS):
        assert late.get(table.path).status_code == 404
    assert late.post(f"{table.path}/actions", body).status_code == 401
    assert actor.token
