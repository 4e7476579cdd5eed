"""Streams that are cut and resumed at random while games are played: no gap, no repeat.

As a command: ``python -m tests.service.live.cuts --rounds 10000 [--workers 2] [--seed 1]``.
"""

import argparse
import asyncio
import random
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.service.live.reader import Message, Stream
from tests.service.players import Player, Table
from tests.service.serving import Serving

READERS = 12
SHORT = 20  # points at which a game ends
IDLE = 0.02  # seconds after which a reader that gets nothing cuts all the same


@dataclass
class Log:
    """What one reader has received of one game, over all its connections."""

    messages: list[Message] = field(default_factory=list)

    def take(self, stream: Stream) -> None:
        """Take what came on one connection, which must go on where the last one was cut."""
        assert not stream.named("reset"), stream.messages
        for one in stream.events:
            assert one.version == len(self.messages) + 1, (one.id, len(self.messages))
            self.messages.append(one)

    @property
    def cursor(self) -> str | None:
        return self.messages[-1].id if self.messages else None


@dataclass
class Round:
    """What all readers have done together."""

    wanted: int
    done: int = 0
    fruitful: int = 0
    received: int = 0


async def follow(port: int, table: Table, player: Player, rng: random.Random, count: Round) -> Log:
    """Read a game to its end, cutting the connection at any byte of it."""
    log = Log()
    path = f"{table.path}/events"
    while True:
        cursor = log.cursor
        by_query = cursor is not None and rng.random() < 0.3
        address = f"{path}?after={cursor}" if by_query else path
        stream = await Stream.open(port, address, player.token, last=None if by_query else cursor)
        if stream.status == 204:
            return log
        assert stream.status == 200, stream.status
        budget = int(rng.expovariate(1 / 3000)) + 1 if rng.random() < 0.9 else 1 << 20
        open_until = time.monotonic() + rng.expovariate(1 / IDLE)
        while budget > 0 and time.monotonic() < open_until:
            try:
                async with asyncio.timeout(IDLE):
                    if not await stream.more(min(budget, 4096)):
                        break
            except TimeoutError:
                continue
            budget -= 4096
        log.take(stream)
        count.fruitful += bool(stream.events)
        ended = stream.named("end")
        stream.cut()
        count.done += 1
        if ended == [{"reason": "sealed"}]:
            count.received += len(log.messages)
            return log
        assert not ended, ended


def play(table: Table, rng: random.Random, pause: float) -> None:
    """Play a game to its end, with a pause before every move."""
    while table.asked():
        table.step(rng)
        time.sleep(pause)


async def game(address: str, port: int, rng: random.Random, count: Round, pause: float) -> None:
    """Play one game while readers follow it from every side, and compare what they received."""
    players = [Player(address, name) for name in ("Ada", "Ben")]
    nobody = Player(address, None)
    table = await asyncio.to_thread(lambda: Table(*players, target=SHORT).started())
    viewers = [(*players, nobody)[place % 3] for place in range(READERS)]
    playing = threading.Thread(
        target=play, args=(table, random.Random(rng.random()), pause), daemon=True
    )
    playing.start()
    followed = (
        follow(port, table, viewer, random.Random(rng.random()), count) for viewer in viewers
    )
    logs = await asyncio.gather(*followed)
    await asyncio.to_thread(playing.join)
    for viewer, log in zip(viewers, logs, strict=True):
        pages = await asyncio.to_thread(table.events, viewer)
        assert [one["version"] for one in pages] == [one.version for one in log.messages]
        # What was hidden when it was sent is open once the game is sealed; the chain is the same.
        assert [one["chain"] for one in pages] == [one.json["chain"] for one in log.messages]


async def rounds(address: str, wanted: int, seed: int, pause: float = 0.01) -> Round:
    """Play games until streams were cut so many times."""
    rng = random.Random(seed)
    count = Round(wanted)
    port = int(address.rpartition(":")[2])
    while count.done < wanted:
        await game(address, port, rng, count, pause)
    return count


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        Serving(Path(folder), "--workers", str(given.workers)) as serving,
    ):
        count = asyncio.run(rounds(serving.address, given.rounds, given.seed))
    print(
        f"{count.done} connections cut and resumed on {given.workers} workers"
        f" ({count.fruitful} of them after some event), {count.received} events received,"
        f" no gap, no repeat ({time.monotonic() - begun:.0f} s)"
    )


if __name__ == "__main__":
    main()
