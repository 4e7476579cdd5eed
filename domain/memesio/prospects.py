"""How the planning player weighs a position, in half-screams.

The numbers were settled by playing: one planner against random players, who win the more often
the less they fit.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from domain.memesio.cards import (
    DECK,
    HALF_SCREAMS,
    INGREDIENT,
    NEEDS,
    RECIPE,
    SPECIAL,
    CardName,
    Cards,
)
from domain.memesio.deck import IngredientName, RecipeName, SpecialName
from domain.memesio.state import Pantry

# How likely a component is still there, or comes, when the recipe's turn has come.
IN_PANTRY = 0.85
ON_TABLE = 0.65
TO_BE_COOKED = 0.5
TO_BE_HOPED_FOR = 0.2
SOON = 9  # so many unseen cards come to light, as a draw or in the pantry, while one can wait
LATE = 0.5  # what is left of a hope when the deck is nearly gone

# One play a turn: the best prospect counts most, the others less and less.
WEIGHTS = (0.65, 0.45, 0.3, 0.2, 0.1, 0.05)
CARD_IN_HAND = 0.8  # a card is a play to come
AT_ONCE = 0.5  # what a recipe brings beyond its prospect because it can be cooked now
# What a special card may bring yet; playing it must gain more.
SPECIAL_WORTH: Mapping[SpecialName, float] = {
    "memesio": 1.0,
    "nyamonas": 0.7,
    "maiti": 1.0,
    "packet": 0.2,
    "ladle": 3.0,
}

Table = Mapping[RecipeName, int]

COPIES: Mapping[IngredientName, int] = Counter(INGREDIENT[card] for card in DECK)


class Prospect(NamedTuple):
    """A position as the planner sees it: ``table`` counts the desserts on it by recipe.

    ``likely`` says of each ingredient how likely a card of it comes to light soon; ``late`` that
    the deck is nearly gone.
    """

    hand: Cards
    pantry: Pantry
    table: Table
    likely: Mapping[IngredientName, float]
    late: bool


def likely(seen: Iterable[CardName]) -> Mapping[IngredientName, float]:
    """Reckon how likely each ingredient comes to light soon, from the cards already seen."""
    left = dict(COPIES)
    unseen = len(DECK)
    for card in seen:
        left[INGREDIENT[card]] -= 1
        unseen -= 1
    return {name: 1 - (1 - count / max(1, unseen)) ** SOON for name, count in left.items()}


class _Held(NamedTuple):
    """A hand counted."""

    ingredients: Mapping[IngredientName, int]
    recipes: frozenset[RecipeName]


def _held(hand: Cards) -> _Held:
    counted: dict[IngredientName, int] = {}
    for card in hand:
        name = INGREDIENT[card]
        counted[name] = counted.get(name, 0) + 1
    return _Held(counted, frozenset(RECIPE[card].id for card in hand if card in RECIPE))


def outlook(at: Prospect) -> float:
    """Weigh a position after one's play: what the cards in hand may bring yet."""
    return _weigh(at)[0]


def position(at: Prospect) -> float:
    """Weigh a position before one's play: the outlook, and the best that can be cooked at once."""
    worth, at_once = _weigh(at)
    return worth + AT_ONCE * at_once


def prospect(card: CardName, at: Prospect) -> float:
    """Reckon what one card in hand may bring yet, if nothing else gets its turn."""
    special = SPECIAL.get(card)
    if special is not None:
        return SPECIAL_WORTH[special] * (LATE if at.late else 1)
    return HALF_SCREAMS * RECIPE[card].screams * _chance(card, at, _held(at.hand))[0]


def _weigh(at: Prospect) -> tuple[float, float]:
    held = _held(at.hand)
    worth = CARD_IN_HAND * len(at.hand)
    at_once = 0.0
    prospects: list[float] = []
    for card in at.hand:
        recipe = RECIPE.get(card)
        if recipe is None:
            worth += SPECIAL_WORTH[SPECIAL[card]] * (LATE if at.late else 1)
            continue
        chance, sure = _chance(card, at, held)
        full = HALF_SCREAMS * recipe.screams
        prospects.append(full * chance)
        if sure and full > at_once:
            at_once = full
    prospects.sort(reverse=True)
    for hope, weight in zip(prospects, WEIGHTS, strict=False):
        worth += hope * weight
    return worth, at_once


def _chance(card: CardName, at: Prospect, held: _Held) -> tuple[float, bool]:
    """Reckon how likely a recipe in hand gets cooked, and whether it can be at once."""
    needs = NEEDS[RECIPE[card].id]
    hope = LATE if at.late else 1.0
    chance, sure = 1.0, True
    for name, count in needs.basics:  # a card's own half is never among them
        count -= held.ingredients.get(name, 0)
        if count > 0:
            there = min(count, len(at.pantry.get(name, ())))
            chance *= IN_PANTRY**there
            if count > there:
                sure = False
                chance *= (at.likely[name] * hope) ** (count - there)
    for recipe, count in needs.desserts:
        there = min(count, at.table.get(recipe, 0))
        chance *= ON_TABLE**there
        if count > there:
            sure = False
            likely = TO_BE_COOKED if recipe in held.recipes else TO_BE_HOPED_FOR * hope
            chance *= likely ** (count - there)
    return chance, sure
