"""The cards and what a dish of them scores."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

CardName = Literal[
    "noodles",
    "mushrooms",
    "soy_sauce",
    "ginger",
    "green_onion",
    "shrimp",
    "pork",
    "chicken",
    "tofu",
]
ProteinName = Literal["shrimp", "pork", "chicken", "tofu"]
Declared = Literal["pair", "shrimp", "pork", "chicken", "tofu"]
Cards = tuple[CardName, ...]


class Line(msgspec.Struct, frozen=True):
    """What a card scores when all companions are in the same dish."""

    points: int
    companions: tuple[CardName, ...] = ()


class Card(msgspec.Struct, frozen=True):
    """A kind of card.

    It scores the best of ``lines`` whose companions are in the dish. ``draws`` is what declaring
    it alone draws (0: it cannot be declared). ``protein`` tells the true proteins; tofu is none.
    """

    id: CardName
    copies: int
    lines: tuple[Line, ...]
    protein: bool = False
    draws: int = 0


CARDS: tuple[Card, ...] = (
    Card("noodles", 5, (Line(1),)),
    Card("mushrooms", 3, (Line(2), Line(3, ("chicken",)))),
    Card("soy_sauce", 3, (Line(1), Line(2, ("green_onion",)), Line(3, ("ginger",)))),
    Card("ginger", 2, (Line(2), Line(4, ("pork",)))),
    Card("green_onion", 2, (Line(3), Line(5, ("shrimp",)))),
    Card(
        "shrimp",
        1,
        (Line(6), Line(9, ("ginger",)), Line(11, ("ginger", "soy_sauce"))),
        protein=True,
        draws=4,
    ),
    Card("pork", 1, (Line(5), Line(8, ("mushrooms",))), protein=True, draws=3),
    Card(
        "chicken",
        1,
        (Line(3), Line(5, ("green_onion",)), Line(7, ("green_onion", "ginger"))),
        protein=True,
        draws=2,
    ),
    # SF-16: a promotional card that takes the place of a random one; it is in no deck by itself.
    Card(
        "tofu",
        0,
        (Line(7), Line(8, ("soy_sauce",)), Line(10, ("soy_sauce", "ginger"))),
        draws=1,
    ),
)
BY_NAME: Mapping[CardName, Card] = {card.id: card for card in CARDS}
DECK: Cards = tuple(sorted(name for card in CARDS for name in (card.id,) * card.copies))
DECLARABLE: tuple[ProteinName, ...] = ("shrimp", "pork", "chicken", "tofu")
PROTEINS = frozenset(card.id for card in CARDS if card.protein)

TOFU: Final = "tofu"
TOFU_WITH_PROTEIN = -5  # SF-16: tofu's own line in a dish with any protein

NOODLES: Final = "noodles"
DISH_LEAST, DISH_MOST = 3, 5


def dish_points(dish: Iterable[CardName]) -> int:
    """Score a dish: the sum of each card's best line (SF-11; tofu by SF-16).

    >>> dish_points(["noodles", "green_onion", "mushrooms", "soy_sauce", "pork"])
    16
    """
    cards = frozenset(dish)
    return sum(_card_points(name, cards) for name in cards)


def _card_points(name: CardName, dish: frozenset[CardName]) -> int:
    if name == TOFU and dish & PROTEINS:
        return TOFU_WITH_PROTEIN
    return max(line.points for line in BY_NAME[name].lines if dish.issuperset(line.companions))
