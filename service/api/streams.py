"""Event streams (``text/event-stream``) and waiting for events: a game as it happens.

A stream's messages without an ``event`` field are the game's events, exactly as the JSON pages
have them; their ids are cursors. Beside them there are ``presence`` (which seats have an open
stream now), ``reset`` (what follows begins at the start, because the cursor is none of this log)
and ``end`` (nothing more comes, and why).
"""

import asyncio
import math
import random
import re
from typing import Any

import msgspec
import structlog
from litestar.types import Receive, Scope, Send

from service import metrics
from service.api.operation import Call, void_token
from service.api.problems import ApiError
from service.api.values import CURSOR_PATTERN
from service.api.views import Perspective
from service.live import Hub, TooManyStreams
from service.presence import Seats
from service.store.errors import StoreError
from service.tables import Table
from service.watching import Watcher
from service.web import Connection

log = structlog.get_logger()

MEDIA_TYPE = "text/event-stream"

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Authorization, Accept"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back otherwise
]

_EXAMPLE = (
    '{"version":2,"parent":1,"time":1790000000000,"actor":"player:we4f9rhvjvqsb2ep","schema":1,'
    '"count":1,"event":{"type":"joined","seat":0,"player":"we4f9rhvjvqsb2ep","nonce":null},'
    '"chain":"9e56ca69fc9a3220e21698d64f4600780e51bbb21ba639d765b01251dbc18d15"}'
)
EXAMPLES = {
    "event": {"event": "message", "id": "2.9e56ca69", "data": _EXAMPLE},
    "presence": {"event": "presence", "data": '{"seats":[0,1]}'},
    "end": {"event": "end", "data": '{"reason":"sealed"}'},
}
ENDINGS = ("sealed", "limit", "caught-up", "time")


def message_schema(record: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of one message, whose data is a record in case of an event.

    The fields are those of the standard; a message without a name has the event ``message``, and an
    id counts until another comes.
    """
    seats = {"type": "array", "items": {"$ref": "#/components/schemas/SeatNumber"}}
    named = {
        "message": record,
        "presence": _exactly("seats", seats),
        "reset": _exactly("from", {"const": 0}),
        "end": _exactly("reason", {"type": "string", "enum": list(ENDINGS)}),
    }
    return {
        "description": "One message of the stream.",
        "oneOf": [_one(name, content) for name, content in named.items()],
    }


def _exactly(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of an object with one member."""
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def _one(name: str, content: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "event": {"type": "string", "const": name},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": content,
        },
        "retry": {"type": "integer", "minimum": 0},
    }
    if name == "message":
        properties["id"] = {"type": "string", "pattern": CURSOR_PATTERN}
    required = ["event", "data", "id"] if name == "message" else ["event", "data"]
    return {"type": "object", "properties": properties, "required": required}


CHUNK = 32 * 1024  # bytes handed over at once; what a stream holds is a few of these
BUFFER = 64 * 1024  # bytes that the system keeps for a reader; by itself it would keep megabytes
COMMENT = b":\n\n"
UNLIMITED = 2**31
COME_BACK = (500, 3000)  # ms, drawn for each stream when the service stops, lest all come at once

_cursor = re.compile(CURSOR_PATTERN)


def wanted(accept: str | None) -> bool:
    """Say whether an Accept header asks for a stream: by name, and no less than for JSON."""
    if accept is None or MEDIA_TYPE not in accept.lower():
        return False
    weights: dict[str, float] = {}
    for piece in accept.lower().split(","):
        name, *parameters = (part.strip() for part in piece.split(";"))
        weights[name] = next((_weight(one[2:]) for one in parameters if one[:2] == "q="), 1.0)
    return weights.get(MEDIA_TYPE, 0.0) > 0 and weights[MEDIA_TYPE] >= weights.get(
        "application/json", 0.0
    )


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def address_of(call: Call) -> str:
    """Give the address that a request came from."""
    client = call.request.scope.get("client")
    return client[0] if client else ""


def too_many() -> ApiError:
    """Say that a client has too many streams."""
    return ApiError(
        "too-many-streams",
        "You have as many open streams and waiting requests as one may have here.",
        headers={"Retry-After": "5"},
    )


class Stream:
    """A stream of a game's events to one caller, as the ASGI application that sends it.

    ``cursor`` is where it begins (None: at the start), ``limit`` the most events it sends, and
    ``perspective`` what its caller's sight is narrowed to.
    With ``wait`` it ends as soon as it has sent an event and no more are there, or once that
    many seconds are over.
    """

    def __init__(
        self,
        call: Call,
        cursor: str | None,
        *,
        limit: int | None,
        wait: int | None,
        perspective: Perspective,
    ) -> None:
        self._hub: Hub = call.service.hub
        self._table: Table = call.held
        self._accounts = call.service.accounts
        self._holder = call.holder
        self._address = address_of(call)
        self._request_id = call.request_id
        self._cursor = cursor
        self._limit = UNLIMITED if limit is None else limit
        self._wait = wait
        self._perspective = perspective

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it to its end. Raises ApiError and StoreUnavailable before anything is sent."""
        start: Any = {"type": "http.response.start", "status": 200, "headers": HEADERS}
        last: Any = {"type": "http.response.body", "body": b"", "more_body": False}
        state: dict[str, Any] = scope["state"]
        if state["method"] == "HEAD":
            await send(start)
            await send(last)
            return
        if self._holder and await self._accounts.void({self._holder}):
            raise void_token()
        try:
            watching = self._hub.watch(
                self._table, self._holder, self._address, stream=True, present=self._wait is None
            )
            with watching as watcher:
                watcher.perspective = self._perspective
                connection: Connection | None = state.get("connection")
                if connection is not None:  # there is none where the application runs by itself
                    connection.narrow(BUFFER)
                    watcher.abort = connection.abort
                known = await self._locate(watcher)
                await send(start)
                await self._send(watcher, receive, send, known=known)
        except TooManyStreams:
            raise too_many() from None

    async def _locate(self, watcher: Watcher) -> bool:
        """Stand at the cursor; False if it is none of this log."""
        if self._cursor is None:
            return True
        if not _cursor.match(self._cursor):
            return False
        version, _, digits = self._cursor.partition(".")
        return await watcher.locate(int(version), digits)

    async def _send(self, watcher: Watcher, receive: Receive, send: Send, *, known: bool) -> None:
        about = {"game": watcher.channel.game, "request_id": self._request_id}
        log.debug("stream opened", after=watcher.at, **about)
        leaving = asyncio.create_task(_left(receive))
        leaving.add_done_callback(lambda _: watcher.end("left"))
        reason = "fault"
        try:
            reason = await self._run(watcher, send, known=known)
            ending = _goodbye(reason)
            await send({"type": "http.response.body", "body": ending, "more_body": False})
        except StoreError as error:
            # Where events could not be read the stream breaks off, and its reader comes back.
            reason = "store"
            log.warning("a stream broke off", error=str(error), **about)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            metrics.STREAMS_ENDED.labels(reason).inc()
            log.debug("stream closed", reason=reason, at=watcher.at, **about)

    async def _run(self, watcher: Watcher, send: Send, *, known: bool) -> str:
        """Send until something ends it; say what."""
        loop = asyncio.get_running_loop()
        deadline = math.inf if self._wait is None else loop.time() + self._wait
        if self._wait is not None:
            loop.call_at(deadline, watcher.wake)
        pieces = [b"retry: %d\n\n" % self._hub.settings.retry]
        if not known:
            pieces.append(_RESET)
        sent, shown = 0, None
        while watcher.ended is None:
            shown = _note(watcher, pieces, shown)
            events = await watcher.take(self._limit - sent, CHUNK)
            if pieces or events:
                await _pass_on(watcher, send, b"".join((*pieces, *events)))
                sent += len(events)
                pieces.clear()
            if (reason := self._over(watcher, sent, loop.time() >= deadline)) is not None:
                return reason
            # With more to come, others have their turn first.
            await (watcher.wait() if watcher.caught_up else asyncio.sleep(0))
        return watcher.ended

    def _over(self, watcher: Watcher, sent: int, late: bool) -> str | None:
        """Say why a stream that has sent so many events is over, if it is."""
        if sent >= self._limit:
            return "limit"
        if not watcher.caught_up:
            return None
        if watcher.channel.table.sealed:
            return "sealed"
        if self._wait is not None and (sent or late):
            return "caught-up" if sent else "time"
        return None


def _note(watcher: Watcher, pieces: list[bytes], shown: Seats | None) -> Seats:
    """Add what is to be said beside events; give who is said to be present."""
    if watcher.lost:
        watcher.lost, watcher.at = False, 0
        pieces.append(_RESET)
    present = watcher.channel.present
    if present != shown:
        pieces.append(_message("presence", {"seats": present}))
    if watcher.beat and not pieces:
        pieces.append(COMMENT)
    watcher.beat = False
    return present


async def _pass_on(watcher: Watcher, send: Send, body: bytes) -> None:
    """Give bytes to the server, which takes them once the reader has taken what went before."""
    clock = asyncio.get_running_loop().time
    watcher.last_sent, watcher.sending = clock(), True
    try:
        await send({"type": "http.response.body", "body": body, "more_body": True})
    finally:
        watcher.last_sent, watcher.sending = clock(), False


async def _left(receive: Receive) -> None:
    """Wait until the reader is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _message(name: str, data: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data))


# The empty id makes a reader forget the cursor that was no good.
_RESET = b'id\nevent: reset\ndata: {"from":0}\n\n'


def _goodbye(reason: str) -> bytes:
    """Give a stream's last words: an ``end`` unless the reader should come back for more."""
    if reason in ENDINGS:
        return _message("end", {"reason": reason})
    if reason == "stopping":
        return b"retry: %d\n\n" % random.randint(*COME_BACK)
    return b""


async def news(call: Call, version: int, wait: int) -> bool:
    """Wait until a game has an event after a version; False if there was none in time.

    Raises ApiError if the caller waits too often already, or their token is replaced meanwhile.
    """
    loop = asyncio.get_running_loop()
    hub = call.service.hub
    try:
        with hub.watch(call.held, call.holder, address_of(call), stream=False) as watcher:
            leaving = asyncio.create_task(_left(call.request.receive))
            leaving.add_done_callback(lambda _: watcher.end("left"))
            timer = loop.call_later(wait, watcher.end, "time")
            try:
                while watcher.ended is None and not watcher.lost:
                    if watcher.channel.version > version:
                        return True
                    if watcher.channel.table.sealed:
                        return False
                    await watcher.wait()
            finally:
                timer.cancel()
                leaving.cancel()
            if watcher.ended == "token":
                raise void_token()
            return watcher.lost
    except TooManyStreams:
        raise too_many() from None
