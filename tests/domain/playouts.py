"""Random games with every invariant checked: ``python -m tests.domain.playouts RULESET``."""

import argparse
import importlib
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.domain.kit import Room, Tally, play_checked

BATCH = 50


def room_of(ruleset: str) -> Room:
    """Give the room of a ruleset, by its place in the tests."""
    module = importlib.import_module(f"tests.domain.{ruleset.replace('-', '_')}.room")
    room = module.ROOM
    assert isinstance(room, Room)
    return room


def play_batch(ruleset: str, seed: str, seats: int | None, first: int, number: int) -> Tally:
    """Play some games; a failure names the entropy that makes the game again."""
    room = room_of(ruleset)
    tally = Tally()
    for index in range(first, first + number):
        entropy = f"{seed}/{index}"
        try:
            tally.add(play_checked(room, entropy, seats=seats).tally)
        except BaseException as error:
            error.add_note(f"play_checked(ROOM, {entropy!r}, seats={seats})")
            raise
    return tally


def play_many(ruleset: str, games: int, seed: str, workers: int, seats: int | None = None) -> Tally:
    """Play many games, at tables of so many seats or of any, in several processes where asked."""
    starts = range(0, games, BATCH)
    sizes = [min(BATCH, games - start) for start in starts]
    total = Tally()
    if workers == 1:
        for start, size in zip(starts, sizes, strict=True):
            total.add(play_batch(ruleset, seed, seats, start, size))
        return total
    with ProcessPoolExecutor(workers) as pool:
        count = len(sizes)
        same = [[each] * count for each in (ruleset, seed, seats)]
        for tally in pool.map(play_batch, *same, starts, sizes):
            total.add(tally)
    return total


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", help="id of the ruleset, as in the catalogue")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--players", type=int, help="seats of each table (default: drawn)")
    parser.add_argument("--seed", default="1", help="makes the same games again")
    parser.add_argument("--workers", type=int, default=1, help="processes to play in")
    given = parser.parse_args(arguments)
    began = time.perf_counter()
    total = play_many(given.ruleset, given.games, given.seed, given.workers, given.players)
    seconds = time.perf_counter() - began
    print(f"{total.games} games, {total.commands} commands, {total.events} events, all sound")
    rates = f"{total.games / seconds:.1f} games/s, {total.events / seconds:.0f} events/s"
    print(f"{seconds:.0f} s: {rates}")
    for title, counts in (
        ("attempts", total.attempts),
        ("endings", total.endings),
        ("events", total.event_types),
        ("refusals", total.refusals),
    ):
        listed = ", ".join(f"{name} {number}" for name, number in counts.most_common())
        print(f"{title}: {listed}")


if __name__ == "__main__":
    main()
