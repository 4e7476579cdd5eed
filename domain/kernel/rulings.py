"""What judges can rule, and what seats can move: the facts, which events carry."""

from typing import Annotated

import msgspec

from domain.kernel.naming import snake_case

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=9)]
Person = Annotated[str, msgspec.Meta(min_length=1, max_length=40, description="A player's id.")]
BundledName = Annotated[
    str, msgspec.Meta(min_length=1, max_length=40, description="The name of a bundled player.")
]


class Ruling(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What a judge rules. Every ruling has a reason, which is kept beside the log."""


class Rewind(Ruling, frozen=True):
    """Take the game back to an earlier version, undone lines included.

    ``reshuffle`` says whether the cards that nobody has seen are shuffled anew; null leaves that
    to the rule: they are, if the undone line showed hidden cards to anyone.
    """

    to: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    reshuffle: bool | None = None


class Adjust(Ruling, frozen=True):
    """Add points to a seat's score, or take some off. It acts on the game, and goes with it."""

    seat: SeatNumber
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class RestoreClock(Ruling, frozen=True):
    """Set what a seat has left of its time for the game, in ms."""

    seat: SeatNumber
    milliseconds: Annotated[int, msgspec.Meta(ge=0, le=1_209_600_000)]


class Forfeit(Ruling, frozen=True):
    """Let a seat lose: it is played on as if it had been left. It goes with the game."""

    seat: SeatNumber


class Halt(Ruling, frozen=True):
    """Pause the game, or let it go on."""

    pause: bool


class ReplaceSeat(Ruling, frozen=True):
    """Hand a seat to a bundled player, or to a person who has never sat here nor judges."""

    seat: SeatNumber
    bundled: BundledName | None = None
    player: Person | None = None


class Note(Ruling, frozen=True):
    """Put something on record."""


RULINGS = (Rewind, Adjust, RestoreClock, Forfeit, Halt, ReplaceSeat, Note)
AnyRuling = Rewind | Adjust | RestoreClock | Forfeit | Halt | ReplaceSeat | Note


class Motion(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What a seat asks the others to agree to. It is carried when all who are asked agree."""


class Undo(Motion, frozen=True):
    """Take the game back to an earlier version. The opponents are asked."""

    to: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class HandOver(Motion, frozen=True):
    """Hand a seat to a bundled player, or to a person who has never sat here nor judges.

    Everybody is asked, the seat's own holder too unless absent long enough to be passed over.
    """

    seat: SeatNumber
    bundled: BundledName | None = None
    player: Person | None = None


class CallJudge(Motion, frozen=True):
    """Make somebody who has never sat here a judge of the running game."""

    judge: Person


class SealNow(Motion, frozen=True):
    """Seal the ended game at once. The judges are asked as well."""


MOTIONS = (Undo, HandOver, CallJudge, SealNow)
AnyMotion = Undo | HandOver | CallJudge | SealNow
