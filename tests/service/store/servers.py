"""Real servers for tests: start one, cut it off, bring it back.

Which one is the runner's choice, never a test's: `POTLUCK_STORE_SERVER` is `valkey` (the default,
from the wheel) or `redis` (a `redis-server` on the PATH). `POTLUCK_TEST_REDIS_URL` names a scratch
server to run the general tests on; its database is emptied before every test.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from service.store import launch
from service.store.embedded import Embedded, valkey_binary

PATIENCE = 10.0

# Ends the server with the test run, however that ends.
_LAUNCHER = [sys.executable, "-I", "-S", launch.__file__]


def chosen_binary() -> Path:
    """The server binary the runner chose."""
    choice = os.environ.get("POTLUCK_STORE_SERVER", "valkey")
    if choice == "valkey":
        return valkey_binary()
    assert choice == "redis", f"POTLUCK_STORE_SERVER is {choice}, not valkey or redis"
    found = shutil.which("redis-server")
    assert found, "POTLUCK_STORE_SERVER=redis, but there is no redis-server on the PATH"
    return Path(found)


class Server:
    """A server process on a folder, behind a Unix socket and, if asked for, a port."""

    def __init__(
        self,
        binary: Path,
        folder: Path,
        *,
        port: int = 0,
        file: Path | None = None,
        **config: str,
    ) -> None:
        self.binary = binary
        self.file = file
        self.folder = folder
        self.port = port
        self.config = {"appendonly": "yes", "save": "", **config}
        self._socket_folder = Path(tempfile.mkdtemp(prefix="potluck-test-"))
        self.socket = self._socket_folder / "s"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{self.socket}"

    def start(self) -> "Server":
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "dir": str(self.folder),
            **self.config,
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen(
            [
                *_LAUNCHER,
                str(os.getpid()),
                self.binary,
                *([self.file] if self.file else []),
                *words,
            ],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for_answer(self.socket)
        return self

    def kill(self) -> None:
        """End it as the kernel would: at once."""
        assert self.process
        self.process.kill()
        self.process.wait(PATIENCE)

    def pause(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it for good."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self._socket_folder, ignore_errors=True)


def start_binary(binary: Path, folder: Path, *, port: int = 0, **config: str) -> Server:
    """Start a binary on a folder; settings as keyword arguments, `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in config.items()}
    return Server(binary, folder, port=port, **named).start()


def start_embedded(folder: Path, **options: object) -> Embedded:
    """Start an embedded server on a folder."""
    embedded = Embedded(folder, **options)  # type: ignore[arg-type]
    embedded.start()
    return embedded


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_answer(path: Path) -> None:
    """Wait until the server behind a socket answers a ping."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(path))
                connection.sendall(b"PING\r\n")
                if connection.recv(64).startswith(b"+PONG"):
                    return
        except OSError:
            pass
        time.sleep(0.01)
    raise AssertionError(f"no server answers behind {path}")


def wait_until(condition, patience: float = PATIENCE) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)
