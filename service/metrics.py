"""What the service counts, in the form of Prometheus.

Each worker writes to files in one folder, which its parent makes, and any of them answers for all.
A label has few values that are known beforehand: operations, codes, rulesets, reasons. No id of a
game or a player, nothing that a caller sends.
"""

import os
import shutil
from pathlib import Path
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable under which the client library finds the folder, when it is imported."""

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_own = CollectorRegistry()
_library: Any = multiprocess  # that part of it is not typed

_QUICK: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
_LAG: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0)

REQUESTS: Final = Counter(
    "potluck_requests",
    "Requests answered, by route template, method and status.",
    ("route", "method", "status"),
    registry=_own,
)
COMMANDS: Final = Counter(
    "potluck_commands",
    "Commands by operation and result: done, repeated, or the code of the problem.",
    ("operation", "result"),
    registry=_own,
)
APPEND: Final = Histogram(
    "potluck_append_seconds",
    "Time to store a command's events, from the call to the store's answer.",
    registry=_own,
    buckets=_QUICK,
)
STORE_ERRORS: Final = Counter(
    "potluck_store_errors",
    "Calls that the store could not serve, by reason.",
    ("reason",),
    registry=_own,
)
BUNDLED_ACTS: Final = Counter(
    "potluck_bundled_acts",
    "Acts of bundled players, by ruleset; overtaken: somebody else's closed the decision.",
    ("ruleset", "result"),
    registry=_own,
)
OPEN_STREAMS: Final = Gauge(
    "potluck_open_streams",
    "Event streams that are open now.",
    registry=_own,
    multiprocess_mode="livesum",
)
WAITING: Final = Gauge(
    "potluck_waiting_requests",
    "Requests that wait for an event now (long-poll).",
    registry=_own,
    multiprocess_mode="livesum",
)
WATCHED: Final = Gauge(
    "potluck_watched_games",
    "Games with an open stream or a waiting request, summed over the workers.",
    registry=_own,
    multiprocess_mode="livesum",
)
HUB_UP: Final = Gauge(
    "potluck_hub_up",
    "Whether the live reader hears the store: 1, or 0 if that of any worker does not.",
    registry=_own,
    multiprocess_mode="livemin",
)
HUB_LAG: Final = Histogram(
    "potluck_hub_lag_seconds",
    "Age of the newest event when it is handed to a worker's streams.",
    registry=_own,
    buckets=_LAG,
)
STREAM_EVENTS: Final = Counter("potluck_stream_events", "Events sent to streams.", registry=_own)
STREAMS_ENDED: Final = Counter(
    "potluck_streams_ended",
    "Streams that ended, by what ended them.",
    ("reason",),
    registry=_own,
)

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def request(route: str, method: str, status: int) -> None:
    """Count a request. A method that is none of the usual ones counts as ``other``."""
    known = method if method in METHODS else "other"
    REQUESTS.labels(route, known, status).inc()


def exposition() -> bytes:
    """Give all that is counted as text: of all workers where they share a folder."""
    if FOLDER not in os.environ:
        return generate_latest(_own)
    gathered = CollectorRegistry()
    _library.MultiProcessCollector(gathered)
    return generate_latest(gathered)


def prepare(folder: Path) -> None:
    """Make the workers' folder anew: what an earlier run counted is over."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def bury(folder: Path, pid: int) -> None:
    """Take a dead worker's streams out of the gauges; what it counted stays counted."""
    _library.mark_process_dead(pid, str(folder))
