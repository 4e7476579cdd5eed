"""`make` says what is missing before it tries, and does nothing twice."""

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def make(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        env=kept | env,
        capture_output=True,
        text=True,
        check=False,
    )


def environment(root: Path):
    """Load the script as if it stood in another checkout."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / "scripts/environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ROOT, module.VENV = root, root / ".venv"
    return module


@pytest.fixture
def script(tmp_path, monkeypatch):
    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    script = environment(tmp_path)
    script.done = []
    monkeypatch.setattr(script, "works", lambda *_: (tmp_path / ".venv").exists())
    monkeypatch.setattr(script, "create", (tmp_path / ".venv").mkdir)
    monkeypatch.setattr(script, "install", script.done.append)
    return script


def test_make_alone_teaches():
    done = make()
    assert done.returncode == 0
    assert {"make serve", "make test", "make lock"} <= {
        " ".join(line.split()[:2]) for line in done.stdout.splitlines()
    }


def test_a_python_that_is_missing_is_named():
    done = make("test", "PYTHON=python3.nope")
    assert done.returncode != 0
    assert "python3.nope not found: install Python 3.11 or newer" in done.stderr


def test_the_script_refuses_an_old_python(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.version_info", (3, 10, 4))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; .* is 3\.10"):
        environment(tmp_path)


def test_a_second_run_does_nothing(script):
    script.main("dev")
    script.main("dev")
    assert script.done == ["dev"]


def test_the_environment_for_development_serves_too_but_not_the_reverse(script):
    script.main("serve")
    script.main("dev")
    script.main("serve")
    assert script.done == ["serve", "dev"]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "pyproject.toml"])
def test_a_changed_lock_or_project_is_installed(script, name):
    script.main("dev")
    (script.ROOT / name).write_text("changed")
    script.main("dev")
    assert script.done == ["dev", "dev"]


def test_an_interrupted_install_is_begun_again(script, monkeypatch):
    def interrupted(_kind):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(script, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            script.main("dev")
    script.main("dev")
    assert script.done == ["dev"]
