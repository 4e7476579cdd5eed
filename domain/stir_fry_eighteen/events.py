"""What can happen in a game of Stir Fry Eighteen.

Which seats an event asks stands in the event (``awaits``), so that folding needs no rules.
"""

from enum import StrEnum
from typing import ClassVar

from domain.kernel.event import Audience, Event, Hidden
from domain.stir_fry_eighteen.cards import CardName, Cards, Declared


class DrawReason(StrEnum):
    """Why cards are drawn after the set-up."""

    CLAIM = "claim"  # SF-3, SF-4: a claim stood
    REWARD = "reward"  # SF-8: a bluff was caught
    MEAL = "meal"  # SF-12: the option draw_after_cooking


class CardReplaced(Event, frozen=True):
    """Tofu took the place of a random card, secretly (SF-16)."""

    hidden: ClassVar[Hidden] = {"card": Audience.NOBODY}

    chance: int
    card: CardName


class Shuffled(Event, frozen=True):
    """All cards that were played or discarded went back and the deck was shuffled (SF-1, SF-12).

    The first card of ``order`` is the top.
    """

    hidden: ClassVar[Hidden] = {"order": Audience.NOBODY}

    chance: int
    order: Cards


class Reshuffled(Event, frozen=True):
    """The deck alone was shuffled anew, after a rewind that had shown hidden cards."""

    hidden: ClassVar[Hidden] = {"order": Audience.NOBODY}

    chance: int
    order: Cards


class Dealt(Event, frozen=True):
    """A seat was dealt its first cards (SF-1)."""

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    count: int
    cards: Cards


class FirstPlayerDrawn(Event, frozen=True):
    """Chance chose who begins (SF-1)."""

    chance: int
    seat: int


class TurnBegan(Event, frozen=True):
    """A turn began: the seat drew what it was owed and the turn's card (SF-2, SF-8, SF-13)."""

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    asked: int
    count: int
    cards: Cards
    awaits: tuple[int, ...]


class Claimed(Event, frozen=True):
    """A seat discarded cards face down under a claim (SF-3, SF-4).

    ``declared`` is ``pair`` or a protein; ``awaits`` are the seats that may demand a taste test
    (SF-6, SF-9).
    """

    hidden: ClassVar[Hidden] = {"laid": Audience.SEAT}
    telling: ClassVar[bool | None] = False  # the seat knew these cards

    seat: int
    declared: Declared
    count: int
    laid: Cards
    awaits: tuple[int, ...]


class Passed(Event, frozen=True):
    """A seat let a claim stand (SF-6)."""

    seat: int


class Called(Event, frozen=True):
    """A seat demanded a taste test: the laid cards are revealed (SF-6 to SF-8).

    After a true claim ``seat``, the accuser, loses the whole hand (``lost``) or ``penalty``
    points; after a bluff the accuser draws at once or is ``owed`` a card.
    """

    hidden: ClassVar[Hidden] = {"lost": Audience.SEAT}

    seat: int
    claimant: int
    truthful: bool
    laid: Cards
    lost_count: int
    lost: Cards
    penalty: int
    owed: int
    awaits: tuple[int, ...]


class Drawn(Event, frozen=True):
    """A seat drew cards: ``count`` of the ``asked``, what the deck lacked is lost (SF-13)."""

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    reason: DrawReason
    asked: int
    count: int
    cards: Cards
    awaits: tuple[int, ...]


class Cooked(Event, frozen=True):
    """A seat cooked a dish (SF-11). ``closing`` says that it called the last turns (SF-14)."""

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    dish: Cards
    points: int
    closing: bool


class TurnEnded(Event, frozen=True):
    """A seat ended its turn without a meal (SF-11)."""

    seat: int


class ReductionAsked(Event, frozen=True):
    """A seat holds more than 3 cards at turn end and must discard ``count`` (SF-12)."""

    seat: int
    count: int
    awaits: tuple[int, ...]


class Reduced(Event, frozen=True):
    """A seat discarded face down to 3 cards (SF-12).

    ``chance`` is the number of the draw where chance chose the cards (SF-17), else null.
    """

    hidden: ClassVar[Hidden] = {"cards": Audience.SEAT}

    seat: int
    count: int
    cards: Cards
    chance: int | None


EVENTS = (
    CardReplaced,
    Shuffled,
    Reshuffled,
    Dealt,
    FirstPlayerDrawn,
    TurnBegan,
    Claimed,
    Passed,
    Called,
    Drawn,
    Cooked,
    TurnEnded,
    ReductionAsked,
    Reduced,
)
