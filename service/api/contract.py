"""The contract: an OpenAPI 3.1 document made from the operations and their types.

Component schemas come from msgspec; here they are made true where its output is less exact than
what the service does (``oneOf`` with discriminators, constants), and types of one game get the
game's name in front, since each game has its own ``Board`` or ``Cook``.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from importlib import resources
from typing import Any, get_args

import msgspec

from domain.catalogue import CATALOGUE
from service import __version__
from service.api.health import Health
from service.api.inbox import KEY
from service.api.operation import Operation
from service.api.problems import KINDS, MEDIA_TYPE, Kind, Problem
from service.api.shapes import ID_PATTERN, camel, common_types, shapes_of

TAGS = {
    "players": "Identities with a bearer token.",
    "rulesets": "The games: their rules, options and cards.",
    "games": "Tables: open, list, look.",
    "seats": "Who sits where, and the start.",
    "actions": "What a seat may do, and doing it.",
    "events": "The log of a game, the audit of bluffs, recordings.",
    "running": "For whoever runs the service.",
}

ALWAYS = ("internal",)
SECURITY = "bearer"


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """Build the OpenAPI document."""
    schemas = _Schemas(operations)
    paths: dict[str, Any] = {}
    for operation in operations:
        path = re.sub(r":str}", "}", operation.path)
        entry = paths.setdefault(path, {})
        parameters = _path_parameters(path)
        if parameters:
            entry["parameters"] = parameters
        entry[operation.method.lower()] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": _info(),
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "responses": {kind.code: _problem_response(kind) for kind in KINDS.values()},
            "securitySchemes": {
                SECURITY: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A player's token, from POST /v1/players.",
                }
            },
        },
    }


def encode(operations: Sequence[Operation]) -> bytes:
    """Give the document as the bytes that are served and committed."""
    text = json.dumps(document(operations), indent=1, ensure_ascii=False, sort_keys=False)
    return text.encode() + b"\n"


def _info() -> dict[str, Any]:
    return {
        "title": "Potluck",
        "version": __version__,
        "summary": "Card games of hidden hands, played over HTTP from an event log.",
        "description": (
            "Create a table, take seats, start, read your legal actions and act. Every answer"
            " about a game is what the caller may know: a seat's holder sees the seat's hand, a"
            " spectator none. Errors are problem details (RFC 9457) with a stable `code`, and"
            " where a game's rule speaks, its id. Checks come in one order: 404 no such route,"
            " 405, 401, 404 no such game, 415, 413, 400, 422; then the command's key, 403, 412,"
            " and last 409. Everything is JSON, fields are never coerced, and what is unknown is"
            " refused."
        ),
        "license": {"name": "MIT", "identifier": "MIT"},
        "contact": {"name": "The Potluck developers"},
    }


def _path_parameters(path: str) -> list[dict[str, Any]]:
    known = {
        "game": ({"$ref": "#/components/schemas/Id"}, "The game's id."),
        "ruleset": ({"type": "string", "enum": list(CATALOGUE)}, "The ruleset's id."),
        "seat": ({"$ref": "#/components/schemas/SeatNumber"}, "The seat, counted from 0."),
    }
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": known[name][0],
            "description": known[name][1],
        }
        for name in re.findall(r"{(\w+)}", path)
    ]


def _operation(operation: Operation, schemas: "_Schemas") -> dict[str, Any]:
    body: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
    }
    if parameters := [*_query_parameters(operation), *_headers(operation)]:
        body["parameters"] = parameters
    if operation.body_shape is not None:
        body["requestBody"] = {
            "required": True,
            "content": {
                "application/json": _with_examples(
                    {"schema": schemas.of(operation.body_shape)}, operation.id, "request"
                )
            },
        }
    body["responses"] = _responses(operation, schemas)
    body["security"] = {
        "open": [],
        "optional": [{}, {SECURITY: []}],
        "player": [{SECURITY: []}],
    }[operation.access]
    return body


def _query_parameters(operation: Operation) -> Iterable[dict[str, Any]]:
    if operation.query is None:
        return
    (_,), components = msgspec.json.schema_components(
        [operation.query], ref_template="#/components/schemas/{name}"
    )
    shape = components[operation.query.__name__]
    for name, schema in shape["properties"].items():
        kept = dict(schema)
        # A parameter is left out rather than null.
        if "anyOf" in kept:
            arms = [arm for arm in kept.pop("anyOf") if arm != {"type": "null"}]
            kept = {**arms[0], **{k: v for k, v in kept.items() if v is not None}}
        if "enum" in kept:
            kept["enum"] = [value for value in kept["enum"] if value is not None]
            kept.setdefault("type", "string")
        if kept.get("default", 0) is None:
            kept.pop("default")
        description = kept.pop("description", None) or _QUERY_TEXTS.get(name, "")
        yield {
            "name": name,
            "in": "query",
            "required": False,
            "description": description,
            "schema": kept,
        }


_QUERY_TEXTS = {
    "version": "An earlier version of the game; the present one if left out.",
    "status": "Only games that stand here; sealed ones are listed as ended.",
}


def _headers(operation: Operation) -> Iterable[dict[str, Any]]:
    if operation.keyed:
        yield _header(
            "Idempotency-Key",
            "Makes a retry safe for as long as the game lives: a repeat with the same body is"
            " answered as the first time, marked with Idempotency-Replayed. Scoped to player,"
            " game and operation.",
            f"^{KEY.pattern}$",
            "2f1c8f0e-6f0a-4f3c-9d55-0d3c3a1f6b77",
        )
    if operation.conditional:
        yield _header(
            "If-Match",
            "Act only if the caller's view of the game is still this one (an ETag).",
            r"^(\*|\"[\x21\x23-\x7e]*\")$",
            '"17.9f86d081.s0"',
        )
    if operation.cached:
        yield _header(
            "If-None-Match",
            "Answer 304 if the caller's view is still this one (an ETag).",
            r"^(\*|\"[\x21\x23-\x7e]*\")$",
            '"17.9f86d081.s0"',
        )
    if operation.localised or operation.keyed:
        yield {
            "name": "Accept-Language",
            "in": "header",
            "required": False,
            "description": "Preferred languages for texts: en, ru, de, fr.",
            "schema": {"type": "string", "maxLength": 200},
            "example": "de, en;q=0.5",
        }


def _header(name: str, description: str, pattern: str, example: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": {"type": "string", "pattern": pattern, "maxLength": 255},
        "example": example,
    }


def implied_problems(operation: Operation) -> tuple[str, ...]:
    """List the codes of all problems that an operation can answer with."""
    codes: list[str] = []
    if operation.access != "open":
        codes.append("unauthenticated")
    if operation.of_game:
        codes.append("game-not-found")
    if operation.body is not None:
        codes += ["unsupported-media-type", "body-too-large", "malformed-json"]
    elif operation.method != "GET":
        codes.append("body-too-large")
    codes.append("invalid")
    if operation.keyed:
        codes.append("key-reused")
    if operation.conditional:
        codes.append("stale-version")
    codes += [*operation.problems, "store-unavailable", *ALWAYS]
    if operation.of_game:
        codes.append("log-damaged")
    return tuple(dict.fromkeys(codes))


def _responses(operation: Operation, schemas: "_Schemas") -> dict[str, Any]:
    responses: dict[str, Any] = {str(operation.status): _success(operation, schemas)}
    if operation.cached:
        responses["304"] = {
            "description": "The caller's view is still the one that If-None-Match names.",
            "headers": {"ETag": _ETAG, "X-Request-Id": _REQUEST_ID},
        }
    by_status: dict[int, list[Kind]] = {}
    for code in implied_problems(operation):
        by_status.setdefault(KINDS[code].status, []).append(KINDS[code])
    for status in sorted(by_status):
        kinds = by_status[status]
        if len(kinds) == 1:
            responses[str(status)] = {"$ref": f"#/components/responses/{kinds[0].code}"}
        else:
            responses[str(status)] = _problem_response(*kinds)
    return responses


_ETAG = {
    "description": "The caller's view: version, chain and viewer.",
    "schema": {"type": "string", "pattern": '^"[0-9]+\\.[0-9a-f]{8}\\.[a-z0-9-]+"$'},
}
_REQUEST_ID = {
    "description": "Finds the request in the operator's log.",
    "schema": {"type": "string"},
}


def _success(operation: Operation, schemas: "_Schemas") -> dict[str, Any]:
    headers: dict[str, Any] = {"X-Request-Id": _REQUEST_ID}
    if operation.cached or operation.conditional or operation.id in ("createGame", "listActions"):
        headers["ETag"] = _ETAG
    if operation.status == 201:
        headers["Location"] = {
            "description": "Where the new resource is.",
            "schema": {"type": "string"},
            "required": True,
        }
    if operation.keyed:
        headers["Idempotency-Replayed"] = {
            "description": "That an earlier request with the same key did this.",
            "schema": {"type": "string", "const": "true"},
        }
    if operation.localised:
        headers["Content-Language"] = {
            "description": "The language of the texts.",
            "schema": {"type": "string"},
            "required": True,
        }
    content = {operation.media_type: {"schema": schemas.of(operation.response)}}
    content[operation.media_type] = _with_examples(
        content[operation.media_type], operation.id, "response"
    )
    success: dict[str, Any] = {
        "description": operation.response_description,
        "headers": headers,
        "content": content,
    }
    if operation.links:
        success["links"] = {
            link.name: {
                "operationId": link.operation,
                "parameters": link.parameters,
                "description": link.description,
                **({"requestBody": link.body} if link.body else {}),
            }
            for link in operation.links
        }
    return success


def _problem_response(*kinds: Kind) -> dict[str, Any]:
    headers: dict[str, Any] = {"X-Request-Id": _REQUEST_ID}
    status = kinds[0].status
    if status == 401:
        headers["WWW-Authenticate"] = {
            "description": "How to authenticate (RFC 6750).",
            "schema": {"type": "string"},
            "required": True,
        }
    if status == 503:
        headers["Retry-After"] = {
            "description": "Seconds after which trying again makes sense.",
            "schema": {"type": "integer", "minimum": 1},
        }
    if status == 405:
        headers["Allow"] = {"description": "The methods.", "schema": {"type": "string"}}
    return {
        "description": "; ".join(f"{kind.title} (`{kind.code}`)" for kind in kinds),
        "headers": headers,
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {kind.code: {"value": _problem_example(kind)} for kind in kinds},
            }
        },
    }


def _problem_example(kind: Kind) -> dict[str, Any]:
    return {
        "type": f"/docs/problems/{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": kind.meaning,
        "code": kind.code,
        "request_id": "7c1d8f3e9a2b4c5d",
    }


def _examples() -> dict[str, Any]:
    file = resources.files("service.api").joinpath("examples.json")
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def _with_examples(content: dict[str, Any], operation: str, side: str) -> dict[str, Any]:
    found = _examples().get(operation, {}).get(side)
    return {**content, "examples": {"played": {"value": found}}} if found is not None else content


class _Schemas:
    """Component schemas for the types that operations use."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.components: dict[str, Any] = {
            "Id": {"type": "string", "pattern": ID_PATTERN, "description": "An id."},
            "SeatNumber": {"type": "integer", "minimum": 0, "maximum": 4},
        }
        self._references: dict[Any, dict[str, Any]] = {str: {"type": "string"}}
        common = [Problem, Health, *common_types()]
        self._add(common, "", frozenset())
        shared = frozenset(self.components)
        for ruleset in CATALOGUE.values():
            shapes = shapes_of(ruleset)
            types = [getattr(shapes, field.name) for field in fields(shapes)]
            self._add(types, camel(ruleset), shared)
        for operation in operations:
            for shape in (operation.body_shape, operation.response):
                if shape is not None and shape not in self._references:
                    self._references[shape] = self._union(shape)

    def of(self, shape: Any) -> dict[str, Any]:
        """Give the schema of a type: a reference."""
        return self._references[shape]

    def _add(self, types: list[Any], prefix: str, shared: frozenset[str]) -> None:
        """Add the schemas of some types; those that are not shared get the prefix."""
        references, components = msgspec.json.schema_components(types, ref_template=_REF)
        names = {
            name: name if name in shared else _component_name(prefix, name) for name in components
        }
        for name, schema in components.items():
            self.components[names[name]] = _made_true(schema, names)
        for shape, reference in zip(types, references, strict=True):
            self._references[shape] = _made_true(reference, names)

    def _union(self, shape: Any) -> dict[str, Any]:
        """Refer to a union over all games by their tag."""
        arms = [self._references[arm] for arm in get_args(shape)]
        tags = [arm.__struct_config__.tag for arm in get_args(shape)]
        return {
            "oneOf": arms,
            "discriminator": {
                "propertyName": "ruleset",
                "mapping": {tag: arm["$ref"] for tag, arm in zip(tags, arms, strict=True)},
            },
        }


_REF = "#/components/schemas/{name}"


def _component_name(prefix: str, name: str) -> str:
    """Put the game's name in front, unless the name says it already."""
    plain = re.sub(r"\W", "_", name.rpartition(".")[2])
    return plain if plain.startswith(prefix) else prefix + plain


def _made_true(schema: Any, names: Mapping[str, str]) -> Any:
    """Say in a schema what holds: unions are exclusive, tags are constants, texts are Markdown."""
    if isinstance(schema, list):
        return [_made_true(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "$ref":
            made[key] = _renamed(value, names)
        elif key == "mapping":
            made[key] = {tag: _renamed(ref, names) for tag, ref in value.items()}
        elif key == "description":
            made[key] = _markdown(value)
        elif key == "anyOf" and "discriminator" in schema:
            made["oneOf"] = _made_true(value, names)
        elif key == "enum" and len(value) == 1:
            made["const"] = value[0]
        else:
            made[key] = _made_true(value, names)
    if "enum" in made and all(isinstance(value, str) for value in made["enum"]):
        made = {"type": "string", **made}
    made.pop("title", None)
    return made


def _renamed(reference: str, names: Mapping[str, str]) -> str:
    name = reference.rpartition("/")[2]
    return _REF.format(name=names[name])


def _markdown(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in text.replace("``", "`").split("\n\n"))
    return "\n\n".join(paragraphs)
