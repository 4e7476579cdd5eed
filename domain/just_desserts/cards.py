"""The cards: desserts, guests, and what follows from their facts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, get_args

import msgspec

from domain.just_desserts.menu import (
    DESSERTS,
    GUESTS,
    CardSet,
    DessertName,
    GuestName,
    Suit,
    Taste,
)

Desserts = tuple[DessertName, ...]
Guests = tuple[GuestName, ...]

BASE: Final = "base"
SUIT_SIZE = 4
# How many desserts and guests each set adds, and how many desserts of it show one taste only.
SET_SIZES: Mapping[CardSet, tuple[int, int, int]] = {
    "base": (76, 24, 17),
    "just_coffee": (6, 4, 1),
    "better_with_bacon": (6, 4, 1),
}


class Dessert(msgspec.Struct, frozen=True, tag_field="type", tag="dessert"):
    """A dessert and its tastes. There is one copy of each; ``set`` is the box it comes from."""

    id: DessertName
    set: CardSet
    tastes: tuple[Taste, ...]


class Guest(msgspec.Struct, frozen=True, tag_field="type", tag="guest"):
    """A guest: the tastes that must all be served and those that must not (JD-4).

    ``favourites`` are the desserts that bring a tip (JD-6); with ``favourite_taste`` it is every
    dessert of that taste.
    """

    id: GuestName
    set: CardSet
    suit: Suit
    craves: tuple[Taste, ...]
    refuses: tuple[Taste, ...] = ()
    favourites: Desserts = ()
    favourite_taste: Taste | None = None


def _favourites(guest: Guest, desserts: Iterable[Dessert]) -> frozenset[DessertName]:
    return frozenset(
        dessert.id
        for dessert in desserts
        if dessert.id in guest.favourites or guest.favourite_taste in dessert.tastes
    )


def check(desserts: Iterable[Dessert], guests: Iterable[Guest]) -> None:
    """Check card facts as a whole. Raises ValueError naming what is wrong."""
    desserts, guests = tuple(desserts), tuple(guests)
    if sorted(dessert.id for dessert in desserts) != sorted(get_args(DessertName)):
        raise ValueError("each dessert must be there once")
    if sorted(guest.id for guest in guests) != sorted(get_args(GuestName)):
        raise ValueError("each guest must be there once")
    for box, (dessert_count, guest_count, single_count) in SET_SIZES.items():
        inside = [dessert for dessert in desserts if dessert.set == box]
        single = [dessert for dessert in inside if len(dessert.tastes) == 1]
        if (len(inside), len(single)) != (dessert_count, single_count):
            raise ValueError(f"{box}: {len(inside)} desserts, {len(single)} of a single taste")
        if sum(guest.set == box for guest in guests) != guest_count:
            raise ValueError(f"{box} must have {guest_count} guests")
    suits = Counter((guest.suit, guest.set) for guest in guests)
    if len(suits) != len(get_args(Suit)) or set(suits.values()) != {SUIT_SIZE}:
        raise ValueError("each suit must have four guests of one set")
    tastes = {dessert.id: dessert.tastes for dessert in desserts}
    for guest in guests:
        if set(guest.craves) & set(guest.refuses) or not guest.craves:
            raise ValueError(f"{guest.id} must crave something and refuse nothing of it")
        if any(sorted(tastes[name]) != sorted(guest.craves) for name in guest.favourites):
            raise ValueError(f"a favourite of {guest.id} must taste of exactly what is craved")


ALL_DESSERTS = msgspec.convert(DESSERTS, tuple[Dessert, ...])
ALL_GUESTS = msgspec.convert(GUESTS, tuple[Guest, ...])
check(ALL_DESSERTS, ALL_GUESTS)

CARDS: tuple[Dessert | Guest, ...] = (*ALL_DESSERTS, *ALL_GUESTS)
DESSERT: Mapping[DessertName, Dessert] = {dessert.id: dessert for dessert in ALL_DESSERTS}
GUEST: Mapping[GuestName, Guest] = {guest.id: guest for guest in ALL_GUESTS}
TASTES: Mapping[DessertName, frozenset[Taste]] = {
    dessert.id: frozenset(dessert.tastes) for dessert in ALL_DESSERTS
}
CRAVES: Mapping[GuestName, frozenset[Taste]] = {
    guest.id: frozenset(guest.craves) for guest in ALL_GUESTS
}
REFUSES: Mapping[GuestName, frozenset[Taste]] = {
    guest.id: frozenset(guest.refuses) for guest in ALL_GUESTS
}
FAVOURITES: Mapping[GuestName, frozenset[DessertName]] = {
    guest.id: _favourites(guest, ALL_DESSERTS) for guest in ALL_GUESTS
}
SINGLE_TASTE: frozenset[DessertName] = frozenset(
    dessert.id for dessert in ALL_DESSERTS if len(dessert.tastes) == 1
)


@lru_cache(maxsize=8)
def desserts_with(boxes: frozenset[CardSet]) -> Desserts:
    """List the desserts of the base game and of the given expansions, sorted (JD-40)."""
    return tuple(sorted(card.id for card in ALL_DESSERTS if card.set in boxes | {BASE}))


@lru_cache(maxsize=8)
def guests_with(boxes: frozenset[CardSet]) -> Guests:
    """List the guests of the base game and of the given expansions, sorted (JD-40)."""
    return tuple(sorted(card.id for card in ALL_GUESTS if card.set in boxes | {BASE}))


SAME_SUIT_TO_WIN, SUITS_TO_WIN = 3, 5


def wins(guests: Iterable[GuestName]) -> bool:
    """Say whether these guests win: three of one suit, or five suits (JD-10)."""
    suits = Counter(GUEST[guest].suit for guest in guests)
    return len(suits) >= SUITS_TO_WIN or max(suits.values(), default=0) >= SAME_SUIT_TO_WIN


def points(guests: Iterable[GuestName]) -> int:
    """Score guests: one point each, and one more for each pair of a suit (JD-11).

    >>> points(["granny", "mojo", "inga"])
    4
    """
    suits = Counter(GUEST[guest].suit for guest in guests)
    return sum(count + count // 2 for count in suits.values())


def duplicates(guests: Iterable[GuestName]) -> Guests:
    """List the guests that share their suit with another one, in the given order (JD-7)."""
    guests = tuple(guests)
    suits = Counter(GUEST[guest].suit for guest in guests)
    return tuple(guest for guest in guests if suits[GUEST[guest].suit] > 1)
