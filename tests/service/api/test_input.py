"""Strict input: nothing is coerced, nothing unknown is passed over, everything is bounded."""

import gzip
import http.client
import json
import socket
from typing import Any

import pytest

from service.api.inbox import MAX_BODY
from tests.service.players import RULESET, Player, Table

JSON = {"Content-Type": "application/json"}
NAME_LENGTH = 40


def post_raw(player: Player, path: str, content: bytes, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return player.request("POST", path, content=content, headers=JSON | named)


def fault(answer: Any) -> dict[str, str]:
    """The one thing that does not fit, which every 422 names by place and pointer."""
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    (error,) = answer.json()["errors"]
    assert set(error) == {"in", "pointer", "detail"}
    assert error["detail"]
    return error


# Bodies.


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"ruleset": RULESET, "seats": "2"}, "/seats"),
        ({"ruleset": RULESET, "seats": 2.5}, "/seats"),
        ({"ruleset": RULESET, "seats": True}, "/seats"),
        ({"ruleset": RULESET, "seats": None}, "/seats"),
        ({"ruleset": RULESET, "seats": 1}, "/seats"),
        ({"ruleset": RULESET, "seats": 6}, "/seats"),
        ({"ruleset": RULESET, "seats": 10**400}, "/seats"),
        ({"ruleset": RULESET}, ""),
        ({"seats": 2}, ""),
        ({"ruleset": "chess", "seats": 2}, "/ruleset"),
        ({"ruleset": RULESET, "seats": 2, "public": "true"}, "/public"),
        ({"ruleset": RULESET, "seats": 2, "public": 1}, "/public"),
        ({"ruleset": RULESET, "seats": 2, "colour": "red"}, ""),
        ({"ruleset": RULESET, "seats": 2, "Seats": 2}, ""),
        ({"ruleset": RULESET, "seats": 2, "options": None}, "/options"),
        ({"ruleset": RULESET, "seats": 2, "options": {"target": "50"}}, "/options/target"),
        ({"ruleset": RULESET, "seats": 2, "options": {"goal": 50}}, "/options"),
        ({"ruleset": RULESET, "seats": 2, "options": {"tofu": 0}}, "/options/tofu"),
        ([], ""),
        ("x", ""),
        (None, ""),
    ],
)
def test_a_game_is_not_opened_by_what_does_not_fit(ada: Player, body: Any, pointer: str):
    error = fault(post_raw(ada, "/v1/games", json.dumps(body).encode()))
    assert (error["in"], error["pointer"]) == ("body", pointer)


def test_options_that_clash_cite_their_rule(ada: Player):
    body = {"ruleset": RULESET, "seats": 2, "options": {"first_player": 4}}
    answer = ada.post("/v1/games", body)
    assert answer.status_code == 409
    told = {name: answer.json()[name] for name in ("code", "rule", "message", "pointer", "detail")}
    assert told == {
        "code": "illegal-options",
        "rule": "SF-1",
        "message": "no_such_first_player",
        "pointer": "/options/first_player",
        "detail": "The first player must be one of the seats 0 to 1.",
    }


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Ada",
        "Ada ",
        "A  da",
        "A\tda",
        "A\nda",
        "A\x00da",
        "A\x7fda",
        "A\x9fda",
        "x" * (NAME_LENGTH + 1),
        7,
        None,
        ["Ada"],
    ],
)
def test_names_have_one_spelling(nobody: Player, name: Any):
    assert fault(nobody.post("/v1/players", {"name": name}))["pointer"] == "/name"


@pytest.mark.parametrize("name", ["A", "Ада Л.", "李", "🥢", "O'Neil-Æ", "x" * NAME_LENGTH])
def test_names_in_any_script(nobody: Player, name: str):
    answer = nobody.post("/v1/players", {"name": name})
    assert (answer.status_code, answer.json()["name"]) == (201, name)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"type": "join", "seat": "0"}, "/seat"),
        ({"type": "join", "seat": -1}, "/seat"),
        ({"type": "join", "seat": 5}, "/seat"),
        ({"type": "join", "nonce": "00" * 15}, "/nonce"),
        ({"type": "join", "nonce": "00" * 33}, "/nonce"),
        ({"type": "join", "nonce": "AA" * 16}, "/nonce"),
        ({"type": "join", "bundled": "random"}, ""),
        ({"type": "stand"}, "/type"),
        ({"seat": 0}, ""),
        ({"type": "bundled"}, ""),
        ({"type": "bundled", "bundled": ""}, "/bundled"),
        ({"type": "bundled", "bundled": "r" * 41}, "/bundled"),
    ],
)
def test_seating_is_strict(ada: Player, running: Table, body: Any, pointer: str):
    assert fault(ada.post(f"{running.path}/seats", body))["pointer"] == pointer


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"decision": "1"}, "/decision"),
        ({"decision": 0}, "/decision"),
        ({"decision": 1_000_001}, "/decision"),
        ({"action": {"type": "Pass"}}, "/action/type"),
        ({"action": {"type": "pass", "seat": 1}}, "/action"),
        ({"action": {"type": "cook", "cards": "noodles"}}, "/action/cards"),
        ({"action": {"type": "cook", "cards": ["pork", "noodle", "ginger"]}}, "/action/cards/1"),
        ({"action": {"type": "discard_pair", "cards": ["pork"]}}, "/action/cards"),
        ({"action": None}, "/action"),
        ({"seat": 1}, ""),
    ],
)
def test_actions_are_strict(ada: Player, running: Table, change: Any, pointer: str):
    body = {"ruleset": RULESET, "decision": 1, "action": {"type": "pass"}} | change
    assert fault(running.act(ada, body))["pointer"] == pointer


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" ",
        b"{",
        b"{'name':'Ada'}",
        b'{"name":"Ada"} {}',
        b'{"name":"Ada",}',
        b'{"name":NaN}',
        b'{"name":"\xff"}',
        b'{"name":"\\ud800"}',
        b'\xef\xbb\xbf{"name":"Ada"}',
        '{"name":"Ada"}'.encode("utf-16"),
        b"[" * 50_000,
        b'{"name":' * 6_000,
        b"name=Ada",
        b'{"name":"Ada","name":"Ada"}',
        b'{"name":7}{',
        b'{"colour":"red",',
    ],
)
def test_what_is_no_json_in_utf_8_is_400(nobody: Player, content: bytes):
    answer = post_raw(nobody, "/v1/players", content)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")


@pytest.mark.parametrize(
    "declared",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json5",
        "application/merge-patch+json",
        "application/json; charset=latin-1",
        "application/json; charset=utf-8; x=y",
        "application/json, application/json",
        "json",
        "",
    ],
)
def test_other_media_types_are_415(nobody: Player, declared: str):
    headers = {"Content-Type": declared}
    answer = nobody.request("POST", "/v1/players", content=b'{"name":"A"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")
    assert answer.headers["accept-post"] == "application/json"


@pytest.mark.parametrize(
    "declared",
    ["application/json", "Application/JSON", "application/json;charset=UTF-8",
     'application/json; charset="utf-8"'],
)  # fmt: skip
def test_json_may_be_declared_in_every_way(nobody: Player, declared: str):
    headers = {"Content-Type": declared}
    answer = nobody.request("POST", "/v1/players", content=b'{"name":"A"}', headers=headers)
    assert answer.status_code == 201


def test_a_compressed_body_is_415(nobody: Player):
    content = gzip.compress(b'{"name":"Ada"}')
    answer = post_raw(nobody, "/v1/players", content, Content_Encoding="gzip")
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")


def _padded(size: int) -> bytes:
    return b'{"name":"Ada"}'.ljust(size)


def test_the_largest_body_is_taken_and_one_byte_more_is_not(nobody: Player):
    assert post_raw(nobody, "/v1/players", _padded(MAX_BODY)).status_code == 201
    answer = post_raw(nobody, "/v1/players", _padded(MAX_BODY + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


@pytest.mark.parametrize("size", [MAX_BODY, MAX_BODY + 1, 3_000_000])
def test_a_body_in_chunks_has_the_same_bound(nobody: Player, size: int):
    def chunks() -> Any:
        content = _padded(size)
        for start in range(0, size, 10_000):
            yield content[start : start + 10_000]

    answer = nobody.request("POST", "/v1/players", content=chunks(), headers=JSON)
    assert answer.status_code == (201 if size == MAX_BODY else 413), answer.text


def test_an_announced_flood_is_refused_before_it_comes(address: str):
    """The answer comes although not one byte of the body was sent."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as connection:
        lines = ("POST /v1/players HTTP/1.1", f"Host: {host}", "Content-Type: application/json",
                 "Content-Length: 100000000000", "", "")  # fmt: skip
        connection.sendall("\r\n".join(lines).encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "body-too-large")


def test_commands_without_a_body_take_none(ada: Player, running: Table):
    for answer in (
        ada.request("POST", f"{running.path}/start", content=b"{}", headers=JSON),
        ada.request("DELETE", f"{running.path}/seats/0", content=b" "),
    ):
        assert fault(answer)["in"] == "body"
    large = ada.request("POST", f"{running.path}/start", content=b" " * (MAX_BODY + 1))
    assert large.status_code == 413


# Query parameters.


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("/v1/games?colour=red", "/colour"),
        ("/v1/games?limit=20&limit=20", "/limit"),
        ("/v1/games?Limit=20", "/Limit"),
        ("/v1/games?limit", "/limit"),
        ("/v1/games?limit=", "/limit"),
        ("/v1/games?limit=0", "/limit"),
        ("/v1/games?limit=101", "/limit"),
        ("/v1/games?limit=020", "/limit"),
        ("/v1/games?limit=+20", "/limit"),
        ("/v1/games?limit=2_0", "/limit"),
        ("/v1/games?limit=20.0", "/limit"),
        ("/v1/games?limit=2e1", "/limit"),
        ("/v1/games?limit=-1", "/limit"),
        ("/v1/games?limit=%D9%A2", "/limit"),
        ("/v1/games?limit=99999999999999999999", "/limit"),
        ("/v1/games?status=Open", "/status"),
        ("/v1/games?status=", "/status"),
        ("/v1/games?cursor=%21", "/cursor"),
        ("/v1/games?cursor=abcd", "/cursor"),
        ("/v1/games?cursor=", "/cursor"),
        ("/v1/games?limit=%FF", ""),
        ("/v1/games?=1", "/"),
        ("/v1/players/me?x=1", "/x"),
        ("/v1/rulesets?lang=de", "/lang"),
        ("/healthz?x", "/x"),
        ("{game}?version=0", "/version"),
        ("{game}?version=1000001", "/version"),
        ("{game}?version=latest", "/version"),
        ("{game}/events?after=1", "/after"),
        ("{game}/events?after=01.00000000", "/after"),
        ("{game}/events?after=1.0000000G", "/after"),
        ("{game}/events?limit=501", "/limit"),
        ("{game}/actions?seat=0", "/seat"),
    ],
)
def test_query_parameters_are_strict(ada: Player, running: Table, path: str, pointer: str):
    error = fault(ada.get(path.format(game=running.path)))
    assert (error["in"], error["pointer"]) == ("query", pointer)


def test_several_faults_of_a_query_are_told_at_once(ada: Player):
    answer = ada.get("/v1/games?limit=x&colour=red&colour=red")
    assert [error["pointer"] for error in answer.json()["errors"]] == [
        "/limit",
        "/colour",
        "/colour",
    ]


# Paths: ids and numbers have one spelling.


def test_ids_have_one_spelling(ada: Player, running: Table):
    game = running.id
    for other in (game.upper(), game + "0", game[:-1], f"{game}%00", f"%20{game}", "%FF" * 16):
        answer = ada.get(f"/v1/games/{other}")
        assert answer.status_code == 404, other
        assert answer.json()["code"] in ("game-not-found", "route-not-found")
    for seat in ("00", "01", "+1", "-1", "1.0", "x", "%D9%A1", "1" * 30):
        answer = ada.delete(f"{running.path}/seats/{seat}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), seat


@pytest.mark.parametrize(
    "path", ["/v1/games/", "//v1/games", "/v1//games", "/v1%2Fgames", "/v1/games%2f", "/V1/games"]
)
def test_addresses_have_one_spelling(address: str, path: str):
    host, port = address.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=5)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (404, "route-not-found")
    connection.close()


# Headers.


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Idempotency-Key", ""),
        ("Idempotency-Key", "two words"),
        ("Idempotency-Key", "k" * 256),
        ("Idempotency-Key", "schlüssel".encode()),
        ("If-Match", ""),
        ("If-Match", "17.9f86d081.s0"),
        ("If-Match", '"17'),
        ("If-Match", '"a" "b"'),
        ("If-Match", '*, "a"'),
        ("If-Match", 'w/"a"'),
    ],
)
def test_headers_are_strict(ada: Player, running: Table, name: str, value: Any):
    answer = ada.request("POST", f"{running.path}/start", headers={name: value})
    error = fault(answer)
    assert (error["in"], error["pointer"]) == ("header", f"/{name}")


def test_if_none_match_is_strict(ada: Player, running: Table):
    error = fault(ada.get(running.path, if_none_match="17"))
    assert error["pointer"] == "/If-None-Match"


@pytest.mark.parametrize("key", ["k", "k" * 255, "!~\"'<>", "8e03978e-40d5-43dd-bc93-6894a57f9324"])
def test_keys_that_are_taken(ada: Player, key: str):
    answer = ada.post("/v1/games", {"ruleset": RULESET, "seats": 2}, key=key)
    assert answer.status_code == 201


def _twice(player: Player, method: str, path: str, name: str, *values: str) -> Any:
    """Send a header twice, on a raw connection."""
    host, port = str(player.http.base_url).removeprefix("http://").rstrip("/").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=5)
    connection.putrequest(method, path)
    if name != "Authorization":
        connection.putheader("Authorization", f"Bearer {player.token}")
    for value in values:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    return answer.status, body["code"]


def test_headers_that_come_twice(ada: Player, ben: Player, running: Table):
    """A key or a token that comes twice is ambiguous; entity tags in two lines are one list."""
    start = f"{running.path}/start"
    assert _twice(ada, "POST", start, "Idempotency-Key", "a", "b") == (422, "invalid")
    assert _twice(ada, "POST", start, "Idempotency-Key", "a", "a") == (422, "invalid")
    token = f"Bearer {ada.token}"
    assert _twice(ada, "GET", "/v1/players/me", "Authorization", token, token)[0] == 401
    tag = ada.get(running.path).headers["etag"]
    assert _twice(ada, "POST", start, "If-Match", '"1.00000000.-"', tag) == (409, "game-started")
    assert _twice(ada, "POST", start, "If-Match", '"1.00000000.-"', '"x"')[0] == 412
    types = ("application/json", "application/json")
    assert _twice(ada, "POST", "/v1/games", "Content-Type", *types)[0] in (400, 415)


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Basic QTpC", "Token abc", "Bearer pt_none", "Bearer \xe9", "bearer x y"],
)  # fmt: skip
def test_tokens_that_are_none(nobody: Player, running: Table, header: str):
    """Wherever a token is looked at, a bad one is refused, even where none is needed."""
    for path in ("/v1/players/me", running.path):
        answer = nobody.request("GET", path, headers={"Authorization": header.encode("latin-1")})
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"].startswith('Bearer realm="potluck"')


def test_the_scheme_may_be_in_any_case(ada: Player):
    headers = {"Authorization": f"bEARER {ada.token}"}
    answer = ada.request("GET", "/v1/players/me", headers=headers)
    assert answer.status_code == 200


def test_where_no_token_is_looked_at_a_bad_one_does_no_harm(nobody: Player):
    for path in ("/v1/games", "/v1/rulesets", "/healthz", "/openapi.json"):
        assert nobody.get(path, authorization="Bearer pt_none").status_code == 200
