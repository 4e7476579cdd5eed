"""The import rules bite: a planted import breaks the build."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(tree: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([tool], cwd=tree, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path):
    for package in ("domain", "service"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_tree_as_it_is_keeps_the_rules(tree):
    done = lint_imports(tree)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "planted"),
    [
        ("domain", "random"),
        ("domain", "time"),
        ("domain", "service"),
        ("domain/kernel", "datetime"),
        ("domain/kernel", "service.store"),
        ("service/store", "domain.kernel"),
        ("service/store", "litestar"),
    ],
)
def test_a_planted_import_breaks_them(tree, module, planted):
    (tree / module / "planted.py").write_text(f"import {planted}\n")
    done = lint_imports(tree)
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout
    assert f"{module.replace('/', '.')}.planted" in done.stdout


def test_games_do_not_know_each_other_nor_the_kernel_a_game(tree):
    for game, other in (("just_desserts", "memesio"), ("memesio", "kernel")):
        room = tree / "domain" / game
        room.mkdir(exist_ok=True)
        (room / "__init__.py").write_text("")
        (room / "planted.py").write_text(f"import domain.{other}\n")
    assert "domain.just_desserts.planted" in lint_imports(tree).stdout
    (tree / "domain" / "just_desserts" / "planted.py").write_text("")
    assert lint_imports(tree).returncode == 0
    (tree / "domain" / "kernel" / "planted.py").write_text("import domain.memesio\n")
    assert "domain.kernel.planted" in lint_imports(tree).stdout
