"""`potluck serve`: the parent of everything.

It holds the listening socket, the embedded store and the workers. Workers stop first, the store
last; a worker that dies is started again; workers stop when the parent is gone.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from service import metrics
from service.clock import PLACE
from service.store.client import check_url
from service.store.embedded import Embedded, Fsync, ServerFailed
from service.web import STOP_WITHIN
from service.worker import STORE_URL

log = structlog.get_logger()

BACKLOG = 1024
STEADY_AFTER = 10.0  # seconds after which a worker's death is not held against the next one
LONGEST_PAUSE = 5.0


class PortInUse(Exception):
    """Somebody else listens on the port."""


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen. Raises PortInUse; a port is never shared by accident."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    # Only past the time that a closed connection lingers; two listeners stay refused.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise PortInUse(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return listening


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    started: float


@dataclass
class Workers:
    """The worker processes on one socket and one store.

    ``counted`` is the folder in which they keep their metrics; it is emptied at the start. In
    ``clock`` they note the time for each other.
    """

    listening: socket.socket
    url: str
    count: int
    counted: Path
    clock: Path
    demo: bool = False
    _running: list[_Worker] = field(default_factory=list)
    _pipe: tuple[int, int] = field(default_factory=os.pipe)
    _pause: float = 0.0

    def start(self) -> None:
        """Start them all."""
        metrics.prepare(self.counted)
        for number in range(self.count):
            self._running.append(self._spawn(first=number == 0))

    def look_after(self, stopping: threading.Event) -> None:
        """Start again what died, unless all are about to stop."""
        for place, worker in enumerate(self._running):
            code = worker.process.poll()
            if code is None:
                continue
            steady = time.monotonic() - worker.started > STEADY_AFTER
            self._pause = 0.0 if steady else min(LONGEST_PAUSE, self._pause * 2 or 0.1)
            log.error("a worker died; starting another", code=code, after=self._pause)
            metrics.bury(self.counted, worker.process.pid)
            if stopping.wait(self._pause):
                return
            self._running[place] = self._spawn()

    def stop(self) -> None:
        """Stop them all: politely, then for good."""
        for worker in self._running:
            worker.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_WITHIN + 3
        for worker in self._running:
            try:
                worker.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.error("a worker does not stop; killing it", pid=worker.process.pid)
                worker.process.kill()
                worker.process.wait()
        for end in self._pipe:
            with contextlib.suppress(OSError):
                os.close(end)

    def _spawn(self, *, first: bool = False) -> _Worker:
        reading = self._pipe[0]
        command = [
            sys.executable,
            "-m",
            "service.worker",
            f"--socket={self.listening.fileno()}",
            f"--parent={reading}",
            *(["--first"] if first else []),
            *(["--demo"] if first and self.demo else []),
        ]
        # A session of its own: Ctrl-C reaches the parent alone, which stops things in order.
        process = subprocess.Popen(
            command,
            env={
                **os.environ,
                STORE_URL: self.url,
                metrics.FOLDER: str(self.counted),
                PLACE: str(self.clock),
            },
            pass_fds=(self.listening.fileno(), reading),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        return _Worker(process, time.monotonic())


def serve(
    *, host: str, port: int, data_dir: Path, redis_url: str | None, workers: int, fsync: Fsync
) -> None:
    """Serve until SIGTERM or SIGINT. Raises PortInUse, FolderInUse, ServerFailed."""
    if redis_url is not None:
        _check(redis_url)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(contextlib.closing(listen(host, port)))
        url = redis_url
        if url is None:
            data_dir.mkdir(parents=True, exist_ok=True)
            embedded = stack.enter_context(Embedded(data_dir, fsync=fsync))
            url = embedded.url
        if redis_url is None:
            # The data folder is this service's alone; what a killed one left there is cleared.
            counted, clock = data_dir / "metrics", data_dir / "clock"
            stack.callback(shutil.rmtree, counted, ignore_errors=True)
        else:
            folder = tempfile.TemporaryDirectory(prefix="potluck-metrics-")
            counted = Path(stack.enter_context(folder))
            clock = counted / "clock"
        crew = Workers(listening, url, workers, counted, clock, demo=redis_url is None)
        stack.callback(crew.stop)
        crew.start()
        where = f"http://{host}:{listening.getsockname()[1]}"
        log.info("serving", address=where, store=_shown(redis_url, data_dir), workers=workers)
        while not stopping.wait(0.2):
            crew.look_after(stopping)
        log.info("stopping")


def _check(redis_url: str) -> None:
    try:
        check_url(redis_url)
    except ValueError:
        # Not the error's own words: where the URL is misread they may hold a piece of a password.
        raise ServerFailed(
            "The Redis URL cannot be read; it looks like redis://localhost:6379/0, with rediss://"
            " for TLS, redis+cluster:// for a cluster, or unix:///path/to/socket."
        ) from None


def _shown(redis_url: str | None, data_dir: Path) -> str:
    """Name the store for the log, without any password in its URL."""
    if redis_url is None:
        return f"embedded in {data_dir}"
    scheme, _, rest = redis_url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
