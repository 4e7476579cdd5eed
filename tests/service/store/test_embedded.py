import asyncio
import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from service.store.embedded import Embedded, FolderIdle, FolderInUse, ServerFailed, valkey_binary
from service.store.folder import DataFolder, Record, ask, boot_id, new_socket_path, start_ticks
from service.store.store import Store
from service.store.types import Appended
from tests.service.store.make import append, new_game
from tests.service.store.servers import start_embedded, wait_until

pytestmark = pytest.mark.anyio

# A process that serves from a folder and tells the server's pid.
OWNER = """
import sys, time
from pathlib import Path
from service.store.embedded import Embedded
embedded = Embedded(Path(sys.argv[1]))
embedded.start()
print(embedded.pid, embedded.socket, flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def owner(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, Path]]:
    """Another process with a server on the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    pid, socket = process.stdout.readline().split()
    yield process, int(pid), Path(socket)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.wait()
    process.stdout.close()
    shutil.rmtree(Path(socket).parent, ignore_errors=True)


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


async def add_game(url: str) -> str:
    store = await Store.open(url)
    game = new_game()
    await store.append(append(game, 0, 3))
    await store.close()
    return game


async def versions(url: str, game: str) -> list[int]:
    store = await Store.open(url)
    found = [entry.version for entry in await store.read(game)]
    await store.close()
    return found


@pytest.mark.parametrize("fsync", ["always", "everysec", "no"])
async def test_stopping_and_starting_loses_nothing(folder: Path, fsync: str) -> None:
    with Embedded(folder, fsync=fsync) as first:  # type: ignore[arg-type]
        game = await add_game(first.url)
        pid, socket = first.pid, first.socket
    assert not alive(pid)
    assert not socket.parent.exists()
    assert not (folder / "server.json").exists()
    with Embedded(folder) as second:
        assert await versions(second.url, game) == [1, 2, 3]
        assert not second.found_orphan
        assert second.dropped == 0


async def test_one_object_can_be_started_again(folder: Path) -> None:
    embedded = Embedded(folder)
    for _ in range(2):
        embedded.start()
        await add_game(embedded.url)
        with pytest.raises(ServerFailed):
            embedded.start()
        embedded.stop()
        embedded.stop()


async def test_the_settings_are_what_the_store_wants(folder: Path) -> None:
    with Embedded(folder, fsync="always") as embedded:
        store = await Store.open(embedded.url)
        assert {(f.severity, f.setting) for f in await store.settings()} == {
            ("note", "aof-load-truncated")
        }
        await store.close()


async def test_nobody_else_can_open_it(folder: Path) -> None:
    old = os.umask(0)
    try:
        with Embedded(folder) as embedded:
            await add_game(embedded.url)
            assert mode(embedded.socket.parent) == 0o700
            assert mode(embedded.socket) == 0o600
            assert mode(folder) == 0o700
            for path in (folder / "appendonlydir").iterdir():
                assert mode(path) & 0o077 == 0, path
            assert b"port\r\n$1\r\n0" in ask(embedded.socket, "CONFIG", "GET", "port")
    finally:
        os.umask(old)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_folder_is_used_once(folder: Path) -> None:
    with Embedded(folder) as embedded:
        game = await add_game(embedded.url)
        with pytest.raises(FolderInUse) as caught:
            start_embedded(folder)
        assert caught.value.socket == embedded.socket
        assert await versions(embedded.url, game) == [1, 2, 3]


async def test_a_folder_in_use_by_another_process_is_joined(
    folder: Path, owner: tuple[subprocess.Popen[str], int, Path]
) -> None:
    _, pid, socket = owner
    with pytest.raises(FolderInUse) as caught:
        start_embedded(folder)
    assert caught.value.socket == socket
    game = await add_game(Embedded.join(folder))
    assert await versions(f"unix://{socket}", game) == [1, 2, 3]
    assert alive(pid)


def test_an_idle_folder_cannot_be_joined(folder: Path) -> None:
    with pytest.raises(FolderIdle):
        Embedded.join(folder)
    assert not folder.exists()
    start_embedded(folder).stop()
    with pytest.raises(FolderIdle):
        Embedded.join(folder)


async def test_a_folder_with_a_long_path(tmp_path: Path) -> None:
    folder = tmp_path / ("long " * 20) / 'żółw\'s "data" \\' / ("deep" * 20)
    with Embedded(folder) as embedded:
        assert len(os.fsencode(embedded.socket)) <= 107
        game = await add_game(embedded.url)
        assert Embedded.join(folder) == embedded.url
    with Embedded(folder) as embedded:
        assert await versions(embedded.url, game) == [1, 2, 3]


async def test_a_long_runtime_folder_is_passed_over(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = tmp_path / ("far" * 30)
    far.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(far))
    with Embedded(folder) as embedded:
        assert not embedded.socket.is_relative_to(far)
    near = Path("/tmp") / f"near-{os.getpid()}"
    near.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(near))
    with Embedded(folder) as embedded:
        assert embedded.socket.is_relative_to(near)
    near.rmdir()


async def test_a_server_that_died_is_started_again(folder: Path) -> None:
    with Embedded(folder, fsync="always") as embedded:
        store = await Store.open(embedded.url)
        game = new_game()
        for round_number in range(3):
            assert isinstance(await store.append(append(game, round_number)), Appended)
            pid = embedded.pid
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda pid=pid: embedded.pid != pid)
            await asyncio.wait_for(embedded.serving(), 5)
        assert embedded.restarts == 3
        assert [entry.version for entry in await store.read(game)] == [1, 2, 3]
        assert Embedded.join(folder) == embedded.url
        await store.close()


async def test_a_server_may_stay_dead(folder: Path) -> None:
    embedded = Embedded(folder, restart=False)
    embedded.start()
    os.kill(embedded.pid, signal.SIGKILL)
    time.sleep(0.3)
    assert embedded.restarts == 0
    embedded.stop()
    start_embedded(folder).stop()


async def test_stopping_while_the_server_is_down(folder: Path) -> None:
    embedded = start_embedded(folder)
    begun = time.monotonic()
    os.kill(embedded.pid, signal.SIGKILL)
    embedded.stop()
    assert time.monotonic() - begun < 5
    assert not alive(embedded.pid)


async def test_a_hanging_server_is_ended_at_last(folder: Path) -> None:
    embedded = start_embedded(folder, patience=0.5)
    os.kill(embedded.pid, signal.SIGSTOP)
    embedded.stop()
    assert not alive(embedded.pid)


async def test_the_server_ends_with_a_killed_parent(
    folder: Path, owner: tuple[subprocess.Popen[str], int, Path]
) -> None:
    process, pid, socket = owner
    game = await add_game(f"unix://{socket}")
    process.kill()
    wait_until(lambda: not alive(pid))
    with Embedded(folder) as embedded:
        assert await versions(embedded.url, game) == [1, 2, 3]
        assert not socket.parent.exists()


class Orphan:
    """A server on a folder whose owner is gone, started as `Embedded` would have."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.embedded = Embedded(folder, fsync="always")

    def start(self) -> int:
        data = self.embedded._folder
        data.path.mkdir(parents=True)
        self.embedded._socket = new_socket_path()
        self.embedded._write_config()
        lock = data.server_lock(0)
        assert lock is not None
        self.process = subprocess.Popen(
            [valkey_binary(), str(data.config)],
            pass_fds=(lock,),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
        )
        os.close(lock)
        pid = self.process.pid
        data.note(Record(str(self.embedded.socket), pid, start_ticks(pid), boot_id()))
        wait_until(lambda: ask(self.embedded.socket, "PING").startswith(b"+PONG"))
        return pid

    def note(self, **change: object) -> None:
        record = self.embedded._folder.record()
        assert record
        self.embedded._folder.note(msgspec.structs.replace(record, **change))

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.embedded.socket.parent, ignore_errors=True)


@pytest.fixture
def orphan(folder: Path) -> Iterator[Orphan]:
    left = Orphan(folder)
    left.start()
    yield left
    left.end()


async def test_an_orphan_is_ended_before_the_next_start(folder: Path, orphan: Orphan) -> None:
    game = await add_game(orphan.embedded.url)
    with Embedded(folder) as embedded:
        assert embedded.found_orphan
        assert not alive(orphan.process.pid)
        assert orphan.process.wait() == 0
        assert await versions(embedded.url, game) == [1, 2, 3]
        assert not orphan.embedded.socket.parent.exists()


async def test_a_hanging_orphan_is_signalled(folder: Path, orphan: Orphan) -> None:
    game = await add_game(orphan.embedded.url)
    orphan.process.send_signal(signal.SIGSTOP)
    with Embedded(folder, patience=0.5) as embedded:
        assert orphan.process.wait() == -signal.SIGKILL
        assert await versions(embedded.url, game) == [1, 2, 3]


@pytest.mark.parametrize(
    "change", [{"started": 1}, {"boot": "another"}, {"pid": os.getpid()}, {"pid": 0}, {"pid": 1}]
)
async def test_a_process_that_is_not_certainly_ours_is_left_alone(
    folder: Path, orphan: Orphan, change: dict[str, object]
) -> None:
    """A process id that is now another's, or another boot: no signal, and no second server."""
    orphan.process.send_signal(signal.SIGSTOP)
    orphan.note(**change)
    with pytest.raises(ServerFailed, match="cannot be told"):
        start_embedded(folder, patience=0.3)
    assert alive(orphan.process.pid)
    with pytest.raises(FolderIdle):
        Embedded.join(folder)


async def test_another_folders_server_is_left_alone(
    folder: Path, tmp_path: Path, orphan: Orphan
) -> None:
    """A note that leads to the server of another folder ends nothing there."""
    with Embedded(tmp_path / "other") as other:
        orphan.process.send_signal(signal.SIGSTOP)
        orphan.note(socket=str(other.socket), pid=other.pid, started=start_ticks(other.pid))
        with pytest.raises(ServerFailed):
            start_embedded(folder, patience=0.3)
        await add_game(other.url)
        assert other.restarts == 0


async def test_a_copy_of_a_folder_in_use_leaves_the_original_alone(
    folder: Path, tmp_path: Path
) -> None:
    with Embedded(folder, fsync="always") as original:
        game = await add_game(original.url)
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        with Embedded(copy) as copied:
            assert not copied.found_orphan
            assert await versions(copied.url, game) == [1, 2, 3]
            other = await add_game(copied.url)
        assert await versions(original.url, other) == []
        assert await versions(original.url, game) == [1, 2, 3]
        assert original.restarts == 0


async def test_a_server_that_is_just_ending_is_waited_for(folder: Path) -> None:
    """It answers no more and is not recognised any more, but its lock is not yet free."""
    start_embedded(folder).stop()
    lock = DataFolder(folder).server_lock(0)
    assert lock is not None
    later = threading.Timer(0.5, os.close, [lock])
    later.start()
    with Embedded(folder) as embedded:
        assert embedded.found_orphan
    later.join()


async def test_a_note_of_a_dead_server_is_forgotten(folder: Path) -> None:
    sleeper = subprocess.Popen(["sleep", "60"])
    folder.mkdir()
    DataFolder(folder).note(
        Record("/nowhere/socket", sleeper.pid, start_ticks(sleeper.pid), boot_id())
    )
    start_embedded(folder).stop()
    (folder / "server.json").write_text("{torn")
    start_embedded(folder).stop()
    assert sleeper.poll() is None
    sleeper.kill()
    sleeper.wait()


async def test_a_torn_log_is_cut_and_said_so(folder: Path) -> None:
    with Embedded(folder) as embedded:
        game = await add_game(embedded.url)
    (log,) = (folder / "appendonlydir").glob("*.incr.aof")
    whole = log.read_bytes()
    log.write_bytes(whole + b"*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$9\r\ntorn")
    with Embedded(folder) as embedded:
        assert embedded.dropped > 0
        assert await versions(embedded.url, game) == [1, 2, 3]


async def test_a_log_damaged_within_is_refused(folder: Path) -> None:
    with Embedded(folder) as embedded:
        await add_game(embedded.url)
    (log,) = (folder / "appendonlydir").glob("*.incr.aof")
    whole = log.read_bytes()
    log.write_bytes(whole[:30] + b"damage" + whole[36:])
    with pytest.raises(ServerFailed, match="Bad file format"):
        start_embedded(folder)
    log.write_bytes(whole)
    start_embedded(folder).stop()


async def test_a_half_written_append_is_cut_as_a_whole(folder: Path) -> None:
    """The log holds an append between MULTI and EXEC: torn anywhere within, none of it counts."""
    with Embedded(folder) as embedded:
        game = await add_game(embedded.url)
        (log,) = (folder / "appendonlydir").glob("*.incr.aof")
        before = log.stat().st_size
        store = await Store.open(embedded.url)
        await store.append(append(game, 3, 3, due=9, players=("ann",), listing="open"))
        await store.close()
    whole = log.read_bytes()
    for cut in range(before + 20, len(whole) - 1, 173):
        log.write_bytes(whole[:cut])
        with Embedded(folder) as embedded:
            assert await versions(embedded.url, game) == [1, 2, 3], cut
            store = await Store.open(embedded.url)
            assert await store.due(99, 9) == []
            await store.close()


async def test_memory_has_a_limit_if_wanted(folder: Path) -> None:
    with Embedded(folder, max_memory=123_456_789) as embedded:
        assert b"123456789" in ask(embedded.socket, "CONFIG", "GET", "maxmemory")
