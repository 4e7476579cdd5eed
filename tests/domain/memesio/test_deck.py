"""The deck: what the rules page asks of it, and a validation that finds every fault."""

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.memesio.cards import (
    BY_RECIPE,
    CARDS,
    DECK,
    INGREDIENT,
    Card,
    build,
    validate,
)
from domain.memesio.deck import HALVES, INGREDIENTS, RECIPES, SPECIALS, Recipe


def test_it_is_as_large_as_it_may_be():
    assert 70 <= len(DECK) <= 90
    assert 10 <= len(INGREDIENTS) <= 14
    assert 20 <= len(RECIPES) <= 30
    assert Counter(recipe.level for recipe in RECIPES)[3] in (1, 2)
    assert {len(recipe.components) for recipe in RECIPES} <= {2, 3, 4, 5}


def test_the_seed_fixes_two_recipes():
    assert BY_RECIPE["marshmallow"].components == ("sugar", "eggs")
    assert BY_RECIPE["cake"].components == ("sponge", "custard")
    assert (BY_RECIPE["sponge"].level, BY_RECIPE["custard"].level) == (1, 1)


def test_each_special_is_there_two_or_three_times_with_a_useful_half():
    for special, ingredients in SPECIALS.items():
        assert 2 <= len(ingredients) <= 3, special
        for name in ingredients:
            users = [recipe for recipe in RECIPES if name in recipe.components]
            assert len(users) >= 2, name


def test_screams_rise_faster_than_effort():
    """Effort is the cards that a dessert takes from scratch, its recipe cards included."""

    def effort(recipe: Recipe) -> int:
        made = [BY_RECIPE[name] for name in recipe.components if name in BY_RECIPE]
        return 1 + sum(map(effort, made)) + len(recipe.components) - len(made)

    worth: dict[int, list[float]] = {1: [], 2: [], 3: []}
    for recipe in RECIPES:
        worth[recipe.level].append(recipe.screams / effort(recipe))
        for name in recipe.components:
            if name in BY_RECIPE:
                assert recipe.screams > BY_RECIPE[name].screams
    means = [sum(values) / len(values) for _, values in sorted(worth.items())]
    assert means == sorted(means), means
    assert min(worth[3]) > max(worth[1])


def test_every_simple_dessert_is_of_use_but_may_stand_alone():
    used = {name for recipe in RECIPES for name in recipe.components}
    assert used >= set(INGREDIENTS)
    assert {recipe.id for recipe in RECIPES if recipe.level == 1} <= used


def test_there_is_enough_of_each_ingredient():
    there = Counter(INGREDIENT[card] for card in DECK)
    assert min(there[name] for name in INGREDIENTS) >= 5


def test_cards_alike_share_one_id():
    assert len({card.id for card in CARDS}) == len(CARDS)
    twice = build(RECIPES, {**HALVES, "jam": ("apples", "apples")}, SPECIALS)
    [jam] = [card for card in twice if card.recipe is not None and card.recipe.id == "jam"]
    assert jam.copies == 2


# Validation.


def fault(recipes=RECIPES, cards=None):
    validate(tuple(recipes), CARDS if cards is None else tuple(cards))


def changed(recipe_id, **changes):
    return [replace(recipe, **changes) if recipe.id == recipe_id else recipe for recipe in RECIPES]


def test_the_deck_is_valid():
    fault()


def test_a_recipe_named_twice():
    with pytest.raises(ValueError, match="named twice"):
        fault([*RECIPES, RECIPES[0]])


def test_a_recipe_named_like_an_ingredient():
    with pytest.raises(ValueError, match="named twice"):
        fault([*RECIPES, Recipe("honey", 1, ("nuts", "milk"), 2)])


@pytest.mark.parametrize("components", [("sugar",), ("sugar",) * 6])
def test_too_few_or_too_many_components(components):
    with pytest.raises(ValueError, match="components"):
        fault(changed("jam", components=components))


def test_a_recipe_that_needs_itself():
    with pytest.raises(ValueError, match="which nothing before it makes"):
        fault(changed("jam", components=("jam", "sugar"), level=2))


def test_two_recipes_that_need_each_other():
    with pytest.raises(ValueError, match="which nothing before it makes"):
        fault(changed("sponge", components=("cake", "eggs"), level=3))


def test_an_unknown_component():
    with pytest.raises(ValueError, match="which nothing before it makes"):
        fault(changed("jam", components=("pepper", "sugar")))


def test_a_wrong_level():
    with pytest.raises(ValueError, match="of level 2, not 1"):
        fault(changed("cake", level=1))


def test_an_id_that_two_kinds_of_card_have():
    with pytest.raises(ValueError, match="one id"):
        fault(cards=[*CARDS, CARDS[0]])


def test_a_card_of_neither_kind():
    with pytest.raises(ValueError, match="neither"):
        fault(cards=[*CARDS, Card("nothing-milk", 1, "milk")])


def test_a_card_that_seems_its_own_ingredient():
    card = Card("jam-sugar", 1, "sugar", BY_RECIPE["jam"])
    with pytest.raises(ValueError, match="own ingredient"):
        fault(cards=[*CARDS, card])


def test_a_recipe_without_a_card():
    cards = [card for card in CARDS if card.recipe is None or card.recipe.id != "sponge"]
    with pytest.raises(ValueError, match="more cards of sponge"):
        fault(cards=cards)


def test_too_little_of_an_ingredient():
    cards = [card for card in CARDS if card.ingredient != "lemon"]
    with pytest.raises(ValueError, match="too little lemon"):
        fault(cards=cards)
