"""What hands are worth: the dishes in them (SF-11) and what they may become.

A hand is counted in one number, three bits for each kind of card, so that drawing adds and
discarding subtracts. Everything here follows from the cards alone and is remembered.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

from domain.stir_fry_eighteen.cards import (
    CARDS,
    DISH_LEAST,
    DISH_MOST,
    NOODLES,
    TOFU,
    CardName,
    Cards,
    dish_points,
)
from domain.stir_fry_eighteen.decide import HAND_LIMIT

# Judges how to end a turn: what it is worth, and the cards that it comes down to.
Judge = Callable[[int], tuple[float, int]]

BITS = 3  # enough for five noodles
UNIT: dict[CardName, int] = {card.id: 1 << BITS * place for place, card in enumerate(CARDS)}
NAME: dict[int, CardName] = {unit: name for name, unit in UNIT.items()}
UNITS = tuple(NAME)
COPIES = tuple((UNIT[card.id], card.copies) for card in CARDS if card.copies)
ONES = sum(UNITS)

# How likely so many more cards come together by the next dish: the turn's card (SF-2) and claims.
OF_A_PAIR = 1.2  # two alike in hand let a true claim be made
MORE = ((1, 0.3), (3, 0.4), (5, 0.3))


def count(cards: Iterable[CardName]) -> int:
    """Count cards in one number."""
    return sum(UNIT[card] for card in cards)


def units_of(hand: int) -> list[int]:
    """List a hand card by card."""
    listed = []
    for unit in UNITS:
        listed += [unit] * copies(hand, unit)
    return listed


def cards_of(hand: int) -> Cards:
    """Name the cards of a hand."""
    return tuple(NAME[unit] for unit in units_of(hand))


def copies(hand: int, unit: int) -> int:
    """Say how many of a kind are in a hand."""
    return hand // unit & 7


def kinds(hand: int) -> int:
    """Reduce a hand to one card of each kind."""
    return (hand | hand >> 1 | hand >> 2) & ONES


def parts(hand: int, size: int) -> set[int]:
    """List what may be taken out of a hand as so many cards."""
    return set(map(sum, combinations(units_of(hand), size)))


def _all_dishes() -> Iterator[tuple[int, int]]:
    others = [card.id for card in CARDS if card.id != NOODLES]
    for size in range(DISH_LEAST, DISH_MOST + 1):
        for rest in combinations(others, size - 1):
            dish: Cards = (NOODLES, *rest)
            yield dish_points(dish), count(dish)


DISHES = tuple(sorted(_all_dishes(), reverse=True))


@lru_cache(maxsize=1024)
def dishes(held: int) -> tuple[tuple[int, int], ...]:
    """List the dishes that can be cooked of some kinds of card: points and dish, best first."""
    return tuple((points, dish) for points, dish in DISHES if not dish & ~held)


def best_dish(hand: int) -> tuple[int, int]:
    """Give the best dish in a hand, its points first; nothing for nothing where there is none."""
    listed = dishes(kinds(hand))
    return listed[0] if listed else (0, 0)


@lru_cache(maxsize=4096)
def prospect(hand: int) -> float:
    """Weigh a hand by the dish to expect of it once more cards have come, from a full deck."""
    expected = _expected_dish(hand)
    value = sum(weight * expected[more] for more, weight in MORE)
    return value + OF_A_PAIR if hand & ~ONES else value


def _expected_dish(hand: int) -> list[float]:
    """Give the mean points of the best dish after so many more cards, for each number of them.

    Goes through the deck kind by kind and counts the ways to have drawn so many of each.
    """
    most = MORE[-1][0]
    ways: dict[tuple[int, int], int] = {(hand & UNIT[TOFU], 0): 1}
    left = 0
    for unit, whole in COPIES:
        held = copies(hand, unit)
        rest = max(0, whole - held)
        left += rest
        grown: dict[tuple[int, int], int] = {}
        for (mask, drawn), number in ways.items():
            for more in range(min(rest, most - drawn) + 1):
                place = (mask | unit if held or more else mask, drawn + more)
                grown[place] = grown.get(place, 0) + number * comb(rest, more)
        ways = grown
    expected = [0.0] * (most + 1)
    for (mask, drawn), number in ways.items():
        expected[drawn] += number * best_dish(mask)[0] / comb(left, drawn)
    return expected


@lru_cache(maxsize=16384)
def keeping(hand: int) -> tuple[float, int]:
    """Choose the cards to keep at turn end (SF-12): what they are worth, and which."""
    listed = units_of(hand)
    if len(listed) <= HAND_LIMIT:
        return prospect(hand), hand
    return max((prospect(kept), kept) for kept in set(map(sum, combinations(listed, HAND_LIMIT))))


DISHES_LOOKED_AT = 8


@lru_cache(maxsize=65536)
def settling(hand: int) -> tuple[float, int]:
    """Choose how to end a turn: what points and kept cards are worth, and the dish (0: none)."""
    best = (keeping(hand)[0], 0)
    for points, dish in dishes(kinds(hand))[:DISHES_LOOKED_AT]:
        best = max(best, (points + keeping(hand - dish)[0], dish))
    return best
