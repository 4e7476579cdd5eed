"""Back-up and restore as `docs/operations.md` has it; what is said of settings at a start."""

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.load import Driver
from tests.service.players import Player, Table
from tests.service.serving import POTLUCK, Serving
from tests.service.store.servers import Server, chosen_binary, start_binary, wait_until


def potluck(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    return subprocess.run(
        [*POTLUCK, *words], capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("service"), "--fsync", "always") as serving:
        yield serving


def test_a_copy_of_a_running_store_is_a_store(running: Serving, tmp_path: Path):
    """Everything acknowledged before is in it, and it can be gone on from."""
    rng = random.Random(4)
    table = Table(*(Player(running.address, name) for name in ("Ada", "Ben"))).started()
    for _ in range(6):
        table.step(rng)
    before = table.host.get(table.path).content
    drivers = [Driver(running.port, seed, keyed=True) for seed in (1, 2)]
    for driver in drivers:
        driver.start()
        driver.go()
    copies = [tmp_path / f"copy-{number}" for number in range(3)]
    try:
        for copy in copies:
            done = potluck("backup", "--data-dir", str(running.data), str(copy))
            assert done.returncode == 0, done.stderr
    finally:
        for driver in drivers:
            driver.over.set()
            driver.join(20)
    assert not any(driver.failure for driver in drivers)
    assert running.tell_store("CONFIG", "GET", "auto-aof-rewrite-percentage").endswith(
        b"\r\n100\r\n"
    )
    for copy in copies:
        done = potluck("validate", "--data-dir", str(copy))
        assert done.returncode == 0, done.stdout + done.stderr
        assert " 0 at fault" in done.stdout
    restored = Serving(tmp_path / "restored")
    restored.folder.mkdir()
    shutil.move(copies[-1], restored.data)
    with restored:
        restored.wait_until_ready()
        here = Player(restored.address, None)
        here.token = table.host.token
        assert here.get(table.path).content == before
        table.host.http = here.http
        table.players[1].http = here.http
        table.step(rng)


def test_a_copy_torn_at_its_end_is_still_one(running: Serving, tmp_path: Path):
    """Wherever the copy of the growing file ended."""
    whole = tmp_path / "whole"
    assert potluck("backup", "--data-dir", str(running.data), str(whole)).returncode == 0
    (log,) = (whole / "appendonlydir").glob("*.incr.aof")
    size = log.stat().st_size
    for cut in (1, 37, 400):
        torn = tmp_path / f"torn-{cut}"
        shutil.copytree(whole, torn)
        os.truncate(torn / "appendonlydir" / log.name, size - cut)
        done = potluck("validate", "--data-dir", str(torn))
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_store_that_rests_is_copied_too(tmp_path: Path):
    with Serving(tmp_path / "s") as serving:
        serving.wait_until_ready()
    copy = tmp_path / "copy"
    done = potluck("backup", "--data-dir", str(serving.data), str(copy))
    assert done.returncode == 0, done.stderr
    assert potluck("validate", "--data-dir", str(copy)).returncode == 0


def test_nothing_is_written_over(running: Serving, tmp_path: Path):
    (tmp_path / "mine").write_text("precious")
    done = potluck("backup", "--data-dir", str(running.data), str(tmp_path))
    assert done.returncode == 1
    assert "not empty" in done.stderr
    done = potluck("backup", "--data-dir", str(tmp_path), str(tmp_path / "new"))
    assert done.returncode == 1
    assert "holds no store" in done.stderr


def test_dangerous_settings_are_said_aloud_once(tmp_path: Path):
    folder = tmp_path / "store"
    folder.mkdir()
    server: Server = start_binary(
        chosen_binary(), folder, appendonly="no", maxmemory_policy="allkeys-lru"
    )
    try:
        with Serving(tmp_path / "s", "--workers", "2", redis_url=server.url) as serving:
            serving.wait_until_ready()
            wait_until(lambda: len(findings(serving)) == 2)
            told = {event["setting"]: event for event in findings(serving)}
            assert told["appendonly"]["level"] == told["maxmemory-policy"]["level"] == "error"
            assert "whole games" in told["maxmemory-policy"]["loss"]
            assert told["appendonly"]["wanted"] == "yes"
    finally:
        server.stop()


def test_the_embedded_store_has_notes_at_most(running: Serving):
    assert {event["level"] for event in findings(running)} <= {"info"}


def findings(serving: Serving) -> list[dict[str, str]]:
    said = "a setting of the store could cost something"
    return [event for event in serving.events if event["event"] == said]
