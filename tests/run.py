"""Run the suites of `tests/suites.toml` and say plainly what was proved.

    python tests/run.py                 all of them
    python tests/run.py lint domain     some of them
    python tests/run.py --list          what there is

A suite passes when its program exits with 0 in time, ran at least one test, skipped none and left
no process behind. A suite whose tools the machine lacks is NOT RUN: said at the end, and with
CI=true a failure. Output goes to build/test/<suite>.log, and to the screen when the suite fails.
"""

import argparse
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "suites.toml"
OUTPUT = ROOT / "build" / "test"

SIDE_BY_SIDE = 2
LINES_SHOWN = 200
SECONDS_TO_LEAVE = 3.0
"""How long a process that outlives its suite may take to go."""
SERVICE_SETTINGS = ("PORT", "DATA_DIR", "REDIS_URL")
"""What a developer may have set for `make serve`; tests choose their own."""
MAKES_OWN = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
MARK = "POTLUCK_TEST_SUITE_RUN"
"""Environment variable by which the processes of one suite are recognised."""


class TableError(Exception):
    """The table of suites is not as it should be, or a suite was asked for that is not in it."""


@dataclass(frozen=True)
class Suite:
    """One row of the table."""

    name: str
    proves: str
    budget: float
    command: tuple[str, ...] = ()
    pytest: tuple[str, ...] = ()
    together: bool = False
    needs: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_row(cls, name: str, row: Mapping[str, Any]) -> "Suite":
        """Read a row strictly: a misspelt key would silently weaken a suite."""
        types = {"proves": str, "budget": int | float, "together": bool, "env": dict}
        for key, value in row.items():
            if key not in cls.__dataclass_fields__ or key == "name":
                raise TableError(f"suite {name}: unknown key {key!r}")
            if not isinstance(value, types.get(key, list)):
                raise TableError(f"suite {name}: {key} has the wrong type")
        if not {"proves", "budget"} <= row.keys() or ("pytest" in row) == ("command" in row):
            raise TableError(f"suite {name} needs proves, budget, and either pytest or command")
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
        }
        return cls(name, **values)

    @property
    def counted(self) -> bool:
        """Tell whether it reports its tests one by one."""
        return bool(self.pytest) or any("{report}" in word for word in self.command)

    def line(self, report: Path) -> list[str]:
        """Say what to execute."""
        if self.pytest:
            return [sys.executable, "-m", "pytest", f"--junitxml={report}", *self.pytest]
        return [word.replace("{report}", str(report)) for word in self.command]

    def missing(self, path: str) -> list[str]:
        """Name the needed tools that are not on this path."""
        return [
            need
            for need in self.needs
            if not any(shutil.which(tool, path=path) for tool in need.split("|"))
        ]


@dataclass
class Result:
    """What became of a suite. Every fault is a reason why it has not passed."""

    suite: Suite
    log: Path
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    missing: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """Say it in a word or two."""
        if self.missing:
            return "NOT RUN"
        return "FAILED" if self.faults else "passed"


def read_table(path: Path) -> list[Suite]:
    """Read the table of suites."""
    with path.open("rb") as file:
        return [Suite.from_row(name, row) for name, row in tomllib.load(file).items()]


def choose(suites: Sequence[Suite], names: Sequence[str]) -> list[Suite]:
    """Pick suites by name, in the table's order."""
    unknown = set(names) - {suite.name for suite in suites}
    if unknown:
        known = ", ".join(suite.name for suite in suites)
        raise TableError(f"no suite {', '.join(sorted(unknown))}; there are: {known}")
    return [suite for suite in suites if suite.name in names or not names]


def processes() -> Iterator[tuple[int, int, bytes]]:
    """List (process, parent, environment) of what is alive, where the system shows it (Linux)."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            environment = (entry / "environ").read_bytes()
        except OSError:  # gone, or another user's
            continue
        if state not in b"ZX":
            yield int(entry.name), int(parent), environment


class Run:
    """A suite under way."""

    def __init__(self, suite: Suite, output: Path) -> None:
        self.suite = suite
        self.mark = f"{os.environ.get(MARK, '')}/{secrets.token_hex(8)}"
        self.report = output / f"{suite.name}.xml"
        self.log = output / f"{suite.name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.report.unlink(missing_ok=True)
        self.started = time.monotonic()
        with self.log.open("wb") as log:
            try:
                self.process = subprocess.Popen(
                    suite.line(self.report),
                    cwd=ROOT,
                    env=environment() | dict(suite.env) | {MARK: self.mark},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                log.write(f"cannot start: {error}\n".encode())

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return time.monotonic() - self.started

    def over(self) -> bool:
        """Tell whether it has ended or must be ended."""
        done = self.process is None or self.process.poll() is not None
        return done or self.seconds > self.suite.budget

    def family(self) -> set[int]:
        """Find its living processes: children, those in sessions of their own, orphans."""
        alive = list(processes())
        mark = f"{MARK}={self.mark}".encode()
        found = {pid for pid, _, environ in alive if mark in environ}
        if self.process and self.process.returncode is None:
            found.add(self.process.pid)
        while more := {pid for pid, parent, _ in alive if parent in found} - found:
            found |= more
        return found & {pid for pid, _, _ in alive}

    def kill(self) -> None:
        """End whatever is left of it, at once."""
        if self.process is None:
            return
        family = self.family()
        for kill, target in ((os.killpg, self.process.pid), *((os.kill, pid) for pid in family)):
            try:
                kill(target, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        self.process.wait()

    def finish(self) -> Result:
        """Judge it, having ended what is left of it."""
        result = Result(self.suite, self.log, self.seconds)
        status = self.process.poll() if self.process else 127
        if status is None:
            result.faults.append(f"over its budget of {self.suite.budget:g} s, killed")
        else:
            self.expect_to_leave(result)
            if self.suite.counted:
                count_tests(self.report, result)
            if status != 0:
                result.faults.append(f"exit status {status}")
        self.kill()
        if not result.faults and not self.suite.counted:
            result.passed = 1
        if result.faults and not result.failed:
            result.failed = 1
        return result

    def expect_to_leave(self, result: Result) -> None:
        """Give its other processes a moment to go; report those that stay."""
        deadline = time.monotonic() + SECONDS_TO_LEAVE
        while (left := self.family()) and time.monotonic() < deadline:
            time.sleep(0.1)
        if left:
            result.faults.append(f"left processes behind: {', '.join(map(name_of, sorted(left)))}")


def name_of(pid: int) -> str:
    """Name a process for a person to recognise."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        command = ""
    return f"{pid} ({command[:60]})"


def count_tests(report: Path, result: Result) -> None:
    """Count from the JUnit report; skipped and expected failures are no proof, so they fail."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        result.faults.append("no report of its tests")
        return
    skipped = 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            result.failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            result.passed += 1
    if result.failed:
        result.faults.append(f"{result.failed} failed")
    if skipped:
        result.failed += skipped
        result.faults.append(f"{skipped} skipped or expected to fail")
    if not cases:
        result.faults.append("no tests found")


def environment() -> dict[str, str]:
    """Give suites the project's own tools first, and none of the developer's service settings."""
    unwanted = {*SERVICE_SETTINGS, *MAKES_OWN}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    tools = str(Path(sys.executable).parent)
    return kept | {"PATH": os.pathsep.join((tools, kept.get("PATH", os.defpath)))}


def run(suites: Sequence[Suite], output: Path) -> list[Result]:
    """Run them: first those that may share the machine, two at a time, then the others."""
    output.mkdir(parents=True, exist_ok=True)
    path = environment()["PATH"]
    results = {
        suite.name: Result(suite, output, missing=missing)
        for suite in suites
        if (missing := suite.missing(path))
    }
    waiting = sorted((s for s in suites if s.name not in results), key=lambda s: not s.together)
    running: list[Run] = []
    try:
        while waiting or running:
            while waiting and may_start(waiting[0], running):
                running.append(Run(waiting.pop(0), output))
            for ended in [each for each in running if each.over()]:
                results[ended.suite.name] = ended.finish()
                running.remove(ended)
                announce(results[ended.suite.name])
            time.sleep(0.02)
    finally:
        for each in running:
            each.kill()
    return [results[suite.name] for suite in suites]


def may_start(suite: Suite, running: Sequence[Run]) -> bool:
    """Tell whether a suite may start beside those running."""
    return not running or (
        len(running) < SIDE_BY_SIDE and suite.together and all(r.suite.together for r in running)
    )


def announce(result: Result) -> None:
    """Say that a suite is over; when it failed, show the end of its output."""
    suite = result.suite
    if result.faults:
        lines = result.log.read_text(errors="replace").splitlines()
        log = os.path.relpath(result.log, ROOT)
        print(f"\n──── {suite.name}: {'; '.join(result.faults)} ──── {log}")
        if len(lines) > LINES_SHOWN:
            print(f"… {len(lines) - LINES_SHOWN} lines above these, see {log}")
        print("\n".join(lines[-LINES_SHOWN:]))
        print(f"──── end of {suite.name}\n")
    else:
        print(f"{suite.name} passed in {result.seconds:.1f} s", flush=True)


def summarise(results: Sequence[Result], *, strict: bool) -> int:
    """Print the closing summary; return the exit status."""
    width = max(len(r.suite.name) for r in results)
    print(f"\n{'suite':{width}}  result   seconds of budget  tests")
    for r in results:
        spent = f"{r.seconds:.1f} of {r.suite.budget:g}"
        tests = f"{r.passed + r.failed}" if r.suite.counted else "one check"
        print(f"{r.suite.name:{width}}  {r.verdict:7}  {spent:>17}  {'-' if r.missing else tests}")
    print()
    for r in results:
        if r.faults:
            print(f"FAILED   {r.suite.name}: {'; '.join(r.faults)}")
        if r.missing:
            print(
                f"NOT RUN  {r.suite.name}: this machine has no {', '.join(r.missing)}. "
                f"Not proved: {r.suite.proves}"
            )
    missing = sum(1 for r in results if r.missing)
    failed = sum(r.failed for r in results) + (missing if strict else 0)
    if missing and strict:
        print("CI=true: a suite that is not run counts as failed")
    print(f"{sum(r.passed for r in results)} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def stop(number: int, _frame: FrameType | None) -> None:
    """Leave through the `finally` that ends the suites under way."""
    sys.exit(128 + number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="which to run (default: all)")
    parser.add_argument("--list", action="store_true", help="list the suites and what each proves")
    parser.add_argument("--table", type=Path, default=TABLE, help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, default=OUTPUT, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        chosen = choose(read_table(options.table), options.suites)
    except (TableError, OSError, tomllib.TOMLDecodeError) as error:
        parser.error(str(error))
    if options.list:
        for suite in chosen:
            needs = f" (needs {', '.join(suite.needs)})" if suite.needs else ""
            print(f"{suite.name:12} {suite.proves}{needs}")
        return 0
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    return summarise(run(chosen, options.output.resolve()), strict=os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
