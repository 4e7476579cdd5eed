"""Events and their envelope.

An event is a frozen struct, tagged by its name in snake case. Fields that not everyone may see
are *hidden parts*: declared in :attr:`Event.hidden` with their audience, and entered into the
chain under a digest with a salt of its own.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from domain.kernel.canonical import canonical, chain_next, part_digest_of, part_salt
from domain.kernel.clock import Clock
from domain.kernel.decision import Outcome
from domain.kernel.naming import snake_case as snake_case
from domain.kernel.rulings import AnyMotion, AnyRuling

MAX_VERSION = 1_000_000


class Audience(Enum):
    """Who may see a hidden part before the seal."""

    SEAT = "seat"  # the seat that the event names, and judges
    NOBODY = "nobody"  # no one at all, judges included


Hidden = Mapping[str, Audience]


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Something that happened. Subclasses are the event types of the kernel and of the games.

    A field with a default is left out of the JSON value while it has it, so that a field added
    later changes no byte of the events before.

    ``schema`` is raised when the fields of a type change; an upcaster of the ruleset then lifts
    older events. ``hidden`` maps the names of hidden parts to their audience. ``telling`` says
    whether the event may have told somebody something hidden, where that is not simply because it
    has a hidden part or an outcome of chance (see :func:`tells`).
    """

    schema: ClassVar[int] = 1
    telling: ClassVar[bool | None] = None
    hidden: ClassVar[Hidden] = {}


class TextRef(msgspec.Struct, frozen=True):
    """Stands in an event for free text, which is kept beside the log and can be erased.

    ``digest`` is taken over the words under a random salt that is erased with them; the log still
    verifies afterwards. An event with free text has it in a field named ``text``.
    """

    id: str
    digest: str


# The kernel's own events: what happens at every table, whatever is played.


class Created(Event, frozen=True):
    """A table was opened. Always version 1; the seed's digest is the commitment to chance.

    ``expires`` is after how long without any event the table may be closed (ms; null for never);
    ``rematch_of`` is the game that this one follows, and ``invited`` are those who may know of it
    from the beginning.
    """

    hidden: ClassVar[Hidden] = {"seed": Audience.NOBODY}

    game: str
    ruleset: str
    ruleset_version: int
    options: dict[str, bool | int | str | None]
    seats: int
    host: str
    public: bool
    seed: str
    clock: Clock | None = None
    expires: int | None = None
    rematch_of: str | None = None
    invited: tuple[str, ...] = ()


class Joined(Event, frozen=True):
    """A player took a seat, giving a nonce (hex) for the chance of this game or none."""

    seat: int
    player: str
    nonce: str | None


class BundledSeated(Event, frozen=True):
    """The host seated a bundled player."""

    seat: int
    bundled: str


class SeatFreed(Event, frozen=True):
    """A seat was vacated before the start, by its holder or by the host."""

    seat: int


class Started(Event, frozen=True):
    """The host started the game; the game's own events of the set-up follow."""


class SeatLeft(Event, frozen=True):
    """The player of a seat left the running game for good."""

    seat: int


class PauseVoted(Event, frozen=True):
    """A seat wants the clocks to stop, or (``pause`` false) to go on; all must agree."""

    seat: int
    pause: bool


class Paused(Event, frozen=True):
    """All seats agreed to pause: no clock runs and nothing can be played."""


class Resumed(Event, frozen=True):
    """All seats agreed to go on."""


class JudgeNamed(Event, frozen=True):
    """Somebody became a judge of this table."""

    judge: str


class InvitationMade(Event, frozen=True):
    """The host made an invitation. Its secret is not here, only the secret's SHA-256 (hex)."""

    digest: str


class InvitationUsed(Event, frozen=True):
    """Somebody used an invitation, named by the version that made it, and knows the table now."""

    invitation: int
    player: str


class MotionMade(Event, frozen=True):
    """A seat asks the others to agree to something. The event's version is the motion's id."""

    seat: int
    motion: AnyMotion
    text: TextRef | None = None


class MotionVoted(Event, frozen=True):
    """A seat or a judge agreed to a motion, or declined it and so ended it.

    ``seat`` is null for a judge.
    """

    motion: int
    agree: bool
    seat: int | None = None


class Ruled(Event, frozen=True):
    """A judge ruled; what follows from it stands in the events after it."""

    ruling: AnyRuling
    text: TextRef | None = None


class Adjusted(Event, frozen=True):
    """A seat's score was changed by a ruling."""

    seat: int
    points: int


class ClockRestored(Event, frozen=True):
    """What a seat has left of its time was set by a ruling (ms)."""

    seat: int
    milliseconds: int


class Forfeited(Event, frozen=True):
    """A seat lost by a ruling: the game goes on as if it had been left."""

    seat: int


class HandedOver(Event, frozen=True):
    """A seat has a new holder: a bundled player or a person, who sees the present only."""

    seat: int
    bundled: str | None = None
    player: str | None = None


class Expired(Event, frozen=True):
    """Nobody touched the table for as long as it was made for; it is closed without a winner."""


class Ended(Event, frozen=True):
    """The game ended under its rules. It is not sealed yet, and can still be rewound."""

    outcome: Outcome


class Rewound(Event, frozen=True):
    """A ruling took the game back: what follows goes on from version ``to``."""

    to: int


class Sealed(Event, frozen=True):
    """The game is closed for good: the seed is public, and with it every salt and hidden part."""

    seed: str


KERNEL_EVENTS: tuple[type[Event], ...] = (
    Created,
    Joined,
    BundledSeated,
    SeatFreed,
    Started,
    SeatLeft,
    PauseVoted,
    Paused,
    Resumed,
    JudgeNamed,
    InvitationMade,
    InvitationUsed,
    MotionMade,
    MotionVoted,
    Ruled,
    Adjusted,
    ClockRestored,
    Forfeited,
    HandedOver,
    Expired,
    Ended,
    Rewound,
    Sealed,
)


class Record(msgspec.Struct, frozen=True):
    """An event in its envelope, as it stands in the log.

    ``version`` counts from 1 without gaps; ``parent`` is the version whose game it goes on from:
    the one before, but for a rewind the version that it goes back to; ``time`` is in ms since
    1970, never before the last one's; ``actor`` is ``player:<id>``, ``seat:<n>``, ``judge:<id>``
    or ``service``; ``count`` is the number of events of the command on the command's first event
    and 0 on the others; ``chain`` is the chain's value after this event (32 bytes).
    """

    version: int
    parent: int
    time: int
    actor: str
    schema: int
    count: int
    event: Event
    chain: bytes


def tells(event: Event) -> bool:
    """Say whether an event may have told somebody something that was hidden until then."""
    if event.telling is not None:
        return event.telling
    return bool(event.hidden) or getattr(event, "chance", None) is not None


@lru_cache(maxsize=8192)
def _digest(seed: bytes, version: int, field: str, value: bytes) -> tuple[str, str]:
    """Give a part's salt and digest in hex; a new event is looked at twice."""
    salt = part_salt(seed, version, field)
    return salt.hex(), part_digest_of(salt, value)


def hidden_digest(event: Event, version: int, field: str, seed: bytes) -> str:
    """Give the digest of a hidden part."""
    return _digest(seed, version, field, canonical(getattr(event, field)))[1]


def hidden_part(event: Event, version: int, field: str, seed: bytes) -> dict[str, Any]:
    """Give a hidden part as ``digest``, ``salt`` and ``value``."""
    value = getattr(event, field)
    salt, digest = _digest(seed, version, field, canonical(value))
    return {"digest": digest, "salt": salt, "value": msgspec.to_builtins(value)}


def hidden_parts(event: Event, version: int, seed: bytes) -> dict[str, dict[str, Any]]:
    """Give all hidden parts of an event by field."""
    return {field: hidden_part(event, version, field, seed) for field in event.hidden}


def envelope(
    *, version: int, parent: int, time: int, actor: str, schema: int, count: int, event: Any
) -> dict[str, Any]:
    """Give an envelope as JSON would have it, without the chain: what the chain is taken over."""
    return {
        "version": version,
        "parent": parent,
        "time": time,
        "actor": actor,
        "schema": schema,
        "count": count,
        "event": event,
    }


def chained(
    previous: bytes,
    event: Event,
    *,
    version: int,
    parent: int,
    time: int,
    actor: str,
    count: int,
    seed: bytes,
) -> Record:
    """Put an event in its envelope and on the chain after ``previous``.

    The chain covers hidden parts by their digests, so that every viewer can check it.
    """
    fields = msgspec.to_builtins(event)
    for field in event.hidden:
        fields[field] = {"digest": hidden_digest(event, version, field, seed)}
    public = envelope(
        version=version,
        parent=parent,
        time=time,
        actor=actor,
        schema=event.schema,
        count=count,
        event=fields,
    )
    return Record(
        version, parent, time, actor, event.schema, count, event, chain_next(previous, public)
    )
