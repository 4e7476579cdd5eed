"""System clocks that jump by an hour, and workers that start while they are wrong.

A service under `shifted` sees a system clock, and a store with a clock, that the test can set: a
module that Python loads by itself at the start (`sitecustomize`) puts a file's number on top. All
else is what it is elsewhere.

``python -m tests.faults.jumps --rounds 10``
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

import httpx

from service.caretaker import GRACE
from tests.service.players import RULESET, Player
from tests.service.serving import Serving, kill, wait_for_end
from tests.service.store.servers import free_port, wait_until

HOUR = 3_600_000
SECONDS = 4  # a short decision's time; a worker that starts waits for GRACE all the same
LONG = 1_800  # of a long one: an hour would use it up
SLACK = 6_000  # ms that a default may come late, beside the grace of a start
REPOSITORY = Path(__file__).parents[2]

_SHIFTING = """
import os, pathlib, time
_place, _now = pathlib.Path(os.environ["SHIFTED_BY"]), time.time_ns
time.time_ns = lambda: _now() + int(_place.read_text()) * 1_000_000
from service.store import function
_noting = "if ARGV[1] then"
assert function.CLOCK.count(_noting) == 1
_more = "now = now + (redis.call('GET', 'shifted-by') or 0) "
function.CLOCK = function.CLOCK.replace(_noting, _more + _noting)
"""


class Shifted(Serving):
    """A service whose clocks can be set: its machine's, and that of the store on that machine."""

    def __init__(self, folder: Path, *arguments: str, **more: Any) -> None:
        super().__init__(folder, *arguments, **more)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sitecustomize.py").write_text(_SHIFTING)
        self._place = folder / "shifted-by"
        self.set_machine(0)

    def launch(self, **more: str) -> Self:
        """Start the processes and wait for nothing."""
        paths = [str(self.folder), str(REPOSITORY), os.environ.get("PYTHONPATH", "")]
        return super().launch(
            PYTHONPATH=os.pathsep.join(paths), SHIFTED_BY=str(self._place), **more
        )

    def set_machine(self, milliseconds: int) -> None:
        """Let the machine's clock jump so that it is ahead of the true time by so much."""
        draft = self._place.with_suffix(".new")
        draft.write_text(str(milliseconds))
        draft.replace(self._place)

    def set_store(self, milliseconds: int) -> None:
        """The same for the store's clock."""
        assert b"OK" in self.tell_store("SET", "shifted-by", str(milliseconds))


def table(address: str, seconds: int) -> tuple[str, Player]:
    """Start a game with a clock for each decision."""
    host, guest = (Player(address, name) for name in ("Ada", "Ben"))
    clock = {"kind": "decision", "seconds": seconds}
    body = {"ruleset": RULESET, "seats": 2, "clock": clock}
    path = f"/v1/games/{host.post('/v1/games', body).json()['game']['id']}"
    for player in (host, guest):
        assert player.post(f"{path}/seats", {"type": "join"}).status_code == 200
    assert host.post(f"{path}/start").status_code == 200
    return path, host


def check(address: str, jump: Callable[[], None]) -> None:
    """Let decisions wait while something jumps and dies; each is answered once, at its time.

    Raises AssertionError otherwise.
    """
    short, ada = table(address, SECONDS)
    long, eve = table(address, LONG)
    decision = ada.get(short).json()["decision"]
    until = decision["deadlines"][0]
    jump()
    patience = time.monotonic() + (SECONDS * 1000 + GRACE + SLACK) / 1000
    while not (answered := _defaults(ada, short)):
        assert time.monotonic() < patience, "nobody applied the default: the game stands still"
        time.sleep(0.05)
    found, now = answered[0], time.time() * 1000
    assert until <= found["time"], f"a default {until - found['time']} ms before its time"
    assert until - 100 <= now, "a default before its time"
    assert found["time"] <= now + 100, f"the time went ahead by {found['time'] - now} ms"
    # The next decision has its own time, by the same clock, and comes to its end as well.
    while len(answered := _defaults(ada, short)) < 2:
        assert time.monotonic() < patience + SECONDS, "the second default does not come"
        time.sleep(0.05)
    assert 0 <= answered[1]["time"] - found["time"] - SECONDS * 1000 <= SLACK
    assert [one["event"]["seat"] for one in answered[:2]] in ([0, 1], [1, 0], [0, 0], [1, 1])
    # What has half an hour was left alone.
    assert _defaults(eve, long) == []
    again, host = table(address, LONG)
    opened = host.get(again).json()["decision"]
    assert abs(opened["since"] - time.time() * 1000) < 3_000, "another time than before the jump"


def _defaults(host: Player, path: str) -> list[dict[str, Any]]:
    """The commands that the service gave in a game; none while nobody answers."""
    try:
        answer = host.get(f"{path}/events?limit=500")
    except httpx.HTTPError:
        return []
    if answer.status_code != 200:
        return []
    return [one for one in answer.json()["events"] if one["actor"] == "service" and one["count"]]


def workers_die(serving: Shifted, by: int, *, how_many: int) -> None:
    """Let the machine's clock jump, the store's with it, and kill workers at once."""
    serving.set_machine(by)
    serving.set_store(by)
    victims = serving.workers()[:how_many]
    left = len(serving.workers())
    for pid in victims:
        kill(pid)
    wait_for_end(*victims)
    wait_until(lambda: len(set(serving.workers()) - set(victims)) == left, 20)


def run(folder: Path, by: int, *, workers: int = 1) -> None:
    """Kill a worker while the clock is wrong: the one there is, or one of several."""
    with Shifted(folder, "--workers", str(workers)) as serving:
        serving.wait_until_ready()
        check(serving.address, lambda: workers_die(serving, by, how_many=1))


def run_restart(folder: Path, by: int) -> None:
    """Start the whole service anew while the clock is wrong, its store with it."""
    with Shifted(folder, port=free_port()) as serving:
        serving.wait_until_ready()

        def restart() -> None:
            serving.set_machine(by)
            serving.set_store(by)
            assert serving.stop() == 0
            serving.start()

        check(serving.address, restart)


def run_joining(folder: Path, by: int, *, store: bool) -> None:
    """A second machine joins whose clock is wrong, or to which the store's clock looks wrong."""
    with Shifted(folder / "one") as first:
        first.wait_until_ready()
        url = f"unix://{first.store_socket()}"
        second = Shifted(folder / "other", redis_url=url)

        def join() -> None:
            if store:
                first.set_store(by)
                time.sleep(2.5)  # until it was noticed
            second.set_machine(0 if store else by)
            second.start()
            second.wait_until_ready()

        try:
            check(first.address, join)
            path, host = table(second.address, LONG)
            opened = host.get(path).json()["decision"]
            assert abs(opened["since"] - time.time() * 1000) < 3_000, "two machines, two times"
        finally:
            second.end()


CASES: dict[str, Callable[[Path, int], None]] = {
    "the worker dies": run,
    "one of two workers dies": lambda folder, by: run(folder, by, workers=2),
    "the service is started anew": run_restart,
    "a machine with a wrong clock joins": lambda folder, by: run_joining(folder, by, store=False),
    "a machine joins while the store's is wrong": (
        lambda folder, by: run_joining(folder, by, store=True)
    ),
}


def run_all(folder: Path, by: int) -> list[str]:
    """Try every case with a jump, all at the same time, since they mostly wait; say what failed."""
    with ThreadPoolExecutor(len(CASES)) as threads:
        running = {
            name: threads.submit(case, folder / str(place), by)
            for place, (name, case) in enumerate(CASES.items())
        }
    return [
        f"{name}: {error}"
        for name, one in running.items()
        if (error := one.exception()) is not None
    ]


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    begun = time.monotonic()
    for number in range(given.rounds):
        for by in (HOUR, -HOUR):
            with tempfile.TemporaryDirectory() as folder:
                failed = run_all(Path(folder), by)
            assert not failed, failed
        print(f"round {number + 1}: {len(CASES)} cases, an hour either way: all well", flush=True)
    print(f"{given.rounds} rounds in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
