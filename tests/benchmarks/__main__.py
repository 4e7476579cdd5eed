"""``make bench``: all benchmarks in one run, printed and written to build/bench.json."""

from pathlib import Path

from domain.catalogue import CATALOGUE
from tests.benchmarks import commands, games, lobby, long, moves, rebuild, replay, stored, streams
from tests.benchmarks.lines import Line, write


def main() -> None:
    """Measure everything."""
    lines: list[Line] = []
    for ruleset in CATALOGUE:
        lines.append(commands.measure(ruleset))
        lines.append(replay.measure(ruleset))
        lines += rebuild.measure(ruleset)
        lines.append(games.measure(ruleset))
        lines += stored.measure(ruleset)
    lines += moves.measure()
    lines += long.measure()
    lines += lobby.measure()
    lines += streams.measure()
    write(lines, Path("build/bench.json"))


if __name__ == "__main__":
    main()
