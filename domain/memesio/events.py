"""What can happen in a game of Memesio's Café.

Which seats an event asks stands in the event (``awaits``), so that folding needs no rules. All
screams are in half-screams (ME-4).
"""

from typing import ClassVar

from msgspec import Struct

from domain.kernel.event import Audience, Event, Hidden, TextRef
from domain.memesio.actions import Keeps
from domain.memesio.cards import CardName, Cards
from domain.memesio.cheers import Sound
from domain.memesio.sources import InventionSource, Source


class Shuffled(Event, frozen=True):
    """The deck was shuffled (ME-1). The first card of ``order`` is the top."""

    hidden: ClassVar[Hidden] = {"order": Audience.NOBODY}

    chance: int
    order: Cards


class Dealt(Event, frozen=True):
    """A seat was dealt its first cards (ME-1)."""

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    count: int
    cards: Cards


class PantryOpened(Event, frozen=True):
    """Cards from the top of the deck went to the pantry, one after the other (ME-1)."""

    telling: ClassVar[bool | None] = True  # the top of the deck

    cards: Cards


class FirstPlayerDrawn(Event, frozen=True):
    """Chance chose who begins (ME-1)."""

    chance: int
    seat: int


class TurnBegan(Event, frozen=True):
    """A turn began and its seat drew a card, if the deck had one (ME-2).

    ``awaits`` is empty where the seat has no card to play, or has left.
    """

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    count: int
    cards: Cards
    awaits: tuple[int, ...]


class Share(Struct, frozen=True):
    """What the author of a used dessert gets of another's success (ME-4)."""

    seat: int
    screams: int


class Cooked(Event, frozen=True):
    """A seat cooked a recipe (ME-3).

    ``dessert`` is the new dessert's number, ``screams`` what the cook got; ``marked`` says that
    a Turtle Packet went into it (ME-10).
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    sources: tuple[Source, ...]
    dessert: int
    marked: bool
    screams: int
    shares: tuple[Share, ...]


class Stocked(Event, frozen=True):
    """A seat put a card on top of its pantry stack (ME-5).

    ``chance`` is the number of the draw where chance chose the card (ME-16), else null.
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    screams: int
    chance: int | None


class MemesioAsked(Event, frozen=True):
    """A seat played Memesio and took a card from the pantry into hand (ME-7)."""

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    takes: CardName
    awaits: tuple[int, ...]


class NyamonasAsked(Event, frozen=True):
    """A seat played Meowt Nyamonas: a dessert went to the pantry for a card from there (ME-8).

    ``made`` is the number of the dessert that stands there now.
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    dessert: int
    takes: CardName
    made: int
    awaits: tuple[int, ...]


class MaitiAsked(Event, frozen=True):
    """A seat played Maiti and broke a dessert (ME-9).

    ``made`` is the number of the dessert that one card of it became, null where none did.
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    dessert: int
    keeps: Keeps
    made: int | None
    awaits: tuple[int, ...]


class Invented(Event, frozen=True):
    """A seat played the Ladle and put an invention on the table (ME-11); the coin is next.

    ``text`` stands for its name.
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    card: CardName
    sources: tuple[InventionSource, ...]
    dessert: int
    text: TextRef | None


class CoinTossed(Event, frozen=True):
    """The coin judged an invention: heads, and it brings ``screams``; tails, it is spoiled."""

    chance: int
    seat: int
    dessert: int
    heads: bool
    screams: int
    awaits: tuple[int, ...]


class Cheered(Event, frozen=True):
    """The table owed a seat ``sounds`` for its success, in their order (ME-12)."""

    seat: int
    sounds: tuple[Sound, ...]


EVENTS = (
    Shuffled,
    Dealt,
    PantryOpened,
    FirstPlayerDrawn,
    TurnBegan,
    Cooked,
    Stocked,
    MemesioAsked,
    NyamonasAsked,
    MaitiAsked,
    Invented,
    CoinTossed,
    Cheered,
)
