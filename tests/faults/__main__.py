"""``make faults``: kill -9 of worker, store and parent under load, many times."""

import argparse
import tempfile
import time
from pathlib import Path

from tests.faults.rounds import TARGETS, run


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    targets = [TARGETS[number % len(TARGETS)] for number in range(given.rounds)]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = run(Path(folder), targets, given.seed, loud=True)
    print(report)
    print(f"{given.rounds} rounds in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
