"""The sounds of relish that the table owes for a success (ME-12)."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.memesio.cards import HALF_SCREAMS

SoundName = Literal["nightjar", "stag", "smack", "purr", "gurgle", "howl", "slurp", "sigh"]

SOUNDS: tuple[SoundName, ...] = (
    "nightjar",
    "stag",
    "smack",
    "purr",
    "gurgle",
    "howl",
    "slurp",
    "sigh",
)


class Sound(Struct, frozen=True):
    """One sound, and the seat that owes it."""

    seat: int
    sound: SoundName


def cheers(screams: int, seats: Sequence[int], dessert: int) -> tuple[Sound, ...]:
    """List the sounds that seats owe by turns for half-screams, rounded down to whole screams.

    Which sound is whose turn goes round with the dessert's number.
    """
    return tuple(
        Sound(seats[index % len(seats)], SOUNDS[(dessert + index) % len(SOUNDS)])
        for index in range(screams // HALF_SCREAMS)
    )
