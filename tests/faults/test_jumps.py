"""Clocks that are an hour wrong while workers start: no default before its time, nothing stuck."""

from pathlib import Path

import pytest

from tests.faults.jumps import HOUR, run_all


@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_who_starts_while_a_clock_is_wrong_agrees_with_the_others(by: int, tmp_path: Path) -> None:
    assert run_all(tmp_path, by) == []
