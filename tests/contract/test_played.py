"""Whole games, seen by everybody at every step, against the document; without schemathesis."""

import random
from collections import Counter
from typing import Any

import httpx
import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.forms import fill
from domain.kernel.ruleset import Ruleset
from service.api.game_shapes import union
from tests.contract.document import at, faults, operations, response_faults
from tests.contract.routes import route_of
from tests.service.players import Player
from tests.service.serving import Serving

BY_ID = {operation["operationId"]: operation for *_, operation in operations()}
LOOKS = (
    "",
    "/actions",
    "/events",
    "/claims",
    "/recording",
    "/texts",
    "/players",
    "/rulings",
    "/looks",
)
STEPS_BETWEEN_LOOKS = 10


class Witness:
    """Sees every request and answer, and holds both to the document."""

    def __init__(self, *players: Player) -> None:
        self.seen: Counter[tuple[str, int]] = Counter()
        for player in players:
            player.http.event_hooks["response"].append(self.check)

    def check(self, answer: httpx.Response) -> None:
        answer.read()
        request = answer.request
        operation = BY_ID[route_of(request.method, request.url.path)]
        name = operation["operationId"]
        self.seen[name, answer.status_code] += 1
        described = operation.get("requestBody")
        if described and answer.is_success:
            schema = described["content"]["application/json"]["schema"]
            assert faults(schema, msgspec.json.decode(request.content)) == [], name
        headers = {key.lower(): value for key, value in answer.headers.items()}
        found = response_faults(operation, answer.status_code, headers, answer.content)
        assert found == [], f"{name} {answer.status_code}: {answer.text[:500]}"


@pytest.fixture
def people(serving: Serving) -> list[Player]:
    return [Player(serving.address, name) for name in ("Ada", "Ben", "Cleo", "Dora")]


@pytest.fixture
def witness(people: list[Player], nobody: Player) -> Witness:
    return Witness(*people, nobody)


@pytest.fixture
def nobody(serving: Serving) -> Player:
    return Player(serving.address, None)


def opened(host: Player, ruleset: Ruleset[Any], **more: Any) -> str:
    body = {"ruleset": ruleset.id, "seats": 2, **more}
    return f"/v1/games/{host.post('/v1/games', body).json()['game']['id']}"


@pytest.mark.parametrize("ruleset", CATALOGUE.values(), ids=lambda ruleset: ruleset.id)
def test_a_whole_game_is_as_the_document_says(
    ruleset: Ruleset[Any], people: list[Player], nobody: Player, witness: Witness
):
    rng = random.Random(f"played {ruleset.id}")
    host, guest, stranger, judge = people
    path = opened(host, ruleset)
    viewers = [host, guest, stranger, judge, nobody]

    def look() -> None:
        for viewer in viewers:
            for place in LOOKS:
                viewer.get(path + place)
            now = host.get(path).json()["version"]
            viewer.get(f"{path}?version={rng.randint(1, now)}")
            page = viewer.get(f"{path}/events?limit=3").json()
            viewer.get(f"{path}/events?after={page['next']}&limit=5")
            for place in ("", "/events", "/claims"):
                viewer.get(f"{path}{place}?perspective=seat:1")

    look()
    host.post(f"{path}/judges", {"judge": judge.id})
    for player in (host, guest):
        player.post(f"{path}/seats", {"type": "join", "nonce": rng.randbytes(16).hex()})
    host.post(f"{path}/start", key="start")
    host.post(f"{path}/start", key="start")
    look()
    steps = 0
    while (decision := host.get(path).json()["decision"]) is not None:
        seat = rng.choice(decision["asked"])
        player = (host, guest)[seat]
        form = msgspec.convert(
            rng.choice(player.get(f"{path}/actions").json()["legal"]), union(ruleset.forms)
        )
        body = {"ruleset": ruleset.id, "decision": decision["id"], "action": fill(form, rng)}
        assert player.post(f"{path}/actions", body).status_code == 200
        steps += 1
        if steps % STEPS_BETWEEN_LOOKS == 0:
            look()
        assert steps < 2000
    look()
    for viewer in viewers:
        for listing in ("/v1/games?limit=3", "/v1/games?status=ended", "/v1/players/me/games"):
            viewer.get(listing)
    host.post(f"{path}/rematch")
    assert witness.seen["act", 200] == steps
    assert {name for name, status in witness.seen if status == 200} >= {
        "getGame",
        "listActions",
        "listEvents",
        "listClaims",
        "getRecording",
        "listGames",
        "listMyGames",
    }


def test_refusals_are_as_the_document_says(people: list[Player], nobody: Player, witness: Witness):
    """One refusal of each status, on the operations where it can be had."""
    ruleset = next(iter(CATALOGUE.values()))
    host, guest, stranger, _ = people
    path = opened(host, ruleset)
    hidden = opened(host, ruleset, public=False)
    json = {"Content-Type": "application/json"}
    for place, method, body in [
        ("/seats", "POST", {"type": "join"}),
        ("/seats/0", "DELETE", None),
        ("/start", "POST", None),
        ("/pause", "POST", {"pause": True}),
        ("/actions", "POST", {"ruleset": ruleset.id, "decision": 1, "action": {"type": "pass"}}),
        ("/judges", "POST", {"judge": stranger.id}),
        ("/rulings", "POST", {"ruling": {"type": "note"}, "reason": "So that it is said."}),
        ("/rulings/preview", "POST", {"ruling": {"type": "note"}, "reason": "Just to see."}),
        ("/motions", "POST", {"motion": {"type": "seal_now"}}),
        ("/motions/1/votes", "POST", {"agree": True}),
        ("/invitations", "POST", None),
        ("/rematch", "POST", None),
    ]:
        sent: dict[str, Any] = {} if body is None else {"json": body}
        nobody.request(method, path + place, **sent)
        stranger.request(method, hidden + place, **sent)
        stranger.request(method, path + place, headers={"If-Match": '"1.00000000.-"'}, **sent)
        for language in ("en", "ru", "de", "fr"):
            stranger.request(method, path + place, headers={"Accept-Language": language}, **sent)
        host.request(method, path + place, **sent)
        host.request(method, path + place, headers={"Idempotency-Key": "x" * 256}, **sent)
        host.request(method, f"{path}{place}?unknown=1", **sent)
        if body is None:
            host.request(method, path + place, json={})
            host.request(method, path + place, content=b" " * 100_000)
        else:
            host.request(method, path + place, json={**body, "unknown": 1})
            host.request(method, path + place, content=b"{", headers=json)
            host.request(method, path + place, content=b" " * 100_000, headers=json)
            host.request(method, path + place, content=b"{}", headers={"Content-Type": "text/x"})
    for place in LOOKS:
        stranger.get(hidden + place)
        nobody.get(f"{path}{place}?unknown=1")
        nobody.request("GET", path + place, headers={"Authorization": "Bearer nobody"})
    for place in ("?version=999", "/events?after=1.00000000", "/events?limit=0"):
        guest.get(path + place)
    etag = guest.get(path).headers["etag"]
    guest.get(path, if_none_match=etag)
    statuses = Counter(status for _, status in witness.seen)
    assert statuses.keys() >= {200, 304, 400, 401, 403, 404, 409, 412, 413, 415, 422}


def test_the_problems_that_no_operation_has(nobody: Player):
    """What is at no address, or not with this method, is described beside the operations."""
    for method, path, code in (
        ("GET", "/v1/nothing", "route-not-found"),
        ("PUT", "/v1/games", "method-not-allowed"),
    ):
        answer = nobody.request(method, path)
        described = at(f"#/components/responses/{code}")
        schema = described["content"]["application/problem+json"]["schema"]
        assert answer.headers["content-type"] == "application/problem+json"
        assert faults(schema, answer.json()) == []
        for name, reference in described["headers"].items():
            assert at(reference["$ref"]).get("required") is None or name.lower() in answer.headers
