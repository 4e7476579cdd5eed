"""Special cards in each of their uses: ME-6 to ME-11."""

import pytest

from domain.kernel.event import TextRef
from domain.memesio.actions import Alone, AskMemesio, Hand, Nested
from domain.memesio.cards import BY_RECIPE, INGREDIENT
from domain.memesio.ruleset import MEMESIO
from domain.memesio.state import cards_of
from tests.domain.memesio.scenario import given, invention, made, refused

SPECIALS = ("memesio", "nyamonas", "maiti", "packet", "ladle")


def stack_of(table, word):
    """The stack that a card belongs to."""
    return table.stack(INGREDIENT[table[word]])


# ME-6


def test_me_6_after_its_effect_a_special_goes_under_its_stack():
    ingredient = INGREDIENT[given("memesio", "*milk")["memesio"]]
    table = given("memesio *milk", "*eggs", pantry=f"*{ingredient}2 *{ingredient}3 *lemon")
    table.memesio(0, "*lemon")
    assert table.stack(ingredient) == table.all(f"*{ingredient}3 *{ingredient}2 memesio")


def test_me_6_without_a_stack_it_begins_one_and_earns_nothing():
    table = given("memesio *nuts", "*eggs", pantry="*lemon")
    table.memesio(0, "*lemon")
    assert stack_of(table, "memesio") == table.all("memesio")
    assert table.screams == [0, 0]


@pytest.mark.parametrize("special", SPECIALS)
def test_me_6_any_special_can_be_stocked_as_an_ingredient(special):
    table = given(f"{special} wedding_cake", "*eggs")
    table.stock(0, special)
    assert stack_of(table, special) == table.all(special)
    assert table.screams == [1, 0]


def test_me_6_stocked_it_lies_on_top():
    ingredient = INGREDIENT[given("ladle", "*milk")["ladle"]]
    table = given("ladle wedding_cake", "*eggs", pantry=f"*{ingredient}2")
    table.stock(0, "ladle")
    assert table.stack(ingredient) == table.all(f"ladle *{ingredient}2")


@pytest.mark.parametrize(
    ("act", "rule"),
    [
        (lambda table: table.memesio(0, "*lemon", "*sugar"), "ME-7"),
        (lambda table: table.nyamonas(0, 1, "*lemon", "*sugar"), "ME-8"),
        (lambda table: table.maiti(0, 1, Hand(0), "*sugar"), "ME-9"),
        (lambda table: table.ladle(0, "p:*lemon h:*milk", card="*sugar"), "ME-11"),
    ],
)
def test_me_6_the_card_must_have_the_effect(act, rule):
    table = given("*sugar *milk", "*eggs", pantry="*lemon", tables={0: [made("jam")]})
    with refused(rule, "wrong_special", pointer="/card"):
        act(table)


# ME-7


def test_me_7_memesio_takes_a_recipe_off_the_pantry():
    table = given("memesio *nuts", "*eggs", pantry="*lemon *lemon2")
    table.memesio(0, "*lemon2")
    assert table.hand(0) == tuple(sorted(table.all("*lemon2 *nuts")))
    assert table.stack("lemon") == table.all("*lemon")
    assert table.game.decision.asked == (0,)


def test_me_7_it_can_be_cooked_in_the_same_turn():
    table = given("memesio *sugar *nuts", "*milk", pantry="marshmallow *eggs")
    table.memesio(0, "marshmallow").cook(0, "marshmallow", "h:*sugar p:*eggs")
    assert table.desserts(0) == ["marshmallow"]


def test_me_7_only_from_the_top_and_never_a_special():
    table = given("memesio *nuts", "*eggs", pantry="*lemon *lemon2 ladle")
    with refused("ME-7", "not_on_top", pointer="/takes"):
        table.memesio(0, "*lemon")
    with refused("ME-7", "special_has_no_recipe", pointer="/takes"):
        table.memesio(0, "ladle")
    with refused("ME-7", "not_on_top", pointer="/takes"):
        table.act(0, AskMemesio(table["memesio"], table["*nuts"]))


def test_me_7_not_listed_without_a_recipe_to_take():
    table = given("memesio *nuts", "*eggs", pantry="ladle")
    assert "ask_memesio" not in table.legal(0)


# ME-8


def test_me_8_nyamonas_swaps_a_dessert_for_a_card_of_the_pantry():
    table = given(
        "nyamonas *nuts",
        "*eggs",
        pantry="cake",
        tables={0: [made("pavlova", made("meringue", "*eggs2", "*eggs3", "*sugar"), "*berries")]},
    )
    table.nyamonas(0, 2, "cake")
    assert table.desserts(0) == ["cake"]
    swapped = table.dessert(3)
    assert (swapped.card, swapped.parts, swapped.marked) == (table["cake"], (), False)
    assert table.screams == [0, 0]
    assert table.game.decision.asked == (0,)


def test_me_8_its_cards_go_on_top_recipe_first_then_depth_first():
    table = given(
        "nyamonas *nuts",
        "*lemon",
        pantry="cake *eggs4",
        tables={0: [made("pavlova", made("meringue", "*eggs2", "*eggs3", "*sugar"), "*berries")]},
    )
    order = cards_of(table.dessert(2))
    assert order == table.all("pavlova meringue *eggs2 *eggs3 *sugar *berries")
    before = {name: table.stack(name) for name in table.game.pantry}
    table.nyamonas(0, 2, "cake")
    for name, stack in table.game.pantry.items():
        laid = [card for card in order if INGREDIENT[card] == name]
        left = [card for card in before.get(name, ()) if card != table["cake"]]
        under = [table["nyamonas"]] if INGREDIENT[table["nyamonas"]] == name else []
        assert list(stack) == [*laid[::-1], *left, *under]


def test_me_8_the_card_is_taken_first():
    """The old dessert's cards may cover the stack that it was taken from."""
    table = given("nyamonas *nuts", "*lemon", pantry="cake", tables={0: [made("cake2")]})
    table.nyamonas(0, 1, "cake")
    assert table.dessert(2).card == table["cake"]
    assert table["cake2"] in stack_of(table, "cake2")


def test_me_8_it_is_a_component_at_once():
    table = given(
        "nyamonas kubik_castle *lemon",
        "*eggs",
        pantry="honey_cake",
        tables={0: [made("jam", "*berries", "*sugar"), made("brittle")]},
    )
    table.nyamonas(0, 1, "honey_cake").cook(0, "kubik_castle", "t:3 t:2 h:*lemon")
    assert table.screams[0] == BY_RECIPE["kubik_castle"].screams


def test_me_8_the_mark_goes_with_the_old_dessert():
    table = given("nyamonas *nuts", "*eggs", pantry="cake", tables={0: [made("jam", marked=True)]})
    table.nyamonas(0, 1, "cake")
    assert not table.dessert(2).marked


def test_me_8_an_invention_too():
    table = given(
        "nyamonas *nuts", "*eggs", pantry="cake", tables={0: [invention("*milk", "*lemon")]}
    )
    table.nyamonas(0, 1, "cake")
    assert table["*milk"] in table.stack("milk")
    assert table["*lemon"] in table.stack("lemon")
    assert table.desserts(0) == ["cake"]


def test_me_8_only_ones_own_for_the_top_recipe():
    table = given(
        "nyamonas *nuts",
        "*eggs",
        pantry="*lemon *lemon2 ladle",
        tables={0: [made("jam")], 1: [made("cake")]},
    )
    with refused("ME-8", "not_your_dessert", pointer="/dessert"):
        table.nyamonas(0, 2, "*lemon2")
    with refused("ME-0", "no_such_dessert", pointer="/dessert"):
        table.nyamonas(0, 3, "*lemon2")
    with refused("ME-8", "not_on_top", pointer="/takes"):
        table.nyamonas(0, 1, "*lemon")
    with refused("ME-8", "special_has_no_recipe", pointer="/takes"):
        table.nyamonas(0, 1, "ladle")


# ME-9


def pavlova(hand="maiti *nuts", **more):
    """Seat 0 has a pavlova (2) with a meringue (1) nested in it."""
    meringue = made("meringue", "*eggs2", "*eggs3", "*sugar", **more)
    return given(
        hand, "*milk", pantry="*eggs4", tables={0: [made("pavlova", meringue, "*berries")]}
    )


ORDER = "pavlova meringue *eggs2 *eggs3 *sugar *berries"


@pytest.mark.parametrize("place", range(6))
def test_me_9_maiti_keeps_any_card_for_the_hand(place):
    table = pavlova()
    kept = table.all(ORDER)[place]
    table.maiti(0, 2, Hand(place))
    assert kept in table.hand(0)
    assert table.desserts(0) == []
    rest = [card for index, card in enumerate(table.all(ORDER)) if index != place]
    for card in rest:
        assert card in table.stack(INGREDIENT[card])


@pytest.mark.parametrize("place", range(6))
def test_me_9_or_any_dual_card_as_a_dessert_of_its_own(place):
    table = pavlova()
    kept = table.all(ORDER)[place]
    table.maiti(0, 2, Alone(place))
    dessert = table.dessert(3)
    assert (dessert.card, dessert.parts, dessert.marked) == (kept, (), False)
    assert table.screams == [0, 0]


@pytest.mark.parametrize("marked", [False, True])
def test_me_9_or_a_nested_dessert_with_its_cards_and_its_mark(marked):
    table = pavlova(marked=marked)
    nested = table.dessert(2).parts[0]
    assert nested.marked is marked
    table.maiti(0, 2, Nested(1))
    assert table.game.players[0].desserts == (nested,)
    assert table["*berries"] in table.stack("berries")
    assert table["pavlova"] in stack_of(table, "pavlova")
    assert table.stack("eggs") == table.all("*eggs4") or INGREDIENT[table["pavlova"]] == "eggs"


def test_me_9_nested_twice():
    cake = made("cake", made("sponge", "*flour", "*eggs"), made("custard", "*milk2", "*butter"))
    wedding = made("wedding_cake", cake, made("meringue"))
    table = given("maiti *nuts", "*milk", tables={0: [wedding]})
    order = cards_of(table.dessert(5))
    table.maiti(0, 5, Nested(2))
    assert table.desserts(0) == ["custard"]
    assert cards_of(table.dessert(2)) == table.all("custard *milk2 *butter")
    gone = [card for card in order if card not in cards_of(table.dessert(2))]
    for name, stack in table.game.pantry.items():
        laid = [card for card in gone if INGREDIENT[card] == name]
        under = [table["maiti"]] if INGREDIENT[table["maiti"]] == name else []
        assert list(stack) == [*laid[::-1], *under]


def test_me_9_the_rest_goes_to_the_pantry_in_order():
    table = pavlova()
    table.maiti(0, 2, Hand(0))
    for name in ("eggs", "sugar", "berries"):
        laid = [card for card in table.all(ORDER)[1:] if INGREDIENT[card] == name]
        left = table.all("*eggs4") if name == "eggs" else ()
        under = (table["maiti"],) if INGREDIENT[table["maiti"]] == name else ()
        assert table.stack(name) == (*laid[::-1], *left, *under)


def test_me_9_the_recipe_taken_back_is_cooked_again():
    table = given("maiti *nuts", "*milk", tables={0: [made("marshmallow", "*sugar", "*eggs")]})
    table.maiti(0, 1, Hand(0)).cook(0, "marshmallow", "p:*sugar p:*eggs")
    assert table.screams[0] == BY_RECIPE["marshmallow"].screams
    assert table.dessert(2).recipe == "marshmallow"


def test_me_9_a_special_taken_back_has_its_effect_again():
    table = given("maiti *lemon *lemon2", "*milk", tables={0: [made("jam", "ladle")]})
    table.maiti(0, 1, Hand(1)).ladle(0, "h:*lemon h:*lemon2")
    assert table.screams[0] == 4


def test_me_9_a_special_is_no_dessert():
    table = given("maiti *nuts", "*milk", tables={0: [made("jam", "ladle")]})
    with refused("ME-9", "special_has_no_recipe", pointer="/keeps/place"):
        table.maiti(0, 1, Alone(1))
    assert Alone(1) not in table.forms(0, "ask_maiti")[0].keeps.values


def test_me_9_an_invention_is_broken_too():
    table = given("maiti *nuts", "*eggs", tables={0: [invention("*milk", "*lemon")]})
    table.maiti(0, 1, Alone(1))
    assert table.dessert(2).card == table["*lemon"]
    assert table.stack("milk") == table.all("*milk") or INGREDIENT[table["maiti"]] == "milk"


def test_me_9_only_ones_own_and_only_what_is_in_it():
    table = given("maiti *nuts", "*milk", tables={0: [made("jam")], 1: [made("cake")]})
    with refused("ME-9", "not_your_dessert", pointer="/dessert"):
        table.maiti(0, 2, Hand(0))
    with refused("ME-9", "no_such_place", pointer="/keeps/place"):
        table.maiti(0, 1, Hand(1))
    with refused("ME-9", "not_nested", pointer="/keeps/dessert"):
        table.maiti(0, 1, Nested(1))
    with refused("ME-0", "no_such_dessert", pointer="/dessert"):
        table.maiti(0, 9, Hand(0))


# ME-10


def test_me_10_a_packet_replaces_an_ingredient():
    ingredient = INGREDIENT[given("packet", "*milk")["packet"]]
    table = given("marshmallow packet *eggs *nuts", "*milk", pantry=f"*{ingredient}2")
    table.cook(0, "marshmallow", "k:packet h:*eggs")
    dessert = table.dessert(1)
    assert dessert.marked
    assert dessert.parts == table.all("*eggs")
    assert table.screams == [0, 0]
    assert "cheered" not in table.tags()
    assert table.stack(ingredient) == table.all(f"*{ingredient}2 packet")


def test_me_10_several_packets_several_ingredients():
    table = given("marshmallow packet packet2 *nuts", "*milk")
    table.cook(0, "marshmallow", "k:packet k:packet2")
    assert table.dessert(1).parts == ()
    assert table.dessert(1).marked


def test_me_10_that_it_is_missing_is_not_checked():
    table = given("marshmallow packet *sugar *eggs *nuts", "*milk")
    table.cook(0, "marshmallow", "k:packet h:*eggs")
    assert table["*sugar"] in table.hand(0)


def test_me_10_nobody_gets_screams():
    table = given("birds_milk packet *nuts", "*milk", tables={1: [made("marshmallow")]})
    table.cook(0, "birds_milk", "t:1 k:packet")
    assert table.screams == [0, 0]
    assert table.event("cooked").shares == ()


def test_me_10_what_uses_a_marked_dessert_brings_half_and_is_not_marked():
    table = given("cake *nuts", "*milk", tables={0: [made("sponge", marked=True), made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    assert table.screams == [BY_RECIPE["cake"].screams / 2, 0]
    assert not table.dessert(3).marked


def test_me_10_halved_once_only():
    sponge, custard = made("sponge", marked=True), made("custard", marked=True)
    table = given("cake *nuts", "*milk", tables={1: [sponge, custard]})
    table.cook(0, "cake", "t:1 t:2")
    halves = BY_RECIPE["cake"].screams
    assert table.screams == [halves / 2, (halves // 2) / 2]


def test_me_10_the_mark_deeper_down_does_not_count():
    cake = made("cake", made("sponge", marked=True), made("custard"))
    table = given("wedding_cake *cream *berries", "*milk", tables={0: [cake]})
    table.cook(0, "wedding_cake", "t:3 h:*cream h:*berries")
    assert table.screams[0] == BY_RECIPE["wedding_cake"].screams


def test_me_10_only_a_packet_and_only_for_a_basic_ingredient():
    table = given("cake packet *nuts", "*milk", tables={0: [made("sponge"), made("custard")]})
    with refused("ME-10", "packet_for_a_dessert", pointer="/sources/1"):
        table.cook(0, "cake", "t:1 k:packet")
    table = given("marshmallow *sugar *eggs", "*milk")
    with refused("ME-10", "no_packet", pointer="/sources/0"):
        table.cook(0, "marshmallow", "k:*sugar h:*eggs")


def test_me_10_in_a_ladle_it_is_a_plain_ingredient():
    table = given("ladle packet *milk *nuts", "*eggs")
    table.ladle(0, "h:packet h:*milk")
    dessert = table.dessert(1)
    assert not dessert.marked
    assert dessert.parts == table.all("packet *milk")
    assert table.screams[0] == 4


# ME-11


@pytest.mark.parametrize(
    ("sources", "base"), [("h:*sugar p:*milk", 2), ("p:*milk h:*sugar p:*milk2", 3)]
)
def test_me_11_heads_doubles(sources, base):
    table = given("ladle *sugar *nuts", "*eggs", pantry="*milk2 *milk")
    table.ladle(0, sources, heads=True)
    assert table.screams == [2 * base, 0]
    dessert = table.dessert(1)
    assert (dessert.recipe, dessert.card, len(dessert.parts)) == (None, None, base)
    assert len(table.event("cheered").sounds) == 2 * base


def test_me_11_tails_spoils_the_ingredients():
    table = given("ladle *sugar *nuts", "*eggs", pantry="*milk")
    table.ladle(0, "h:*sugar p:*milk", heads=False)
    assert table.screams == [0, 0]
    assert table.desserts(0) == []
    assert table.game.spoiled == tuple(sorted(table.all("*sugar *milk")))
    assert "cheered" not in table.tags()


@pytest.mark.parametrize("heads", [False, True])
def test_me_11_the_ladle_goes_to_the_pantry_and_the_turn_goes_on(heads):
    table = given("ladle *sugar *nuts", "*eggs", pantry="*milk")
    table.ladle(0, "h:*sugar p:*milk", heads=heads)
    assert stack_of(table, "ladle") == table.all("ladle")
    assert table.game.decision.asked == (0,)
    assert {"stock"} <= set(table.legal(0))


def test_me_11_its_name_stays_beside_the_log():
    table = given("ladle *sugar *nuts", "*eggs", pantry="*milk")
    text = TextRef("t1", "ab" * 32)
    table.ladle(0, "h:*sugar p:*milk", text=text)
    invented = table.event("invented")
    assert invented.text == text
    assert table.dessert(1).text == text
    assert MEMESIO.action_of(invented).name == ""
    assert "Cloud" not in repr(table.records)


def test_me_11_ingredients_may_repeat_and_come_from_the_tops():
    table = given("ladle *nuts", "*eggs", pantry="*milk *milk2 *milk3")
    with refused("ME-3", "not_on_top", pointer="/sources/1"):
        table.ladle(0, "p:*milk3 p:*milk")
    table.ladle(0, "p:*milk3 p:*milk2 p:*milk")
    assert table.stack("milk") == () or INGREDIENT[table["ladle"]] == "milk"


def test_me_11_an_invention_is_a_component_of_nothing():
    table = given(
        "cake *nuts", "*eggs", tables={0: [invention("*milk", "*lemon"), made("custard")]}
    )
    with refused("ME-11", "invention_is_no_component", pointer="/sources/0"):
        table.cook(0, "cake", "t:1 t:2")


def test_me_11_it_takes_two_ingredients():
    assert "invent" not in given("ladle *nuts", "*eggs").legal(0)
    assert "invent" in given("ladle *nuts", "*eggs", pantry="*milk").legal(0)
    [form] = given("ladle *nuts *lemon", "*eggs").forms(0, "invent")
    assert (form.sources.least, form.sources.most) == (2, 2)
