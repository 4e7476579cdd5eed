"""Events, claims and recordings: a game's log as its caller may see it."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel import recording
from service.api.games import PRIVATE
from service.api.operation import Call, Operation, Reply
from service.api.problems import ApiError
from service.api.shapes import Cursor, union_of
from service.api.views import cursor_of, events_view

PAGE_USUAL, PAGE_MOST = 100, 500


class EventsQuery(Struct, frozen=True):
    """Which events to list: those after a cursor, from the beginning if it is left out."""

    after: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=PAGE_MOST, description="The most events of a page.")] = (
        PAGE_USUAL
    )


async def list_events(call: Call) -> Reply:
    """List events after a cursor."""
    after, limit = _version(call.query.after), call.query.limit
    tables, game = call.service.tables, call.path["game"]
    if after == 0:
        records = await tables.records(game, 0, limit + 1)
    else:
        # The cursor's own event comes along, to see that it is still the one that was named.
        found = await tables.records(game, after - 1, limit + 2)
        if not found or cursor_of(after, found[0].chain) != call.query.after:
            raise ApiError(
                "cursor-reset",
                f"This log has no event {call.query.after}; read it from the beginning.",
                headers=PRIVATE,
            )
        records = found[1:]
    shown = records[:limit]
    last = cursor_of(shown[-1].version, shown[-1].chain) if shown else call.query.after
    body = {
        "ruleset": call.held.ruleset.id,
        "game": game,
        "events": events_view(call.held, call.player, shown),
        "next": last,
        "more": len(records) > limit,
    }
    return Reply(body, headers=PRIVATE)


def _version(cursor: str | None) -> int:
    return 0 if cursor is None else int(cursor.partition(".")[0])


async def list_claims(call: Call) -> Reply:
    """Give the audit of bluffs, read off the caller's own view of the events."""
    table = call.held
    records = await call.service.tables.records(call.path["game"], 0, table.state.version)
    body = {
        "ruleset": table.ruleset.id,
        "game": table.state.table.game,
        "version": table.state.version,
        "claims": table.ruleset.claims(events_view(table, call.player, records)),
    }
    return Reply(body, headers=PRIVATE)


async def get_recording(call: Call) -> Reply:
    """Give the whole game as a recording that can be verified offline."""
    table = call.held
    records = await call.service.tables.records(call.path["game"], 0, table.state.version)
    lines = recording.write(table.state, events_view(table, call.player, records))
    headers = {
        "Content-Disposition": f'attachment; filename="{table.state.table.game}.ndjson"',
        **PRIVATE,
    }
    body = "".join(f"{line}\n" for line in lines).encode()
    return Reply(body, media_type="application/x-ndjson", headers=headers)


OPERATIONS = (
    Operation(
        id="listEvents",
        method="GET",
        path="/v1/games/{game:str}/events",
        tag="events",
        summary="List events",
        description="Lists the game's events after a cursor, as the caller sees each of them."
        " Every version shows every viewer exactly one event; hidden parts are digests.",
        handler=list_events,
        access="optional",
        response=union_of("events"),
        response_description="A page of events.",
        query=EventsQuery,
        problems=("cursor-reset",),
    ),
    Operation(
        id="listClaims",
        method="GET",
        path="/v1/games/{game:str}/claims",
        tag="events",
        summary="List claims",
        description="Lists every claim of the game: who, when, what was declared, who let it"
        " stand, who demanded a taste test and what it cost. What was laid is shown to whoever"
        " may know it, and to everyone once the game is sealed.",
        handler=list_claims,
        access="optional",
        response=union_of("claims"),
        response_description="The claims.",
    ),
    Operation(
        id="getRecording",
        method="GET",
        path="/v1/games/{game:str}/recording",
        tag="events",
        summary="Get the recording",
        description="Gives the whole game as newline-delimited JSON, as the caller sees it: a"
        " header, every event, and a closing line with their count and the chain's head."
        " `potluck verify` checks it offline.",
        handler=get_recording,
        access="optional",
        response=str,
        response_description="The recording.",
        media_type="application/x-ndjson",
    ),
)
