"""Random values of any type, and actions that are near misses."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect


def random_value(kind: Any, random: Random) -> Any:
    """Draw a value that fits a type, as JSON."""
    match kind:
        case inspect.LiteralType(values=values):
            return random.choice(values)
        case inspect.EnumType(cls=cls):
            return random.choice(list(cls)).value
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.IntType(ge=least, le=most):
            low = 0 if least is None else least
            return random.randint(low, low + 20 if most is None else most)
        case inspect.StrType(min_length=least):
            return "x" * max(least or 0, random.randrange(1, 9))
        case inspect.UnionType(types=types):
            return random_value(random.choice(types), random)
        case inspect.TupleType(item_types=types):
            return [random_value(each, random) for each in types]
        case inspect.VarTupleType() | inspect.ListType():
            low = kind.min_length or 0
            high = min(low + 5, kind.max_length if kind.max_length is not None else low + 5)
            return [random_value(kind.item_type, random) for _ in range(random.randint(low, high))]
        case inspect.StructType(cls=cls):
            return random_struct(cls, random)
        case inspect.DictType():
            key, value = kind.key_type, kind.value_type
            return {random_value(key, random): random_value(value, random)}
    raise AssertionError(f"teach random_value about {kind!r}")


@lru_cache(maxsize=256)
def _described(cls: type[msgspec.Struct]) -> inspect.StructType:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return info


def random_struct(cls: type[msgspec.Struct], random: Random) -> dict[str, Any]:
    """Draw a struct's JSON value: for an action type, one that fits the schema at least."""
    info = _described(cls)
    drawn = {each.encode_name: random_value(each.type, random) for each in info.fields}
    return drawn if info.tag_field is None else {info.tag_field: info.tag, **drawn}


def near_miss(action: dict[str, Any], types: Sequence[type[Any]], random: Random) -> dict[str, Any]:
    """Change a legal action in one place; what comes out may still be legal, or no action."""
    cls = next(each for each in types if each.__struct_config__.tag == action["type"])
    other = random_struct(cls, random)
    changed = dict(action)
    names = [name for name in action if name != "type"]
    if not names:
        return changed
    name = random.choice(names)
    value = action[name]
    if not isinstance(value, list | tuple):
        changed[name] = other[name]
        return changed
    items = list(value)
    match random.randrange(5):
        case 0 if items:
            items.pop(random.randrange(len(items)))
        case 1 if items:
            items.append(random.choice(items))
        case 2 if items and other[name]:
            items[random.randrange(len(items))] = random.choice(other[name])
        case 3:
            items.extend(other[name][:1])
        case _:
            items = list(other[name])
    changed[name] = items
    return changed
