"""What `deploy/` says holds together: files exist, names agree, the settings are the right ones."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.store.store import Store
from service.web import STOP_WITHIN
from tests.service.store.servers import Server, valkey_binary

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()


@pytest.fixture
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_the_containerfile_is_linted():
    """By hadolint where its package has a build for this machine; by ourselves everywhere."""
    linter = Path(sys.executable).with_name("hadolint")
    if linter.exists():
        done = subprocess.run([linter, DEPLOY / "Containerfile"], capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode()
    known = {"ARG", "CMD", "COPY", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "RUN", "USER"}
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", CONTAINERFILE, flags=re.M))
    for line in filter(None, joined.splitlines()):
        assert line.split()[0] in known | {"VOLUME", "WORKDIR"}, line
    assert CONTAINERFILE.count("\nFROM ") == 2, "what builds is not what runs"
    for image in re.findall(r"^FROM (\S+)", CONTAINERFILE, re.M):
        assert re.search(r":\d", image), f"{image} may be another one tomorrow"


def test_it_does_not_run_as_root():
    last = CONTAINERFILE.rsplit("\nFROM ", 1)[1]
    (user,) = re.findall(r"^USER (\S+)$", last, re.M)
    assert int(user) > 0


def test_only_what_is_locked_gets_in():
    installs = re.findall(r"pip install (.*)", CONTAINERFILE)
    assert len(installs) == 2
    assert "--require-hashes -r requirements.lock" in installs[0]
    assert {"--no-deps", "--no-build-isolation"} <= set(installs[1].split())
    assert "\nhatchling==" in (ROOT / "requirements.lock").read_text()


def test_what_is_copied_is_there_and_let_through():
    copied = {
        word
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINERFILE, re.M)
        for word in line.split()
    }
    allowed = (ROOT / ".dockerignore").read_text().splitlines()
    assert allowed[0] == "*"
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in allowed, name


def test_its_command_is_one_that_there_is():
    (command,) = re.findall(r"^CMD \[(.*)\]$", CONTAINERFILE, re.M)
    words = [word.strip(' "') for word in command.split(",")]
    assert words[0] == "potluck"
    run = [sys.executable, "-c", "from service.cli import main; main()", words[1], "--help"]
    told = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    for option in filter(lambda word: word.startswith("--"), words):
        assert option in told
    for variable in ("PORT", "DATA_DIR"):
        assert re.search(rf"\b{variable}=", CONTAINERFILE)
        assert f"variable {variable}" in " ".join(told.split())


def test_compose_refers_to_what_there_is(compose):
    services = compose["services"]
    build = services["potluck"]["build"]
    context = (DEPLOY / build["context"]).resolve()
    assert context == ROOT
    assert (context / build["dockerfile"]).is_file()
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).is_file(), source
    assert services["potluck"]["deploy"]["replicas"] == 2
    assert services["potluck"]["environment"]["REDIS_URL"].split("/")[2].split(":")[0] in services
    assert all(isinstance(v, str) for v in services["potluck"]["environment"].values())
    first, last = re.fullmatch(
        r"127\.0\.0\.1:(\d+)-(\d+):8000", services["potluck"]["ports"][0]
    ).groups()
    assert int(last) - int(first) == 1
    assert "ports" not in services["valkey"], "the store is nobody else's to reach"


def test_compose_waits_long_enough_for_an_end(compose):
    assert int(compose["services"]["potluck"]["stop_grace_period"].rstrip("s")) > STOP_WITHIN + 3


def test_the_stores_settings_are_found_right(tmp_path: Path):
    """A server takes the file as it is, and the service has nothing to say about it."""
    kept = [
        line
        for line in (DEPLOY / "valkey.conf").read_text().splitlines()
        if not line.startswith("dir ")
    ]
    mine = tmp_path / "valkey.conf"
    mine.write_text("\n".join(kept) + "\n")

    server = Server(valkey_binary(), tmp_path, file=mine)
    server.config = {}

    async def look() -> list[Any]:
        store = await Store.open(server.url)
        try:
            return await store.settings()
        finally:
            await store.close()

    server.start()
    try:
        assert asyncio.run(look()) == []
    finally:
        server.stop()
