"""Strict reading of JSON: what the contract's schemas say, no less and no more.

Beyond msgspec's own strictness a member named twice is refused, the tag of an object is never
optional, and a number is an integer by its value, as JSON Schema has it: ``2.0`` is one.
"""

import json
import re
from typing import Any

import msgspec

from service.api.problems import ApiError, invalid
from service.api.values import END

PLACE = re.compile(r"(.*?)(?: - at `(?:key in )?\$(.*)`)?", re.DOTALL)
_END = repr(END)[1:-1]
EXACT = 2**53  # up to here a float that is whole stands for one integer only
LONGEST = 40  # digits: longer integers are out of every bound


def decode(decoder: msgspec.json.Decoder[Any], body: bytes) -> Any:
    """Decode a body. Raises 400 for what is no JSON, 422 for what does not fit the type."""
    try:
        value = decoder.decode(body)
        plain = _plain(body)
    except msgspec.ValidationError as error:
        value, plain = _again(decoder, body, error)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _malformed(f"The body is not JSON in UTF-8: {error}.") from error
    tag = value.__struct_config__.tag_field
    if tag is not None and tag not in plain:
        raise invalid("body", "", f"Object missing required field `{tag}`")
    return value


def place(message: str) -> tuple[str, str]:
    """Split a decoder's message into what is wrong and where, as JSON Pointer."""
    match = PLACE.fullmatch(message)
    if match is None:
        return message, ""
    detail, path = match[1].replace(_END, "$"), match[2] or ""
    return detail, re.sub(r"\.([^.\[]+)|\[([^\]]*)\]", r"/\1\2", path)


def _again(
    decoder: msgspec.json.Decoder[Any], body: bytes, error: msgspec.ValidationError
) -> tuple[Any, Any]:
    """Look again at a body that did not fit: it may be no JSON at all, or fit by value."""
    try:
        msgspec.json.decode(body)
        plain = _plain(body)
        return msgspec.convert(plain, decoder.type), plain
    except msgspec.ValidationError as last:
        detail, pointer = place(str(last))
        if "out of range" in detail:  # a number too great even for what only asks for JSON
            detail, pointer = place(str(error))
        raise invalid("body", pointer, detail) from last
    except RecursionError as last:
        raise _malformed("The body nests too deep.") from last
    except (msgspec.DecodeError, UnicodeDecodeError) as last:
        raise _malformed(f"The body is not JSON in UTF-8: {last}.") from last


def _malformed(detail: str) -> ApiError:
    return ApiError("malformed-json", detail)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _malformed(f"The body names the member {twice[:40]!r} twice in one object.")
    return members


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST else float(text)


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if abs(value) <= EXACT and value.is_integer() else value


_reader = json.JSONDecoder(object_pairs_hook=_members, parse_int=_integer, parse_float=_number)


def _plain(body: bytes) -> Any:
    return _reader.decode(body.decode())
