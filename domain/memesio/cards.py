"""The cards: the deck's data, validated and made ready to look things up in."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from domain.memesio.deck import (
    HALVES,
    INGREDIENTS,
    RECIPES,
    SPECIALS,
    ComponentName,
    IngredientName,
    Recipe,
    RecipeName,
    SpecialName,
)


def card_id(name: RecipeName | SpecialName, ingredient: IngredientName) -> str:
    """Name a card by both its halves.

    Cards that are alike share one id: nothing tells one of them from the other, wherever they
    lie (ME-15).
    """
    return f"{name}-{ingredient}"


if TYPE_CHECKING:
    CardName = str
else:  # The contract lists every id; the deck's data is the one place where they stand.
    CardName = Literal[
        tuple(
            dict.fromkeys(
                card_id(name, ingredient)
                for name, ingredients in (*HALVES.items(), *SPECIALS.items())
                for ingredient in ingredients
            )
        )
    ]
Cards = tuple[CardName, ...]

HALF_SCREAMS = 2  # a scream in half-screams, the unit of all scores (ME-4)
COMPONENTS_LEAST, COMPONENTS_MOST = 2, 5


class Card(Struct, frozen=True):
    """A kind of card: an ingredient half, and a recipe (a dual card) or a special effect.

    ``id`` names both halves. Exactly one of ``recipe`` and ``special`` is set.
    """

    id: CardName
    copies: int
    ingredient: IngredientName
    recipe: Recipe | None = None
    special: SpecialName | None = None


class Needs(Struct, frozen=True):
    """A recipe's components counted: basic ingredients, and desserts."""

    basics: tuple[tuple[IngredientName, int], ...]
    desserts: tuple[tuple[RecipeName, int], ...]


def _needs(recipe: Recipe) -> Needs:
    wanted = Counter(recipe.components)
    return Needs(
        tuple((name, wanted[name]) for name in INGREDIENTS if name in wanted),
        tuple((other.id, wanted[other.id]) for other in RECIPES if other.id in wanted),
    )


def build(
    recipes: Iterable[Recipe],
    halves: Mapping[RecipeName, tuple[IngredientName, ...]],
    specials: Mapping[SpecialName, tuple[IngredientName, ...]],
) -> tuple[Card, ...]:
    """Build the kinds of card from the deck's data, in its order."""
    cards: list[Card] = []
    for recipe in recipes:
        for ingredient, copies in Counter(halves.get(recipe.id, ())).items():
            cards.append(Card(card_id(recipe.id, ingredient), copies, ingredient, recipe))
    for special, ingredients in specials.items():
        for ingredient, copies in Counter(ingredients).items():
            name = card_id(special, ingredient)
            cards.append(Card(name, copies, ingredient, special=special))
    return tuple(cards)


def validate(recipes: tuple[Recipe, ...], cards: tuple[Card, ...]) -> None:
    """Check that a deck is sound. Raises ValueError with what is wrong.

    Ids are unique, and no dessert is named as an ingredient is; a recipe's level is one above
    its highest component's, so that no recipe needs itself; every recipe has a card and can be
    cooked from the deck's own cards, each used once; no card seems to be its own ingredient.
    """
    levels: dict[ComponentName, int] = dict.fromkeys(INGREDIENTS, 0)
    for recipe in recipes:
        if recipe.id in levels:
            raise ValueError(f"{recipe.id} is named twice")
        if not COMPONENTS_LEAST <= len(recipe.components) <= COMPONENTS_MOST:
            raise ValueError(f"{recipe.id} has {len(recipe.components)} components")
        unknown = [name for name in recipe.components if name not in levels]
        if unknown:
            raise ValueError(f"{recipe.id} needs {unknown[0]}, which nothing before it makes")
        level = 1 + max(levels[name] for name in recipe.components)
        if recipe.level != level:
            raise ValueError(f"{recipe.id} is of level {level}, not {recipe.level}")
        levels[recipe.id] = level
    if len({card.id for card in cards}) < len(cards):
        raise ValueError("two kinds of card have one id")
    for card in cards:
        if (card.recipe is None) == (card.special is None):
            raise ValueError(f"{card.id} is neither a dual nor a special card, or both")
        if card.recipe is not None and card.ingredient in card.recipe.components:
            raise ValueError(f"{card.id} seems to be its own ingredient")
    for recipe in recipes:
        _check_cookable(recipe, recipes, cards)


def _check_cookable(recipe: Recipe, recipes: tuple[Recipe, ...], cards: tuple[Card, ...]) -> None:
    """Check that a recipe can be cooked from scratch with the deck's own cards.

    Enough cards for each ingredient and recipe on its own are not yet enough: a card cannot be
    both. The recipe cards are taken where their ingredient halves are missed least.
    """
    by_id = {other.id: other for other in recipes}
    basics: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    open_recipes = [recipe]
    while open_recipes:
        current = open_recipes.pop()
        wanted[current.id] += 1
        for name in current.components:
            if name in by_id:
                open_recipes.append(by_id[name])
            else:
                basics[name] += 1
    spare = Counter[str]()
    for card in cards:
        spare[card.ingredient] += card.copies
    spare.subtract(basics)
    for wanted_id, count in wanted.items():
        halves = [
            card.ingredient
            for card in cards
            if card.recipe is not None and card.recipe.id == wanted_id
            for _ in range(card.copies)
        ]
        if len(halves) < count:
            raise ValueError(f"{recipe.id} needs more cards of {wanted_id} than there are")
        halves.sort(key=lambda ingredient: -spare[ingredient])
        spare.subtract(halves[:count])
    short = [ingredient for ingredient, left in spare.items() if left < 0]
    if short:
        raise ValueError(f"{recipe.id} cannot be cooked: too little {short[0]}")


CARDS: tuple[Card, ...] = build(RECIPES, HALVES, SPECIALS)
validate(RECIPES, CARDS)

BY_NAME: Mapping[CardName, Card] = {card.id: card for card in CARDS}
BY_RECIPE: Mapping[RecipeName, Recipe] = {recipe.id: recipe for recipe in RECIPES}
NEEDS: Mapping[RecipeName, Needs] = {recipe.id: _needs(recipe) for recipe in RECIPES}
DECK: Cards = tuple(sorted(card.id for card in CARDS for _ in range(card.copies)))
BASICS = frozenset(INGREDIENTS)

INGREDIENT: Mapping[CardName, IngredientName] = {card.id: card.ingredient for card in CARDS}
RECIPE: Mapping[CardName, Recipe] = {
    card.id: card.recipe for card in CARDS if card.recipe is not None
}
SPECIAL: Mapping[CardName, SpecialName] = {
    card.id: card.special for card in CARDS if card.special is not None
}
