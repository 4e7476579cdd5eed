"""Requests and responses that are the same whatever is played, as types."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.kernel.decision import Order, Outcome
from domain.kernel.rulings import AnyMotion, AnyRuling
from domain.kernel.state import Status
from service.api.values import (
    END,
    Id,
    Milliseconds,
    Name,
    PageCursor,
    Reason,
    Salt,
    SeatNumber,
    Secret,
    Version,
)


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """What a new player says of themselves."""

    name: Name


class Player(Struct, frozen=True):
    """A player. The name is kept outside the games' events and can be erased."""

    id: Id
    name: Name
    created: Milliseconds


class Person(Struct, frozen=True):
    """Somebody who has a part in a game, and what they call themselves."""

    id: Id
    name: Name


class PersonList(Struct, frozen=True):
    """Those who have a part in a game."""

    game: Id
    players: tuple[Person, ...]


class PlayerWithToken(Struct, frozen=True):
    """A new player with the bearer token, which is shown this once and stored as a hash."""

    id: Id
    name: Name
    created: Milliseconds
    token: Annotated[
        str,
        Meta(
            pattern=f"^pt_[A-Za-z0-9_-]{{43}}{END}",
            description="The bearer token: who has it is this player.",
        ),
    ]


class SeatRange(Struct, frozen=True):
    """How many may play."""

    least: int
    most: int


class RulesetSummary(Struct, frozen=True):
    """A game that is hosted here."""

    id: str
    version: int
    name: str
    summary: str
    seats: SeatRange


class RulesetList(Struct, frozen=True):
    """The games that are hosted here."""

    rulesets: tuple[RulesetSummary, ...]


class Rule(Struct, frozen=True):
    """A rule: the id that errors cite, and what it says in short."""

    id: str
    text: str


class Label(Struct, frozen=True):
    """A name of the contract and how people call it."""

    id: str
    label: str


class RulesetDetail(Struct, frozen=True):
    """A game with its rules, its options as a JSON Schema, and its bundled players.

    ``terms`` names what the game has beside its cards: tastes, say, by the kind of term. Among
    them ``events`` tells what each type of event says, with the event's fields in braces; an id
    such as ``called:truthful=true`` is the text where that field has that value.
    ``releases`` are the hidden facts that the rules themselves disclose.
    """

    id: str
    version: int
    name: str
    summary: str
    seats: SeatRange
    options_schema: dict[str, Any]
    options: tuple[Label, ...]
    actions: tuple[Label, ...]
    decisions: tuple[Label, ...]
    terms: dict[str, tuple[Label, ...]]
    rules: tuple[Rule, ...]
    bundled_players: tuple[str, ...]
    releases: tuple[Rule, ...]


class SeatView(Struct, frozen=True):
    """A seat: held by a player (their id) or a bundled player (its name), or free.

    ``left`` says that the player left the running game for good. ``time_left`` is what the seat
    had left of its time for the game when the open decision was asked, null without such a clock.
    """

    seat: SeatNumber
    player: Id | None
    bundled: str | None
    left: bool
    time_left: Annotated[int, Meta(ge=0, description="Milliseconds.")] | None


class DecisionView(Struct, frozen=True):
    """What the game asks now. ``id`` is to be named by the action that answers it.

    ``awaited`` are the seats that still have to answer, ``asked`` those that may answer now;
    ``since`` is when they were asked, and ``deadlines`` says for each of them in turn until when
    they may answer (null for ever); then the rules' default is applied.
    """

    id: Version
    kind: str
    order: Order
    awaited: tuple[SeatNumber, ...]
    asked: tuple[SeatNumber, ...]
    since: Milliseconds
    deadlines: tuple[Milliseconds | None, ...]


class You(Struct, frozen=True):
    """Who the caller is at this table."""

    seat: SeatNumber | None
    host: bool
    judge: bool


class MotionView(Struct, frozen=True):
    """A motion that is open: what a seat asks the others to agree to.

    ``id`` is its version; ``agreed`` are the seats that agree; ``until`` is when it lapses.
    """

    id: Version
    seat: SeatNumber
    motion: AnyMotion
    agreed: tuple[SeatNumber, ...]
    until: Milliseconds


class NewJudge(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to judge."""

    judge: Id


class NewRuling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling and its reason."""

    ruling: AnyRuling
    reason: Reason


class RulingView(Struct, frozen=True):
    """A ruling on record. ``text`` is the id of its reason among the game's texts."""

    version: Version
    time: Milliseconds
    judge: Id
    ruling: AnyRuling
    text: Id | None


class RulingList(Struct, frozen=True):
    """The rulings of a game, oldest first."""

    game: Id
    rulings: tuple[RulingView, ...]


class NewMotion(Struct, frozen=True, forbid_unknown_fields=True):
    """A motion, and why it is made."""

    motion: AnyMotion
    reason: Reason | None = None


class Ballot(Struct, frozen=True, forbid_unknown_fields=True):
    """A vote: to agree, or to decline, which ends the motion."""

    agree: bool


class InvitationView(Struct, frozen=True):
    """A new invitation. Whoever has the secret can use it, once.

    ``link`` has the secret in its fragment, which no browser sends to any server.
    """

    game: Id
    id: Version
    secret: Secret
    link: str


class InvitationUse(Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation that somebody was given: the game and the secret."""

    game: Id
    secret: Secret


class LookView(Struct, frozen=True):
    """A judge looked at the game: ``what`` is the operation, ``version`` the game's then."""

    judge: Id
    time: Milliseconds
    what: str
    version: Version


class LookList(Struct, frozen=True):
    """Every look of a judge at this game while it was not sealed, oldest first."""

    game: Id
    looks: tuple[LookView, ...]


class GameSummary(Struct, frozen=True):
    """A game in a list."""

    id: Id
    ruleset: str
    version: Version
    status: Status
    public: bool
    created: Milliseconds
    time: Milliseconds
    host: Id
    seats: tuple[SeatView, ...]
    decision: DecisionView | None
    outcome: Outcome | None


class GameList(Struct, frozen=True):
    """A page of games, newest first. ``next`` is the cursor of the next page, null on the last.

    ``count`` is how many there are on all pages, null where that is not counted.
    """

    games: tuple[GameSummary, ...]
    next: PageCursor | None
    count: Annotated[int, Meta(ge=0)] | None


class Join(Struct, frozen=True, tag_field="type", tag="join", forbid_unknown_fields=True):
    """Take a seat: the one named, or the first that is free.

    ``nonce`` is mixed into all chance of the game: with one of your own, nobody can have chosen
    the deck.
    """

    seat: SeatNumber | None = None
    nonce: (
        Annotated[
            str,
            Meta(
                pattern=f"^[0-9a-f]{{32,64}}{END}",
                description="16 to 32 random bytes in hex.",
                examples=["00112233445566778899aabbccddeeff"],
            ),
        ]
        | None
    ) = None


class SeatBundled(Struct, frozen=True, tag_field="type", tag="bundled", forbid_unknown_fields=True):
    """Seat a bundled player, as the host; see the ruleset's ``bundled_players``."""

    bundled: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40,
            description="The name of a bundled player.",
            examples=["random"],
        ),
    ]
    seat: SeatNumber | None = None


Seating = Join | SeatBundled


class PauseWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat wants: that the game pauses, or that it goes on."""

    pause: bool


class FreeText(Struct, frozen=True):
    """Words, and the salt under which the event's digest of them was taken."""

    id: Id
    words: Annotated[str, Meta(max_length=400)]
    salt: Salt


class FreeTextList(Struct, frozen=True):
    """The words of a game that have not been erased."""

    game: Id
    texts: tuple[FreeText, ...]


class Erased(Struct, frozen=True):
    """That words are erased: the game still verifies without them."""

    game: Id
    text: Id
