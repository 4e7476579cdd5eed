"""The contract: an OpenAPI 3.1 document made from the operations and their types.

Component schemas come from msgspec and are made exact in ``service.api.schemas``. What an
operation can answer follows from what it is: whether it takes a body, names a game, looks at a
token, and so on. Examples come from games that were really played (``tests/contract/examples.py``
writes them).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from domain.catalogue import CATALOGUE
from service import __version__
from service.api import streams
from service.api.inbox import ENTITY_TAG, KEY, MAX_BODY
from service.api.operation import Operation
from service.api.problems import KINDS, MEDIA_TYPE, Kind, problem_type
from service.api.schemas import Schemas, exact, of_query
from service.texts import LANGUAGES

TAGS = {
    "players": "Identities with a bearer token.",
    "rulesets": "The games that are hosted: their rules, options and cards.",
    "games": "Tables: open one, list them, look at one.",
    "seats": "Who sits where before the start, the start, and leaving for good.",
    "actions": "What a seat may do now, and doing it.",
    "events": "The log of a game as the caller may see it, the audit of bluffs, recordings.",
    "lobby": "Invitations that work once, and rematches.",
    "judges": "Rulings on record, motions that seats agree on, and the log of looks.",
    "running": "For whoever runs the service.",
}

ALWAYS = ("internal",)
SECURITY = "bearer"
JSON = "application/json"

DESCRIPTION = f"""\
Games of hidden hands for several players. Open a table, take seats, start, ask for your legal
actions and act, until the game is over.

## A game in six requests

1. `POST /v1/players` makes you a player. Send the token with every further request.
2. `POST /v1/games` opens a table; you are its host.
3. `POST /v1/games/{{game}}/seats` takes a seat, for you or as the host for a bundled player. The
   others do the same with tokens of their own.
4. `POST /v1/games/{{game}}/start` begins the game.
5. `GET /v1/games/{{game}}/actions` lists what you may do now, and the decision that waits for it.
6. `POST /v1/games/{{game}}/actions` does it. `GET /v1/games/{{game}}/events` tells what others did.

## What you see

Every answer about a game is what its caller may know: the holder of a seat sees the seat's hand,
a spectator sees none, and after the seal everyone sees everything. Hidden parts of events are
digests until then. New fields may be added to answers at any time: pass over those that you do not
know. Whatever belongs to one game stands in an object tagged with its `ruleset`.

## Legal actions and forms

Each entry of the list is an action, or a form: an action with an object in the place of what is to
be chosen. Where that object holds `cards`, `least`, `most` and `meet`, choose from `least` to
`most` of the cards (one that is listed twice may be chosen twice), at least one of each list in
`meet`; where it holds `values`, choose one of them. Whatever fits an entry is accepted, and nothing
else is.

## Acting once, and on what you saw

An action names the decision that it answers, so one that comes late is refused and never lands on
another turn. With an `Idempotency-Key` any command can be repeated safely: it happens once. With
`If-Match` it happens only if your view of the game is still the one with that `ETag`.

## Problems

Errors are problem details (RFC 9457). Branch on `code`; `type` leads to a page that says more, and
where a rule of the game speaks, `rule` has its id. What is wrong with a request is looked for in
one order: no such address (404), method (405), token (401), no such game or thing (404), media
type (415), size (413), JSON (400), schema (422), the key of the command (409), role (403),
`If-Match` (412), and last the rules and the state of the game (409).

Requests are read strictly. Numbers are not taken from texts, fields and query parameters that are
not described here are refused, and so is JSON that names a member twice or nests too deep. A body
has at most {MAX_BODY} bytes.
"""


def encode(operations: Sequence[Operation]) -> bytes:
    """Give the document as the bytes that are served and committed."""
    text = json.dumps(document(operations), indent=1, ensure_ascii=False, sort_keys=False)
    return text.encode() + b"\n"


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """Build the OpenAPI document."""
    schemas = Schemas(operations)
    paths: dict[str, Any] = {}
    for operation in operations:
        path = re.sub(r":str}", "}", operation.path)
        entry = paths.setdefault(path, {})
        if parameters := _path_parameters(path):
            entry["parameters"] = parameters
        entry[operation.method.lower()] = _operation(operation, schemas)
    responses = {kind.code: _problem_response(kind) for kind in KINDS.values()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Potluck",
            "version": __version__,
            "summary": "Card games of hidden hands, played over HTTP from an event log.",
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
            "contact": {"name": "The Potluck developers"},
        },
        "servers": [{"url": "/", "description": "The service that gave this document."}],
        "externalDocs": {"url": "/docs", "description": "A page for each kind of problem."},
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas.used({"paths": paths, "responses": responses}),
            "responses": responses,
            "headers": dict(HEADERS),
            "securitySchemes": {
                SECURITY: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A player's token, from `POST /v1/players`.",
                }
            },
        },
    }


# Requests.


def _path_parameters(path: str) -> list[dict[str, Any]]:
    known = {
        "game": ({"$ref": "#/components/schemas/Id"}, "The game's id."),
        "ruleset": ({"type": "string", "enum": list(CATALOGUE)}, "The ruleset's id."),
        "seat": ({"$ref": "#/components/schemas/SeatNumber"}, "The seat, counted from 0."),
        "motion": (
            {"type": "integer", "minimum": 1, "maximum": 9999},
            "The motion's id: the version that made it.",
        ),
        "text": ({"$ref": "#/components/schemas/Id"}, "The free text's id."),
    }
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": known[name][1],
            "schema": known[name][0],
        }
        for name in re.findall(r"{(\w+)}", path)
    ]


def _operation(operation: Operation, schemas: Schemas) -> dict[str, Any]:
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
                JSON: {
                    "schema": schemas.of(operation.body_shape),
                    "examples": _played(operation, "requests"),
                }
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
    for name, schema in of_query(operation.query).items():
        yield {
            "name": name,
            "in": "query",
            "required": False,
            "description": schema.pop("description"),
            "schema": schema,
        }


_TAG = ENTITY_TAG.replace("(?:", "(")
_TAGS: dict[str, Any] = {
    "type": "string",
    "format": "entity-tags",
    "pattern": rf"^(\*|{_TAG}(\s*,\s*{_TAG})*)$",
    "examples": ['"17.9f86d081.s0"'],
}


def _headers(operation: Operation) -> Iterable[dict[str, Any]]:
    if operation.keyed:
        yield _header(
            "Idempotency-Key",
            "Makes a retry safe for as long as the game lives: a repeat with the same body is"
            " answered as the first time, marked with `Idempotency-Replayed`; with another body it"
            " is refused. Scoped to player, game and operation. Refusals are not remembered.",
            {
                "type": "string",
                "pattern": f"^{KEY.pattern}$",
                "examples": ["2f1c8f0e-6f0a-4f3c-9d55-0d3c3a1f6b77"],
            },
        )
    if operation.conditional:
        yield _header(
            "If-Match",
            "Act only if the caller's view of the game is still one of these (`ETag` values), or"
            " any with `*`.",
            _TAGS,
        )
    if operation.cached:
        yield _header(
            "If-None-Match",
            "Answer 304 if the caller's view is still one of these (`ETag` values).",
            _TAGS,
        )
    if operation.streams:
        # Not only cursors: what is none is answered with a reset, not with a problem.
        yield _header(
            "Last-Event-ID",
            "Of streams: the `id` of the last event that was received. Counts before `after`; what"
            " is no cursor of this log is answered with `reset`.",
            {"type": "string", "examples": ["17.9f86d081"]},
        )
    if operation.localised or operation.keyed:
        yield _header(
            "Accept-Language",
            f"Preferred languages for texts; there are {', '.join(LANGUAGES)}.",
            {"type": "string", "examples": ["de, en;q=0.5"]},
        )


def _header(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": schema,
    }


# Responses.

HEADERS: Mapping[str, Any] = {
    "X-Request-Id": {
        "description": "Finds the request in the operator's log.",
        "required": True,
        "schema": {"$ref": "#/components/schemas/Id"},
    },
    "ETag": {
        "description": "Names the caller's view of the game: version, chain and viewer.",
        "required": True,
        "schema": {
            "type": "string",
            "pattern": '^"[1-9][0-9]*\\.[0-9a-f]{8}\\.(-|s[0-4])h?(j|x|v[0-4]?)?"$',
        },
    },
    "Location": {
        "description": "Where the new resource is.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Cache-Control": {
        "description": "Whether the answer may be kept.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Vary": {
        "description": "The request headers that the answer depends on.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Content-Language": {
        "description": "The language of the texts.",
        "required": True,
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    "Idempotency-Replayed": {
        "description": "Says that an earlier request with the same key did this.",
        "schema": {"type": "string", "const": "true"},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate (RFC 6750).",
        "required": True,
        "schema": {"type": "string"},
    },
    "Allow": {
        "description": "The methods that the resource takes.",
        "required": True,
        "schema": {"type": "string"},
    },
    "Accept-Post": {
        "description": "The media type that a body must have.",
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Seconds after which trying again makes sense.",
        "schema": {"type": "integer", "minimum": 1},
    },
}


def _header_references(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


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
    codes += operation.problems
    if operation.stored:
        codes.append("store-unavailable")
    if operation.of_game:
        codes.append("log-damaged")
    return tuple(dict.fromkeys((*codes, *ALWAYS)))


def _responses(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    responses: dict[str, Any] = {str(operation.status): _success(operation, schemas)}
    if operation.cached:
        responses["304"] = {
            "description": "The caller's view is still one that `If-None-Match` names.",
            "headers": _header_references("ETag", "X-Request-Id", "Cache-Control", "Vary"),
        }
    if operation.streams:
        responses["204"] = {
            "description": "A stream is asked for with the cursor of a sealed game's last event in"
            " `Last-Event-ID`: nothing will ever come after it.",
            "headers": _header_references("X-Request-Id", "Cache-Control", "Vary"),
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


def _success(operation: Operation, schemas: Schemas) -> dict[str, Any]:
    names = ["X-Request-Id"]
    if operation.of_game or operation.keyed:
        names += ["Cache-Control", "Vary"]
    if operation.tagged:
        names.append("ETag")
    if operation.status == 201:
        names.append("Location")
    if operation.keyed:
        names.append("Idempotency-Replayed")
    if operation.localised:
        names += ["Content-Language", "Vary"]
    success: dict[str, Any] = {
        "description": operation.response_description,
        "headers": _header_references(*dict.fromkeys(names)),
        "content": {
            operation.media_type: {
                "schema": schemas.of(operation.response),
                "examples": _played(operation, "responses"),
            }
        },
    }
    if operation.streams:
        success["content"][streams.MEDIA_TYPE] = {
            "schema": exact(streams.message_schema(schemas.record), str),
            "examples": {name: {"value": value} for name, value in streams.EXAMPLES.items()},
        }
    if operation.links:
        success["links"] = {
            link.name: {
                "operationId": link.operation,
                "parameters": link.parameters,
                **({"requestBody": link.body} if link.body else {}),
                "description": link.description,
            }
            for link in operation.links
        }
    return success


_BY_STATUS = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    415: ("Accept-Post",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


def _problem_response(*kinds: Kind) -> dict[str, Any]:
    """Describe the problems of one status: which codes there are, and an example of each."""
    status = kinds[0].status
    codes = [kind.code for kind in kinds]
    narrowed = {"type": "string", **({"enum": codes} if codes[1:] else {"const": codes[0]})}
    return {
        "description": "\n".join(
            f"- `{kind.code}`: {kind.meaning} {kind.remedy} ([more]({problem_type(kind.code)}))"
            for kind in kinds
        ),
        "headers": _header_references("X-Request-Id", "Cache-Control", *_BY_STATUS.get(status, ())),
        "content": {
            MEDIA_TYPE: {
                "schema": {
                    "$ref": "#/components/schemas/Problem",
                    "properties": {
                        "code": narrowed,
                        "status": {"type": "integer", "const": status},
                    },
                },
                "examples": {
                    kind.code: {"summary": kind.title, "value": _problem_example(kind)}
                    for kind in kinds
                },
            }
        },
    }


# Examples.


@cache
def examples() -> dict[str, Any]:
    """Give the examples that were written down from real play."""
    file = resources.files("service.api").joinpath("examples.json")
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def _played(operation: Operation, side: str) -> dict[str, Any]:
    played: dict[str, Any] = examples().get("operations", {}).get(operation.id, {}).get(side, {})
    return {name: {"value": value} for name, value in played.items()}


def _problem_example(kind: Kind) -> dict[str, Any]:
    met: dict[str, Any] | None = examples().get("problems", {}).get(kind.code)
    return met or {
        "type": problem_type(kind.code),
        "title": kind.title,
        "status": kind.status,
        "detail": kind.meaning,
        "code": kind.code,
        "request_id": "5k2m9x8w7v6t4s3r",
    }
