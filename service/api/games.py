"""Games: open, list, look."""

import asyncio
import hashlib
import hmac
from heapq import merge
from itertools import groupby, islice
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.catalogue import CATALOGUE
from domain.kernel.decide import Create, player_actor
from domain.kernel.errors import Refusal
from domain.kernel.event import MAX_VERSION
from domain.kernel.ruleset import Ruleset
from service.api import inbox
from service.api.game_shapes import union_of
from service.api.operation import Call, Link, Operation, Reply
from service.api.perspectives import SeenAs, perspective_of
from service.api.problems import ApiError, key_reused
from service.api.shapes import GameList
from service.api.values import PageCursor
from service.api.views import (
    entity_tag,
    events_view,
    game_view,
    sight_of,
    summary,
)
from service.sources import ALPHABET, ID_LENGTH, spell
from service.store.listings import Place
from service.store.types import LISTINGS
from service.tables import Done, Key, KeyReused, Table
from service.texts import negotiate

PAGE_LEAST, PAGE_MOST, PAGE_USUAL = 1, 100, 20


class GameQuery(Struct, frozen=True):
    """Which version of a game to show; the present one if left out."""

    version: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_VERSION,
                description="A version of the game up to the present one, which is shown if this"
                " is left out.",
            ),
        ]
        | None
    ) = None
    perspective: SeenAs | None = None


Listed = Annotated[
    Literal["open", "running", "ended"] | None,
    Meta(description="Only games that stand here; sealed ones are listed as ended."),
]
PageLimit = Annotated[
    int, Meta(ge=PAGE_LEAST, le=PAGE_MOST, description="The most entries of a page.")
]


class GameListQuery(Struct, frozen=True):
    """Which games to list."""

    status: Listed = None
    cursor: PageCursor | None = None
    limit: PageLimit = PAGE_USUAL


class MyGamesQuery(Struct, frozen=True):
    """Which page of the caller's games to list."""

    cursor: PageCursor | None = None
    limit: PageLimit = PAGE_USUAL


def command_reply(call: Call, done: Done, *, status: int = 200) -> Reply:
    """Answer a command: its events and the game right after it.

    A repeat shows what the first answer showed: the sight is that of the table as it was then.
    """
    view = sight_of(done.table, call.player, done.table.state.version)
    headers = {"ETag": entity_tag(done.table.state, call.player, view), **PRIVATE}
    if done.repeated:
        headers["Idempotency-Replayed"] = "true"
    body = {
        "ruleset": done.table.ruleset.id,
        "events": events_view(done.table, call.player, done.records),
        "game": game_view(done.table, call.player, view),
    }
    return Reply(body, status=status, headers=headers)


PRIVATE = {"Cache-Control": "no-store", "Vary": "Authorization"}


async def create_game(call: Call) -> Reply:
    """Open a table; the caller is its host."""
    ruleset = CATALOGUE[call.body.__struct_config__.tag]
    command = Create(
        game=await game_id(call),
        ruleset_version=ruleset.version,
        options=call.body.options,
        seats=call.body.seats,
        host=call.caller.id,
        public=call.body.public,
        seed=call.service.sources.random_bytes(32).hex(),
        clock=call.body.clock,
        expires=call.service.expires,
    )
    return await open_table(call, ruleset, command)


async def open_table(call: Call, ruleset: Ruleset[Any], command: Create) -> Reply:
    """Carry a creation out."""
    game, actor = command.game, player_actor(call.caller.id)
    # The id is made of the key, so the key has to be looked up under the game's own id.
    try:
        done = await call.service.tables.create(game, command, ruleset, actor, key=call.key)
    except KeyReused:
        raise key_reused() from None
    except Refusal as refusal:
        raise _options_refused(call, ruleset, refusal) from refusal
    reply = command_reply(call, done, status=201)
    reply.headers["Location"] = f"/v1/games/{game}"
    return reply


def _options_refused(call: Call, ruleset: Ruleset[Any], refusal: Refusal) -> ApiError:
    """Say which options do not go together: each fits the schema by itself."""
    language = negotiate(call.headers.get("accept-language"))
    detail = call.service.texts.refusal(ruleset, language, refusal.key, refusal.params)
    return ApiError(
        "illegal-options",
        detail,
        headers={"Content-Language": language, "Vary": "Authorization, Accept-Language"},
        extra={
            "rule": refusal.rule,
            "message": refusal.key,
            "pointer": refusal.pointer or "/options",
        },
    )


async def game_id(call: Call) -> str:
    """Derive the id from player and key, so that a retry finds the game it has made."""
    key: Key = call.key
    if key.key is None:
        return call.service.sources.new_id()
    secret = await call.service.store.secret()
    return spell(hmac.digest(secret, b"game\n" + key.key, hashlib.sha256))


async def get_game(call: Call) -> Reply:
    """Show a game as its caller may see it, now or at an earlier version."""
    now = call.held
    perspective = perspective_of(call)
    version = call.query.version
    table: Table | None = now
    if version is not None and version != now.state.version:
        table = await call.service.tables.at(call.path["game"], version)
        if version > now.state.version or table is None:
            raise ApiError(
                "version-not-found",
                f"The game is at version {now.state.version}; there is no version {version}.",
                extra={"current": now.state.version},
            )
    assert table is not None
    view = sight_of(now, call.player, table.state.version, perspective)
    tag = entity_tag(table.state, call.player, view, perspective)
    headers = {"ETag": tag, **PRIVATE}
    held = inbox.if_none_match(call.headers)
    if held is not None and (held.any or tag in held.tags):
        return Reply(b"", status=304, headers=headers)
    return Reply(game_view(table, call.player, view), headers=headers)


async def list_games(call: Call) -> Reply:
    """List public games, newest first."""
    store, query = call.service.store, call.query
    after = _place(query.cursor)
    names = (query.status,) if query.status else LISTINGS
    # One list after the other, as games move through them: else one that moves on meanwhile could
    # have left the one that is read later and not have come to the one that was read before.
    pages = [await store.games(name, limit=query.limit + 1, after=after) for name in names]
    # Newest first in each list, so newest first in all of them together. A game that moved on
    # meanwhile may stand in two of them.
    merged = (place for place, _ in groupby(merge(*pages, reverse=True)))
    places = list(islice(merged, query.limit + 1))
    counts = await asyncio.gather(*(store.count(name) for name in names))
    return await _page(call, places, query.limit, sum(counts))


async def list_my_games(call: Call) -> Reply:
    """List the games that the caller hosts, sits in or has sat in, newest first."""
    query = call.query
    places = await call.service.store.games_of(
        call.caller.id, limit=query.limit + 1, after=_place(query.cursor)
    )
    return await _page(call, places, query.limit)


async def _page(call: Call, places: list[Place], limit: int, count: int | None = None) -> Reply:
    shown = places[:limit]
    tables = await asyncio.gather(*(call.service.tables.current(game) for _, game in shown))
    games = tuple(summary(table) for table in tables if table is not None)
    following = page_cursor(shown[-1]) if len(places) > limit else None
    return Reply(GameList(games, following, count), headers=PRIVATE)


def page_cursor(place: Place) -> str:
    """Spell a place in a list: ten digits for the time, then the game's id.

    Every text of this form is a place, whether a game stands there or not.
    """
    created, game = place
    return "".join(ALPHABET[created >> shift & 31] for shift in range(45, -1, -5)) + game


def _place(cursor: str | None) -> Place | None:
    if cursor is None:
        return None
    created = 0
    for digit in cursor[:-ID_LENGTH]:
        created = created * len(ALPHABET) + ALPHABET.index(digit)
    return created, cursor[-ID_LENGTH:]


_GAME = {"game": "$response.body#/game/id"}
_LATER = {"game": "$request.path.game"}

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="createGame",
        method="POST",
        path="/v1/games",
        tag="games",
        summary="Open a table",
        description="Opens a table of a game. The caller becomes its host, who seats bundled"
        " players, frees seats and starts it, and sits at it only by joining. The commitment to"
        " the game's chance is public from now on.",
        handler=create_game,
        access="player",
        status=201,
        response=union_of("result"),
        tagged=True,
        response_description="The table is open.",
        body=msgspec.json.Decoder(union_of("create")),
        body_shape=union_of("create"),
        keyed=True,
        problems=("illegal-options",),
        links=(
            Link("getIt", "getGame", _GAME, "The game, seen by anybody who may."),
            Link("joinIt", "takeSeat", _GAME, "A seat at the new table.", {"type": "join"}),
            Link(
                "seatBundledPlayer",
                "takeSeat",
                _GAME,
                "A bundled player at the new table.",
                {"type": "bundled", "bundled": "random"},
            ),
            Link("startIt", "startGame", _GAME, "The start, once every seat is taken."),
        ),
    ),
    Operation(
        id="listGames",
        method="GET",
        path="/v1/games",
        tag="games",
        summary="List public games",
        description="Lists public games, newest first, in pages.",
        handler=list_games,
        response=GameList,
        response_description="A page of games.",
        query=GameListQuery,
    ),
    Operation(
        id="listMyGames",
        method="GET",
        path="/v1/players/me/games",
        tag="players",
        summary="List my games",
        description="Lists the games that the caller hosts, sits in or has sat in, private ones"
        " included, newest first, in pages.",
        handler=list_my_games,
        access="player",
        response=GameList,
        response_description="A page of games.",
        query=MyGamesQuery,
    ),
    Operation(
        id="getGame",
        method="GET",
        path="/v1/games/{game:str}",
        tag="games",
        summary="Look at a game",
        description="Shows the game as the caller may see it: with a token that of a seat's"
        " holder, without one that of a spectator. With `version` it shows the game as it was"
        " then, and of hidden things what the caller might see then. With `perspective` it leaves"
        " out what that seat, or a spectator, could not see; `you` is the caller all the same.",
        handler=get_game,
        looks=True,
        access="optional",
        response=union_of("game"),
        tagged=True,
        response_description="The game.",
        query=GameQuery,
        cached=True,
        problems=("forbidden", "not-found", "version-not-found"),
        links=(
            Link("listActions", "listActions", _LATER, "What the caller may do now."),
            Link("listEvents", "listEvents", _LATER, "How it came about."),
        ),
    ),
)


def result_shape() -> Any:
    """Give the contract's shape of a command's answer."""
    return union_of("result")
