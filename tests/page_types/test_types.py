"""The pages' scripts use the API as its contract says: TypeScript reads both.

Nothing of this is served. The tools come by npm, in the versions that package-lock.json pins, into
build/page-types; the types come from openapi/potluck.json, every time.
"""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STATIC = ROOT / "service" / "static"
TOOLS = ROOT / "build" / "page-types"
PINNED = ("package.json", "package-lock.json", ".npmrc")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def install() -> None:
    """Bring the tools, unless those of this lock file are there."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PINNED)).hexdigest()
    mark = TOOLS / "installed"
    if mark.exists() and mark.read_text() == digest:
        return
    TOOLS.mkdir(parents=True, exist_ok=True)
    for name in PINNED:
        shutil.copy(HERE / name, TOOLS)
    done = run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=TOOLS)
    assert done.returncode == 0, done.stderr
    mark.write_text(digest)


@pytest.fixture(scope="session")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contract's types."""
    install()
    made = tmp_path_factory.mktemp("contract") / "contract.d.ts"
    generator = TOOLS / "node_modules" / ".bin" / "openapi-typescript"
    # A field that has a default may be left out of a request.
    choice = "--default-non-nullable=false"
    done = run(generator, ROOT / "openapi" / "potluck.json", choice, "-o", made, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return made


def check(folder: Path, contract: Path, *more: Path) -> list[str]:
    """Check all scripts that are served, and some more beside them; give what is wrong."""
    scripts = folder / "static"
    shutil.copytree(STATIC, scripts, ignore=shutil.ignore_patterns("vendor"))
    (scripts / "vendor").mkdir()
    shutil.copy(HERE / "htm-preact.d.mts", scripts / "vendor")
    for file in (HERE / "client.d.ts", HERE / "node.d.ts", contract, *more):
        shutil.copy(file, scripts)
    shutil.copy(HERE / "tsconfig.json", folder)
    compiler = TOOLS / "node_modules" / ".bin" / "tsc"
    done = run(compiler, "--project", folder / "tsconfig.json", "--pretty", "false", cwd=folder)
    return [line for line in done.stdout.splitlines() if re.match(r"\S", line)]


def test_the_pages_use_the_api_as_the_contract_says(tmp_path, contract):
    assert check(tmp_path, contract) == []


def test_each_misuse_is_found(tmp_path, contract):
    wrong = HERE / "wrong.mjs"
    lines = enumerate(wrong.read_text().splitlines(), start=1)
    marked = [number for number, line in lines if "// wrong:" in line]
    found = check(tmp_path, contract, wrong)
    places = [re.match(r"static/wrong\.mjs\((\d+),", line) for line in found]
    assert all(places), found
    assert [int(place[1]) for place in places if place] == marked


def test_no_script_is_left_out():
    """What would turn the check off, or loosen it, stands in no script."""
    for script in STATIC.glob("*.mjs"):
        assert not re.search(r"@ts-(nocheck|ignore|expect-error)", script.read_text()), script.name
