"""Component schemas of the contract: msgspec's, made exact and well named.

msgspec describes tagged unions as ``anyOf`` and a tag as an ``enum`` of one; here unions are
``oneOf`` with a discriminator and tags are constants. What belongs to one game has the game's
name in front, since each game has its own ``Board`` or ``Cook``; unions and long enumerations have
names of their own in place of being spelled out wherever they occur.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

import msgspec

from domain.catalogue import CATALOGUE
from service.api.game_shapes import (
    COMMON_UNIONS,
    Shapes,
    camel,
    common_types,
    named_types,
    shapes_of,
    union_of,
)
from service.api.health import Health
from service.api.operation import Operation
from service.api.problems import Problem
from service.api.values import END, Id, SeatNumber

REF = "#/components/schemas/"
SHORT = 3  # an enumeration of so few values is spelled out where it is used

Schema = dict[str, Any]


class Schemas:
    """Component schemas for the types that operations use."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._components: dict[str, Schema] = {}
        self._references: dict[Any, Schema] = {str: {"type": "string"}}
        self._shared: Mapping[str, Schema] = {}
        self._spelled: dict[str, str] = {}
        self._add([Problem, Health, *common_types()], "", COMMON_UNIONS)
        self._shared = dict(self._components)
        self._components["Id"] = exact(msgspec.json.schema(Id), str)
        self._components["SeatNumber"] = exact(msgspec.json.schema(SeatNumber), str)
        for ruleset in CATALOGUE.values():
            shapes = shapes_of(ruleset)
            types = [getattr(shapes, field.name) for field in fields(shapes)]
            self._add(types, camel(ruleset), named_types(ruleset))
        for field in fields(Shapes):
            self._add_union(field.name)
        for operation in operations:
            for shape in (operation.body_shape, operation.response):
                if shape is not None and shape not in self._references:
                    self._references[shape] = self._union_of_common(shape)

    def of(self, shape: Any) -> Schema:
        """Give the schema of a type: a reference."""
        return self._references[shape]

    @property
    def record(self) -> Schema:
        """The schema of an event of any game: some fit more than one, so it is not ``oneOf``."""
        return {"anyOf": [{"$ref": f"{REF}{camel(one)}Record"} for one in CATALOGUE.values()]}

    def used(self, document: Any) -> dict[str, Schema]:
        """Give the components that a document needs, by name."""
        wanted, found = list(referenced(document)), set[str]()
        while wanted:
            name = wanted.pop()
            if name not in found:
                found.add(name)
                wanted += referenced(self._components[name])
        return {name: self._components[name] for name in sorted(found)}

    def _add(self, types: Sequence[Any], prefix: str, named: Mapping[str, Any]) -> None:
        """Add the schemas of some types; what is not shared gets the prefix."""
        references, raw = msgspec.json.schema_components(
            [*types, *named.values()], ref_template=REF + "{name}"
        )
        names: dict[str, str] = {}
        for name, schema in raw.items():
            names[name] = self._named(name, schema, prefix, frozenset(names.values()))

        def rename(reference: str) -> str:
            return REF + names[reference.rpartition("/")[2]]

        spelled = dict(self._spelled)
        inline = zip(named, references[len(types) :], strict=True)
        for name, schema in inline:
            made = exact(schema, rename)
            if "$ref" in made or len(made.get("enum", range(SHORT + 1))) <= SHORT:
                continue
            component = _prefixed(prefix, name)
            if spelled.setdefault(_key(made), component) == component:
                self._components[component] = _introduced(name, made)
            self._references.setdefault(named[name], {"$ref": REF + spelled[_key(made)]})
        if not prefix:
            self._spelled = spelled
        for name, schema in raw.items():
            self._components[names[name]] = _hoisted(exact(schema, rename), spelled)
        for shape, schema in zip(types, references, strict=False):
            self._references[shape] = exact(schema, rename)

    def _named(self, name: str, schema: Schema, prefix: str, taken: frozenset[str]) -> str:
        """Name a component. The second type of a name gets its module's name or a number too."""
        if name in self._shared and self._shared[name].get("properties", {}).keys() == (
            schema.get("properties", {}).keys()
        ):
            return name
        plain = _plain(name)
        module = name.rpartition(".")[0].rpartition(".")[2].title()
        choices = [plain, module + plain, *(f"{plain}{number}" for number in range(2, 100))]
        free = (
            component for word in choices if (component := _prefixed(prefix, word)) not in taken
        )
        return next(free)

    def _add_union(self, field: str) -> None:
        """Name the union over all games of one of their shapes, tagged by the ruleset."""
        arms = [getattr(shapes_of(ruleset), field) for ruleset in CATALOGUE.values()]
        name = arms[0].__name__
        self._components[name] = {
            "description": _markdown(arms[0].__doc__ or ""),
            **self._one_of(arms),
        }
        self._references[union_of(field)] = {"$ref": REF + name}

    def _union_of_common(self, shape: Any) -> Schema:
        return self._one_of(get_args(shape))

    def _one_of(self, arms: Sequence[Any]) -> Schema:
        config = arms[0].__struct_config__
        mapping = {arm.__struct_config__.tag: self._reference(arm)["$ref"] for arm in arms}
        return {
            "oneOf": [{"$ref": reference} for reference in mapping.values()],
            "discriminator": {"propertyName": config.tag_field, "mapping": mapping},
        }

    def _reference(self, arm: Any) -> Schema:
        found = self._references.get(arm)
        return {"$ref": REF + arm.__name__} if found is None or "oneOf" in found else found


_SAID = {
    "Action": "What a seat can do in this game.",
    "Form": "An action that is legal now, with what is still to be chosen in it.",
    "Event": "Something that happened, as the caller sees it.",
}


def _introduced(name: str, schema: Schema) -> Schema:
    """Give a named union a description; nobody else does."""
    if "discriminator" not in schema:
        return schema
    count, tag = len(schema["oneOf"]), schema["discriminator"]["propertyName"]
    said = _SAID.get(name, f"One of {count} kinds.")
    return {"description": f"{said} `{tag}` tells which.", **schema}


def of_query(query: type[msgspec.Struct]) -> dict[str, Schema]:
    """Give the schemas of query parameters, which are left out rather than null."""
    _, components = msgspec.json.schema_components([query], ref_template=REF + "{name}")
    return {
        name: _never_null(exact(schema, str))
        for name, schema in components[query.__name__]["properties"].items()
    }


def _never_null(schema: Schema) -> Schema:
    arms = [arm for arm in schema.pop("anyOf", ()) if arm != {"type": "null"}]
    made = {**schema, **(arms[0] if arms else {})}
    if "enum" in made:
        made["enum"] = [value for value in made["enum"] if value is not None]
    if made.get("default", 0) is None:
        made.pop("default")
    return made


def referenced(document: Any) -> Iterable[str]:
    """List the components that a part of a document refers to."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key == "$ref" and isinstance(value, str) and value.startswith(REF):
                yield value.removeprefix(REF)
            else:
                yield from referenced(value)
    elif isinstance(document, list):
        for item in document:
            yield from referenced(item)


# Keywords by what their value is.
_ONE = ("items", "additionalProperties", "not", "contentSchema")
_SEVERAL = ("anyOf", "oneOf", "allOf", "prefixItems")
_BY_NAME = ("properties", "$defs")


def exact(schema: Any, rename: Any) -> Any:
    """Say in a schema what holds: unions exclude each other, tags are constants, texts Markdown."""
    if not isinstance(schema, dict):
        return schema
    made: Schema = {}
    for key, value in schema.items():
        if key in _ONE:
            made[key] = exact(value, rename)
        elif key in _SEVERAL:
            name = "oneOf" if "discriminator" in schema else key
            made[name] = [exact(item, rename) for item in value]
        elif key in _BY_NAME:
            made[key] = {name: exact(item, rename) for name, item in value.items()}
        elif key == "discriminator":
            mapping = {tag: rename(target) for tag, target in value["mapping"].items()}
            made[key] = {**value, "mapping": mapping}
        elif key == "enum" and len(value) == 1:
            made["const"] = value[0]
        elif key not in ("title", "required") or (key == "required" and value):
            made[key] = _word(key, value, rename)
    return _typed(_lifted(made))


def _word(key: str, value: Any, rename: Any) -> Any:
    if key == "$ref":
        return rename(value)
    if key == "description":
        return _markdown(value)
    if key == "pattern":
        return value.replace(END, "$")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _typed(schema: Schema) -> Schema:
    """Give enumerations and constants of texts their type."""
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if values and all(isinstance(value, str) for value in values):
        return {"type": "string", **schema}
    return schema


def _lifted(schema: Schema) -> Schema:
    """Move the description of something that may be null out of the one arm that is not."""
    arms = [arm for arm in schema.get("anyOf", ()) if arm != {"type": "null"}]
    if len(arms) != 1 or len(schema["anyOf"]) != 2:
        return schema
    arm = dict(arms[0])
    lifted = {key: arm.pop(key) for key in ("description", "examples") if key in arm}
    return {**lifted, **schema, "anyOf": [arm, {"type": "null"}]}


def _hoisted(schema: Any, spelled: Mapping[str, str]) -> Any:
    """Refer to a union or an enumeration by its name wherever it is spelled out."""
    if isinstance(schema, list):
        return [_hoisted(item, spelled) for item in schema]
    if not isinstance(schema, dict):
        return schema
    beside = {key: schema[key] for key in ("description", "default") if key in schema}
    name = spelled.get(_key({key: schema[key] for key in schema.keys() - beside.keys()}))
    if name is not None:
        return {"$ref": REF + name, **beside}
    return {key: _hoisted(value, spelled) for key, value in schema.items()}


def _key(schema: Schema) -> str:
    kept = {key: value for key, value in schema.items() if key != "description"}
    return json.dumps(kept, sort_keys=True)


def _plain(name: str) -> str:
    """Give a type's name without its module, and a generic one's with what it is made of."""
    base, _, rest = name.partition("_")
    if rest and "." not in base and (rest.endswith("_")):
        inside = re.sub(r"(Literal)_.*", r"\1", rest).strip("_")
        words = [word.rpartition(".")[2] for word in inside.split("___")]
        if not all(word.isidentifier() for word in words) or words == ["Literal"]:
            words = ["text"]
        return base + "".join(word[:1].upper() + word[1:] for word in words)
    return re.sub(r"\W", "_", name.rpartition(".")[2])


def _prefixed(prefix: str, name: str) -> str:
    """Put the game's name in front, unless the name says it already."""
    return name if name.startswith(prefix) else prefix + name


def _markdown(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in text.replace("``", "`").split("\n\n"))
    return "\n\n".join(paragraphs)
