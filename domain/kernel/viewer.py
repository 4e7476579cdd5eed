"""Who looks, and the one redaction of events.

Everything about an event that leaves the service goes through :func:`seen`. A game declares which
parts of its events are hidden and from whom; nothing else decides.
"""

from typing import Any, cast

import msgspec

from domain.kernel.event import Audience, Event, Record, envelope, hidden_digest, hidden_part
from domain.kernel.state import Table


class Sight(msgspec.Struct, frozen=True):
    """What a viewer may see at some version.

    ``seats`` are the seats whose private side the viewer holds; ``judge`` sees the private side
    of every seat, yet no chance to come; ``sealed`` is everyone's sight of a sealed game.
    """

    seats: tuple[int, ...] = ()
    judge: bool = False
    sealed: bool = False

    def sees(self, seat: int) -> bool:
        """Say whether the private side of a seat is visible."""
        return self.sealed or self.judge or seat in self.seats


SPECTATOR = Sight()
JUDGE = Sight(judge=True)
SEALED = Sight(sealed=True)


def sight(table: Table, player: str | None, version: int) -> Sight:
    """Give a player's sight of one version of a game.

    A person sees a seat's private side only for the versions at which they held it: a successor
    sees the present, never the past. None is a caller without a token.
    """
    if table.sealed:
        return SEALED
    if player is None:
        return SPECTATOR
    if player in table.judges:
        return JUDGE
    held = tuple(
        tenure.seat
        for tenure in table.tenures
        if tenure.player == player
        and tenure.since <= version
        and (tenure.until is None or version < tenure.until)
    )
    return Sight(seats=held)


def narrowed(view: Sight, seats: tuple[int, ...]) -> Sight:
    """Give what is left of a sight of the private sides of these seats and nothing else.

    It never shows more than the sight itself does; of no seats it leaves a spectator's.
    """
    return Sight(seats=tuple(seat for seat in seats if view.sees(seat)))


def visible(event: Event, field: str, view: Sight) -> bool:
    """Say whether a hidden part of an event is visible."""
    if view.sealed:
        return True
    if event.hidden[field] is Audience.NOBODY:
        return False
    return view.sees(cast(Any, event).seat)


class SeenRecord(msgspec.Struct, frozen=True):
    """An event in its envelope as one viewer sees it.

    ``event`` is the event's JSON value; a hidden part in it is an object with its ``digest``,
    and where the viewer may see it with ``salt`` and ``value`` as well. ``chain`` is hex.
    """

    version: int
    parent: int
    time: int
    actor: str
    schema: int
    count: int
    event: dict[str, Any]
    chain: str


def seen(record: Record, view: Sight, seed: bytes) -> SeenRecord:
    """Turn an event into what a viewer sees of it."""
    event = record.event
    fields = msgspec.to_builtins(event)
    for field in event.hidden:
        if visible(event, field, view):
            fields[field] = hidden_part(event, record.version, field, seed)
        else:
            fields[field] = {"digest": hidden_digest(event, record.version, field, seed)}
    public = envelope(
        version=record.version,
        parent=record.parent,
        time=record.time,
        actor=record.actor,
        schema=record.schema,
        count=record.count,
        event=fields,
    )
    return SeenRecord(**public, chain=record.chain.hex())
