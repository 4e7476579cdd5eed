"""The table of suites covers every test there is."""

from pathlib import Path

from tests import run

ROOT = Path(__file__).resolve().parents[2]


def covered_by(suite: run.Suite) -> set[Path]:
    """Name the test files among a suite's arguments and below its folders."""
    ignored = [ROOT / a.removeprefix("--ignore=") for a in suite.pytest if a.startswith("--ignore")]
    places = [ROOT / argument.split("::")[0] for argument in suite.pytest if argument[0] != "-"]
    files = {path for place in places for path in [place, *place.rglob("test_*.py")]}
    return {path for path in files if not any(path.is_relative_to(each) for each in ignored)}


def test_every_test_file_belongs_to_a_suite():
    covered = {path for suite in run.read_table(run.TABLE) for path in covered_by(suite)}
    orphans = sorted(set((ROOT / "tests").rglob("test_*.py")) - covered)
    assert [str(path.relative_to(ROOT)) for path in orphans] == [], "add a row: tests/suites.toml"


def test_every_folder_a_suite_names_exists():
    for suite in run.read_table(run.TABLE):
        for argument in suite.pytest:
            if argument[0] != "-":
                assert (ROOT / argument).exists(), f"{suite.name} names {argument}"
