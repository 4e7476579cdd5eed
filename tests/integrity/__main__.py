"""Tampers with recordings and prints who found it: ``python -m tests.integrity --rounds 1000``."""

import argparse
import sys
import time
from random import Random

from tests.integrity.tampering import tampered, try_all
from tests.integrity.verifiers import fresh, golden


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--seed", default="1", help="makes the same changes again")
    given = parser.parse_args()
    began = time.perf_counter()
    sources = {**golden(), **fresh()}
    rows = try_all(tampered(sources, given.rounds, Random(given.seed)))
    print(f"{'kind':24}{'rounds':>8}{'potluck verify':>16}{'verify.mjs':>12}{'not its part':>14}")
    for kind, row in rows.items():
        counts = f"{row.rounds:8}{row.python:16}{row.javascript:12}{row.not_its_part:14}"
        print(f"{kind:24}{counts}")
    missed = [f"{kind}: {what}" for kind, row in rows.items() for what in row.missed]
    python = sum(row.python for row in rows.values())
    javascript = sum(row.javascript for row in rows.values())
    apart = sum(row.not_its_part for row in rows.values())
    print(
        f"{len(sources)} recordings; potluck verify named {python} of {given.rounds}, verify.mjs"
        f" {javascript} of the {given.rounds - apart} that take no rules to find"
        f" ({time.perf_counter() - began:.0f} s)"
    )
    print(*missed, sep="\n")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
