"""The planning player: it plays what is listed, uses what the game offers, and wins."""

import time
from collections import Counter
from random import Random

import msgspec
import pytest

from domain.kernel.forms import fits
from domain.memesio.actions import AskMemesio, Cook, Invent, Stock
from domain.memesio.planner import choose
from domain.memesio.ruleset import MEMESIO
from domain.memesio.sources import FromTable
from domain.players.bundled import scene
from domain.players.playout import Playout
from tests.domain.memesio.balance import measure, play
from tests.domain.memesio.scenario import given, made


def planned(table, seat=0):
    """What the planner does in a position; it must fit a listed form."""
    game = table.game
    shown = scene(MEMESIO, game, game.options, seat, lambda: ())
    action = msgspec.convert(choose(shown, Random(1)), MEMESIO.action_type)
    assert any(fits(form, action) for form in shown.legal)
    return action


def test_it_is_bundled():
    assert set(MEMESIO.bundled_players) == {"random", "planning"}


def test_it_cooks_what_brings_most():
    table = given(
        "cake marshmallow *sugar *eggs",
        "*milk",
        tables={0: [made("sponge"), made("custard")]},
    )
    action = planned(table)
    assert isinstance(action, Cook)
    assert action.card == table["cake"]


def test_it_uses_its_own_dessert_rather_than_another_s():
    table = given(
        "birds_milk *nuts",
        "*milk",
        pantry="*chocolate",
        tables={0: [made("marshmallow")], 1: [made("marshmallow2")]},
    )
    assert FromTable(1) in planned(table).sources


def test_it_uses_an_unmarked_one_rather_than_a_marked_one():
    table = given(
        "birds_milk *nuts",
        "*milk",
        pantry="*chocolate",
        tables={0: [made("marshmallow", marked=True)], 1: [made("marshmallow2")]},
    )
    assert FromTable(2) in planned(table).sources


def test_it_tries_the_ladle_when_the_pantry_is_full():
    table = given("ladle wedding_cake", "*milk", pantry="*nuts *lemon *milk2 *honey")
    action = planned(table)
    assert isinstance(action, Invent)
    assert len(action.sources) == 3


def test_it_asks_memesio_for_a_recipe_that_it_can_cook():
    table = given(
        "memesio *nuts",
        "*milk",
        pantry="cake",
        tables={0: [made("sponge"), made("custard")]},
    )
    assert planned(table) == AskMemesio(table["memesio"], table["cake"])


def test_it_stocks_when_there_is_nothing_to_cook():
    assert isinstance(planned(given("*sugar wedding_cake", "*milk")), Stock)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_that_it_does_is_listed(seats):
    """Over whole games; a refusal would end the game with an error."""
    random = Random(f"listed/{seats}")
    game = Playout(MEMESIO)
    game.open(game="g0001", seats=seats, seed=random.randbytes(32).hex(), options=MEMESIO.options())

    def checked(shown, entropy):
        action = choose(shown, entropy)
        typed = msgspec.convert(action, MEMESIO.action_type)
        assert any(fits(form, typed) for form in shown.legal)
        return action

    while game.step(random, dict.fromkeys(range(seats), checked)):
        pass


def test_it_uses_all_that_the_game_offers():
    kinds = Counter()
    for number in range(12):
        events = play(3, range(3), f"offers/{number}")
        kinds.update(str(event.__struct_config__.tag) for event in events)
    assert set(kinds) >= {
        "cooked", "stocked", "memesio_asked", "nyamonas_asked", "maiti_asked", "invented",
    }  # fmt: skip


def test_it_beats_random_players():
    """In bulk: ``python -m tests.domain.memesio.balance --mix one``."""
    assert measure(2, "one", 60, "beats").wins_of_planners() >= 85
    assert measure(5, "one", 40, "beats").wins_of_planners() >= 65


def test_it_is_quick():
    began = time.process_time()
    for number in range(8):
        play(4, range(4), f"quick/{number}")
    assert 8 / (time.process_time() - began) > 15, "games a second"
