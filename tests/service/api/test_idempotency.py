"""Idempotency-Key: a retry is safe for as long as the game lives."""

import json
import random
import threading
from typing import Any

import httpx
import pytest

from tests.service.api.conftest import Past
from tests.service.players import RULESET, Player, Table

NEW = {"ruleset": RULESET, "seats": 2}


def same(first: httpx.Response, again: httpx.Response) -> None:
    """A repeat has the status, the body and the headers of the first answer, and says so."""
    assert again.status_code == first.status_code < 300, again.text
    assert again.content == first.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    for name in ("etag", "location", "cache-control", "vary", "content-type"):
        assert again.headers.get(name) == first.headers.get(name), name


def reused(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (409, "key-reused")


def test_a_repeat_of_each_command(ada: Player, ben: Player):
    table = Table(ada, ben)
    join = {"type": "join", "seat": 0}
    sent = [("POST", "/v1/games", NEW), ("POST", f"{table.path}/seats", join)]
    sent += [("DELETE", f"{table.path}/seats/0", None), ("POST", f"{table.path}/start", None)]
    for method, path, body in sent:
        if path.endswith("/start"):
            table.seated()
        more = {} if body is None else {"json": body}
        headers = {"Idempotency-Key": "once"}
        first = ada.request(method, path, headers=headers, **more)
        before = len(table.events())
        for _ in range(2):
            same(first, ada.request(method, path, headers=headers, **more))
        assert len(table.events()) == before


def test_a_repeat_shows_what_the_first_answer_showed(rng: random.Random, address: str):
    """After other moves, and after the end and the seal, when everything else is open."""
    players = [Player(address, name) for name in ("Ada", "Ben", "Cy")]
    table = Table(*players, max_turns=2).started()
    kept = []
    for number in range(3):
        actor = table.actor()
        body = table.choice(actor, rng)
        kept.append((actor, body, f"k{number}", table.act(actor, body, key=f"k{number}")))
        for who, what, key, first in kept:
            same(first, table.act(who, what, key=key))
    table.played(rng)
    assert table.view()["status"] == "sealed"
    for who, what, key, first in kept:
        again = table.act(who, what, key=key)
        same(first, again)
        assert again.json()["game"]["seed"] is None
        hands = [player["hand"] for player in again.json()["game"]["board"]["players"]]
        assert sum(hand is not None for hand in hands) == 1


def test_another_body_is_refused_and_changes_nothing(ada: Player, ben: Player, rng: Any):
    table = Table(ada, ben).started()
    actor = table.actor()
    body = table.choice(actor, rng)
    first = table.act(actor, body, key="k")
    before = table.events()
    reused(table.act(actor, {**body, "decision": body["decision"] + 1}, key="k"))
    spaced = json.dumps(body, indent=1).encode()
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    reused(actor.request("POST", f"{table.path}/actions", content=spaced, headers=headers))
    assert table.events() == before
    same(first, table.act(actor, body, key="k"))


def test_refusals_are_not_remembered(ada: Player, ben: Player):
    table = Table(ada, ben)
    early = ada.post(f"{table.path}/start", key="k")
    assert early.json()["code"] == "seats-free"
    stale = ada.post(f"{table.path}/seats", {"type": "join"}, key="k", if_match='"x"')
    assert stale.json()["code"] == "stale-version"
    table.seated()
    late = ada.post(f"{table.path}/start", key="k")
    assert (late.status_code, "idempotency-replayed" in late.headers) == (200, False)
    same(late, ada.post(f"{table.path}/start", key="k"))


def test_a_key_is_scoped_to_player_game_and_operation(ada: Player, ben: Player):
    """The same key by another player, in another game, for another operation: its own command."""
    one, other = Table(ada, ben), Table(ada, ben)
    for table in (one, other):
        for player in (ada, ben):
            taken = player.post(f"{table.path}/seats", {"type": "join"}, key="k")
            assert (taken.status_code, "idempotency-replayed" in taken.headers) == (200, False)
        started = ada.post(f"{table.path}/start", key="k")
        assert (started.status_code, "idempotency-replayed" in started.headers) == (200, False)


def test_a_key_is_scoped_to_the_seat_that_the_path_names(ada: Player, ben: Player):
    table = Table(ada, ben).seated()
    for seat in (0, 1):
        freed = ada.delete(f"{table.path}/seats/{seat}", key="k")
        assert (freed.status_code, "idempotency-replayed" in freed.headers) == (200, False)


def test_another_players_use_of_a_key_learns_nothing(past: Past, cleo: Player):
    """Neither that the key is known, nor what came of it: the answer is as with a fresh key."""
    for player in (past.stranger, cleo):
        for key in (past.key, "fresh"):
            answer = player.post(f"{past.table.path}/actions", past.acted, key=key)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
            assert "idempotency-replayed" not in answer.headers
    fresh = past.host.post(f"{past.table.path}/actions", past.acted, key="fresh").json()
    known = past.host.post(f"{past.table.path}/actions", past.acted, key=past.key).json()
    assert {**fresh, "request_id": ""} == {**known, "request_id": ""}
    assert fresh["code"] == "game-over"


def test_creating_a_game_with_a_key_derives_its_id(ada: Player, ben: Player):
    first = ada.post("/v1/games", NEW, key="mine")
    game = first.json()["game"]["id"]
    assert first.status_code == 201
    assert first.headers["location"] == f"/v1/games/{game}"
    same(first, ada.post("/v1/games", NEW, key="mine"))
    reused(ada.post("/v1/games", {**NEW, "seats": 3}, key="mine"))
    others = [ben.post("/v1/games", NEW, key="mine"), ada.post("/v1/games", NEW, key="other"),
              ada.post("/v1/games", NEW), ada.post("/v1/games", NEW)]  # fmt: skip
    assert len({game, *(answer.json()["game"]["id"] for answer in others)}) == 5


def test_a_created_game_is_shown_as_it_was_created(ada: Player, ben: Player):
    first = ada.post("/v1/games", NEW, key="shown-as-created")
    path = first.headers["location"]
    ben.post(f"{path}/seats", {"type": "join"})
    again = ada.post("/v1/games", NEW, key="shown-as-created")
    same(first, again)
    assert again.json()["game"]["version"] == 1


@pytest.mark.parametrize("what", ["create", "join", "act"])
def test_the_same_key_at_the_same_moment(what: str, address: str, rng: random.Random):
    """Twelve at once: one of them does it, and all are told the same."""
    ada, ben = Player(address, "Ada"), Player(address, "Ben")
    table = Table(ada, ben)
    actor, path, body = ada, "/v1/games", dict[str, Any](NEW)
    if what == "join":
        path, body = f"{table.path}/seats", {"type": "join"}
    elif what == "act":
        table.started()
        actor = table.actor()
        path, body = f"{table.path}/actions", table.choice(actor, rng)
    before = len(table.events())
    copies = [Player(address, None) for _ in range(12)]
    answers: list[httpx.Response] = []
    gate = threading.Barrier(len(copies))

    def send(copy: Player) -> None:
        copy.token = actor.token
        gate.wait()
        answers.append(copy.post(path, body, key="at-once"))

    threads = [threading.Thread(target=send, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.content for answer in answers}) == 1
    assert {answer.status_code for answer in answers} == {201 if what == "create" else 200}
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    if what != "create":
        assert len(table.events()) == before + len(answers[0].json()["events"])


def test_creating_a_player_is_never_a_repeat(nobody: Player):
    """Its answer holds a token, which is shown once: the key is not looked at."""
    first, other = (nobody.post("/v1/players", {"name": "Ada"}, key="k") for _ in range(2))
    assert first.json()["token"] != other.json()["token"]
