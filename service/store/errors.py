"""What can go wrong with the store, in words a caller can act on.

Nothing of the driver's own errors leaves the store: whatever redis-py or a socket raises is turned
into one of the errors below by `translate`.
"""

from typing import Final, Literal

from redis import exceptions as driver

__all__ = [
    "Reason",
    "StoreCorrupt",
    "StoreError",
    "StoreMismatch",
    "StoreUnavailable",
    "is_missing_function",
    "translate",
]

Reason = Literal[
    "busy",
    "cluster",
    "denied",
    "disk",
    "down",
    "error",
    "full",
    "loading",
    "no-function",
    "read-only",
    "replicas",
    "timeout",
]
"""Why the store cannot serve at the moment; short and fixed, fit for a metric's label."""

_RETRY_AFTER: Final[dict[Reason, float]] = {
    "busy": 1.0,
    "cluster": 1.0,
    "denied": 30.0,
    "disk": 10.0,
    "down": 1.0,
    "error": 5.0,
    "full": 30.0,
    "loading": 1.0,
    "no-function": 1.0,
    "read-only": 2.0,
    "replicas": 2.0,
    "timeout": 1.0,
}

# The server starts each error reply with a code word, which is part of its protocol (the text
# behind it is not, and is never looked at).
_BY_CODE: Final[dict[str, Reason]] = {
    "ASK": "cluster",
    "BUSY": "busy",
    "CLUSTERDOWN": "cluster",
    "CROSSSLOT": "cluster",
    "LOADING": "loading",
    "MASTERDOWN": "read-only",
    "MISCONF": "disk",
    "MOVED": "cluster",
    "NOAUTH": "denied",
    "NOPERM": "denied",
    "NOREPLICAS": "replicas",
    "OOM": "full",
    "READONLY": "read-only",
    "TRYAGAIN": "cluster",
    "UNBLOCKED": "read-only",
    "UNKILLABLE": "busy",
    "WRONGPASS": "denied",
}

# redis-py cuts the code word off the errors it has a class for. Order matters: a class stands
# before its bases.
_BY_CLASS: Final[tuple[tuple[type[BaseException], Reason], ...]] = (
    (driver.OutOfMemoryError, "full"),
    (driver.ReadOnlyError, "read-only"),
    (driver.BusyLoadingError, "loading"),
    (driver.AuthenticationError, "denied"),
    (driver.AuthorizationError, "denied"),
    (driver.NoPermissionError, "denied"),
    (driver.MasterDownError, "read-only"),
    (driver.ClusterError, "cluster"),
    (driver.AskError, "cluster"),
    (driver.TryAgainError, "cluster"),
    (driver.ClusterCrossSlotError, "cluster"),
    (driver.RedisClusterException, "cluster"),
    (driver.MaxConnectionsError, "busy"),
    (driver.TimeoutError, "timeout"),
    (TimeoutError, "timeout"),
    (driver.ConnectionError, "down"),
    (OSError, "down"),
)


class StoreError(Exception):
    """The base of every error the store raises on its own account."""


class StoreUnavailable(StoreError):
    """The store cannot serve this call now; the same call may succeed later.

    After an append it says nothing about whether the events were stored: repeat the very same
    `Append`, which answers `Appended` or `Repeated` if they were.

    Fields:
        reason: why, as one short word (see `Reason`).
        retry_after: seconds after which trying again makes sense.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.retry_after: float = _RETRY_AFTER[reason]


class StoreCorrupt(StoreError):
    """What is stored for a game contradicts itself; nothing was written.

    It does not heal by itself: somebody deleted or added keys or entries by hand, or data was lost.

    Fields:
        game: the game's id.
        found: what was found, in words.
    """

    def __init__(self, game: str, found: str) -> None:
        super().__init__(f"game {game}: {found}")
        self.game = game
        self.found = found


class StoreMismatch(StoreError):
    """The server holds a store of another make: other partitions, another format, or no store."""


def translate(error: BaseException) -> StoreUnavailable:
    """Turn an error of the driver or of a socket into the store's own."""
    cause = error.__cause__
    if type(error) is driver.ConnectionError and isinstance(cause, driver.RedisError | OSError):
        # What went wrong while connecting comes wrapped up.
        return translate(cause)
    code = _code(error)
    if code in _BY_CODE:
        return StoreUnavailable(_BY_CODE[code], str(error))
    for kind, reason in _BY_CLASS:
        if isinstance(error, kind):
            return StoreUnavailable(reason, str(error))
    return StoreUnavailable("error", f"{type(error).__name__}: {error}")


def is_wrong_type(error: object) -> bool:
    """Whether the server found a key of another type than the command works on."""
    return isinstance(error, driver.ResponseError) and _code(error) == "WRONGTYPE"


def is_missing_function(error: object) -> bool:
    """Whether the server does not have the function that was called.

    The server gives this error no code word of its own ("ERR"), so here its text must be looked at.
    It is the same in Redis since 7.0 and in Valkey, and the tests flush the functions of both.
    """
    return isinstance(error, driver.ResponseError) and "function not found" in str(error).lower()


def _code(error: BaseException) -> str:
    known = getattr(error, "status_code", None)
    if isinstance(known, str):
        return known
    return str(error).split(" ", 1)[0]
