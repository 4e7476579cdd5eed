"""Commands: what somebody wants to happen at a table."""

import msgspec

from domain.kernel.clock import Clock
from domain.kernel.event import TextRef
from domain.kernel.rulings import AnyMotion, AnyRuling


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wants to happen."""


class Create(Command, frozen=True, kw_only=True):
    """Open a table. ``seed`` is 32 random bytes in hex; ``options`` is the ruleset's struct."""

    game: str
    ruleset_version: int
    options: msgspec.Struct
    seats: int
    host: str
    public: bool
    seed: str
    clock: Clock | None = None
    expires: int | None = None
    rematch_of: str | None = None
    invited: tuple[str, ...] = ()


class Join(Command, frozen=True, kw_only=True):
    """Take a seat: the one named, or the first that is free."""

    player: str
    seat: int | None = None
    nonce: str | None = None


class SeatBundled(Command, frozen=True, kw_only=True):
    """Seat a bundled player: on the seat named, or the first that is free."""

    player: str
    bundled: str
    seat: int | None = None


class Vacate(Command, frozen=True, kw_only=True):
    """Leave a seat, or as host free it before the start; after the start leaving is final."""

    player: str
    seat: int


class Start(Command, frozen=True, kw_only=True):
    """Start the game."""

    player: str


class Act(Command, frozen=True, kw_only=True):
    """Answer the decision with the given id on behalf of a seat.

    ``text`` stands for the action's free text, whose words are kept beside the log.
    """

    seat: int
    decision: int
    action: msgspec.Struct
    text: TextRef | None = None


class Default(Command, frozen=True, kw_only=True):
    """Answer the decision with the given id by default, for a seat that lets its time run out."""

    seat: int
    decision: int


class Pause(Command, frozen=True, kw_only=True):
    """Vote, as a seat, to pause the clocks or (``pause`` false) to go on."""

    seat: int
    pause: bool


class Expire(Command, frozen=True, kw_only=True):
    """Close a table that nobody has touched for as long as it was made for."""


class Invite(Command, frozen=True, kw_only=True):
    """Make an invitation, as the host; ``digest`` is the SHA-256 of its secret, in hex."""

    player: str
    digest: str


class UseInvitation(Command, frozen=True, kw_only=True):
    """Use an invitation, given the SHA-256 of its secret, in hex."""

    player: str
    digest: str


class NameJudge(Command, frozen=True, kw_only=True):
    """Name a judge, as the host, before the start."""

    player: str
    judge: str


class Rule(Command, frozen=True, kw_only=True):
    """Rule, as a judge. ``text`` stands for the reason, which is kept beside the log."""

    judge: str
    ruling: AnyRuling
    text: TextRef | None = None


class MakeMotion(Command, frozen=True, kw_only=True):
    """Ask the other seats to agree to something. ``text`` stands for the reason."""

    seat: int
    motion: AnyMotion
    text: TextRef | None = None


class Vote(Command, frozen=True, kw_only=True):
    """Agree to a motion or decline it, as a seat or as a judge."""

    motion: int
    agree: bool
    seat: int | None = None
    judge: str | None = None


class Seal(Command, frozen=True, kw_only=True):
    """Seal a game that ended long enough ago."""


# These need the events so far to be decided.
NEED_HISTORY = (Rule, MakeMotion, Vote)
