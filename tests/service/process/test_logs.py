"""The log: one JSON object a line, and nothing in it that is anybody's secret."""

import json
import random
from collections.abc import Callable

from domain.stir_fry_eighteen.cards import DECK
from tests.service.players import RULESET, Player, Table
from tests.service.serving import Serving
from tests.service.store.servers import wait_until

Serve = Callable[..., Serving]


def test_secrets_are_never_logged(serve: Serve, rng: random.Random):
    """A whole game at the most talkative level, with refusals and a store that takes no writes."""
    serving = serve("--workers", "2").start(POTLUCK_LOG="DEBUG")
    players = [Player(serving.address, f"Zebedee {number}") for number in range(3)]
    stranger = Player(serving.address, "Zebedee 3")
    table = Table(*players, max_turns=6)
    nonce, keys = "5ec2e7" * 6, ["key-7f3a", "key-9c1d"]
    for player in players:
        taken = player.post(f"{table.path}/seats", {"type": "join", "nonce": nonce}, key=keys[0])
        assert taken.status_code == 200
    table.host.post(f"{table.path}/start", key=keys[0])
    while table.asked():
        actor = table.actor()
        body = table.choice(actor, rng)
        assert table.act(stranger, body, key=keys[1]).status_code == 403
        assert table.act(actor, {**body, "decision": 1}, key=keys[1]).status_code == 409
        bad = {**body, "action": {"type": "cook", "cards": ["ginger", "secret-card"]}}
        assert table.act(actor, bad).status_code == 422
        serving.tell_store("CONFIG", "SET", "maxmemory", "1")
        assert table.act(actor, body, key=f"{keys[1]}-{body['decision']}").status_code == 503
        serving.tell_store("CONFIG", "SET", "maxmemory", "0")
        assert table.act(actor, body, key=f"{keys[1]}-{body['decision']}").status_code == 200
    seed = table.view()["seed"]
    assert seed
    table.host.get(f"{table.path}?version=oops")
    table.host.get("/v1/players/me", authorization="Bearer pt_nobody-knows-this")
    assert serving.stop() == 0
    logged = serving.log.read_text() + (serving.data / "server.log").read_text()
    secrets = [player.token for player in (*players, stranger)]
    secrets += [secret.removeprefix("pt_") for secret in secrets]
    secrets += [seed, nonce, *keys, "pt_nobody-knows-this", "secret-card", "Zebedee", *set(DECK)]
    assert [secret for secret in secrets if secret in logged] == []
    for token in (player.token for player in players):
        assert token[3:19] not in logged


def test_the_log_says_what_an_operator_needs(serving: Serving):
    nobody = Player(serving.address, None)
    ids = {nobody.get("/v1/games?limit=5").headers["x-request-id"]: ("GET", "/v1/games", 200)}
    refused = nobody.post("/v1/games", {"ruleset": RULESET})
    ids[refused.headers["x-request-id"]] = ("POST", "/v1/games", 401)
    wait_until(lambda: ids.keys() <= {event.get("request_id") for event in serving.events})
    events = serving.events
    assert all({"event", "level", "timestamp"} <= event.keys() for event in events)
    (started,) = [event for event in events if event["event"] == "serving"]
    assert started["store"] == f"embedded in {serving.data}"
    for event in events:
        if expected := ids.get(event.get("request_id", "")):
            assert (event["method"], event["path"], event["status"]) == expected
            assert event["ms"] > 0
            assert "limit" not in json.dumps(event), "queries are not logged"
