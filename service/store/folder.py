"""The data folder of an embedded server: who holds it, and what a killed one left behind.

Two locks tell the truth, because the kernel keeps them: `lock` is held by the process that serves,
`server.lock` by the server itself, which inherits it open. A process id in a file can be anybody's
by now; it is looked at only to reach a server that is known to be there, and never trusted without
the time the process was started and its command line.
"""

import fcntl
import os
import select
import shutil
import signal
import socket
import stat
import tempfile
import time
from pathlib import Path
from typing import Final, Self

import msgspec

__all__ = ["DataFolder", "FolderIdle", "FolderInUse", "Record", "ServerFailed", "ask", "open_lock"]

LONGEST_SOCKET_PATH: Final = 107
"""What the kernel takes, in bytes."""

_STEP: Final = 0.02


class ServerFailed(Exception):
    """The embedded server cannot be started, or not be ended."""


class FolderIdle(Exception):
    """No server runs on the data folder, so there is nothing to join."""


class FolderInUse(Exception):
    """Another process serves from the data folder.

    Fields:
        folder: the data folder.
        socket: the socket of the server running there; `None` while it is being started.
    """

    def __init__(self, folder: Path, socket_path: Path | None) -> None:
        super().__init__(f"{folder} is in use by another process")
        self.folder = folder
        self.socket = socket_path


class Record(msgspec.Struct, frozen=True):
    """What is noted about the running server, for those who join it or clear up after it.

    Fields:
        socket: the path of its socket, in a private folder made for it.
        pid: its process id; 0 until it runs.
        started: when the process was started, in the kernel's ticks since boot.
        boot: which boot of the machine that was.
    """

    socket: str
    pid: int = 0
    started: int = 0
    boot: str = ""


class DataFolder:
    """A data folder, with the names of everything in it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.config = self.path / "server.conf"
        self.log = self.path / "server.log"
        self.append_only = self.path / "appendonlydir"
        self._record = self.path / "server.json"
        self._lock = -1

    def acquire(self) -> None:
        """Take the folder, or raise `FolderInUse`."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Whoever asks whether the folder is in use holds the lock for a moment.
        lock = open_lock(self.path / "lock", patience=0.2)
        if lock is None:
            raise FolderInUse(self.path, self._socket())
        self._lock = lock

    def release(self) -> None:
        """Give the folder back."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @classmethod
    def in_use(cls, path: Path) -> Self | None:
        """Give the folder if a process serves from it."""
        folder = cls(path)
        try:
            lock = open_lock(folder.path / "lock", shared=True)
        except FileNotFoundError:
            return None
        if lock is None:
            return folder
        os.close(lock)
        return None

    def record(self) -> Record | None:
        """Read what is noted about the server."""
        try:
            return msgspec.json.decode(self._record.read_bytes(), type=Record)
        except (OSError, msgspec.MsgspecError):
            return None

    def note(self, record: Record) -> None:
        """Replace what is noted about the server."""
        draft = self._record.with_suffix(".new")
        draft.write_bytes(msgspec.json.encode(record))
        draft.replace(self._record)

    def forget(self) -> None:
        """Remove the note and the socket's folder, once no server of ours runs."""
        record = self.record()
        if record is not None:
            _remove_socket_folder(Path(record.socket))
        self._record.unlink(missing_ok=True)

    def server_lock(self, patience: float) -> int | None:
        """Take the server's lock for a server about to start; `None` if one still holds it."""
        return open_lock(self.path / "server.lock", patience=patience)

    def end_orphan(self, patience: float) -> bool:
        """End a server that outlived the process it belonged to; say whether there was one.

        It is asked through its socket first. Signals go only to a process that is certainly it.

        Raises `ServerFailed` if a server holds the folder and cannot be identified or ended.
        """
        lock = self.server_lock(0)
        if lock is not None:
            os.close(lock)
            return False
        record = self.record()
        if record is not None:
            folder = ask(Path(record.socket), "CONFIG", "GET", "dir", patience=min(patience, 2))
            if os.fsencode(self.path) in folder.split(b"\r\n"):
                deadline = time.monotonic() + patience
                while time.monotonic() < deadline:
                    # It may refuse for a moment, while it writes its first log.
                    ask(Path(record.socket), "SHUTDOWN")
                    if self._ended(0.1):
                        return True
            for number in (signal.SIGTERM, signal.SIGKILL):
                if self._signal(record, number) and self._ended(patience):
                    return True
        # One that is ending just now answers no more and is no more recognised, but holds on still.
        if self._ended(patience):
            return True
        raise ServerFailed(f"a server holds {self.path}, and it cannot be told which process it is")

    def _ended(self, patience: float) -> bool:
        lock = self.server_lock(patience)
        if lock is not None:
            os.close(lock)
        return lock is not None

    def _signal(self, record: Record, number: signal.Signals) -> bool:
        """Send a signal to the recorded process if it is still the one recorded."""
        if record.pid <= 0 or not hasattr(os, "pidfd_open"):
            return False
        try:
            handle = os.pidfd_open(record.pid)
        except OSError:
            return False
        try:
            # The handle is of one process for good, so what is found to be true of it now stays
            # true while the signal is sent.
            ours = (
                boot_id() == record.boot
                and start_ticks(record.pid) == record.started
                and os.fsencode(self.config) in _command_line(record.pid)
                and not select.select([handle], [], [], 0)[0]
            )
            if ours:
                signal.pidfd_send_signal(handle, number)
            return ours
        except OSError:
            return False
        finally:
            os.close(handle)

    def _socket(self) -> Path | None:
        record = self.record()
        return None if record is None else Path(record.socket)


def new_socket_path() -> Path:
    """Make a private folder with a short path and name a socket in it."""
    for base in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"):
        longest = f"{base}/potluck-01234567/socket"
        if len(os.fsencode(longest)) > LONGEST_SOCKET_PATH:
            continue
        if base and os.path.isdir(base) and os.access(base, os.W_OK | os.X_OK):
            return Path(tempfile.mkdtemp(prefix="potluck-", dir=base)) / "socket"
    raise ServerFailed("no folder for temporary files is writable and has a short path")


def open_lock(path: Path, *, shared: bool = False, patience: float = 0) -> int | None:
    """Open a file and lock it, waiting up to `patience` seconds; `None` if another holds it."""
    handle = os.open(path, os.O_RDWR if shared else os.O_RDWR | os.O_CREAT, 0o600)
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(handle)
                return None
            time.sleep(_STEP)
        else:
            return handle


def ask(path: Path, *words: str, patience: float = 2.0) -> bytes:
    """Send a command to the server behind a socket and give the raw reply; empty if none comes."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(patience)
            connection.connect(str(path))
            connection.sendall(" ".join(words).encode() + b"\r\n")
            return connection.recv(16_384)
    except OSError:
        return b""


def start_ticks(pid: int) -> int:
    """Say when a process was started, in ticks since boot; 0 if there is none or no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    # The second field, the program's name, may itself hold spaces and brackets.
    return int(fields.rpartition(")")[2].split()[19])


def boot_id() -> str:
    """Name this boot of the machine; empty if there is no /proc."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _command_line(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def _remove_socket_folder(path: Path) -> None:
    """Remove a folder made by `new_socket_path`, and only such a one.

    A socket that somebody listens on is another server's: a data folder copied while in use has a
    note that leads there.
    """
    folder = path.parent
    try:
        status = folder.lstat()
    except OSError:
        return
    private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700
    ours = private and status.st_uid == os.getuid() and folder.name.startswith("potluck-")
    if ours and not _listens(path):
        shutil.rmtree(folder, ignore_errors=True)


def _listens(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(path))
    except (FileNotFoundError, ConnectionRefusedError):
        return False
    except OSError:
        return True
    return True
