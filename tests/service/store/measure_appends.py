"""Measure appends through the store: `python -m tests.service.store.measure_appends`.

Each caller plays a game of its own: one event of 150 bytes a command, with a command key, two
players, a list and a deadline, each waiting for its answer before the next.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

import uvloop

from service.store.embedded import Embedded
from service.store.store import Store
from service.store.types import Append, Appended, Entry
from tests.service.store.make import new_game


async def caller(store: Store, until: float, waits: list[float]) -> None:
    game, version = new_game(), 0
    while (begun := time.perf_counter()) < until:
        version += 1
        entry = Entry(version, b"x" * 150, os.urandom(32), b"request-id-0123")
        answer = await store.append(
            Append(
                game=game,
                expected=version - 1,
                entries=(entry,),
                key=os.urandom(16),
                digest=b"12345678",
                created=1,
                listing="running",
                players=("ann", "bob"),
                due=version,
            )
        )
        assert isinstance(answer, Appended)
        waits.append(time.perf_counter() - begun)


async def measure(url: str, callers: int, seconds: float) -> str:
    store = await Store.open(url)
    waits: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(caller(store, begun + seconds, waits) for _ in range(callers)))
    took = time.perf_counter() - begun
    await store.close()
    waits.sort()
    p50, p99 = (1000 * waits[int(len(waits) * part)] for part in (0.5, 0.99))
    return f"{callers:4} callers {len(waits) / took:8.0f}/s  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--callers", type=int, nargs="+", default=[1, 32, 128])
    parser.add_argument("--fsync", nargs="+", default=["everysec", "always"])
    arguments = parser.parse_args()
    for fsync in arguments.fsync:
        for callers in arguments.callers:
            with (
                tempfile.TemporaryDirectory() as folder,
                Embedded(Path(folder), fsync=fsync) as own,
            ):
                line = uvloop.run(measure(own.url, callers, arguments.seconds))
                print(f"appendfsync {fsync:8} {line}", flush=True)


if __name__ == "__main__":
    main()
