"""The committed document: the one that is served, valid, and worth reading."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from click.testing import CliRunner
from openapi_spec_validator import OpenAPIV31SpecValidator

from domain.catalogue import CATALOGUE
from service.api.app import OPERATIONS
from service.api.game_shapes import camel
from service.api.problems import KINDS
from service.api.values import END
from service.cli import main
from tests.contract.document import FILE, ROOT, at, document, faults, operations, resolved
from tests.service.players import Player
from tests.service.serving import Serving


def test_it_is_what_the_command_prints():
    printed = CliRunner().invoke(main, ["openapi"]).stdout_bytes
    assert printed == FILE.read_bytes(), "the contract changed: make openapi, and look at the diff"


def test_it_is_what_the_service_serves(serving: Serving):
    answer = Player(serving.address, None).get("/openapi.json")
    assert answer.content == FILE.read_bytes()
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("seed", ["0", "1", "4321"])
def test_it_does_not_depend_on_the_process(seed: str):
    program = (
        "import sys; from service.api.app import contract_bytes as c; sys.stdout.buffer.write(c())"
    )
    environment = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    assert done.stdout == FILE.read_bytes()


def test_it_is_valid_openapi():
    assert [str(error) for error in OpenAPIV31SpecValidator(document()).iter_errors()] == []


def test_every_operation_of_the_service_is_in_it():
    described = {(method.upper(), path): each["operationId"] for method, path, each in operations()}
    assert described == {
        (each.method, each.path.replace(":str}", "}")): each.id for each in OPERATIONS
    }


# What a client author needs.


@pytest.mark.parametrize("place", list(operations()), ids=lambda place: place[2]["operationId"])
def test_an_operation_explains_itself(place: tuple[str, str, dict[str, Any]]):
    _, path, operation = place
    assert re.fullmatch("[a-z][A-Za-z]+", operation["operationId"])
    assert 3 <= len(operation["summary"]) <= 40
    assert operation["description"].endswith(".")
    assert len(operation["description"]) > len(operation["summary"]) + 15
    assert len(operation["tags"]) == 1
    assert isinstance(operation["security"], list), "say [] where anybody may"
    parameters = [
        *document()["paths"][path].get("parameters", []),
        *operation.get("parameters", []),
    ]
    assert set(re.findall(r"{(\w+)}", path)) == {
        each["name"] for each in parameters if each["in"] == "path"
    }
    for each in parameters:
        assert each["description"].endswith("."), each
        assert each["required"] is (each["in"] == "path")
        assert each["schema"]
    for status, response in operation["responses"].items():
        assert resolved(response)["description"], status


def test_tags_are_described_and_used():
    described = {tag["name"] for tag in document()["tags"] if tag["description"].endswith(".")}
    used = {tag for *_, operation in operations() for tag in operation["tags"]}
    assert described == used


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body that is described: of requests, of answers, of problems."""
    for *_, operation in operations():
        name = operation["operationId"]
        if "requestBody" in operation:
            for media_type, content in operation["requestBody"]["content"].items():
                yield f"{name} request {media_type}", content
        for status, response in operation["responses"].items():
            for media_type, content in resolved(response).get("content", {}).items():
                yield f"{name} {status} {media_type}", content


@pytest.mark.parametrize(
    ("place", "content"), [pytest.param(*each, id=each[0]) for each in contents()]
)
def test_every_body_has_examples_that_fit_it(place: str, content: dict[str, Any]):
    assert content["examples"], "let tests/contract/examples.py play it, then make openapi"
    for name, example in content["examples"].items():
        assert re.fullmatch("[a-z][a-z0-9-]*", name), name
        assert faults(content["schema"], example["value"]) == [], name


def test_every_game_has_examples_of_its_own():
    by_name = {each["operationId"]: each for *_, each in operations()}
    for name, status in (("createGame", "201"), ("act", "200"), ("listActions", "200")):
        content = by_name[name]["responses"][status]["content"]["application/json"]
        assert content["examples"].keys() >= CATALOGUE.keys(), name


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_is_documented_with_its_page(code: str):
    kind = KINDS[code]
    response = document()["components"]["responses"][code]
    assert f"/docs/problems/{code}" in response["description"]
    assert kind.meaning in response["description"]
    (content,) = response["content"].values()
    example = content["examples"][code]["value"]
    assert (example["code"], example["status"]) == (code, kind.status)
    assert example["type"] == f"/docs/problems/{code}"


def test_problems_name_the_codes_that_can_occur():
    for *_, operation in operations():
        for status, reference in operation["responses"].items():
            if int(status) < 400:
                continue
            (content,) = resolved(reference)["content"].values()
            code = content["schema"]["properties"]["code"]
            codes = code.get("enum", [code.get("const")])
            assert {KINDS[each].status for each in codes} == {int(status)}
            assert content["examples"].keys() == set(codes)


def test_links_lead_from_the_first_request_to_the_last():
    edges = set()
    known = {operation["operationId"]: (path, operation) for _, path, operation in operations()}
    for *_, operation in operations():
        for response in operation["responses"].values():
            for link in resolved(response).get("links", {}).values():
                path, target = known[link["operationId"]]
                assert link["description"].endswith(".")
                names = {
                    each["name"]
                    for each in (
                        *document()["paths"][path].get("parameters", []),
                        *target.get("parameters", []),
                    )
                }
                assert link["parameters"].keys() <= names
                edges.add((operation["operationId"], link["operationId"]))
    assert edges >= {
        ("createGame", "takeSeat"),
        ("takeSeat", "startGame"),
        ("startGame", "listActions"),
        ("listActions", "act"),
        ("act", "listEvents"),
    }


# Schemas.


def schemas() -> Iterator[tuple[str, Any]]:
    """Every schema and subschema, with its place."""
    waiting = [(f"components/{name}", each) for name, each in _components().items()]
    for method, path, operation in operations():
        place = f"{method} {path}"
        parameters = operation.get("parameters", [])
        waiting += [(f"{place} {each['name']}", each["schema"]) for each in parameters]
    waiting += [(place, content["schema"]) for place, content in contents()]
    while waiting:
        place, schema = waiting.pop()
        yield place, schema
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                waiting.append((f"{place}/{key}", schema[key]))
        for key in ("anyOf", "oneOf", "allOf"):
            waiting += [(f"{place}/{key}", each) for each in schema.get(key, ())]
        for name, each in schema.get("properties", {}).items():
            waiting.append((f"{place}/{name}", each))


def _components() -> dict[str, Any]:
    return document()["components"]["schemas"]


def test_schemas_say_something():
    free = {"RulesetDetail/options_schema", "Problem/legal/items"}  # JSON of any kind, by intent
    for place, schema in schemas():
        if place.removeprefix("components/") in free:
            assert schema == {"type": "object"}
        else:
            assert schema.keys() & {"type", "$ref", "anyOf", "oneOf", "const"}, place
            if schema.get("type") == "object":
                assert schema.keys() & {"properties", "additionalProperties"}, place
            if schema.get("type") == "array":
                assert "items" in schema, place


@pytest.mark.parametrize("ruleset", CATALOGUE.values(), ids=lambda ruleset: ruleset.id)
def test_the_schema_of_options_is_that_of_the_document(serving: Serving, ruleset: Any):
    """A client may build its form from either."""
    answer = Player(serving.address, None).get(f"/v1/rulesets/{ruleset.id}")
    given = answer.json()["options_schema"]
    documented = _components()[f"{camel(ruleset)}Options"]
    assert given["properties"].keys() == documented["properties"].keys()
    assert given["additionalProperties"] is False
    validator = jsonschema_rs.Draft202012Validator(given)
    assert validator.is_valid({})
    assert validator.is_valid(msgspec.to_builtins(ruleset.options()))
    assert not validator.is_valid({"unknown": 1})


def test_unions_are_exclusive_and_tagged():
    for place, schema in schemas():
        assert not ("anyOf" in schema and "discriminator" in schema), place
        if "anyOf" in schema:
            structures = [each for each in schema["anyOf"] if _is_structure(each)]
            assert len(structures) <= 1, f"{place}: a union without a tag"
        if "oneOf" in schema and "discriminator" not in schema:
            tags = [_constants(arm) for arm in schema["oneOf"]]
            assert len(set(tags)) == len(tags), place
        elif "oneOf" in schema:
            tag = schema["discriminator"]["propertyName"]
            mapping = schema["discriminator"]["mapping"]
            assert sorted(mapping.values()) == sorted(each["$ref"] for each in schema["oneOf"])
            for value, target in mapping.items():
                arm = at(target)
                assert arm["properties"][tag] == {"type": "string", "const": value}, place
                assert tag in arm["required"], place


def _constants(schema: Any) -> tuple[tuple[str, str], ...]:
    """What tells an inline arm of a union from the others."""
    constants = {name: each.get("const") for name, each in schema["properties"].items()}
    found = tuple((name, value) for name, value in constants.items() if value is not None)
    assert {name for name, _ in found} <= set(schema["required"])
    assert found
    return found


def _is_structure(schema: Any) -> bool:
    target = at(schema["$ref"]) if "$ref" in schema else schema
    return target.get("type") == "object" or "oneOf" in target


def test_bounds_are_integers_and_enumerations_typed():
    for place, schema in schemas():
        for key in ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"):
            assert isinstance(schema.get(key, 0), int), place
        assert "title" not in schema or place.endswith("properties"), place
        if "enum" in schema:
            assert schema["type"] == "string", place
            assert len(set(schema["enum"])) == len(schema["enum"]) > 1


def test_names_of_one_games_schemas_begin_with_the_game():
    """What only one game refers to carries its name; what carries a game's name is its own."""
    games = {camel(ruleset) for ruleset in CATALOGUE.values()}
    for name in _components():
        assert re.fullmatch("[A-Z][A-Za-z0-9]*", name), name
    reached = {game: _reached(f"{game}Game", f"{game}Act", f"{game}CardList") for game in games}
    for name in _components():
        owners = {game for game in games if name.startswith(game)}
        users = {game for game in games if name in reached[game]}
        if owners:
            assert users <= owners, f"{name} is used by {users}"


def _reached(*names: str) -> set[str]:
    waiting, found = [*names], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            text = json.dumps(_components()[name])
            waiting += re.findall(r'"#/components/schemas/(\w+)"', text)
    return found


def requested() -> set[str]:
    """The components that requests are made of."""
    names: set[str] = set()
    for *_, operation in operations():
        if "requestBody" in operation:
            for content in operation["requestBody"]["content"].values():
                text = json.dumps(content["schema"])
                names |= _reached(*re.findall(r'"#/components/schemas/(\w+)"', text))
    return names


@pytest.mark.parametrize("name", sorted(requested()))
def test_requests_are_bounded_closed_and_described(name: str):
    schema = _components()[name]
    assert "description" in schema or "enum" in schema
    if "oneOf" in schema or "enum" in schema:
        return
    if schema["type"] != "object":
        assert schema.keys() & {"pattern", "maximum", "enum"}
        return
    assert schema["additionalProperties"] is False
    for field, each in schema["properties"].items():
        arms = [arm for arm in each.get("anyOf", [each]) if arm != {"type": "null"}]
        for arm in arms:
            obvious = arm.keys() & {"$ref", "enum", "const"} or arm.get("type") == "boolean"
            assert obvious or "description" in each or _bounded(arm), f"{name}.{field}"


def _bounded(schema: Any) -> bool:
    """Whether a schema leaves no size open."""
    if schema.get("type") == "integer":
        return schema.keys() >= {"minimum", "maximum"}
    if schema.get("type") == "string":
        return bool(schema.keys() & {"pattern", "maxLength"})
    return schema.get("type") == "array" and "maxItems" in schema and "items" in schema


def patterns() -> set[str]:
    return {schema["pattern"] for _, schema in schemas() if "pattern" in schema}


@pytest.mark.parametrize("pattern", sorted(patterns()))
def test_patterns_mean_the_same_in_every_language(pattern: str):
    assert pattern.startswith("^"), pattern
    assert pattern.endswith("$"), pattern
    assert not re.search(r"\\[dDwWsSbB]|\(\?", pattern.replace(r"\s*,\s*", "")), pattern


def test_no_pattern_of_a_request_lets_a_line_break_in_at_its_end():
    """Python's ``$`` would; the schemas of other languages would not."""
    seen = set()
    for operation in OPERATIONS:
        if operation.body is not None:
            text = repr(msgspec.json.schema(operation.body.type))
            seen |= set(re.findall(r"'pattern': '(.*?)'", text))
    ends = repr(END)[1:-1].replace("\\\\", "\\")
    assert seen
    for pattern in seen:
        assert pattern.replace("\\\\", "\\").endswith(ends.replace("\\\\", "\\")), pattern


# The package.


def test_the_examples_are_packaged(tmp_path: Path):
    """Without its examples an installed service would serve another document."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as package:
        assert package.read("service/api/examples.json") == (
            (ROOT / "service" / "api" / "examples.json").read_bytes()
        )
