"""A copy of an embedded store, taken while it runs.

The append-only folder holds a base, an increment that grows at its end, and a list of both. While
the log is not being rewritten, only the increment changes, and only by what is added. So: ask the
server to start no rewrite, wait until none runs, copy. The copy ends somewhere in the log; what is
torn off there belongs to an append that was not acknowledged when the copy began, and a server that
starts on the copy cuts it.
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from service.store.embedded import Embedded
from service.store.folder import FolderIdle

FOLDER = "appendonlydir"
REWRITE_WITHIN = 600.0  # seconds that a rewrite under way is waited for
_AUTOMATIC = "auto-aof-rewrite-percentage"


class BackupFailed(Exception):
    """No copy was made; says why."""


def back_up(data_dir: Path, target: Path) -> int:
    """Copy the store of a data folder into a new one, running or not; gives the bytes copied.

    Raises BackupFailed if there is nothing to copy or something is in the way.
    """
    source = data_dir / FOLDER
    if not source.is_dir():
        raise BackupFailed(f"{data_dir} holds no store: there is no {FOLDER} in it")
    if target.exists() and any(target.iterdir()):
        raise BackupFailed(f"{target} is there and not empty")
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _no_rewrite(data_dir):
        shutil.copytree(source, target / FOLDER)
    return sum(path.stat().st_size for path in (target / FOLDER).iterdir())


@contextmanager
def _no_rewrite(data_dir: Path) -> Iterator[None]:
    """Keep the server, if one runs on the folder, from rewriting its log."""
    try:
        url = Embedded.join(data_dir)
    except FolderIdle:
        yield
        return
    server = Redis.from_url(url, socket_timeout=10, protocol=2)
    try:
        before: Any = server.config_get(_AUTOMATIC)
        server.config_set(_AUTOMATIC, 0)
        try:
            _wait_for_the_end(server)
            yield
        finally:
            server.config_set(_AUTOMATIC, before[_AUTOMATIC])
    except RedisError as error:
        raise BackupFailed(f"the store does not answer: {error}") from error
    finally:
        server.close()


def _wait_for_the_end(server: Redis) -> None:
    deadline = time.monotonic() + REWRITE_WITHIN
    while True:
        found: Any = server.info("persistence")
        if not found["aof_rewrite_in_progress"] and not found["aof_rewrite_scheduled"]:
            return
        if time.monotonic() > deadline:
            raise BackupFailed("the log is being rewritten and does not come to an end")
        time.sleep(0.1)
