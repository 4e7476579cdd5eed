"""Forms: what fits, and that random choices do."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from domain.kernel.forms import OneOf, Pick, fill, fits
from domain.stir_fry_eighteen.actions import (
    Cook,
    CookForm,
    DiscardProtein,
    DiscardProteinForm,
    EndTurn,
    EndTurnForm,
    PassForm,
)


@pytest.mark.parametrize(
    ("chosen", "fitting"),
    [
        ((), False),
        (("a",), False),
        (("a", "a"), True),
        (("a", "b"), True),
        (("b", "a"), True),
        (("b", "b"), False),  # there is one b only
        (("a", "a", "a"), False),
        (("a", "a", "b"), True),
        (("a", "a", "b", "c"), False),
        (("b", "c"), False),  # neither is in the list to be met
        (("a", "d"), False),
    ],
)
def test_a_pick_of_cards(chosen, fitting):
    pick = Pick(("a", "a", "b", "c"), 2, 3, (("a", "d"),))
    assert pick.accepts(chosen) is fitting
    assert pick.accepts(list(chosen)) is fitting


def test_every_list_is_to_be_met():
    pick = Pick(("a", "b", "c"), 1, 3, (("a",), ("c",)))
    fitting = {
        frozenset(chosen)
        for size in range(4)
        for chosen in product("abc", repeat=size)
        if pick.accepts(chosen)
    }
    assert fitting == {frozenset("ac"), frozenset("abc")}


def test_random_choices_fit_and_all_come_up():
    pick = Pick(("a", "a", "b", "c"), 1, 3, (("a", "b"),))
    random, found = Random(5), Counter()
    for _ in range(600):
        chosen = pick.choose(random)
        assert pick.accepts(chosen)
        found[tuple(sorted(chosen))] += 1
    every = {
        tuple(sorted(chosen))
        for size in range(1, 4)
        for chosen in product("abc", repeat=size)
        if pick.accepts(chosen)
    }
    assert set(found) == every


def test_one_of_several():
    choice = OneOf((1, 2, 3))
    assert [choice.accepts(value) for value in (0, 1, 3, 4)] == [False, True, True, False]
    assert {choice.choose(Random(number)) for number in range(30)} == {1, 2, 3}


def test_an_action_fits_a_form_of_its_type_and_fields():
    form = DiscardProteinForm("pork", Pick(("noodles", "pork"), 1, 1))
    assert fits(form, DiscardProtein("pork", ("noodles",)))
    assert not fits(form, DiscardProtein("shrimp", ("noodles",)))
    assert not fits(form, DiscardProtein("pork", ("ginger",)))
    assert not fits(form, Cook(("noodles", "pork", "ginger")))
    assert fits(EndTurnForm(), EndTurn())
    assert not fits(PassForm(), EndTurn())


def test_a_filled_form_is_an_actions_json_value():
    assert fill(EndTurnForm(), Random(1)) == {"type": "end_turn"}
    form = CookForm(Pick(("ginger", "noodles", "pork"), 3, 3, (("noodles",),)))
    filled = fill(form, Random(1))
    assert filled["type"] == "cook"
    assert sorted(filled["cards"]) == ["ginger", "noodles", "pork"]
