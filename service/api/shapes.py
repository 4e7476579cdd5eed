"""Requests and responses as types: what the contract is generated from.

Whatever belongs to one game stands in an object tagged by ``ruleset``, since the games' own names
(``cook``, ``drawn``) are theirs alone. ``shapes_of`` builds those for each game in the catalogue.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from domain.catalogue import CATALOGUE
from domain.kernel.clock import Clock, DecisionClock, GameClock
from domain.kernel.decision import Order, Outcome
from domain.kernel.event import KERNEL_EVENTS, Event
from domain.kernel.forms import Pick
from domain.kernel.ruleset import Ruleset
from domain.kernel.rulings import AnyMotion, AnyRuling
from domain.kernel.state import Status
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


# Players.


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """What a new player says of themselves."""

    name: Name


class Player(Struct, frozen=True):
    """A player. The name is kept outside the games' events and can be erased."""

    id: Id
    name: Name
    created: Milliseconds


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


# Rulesets.


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

    ``terms`` names what the game has beside its cards: tastes, say, by the kind of term.
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


# Tables.


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


Secret = Annotated[
    str, Meta(pattern=f"^[0-9a-f]{{32}}{END}", description="The invitation's secret, in hex.")
]


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


PageCursor = Annotated[
    str,
    Meta(
        pattern=f"^[{ALPHABET}]{{{10 + ID_LENGTH}}}{END}",
        description="A place in a list of games: the ``next`` of the page before.",
        examples=["01h8g9yk2r5k2m9x8w7v6t4s3r"],
    ),
]


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


@dataclass(frozen=True)
class Shapes:
    """The types of one game's part of the contract."""

    create: Any
    game: Any
    act: Any
    actions: Any
    events: Any
    result: Any
    claims: Any
    cards: Any


def camel(ruleset: Ruleset[Any]) -> str:
    """Give a ruleset's id as the first part of the names of its types."""
    return "".join(word.capitalize() for word in ruleset.id.split("-"))


def union(types: Iterable[Any]) -> Any:
    """Give the union of types that are known at run time only."""
    return reduce(or_, types)


def many(kind: Any) -> Any:
    """Give the type of a tuple of any number of such things."""
    return GenericAlias(tuple, (kind, ...))


def _part(event: type[Event], name: str, kind: Any) -> Any:
    """Build the type of an event's hidden part, named after the event and the field."""
    return msgspec.defstruct(
        f"{event.__name__}{name.title().replace('_', '')}Part",
        [
            ("digest", Hash),
            ("salt", Salt | msgspec.UnsetType, msgspec.UNSET),
            ("value", kind | msgspec.UnsetType, msgspec.UNSET),
        ],
        namespace={
            "__doc__": "A hidden part of an event. `digest` is what the chain holds of it; whoever"
            " may see it finds its `value`, and the `salt` under which the digest was taken."
        },
    )


@lru_cache(maxsize=512)
def seen_event(event: type[Event]) -> Any:
    """Build the type of an event as a viewer sees it.

    Hidden parts may lack their value, and a field that has its default is left out.
    """
    hints = get_type_hints(event, include_extras=True)
    fields: list[Any] = []
    for field in msgspec.structs.fields(event):
        hint = hints[field.name]
        kind = _part(event, field.name, hint) if field.name in event.hidden else hint
        if field.required:
            fields.append((field.name, kind))
        else:
            fields.append((field.name, kind | msgspec.UnsetType, msgspec.UNSET))
    return msgspec.defstruct(
        f"{event.__name__}Event",
        fields,
        kw_only=True,
        tag_field="type",
        tag=event.__struct_config__.tag,
        namespace={"__doc__": event.__doc__},
    )


def _tagged(ruleset: Ruleset[Any], name: str, doc: str, fields: list[Any]) -> Any:
    return msgspec.defstruct(
        name,
        fields,
        tag_field="ruleset",
        tag=ruleset.id,
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
        namespace={"__doc__": doc},
    )


def _table_fields(ruleset: Ruleset[Any]) -> list[Any]:
    return [
        ("id", Id),
        ("ruleset_version", int),
        ("options", ruleset.options),
        ("version", Version),
        ("cursor", Cursor),
        ("time", Milliseconds),
        ("status", Status),
        ("public", bool),
        ("host", Id),
        ("commitment", Hash),
        ("seed", Hash | None),
        ("clock", Clock | None),
        ("paused", bool),
        ("pause_votes", tuple[SeatNumber, ...]),
        ("expires", Milliseconds | None),
        ("judges", tuple[Id, ...]),
        ("rematch_of", Id | None),
        ("motions", tuple[MotionView, ...]),
        ("seals", Milliseconds | None),
        ("seats", tuple[SeatView, ...]),
        ("you", You),
        ("decision", DecisionView | None),
        ("board", ruleset.view | None),
        ("outcome", Outcome | None),
    ]


@lru_cache(maxsize=64)
def shapes_of(ruleset: Ruleset[Any]) -> Shapes:
    """Build the types of a game's part of the contract."""
    seen = union(seen_event(event) for event in ruleset.all_events)
    record = msgspec.defstruct(
        "Record",
        [
            ("version", Version),
            (
                "parent",
                Annotated[
                    int,
                    Meta(
                        ge=0,
                        le=1_000_000,
                        description="The version that this one goes on from, 0 for the first: the"
                        " one before, but after a rewind the one that it went back to.",
                    ),
                ],
            ),
            ("time", Milliseconds),
            ("actor", Actor),
            ("schema", Annotated[int, Meta(ge=1, description="The version of the event's type.")]),
            ("count", Annotated[int, Meta(ge=0)]),
            ("event", seen),
            ("chain", Hash),
        ],
        namespace={
            "__doc__": "An event in its envelope, as the caller sees it. ``count`` is the number"
            " of events of the command on its first event, 0 on the others."
        },
    )
    game = _tagged(
        ruleset,
        "Game",
        "A table as the caller sees it. ``commitment`` binds the chance of the game from the"
        " beginning; ``seed`` is shown once the game is sealed. ``board`` is null before the"
        " start, ``decision`` while nothing is asked. ``expires`` is when the table will be closed"
        " if nobody touches it, ``seals`` when an ended game will be sealed; ``pause_votes`` are"
        " the seats that want to pause, or while ``paused`` to go on.",
        _table_fields(ruleset),
    )
    least, most = ruleset.seats
    create = _tagged(
        ruleset,
        "NewGame",
        "A table to open. Options that are left out have the value of the basic game.",
        [
            ("seats", Annotated[int, Meta(ge=least, le=most, description="How many will play.")]),
            (
                "options",
                Annotated[ruleset.options, Meta(description="The options of the game.")],
                msgspec.field(default_factory=ruleset.options),
            ),
            (
                "public",
                Annotated[
                    bool,
                    Meta(description="Whether the table is listed, and anybody may watch."),
                ],
                True,
            ),
            (
                "clock",
                Annotated[
                    Clock | None,
                    Meta(description="How long seats may think; as long as they like if null."),
                ],
                None,
            ),
        ],
    )
    claims = many(ruleset.claim) if ruleset.claim else _NO_CLAIMS
    tallies = many(ruleset.tally) | None if ruleset.tally else None
    legal = many(union(ruleset.forms))
    cards = many(union(dict.fromkeys(map(type, ruleset.cards))))
    return Shapes(
        create=create,
        game=game,
        act=_tagged(
            ruleset,
            "Act",
            "An action, and the id of the decision that it answers.",
            [
                (
                    "decision",
                    Annotated[
                        int,
                        Meta(
                            ge=1,
                            le=1_000_000,
                            description="The id of the decision that the action answers.",
                        ),
                    ],
                ),
                ("action", Annotated[ruleset.action_type, Meta(description="What to do.")]),
            ],
        ),
        actions=_tagged(
            ruleset,
            "LegalActions",
            "What the caller may do now: each entry is an action, or a form in which cards are"
            " to be chosen. Each action that fits is accepted, every other is refused.",
            [
                ("game", Id),
                ("version", Version),
                ("you", You),
                ("decision", DecisionView | None),
                ("legal", legal),
            ],
        ),
        events=_tagged(
            ruleset,
            "EventPage",
            "A page of a game's events. ``next`` is the cursor after its last event, null before"
            " the first one; ``more`` says whether there were more when it was made.",
            [
                ("game", Id),
                ("events", many(record)),
                ("next", Cursor | None),
                ("more", bool),
            ],
        ),
        result=_tagged(
            ruleset,
            "CommandResult",
            "What a command did: its events and the game right after it, as the caller sees them.",
            [("events", many(record)), ("game", game)],
        ),
        claims=_tagged(
            ruleset,
            "ClaimList",
            "The audit of bluffs as the caller may know it, oldest claim first. ``tallies`` counts"
            " them by seat once the game is sealed, over all claims that stand.",
            [
                ("game", Id),
                ("version", Version),
                ("claims", claims),
                ("tallies", tallies),
            ],
        ),
        cards=_tagged(
            ruleset,
            "CardList",
            "The cards of a game, and what they are called in the language that was asked for.",
            [
                ("cards", cards),
                ("names", dict[str, str]),
            ],
        ),
    )


_NO_CLAIMS = Annotated[
    tuple[str, ...], Meta(max_length=0, description="Nothing is claimed in this game.")
]


def named_types(ruleset: Ruleset[Any]) -> Mapping[str, Any]:
    """Name a game's unions and enumerations, so that the contract can: as its room does."""
    kinds = (ruleset.options, ruleset.view, ruleset.claim, *ruleset.actions, *ruleset.forms)
    modules = {kind.__module__ for kind in (*kinds, *ruleset.events) if kind is not None}
    modules |= {type(card).__module__ for card in ruleset.cards}
    found = {
        name: value
        for module in sorted(modules)
        for name, value in sorted(vars(sys.modules[module]).items())
        if not name.startswith("_") and _nameable(value)
    }
    return {
        **found,
        "Action": ruleset.action_type,
        "Form": union(ruleset.forms),
        "Event": union(seen_event(event) for event in ruleset.all_events),
    }


def _nameable(value: Any) -> bool:
    """Say whether a type is an enumeration or a union of structs."""
    if get_origin(value) is Literal:
        return True
    return get_origin(value) in (Union, UnionType) and all(
        isinstance(arm, type) and issubclass(arm, Struct) for arm in get_args(value)
    )


def union_of(name: str) -> Any:
    """Give the union over all games of one of their shapes."""
    return union(getattr(shapes_of(ruleset), name) for ruleset in CATALOGUE.values())


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


COMMON_UNIONS: Mapping[str, Any] = {
    "Clock": Clock,
    "GameStatus": Status,
    "Motion": AnyMotion,
    "Ruling": AnyRuling,
    "Seating": Seating,
}


def common_types() -> list[Any]:
    """List the types that are the same whatever is played."""
    return [
        NewPlayer,
        Player,
        PlayerWithToken,
        RulesetList,
        RulesetDetail,
        GameList,
        FreeTextList,
        Erased,
        PauseWish,
        NewJudge,
        NewRuling,
        RulingList,
        NewMotion,
        Ballot,
        LookList,
        InvitationView,
        InvitationUse,
        MotionView,
        DecisionClock,
        GameClock,
        DecisionView,
        You,
        Outcome,
        Pick,
        Seating,
        *(seen_event(event) for event in KERNEL_EVENTS),
    ]
