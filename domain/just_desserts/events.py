"""What can happen in a game of Just Desserts.

Which seats an event asks stands in the event (``awaits``), so that folding needs no rules.
"""

from enum import StrEnum
from typing import ClassVar

from domain.just_desserts.cards import Desserts, Guests
from domain.just_desserts.menu import GuestName
from domain.kernel.event import Audience, Event, Hidden


class DrawReason(StrEnum):
    """Why desserts are drawn after the set-up, but for a turn's own."""

    KITCHEN = "kitchen"  # JD-3: back to the kitchen
    DUMP = "dump"  # JD-3: for a dumped tray
    TIP = "tip"  # JD-6, JD-25: a favourite was served
    ROBBED = "robbed"  # JD-24: a guest was poached
    BUFFET = "buffet"  # JD-30: a buffet was opened


class DessertsShuffled(Event, frozen=True):
    """The discarded desserts, or all at the set-up, became a new deck (JD-1, JD-8).

    The first card of ``dessert_order`` is the top.
    """

    hidden: ClassVar[Hidden] = {"dessert_order": Audience.NOBODY}

    chance: int
    dessert_order: Desserts


class GuestsShuffled(Event, frozen=True):
    """Guests became a new deck: all at the set-up, later the discarded ones (JD-1, JD-9).

    ``doorway`` is the guest that was on top of them and stays where it is. The first card of
    ``guest_order`` is the top.
    """

    hidden: ClassVar[Hidden] = {"guest_order": Audience.NOBODY}

    chance: int
    doorway: GuestName | None
    guest_order: Guests


class DessertsReshuffled(Event, frozen=True):
    """The dessert deck alone was shuffled anew, after a rewind that had shown hidden cards."""

    hidden: ClassVar[Hidden] = {"dessert_order": Audience.NOBODY}

    chance: int
    dessert_order: Desserts


class GuestsReshuffled(Event, frozen=True):
    """The guest deck alone was shuffled anew, after a rewind that had shown hidden cards."""

    hidden: ClassVar[Hidden] = {"guest_order": Audience.NOBODY}

    chance: int
    guest_order: Guests


class Dealt(Event, frozen=True):
    """A seat was dealt its first desserts (JD-1)."""

    hidden: ClassVar[Hidden] = {"desserts": Audience.SEAT}

    seat: int
    count: int
    desserts: Desserts


class GuestRevealed(Event, frozen=True):
    """The top guest of the deck came to the centre (JD-1, JD-2)."""

    telling: ClassVar[bool | None] = True  # the top of the guest deck

    guest: GuestName


class FirstPlayerDrawn(Event, frozen=True):
    """Chance chose who begins (JD-1)."""

    chance: int
    seat: int


class TurnBegan(Event, frozen=True):
    """A turn began and its seat drew (JD-2); a guest is revealed next, if there is one.

    ``idle`` says that there was nothing to draw or reveal; ``idle_turns`` and ``dry_turns`` count
    the turns in a row before this one of that kind, and those in which no guest was gained (JD-51).
    """

    hidden: ClassVar[Hidden] = {"desserts": Audience.SEAT}

    seat: int
    asked: int
    count: int
    desserts: Desserts
    idle: bool
    idle_turns: int
    dry_turns: int
    awaits: tuple[int, ...]


class Drawn(Event, frozen=True):
    """A seat drew desserts: ``count`` of the ``asked`` before the deck ran out (JD-8).

    If the discard pile makes a new deck, another event of this kind draws the rest from it; else
    the rest is lost.
    """

    hidden: ClassVar[Hidden] = {"desserts": Audience.SEAT}

    seat: int
    reason: DrawReason
    asked: int
    count: int
    desserts: Desserts


class Served(Event, frozen=True):
    """A seat discarded desserts for a guest and won it (JD-4).

    ``doorway`` says that the guest stood there (JD-5), ``favourite`` that it brings a tip (JD-6).
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    guest: GuestName
    doorway: bool
    desserts: Desserts
    favourite: bool
    awaits: tuple[int, ...]


class TurnEnded(Event, frozen=True):
    """A seat ended its turn of its own accord (JD-4, JD-30)."""

    seat: int


class KitchenEntered(Event, frozen=True):
    """A seat went back to the kitchen (JD-3)."""

    seat: int


class TrayDumped(Event, frozen=True):
    """A seat discarded desserts to draw as many (JD-3)."""

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    desserts: Desserts


class PoachOffered(Event, frozen=True):
    """A seat offered desserts to a guest of another, the ``owner`` (JD-20).

    ``favourite`` says that only a favourite can block it (JD-21); ``awaits`` is the owner, or
    nobody where no desserts of the game could block (JD-22) or the owner has left (JD-50).
    """

    telling: ClassVar[bool | None] = True  # what is in hand

    seat: int
    owner: int
    guest: GuestName
    desserts: Desserts
    favourite: bool
    awaits: tuple[int, ...]


class GuestLetGo(Event, frozen=True):
    """The owner of a guest let it go (JD-24)."""

    seat: int


class GuestPoached(Event, frozen=True):
    """A seat discarded the offered desserts and took the guest from its owner (JD-24)."""

    seat: int
    owner: int
    guest: GuestName
    desserts: Desserts
    awaits: tuple[int, ...]


class PoachBlocked(Event, frozen=True):
    """The owner of a guest discarded desserts to keep it; the offer is void (JD-21, JD-23)."""

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    poacher: int
    guest: GuestName
    desserts: Desserts
    awaits: tuple[int, ...]


class OfferWithdrawn(Event, frozen=True):
    """An offer became void because a player left (JD-50)."""

    seat: int


class BuffetOpened(Event, frozen=True):
    """A seat discarded four desserts for a buffet (JD-30).

    ``returning`` are the seats that return a guest, in turn order; ``awaits`` those of them that
    have a choice.
    """

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    desserts: Desserts
    returning: tuple[int, ...]
    awaits: tuple[int, ...]


class GuestReturned(Event, frozen=True):
    """A seat's guest went back to the centre for a buffet (JD-30).

    ``chance`` is the number of the draw where chance chose the guest (JD-50), else null.
    """

    seat: int
    guest: GuestName
    chance: int | None
    awaits: tuple[int, ...]


class ServiceAsked(Event, frozen=True):
    """After a buffet's draw its seat may serve a guest (JD-30)."""

    seat: int
    awaits: tuple[int, ...]


class ClearingAsked(Event, frozen=True):
    """Guests in the centre share a suit at turn end and the seat must discard some (JD-7)."""

    seat: int
    awaits: tuple[int, ...]


class GuestDiscarded(Event, frozen=True):
    """A guest of a shared suit went from the centre to the doorway (JD-7).

    ``chance`` is the number of the draw where chance chose the guest (JD-50), else null.
    """

    seat: int
    guest: GuestName
    chance: int | None
    awaits: tuple[int, ...]


class HandDiscarded(Event, frozen=True):
    """The hand of a player who left was discarded, open to all (JD-50)."""

    telling: ClassVar[bool | None] = True  # what was in hand

    seat: int
    desserts: Desserts


EVENTS = (
    DessertsShuffled,
    GuestsShuffled,
    DessertsReshuffled,
    GuestsReshuffled,
    Dealt,
    GuestRevealed,
    FirstPlayerDrawn,
    TurnBegan,
    Drawn,
    Served,
    TurnEnded,
    KitchenEntered,
    TrayDumped,
    PoachOffered,
    GuestLetGo,
    GuestPoached,
    PoachBlocked,
    OfferWithdrawn,
    BuffetOpened,
    GuestReturned,
    ServiceAsked,
    ClearingAsked,
    GuestDiscarded,
    HandDiscarded,
)
