"""The runner calls nothing proved that was not."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "run.py"

GREEN = "def test_one(): pass\ndef test_two(): pass\n"


class Bench:
    """A table of suites in a folder of its own, and the runner started on it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: list[str] = []

    def suite(self, name: str, *, budget: float = 30, **row):
        row = {"proves": "something", "budget": budget, **row}
        lines = [f"{key} = {json.dumps(value)}" for key, value in row.items()]
        self.rows.append("\n".join([f"[{name}]", *lines]))

    def tests(self, name: str, source: str, **row):
        path = self.folder / f"test_{name}.py"
        path.write_text(source)
        settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "pytest_timeout"]
        self.suite(name, pytest=[*settings, "-p", "no:cacheprovider", str(path)], **row)

    def command(self, *arguments: str) -> list[str]:
        table = self.folder / "suites.toml"
        table.write_text("\n".join(self.rows))
        places = ["--table", str(table), "--output", str(self.folder / "output")]
        return [sys.executable, str(RUNNER), *places, *arguments]

    def run(self, *arguments: str, ci: bool = False) -> tuple[int, str, str]:
        """Return exit status, output, and its last line."""
        env = os.environ | {"CI": "true" if ci else "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(
            self.command(*arguments), capture_output=True, text=True, env=env, check=False
        )
        output = done.stdout + done.stderr
        return done.returncode, output, output.splitlines()[-1]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_green_suites_are_counted_test_by_test_and_a_checker_as_one(bench):
    bench.tests("green", GREEN)
    bench.suite("checker", command=["true"])
    status, _, last = bench.run()
    assert (status, last) == (0, "3 passed, 0 failed")


def test_a_program_may_report_its_own_tests(bench):
    report = '<testsuites><testsuite><testcase name="a"/><testcase name="b"/>'
    write = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
    closed = report + "</testsuite></testsuites>"
    bench.suite("own", command=[sys.executable, "-c", write, "{report}", closed])
    assert bench.run()[::2] == (0, "2 passed, 0 failed")


def test_a_red_test_is_a_failure_and_its_output_is_shown(bench):
    bench.tests("red", GREEN + "def test_three(): assert 6 * 9 == 42\n")
    status, output, last = bench.run()
    assert (status, last) == (1, "2 passed, 1 failed")
    assert "assert (6 * 9) == 42" in output


def test_a_red_checker_is_a_failure(bench):
    bench.suite("checker", command=["false"])
    status, output, last = bench.run()
    assert (status, last) == (1, "0 passed, 1 failed")
    assert "exit status 1" in output


def test_a_program_that_cannot_start_is_a_failure(bench):
    bench.suite("checker", command=["no-such-program"])
    assert bench.run()[::2] == (1, "0 passed, 1 failed")


@pytest.mark.parametrize(
    "fault",
    [
        "@pytest.mark.skip\ndef test_three(): pass\n",
        "def test_three(): pytest.skip('not today')\n",
        "@pytest.mark.xfail\ndef test_three(): assert False\n",
        "@pytest.mark.xfail\ndef test_three(): pass\n",
        "pytest.importorskip('no_such_module')\n",
    ],
)
def test_what_is_skipped_or_expected_to_fail_is_a_failure(bench, fault):
    bench.tests("lenient", f"import pytest\n{fault}")
    bench.tests("green", GREEN)
    assert bench.run()[::2] == (1, "2 passed, 1 failed")


def test_no_tests_is_a_failure(bench):
    bench.tests("empty", "")
    status, output, last = bench.run()
    assert (status, last) == (1, "0 passed, 1 failed")
    assert "no tests found" in output


def test_a_crash_without_a_report_is_a_failure_even_after_a_green_run(bench):
    bench.tests("crash", GREEN)
    assert bench.run()[0] == 0
    (bench.folder / "test_crash.py").write_text("import os\nos._exit(0)\n")
    status, output, last = bench.run()
    assert (status, last) == (1, "0 passed, 1 failed")
    assert "no report of its tests" in output


@pytest.mark.parametrize("ci", [False, True])
def test_a_missing_tool_is_said_loudly_and_fails_only_in_ci(bench, ci):
    bench.tests("green", GREEN)
    bench.tests("tooled", GREEN, needs=["sh", "no-such-tool|nor-this"])
    status, output, last = bench.run(ci=ci)
    assert "NOT RUN  tooled: this machine has no no-such-tool|nor-this" in output
    assert (status, last) == ((1, "2 passed, 1 failed") if ci else (0, "2 passed, 0 failed"))


def test_a_tool_under_its_second_name_will_do(bench):
    bench.tests("tooled", GREEN, needs=["no-such-tool|sh"])
    assert bench.run(ci=True)[::2] == (0, "2 passed, 0 failed")


FAMILY = """
import pathlib, subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
child = subprocess.Popen(sleep)
apart = subprocess.Popen(sleep, start_new_session=True)
orphan = '''
import subprocess, sys
print(subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=2).pid)
'''
pid = subprocess.check_output([sys.executable, "-c", orphan, *sleep], text=True).strip()
pathlib.Path({pids!r}).write_text(f"{{child.pid}} {{apart.pid}} {{pid}}")
print("all are up", flush=True)
{then}
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def family(bench: Bench, then: str) -> tuple[list[str], Path]:
    pids = bench.folder / "pids"
    return [sys.executable, "-c", FAMILY.format(pids=str(pids), then=then)], pids


def test_over_budget_is_a_failure_and_all_its_processes_are_gone(bench):
    command, pids = family(bench, "time.sleep(600)")
    bench.suite("slow", command=command, budget=3)
    bench.tests("green", GREEN)
    status, output, last = bench.run()
    assert (status, last) == (1, "2 passed, 1 failed")
    assert "over its budget of 3 s, killed" in output
    assert "all are up" in output
    assert [pid for pid in map(int, pids.read_text().split()) if alive(pid)] == []


def test_a_suite_that_leaves_processes_behind_fails_and_they_are_ended(bench):
    command, pids = family(bench, "")
    bench.suite("untidy", command=command)
    status, output, last = bench.run()
    assert (status, last) == (1, "0 passed, 1 failed")
    assert "left processes behind" in output
    assert [pid for pid in map(int, pids.read_text().split()) if alive(pid)] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_runner_takes_its_suites_along(bench, number):
    command, pids = family(bench, "time.sleep(600)")
    bench.suite("slow", command=command)
    runner = subprocess.Popen(bench.command(), stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not (pids.exists() and len(pids.read_text().split()) == 3):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        runner.send_signal(number)
        assert runner.wait(20) == 128 + number
    finally:
        runner.kill()
    assert [pid for pid in map(int, pids.read_text().split()) if alive(pid)] == []


def overlapped(bench: Bench) -> bool:
    """Tell whether the suites a and b, each noting its times, ran at the same moment."""
    times = [tuple(map(float, (bench.folder / name).read_text().split())) for name in "ab"]
    (a_from, a_to), (b_from, b_to) = times
    return a_from < b_to and b_from < a_to


@pytest.mark.parametrize(("a", "b"), [(True, True), (True, False), (False, True), (False, False)])
def test_only_suites_that_may_share_the_machine_do(bench, a, b):
    note = (
        "import pathlib, sys, time; start = time.time(); time.sleep(1);"
        "pathlib.Path(sys.argv[1]).write_text(f'{start} {time.time()}')"
    )
    for name, together in (("a", a), ("b", b)):
        line = [sys.executable, "-c", note, str(bench.folder / name)]
        bench.suite(name, command=line, together=together)
    assert bench.run()[::2] == (0, "2 passed, 0 failed")
    assert overlapped(bench) == (a and b)


def test_a_long_log_is_shown_from_its_end(bench):
    talk = "print('first line'); [print(n) for n in range(1000)]; print('last line'); exit(1)"
    bench.suite("talker", command=[sys.executable, "-c", talk])
    _, output, _ = bench.run()
    assert "last line" in output
    assert "first line" not in output
    assert "first line" in (bench.folder / "output" / "talker.log").read_text()


def test_suites_see_no_service_settings_of_the_developer(bench, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://production")
    look = "import os, sys; sys.exit('REDIS_URL' in os.environ or os.environ['OWN'] != 'yes')"
    bench.suite("look", command=[sys.executable, "-c", look], env={"OWN": "yes"})
    # TOML has no JSON objects: write the row's table by hand
    bench.rows[-1] = bench.rows[-1].replace('{"OWN": "yes"}', '{ OWN = "yes" }')
    assert bench.run()[::2] == (0, "1 passed, 0 failed")


def test_some_suites_can_be_chosen_and_all_be_listed(bench):
    bench.tests("green", GREEN)
    bench.suite("red", command=["false"])
    assert bench.run("green")[::2] == (0, "2 passed, 0 failed")
    status, output, _ = bench.run("--list")
    assert status == 0
    assert [line.split()[0] for line in output.splitlines()] == ["green", "red"]


def test_a_suite_that_does_not_exist_is_refused(bench):
    bench.tests("green", GREEN)
    status, output, _ = bench.run("gren")
    assert status == 2
    assert "no suite gren; there are: green" in output


@pytest.mark.parametrize(
    "row",
    [
        {"command": ["true"], "buget": 3},
        {"command": "true"},
        {"command": ["true"], "pytest": ["tests"]},
        {"command": ["true"], "together": "yes"},
        {},
    ],
)
def test_a_misspelt_row_is_refused(bench, row):
    bench.suite("odd", **row)
    assert bench.run()[0] == 2
