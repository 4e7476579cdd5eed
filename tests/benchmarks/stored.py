"""Bytes in the store, all in, beside the encoded events; and those of one finished game."""

import hashlib
import random
import tempfile
from pathlib import Path
from typing import Any

import uvloop
from redis.asyncio import Redis

from domain.catalogue import CATALOGUE
from domain.kernel.codec import encode
from domain.kernel.event import Record
from domain.kernel.fold import evolve
from domain.kernel.state import State
from domain.players.playout import Playout
from service.store.embedded import Embedded
from service.store.store import Store
from service.store.types import Append, Entry
from service.tables import due_of, listing_of, newcomers
from tests.benchmarks.lines import Line, line

GAMES = 40
TIMES = 12  # that each is stored, under ids of their own: what partitions cost is spread
PLANNER = "planning"
ALL_IN = (
    "Ours is what the server's used memory grew by: streams with chain hashes and request ids, a"
    " key for each command, feed, lists, deadlines, the server's own overhead. Beside it the bytes"
    " of the encoded events with their envelopes and nothing else."
)


def played(ruleset: str, name: str, entropy: random.Random, game: str) -> Playout:
    """Play a game to its end."""
    rules = CATALOGUE[ruleset]
    playout = Playout(rules, time=1_800_000_000_000)
    seats = rules.seats[0]
    chooser = rules.bundled_players[name]
    seed = entropy.randbytes(32).hex()
    playout.open(game=game, seats=seats, seed=seed, options=rules.options())
    while playout.step(entropy, dict.fromkeys(range(seats), chooser)):
        playout.time += 5_000
    return playout


async def keep(store: Store, playout: Playout, game: str) -> int:
    """Store a game command by command, as the service does; give the bytes of its events."""
    size = 0
    state: State | None = None
    records = playout.records
    at = 0
    while at < len(records):
        command = records[at : at + max(1, records[at].count)]
        before, state = state, _after(playout, state, command)
        entries = tuple(
            Entry(record.version, encode(record), record.chain, b"" if place else b"r" * 16)
            for place, record in enumerate(command)
        )
        size += sum(len(entry.body) for entry in entries)
        await store.append(
            Append(
                game=game,
                expected=at,
                entries=entries,
                digest=bytes(8),
                created=state.table.created,
                key=hashlib.sha256(entries[0].chain).digest()[:16],
                listing=listing_of(state),
                players=newcomers(before, state),
                due=due_of(state),
            )
        )
        at += len(command)
    return size


def _after(playout: Playout, state: State | None, command: list[Record]) -> State:
    for record in command:
        state = evolve(playout.ruleset, state, record, playout.records)
    assert state is not None
    return state


async def _measure(ruleset: str) -> list[Line]:
    rules = CATALOGUE[ruleset]
    name = PLANNER if PLANNER in rules.bundled_players else "random"
    entropy = random.Random(11)
    games = [played(ruleset, name, entropy, "g") for _ in range(GAMES)]
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as embedded:
        store = await Store.open(embedded.url)
        raw = Redis.from_url(embedded.url, protocol=2)
        # Connections, function and buffers are there before the first measurement.
        await keep(store, played(ruleset, "random", entropy, "g"), "warm")
        before = await _used(raw)
        size = 0
        for number, playout in enumerate(games * TIMES):
            name_of_game = hashlib.sha256(b"%d" % number).hexdigest()[:16]
            size += await keep(store, playout, name_of_game)
        grown = await _used(raw) - before
        await raw.aclose()
        await store.close()
    events = sum(len(playout.records) for playout in games)
    per_game = f"{ruleset}, two of {name!r}, {events / GAMES:.0f} events a game"
    return [
        line(
            f"bytes in the store, all in, beside encoded events: {per_game}",
            grown,
            size,
            goal=2.0,
            at_most=True,
            fair=ALL_IN,
        ),
        line(
            f"bytes in the store for a finished game, beside 20 kB: {per_game}",
            grown / GAMES / TIMES,
            20_000,
            goal=1.0,
            at_most=True,
            fair="The same growth of used memory over all games, each played to its end.",
        ),
    ]


async def _used(raw: Redis) -> int:
    found: Any = await raw.info("memory")
    return int(found["used_memory_dataset"])


def measure(ruleset: str) -> list[Line]:
    """Measure one ruleset."""
    return uvloop.run(_measure(ruleset))
