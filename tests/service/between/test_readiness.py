"""Readiness tells how the way to the store is, and what comes back is found without a restart."""

import random

import pytest
from redis import Redis

from tests.service.between.meddler import Delay, Fate, Meddler, Refuse, Words
from tests.service.players import Player, Table
from tests.service.process.conftest import unavailable
from tests.service.serving import Serving
from tests.service.store.servers import Server, wait_until

SCRIPTED = {
    "full": ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "read-only": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "without its function": ("FUNCTION FLUSH", "PING"),
}


def table_of(serving: Serving) -> Table:
    return Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()


def test_no_way_to_the_store(serving: Serving, between: Meddler, rng: random.Random):
    """Alive, not ready, 503 for what needs the store; then all as before, by itself."""
    table = table_of(serving)
    actor = table.actor()
    body = table.choice(actor, rng)
    workers = serving.workers()
    between.refusing = True
    between.cut_all()
    wait_until(lambda: serving.status("/readyz") == 503)
    assert serving.status("/healthz") == 200
    assert unavailable(table.act(actor, body, key="k"))
    assert unavailable(actor.get(table.path))
    between.refusing = False
    serving.wait_until_ready()
    answer = table.act(actor, body, key="k")
    assert answer.status_code == 200
    assert "idempotency-replayed" not in answer.headers
    assert serving.workers() == workers


def test_a_store_that_answers_too_late(serving: Serving, between: Meddler, rng: random.Random):
    """Nobody waits for ever; what was carried out meanwhile is known by its key."""
    table = table_of(serving)
    actor = table.actor()
    body = table.choice(actor, rng)

    def late(words: Words) -> Fate:
        return Delay(8) if words[0] in (b"FCALL", b"PING") else None

    between.fates = late
    assert unavailable(table.act(actor, body, key="k"))
    assert unavailable(Player(serving.address, None).get("/readyz"))
    between.fates = lambda _: None
    serving.wait_until_ready()
    answer = table.act(actor, body, key="k")
    assert answer.status_code == 200
    assert answer.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize(
    "error", ["LOADING still reading", "CLUSTERDOWN", "MASTERDOWN", "NOAUTH no", "ERR what?"]
)
def test_a_store_that_refuses_everything(serving: Serving, between: Meddler, error: str):
    """Whatever it says: 503 with the time to wait, and nothing of its words to strangers."""
    between.fates = lambda words: None if words[0] == b"SSUBSCRIBE" else Refuse(f"{error} s3cret")
    nobody = Player(serving.address, None)
    for path in ("/readyz", "/v1/games"):
        answer = nobody.get(path)
        assert unavailable(answer)
        assert "s3cret" not in answer.text
    between.fates = lambda _: None
    serving.wait_until_ready()


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_store_in_a_bad_way(serving: Serving, store: Server, name: str, rng: random.Random):
    """Moves are refused or carried out, never both; reading goes on; it passes by itself."""
    table = table_of(serving)
    raw = Redis.from_url(store.url)
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    worse, better = SCRIPTED[name]
    raw.execute_command(*worse.split())
    answer = table.act(actor, body, key="k")
    if answer.status_code != 200:
        assert unavailable(answer)
        assert actor.get(table.path).content == before
    raw.execute_command(*better.split())
    again = table.act(actor, body, key="k")
    assert again.status_code == 200, again.text
    assert ("idempotency-replayed" in again.headers) == (answer.status_code == 200)
    assert name != "without its function" or answer.status_code == 200
    raw.close()


def test_a_store_that_was_restarted(serving: Serving, store: Server, rng: random.Random):
    table = table_of(serving)
    for way in ("politely", "for good"):
        actor = table.actor()
        body = table.choice(actor, rng)
        assert store.process
        if way == "politely":
            store.process.terminate()
            store.process.wait(10)
        else:
            store.kill()
        wait_until(lambda: serving.status("/readyz") == 503)
        assert unavailable(table.act(actor, body, key=way.replace(" ", "-")))
        store.start()
        serving.wait_until_ready()
        assert table.act(actor, body, key=way.replace(" ", "-")).status_code == 200


@pytest.mark.parametrize("kind", ["events", "keys"])
def test_a_key_of_a_wrong_type(serving: Serving, store: Server, kind: str, rng: random.Random):
    """That game is damaged; the others go on."""
    table, other = table_of(serving), table_of(serving)
    raw = Redis.from_url(store.url)
    actor = table.actor()
    body = table.choice(actor, rng)
    assert table.act(actor, body, key="one").status_code == 200
    actor = table.actor()
    body = table.choice(actor, rng)
    (key,) = raw.keys(f"*:game:{table.id}:{kind}")
    kept = raw.dump(key)
    raw.set(key, "something else")
    answer = table.act(actor, body, key="two")
    assert (answer.status_code, answer.json()["code"]) == (503, "log-damaged")
    if kind == "events":
        assert actor.get(table.path).json()["code"] == "log-damaged"
    other.step(rng)
    raw.restore(key, 0, kept, replace=True)
    assert table.act(actor, body, key="two").status_code == 200
    raw.close()
