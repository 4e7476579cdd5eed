"""Every problem that the API can answer with: RFC 9457 problem details, one page of docs each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True)
class Kind:
    """A kind of problem: its stable code, status and title, what it means and what helps."""

    code: str
    status: int
    title: str
    meaning: str
    remedy: str


KINDS: Mapping[str, Kind] = {
    kind.code: kind
    for kind in (
        Kind(
            "route-not-found",
            404,
            "No such address",
            "Nothing is served at this path.",
            "Look the path up in the contract at /openapi.json; ids are in lower case.",
        ),
        Kind(
            "method-not-allowed",
            405,
            "Method not allowed",
            "The resource is there, but does not take this method.",
            "Use one of the methods named in the Allow header.",
        ),
        Kind(
            "unauthenticated",
            401,
            "Not authenticated",
            "The request needs a player's token, or the token that came with it is not known.",
            "Send 'Authorization: Bearer <token>' with a token from POST /v1/players.",
        ),
        Kind(
            "game-not-found",
            404,
            "No such game",
            "There is no game with this id that the caller may know of.",
            "Check the id; a private game is known only to its host and to whoever sat in it.",
        ),
        Kind(
            "not-found",
            404,
            "Not found",
            "The thing that the path names does not exist.",
            "Check the ids in the path.",
        ),
        Kind(
            "version-not-found",
            404,
            "No such version",
            "The game has not reached the version that was asked for.",
            "Ask for a version from 1 to the game's current one.",
        ),
        Kind(
            "unsupported-media-type",
            415,
            "Unsupported media type",
            "The body is not declared as JSON.",
            "Send 'Content-Type: application/json'.",
        ),
        Kind(
            "body-too-large",
            413,
            "Body too large",
            "The body is larger than any valid request.",
            "Send at most 64 KiB.",
        ),
        Kind(
            "malformed-json",
            400,
            "Malformed JSON",
            "The body is not JSON in UTF-8, names a member twice, or nests too deep.",
            "Send one JSON object; the detail says where reading stopped.",
        ),
        Kind(
            "invalid",
            422,
            "Not as the schema says",
            "The body, a query parameter or a header does not fit the contract.",
            "Each entry of 'errors' points at what does not fit and says what would.",
        ),
        Kind(
            "key-reused",
            409,
            "Idempotency key used before",
            "The same Idempotency-Key came with another body.",
            "Use a new key for each new command; repeat a key only with the very same body.",
        ),
        Kind(
            "forbidden",
            403,
            "Not yours to do",
            "The caller is known, but has not the role that this takes.",
            "The detail says whose right it is.",
        ),
        Kind(
            "stale-version",
            412,
            "The game has moved on",
            "If-Match names another version of the game than the current one.",
            "Read the game again and decide anew; leave If-Match out to act on any version.",
        ),
        Kind(
            "illegal-action",
            409,
            "Against the rules",
            "The rules do not allow this action now; 'rule' names the rule.",
            "Choose among 'legal', or ask GET /v1/games/{game}/actions.",
        ),
        Kind(
            "illegal-options",
            409,
            "Options that do not go together",
            "Each option fits the schema, but the game cannot be played with all of them.",
            "Change the option that 'pointer' names, or one that it depends on.",
        ),
        Kind(
            "decision-closed",
            409,
            "Decision closed",
            "The decision that the action names has been answered, or never was.",
            "Read the open decision from GET /v1/games/{game}/actions and answer that one.",
        ),
        Kind(
            "superseded",
            409,
            "Superseded by a ruling",
            "A judge took the game back; the decision belongs to the line that was undone.",
            "Read the game again: its decisions have new ids.",
        ),
        Kind(
            "wrong-ruleset",
            409,
            "Another game is played here",
            "The action is one of another ruleset than the game's.",
            "Send actions of the game's own ruleset.",
        ),
        Kind(
            "game-not-started",
            409,
            "Not started",
            "The game has not been started yet.",
            "Wait until the host starts it.",
        ),
        Kind(
            "game-started",
            409,
            "Already started",
            "This can be done only before the game is started.",
            "Open another game.",
        ),
        Kind(
            "game-over",
            409,
            "The game is over",
            "The game has ended; nothing can be played in it any more.",
            "Read its outcome; open another game.",
        ),
        Kind(
            "paused",
            409,
            "The game is paused",
            "All seats agreed to pause: nothing can be played until all agree to go on.",
            "Vote to go on with POST /v1/games/{game}/pause.",
        ),
        Kind(
            "already-so",
            409,
            "Nothing to change",
            "What was asked for is already the case.",
            "Read the game: it says whether it is paused and who wants to change that.",
        ),
        Kind(
            "not-possible",
            409,
            "Not possible here",
            "The ruling or motion makes no sense in the game as it is.",
            "The detail says why; read the game, its events and its rulings.",
        ),
        Kind(
            "not-eligible",
            409,
            "This person cannot",
            "Who has sat at a table never judges it; who judges or sat there takes no seat.",
            "Choose somebody who has no part in this game.",
        ),
        Kind(
            "motion-open",
            409,
            "A motion is open already",
            "The seat has a motion that is still open, or too many are open at the table.",
            "Wait until it is carried, declined, or lapses.",
        ),
        Kind(
            "motion-closed",
            409,
            "The motion is not open",
            "The motion was carried, declined, has lapsed, or was never made.",
            "Read the game: 'motions' lists those that are open.",
        ),
        Kind(
            "invitation-spent",
            409,
            "Invitation used",
            "The invitation works once, and has been used.",
            "Ask the host for another one.",
        ),
        Kind(
            "game-running",
            409,
            "The game has not ended",
            "A rematch can be had once the game has ended.",
            "Play it to its end first.",
        ),
        Kind(
            "seats-free",
            409,
            "Seats are free",
            "A game can be started only when every seat is taken.",
            "Let somebody join, or seat bundled players.",
        ),
        Kind(
            "seat-taken",
            409,
            "Seat not free",
            "The seat is taken, does not exist, or no seat is free.",
            "Choose a seat that is free, or leave 'seat' out.",
        ),
        Kind(
            "seat-empty",
            409,
            "Nobody sits there",
            "The seat that should be left is empty or does not exist.",
            "Look at the game's seats.",
        ),
        Kind(
            "already-seated",
            409,
            "Already seated",
            "A player can hold one seat of a game.",
            "Leave the seat first to take another one.",
        ),
        Kind(
            "unknown-bundled-player",
            409,
            "No such bundled player",
            "The game has no bundled player of this name.",
            "Choose among the 'bundled_players' of GET /v1/rulesets/{ruleset}.",
        ),
        Kind(
            "cursor-reset",
            409,
            "Not a place in this log",
            "The cursor names an event that this log does not hold, or no longer holds.",
            "Read the events again from the beginning.",
        ),
        Kind(
            "too-many-streams",
            429,
            "Too many open streams",
            "The caller has as many open event streams and waiting requests as one may have.",
            "Close some; one stream of a game tells all of it. Try again after Retry-After.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store cannot be reached",
            "The event store does not answer or does not take writes now. Nothing is lost.",
            "Repeat the request, with the same Idempotency-Key, after Retry-After seconds.",
        ),
        Kind(
            "log-damaged",
            503,
            "The game's log is damaged",
            "What is stored of this game contradicts itself, so the service will not play it.",
            "Tell the operator the request id.",
        ),
        Kind(
            "internal",
            500,
            "Fault of the service",
            "The service met a fault of its own. The request may be repeated with the same key.",
            "Tell the operator the request id.",
        ),
    )
}


class FieldError(msgspec.Struct, frozen=True):
    """One thing that does not fit: where, as JSON Pointer (RFC 6901), and what would fit.

    ``in`` is ``body``, ``query`` or ``header``; for the latter two the pointer names the
    parameter.
    """

    where: str = msgspec.field(name="in")
    pointer: str
    detail: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem in the form of RFC 9457.

    ``title`` is fixed for each ``type``; ``detail`` is about this occurrence. ``code`` is the
    stable name to branch on; ``rule`` the id of the game's rule that speaks; ``message`` the key of
    its text; ``pointer`` the field that is to blame; ``errors`` what does not fit the schema;
    ``legal`` what would have been legal, as ``listActions`` lists it; ``current`` the open decision
    or the current version. ``request_id`` finds the request in the log.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    rule: str | UnsetType = UNSET
    message: str | UnsetType = UNSET
    pointer: str | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    legal: list[dict[str, Any]] | UnsetType = UNSET
    current: int | UnsetType = UNSET


@dataclass
class ApiError(Exception):
    """An answer that is a problem: its code, a detail, headers and extension members."""

    code: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


def problem_type(code: str) -> str:
    """Give the address of a problem's page."""
    return f"/docs/problems/{code}"


def problem(error: ApiError, request_id: str) -> tuple[int, bytes]:
    """Give the status and the body of a problem."""
    kind = KINDS[error.code]
    body = Problem(
        type=problem_type(kind.code),
        title=kind.title,
        status=kind.status,
        detail=error.detail,
        code=kind.code,
        request_id=request_id,
        **{name: value for name, value in error.extra.items() if value is not None},
    )
    return kind.status, msgspec.json.encode(body)


def invalid(where: str, pointer: str, detail: str) -> ApiError:
    """Say that one thing of a request does not fit the contract."""
    extra = {"errors": [FieldError(where=where, pointer=pointer, detail=detail)]}
    return ApiError("invalid", f"{where} {pointer or '/'}: {detail}", extra=extra)


def key_reused() -> ApiError:
    """Say that a key came before with another body."""
    return ApiError("key-reused", "This Idempotency-Key came before with another body.")
