"""A running `potluck serve` for tests: real processes, started, killed and looked into."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

from service.store import launch
from service.store.folder import DataFolder
from tests.service.store.servers import wait_until

POTLUCK = [sys.executable, "-c", "from service.cli import main; main()"]

# Ends the service with the test run, however that ends.
_LAUNCHER = [sys.executable, "-I", "-S", launch.__file__]

PATIENCE = 20.0


class Serving:
    """A service on a data folder or on a given store."""

    def __init__(
        self, folder: Path, *arguments: str, redis_url: str | None = None, port: int = 0
    ) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self._arguments = arguments
        self._redis_url = redis_url
        self._asked_port = port
        self._seen = 0
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self, **more: str) -> Self:
        """Start the processes and wait for nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._seen = self.log.stat().st_size if self.log.exists() else 0
        environment = {**os.environ, "PORT": str(self._asked_port), "DATA_DIR": str(self.data)}
        environment.pop("REDIS_URL", None)
        if self._redis_url is not None:
            environment["REDIS_URL"] = self._redis_url
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*_LAUNCHER, str(os.getpid()), *POTLUCK, "serve", *self._arguments],
                env=environment | more,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self

    def start(self, **more: str) -> Self:
        """Start it and wait until it answers."""
        self.launch(**more)
        self.wait_for_event("serving")
        wait_until(lambda: self.status("/healthz") == 200, PATIENCE)
        return self

    def stop(self, patience: float = 15.0) -> int:
        """Stop it as an operator would, and give its exit code."""
        assert self.process
        self.process.terminate()
        return self.process.wait(patience)

    def kill(self) -> None:
        """End the parent alone, at once."""
        assert self.process
        self.process.kill()
        self.process.wait(PATIENCE)

    def end(self) -> None:
        """Make sure that nothing is left of it."""
        if self.process is not None and self.process.poll() is None:
            family = self.family()
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                for pid in (self.process.pid, *family):
                    kill(pid)
                self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()

    def wait_until_ready(self, patience: float = 30.0) -> None:
        """Wait until all of its workers are: each request goes to whichever takes it."""
        wait_until(lambda: all(self.status("/readyz") == 200 for _ in range(10)), patience)

    # Looking into it.

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it has logged since its last start: every line is one JSON object."""
        text = self.log.read_bytes()[self._seen :].decode()
        # A line that is being written is not there yet.
        lines = text[: text.rfind("\n") + 1].splitlines()
        foreign = [line for line in lines if not line.startswith("{")]
        assert not foreign, "\n".join(foreign)
        return [json.loads(line) for line in lines]

    def event(self, name: str) -> dict[str, Any] | None:
        return next((event for event in self.events if event["event"] == name), None)

    def wait_for_event(self, name: str) -> None:
        def there() -> bool:
            assert self.process
            assert self.process.poll() is None, self.log.read_text()
            return self.event(name) is not None

        wait_until(there, PATIENCE)

    @property
    def address(self) -> str:
        serving = self.event("serving")
        assert serving, self.log.read_text()
        return serving["address"]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        return [pid for pid in self.family() if b"service.worker" in command_line(pid)]

    def store(self) -> list[int]:
        """The process id of its embedded store."""
        return [pid for pid in self.family() if b"valkey-server" in command_line(pid)]

    def store_socket(self) -> Path:
        """The socket of its embedded store."""
        record = DataFolder(self.data).record()
        assert record, "no store runs"
        return Path(record.socket)

    def tell_store(self, *words: str) -> bytes:
        """Send the embedded store a command."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.store_socket()))
            connection.sendall(" ".join(words).encode() + b"\r\n")
            return connection.recv(65536)

    def family(self) -> list[int]:
        """All processes below it, children first."""
        assert self.process
        found, waiting = [], [self.process.pid]
        while waiting:
            children = children_of(waiting.pop())
            found += children
            waiting += children
        return found

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = 10,
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, names, answer.read()
        finally:
            connection.close()

    def status(self, path: str) -> int | None:
        """The status that a path is answered with; None while there is no answer."""
        try:
            return self.request("GET", path)[0]
        except (OSError, http.client.HTTPException):
            return None


def children_of(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def wait_for_end(*pids: int, patience: float = 10.0) -> float:
    """Wait until processes are gone; give the seconds that took."""
    begun = time.monotonic()
    wait_until(lambda: not any(map(alive, pids)), patience)
    return time.monotonic() - begun
