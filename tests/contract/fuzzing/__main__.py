"""Run schemathesis once by hand: python -m tests.contract.fuzzing [role] [examples] [seed]."""

import sys
import tempfile
import time
from pathlib import Path

from tests.contract.fuzzing.runs import run
from tests.service.players import Player
from tests.service.serving import Serving

role, examples, seed = (*sys.argv[1:], *("player", "30", "")[len(sys.argv) - 1 :])
with tempfile.TemporaryDirectory() as folder, Serving(Path(folder) / "service") as serving:
    players = [Player(serving.address, name) for name in ("Ada", "Ben", "Cleo", "Dora")]
    begun = time.monotonic()
    done = run(
        serving.address,
        Path(folder) / "run",
        players=players,
        role=role,
        examples=int(examples),
        seed=seed,
    )
    print(done.output)
    print(*done.table(), sep="\n")
    print(f"exit {done.code} after {time.monotonic() - begun:.0f} s")
    faults = [event for event in serving.events if event["event"] == "a fault"]
    print(*faults[:5], sep="\n")
