"""Operations: what each endpoint takes and gives, and the one pipeline that serves them all.

The order of answers is the same everywhere (``docs/api.md`` states it, the tests check it pair by
pair): no such route, method, token, game, media type, size, JSON, schema; then the command's key,
the role, If-Match, and last the rules and the state.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from litestar import Request
from litestar.types import ASGIApp

from domain.kernel.state import State
from service.accounts import Account, Holder, digest_of
from service.api import inbox, strict
from service.api.problems import ApiError
from service.container import Service
from service.opening import Opening
from service.tables import NO_KEY, Key, Table, belonging, scoped_key

Access = Literal["open", "optional", "player"]

GAME_ID = re.compile("[0-9abcdefghjkmnpqrstvwxyz]{16}")
SMALL_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
SEAT = re.compile("[0-4]")


@dataclass(frozen=True)
class Link:
    """An OpenAPI link: the operation that it leads to, and where its parameters come from."""

    name: str
    operation: str
    parameters: dict[str, str]
    description: str
    body: dict[str, Any] | None = None


@dataclass(frozen=True)
class Reply:
    """An answer: its body (encoded already, or a value to encode as JSON) and headers.

    Or ``app``, an ASGI application that answers in its own time; all else is passed over then.
    """

    body: Any = None
    status: int = 200
    media_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    app: ASGIApp | None = None


@dataclass
class Call:
    """A request that has passed the pipeline's checks."""

    request: Request[Any, Any, Any]
    headers: inbox.Headers
    request_id: str
    path: dict[str, Any]
    player: Account | None = None
    holder: Holder | None = None
    table: Table | None = None
    body: Any = None
    query: Any = None
    key: Key = NO_KEY
    if_match: inbox.IfMatch | None = None

    @property
    def service(self) -> Service:
        """The service. Raises StoreUnavailable as long as the store was never reached."""
        opening: Opening = self.request.app.state.opening
        return opening.service

    @property
    def caller(self) -> Account:
        """The caller, where the operation takes a player."""
        assert self.player is not None
        return self.player

    @property
    def held(self) -> Table:
        """The game that the path names."""
        assert self.table is not None
        return self.table


Handler = Callable[[Call], Awaitable[Reply]]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An endpoint, as the pipeline and the contract know it.

    ``locate`` looks up what the path names beside a game, and raises its 404 before anything in
    the request is read. ``access`` says whether a token is never looked at, looked at where given,
    or needed. ``body`` decodes the request's body; ``body_shape`` and ``response`` are types for
    the contract. ``keyed`` operations take an Idempotency-Key, ``conditional`` ones an If-Match,
    ``cached`` ones answer If-None-Match, ``streams`` ones can answer with an event stream.
    ``problems`` are the codes beyond those that the other
    fields imply.
    """

    id: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    tag: str
    summary: str
    description: str
    handler: Handler
    locate: Callable[[Call], Awaitable[None]] | None = None
    access: Access = "open"
    status: int = 200
    response: Any = None
    response_description: str = "Done."
    media_type: str = "application/json"
    body: msgspec.json.Decoder[Any] | None = None
    body_shape: Any = None
    query: type[msgspec.Struct] | None = None
    keyed: bool = False
    conditional: bool = False
    cached: bool = False
    fresh: bool = True
    streams: bool = False
    localised: bool = False
    tagged: bool = False  # answers with an ETag
    looks: bool = False  # may show a judge what is hidden, which is noted for the players
    stored: bool = True  # needs the store, so it may be unavailable
    problems: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def of_game(self) -> bool:
        """Whether the path names a game."""
        return "{game" in self.path


async def serve(operation: Operation, request: Request[Any, Any, Any]) -> Reply:
    """Serve a request: each check in the documented order, then the operation's own work."""
    scope = request.scope
    headers = inbox.Headers(scope["headers"])
    call = Call(request, headers, scope["state"]["request_id"], dict(scope["path_params"]))
    if operation.access != "open":
        call.player = await _authenticate(call, required=operation.access == "player")
    if operation.of_game:
        call.table = await _find_game(call, operation)
    if "seat" in call.path:
        call.path["seat"] = _seat(call.path["seat"])
    if operation.locate is not None:
        await operation.locate(call)
    raw = b""
    if operation.body is not None:
        raw = await inbox.read(headers, request.receive)
        call.body = strict.decode(operation.body, raw)
    elif operation.method != "GET":
        await inbox.expect_no_body(headers, request.receive)
    call.query = inbox.query(scope["query_string"], operation.query)
    if operation.keyed:
        player = call.player.id if call.player else ""
        what = f"{operation.id} {scope['path']}"
        call.key = scoped_key(player, what, inbox.idempotency_key(headers), raw)
    if operation.conditional:
        call.if_match = inbox.if_match(headers)
    if operation.looks or operation.tagged:  # the answer to a command shows the game as well
        await note_look(call, operation.id)
    return await operation.handler(call)


async def note_look(call: Call, what: str) -> None:
    """Note that a judge looks at a game that is not sealed, before it is shown to them."""
    table = call.table
    if table is None or call.player is None or table.state.table.sealed:
        return
    if call.player.id in table.state.table.judges:
        await call.service.looks.note(call.path["game"], call.player.id, what, table.state.version)


async def _authenticate(call: Call, *, required: bool) -> Account | None:
    header = call.headers.get("authorization")
    if header is None:
        if required:
            raise _unauthenticated("The request carries no token.", "")
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise _unauthenticated("The Authorization header holds no bearer token.", "")
    account = await call.service.accounts.by_token(token)
    if account is None:
        raise void_token()
    call.holder = Holder(account.id, digest_of(token))
    return account


def void_token() -> ApiError:
    """Say that nobody has the token, or nobody has it any more."""
    return _unauthenticated("Nobody has this token.", ', error="invalid_token"')


def _unauthenticated(detail: str, error: str) -> ApiError:
    headers = {"WWW-Authenticate": f'Bearer realm="potluck"{error}'}
    return ApiError("unauthenticated", detail, headers=headers)


async def _find_game(call: Call, operation: Operation) -> Table:
    """Find the game of the path, unless the caller may not know of it.

    A command may start from what this worker holds of a game: the append would tell if that were
    out of date.
    """
    game = call.path["game"]
    if GAME_ID.fullmatch(game):
        tables = call.service.tables
        table = None if operation.fresh else tables.cached(game)
        if table is None or not may_know(table.state, call.player):
            table = await tables.current(game)
        if table is not None and may_know(table.state, call.player):
            return table
    raise ApiError("game-not-found", f"There is no game {game[:40]!r} that you may know of.")


def may_know(state: State, player: Account | None) -> bool:
    """Say whether a caller may know of a game: all of a public one, else whoever belongs to it."""
    if state.table.public:
        return True
    return player is not None and player.id in belonging(state)


def _seat(text: str) -> int:
    if not SEAT.fullmatch(text):
        raise ApiError("not-found", f"{text[:40]!r} is no seat of any table; seats are 0 to 4.")
    return int(text)
