"""The README's tour works as it is printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.tour import MARK, matches, script, steps
from tests.service.serving import Serving

ROOT = Path(__file__).parents[2]
PRINTED_URL = "http://127.0.0.1:8000"


def test_the_tour_works_as_printed(tmp_path: Path) -> None:
    tour = steps(ROOT / "README.md")
    assert len(tour) >= 9
    with Serving(tmp_path / "service") as service:
        url = service.address
        commands = script(tour)
        assert PRINTED_URL in commands
        work = tmp_path / "work"
        work.mkdir()
        (work / ".venv").symlink_to(Path(sys.prefix))
        done = subprocess.run(
            ["bash", "-euc", commands.replace(PRINTED_URL, url)],
            cwd=work,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    answers = done.stdout.split(f"{MARK}\n")[:-1]
    for step, answer in zip(tour, answers, strict=True):
        if step.answer is not None:
            assert matches(step.answer, answer), f"{step.commands}\nanswers\n{answer}"


def test_a_wrong_answer_would_be_seen() -> None:
    assert matches('{"id":"…","n":1}', '{"id":"abc","n":1}\n')
    assert not matches('{"id":"…","n":1}', '{"id":"abc","n":2}\n')


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
