"""Leaks to plant, one at a time, to see that they are found."""

import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import msgspec

from domain.kernel import event as kernel_event
from domain.kernel import viewer as kernel_viewer
from domain.kernel.errors import Refusal
from domain.kernel.event import Audience, Record
from domain.kernel.ruleset import Ruleset
from domain.kernel.viewer import SEALED, SeenRecord, Sight
from tests.domain.kit.room import to_json


def secret_of(ruleset: Ruleset[Any], game: Any) -> int:
    """Give a number that depends on all that is hidden."""
    return zlib.crc32(to_json(ruleset.board(game, SEALED)))


@contextmanager
def leak_in_a_view(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """The board says something of the whole state."""

    def board(game: Any, sight: Sight) -> Any:
        return {"board": ruleset.board(game, sight), "order": secret_of(ruleset, game)}

    yield replace(ruleset, board=board)


@contextmanager
def leak_in_an_event(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """One type of event with a seat's cards does not declare them hidden."""
    kind = next(each for each in ruleset.events if Audience.SEAT in each.hidden.values())
    visible = kernel_viewer.visible

    def leaky(event: Any, name: str, sight: Sight) -> bool:
        return isinstance(event, kind) or visible(event, name, sight)

    with mock.patch.object(kernel_viewer, "visible", leaky):
        yield ruleset


@contextmanager
def leak_in_an_error(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """A refusal's text depends on what others hold."""

    def leaky(play: Any, seat: int, action: Any) -> None:
        try:
            ruleset.decide(play, seat, action)
        except Refusal as refusal:
            refusal.params["hint"] = secret_of(ruleset, play.game)
            raise

    yield replace(ruleset, decide=leaky)


@contextmanager
def leak_in_a_count(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """The list of legal actions is longer or shorter with what others hold."""

    def legal(game: Any, seat: int) -> Any:
        listed = tuple(ruleset.legal(game, seat))
        return listed + listed[:1] * (secret_of(ruleset, game) % 7)

    yield replace(ruleset, legal=legal)


@contextmanager
def leak_in_an_id(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """An event's id is a digest of the whole event, without a salt."""
    seen = kernel_viewer.seen

    def leaky(record: Record, sight: Sight, seed: bytes) -> SeenRecord:
        shown = seen(record, sight, seed)
        name = hashlib.sha256(to_json(record.event)).hexdigest()[:8]
        return msgspec.structs.replace(shown, actor=f"{shown.actor}.{name}")

    with mock.patch.object(kernel_viewer, "seen", leaky):
        yield ruleset


@contextmanager
def shared_salt(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """All hidden parts have one salt; :func:`confirmed` must find it, masks hide it."""
    salt = hashlib.sha256(b"the same for everyone").digest()[:16]
    digests = kernel_event._digest
    digests.cache_clear()
    with mock.patch.object(kernel_event, "part_salt", return_value=salt):
        yield ruleset
    digests.cache_clear()


# The leaks that ``difference`` must find; a shared salt is for ``confirmed`` to find.
LEAKS = {
    "a view": leak_in_a_view,
    "an event": leak_in_an_event,
    "an error text": leak_in_an_error,
    "a count": leak_in_a_count,
    "an id": leak_in_an_id,
}
