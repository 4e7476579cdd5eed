"""What an operator may choose of streams."""

import os
from typing import Any

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """The choices; each is a variable POTLUCK_STREAM_<NAME>.

    Fields:
        heartbeat: seconds of silence after which a stream sends a comment.
        look_every: seconds between looks at each watched game, in case a wake-up was lost, and
            at the tokens that are watched with, in case one was replaced.
        slow_after: seconds for which a stream may take nothing before it is dropped.
        retry: milliseconds after which a client should come back.
        per_player: the most open streams and waiting requests of one player at one worker.
        per_address: the most of those who come without a token, from one address.
    """

    heartbeat: float = 15.0
    look_every: float = 5.0
    slow_after: float = 10.0
    retry: int = 2000
    per_player: int = 20
    per_address: int = 100

    @classmethod
    def of_environment(cls) -> "Settings":
        """Read them. Raises ValueError for what is no positive number."""
        given: dict[str, Any] = {}
        for name in cls.__struct_fields__:
            text = os.environ.get(f"POTLUCK_STREAM_{name.upper()}")
            if text is not None:
                whole = isinstance(getattr(cls(), name), int)
                given[name] = int(text) if whole else float(text)
                if not 0 < given[name] < 1e9:
                    raise ValueError(f"POTLUCK_STREAM_{name.upper()} is {text}")
        return cls(**given)
