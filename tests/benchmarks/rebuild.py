"""Rebuilding an aggregate from encoded bytes in memory, beside the Python library eventsourcing."""

import json
import random
import statistics
import time
import uuid
from collections.abc import Callable
from typing import Any

from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import (
    DatetimeAsISO,
    JSONTranscoder,
    Mapper,
    StoredEvent,
    UUIDAsHex,
)

from domain.catalogue import CATALOGUE
from domain.kernel.codec import codec_of, encode
from domain.kernel.fold import evolve, fold
from domain.kernel.state import State
from tests.benchmarks.lines import Line, line
from tests.benchmarks.stored import played

ROUNDS = 7
AIM = 0.3  # seconds a measurement takes, about
EQUAL = (
    "Both rebuild a finished game to the same state from the same events, in memory, each encoded"
    " as JSON. Theirs is an aggregate in the library's style whose events carry ours as text and"
    " which decodes and folds them with our own code; so what differs is what the library adds."
)
LESS = (
    "As above, but their aggregate only keeps the newest fields in a dictionary: it folds no game."
    " What is compared is a whole fold of ours beside the least that the library can do."
)


class Played(Aggregate):
    """A game as the library's users would write one."""

    @event("Opened")
    def __init__(self) -> None:
        self.board: dict[str, Any] = {}

    @event("Happened")
    def happen(self, actor: str, time: int, parent: int, body: dict[str, Any]) -> None:
        self.board.update(body)
        self.time = time


class Folded(Aggregate):
    """The same, with a game that is folded as ours is."""

    @event("Opened")
    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.state: State | None = None

    @event("Happened")
    def happen(self, number: int, body: str) -> None:
        rules = CATALOGUE[self.ruleset]
        record = codec_of(rules).decode(number, body.encode(), b"")
        self.state = evolve(rules, self.state, record)


def _rate(work: Callable[[], Any], events: int) -> float:
    times = 0
    started = time.perf_counter()
    while time.perf_counter() - started < AIM:
        work()
        times += 1
    return times * events / (time.perf_counter() - started)


def _mapper() -> Mapper[uuid.UUID]:
    transcoder = JSONTranscoder()
    for kind in (UUIDAsHex, DatetimeAsISO):
        transcoder.register(kind())
    return Mapper(transcoder)


def _line(name: str, ours: Callable[[], Any], theirs: Aggregate, events: int, fair: str) -> Line:
    mapper = _mapper()
    stored: list[StoredEvent] = [mapper.to_stored_event(one) for one in theirs.collect_events()]

    def rebuild() -> Any:
        aggregate: Any = None
        for one in stored:
            aggregate = mapper.to_domain_event(one).mutate(aggregate)
        return aggregate

    if isinstance(theirs, Folded):
        assert rebuild().state.game == ours().game, "both come to the same game"
    pairs = [(_rate(ours, events), _rate(rebuild, len(stored))) for _ in range(ROUNDS)]
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    spread = statistics.pstdev(one / other for one, other in pairs)
    full = f"events/s rebuilt from bytes in memory, {name} (median of {ROUNDS}, ± {spread:.2f})"
    return line(full, *pairs[len(pairs) // 2], goal=5.0, fair=fair)


def measure(ruleset: str) -> list[Line]:
    """Measure one ruleset."""
    rules = CATALOGUE[ruleset]
    playout = played(ruleset, "random", random.Random(5), "rebuilt")
    bodies = [(record.version, encode(record), record.chain) for record in playout.records]
    read = codec_of(rules).decode

    def ours() -> Any:
        return fold(rules, [read(*body) for body in bodies])

    equal, least = Folded(ruleset), Played()
    for record, (version, body, _) in zip(playout.records, bodies, strict=True):
        equal.happen(version, body.decode())
        least.happen(record.actor, record.time, record.parent, json.loads(body)["event"])
    beside = f"{ruleset}, beside eventsourcing"
    return [
        _line(f"{beside} folding the same", ours, equal, len(bodies), EQUAL),
        _line(f"{beside} folding nothing", ours, least, len(bodies), LESS),
    ]
