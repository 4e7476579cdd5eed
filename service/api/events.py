"""Events, claims and recordings: a game's log as its caller may see it."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.kernel import recording
from domain.kernel.event import Record
from service.api import streams
from service.api.game_shapes import union_of
from service.api.games import PRIVATE
from service.api.operation import Call, Operation, Reply, note_look
from service.api.perspectives import SeenAs, perspective_of
from service.api.problems import ApiError
from service.api.values import Cursor
from service.api.views import Perspective, cursor_of, events_view

PAGE_USUAL, PAGE_MOST = 100, 500
LONGEST_WAIT = 30

# The answer depends on who asks, and on whether they ask for a page or a stream.
NEGOTIATED = {**PRIVATE, "Vary": "Authorization, Accept"}


class EventsQuery(Struct, frozen=True):
    """Which events to list: those after a cursor, from the beginning if it is left out."""

    after: Cursor | None = None
    limit: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=PAGE_MOST,
                description=f"The most events of a page ({PAGE_USUAL} if left out), or of a"
                " stream (no limit if left out).",
            ),
        ]
        | None
    ) = None
    wait: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=LONGEST_WAIT,
                description="Seconds to wait for an event after the cursor. A page is given as"
                " soon as there is one, or without any when the time is up. A stream, which goes"
                " on without end if this is left out, ends as soon as it has sent an event and no"
                " more are there, or when the time is up.",
            ),
        ]
        | None
    ) = None
    perspective: SeenAs | None = None


Verdict = Annotated[
    Literal["truthful", "bluff", "untested"] | None,
    Meta(description="Only claims that a taste test found so, or settled ones without a test."),
]
Rewound = Annotated[
    Literal["yes", "no"] | None,
    Meta(description="Only claims that a rewind took back or set back, or only the others."),
]


class ClaimsQuery(Struct, frozen=True):
    """Which claims to list; all of them if nothing is asked."""

    seat: Annotated[int, Meta(ge=0, le=4, description="Only claims of this seat.")] | None = None
    verdict: Verdict = None
    rewound: Rewound = None
    perspective: SeenAs | None = None


async def list_events(call: Call) -> Reply:
    """List events after a cursor, as a page or as a stream."""
    query: EventsQuery = call.query
    perspective = perspective_of(call)
    if streams.wanted(call.headers.get("accept")):
        return _stream(call, query, perspective)
    after = _version(query.after)
    limit = PAGE_USUAL if query.limit is None else query.limit
    records = await _records_after(call, after, limit)
    waits = query.wait and call.request.scope["state"]["method"] != "HEAD"
    if not records and waits and await streams.news(call, after, query.wait or 0):
        known = call.held.state.table.judges
        call.table = await call.service.tables.current(call.path["game"])
        if call.player is not None and call.player.id not in known:
            await note_look(call, "listEvents")
        records = await _records_after(call, after, limit)
    shown = records[:limit]
    last = cursor_of(shown[-1].version, shown[-1].chain) if shown else query.after
    body = {
        "ruleset": call.held.ruleset.id,
        "game": call.path["game"],
        "events": events_view(call.held, call.player, shown, perspective),
        "next": last,
        "more": len(records) > limit,
    }
    return Reply(body, headers=NEGOTIATED)


def _stream(call: Call, query: EventsQuery, perspective: Perspective) -> Reply:
    """Give a stream; the cursor of Last-Event-ID counts before that of the query."""
    known = call.headers.get("last-event-id")
    state = call.held.state
    if known and state.table.sealed and known == cursor_of(state.version, state.chain):
        # A reader that comes back for more is told in the standard's way that there is none.
        return Reply(b"", status=204, headers=NEGOTIATED)
    stream = streams.Stream(
        call,
        known or query.after,
        limit=query.limit,
        wait=query.wait,
        perspective=perspective,
    )
    return Reply(app=stream)


async def _records_after(call: Call, after: int, limit: int) -> list[Record]:
    """Read the records after the cursor, one more than the limit if there are so many."""
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
                headers=NEGOTIATED,
            )
        records = found[1:]
    # Who may see what came after the table was read is not known yet.
    version = call.held.state.version
    return [record for record in records if record.version <= version]


def _version(cursor: str | None) -> int:
    return 0 if cursor is None else int(cursor.partition(".")[0])


async def list_claims(call: Call) -> Reply:
    """Give the audit of bluffs, read off the caller's own view of the events."""
    table, query = call.held, call.query
    perspective = perspective_of(call)
    records = await call.service.tables.records(call.path["game"], 0, table.state.version)
    found = table.ruleset.claims(events_view(table, call.player, records, perspective))
    tallies = None
    if table.state.table.sealed and perspective is None and table.ruleset.tallies is not None:
        tallies = table.ruleset.tallies(found, len(table.state.table.seats))
    body = {
        "ruleset": table.ruleset.id,
        "game": table.state.table.game,
        "version": table.state.version,
        "claims": [claim for claim in found if _wanted(claim, query)],
        "tallies": tallies,
    }
    return Reply(body, headers=PRIVATE)


def _wanted(claim: Any, query: ClaimsQuery) -> bool:
    """Say whether a claim passes the filters; an unknown verdict passes none."""
    if query.seat is not None and claim.seat != query.seat:
        return False
    if query.rewound is not None and bool(claim.rewinds) is not (query.rewound == "yes"):
        return False
    match query.verdict:
        case None:
            return True
        case "untested":
            return claim.settled is not None and claim.caller is None
        case verdict:
            return claim.caller is not None and claim.truthful is (verdict == "truthful")


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
        " Every version shows every viewer exactly one event; hidden parts are digests.\n\n"
        "With `Accept: text/event-stream` they come as a stream that goes on as the game does:"
        " messages without a name are the events, each with its cursor as `id`; `presence` says"
        " which seats have an open stream, `reset` that the cursor is none of this log and that"
        " what follows begins at the start, `end` that no more comes and why. A reader that comes"
        " back with `Last-Event-ID` misses nothing and gets nothing twice; that header counts"
        " before `after`. After a sealed game's last event it is answered with 204.",
        handler=list_events,
        looks=True,
        access="optional",
        response=union_of("events"),
        response_description="A page of events, or a stream of them.",
        query=EventsQuery,
        streams=True,
        problems=("forbidden", "not-found", "cursor-reset", "too-many-streams"),
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
        looks=True,
        access="optional",
        query=ClaimsQuery,
        response=union_of("claims"),
        response_description="The claims.",
        problems=("forbidden", "not-found"),
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
        looks=True,
        access="optional",
        response=str,
        response_description="The recording.",
        media_type="application/x-ndjson",
    ),
)
