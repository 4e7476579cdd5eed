"""What a benchmark says: a figure of ours, one beside it, and their ratio."""

import json
from pathlib import Path

from msgspec import Struct, to_builtins


class Line(Struct, frozen=True):
    """One line of the report. ``goal`` is a ratio; ``fair`` says why the comparison is."""

    line: str
    ours: float
    beside: float
    ratio: float
    goal: float | None
    met: bool | None
    fair: str


def line(
    name: str,
    ours: float,
    beside: float,
    *,
    goal: float | None,
    fair: str,
    at_most: bool = False,
) -> Line:
    """Make a line; ``at_most`` where a smaller ratio is the better one."""
    ratio = ours / beside
    met = None if goal is None else (ratio <= goal if at_most else ratio >= goal)
    return Line(name, round(ours, 1), round(beside, 1), round(ratio, 3), goal, met, fair)


def write(lines: list[Line], path: Path) -> None:
    """Print the report and write it as JSON."""
    for entry in lines:
        verdict = {True: "met", False: "NOT MET", None: ""}[entry.met]
        goal = "" if entry.goal is None else f"goal {entry.goal:g} "
        print(f"{entry.line}")
        print(
            f"    {entry.ours:,.1f} beside {entry.beside:,.1f}: {entry.ratio:.3f}  {goal}{verdict}"
        )
        print(f"    {entry.fair}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(to_builtins(lines), indent=1, ensure_ascii=False) + "\n")
    print(f"written to {path}")
