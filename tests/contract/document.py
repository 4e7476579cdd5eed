"""The committed document, and validators made from it."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

ROOT = Path(__file__).parents[2]
FILE = ROOT / "openapi" / "potluck.json"
METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")


@cache
def document() -> dict[str, Any]:
    return json.loads(FILE.read_bytes())


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """All operations with their method and path."""
    for path, item in document()["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def resolved(node: Any) -> Any:
    """Follow a reference within the document, if it is one and nothing else."""
    while isinstance(node, dict) and node.keys() == {"$ref"}:
        node = at(node["$ref"])
    return node


def at(reference: str) -> Any:
    node: Any = document()
    for part in reference.removeprefix("#/").split("/"):
        node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    whole = {**json.loads(schema), "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=False)


def faults(schema: Any, value: Any) -> list[str]:
    """What does not fit a schema of the document."""
    errors = _validator(json.dumps(schema)).iter_errors(value)
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors]


def response_faults(
    operation: dict[str, Any], status: int, headers: dict[str, str], content: bytes
) -> list[str]:
    """What of an answer the document does not say. ``headers`` have lower-case names."""
    described = resolved(operation["responses"].get(str(status)))
    if described is None:
        return [f"{operation['operationId']} does not document {status}"]
    found = []
    for name, reference in described.get("headers", {}).items():
        header = resolved(reference)
        value = headers.get(name.lower())
        if value is None:
            if header.get("required"):
                found.append(f"{name} is missing")
            continue
        typed = int(value) if header["schema"].get("type") == "integer" else value
        found += [f"{name}: {fault}" for fault in faults(header["schema"], typed)]
    if "content" not in described:
        return found + (["there is a body"] if content else [])
    media_type = headers.get("content-type", "")
    choices = described["content"]
    name = next((each for each in choices if _same(each, media_type)), None)
    if name is None:
        return [*found, f"{media_type!r} is none of {list(choices)}"]
    value = json.loads(content) if name.endswith("json") and "nd" not in name else content.decode()
    return found + faults(choices[name]["schema"], value)


def _same(documented: str, received: str) -> bool:
    return documented.split(";")[0].strip() == received.split(";")[0].strip()
