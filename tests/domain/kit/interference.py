"""Non-interference: what two histories that differ in hidden things show a viewer."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from domain.kernel import recording
from domain.kernel import viewer as kernel_viewer
from domain.kernel.decide import (
    Act,
    Context,
    decide,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Created, Record
from domain.kernel.fold import evolve
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, decision_id, status
from domain.kernel.viewer import SeenRecord, Sight
from tests.domain.kit.attempts import random_struct
from tests.domain.kit.chain import PART_LABEL, canonical_again
from tests.domain.kit.room import TEXT, to_json


def masked(value: Any) -> Any:
    """Blank out what is random by nature: digests and salts of hidden parts, and the chain."""
    if isinstance(value, dict):
        random = {"digest", "salt"} if "digest" in value and "id" not in value else set()
        return {
            name: "*" if name in random or name == "chain" else masked(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(inner) for inner in value]
    return value


Probe = tuple[int, msgspec.Struct]


def random_probes(ruleset: Ruleset[Any], seat: int, random: Random, number: int) -> list[Probe]:
    """Draw actions for a seat to try, out of the blue."""
    drawn: list[Probe] = []
    while len(drawn) < number:
        action = random_struct(random.choice(ruleset.actions), random)
        try:
            drawn.append((seat, msgspec.convert(action, ruleset.action_type)))
        except msgspec.ValidationError:
            continue
    return drawn


def answer(ruleset: Ruleset[Any], state: State, seat: int, action: msgspec.Struct) -> bytes:
    """Give what a seat is told when it tries an action: refused with which words, or accepted."""
    tag = str(action.__struct_config__.tag)
    text = TEXT if tag in ruleset.free_text else None
    act = Act(seat=seat, decision=decision_id(state) or 0, action=action, text=text)
    try:
        decide(ruleset, state, act, Context(seat_actor(seat), state.time))
    except Refusal as refusal:
        told = [refusal.rule, refusal.code, refusal.key, refusal.pointer, refusal.params]
        return to_json(["refused", str(refusal), *told])
    return to_json(["accepted"])


def outlets(
    ruleset: Ruleset[Any],
    records: Sequence[Record],
    view: Sight | Callable[[int], Sight],
    probes: Sequence[Probe] = (),
) -> Iterator[tuple[str, bytes]]:
    """Yield, by name, all that a viewer is given of a history, random bytes masked.

    ``view`` gives the sight of each version where it is not the same throughout.
    """
    state: State | None = None
    created = records[0].event
    assert isinstance(created, Created)
    seed = bytes.fromhex(created.seed)
    shown: list[SeenRecord] = []
    for record in records:
        sight = view if isinstance(view, Sight) else view(record.version)
        state = evolve(ruleset, state, record, records)
        event = kernel_viewer.seen(record, sight, seed)
        shown.append(event)
        yield f"event {record.version}", to_json(masked(msgspec.to_builtins(event)))
        asked = state.game.decision if state.game else None
        yield f"decision {record.version}", to_json([status(state), decision_id(state), asked])
        if state.game is None:
            continue
        board = masked(msgspec.to_builtins(ruleset.board(state.game, sight)))
        yield f"board {record.version}", to_json(board)
        for seat in sight.seats:
            listed = ruleset.legal(state.game, seat)
            yield f"legal {record.version}", to_json(listed)
    if ruleset.claim is not None:
        yield "claims", to_json(masked(msgspec.to_builtins(ruleset.claims(shown))))
    assert state is not None
    for line in recording.write(state, shown):
        yield "recording", to_json(masked(msgspec.json.decode(line)))
    if state.game is not None:
        for seat, action in probes:
            yield f"answer to {action}", answer(ruleset, state, seat, action)


def difference(
    ruleset: Ruleset[Any],
    one: Sequence[Record],
    other: Sequence[Record],
    sight: Sight | Callable[[int], Sight],
    probes: Sequence[Probe] = (),
) -> str | None:
    """Name the first outlet on which two histories differ for a viewer; None if there is none.

    ``probes`` are actions (with the seat that tries them, one of the viewer's own) for which
    the answers are compared, too.
    """
    ones, others = outlets(ruleset, one, sight, probes), outlets(ruleset, other, sight, probes)
    for (name, given), (other_name, other_given) in zip(ones, others, strict=True):
        if (name, given) != (other_name, other_given):
            return name
    return None


def confirmed(
    records: Sequence[Record], sight: Sight, candidates: Iterable[Any]
) -> list[tuple[int, str, Any]]:
    """Try candidates for every hidden part with all that a viewer received as salt.

    Gives what could be confirmed: version, field and value. ``candidates`` are JSON values.
    """
    created = records[0].event
    assert isinstance(created, Created)
    seed = bytes.fromhex(created.seed)
    salts: set[bytes] = {b""}
    hidden: dict[str, tuple[int, str]] = {}
    for record in records:
        shown = kernel_viewer.seen(record, sight, seed)
        _take_bytes(msgspec.to_builtins(shown), salts)
        for name in record.event.hidden:
            part = shown.event[name]
            if isinstance(part, dict) and "value" not in part:
                hidden[part["digest"]] = (record.version, name)
    found = []
    for value in candidates:
        written = canonical_again(value)
        for salt in salts:
            digest = hashlib.sha256(PART_LABEL + salt + written).hexdigest()
            place = hidden.get(digest)
            if place is not None:
                found.append((*place, value))
    return found


def _take_bytes(value: Any, found: set[bytes]) -> None:
    """Collect every hex string in a JSON value, whole and cut to a salt's length."""
    if isinstance(value, dict):
        for inner in value.values():
            _take_bytes(inner, found)
    elif isinstance(value, list | tuple):
        for inner in value:
            _take_bytes(inner, found)
    elif isinstance(value, str) and len(value) >= 32:
        try:
            raw = bytes.fromhex(value)
        except ValueError:
            return
        found.update((raw, raw[:16]))
