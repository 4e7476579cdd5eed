"""The values that requests and responses are made of: ids, cursors, times, hashes, names."""

from types import GenericAlias
from typing import Annotated, Any

from msgspec import Meta

from service.sources import ALPHABET, ID_LENGTH

# Python's ``$`` also matches before a line break at the end; the contract shows a plain ``$``.
END = "$(?!\\n)"

ID_PATTERN = f"^[{ALPHABET}]{{{ID_LENGTH}}}{END}"

CURSOR_PATTERN = f"^[1-9][0-9]{{0,6}}\\.[0-9a-f]{{8}}{END}"

Id = Annotated[
    str,
    Meta(
        pattern=ID_PATTERN,
        description="An id: 16 digits and lower-case letters, without i, l, o and u.",
        examples=["5k2m9x8w7v6t4s3r"],
    ),
]

Cursor = Annotated[
    str,
    Meta(
        pattern=CURSOR_PATTERN,
        description="A place in a game's log: a version and eight digits of the chain's hash.",
        examples=["17.9f86d081"],
    ),
]

SeatNumber = Annotated[int, Meta(ge=0, le=4, description="A seat, counted from 0.")]

Version = Annotated[
    int, Meta(ge=1, le=1_000_000, description="A version of the game: how many events led to it.")
]

Milliseconds = Annotated[int, Meta(ge=0, description="Milliseconds since 1970, UTC.")]

Hash = Annotated[str, Meta(pattern=f"^[0-9a-f]{{64}}{END}", description="SHA-256, in hex.")]

Salt = Annotated[str, Meta(pattern=f"^[0-9a-f]{{32}}{END}", description="128 bits, in hex.")]

Actor = Annotated[
    str,
    Meta(
        pattern=f"^(player:[{ALPHABET}]{{{ID_LENGTH}}}|judge:[{ALPHABET}]{{{ID_LENGTH}}}"
        f"|seat:[0-4]|service){END}",
        description="Who did it: a player at the table, a judge, a seat in the game, or the"
        " service itself.",
        examples=["seat:1"],
    ),
]

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=f"^[^\\x00-\\x20\\x7f-\\x9f]+( [^\\x00-\\x20\\x7f-\\x9f]+)*{END}",
        description="Words without control characters, single spaces between them.",
        examples=["Ada"],
    ),
]

Reason = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=400,
        pattern=f"^[^\\x00-\\x1f\\x7f-\\x9f]+{END}",
        description="Why, in words. They are kept beside the log and can be erased.",
        examples=["The window closed before Ben could answer."],
    ),
]

Secret = Annotated[
    str, Meta(pattern=f"^[0-9a-f]{{32}}{END}", description="The invitation's secret, in hex.")
]

PageCursor = Annotated[
    str,
    Meta(
        pattern=f"^[{ALPHABET}]{{{10 + ID_LENGTH}}}{END}",
        description="A place in a list of games: the ``next`` of the page before.",
        examples=["01h8g9yk2r5k2m9x8w7v6t4s3r"],
    ),
]


def many(kind: Any) -> Any:
    """Give the type of a tuple of any number of such things."""
    return GenericAlias(tuple, (kind, ...))
