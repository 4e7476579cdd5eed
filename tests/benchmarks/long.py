"""The view of a game of 10,000 events, beside that of one of 100."""

import random
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path

import msgspec
import uvloop

from domain.catalogue import CATALOGUE
from domain.kernel.decide import Pause, seat_actor
from domain.players.playout import Playout
from service.store.embedded import Embedded
from service.store.store import Store
from tests.benchmarks.commands import server
from tests.benchmarks.lines import Line, line
from tests.benchmarks.stored import keep

RULESET = "stir-fry-eighteen"
LONG, SHORT = "1" * 16, "2" * 16
LENGTHS = {LONG: 10_000, SHORT: 100}
ASKED = 300
FAIR = (
    "The same worker gives a spectator's view of one and the other in turns, over HTTP. Both are"
    " real: five seats at random to 300 points, with a pause by consent after every move, looked at"
    " after so many events."
)


def _grown(game: str, length: int) -> Playout:
    """Play until the log has so many events; a game that ends too early is played again."""
    entropy = random.Random(length)
    rules = CATALOGUE[RULESET]
    while True:
        playout = Playout(rules, time=1_800_000_000_000)
        options = msgspec.convert({"target": 300}, rules.options)
        seed = entropy.randbytes(32).hex()
        playout.open(game=game, seats=5, seed=seed, options=options)
        while len(playout.records) < length and playout.step(entropy):
            # No game at random gets so long by itself; pauses by consent are events like others.
            for pause in (True, False):
                playout.command(Pause(seat=0, pause=pause), seat_actor(0))
        if len(playout.records) >= length:
            return playout


def _get(port: int, game: str) -> float:
    started = time.perf_counter()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/games/{game}", timeout=60) as answer:
        answer.read()
    return time.perf_counter() - started


async def _keep_all(url: str, games: Iterable[tuple[str, Playout]]) -> None:
    store = await Store.open(url)
    for game, playout in games:
        await keep(store, playout, game)
    await store.close()


def measure() -> list[Line]:
    """Measure both."""
    games = {name: _grown(name, length) for name, length in LENGTHS.items()}
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as embedded:
        uvloop.run(_keep_all(embedded.url, games.items()))
        with server("service.worker", embedded.url) as port:
            cold = {name: _get(port, name) for name in reversed(games)}
            times: dict[str, list[float]] = {name: [] for name in games}
            for _ in range(ASKED):
                for name in games:
                    times[name].append(_get(port, name))
    warm = {name: statistics.median(found) for name, found in times.items()}
    sizes = " and ".join(f"{len(playout.records):,}" for playout in games.values())
    return [
        line(
            f"warm view in µs, median of {ASKED}, games of {sizes} events",
            warm[LONG] * 1e6,
            warm[SHORT] * 1e6,
            goal=1.2,
            at_most=True,
            fair=FAIR,
        ),
        line(
            f"cold view in µs, first at a worker, games of {sizes} events",
            cold[LONG] * 1e6,
            cold[SHORT] * 1e6,
            goal=None,
            fair="The same, but the worker has to read and fold the whole game first.",
        ),
    ]
