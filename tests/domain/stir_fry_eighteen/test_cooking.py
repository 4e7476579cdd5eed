"""Dishes and what they score: SF-11 and SF-16."""

from collections import Counter

import pytest

from domain.stir_fry_eighteen.cards import dish_points
from domain.stir_fry_eighteen.decide import is_truthful
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.stir_fry_eighteen.dishes import DISHES
from tests.domain.stir_fry_eighteen.scenario import Table, given, hand_of, refused

TABLE = {
    frozenset(["noodles", *cards]): int(points)
    for points, *cards in (line.split() for line in DISHES.strip().splitlines())
}
WITH_TOFU = Options(tofu=True)

# SF-11


def test_sf_11_all_91_dishes():
    assert len(TABLE) == 91
    assert set(TABLE.values()) == set(range(4, 25)) - {23}
    for dish, points in TABLE.items():
        assert 3 <= len(dish) <= 5
        assert dish_points(dish) == points, sorted(dish)


def test_sf_11_every_dish_can_be_cooked_and_scores():
    for dish, points in TABLE.items():
        table = given(" ".join(dish), "").cook(0, " ".join(dish))
        cooked = table.event("cooked")
        assert (cooked.points, cooked.dish) == (points, tuple(sorted(dish)))
        assert table.score(0) == points


def test_sf_11_no_dish_is_listed_that_cannot_be_cooked():
    """The form's choices from a hand of one of everything are the 91 dishes exactly."""
    everything = "noodles mushrooms soy_sauce ginger green_onion shrimp pork chicken"
    table = given(everything, "")
    (form,) = (
        form
        for form in STIR_FRY_EIGHTEEN.legal(table.game, 0)
        if form.__struct_config__.tag == "cook"
    )
    names = everything.split()
    subsets = [
        tuple(name for index, name in enumerate(names) if bits >> index & 1) for bits in range(256)
    ]
    assert {frozenset(dish) for dish in subsets if form.cards.accepts(dish)} == set(TABLE)


@pytest.mark.parametrize(
    ("dish", "points"),
    [
        ("noodles green_onion mushrooms soy_sauce pork", 16),  # the worked example
        ("noodles soy_sauce ginger", 1 + 3 + 2),  # no onion needed
        ("noodles shrimp soy_sauce", 1 + 6 + 1),  # soy sauce alone adds nothing to shrimp
        ("noodles chicken ginger", 1 + 3 + 2),  # ginger alone adds nothing to chicken
        ("noodles chicken mushrooms", 1 + 3 + 3),  # bonuses are not symmetric
        ("noodles pork mushrooms", 1 + 8 + 2),
        ("noodles pork ginger", 1 + 5 + 4),
        ("noodles soy_sauce green_onion ginger", 1 + 3 + 3 + 2),  # the best line, not their sum
        ("noodles shrimp ginger soy_sauce green_onion", 1 + 11 + 2 + 3 + 5),
    ],
)
def test_sf_11_worked_examples_and_traps(dish, points):
    assert dish_points(dish.split()) == points


def test_sf_11_all_different():
    table = given("noodles noodles ginger pork", "")
    with refused("SF-11", "dish_repeats", pointer="/cards"):
        table.cook(0, "noodles noodles ginger")
    table = given("noodles ginger ginger pork", "")
    with refused("SF-11", "dish_repeats", pointer="/cards"):
        table.cook(0, "noodles ginger ginger pork")


def test_sf_11_noodles_among_them():
    table = given("ginger pork shrimp", "")
    assert "cook" not in table.legal(0)
    with refused("SF-11", "dish_without_noodles", pointer="/cards"):
        table.cook(0, "ginger pork shrimp")


def test_sf_11_three_different_cards_at_least():
    assert "cook" not in given("noodles noodles pork", "").legal(0)
    assert "cook" in given("noodles noodles pork ginger", "").legal(0)


def test_sf_11_a_meal_ends_the_turn():
    table = given("noodles pork mushrooms noodles ginger soy_sauce", "chicken")
    table.cook(0, "noodles pork mushrooms")
    assert table.types == ["cooked", "shuffled", "turn_began"]
    assert table.asks == ("turn", (1,))
    assert table.hand(0) == hand_of("noodles ginger soy_sauce")


def test_sf_11_after_a_meal_too_the_hand_is_reduced():
    table = given("noodles pork mushrooms noodles ginger soy_sauce shrimp", "chicken")
    table.cook(0, "noodles pork mushrooms")
    assert table.types == ["cooked", "reduction_asked"]
    assert table.asks == ("reduction", (0,))


def test_sf_11_points_add_up():
    table = given("noodles pork mushrooms", "", scores=(7, 3)).cook(0, "noodles pork mushrooms")
    assert (table.score(0), table.score(1)) == (18, 3)


def test_sf_11_discards_first_then_the_meal():
    table = given("ginger ginger noodles pork", "chicken", deck="mushrooms soy_sauce shrimp")
    table.pair(0, "ginger ginger").passes(1).cook(0, "noodles pork mushrooms soy_sauce shrimp")
    assert table.score(0) == 1 + 8 + 2 + 1 + 6


# SF-16


@pytest.mark.parametrize(
    ("dish", "points"),
    [
        ("noodles tofu mushrooms", 1 + 7 + 2),
        ("noodles tofu ginger", 1 + 7 + 2),
        ("noodles tofu soy_sauce", 1 + 8 + 1),
        ("noodles tofu soy_sauce ginger", 1 + 10 + 3 + 2),
        ("noodles tofu pork", 1 - 5 + 5),
        ("noodles tofu pork mushrooms", 1 - 5 + 8 + 2),
        ("noodles tofu chicken", 1 - 5 + 3),
        ("noodles tofu soy_sauce ginger shrimp", 1 - 5 + 3 + 2 + 11),
    ],
)
def test_sf_16_tofu_in_a_dish(dish, points):
    assert dish_points(dish.split()) == points
    table = given(dish, "", replaced="noodles", options=WITH_TOFU, scores=(10, 0)).cook(0, dish)
    assert table.score(0) == 10 + points


def test_sf_16_no_meal_takes_a_score_below_zero():
    """The dish is worth -1; nobody has less than 0 (SF-9)."""
    dish = "noodles tofu chicken"
    assert dish_points(dish.split()) == -1
    for score, after in ((0, 0), (1, 0), (5, 4)):
        table = given(dish, "", replaced="ginger", options=WITH_TOFU, scores=(score, 0))
        assert table.cook(0, dish).score(0) == after


@pytest.mark.parametrize(
    ("laid", "truthful"),
    [
        ("tofu mushrooms", True),
        ("soy_sauce tofu", True),
        ("tofu ginger", True),
        ("green_onion tofu", True),
        ("tofu noodles", False),
        ("tofu pork", False),
        ("shrimp tofu", False),
        ("chicken tofu", False),
    ],
)
def test_sf_16_tofu_joins_a_pair(laid, truthful):
    table = given(laid, "noodles", replaced="noodles", options=WITH_TOFU, deck="noodles noodles")
    table.pair(0, laid).call(1)
    assert table.event("called").truthful is truthful


def test_sf_16_tofu_alone_draws_one():
    for laid, truthful in (("tofu", True), ("noodles", False)):
        table = given(
            f"{laid} pork", "ginger", replaced="mushrooms", options=WITH_TOFU, deck="noodles shrimp"
        )
        table.protein(0, laid, "tofu").passes(1)
        assert table.event("drawn").asked == 1
        assert is_truthful("tofu", (laid,)) is truthful


@pytest.mark.parametrize("declared", ["shrimp", "pork", "chicken"])
def test_sf_16_tofu_is_no_protein(declared):
    assert not is_truthful(declared, ("tofu",))


def test_sf_16_a_replaced_cards_name_may_still_be_declared():
    table = given("noodles", "ginger", replaced="shrimp", options=WITH_TOFU, deck="pork")
    table.protein(0, "noodles", "shrimp").passes(1)
    assert table.event("drawn").asked == 4


def test_sf_16_without_the_option_tofu_is_unknown():
    table = given("noodles pork", "ginger")
    with refused("SF-16", "no_tofu", pointer="/declared"):
        table.protein(0, "noodles", "tofu")
    declared = [
        form.declared
        for form in STIR_FRY_EIGHTEEN.legal(table.game, 0)
        if form.__struct_config__.tag == "discard_protein"
    ]
    assert declared == ["shrimp", "pork", "chicken"]


def test_sf_16_it_secretly_replaces_one_random_card():
    replaced = Counter()
    for number in range(1, 200):
        table = Table(2, WITH_TOFU, seed=f"{number:064x}")
        event = table.event("card_replaced")
        replaced[event.card] += 1
        order = table.events[2].order
        assert Counter(order)["tofu"] == 1
        assert table.types[:3] == ["started", "card_replaced", "shuffled"]
    assert set(replaced) >= {"noodles", "mushrooms", "soy_sauce", "shrimp", "pork", "chicken"}
    assert replaced["noodles"] > 2 * replaced["pork"], "a card of the 18, not a kind of the 8"
