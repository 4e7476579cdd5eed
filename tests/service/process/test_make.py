"""`make serve` hands its variables on."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

STUB = """#!/bin/sh
echo "$@ on $PORT in $DATA_DIR with ${REDIS_URL:-no url}"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The Makefile, with a program in the place of `potluck` that says what it was given."""
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "environment.py").write_text("")
    program = tmp_path / ".venv" / "bin" / "potluck"
    program.parent.mkdir(parents=True)
    program.write_text(STUB)
    program.chmod(0o755)
    return tmp_path


def make_serve(checkout: Path, *arguments: str, **variables: str) -> str:
    unset = {"PORT", "DATA_DIR", "REDIS_URL", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        ["make", "serve", *arguments],
        cwd=checkout,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout.strip()


def test_make_serve_without_variables(checkout: Path):
    assert make_serve(checkout) == "serve on 8000 in .data with no url"


def test_make_serve_with_variables(checkout: Path):
    given = {"PORT": "9001", "DATA_DIR": "/tmp/else where", "REDIS_URL": "redis://h:1/2"}
    expected = "serve on 9001 in /tmp/else where with redis://h:1/2"
    assert make_serve(checkout, **given) == expected
    assert make_serve(checkout, *(f"{name}={value}" for name, value in given.items())) == expected
