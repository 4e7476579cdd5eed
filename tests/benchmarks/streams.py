"""Delivery to 1,000 streams on one worker while games are played, beside a naive relay.

As a command: ``python -m tests.benchmarks.streams [--streams 1000] [--seconds 10]``. Every stream
must get every event, in order and once, or there is no figure.
"""

import argparse
import asyncio
import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import uvloop

from domain.catalogue import CATALOGUE
from domain.kernel.codec import encode
from domain.players.playout import Playout
from service.store.embedded import Embedded
from service.store.store import Store
from service.store.types import Append, Appended, Entry
from service.tables import decode
from service.web import allow_many_connections
from tests.benchmarks.commands import open_game, post, server
from tests.benchmarks.lines import Line
from tests.benchmarks.relay import SIZE

RULESET = "stir-fry-eighteen"
STREAMS = 1000
GAMES = 20
SECONDS = 10.0
COMMANDS = 20  # a second, over all games
ROUNDS = 3
FAIR = (
    "Both are one worker of the same server, told by the same published wake-ups of the same"
    " appends, and send as many bytes to as many streams; from before the append until the client"
    " has the message. Ours also reads the events, checks the chain, follows the table, hides what"
    " each viewer may not see, and keeps cursors, presence and a bound for slow readers."
)
_ID = re.compile(rb"(?:^|\n)id: (\d+)\.")


class Follower(asyncio.Protocol):
    """A stream's client: notes when each version came."""

    def __init__(self, request: bytes) -> None:
        self._request = request
        self._left = b""
        self.begun = asyncio.get_running_loop().create_future()
        self.came: list[tuple[int, float]] = []
        self.size = 0
        self.lost = False

    def connection_made(self, transport: Any) -> None:
        """Ask for the stream."""
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it ended."""
        self.lost = True

    def data_received(self, data: bytes) -> None:
        """Note the versions of the messages that begin here."""
        now = time.perf_counter()
        self.size += len(data)
        data = self._left + data
        at = data.rfind(b"\n")
        # A line's end may be what tells that an id begins, so it stays for the next piece.
        whole, self._left = data[:at], data[at:]
        for found in _ID.finditer(whole):
            self.came.append((int(found[1]), now))
        if not self.begun.done():
            self.begun.set_result(None)


async def _open_streams(
    port: int, games: Sequence[str], tokens: Sequence[str], count: int
) -> list[tuple[str, Follower]]:
    loop = asyncio.get_running_loop()
    streams = []
    for place in range(count):
        game = games[place % len(games)]
        # In each game the two seats look on, and for the rest spectators.
        seat = place // len(games)
        token = f"Authorization: Bearer {tokens[seat]}\r\n" if seat < len(tokens) else ""
        head = f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
        request = f"{head}{token}\r\n".encode()
        _, follower = await loop.create_connection(
            lambda request=request: Follower(request), "127.0.0.1", port
        )
        async with asyncio.timeout(20):
            await follower.begun
        streams.append((game, follower))
    return streams


class _Game:
    """A game that is played on by appending to the store what players would do."""

    def __init__(self, game: str, playout: Playout) -> None:
        self.id = game
        self.playout = playout
        self.appended: dict[int, float] = {}

    async def step(self, store: Store, entropy: random.Random) -> bool:
        """Append one command; note when, by its last version. False once the game is over."""
        before = len(self.playout.records)
        head = self.playout.records[-1].chain
        if not self.playout.step(entropy):
            return False
        fresh = self.playout.records[before:]
        entries = tuple(Entry(one.version, encode(one), one.chain) for one in fresh)
        append = Append(
            game=self.id,
            expected=before,
            entries=entries,
            digest=bytes(8),
            created=self.playout.records[0].time,
            listing="running",
            head=head,
        )
        self.appended[fresh[-1].version] = time.perf_counter()
        answer = await store.append(append)
        assert isinstance(answer, Appended), answer
        return True


async def _play(store: Store, games: list[_Game], seconds: float, entropy: random.Random) -> None:
    begun = time.perf_counter()
    number = 0
    while (late := time.perf_counter() - begun) < seconds:
        await asyncio.sleep(max(0.0, number / COMMANDS - late))
        await games[number % len(games)].step(store, entropy)
        number += 1
    await asyncio.sleep(1.0)


async def _round(
    url: str, module: str, count: int, seconds: float, seed: int, size: int
) -> tuple[list[float], int]:
    """Give the delivery times (s) of one round, and the mean bytes of a message."""
    environment = {"POTLUCK_STREAM_PER_ADDRESS": "100000", SIZE: str(size), "POTLUCK_LOG": "ERROR"}
    entropy = random.Random(seed)
    store = await Store.open(url)
    try:
        with server("service.worker", url, **environment) as port:
            tokens = [post(port, "/v1/players", "", {"name": name})["token"] for name in "AB"]
            names = [open_game(port, tokens, RULESET) for _ in range(GAMES)]
            if module == "service.worker":
                return await _follow(port, store, names, tokens, count, seconds, entropy)
        with server(module, url, **environment) as port:
            return await _follow(port, store, names, [], count, seconds, entropy)
    finally:
        await store.close()


async def _follow(
    port: int,
    store: Store,
    names: list[str],
    tokens: list[str],
    count: int,
    seconds: float,
    entropy: random.Random,
) -> tuple[list[float], int]:
    games = []
    for name in names:
        playout = Playout(CATALOGUE[RULESET])
        playout.resume(decode(name, None, await store.read(name)))
        games.append(_Game(name, playout))
    streams = await _open_streams(port, names, tokens, count)
    received = [len(follower.came) for _, follower in streams]
    before = sum(follower.size for _, follower in streams)
    await _play(store, games, seconds, entropy)
    by_name = {game.id: game for game in games}
    times: list[float] = []
    for (name, follower), had in zip(streams, received, strict=True):
        game = by_name[name]
        versions = [version for version, _ in follower.came]
        assert not follower.lost
        if tokens:
            assert versions == list(range(1, len(game.playout.records) + 1)), versions
        else:
            assert versions == list(game.appended), versions
        times += [
            at - game.appended[version]
            for version, at in follower.came[had:]
            if version in game.appended
        ]
        follower.transport.abort()
    size = sum(follower.size for _, follower in streams) - before
    return times, size // len(times)


async def _measure(count: int, seconds: float) -> list[Line]:
    allow_many_connections()
    pairs: list[tuple[list[float], list[float]]] = []
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as embedded:
        for seed in range(ROUNDS):
            ours, size = await _round(embedded.url, "service.worker", count, seconds, seed, 0)
            beside, _ = await _round(
                embedded.url, "tests.benchmarks.relay", count, seconds, seed, max(0, size - 40)
            )
            pairs.append((ours, beside))
    return [_line(count, pairs, "median", 0.5), _line(count, pairs, "99th percentile", 0.99)]


def _line(
    count: int, pairs: list[tuple[list[float], list[float]]], name: str, share: float
) -> Line:
    figures = [
        tuple(1000 * sorted(times)[int(share * (len(times) - 1))] for times in pair)
        for pair in pairs
    ]
    ours, beside = sorted(figures, key=lambda pair: pair[1] / pair[0])[len(figures) // 2]
    spread = statistics.pstdev(other / one for one, other in figures)
    ratio = beside / ours
    return Line(
        line=f"delivery to {count:,} streams in ms, {name} (median of {ROUNDS},"
        f" ratio relay / ours ± {spread:.3f})",
        ours=round(ours, 2),
        beside=round(beside, 2),
        ratio=round(ratio, 3),
        goal=0.5,
        met=ratio >= 0.5,
        fair=FAIR,
    )


def measure(count: int = STREAMS, seconds: float = SECONDS) -> list[Line]:
    """Measure the median and the 99th percentile."""
    return uvloop.run(_measure(count, seconds))


def main() -> None:
    """Run it alone."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--streams", type=int, default=STREAMS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    given = parser.parse_args()
    for line in measure(given.streams, given.seconds):
        print(f"{line.line}\n    {line.ours} beside {line.beside}: {line.ratio}  goal {line.goal}")


if __name__ == "__main__":
    main()
