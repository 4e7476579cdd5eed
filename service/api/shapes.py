"""Requests and responses as types: what the contract is generated from.

Whatever belongs to one game stands in an object tagged by ``ruleset``, since the games' own names
(``cook``, ``drawn``) are theirs alone. ``shapes_of`` builds those for each game in the catalogue.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from types import GenericAlias
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta, Struct

from domain.catalogue import CATALOGUE
from domain.kernel.decision import Order, Outcome
from domain.kernel.event import KERNEL_EVENTS, Event
from domain.kernel.forms import Pick
from domain.kernel.ruleset import Ruleset
from service.sources import ALPHABET, ID_LENGTH

ID_PATTERN = f"^[{ALPHABET}]{{{ID_LENGTH}}}$"
CURSOR_PATTERN = "^[1-9][0-9]{0,6}\\.[0-9a-f]{8}$"

Id = Annotated[str, Meta(pattern=ID_PATTERN, examples=["5k2m9x8w7v6t4s3r"])]
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
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256, in hex.")]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="128 bits, in hex.")]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern="^[^\\x00-\\x20\\x7f-\\x9f]+( [^\\x00-\\x20\\x7f-\\x9f]+)*$",
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
    token: Annotated[str, Meta(pattern="^pt_[A-Za-z0-9_-]{43}$")]


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
    rules: tuple[Rule, ...]
    bundled_players: tuple[str, ...]
    releases: tuple[Rule, ...]


# Tables.


class SeatView(Struct, frozen=True):
    """A seat: held by a player (their id) or a bundled player (its name), or free.

    ``left`` says that the player left the running game for good.
    """

    seat: SeatNumber
    player: Id | None
    bundled: str | None
    left: bool


class DecisionView(Struct, frozen=True):
    """What the game asks now. ``id`` is to be named by the action that answers it.

    ``awaited`` are the seats that still have to answer, ``asked`` those that may answer now.
    """

    id: Version
    kind: str
    order: Order
    awaited: tuple[SeatNumber, ...]
    asked: tuple[SeatNumber, ...]


class You(Struct, frozen=True):
    """Who the caller is at this table."""

    seat: SeatNumber | None
    host: bool


Status = Literal["open", "running", "ended", "sealed"]


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
    asked: tuple[SeatNumber, ...]
    outcome: Outcome | None


class GameList(Struct, frozen=True):
    """A page of games, newest first. ``next`` is the cursor of the next page, null on the last."""

    games: tuple[GameSummary, ...]
    next: str | None


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
                pattern="^[0-9a-f]{32,64}$",
                description="16 to 32 random bytes in hex.",
                examples=["00112233445566778899aabbccddeeff"],
            ),
        ]
        | None
    ) = None


class SeatBundled(Struct, frozen=True, tag_field="type", tag="bundled", forbid_unknown_fields=True):
    """Seat a bundled player, as the host; see the ruleset's ``bundled_players``."""

    bundled: Annotated[str, Meta(min_length=1, max_length=40, examples=["random"])]
    seat: SeatNumber | None = None


Seating = Join | SeatBundled


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


@lru_cache(maxsize=512)
def _part(name: str, kind: Any) -> Any:
    """Build the type of a hidden part of some type, named after its field."""
    return msgspec.defstruct(
        f"{name.title().replace('_', '')}Part",
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
    """Build the type of an event as a viewer sees it: hidden parts may lack their value."""
    hints = get_type_hints(event, include_extras=True)
    fields = [
        (name, _part(name, hints[name]) if name in event.hidden else hints[name])
        for name in event.__struct_fields__
    ]
    return msgspec.defstruct(
        f"{event.__name__}Event",
        fields,
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
            ("parent", Annotated[int, Meta(ge=0, le=1_000_000)]),
            ("time", Milliseconds),
            ("actor", str),
            ("schema", int),
            ("count", int),
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
        " start, ``decision`` while nothing is asked.",
        _table_fields(ruleset),
    )
    least, most = ruleset.seats
    create = _tagged(
        ruleset,
        "NewGame",
        "A table to open. Options that are left out have the value of the basic game.",
        [
            ("seats", Annotated[int, Meta(ge=least, le=most, description="How many will play.")]),
            ("options", ruleset.options, msgspec.field(default_factory=ruleset.options)),
            ("public", bool, True),
        ],
    )
    claim = ruleset.claim or _NoClaim
    legal = many(union(ruleset.forms))
    cards = many(union(dict.fromkeys(map(type, ruleset.cards))))
    return Shapes(
        create=create,
        game=game,
        act=_tagged(
            ruleset,
            "Act",
            "An action, and the id of the decision that it answers.",
            [("decision", Version), ("action", ruleset.action_type)],
        ),
        actions=_tagged(
            ruleset,
            "LegalActions",
            "What the caller may do now: each entry is an action, or a form in which cards are"
            " to be chosen. Each action that fits is accepted, every other is refused.",
            [
                ("game", Id),
                ("version", Version),
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
            "The audit of bluffs as the caller may know it, oldest claim first.",
            [("game", Id), ("version", Version), ("claims", many(claim))],
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


class _NoClaim(Struct, frozen=True):
    """A claim; the game has none."""


def union_of(name: str) -> Any:
    """Give the union over all games of one of their shapes."""
    return union(getattr(shapes_of(ruleset), name) for ruleset in CATALOGUE.values())


def common_types() -> list[Any]:
    """List the types that are the same whatever is played."""
    return [
        NewPlayer,
        Player,
        PlayerWithToken,
        RulesetList,
        RulesetDetail,
        GameList,
        DecisionView,
        You,
        Outcome,
        Pick,
        Seating,
        *(seen_event(event) for event in KERNEL_EVENTS),
    ]
