"""The lock files hold hashes and exact versions, and say nothing of where things came from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]
PIN = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>[^ ;]+)(?P<marker> ;[^\\]+)? \\")


def pins(lock: str) -> dict[tuple[str, str], int]:
    """Return (name, version) and its number of hashes; refuse lines of any other kind."""
    found: dict[tuple[str, str], int] = {}
    latest = ("", "")
    for line in (ROOT / lock).read_text().splitlines():
        if line.lstrip().startswith("#"):
            continue
        if pin := PIN.fullmatch(line):
            latest = (pin["name"], pin["version"])
            found[latest] = 0
        else:
            assert re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line), line
            found[latest] += 1
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_is_pinned_with_hashes(lock):
    assert min(pins(lock).values()) > 0


@pytest.mark.parametrize("lock", LOCKS)
def test_no_host_index_or_address_is_named(lock):
    text = (ROOT / lock).read_text()
    assert not re.search(r"://|--?(extra-)?index|-i |find-links|trusted-host|\.whl| @ |file:", text)
    assert not re.search(r"\b[a-z0-9-]+\.(org|com|net|io|dev|local|internal)\b", text)


def test_development_contains_what_serving_needs():
    assert pins("requirements.lock").keys() <= pins("requirements-dev.lock").keys()


@pytest.mark.parametrize("lock", LOCKS)
def test_what_the_project_asks_for_is_locked_its_build_tool_included(lock):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    wanted = [*project["project"]["dependencies"], *groups["build"]]
    if "dev" in lock:
        wanted += [each for each in groups["dev"] if isinstance(each, str)]
    names = {re.split(r"[<>=~!;\[ ]", each, maxsplit=1)[0].lower() for each in wanted}
    assert names <= {name for name, _ in pins(lock)}
    assert set(project["build-system"]["requires"]) <= {name for name, _ in pins(lock)}
