"""When the game ends and who wins: ME-13, ME-14, against an independent solver.

``python -m tests.domain.memesio.test_end 20000`` compares more positions and measures the cost.
"""

import sys
import time
from random import Random

import pytest
from msgspec.structs import replace

from domain.memesio.cards import BY_RECIPE, DECK, INGREDIENT
from domain.memesio.deck import INGREDIENTS, RECIPES
from domain.memesio.ending import can_go_on
from domain.memesio.options import Options
from domain.memesio.ruleset import MEMESIO
from domain.memesio.state import Dessert, Game, Player, Turn, on_top
from domain.players.playout import Playout
from tests.domain.memesio.room import conserved
from tests.domain.memesio.scenario import given, invention, made
from tests.domain.memesio.solver import one_more_dessert


def goes_on(table):
    """What the game says of a position; the solver must agree."""
    answer = can_go_on(table.game)
    assert one_more_dessert(table.game) is answer
    return answer


# ME-13


def test_me_13_the_game_ends_with_cards_still_in_hands():
    table = given("*sugar *sugar2 wedding_cake", "*sugar3 kubik_castle", deck="")
    table.stock(0, "*sugar")
    assert table.tags() == ["stocked", "ended", "sealed"]
    assert table.outcome.reason == "ME-13"
    assert len(table.hand(0)) == len(table.hand(1)) == 2


def test_me_13_no_turn_begins_after_the_end():
    table = given("*sugar *sugar2", "*sugar3", deck="")
    table.stock(0, "*sugar")
    assert table.game.decision is None
    assert table.game.turn.seat == 0


@pytest.mark.parametrize("place", ["deck", "hand", "other hand", "pantry"])
def test_me_13_every_hidden_or_stocked_ingredient_counts(place):
    places = {"deck": "", "hand": "", "other hand": "", "pantry": ""} | {place: "*eggs"}
    table = given(
        f"marshmallow {places['hand']}",
        f"*sugar {places['other hand']}",
        pantry=places["pantry"],
        deck=places["deck"],
    )
    assert goes_on(table)


def test_me_13_what_is_in_a_dessert_counts_no_more():
    assert not goes_on(
        given("marshmallow *sugar", "*sugar2", deck="", tables={0: [made("cake", "*eggs")]})
    )


def test_me_13_each_component_needs_a_card_of_its_own():
    assert not goes_on(given("caramel *sugar *butter", "*nuts", deck=""))
    assert goes_on(given("caramel *sugar *butter", "*sugar2", deck=""))


def test_me_13_desserts_on_the_table_count_whosever_they_are():
    desserts = {0: [made("sponge")], 1: [made("custard")]}
    assert goes_on(given("cake *nuts", "*nuts2", deck="", tables=desserts))
    assert not goes_on(given("cake *nuts", "*nuts2", deck="", tables={0: [made("sponge")]}))


def test_me_13_nested_ones_do_not():
    nested = {0: [made("cake", made("sponge"), made("custard"))]}
    assert not goes_on(given("cake2 *nuts", "*nuts2", deck="", tables=nested))


def test_me_13_marked_ones_do_and_inventions_do_not():
    marked = {0: [made("sponge", marked=True), made("custard")]}
    assert goes_on(given("cake *nuts", "*nuts2", deck="", tables=marked))
    assert not goes_on(
        given("*nuts", "*nuts2", deck="", tables={0: [invention("*milk", "*lemon")]})
    )


def test_me_13_one_level_deep_is_exact():
    """The dessert that is missing can be cooked itself, and that is a new one."""
    assert goes_on(given("cake sponge *flour", "*eggs", deck="", tables={0: [made("custard")]}))


def test_me_13_a_recipe_in_the_pantry_needs_a_memesio():
    assert not goes_on(given("*sugar *eggs", "*nuts", deck="", pantry="marshmallow"))
    assert goes_on(given("*sugar *eggs", "*nuts", deck="memesio", pantry="marshmallow"))
    assert goes_on(given("*sugar *eggs memesio", "*nuts", deck="", pantry="marshmallow"))
    stocked = given("*sugar *eggs", "*nuts", deck="", pantry="marshmallow memesio")
    assert not goes_on(stocked), "a Memesio in the pantry is an ingredient"


def test_me_13_that_memesio_may_fill_a_component_itself():
    name = INGREDIENT[given("memesio", "*nuts")["memesio"]]
    recipe = next(each for each in RECIPES if name in each.components)
    others = [other for other in recipe.components if other != name]
    hand = " ".join(f"*{other}" for other in others if other in INGREDIENTS)
    served = {1: [made(other) for other in others if other in BY_RECIPE]}
    table = given(f"memesio {hand}", "*milk", deck="", pantry=recipe.id, tables=served)
    assert goes_on(table)


def test_me_13_pantry_order_is_ignored():
    table = given("marshmallow *nuts", "*nuts2", deck="", pantry="*sugar *sugar2 *eggs *eggs2")
    assert goes_on(table)
    buried = given("*nuts", "memesio", deck="", pantry="marshmallow *sugar *eggs *milk *butter")
    assert goes_on(buried)


def test_me_13_a_packet_stands_for_an_ingredient_while_unseen():
    assert goes_on(given("marshmallow *sugar", "packet", deck=""))
    assert goes_on(given("marshmallow *sugar", "*sugar2", deck="packet"))
    assert not goes_on(given("marshmallow *sugar", "*sugar2", deck="", pantry="packet"))


def test_me_13_a_packet_fills_nothing_besides():
    """A recipe that lacks one ingredient and has the other only in the packet itself."""
    name = INGREDIENT[given("packet", "*lemon")["packet"]]
    recipe = next(each for each in RECIPES if len(each.components) == 2 and name in each.components)
    assert not goes_on(given(f"{recipe.id} packet", "*lemon", deck=""))
    assert goes_on(given(f"{recipe.id} packet packet2", "*lemon", deck=""))


def test_me_13_a_ladle_needs_two_other_cards():
    assert not goes_on(given("ladle", "*nuts", deck=""))
    assert goes_on(given("ladle *nuts", "*lemon", deck=""))
    assert goes_on(given("ladle", "*nuts", deck="", pantry="*lemon"))
    assert goes_on(given("*nuts", "*nuts2", deck="ladle"))
    assert not goes_on(given("*nuts", "*nuts2", deck="", pantry="ladle"))


def test_me_13_maiti_and_nyamonas_are_disregarded():
    table = given(
        "maiti nyamonas",
        "*nuts",
        deck="",
        tables={0: [made("marshmallow", "*sugar", "*eggs")]},
    )
    assert not goes_on(table)


def some_dessert(random, cards, number, depth=0):
    """Make any dessert of any cards: the end test must not care how it came about."""
    card = cards.pop()
    parts = []
    for _ in range(random.randrange(3)):
        if depth < 2 and random.random() < 0.3 and len(cards) > 3:
            number, nested = some_dessert(random, cards, number, depth + 1)
            parts.append(nested)
        elif cards:
            parts.append(cards.pop())
    recipe = card.split("-")[0] if card.split("-")[0] in BY_RECIPE else None
    if recipe is None:
        return number + 1, Dessert(number + 1, None, None, (card, *parts))
    return number + 1, Dessert(number + 1, recipe, card, tuple(parts), random.random() < 0.2)


def random_position(random):
    """Scatter few of the cards over all places, so that both answers are common."""
    cards = list(DECK)
    random.shuffle(cards)
    few = random.randrange(2, 14)
    hands = [
        tuple(sorted(cards.pop() for _ in range(random.randrange(few // 2 + 1)))) for _ in "ab"
    ]
    deck = tuple(cards.pop() for _ in range(random.choice((0, 0, 0, 1, 2))))
    pantry = on_top({}, [cards.pop() for _ in range(random.randrange(few))])
    number, desserts = 0, []
    for _ in range(random.randrange(4)):
        number, dessert = some_dessert(random, cards, number)
        desserts.append(dessert)
    half = random.randrange(len(desserts) + 1)
    players = (
        Player(hands[0], desserts=tuple(desserts[:half])),
        Player(hands[1], desserts=tuple(desserts[half:])),
    )
    game = Game(
        options=Options(),
        players=players,
        deck=deck,
        turn=Turn(0, 1),
        pantry=pantry,
        made=number,
        spoiled=tuple(sorted(cards)),
    )
    conserved(game)
    return game


def compare(positions, seed):
    """Compare the end test with the solver; count the answers."""
    random = Random(seed)
    answers = {True: 0, False: 0}
    for _ in range(positions):
        game = random_position(random)
        answer = can_go_on(game)
        assert one_more_dessert(game) is answer, game
        answers[answer] += 1
    return answers


def test_me_13_agrees_with_brute_force_on_random_positions():
    answers = compare(3_000, "end")
    assert min(answers.values()) > 600


def test_me_13_agrees_with_brute_force_after_every_turn_of_real_games():
    for number in range(6):
        random = Random(number)
        play = Playout(MEMESIO)
        play.open(
            game="g0001", seats=2 + number % 4, seed=f"{number:064x}", options=MEMESIO.options()
        )
        turn = None
        while play.step(random):
            game = play.state.game
            if game.turn != turn and game.outcome is None and len(game.deck) < 12:
                turn = game.turn
                assert one_more_dessert(game), "the game goes on and nothing can be cooked"
        last = replace(play.state.game, decision=None)
        assert not one_more_dessert(last), "the game ended and something could be cooked"


# ME-14


def test_me_14_most_screams_win():
    table = given("*sugar", "*sugar2", "*sugar3", deck="", scores=[1, 5.5, 5])
    assert table.stock(0, "*sugar").outcome.winners == (1,)
    assert table.board.players[1].hat
    assert not table.board.players[2].hat


def test_me_14_a_tie_goes_to_more_desserts_nested_ones_not_counted():
    tables = {
        1: [made("cake", made("sponge"), made("custard"))],
        2: [invention("*milk", "*lemon"), made("jam")],
    }
    table = given("*sugar", "*sugar2", "*sugar3", deck="", scores=[0, 5, 5], tables=tables)
    assert table.stock(0, "*sugar").outcome.winners == (2,)


def test_me_14_then_it_is_shared():
    tables = {1: [made("cake")], 2: [made("jam")]}
    table = given("*sugar", "*sugar2", "*sugar3", deck="", scores=[0, 5, 5], tables=tables)
    outcome = table.stock(0, "*sugar").outcome
    assert outcome.winners == (1, 2)
    assert outcome.scores == (2, 10, 10)


def measure_cost(games=60):
    """Time the end test after every turn of real games."""
    spent, turns, longest = 0.0, 0, 0.0
    for number in range(games):
        random = Random(number)
        play = Playout(MEMESIO)
        seats = 2 + number % 4
        play.open(game="g0001", seats=seats, seed=f"{number:064x}", options=MEMESIO.options())
        while play.step(random):
            began = time.process_time()
            can_go_on(play.state.game)
            took = time.process_time() - began
            spent, turns, longest = spent + took, turns + 1, max(longest, took)
    return spent / turns, longest


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    print(f"{number} random positions, answers {compare(number, 'bulk')}, all as the solver's")
    mean, longest = measure_cost()
    print(f"the end test takes {mean * 1e6:.0f} µs a turn, {longest * 1e6:.0f} µs at most")
