"""Stored events: bytes to records and back.

The store keeps an event with its hidden parts in plain (the store is the service's own); version
and chain stand beside the body. Whatever leaves the service goes through ``viewer.seen``.
"""

from functools import lru_cache, reduce
from operator import or_
from typing import Any

import msgspec

from domain.kernel.event import Event, Record
from domain.kernel.ruleset import Ruleset


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stored part of an envelope; what has its usual value is left out.

    ``parent`` 0 stands for the version before.
    """

    time: int
    actor: str
    event: msgspec.Raw
    count: int = 0
    schema: int = 1
    parent: int = 0


_encoder = msgspec.json.Encoder()
_body_decoder = msgspec.json.Decoder(Body)


def encode(record: Record) -> bytes:
    """Encode a record's body for the store."""
    return _encoder.encode(
        Body(
            time=record.time,
            actor=record.actor,
            event=msgspec.Raw(_encoder.encode(record.event)),
            count=record.count,
            schema=record.schema,
            parent=0 if record.parent == record.version - 1 else record.parent,
        )
    )


class Codec:
    """Decodes the stored events of one ruleset, lifting older schemas to the current ones."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        types = ruleset.all_events
        self._upcasters = ruleset.upcasters
        self._schemas = {str(event.__struct_config__.tag): event.schema for event in types}
        self._union: Any = reduce(or_, types)
        self._decoder = msgspec.json.Decoder(self._union)

    def decode(self, version: int, body: bytes, chain: bytes) -> Record:
        """Decode a stored body. Raises msgspec.ValidationError if it is no event of the ruleset."""
        stored = _body_decoder.decode(body)
        return Record(
            version,
            stored.parent or version - 1,
            stored.time,
            stored.actor,
            stored.schema,
            stored.count,
            self._event(stored),
            chain,
        )

    def _event(self, stored: Body) -> Event:
        event: Event
        if stored.schema == 1:
            # The first schema is current for nearly all types: try it before looking closer.
            try:
                event = self._decoder.decode(stored.event)
            except msgspec.ValidationError:
                pass
            else:
                if event.schema == 1:
                    return event
        return self._lift(msgspec.json.decode(stored.event), stored.schema)

    def lift(self, fields: dict[str, Any], schema: int) -> Event:
        """Turn an event's JSON value of some schema into a current event."""
        return self._lift(fields, schema)

    def _lift(self, fields: dict[str, Any], schema: int) -> Event:
        current = self._schemas.get(fields.get("type", ""), 1)
        if not 1 <= schema <= current:
            raise msgspec.ValidationError(f"this build does not know schema {schema} of the event")
        while schema < current:
            fields = self._upcasters[(fields["type"], schema)](fields)
            schema += 1
        event: Event = msgspec.convert(fields, self._union)
        return event


@lru_cache(maxsize=64)
def codec_of(ruleset: Ruleset[Any]) -> Codec:
    """Give the codec of a ruleset."""
    return Codec(ruleset)
