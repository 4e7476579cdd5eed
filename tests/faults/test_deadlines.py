"""A few rounds of what ``python -m tests.faults.deadlines`` does at length."""

from pathlib import Path

from tests.faults.deadlines import run


def test_a_worker_killed_at_a_deadline_leaves_the_default_to_another(tmp_path: Path) -> None:
    defaults, kills = run(tmp_path, 3, seed=7)
    assert defaults >= 3
    assert kills >= 2
