"""Replayed events a second from the store, beside the same read and decode without the fold."""

import random
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from domain.catalogue import CATALOGUE
from domain.kernel.codec import encode
from domain.kernel.fold import fold
from domain.players.playout import Playout
from service.store.embedded import Embedded
from service.store.store import Store
from service.store.types import Append, Entry
from service.tables import decode
from tests.benchmarks.lines import Line, line

GAMES = 60
ROUNDS = 5
FAIR = (
    "Both read the same games from the same store and decode every event into its type; ours"
    " folds them into states besides."
)


async def _store_games(store: Store, ruleset: str) -> list[str]:
    entropy = random.Random(7)
    rules = CATALOGUE[ruleset]
    games: list[str] = []
    for number in range(GAMES):
        playout = Playout(rules)
        game = f"replay-{number}"
        seats = rules.seats[0]
        seed = entropy.randbytes(32).hex()
        playout.open(game=game, seats=seats, seed=seed, options=rules.options())
        while playout.step(entropy):
            pass
        entries = tuple(Entry(r.version, encode(r), r.chain) for r in playout.records)
        for start in range(0, len(entries), 500):
            await store.append(
                Append(
                    game=game,
                    expected=start,
                    entries=entries[start : start + 500],
                    digest=bytes(8),
                    created=1,
                )
            )
        games.append(game)
    return games


async def _measure(ruleset: str) -> Line:
    rules = CATALOGUE[ruleset]
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as embedded:
        store = await Store.open(embedded.url)
        try:
            games = await _store_games(store, ruleset)
            pairs: list[tuple[float, float]] = []
            for _ in range(ROUNDS):
                rates = []
                for folded in (True, False):
                    count = 0
                    started = time.perf_counter()
                    for game in games:
                        records = decode(game, None, await store.read(game))
                        count += len(records)
                        if folded:
                            fold(rules, records)
                    rates.append(count / (time.perf_counter() - started))
                pairs.append((rates[0], rates[1]))
        finally:
            await store.close()
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    spread = statistics.pstdev(one / other for one, other in pairs)
    name = f"replayed events/s from the store, {ruleset} (median of {ROUNDS}, ratio ± {spread:.3f})"
    return line(name, *pairs[len(pairs) // 2], goal=0.4, fair=FAIR)


def measure(ruleset: str) -> Line:
    """Measure one ruleset."""
    return uvloop.run(_measure(ruleset))
