"""Odd JSON in every request body: never a fault, always an answer that is documented."""

import json
from typing import Any

import pytest

from tests.contract.document import at, operations, response_faults
from tests.service.players import Player
from tests.service.serving import Serving

JSON = {"Content-Type": "application/json"}


def with_bodies() -> list[Any]:
    return [
        pytest.param(method, path, operation, id=operation["operationId"])
        for method, path, operation in operations()
        if "requestBody" in operation
    ]


def written(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def replaced(value: Any, old: Any, new: bytes) -> bytes:
    """Write a value with some JSON text in the place of one of its parts."""
    return written(value).replace(written(old), new, 1)


def parts(value: Any) -> list[Any]:
    """All texts and numbers in a JSON value."""
    if isinstance(value, dict):
        return [part for each in value.values() for part in parts(each)]
    if isinstance(value, list):
        return [part for each in value for part in parts(each)]
    return [] if isinstance(value, bool) or value is None else [value]


MALFORMED = {
    "empty": b"",
    "a blank": b" ",
    "a byte order mark": b'\xef\xbb\xbf{"a":1}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "a broken byte": b'{"a":"\xff"}',
    "an encoded surrogate": b'{"a":"\xed\xa0\x80"}',
    "a lone surrogate": b'{"a":"\\ud800"}',
    "a raw NUL": b'{"a":"\x00"}',
    "a raw line break": b'{"a":"\n"}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":-Infinity}',
    "a leading zero": b'{"a":01}',
    "a trailing comma": b'{"a":1,}',
    "two values": b'{"a":1} {"a":1}',
    "a comment": b'{"a":1 /* one */}',
    "single quotes": b"{'a':1}",
    "cut short": b'{"a":1',
    "deep arrays": b"[" * 60_000,
    "deep objects": b'{"a":' * 10_000,
    "deep and closed": b"[" * 30_000 + b"]" * 30_000,
    "a member twice": b'{"a":1,"a":1}',
    "a member twice within": b'{"a":{"b":1,"b":2}}',
    "a form": b"a=1&b=2",
}

NUMBERS = [b"1e400", b"-1e400", b"1" + b"0" * 5000, b"-1", b"1.5", b"1e30", b"18446744073709551616"]
ANYTHING = [b"null", b"true", b"[]", b"{}", b'""', b'"\\u0000"', b'"x\\n"', b"0", b'"1"']


@pytest.fixture(scope="module")
def host(serving: Serving) -> Player:
    return Player(serving.address, "Ada")


@pytest.fixture(scope="module")
def table(host: Player) -> str:
    opened = host.post("/v1/games", {"ruleset": "stir-fry-eighteen", "seats": 2})
    return opened.json()["game"]["id"]


def asked(host: Player, method: str, path: str, operation: Any, table: str, body: bytes) -> int:
    """Send a body and check the answer against the document."""
    address = path.replace("{game}", table).replace("{motion}", "1")
    answer = host.request(method.upper(), address, content=body, headers=JSON)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    found = response_faults(operation, answer.status_code, headers, answer.content)
    assert found == [], f"{body[:100]!r} gave {answer.status_code}: {answer.text[:300]}"
    assert answer.status_code < 500
    return answer.status_code


@pytest.mark.parametrize(("method", "path", "operation"), with_bodies())
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_json_is_400(
    host: Player, table: str, method: str, path: str, operation: Any, body: bytes
):
    assert asked(host, method, path, operation, table, body) == 400


@pytest.mark.parametrize(("method", "path", "operation"), with_bodies())
def test_what_fits_no_schema_is_422(
    host: Player, table: str, method: str, path: str, operation: Any
):
    for example in examples(operation):
        for body in (b"[]", b"null", b'"x"', b"1", written([example])):
            assert asked(host, method, path, operation, table, body) == 422
        odd = written({**example, "unknown": 1})
        assert asked(host, method, path, operation, table, odd) == 422
        for name in required(operation, example):
            odd = written({key: value for key, value in example.items() if key != name})
            assert asked(host, method, path, operation, table, odd) == 422
        again = written(example)[:-1] + b"," + written(example)[1:]
        assert asked(host, method, path, operation, table, again) == 400, "every member twice"


@pytest.mark.parametrize(("method", "path", "operation"), with_bodies())
def test_odd_values_are_refused_where_they_stand(
    host: Player, table: str, method: str, path: str, operation: Any
):
    for example in examples(operation):
        for part in parts(example):
            for odd in (*ANYTHING, *NUMBERS):
                asked(host, method, path, operation, table, replaced(example, part, odd))
            for odd in (b"NaN", b'"\\udfff"', b'"\xff"'):
                body = replaced(example, part, odd)
                assert asked(host, method, path, operation, table, body) == 400
            if isinstance(part, int):
                for odd in (b'"%d"' % part, b"true", b"%d.5" % part, b"1e400"):
                    body = replaced(example, part, odd)
                    assert asked(host, method, path, operation, table, body) == 422


@pytest.mark.parametrize("spelt", [b"2", b"2.0", b"2e0", b"20e-1", b"0.2e1", b"2.000"])
def test_a_number_is_what_it_is_worth(host: Player, spelt: bytes):
    """JSON Schema's integers are numbers without a fraction, however they are spelt."""
    body = b'{"ruleset":"stir-fry-eighteen","seats":%s}' % spelt
    answer = host.request("POST", "/v1/games", content=body, headers=JSON)
    assert (answer.status_code, len(answer.json()["game"]["seats"])) == (201, 2)


@pytest.mark.parametrize("spelt", [b"2.5", b'"2"', b"true", b"null", b"2.0000000000000009", b"1e1"])
def test_nothing_is_coerced(host: Player, spelt: bytes):
    body = b'{"ruleset":"stir-fry-eighteen","seats":%s}' % spelt
    answer = host.request("POST", "/v1/games", content=body, headers=JSON)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/seats")


def test_a_member_twice_is_named(host: Player):
    body = b'{"ruleset":"stir-fry-eighteen","seats":2,"options":{"target":20,"target":30}}'
    answer = host.request("POST", "/v1/games", content=body, headers=JSON)
    assert answer.status_code == 400
    assert "'target'" in answer.json()["detail"]


def examples(operation: Any) -> list[Any]:
    content = operation["requestBody"]["content"]["application/json"]
    return [example["value"] for example in content["examples"].values()]


def required(operation: Any, example: Any) -> set[str]:
    """The members that a request like the example must have."""
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    while "required" not in schema:
        if "oneOf" in schema:
            choice = schema["discriminator"]
            schema = at(choice["mapping"][example[choice["propertyName"]]])
        else:
            schema = at(schema["$ref"])
    return set(schema["required"])
