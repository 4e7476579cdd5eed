"""Rounds of a killed worker, parent or store, and what must hold after each.

The clients go on meanwhile. After a round: the service is ready again by itself (only a killed
parent is started by hand), every command that was answered is in the log, no command is there half
or twice, versions have no gap, the chain verifies, and each command repeats its answer.
"""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from domain.kernel.event import Record
from domain.kernel.replay import fault_of
from service.store.store import Store
from service.tables import decode, ruleset_of
from tests.faults.load import Broken, Driver, Game
from tests.service.serving import Serving, kill, wait_for_end
from tests.service.store.servers import free_port, wait_until

TARGETS = ("worker", "store", "parent")
WORKERS = 2
DRIVERS = 4
COMMANDS_AFTER = 8  # that each round waits for once the service is back
REPEATS = 6


@dataclass
class Report:
    """What the rounds came to."""

    rounds: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    commands: int = 0
    lost: int = 0
    replayed: int = 0
    games: int = 0
    events: int = 0
    repeats: int = 0

    def __str__(self) -> str:
        lines = [
            f"{self.rounds[target]} x kill -9 of the {target}: ready again within"
            f" {self.slowest[target]:.1f} s"
            for target in TARGETS
            if self.rounds[target]
        ]
        lines += [
            f"{self.commands} commands in {self.games} games ({self.events} events), under"
            f" {DRIVERS} clients on {WORKERS} workers, fsync always",
            f"{self.lost} tries without an answer, {self.replayed + self.repeats} repeats answered"
            " alike",
            "each command once and whole, no version missing, every chain and rule verified",
        ]
        return "\n".join(lines)


class Rounds:
    """A service under load, to be killed piece by piece."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.port = free_port()
        arguments = ("--workers", str(WORKERS), "--fsync", "always")
        self.serving = Serving(folder, *arguments, port=self.port)
        self.report = Report()
        self._checked: set[str] = set()

    def __enter__(self) -> Self:
        self.serving.start()
        self._wait_until_ready()
        self.drivers = [
            Driver(self.port, self.rng.randrange(1 << 30), keyed=number % 2 == 0)
            for number in range(DRIVERS)
        ]
        for driver in self.drivers:
            driver.start()
            driver.go()
        return self

    def __exit__(self, *_: object) -> None:
        for driver in self.drivers:
            driver.over.set()
        for driver in self.drivers:
            driver.join(5)
        self.serving.end()

    def play(self, target: str) -> None:
        """Kill one thing in the midst of it, wait until all is well, and look."""
        self._wait_for_commands(COMMANDS_AFTER)
        time.sleep(self.rng.random() * 0.3)
        begun = time.monotonic()
        {"worker": self._kill_worker, "store": self._kill_store, "parent": self._kill_parent}[
            target
        ]()
        self._wait_until_ready()
        took = time.monotonic() - begun
        self.report.rounds[target] += 1
        self.report.slowest[target] = max(took, self.report.slowest.get(target, 0.0))
        self._wait_for_commands(COMMANDS_AFTER)
        self.look()

    def look(self) -> None:
        """Let the clients rest and compare what they were promised with what is stored."""
        for driver in self.drivers:
            driver.rest()
        self._no_failure()
        asyncio.run(self._look())
        self._repeat_some()
        for driver in self.drivers:
            driver.go()
        self.report.commands = sum(driver.commands for driver in self.drivers)
        self.report.lost = sum(driver.lost for driver in self.drivers)
        self.report.replayed = sum(driver.replayed for driver in self.drivers)
        self.report.replayed -= self.report.repeats
        self.report.games = sum(len(driver.games) for driver in self.drivers)

    async def _look(self) -> None:
        store = await Store.open(f"unix://{self.serving.store_socket()}")
        try:
            for driver in self.drivers:
                for game in driver.games:
                    if game.id not in self._checked:
                        check(game, decode(game.id, None, await store.read(game.id)))
                        if game is not driver.games[-1]:
                            self._checked.add(game.id)
            stored = [game async for game in store.game_ids()]
            known = {game.id for driver in self.drivers for game in driver.games}
            # Beside the demo game there may be one that a client is about to use.
            if len(set(stored) - known) > 1 + len(self.drivers):
                raise Broken("games were made twice")
            self.report.events = 0
            for game_id in stored:
                self.report.events += len(await store.read(game_id))
        finally:
            await store.close()

    def _repeat_some(self) -> None:
        for driver in self.drivers:
            promises = [
                (game, promise)
                for game in driver.games[-2:]
                for promise in game.promises
                if promise.key is not None
            ]
            for game, promise in self.rng.sample(promises, min(REPEATS, len(promises))):
                driver.repeat(game, promise)
                self.report.repeats += 1

    def _kill_worker(self) -> None:
        workers = self.serving.workers()
        victim = self.rng.choice(workers)
        kill(victim)
        wait_for_end(victim)
        wait_until(lambda: len(set(self.serving.workers()) - {victim}) == WORKERS, 20)

    def _kill_store(self) -> None:
        (store,) = self.serving.store()
        kill(store)
        wait_for_end(store)

    def _kill_parent(self) -> None:
        family = self.serving.family()
        self.serving.kill()
        wait_for_end(*family)
        self.serving.start()

    def _wait_until_ready(self) -> None:
        # Twice in a row: any of the workers may have been the one that answered.
        self.serving.wait_until_ready()

    def _wait_for_commands(self, count: int) -> None:
        wanted = {driver: driver.commands + count for driver in self.drivers}

        def sent() -> bool:
            self._no_failure()
            return all(driver.commands >= least for driver, least in wanted.items())

        wait_until(sent, 60)

    def _no_failure(self) -> None:
        for driver in self.drivers:
            if driver.failure is not None:
                raise driver.failure


def check(game: Game, records: list[Record]) -> None:
    """Compare a game's log with what its clients were promised."""
    if [record.version for record in records] != list(range(1, len(records) + 1)):
        raise Broken(f"{game.id}: versions are missing")
    fault = fault_of(ruleset_of(game.id, records[0]), records)
    if fault is not None:
        raise Broken(f"{game.id}: {fault}")
    starts: dict[int, int] = {}
    at = 0
    while at < len(records):
        count = max(1, records[at].count)
        if records[at].actor.startswith("seat:"):
            starts[records[at].version] = records[at].version + count - 1
        at += count
    if at != len(records):
        raise Broken(f"{game.id}: the last command is there by half")
    for promise in game.promises:
        if starts.get(promise.first) != promise.last:
            raise Broken(f"{game.id}: what was answered as {promise.first} is not in the log")
    if len(starts) != game.commands:
        raise Broken(f"{game.id}: {game.commands} commands were sent, {len(starts)} are stored")


def run(folder: Path, targets: list[str], seed: int, *, loud: bool = False) -> Report:
    """Play a round for each target."""
    with Rounds(folder, seed) as rounds:
        for number, target in enumerate(targets, 1):
            rounds.play(target)
            if loud:
                report = rounds.report
                print(
                    f"round {number}: {target}; {report.commands} commands,"
                    f" {report.lost} tries without an answer",
                    flush=True,
                )
        return rounds.report
