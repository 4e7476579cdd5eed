"""Bring `.venv` up to the lock files, or leave it alone if it is there already.

    python3 scripts/environment.py serve|dev|check

Run by `make` with whatever Python the machine has: therefore standard library only, and a syntax
that a Python too old can still read far enough to be told so.
"""

import contextlib
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - this is the one file an old Python runs
    sys.exit(
        "Potluck needs Python 3.11 or newer; %s is %d.%d. Name a newer one: make PYTHON=python3.12"  # noqa: UP031
        % ((sys.executable, *sys.version_info[:2]))
    )

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = {"serve": "requirements.lock", "dev": "requirements-dev.lock"}
SERVES = {"serve": ("serve", "dev"), "dev": ("dev",)}
"""Which environments satisfy which wish: the one for development contains the other."""


def wanted(kind: str) -> str:
    """Digest everything the environment depends on."""
    digest = hashlib.sha256(str(ROOT).encode())
    for name in (*LOCKS.values(), "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return f"{kind} {digest.hexdigest()}\n"


def current(kind: str) -> bool:
    """Tell whether `.venv` is finished, up to date and still has its Python."""
    stamp = VENV / "potluck.stamp"
    if not stamp.exists() or stamp.read_text() not in {wanted(each) for each in SERVES[kind]}:
        return False
    return works("-c", "import click, hatchling")


def works(*arguments: str) -> bool:
    """Tell whether the environment's Python exists, is new enough and runs this."""
    python = VENV / "bin" / "python"
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return all(
        python.exists()
        and subprocess.run([python, *line], capture_output=True, check=False).returncode == 0
        for line in (("-c", check), arguments)
    )


def create() -> None:
    """Make the environment, over the remains of a broken one if need be."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as missing:
        sys.exit(
            f"{sys.executable} has no module {missing.name}, so it cannot make a virtual "
            "environment. On Debian and Ubuntu: apt-get install python3-venv"
        )
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)


def install(kind: str) -> None:
    """Install what is locked and nothing else, then the project itself from here."""
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    locked = ["install", "--require-hashes", "-r", str(ROOT / LOCKS[kind])]
    subprocess.run([*pip, *locked], check=True)
    project = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)]
    subprocess.run([*pip, "install", *project], check=True)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let one process at a time touch the environment; the lock dies with its holder."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "environment.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main(kind: str) -> None:
    """Do what is missing; write the stamp last, so that an interrupted run counts as none."""
    if current(kind):
        return
    with alone():
        if current(kind):
            return
        stamp = VENV / "potluck.stamp"
        stamp.unlink(missing_ok=True)
        if not works("-m", "pip", "--version"):
            print(f"Making .venv with Python {sys.version.split()[0]}", flush=True)
            create()
        print(f"Installing {LOCKS[kind]} into .venv", flush=True)
        install(kind)
        stamp.with_suffix(".new").write_text(wanted(kind))
        os.replace(stamp.with_suffix(".new"), stamp)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in (*LOCKS, "check"):
        sys.exit(__doc__)
    if sys.argv[1] != "check":
        try:
            main(sys.argv[1])
        except subprocess.CalledProcessError as failed:
            sys.exit(f"Setting up .venv failed: {' '.join(map(str, failed.cmd))}")
        except KeyboardInterrupt:
            sys.exit(130)
