"""What belongs to one game in requests and responses, as types built from its room.

It stands in objects tagged by ``ruleset``, since the games' own names (``cook``, ``drawn``) are
theirs alone. The contract is generated from these and from ``shapes``.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from domain.catalogue import CATALOGUE
from domain.kernel.clock import Clock, DecisionClock, GameClock
from domain.kernel.decision import Outcome
from domain.kernel.event import KERNEL_EVENTS, Event
from domain.kernel.forms import Pick
from domain.kernel.ruleset import Ruleset
from domain.kernel.rulings import AnyMotion, AnyRuling
from domain.kernel.state import Status
from service.api.shapes import (
    Ballot,
    DecisionView,
    Erased,
    FreeTextList,
    GameList,
    InvitationUse,
    InvitationView,
    LookList,
    MotionView,
    NewJudge,
    NewMotion,
    NewPlayer,
    NewRuling,
    PauseWish,
    PersonList,
    Player,
    PlayerWithToken,
    RulesetDetail,
    RulesetList,
    RulingList,
    Seating,
    SeatView,
    You,
)
from service.api.values import (
    Actor,
    Cursor,
    Hash,
    Id,
    Milliseconds,
    Salt,
    SeatNumber,
    Version,
    many,
)


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
        PersonList,
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
