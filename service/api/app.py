"""The application: Litestar's routes around the one pipeline, and what surrounds every request."""

import math
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import structlog
from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service import metrics
from service.api import (
    actions,
    assets,
    contract,
    events,
    games,
    health,
    judges,
    lobby,
    pages,
    players,
    rulesets,
    seats,
    texts,
)
from service.api.operation import Operation, Reply, serve
from service.api.problems import MEDIA_TYPE, ApiError, problem
from service.opening import Opened, Opening
from service.store.errors import StoreCorrupt, StoreUnavailable

log = structlog.get_logger()

OPERATIONS: tuple[Operation, ...] = (
    *players.OPERATIONS,
    *rulesets.OPERATIONS,
    *games.OPERATIONS,
    *seats.OPERATIONS,
    *actions.OPERATIONS,
    *events.OPERATIONS,
    *texts.OPERATIONS,
    *judges.OPERATIONS,
    *lobby.OPERATIONS,
    *health.OPERATIONS,
)

_encode = msgspec.json.Encoder().encode


class Answer:
    """An answer that is ready to be sent, as the ASGI application that sends it."""

    def __init__(self, reply: Reply) -> None:
        body = reply.body if isinstance(reply.body, bytes) else _encode(reply.body)
        self._body = body
        self._status = reply.status
        about_body = [
            (b"content-type", reply.media_type.encode()),
            (b"content-length", b"%d" % len(body)),
        ]
        # These have no body; with a 304 a length of 0 would speak of the one not sent again.
        self._headers = [
            *(about_body if reply.status not in (204, 304) else ()),
            *((name.lower().encode(), value.encode()) for name, value in reply.headers.items()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        start: Any = {
            "type": "http.response.start",
            "status": self._status,
            "headers": self._headers,
        }
        await send(start)
        body: Any = {"type": "http.response.body", "body": self._body, "more_body": False}
        await send(body)


def _handler(operation: Operation) -> HTTPRouteHandler:
    async def endpoint(request: Request[Any, Any, Any]) -> ASGIApp:
        state = request.scope["state"]
        if operation.method != "GET":
            state["command"], state["result"] = operation.id, "done"
        reply = await serve(operation, request)
        if "Idempotency-Replayed" in reply.headers:
            state["result"] = "repeated"
        return reply.app or Answer(reply)

    return HTTPRouteHandler(
        operation.path,
        http_method=operation.method,
        status_code=operation.status,
        include_in_schema=False,
    )(endpoint)


def _problem(request: Request[Any, Any, Any], error: ApiError) -> Response[bytes]:
    state = request.scope["state"]
    state["result"] = error.code
    status, body = problem(error, state["request_id"])
    headers = {"Cache-Control": "no-store", **error.headers}
    return Response(content=body, status_code=status, media_type=MEDIA_TYPE, headers=headers)


def _on_api_error(request: Request[Any, Any, Any], error: ApiError) -> Response[bytes]:
    return _problem(request, error)


def _on_unavailable(request: Request[Any, Any, Any], error: StoreUnavailable) -> Response[bytes]:
    log.warning("the store is unavailable", reason=error.reason, error=str(error))
    metrics.STORE_ERRORS.labels(error.reason).inc()
    return _problem(
        request,
        ApiError(
            "store-unavailable",
            f"The event store cannot serve this now ({error.reason}). Nothing is lost.",
            headers={"Retry-After": str(max(1, math.ceil(error.retry_after)))},
        ),
    )


def _on_corrupt(request: Request[Any, Any, Any], error: StoreCorrupt) -> Response[bytes]:
    log.error("a log is damaged", game=error.game, found=error.found)
    return _problem(
        request,
        ApiError("log-damaged", "What is stored of this game contradicts itself."),
    )


def _on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer what the framework itself refuses."""
    if error.status_code == 404:
        return _problem(request, _no_route(request.scope["path"]))
    if error.status_code == 405:
        listed = _methods(error)
        method = request.scope["state"]["method"]
        if method == "OPTIONS":
            return Response(content=b"", status_code=204, headers={"Allow": listed})
        detail = f"{method} is not taken here; there are: {listed}."
        return _problem(request, ApiError("method-not-allowed", detail, {"Allow": listed}))
    if error.status_code == 413:
        return _problem(request, ApiError("body-too-large", "The body is too large."))
    if error.status_code < 500:
        return _problem(request, ApiError("malformed-json", str(error.detail)))
    return _on_fault(request, error)


def _no_route(path: str) -> ApiError:
    return ApiError("route-not-found", f"Nothing is served at {path[:120]!r}.")


def _methods(error: HTTPException) -> str:
    """List the methods that a path takes: what the framework names, and HEAD wherever GET."""
    allow = {name.lower(): value for name, value in (error.headers or {}).items()}["allow"]
    names = {name.strip() for name in allow.split(",")}
    return ", ".join(sorted(names | {"HEAD"} if "GET" in names else names))


def _on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    log.error("a fault", exc_info=error)
    return _problem(
        request,
        ApiError("internal", "The service met a fault of its own. The log has more."),
    )


class Edge:
    """What surrounds every request: a request id, HEAD by way of GET, the log, fixed headers."""

    def __init__(self, app: ASGIApp, new_id: Callable[[], str]) -> None:
        self._app = app
        self._new_id = new_id

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = self._new_id()
        state: dict[str, Any] = scope.setdefault("state", {})
        state.update(request_id=request_id, method=scope["method"])
        method: str = scope["method"]
        head = method == "HEAD"
        inner: Any = {**scope, "method": _SERVED_AS.get(method, method)}
        started = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _count(inner, state, method, status)
                headers = list(message.get("headers", []))
                headers += [(b"x-request-id", request_id.encode()), *_FIXED]
                message = {**message, "headers": headers}
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        app = self._app if _in_one_spelling(scope) else _nothing_there
        await app(inner, receive, answer)
        log.info(
            "request",
            method=method,
            path=scope["path"][:200],
            status=status,
            ms=round((time.perf_counter() - started) * 1000, 2),
            request_id=request_id,
        )


def _count(scope: Any, state: dict[str, Any], method: str, status: int) -> None:
    """Count an answer, by the template of its route: a path would be a label without bounds."""
    metrics.request(scope.get("path_template") or "none", method, status)
    if "command" in state:
        metrics.COMMANDS.labels(state["command"], state["result"]).inc()


# No route takes TRACE, so what it is answered with names the methods that there are.
_SERVED_AS = {"HEAD": "GET", "OPTIONS": "TRACE"}

PATH = re.compile(r"/|(/[^/]+)+")


def _in_one_spelling(scope: Any) -> bool:
    """Say whether a path is spelled as routes are: no empty segment, no slash in disguise."""
    return PATH.fullmatch(scope["path"]) is not None and b"%2f" not in scope["raw_path"].lower()


async def _nothing_there(scope: Any, receive: Receive, send: Send) -> None:
    status, body = problem(_no_route(scope["path"]), scope["state"]["request_id"])
    reply = Reply(body, status, MEDIA_TYPE, {"Cache-Control": "no-store"})
    await Answer(reply)(scope, receive, send)


_FIXED = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def contract_bytes() -> bytes:
    """Give the OpenAPI document of this build."""
    return contract.encode(OPERATIONS)


def create_app(opened: Opened, new_id: Callable[[], str]) -> ASGIApp:
    """Build the application. ``opened`` opens the service for as long as the app runs."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with Opening(opened) as opening:
            app.state.opening = opening
            yield

    handlers: Sequence[Any] = [_handler(operation) for operation in OPERATIONS]
    app = Litestar(
        route_handlers=[*handlers, *pages.handlers(contract_bytes()), *assets.handlers()],
        lifespan=[lifespan],
        openapi_config=None,
        exception_handlers={
            ApiError: _on_api_error,
            StoreUnavailable: _on_unavailable,
            StoreCorrupt: _on_corrupt,
            HTTPException: _on_http,
            Exception: _on_fault,
        },
        logging_config=None,
        request_max_body_size=1_000_000,
    )
    return Edge(app, new_id)
