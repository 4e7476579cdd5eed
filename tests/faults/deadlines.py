"""A worker killed at a deadline: the default is applied once, by whichever worker is left.

``python -m tests.faults.deadlines --rounds 50`` plays on one table whose clock runs out on every
decision, and kills a worker with -9 around each deadline.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.service.players import RULESET, Player
from tests.service.serving import Serving, kill

SECONDS = 1  # a decision's time
PATIENCE = 30.0  # seconds, more than a start's grace


def run(folder: Path, rounds: int, seed: int) -> tuple[int, int]:
    """Kill around deadlines; gives how many defaults were applied and how many kills there were.

    Raises AssertionError if a decision was answered by default twice, or not at all.
    """
    entropy = random.Random(seed)
    kills = 0
    with Serving(folder, "--workers", "2") as serving:
        path, host = _table(serving)
        for _ in range(rounds):
            decision = host.get(path).json()["decision"]
            until = decision["deadlines"][0] / 1000 - time.time()
            time.sleep(max(0.0, until + entropy.uniform(-0.3, 0.5)))
            workers = serving.workers()
            if workers:
                kill(entropy.choice(workers))
                kills += 1
            _wait_for_default(host, path, decision["id"])
        defaults = _defaults(host, path)
    assert defaults
    assert set(defaults.values()) == {1}, f"a decision was answered twice: {defaults}"
    return len(defaults), kills


def _table(serving: Serving) -> tuple[str, Player]:
    host, guest = (Player(serving.address, name) for name in ("Ada", "Ben"))
    clock = {"kind": "decision", "seconds": SECONDS}
    body = {"ruleset": RULESET, "seats": 2, "clock": clock}
    path = f"/v1/games/{host.post('/v1/games', body).json()['game']['id']}"
    for player in (host, guest):
        assert player.post(f"{path}/seats", {"type": "join"}).status_code == 200
    assert host.post(f"{path}/start").status_code == 200
    return path, host


def _wait_for_default(host: Player, path: str, decision: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if host.get(path).json()["decision"]["id"] > decision:
                return
        except Exception:
            pass  # the worker that was asked has just been killed
        time.sleep(0.05)
    raise AssertionError(f"nobody applied the default of decision {decision}")


def _defaults(host: Player, path: str) -> Counter[int]:
    """Count the defaults by the decision that they answered, read off the log."""
    answered: Counter[int] = Counter()
    open_now: int | None = None
    after = ""
    while True:
        page: dict[str, Any] = host.get(f"{path}/events?limit=500{after}").json()
        for record in page["events"]:
            event = record["event"]
            if record["actor"] == "service" and record["count"]:
                assert open_now is not None
                answered[open_now] += 1
                open_now = None
            if event.get("awaits"):
                open_now = record["version"]
        if not page["more"]:
            return answered
        after = f"&after={page['next']}"


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        defaults, kills = run(Path(folder), given.rounds, given.seed)
    seconds = time.monotonic() - begun
    print(f"{defaults} defaults, each once, over {kills} kills in {seconds:.0f} s")


if __name__ == "__main__":
    main()
