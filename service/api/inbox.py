"""Strict reading of requests: nothing is coerced, nothing unknown is passed over."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, get_args, get_type_hints
from urllib.parse import unquote_to_bytes

import msgspec
from litestar.types import Receive

from service.api.problems import ApiError, FieldError, invalid
from service.api.strict import place

MAX_BODY = 64 * 1024
JSON_TYPE = re.compile(r"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE)
KEY = re.compile(r"[\x21-\x7e]{1,255}")
ENTITY_TAG = r"(?:W/)?\"[\x21\x23-\x7e]*\""
ENTITY_TAGS = re.compile(rf"\s*(?:\*|{ENTITY_TAG}(?:\s*,\s*{ENTITY_TAG})*)\s*")
NUMBER = re.compile("0|[1-9][0-9]{0,15}")


class Headers:
    """A request's headers by lower-case name; one that came twice has both values, as a list."""

    __slots__ = ("_raw",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._raw: dict[bytes, bytes] = {}
        for name, value in raw:
            known = self._raw.get(name)
            self._raw[name] = value if known is None else known + b", " + value

    def get(self, name: str) -> str | None:
        """Give a header's value; None without one."""
        value = self._raw.get(name.encode())
        return None if value is None else value.decode("latin-1")


class IfMatch(msgspec.Struct, frozen=True):
    """The entity tags of an If-Match header; ``any`` stands for ``*``."""

    tags: frozenset[str]
    any: bool

    def matches(self, tag: str) -> bool:
        """Compare strongly (RFC 9110): a weak tag matches nothing."""
        return self.any or tag in self.tags


async def read(headers: Headers, receive: Receive) -> bytes:
    """Read a JSON body's bytes. Raises 415, 413, and 400 where there is none."""
    declared = headers.get("content-type")
    if declared is not None and not JSON_TYPE.fullmatch(declared.strip()):
        raise ApiError(
            "unsupported-media-type",
            f"The body is declared as {declared[:80]!r}; it must be application/json.",
            headers={"Accept-Post": "application/json"},
        )
    if declared is None and _announces_body(headers):
        raise ApiError(
            "unsupported-media-type",
            "The body has no Content-Type; it must be application/json.",
            headers={"Accept-Post": "application/json"},
        )
    if (coding := headers.get("content-encoding")) is not None:
        raise ApiError(
            "unsupported-media-type",
            f"The body is encoded as {coding[:80]!r}; it must be sent as it is.",
            headers={"Accept-Encoding": "identity"},
        )
    body = await _bounded(headers, receive)
    if not body:
        raise ApiError("malformed-json", "The body is empty; one JSON object is needed.")
    return body


def _announces_body(headers: Headers) -> bool:
    chunked = headers.get("transfer-encoding") is not None
    return chunked or headers.get("content-length") not in (None, "0")


async def expect_no_body(headers: Headers, receive: Receive) -> None:
    """Refuse a body where none is taken, so that nobody believes it was heard."""
    if await _bounded(headers, receive):
        raise invalid("body", "", "This operation takes no body.")


async def _bounded(headers: Headers, receive: Receive) -> bytes:
    length = headers.get("content-length") or ""
    if length.isdecimal() and int(length) > MAX_BODY:
        raise _too_large()
    body = b""
    more = True
    while more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise ApiError("malformed-json", "The connection was closed within the body.")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise _too_large()
    return body


def _too_large() -> ApiError:
    return ApiError("body-too-large", f"The body is larger than {MAX_BODY} bytes.")


def query(raw: bytes, shape: type[msgspec.Struct] | None) -> Any:
    """Read the query parameters. Unknown and repeated ones are refused (422)."""
    text = raw.decode("latin-1")
    if not text and shape is None:
        return None
    known = _numeric(shape) if shape is not None else {}
    values: dict[str, Any] = {}
    errors: list[FieldError] = []
    for piece in text.split("&") if text else ():
        name, value = _unquoted(piece)
        if name not in known:
            choice = ", ".join(sorted(known)) or "none"
            errors.append(_fault(name, f"unknown query parameter; there are: {choice}"))
        elif name in values:
            errors.append(_fault(name, "given more than once"))
        elif not known[name]:
            values[name] = value
        elif NUMBER.fullmatch(value):
            values[name] = int(value)
        else:
            errors.append(_fault(name, "must be a whole number in plain decimal digits"))
            values[name] = None
    if errors:
        raise ApiError("invalid", errors[0].detail, extra={"errors": errors})
    if shape is None:
        return None
    try:
        return msgspec.convert(values, shape)
    except msgspec.ValidationError as error:
        detail, pointer = place(str(error))
        raise invalid("query", pointer, detail) from error


def _fault(name: str, detail: str) -> FieldError:
    return FieldError(where="query", pointer=f"/{name[:80]}", detail=detail)


def _unquoted(piece: str) -> tuple[str, str]:
    name, _, value = piece.replace("+", " ").partition("=")
    try:
        return unquote_to_bytes(name).decode(), unquote_to_bytes(value).decode()
    except UnicodeDecodeError as error:
        raise invalid("query", "", "query parameters must be in UTF-8") from error


@lru_cache(maxsize=64)
def _numeric(shape: type[msgspec.Struct]) -> dict[str, bool]:
    """Say for each parameter whether it is a number."""
    hints = get_type_hints(shape)
    return {name: int in (hints[name], *get_args(hints[name])) for name in shape.__struct_fields__}


def idempotency_key(headers: Headers) -> str | None:
    """Read the Idempotency-Key header; None without one."""
    value = headers.get("idempotency-key")
    if value is None or KEY.fullmatch(value):
        return value
    raise invalid("header", "/Idempotency-Key", "must be 1 to 255 visible ASCII characters")


def if_match(headers: Headers) -> IfMatch | None:
    """Read the If-Match header; None without one."""
    value = headers.get("if-match")
    return None if value is None else _tags(value, "If-Match")


def if_none_match(headers: Headers) -> IfMatch | None:
    """Read the If-None-Match header; None without one."""
    value = headers.get("if-none-match")
    # Here tags are compared weakly (RFC 9110): a proxy may have made a strong one weak.
    return None if value is None else _tags(value.replace('W/"', '"'), "If-None-Match")


def _tags(value: str, header: str) -> IfMatch:
    if not ENTITY_TAGS.fullmatch(value):
        raise invalid("header", f"/{header}", 'must be * or entity tags like "17.9f86d081.s0"')
    return IfMatch(frozenset(re.findall(ENTITY_TAG, value)), value.strip() == "*")
