"""Cooking and its success: ME-3, ME-4 and what the list of legal actions says of them."""

from domain.kernel.forms import fits
from domain.memesio.actions import Cook
from domain.memesio.cards import BY_RECIPE, INGREDIENT
from domain.memesio.choices import Serving
from domain.memesio.sources import FromHand, FromPacket, FromPantry, FromTable
from domain.memesio.state import Dessert, cards_of
from tests.domain.memesio.scenario import given, made, refused

CAKE = BY_RECIPE["cake"].screams

# ME-3


def test_me_3_from_hand():
    table = given("marshmallow *sugar *eggs ladle", "*milk")
    table.cook(0, "marshmallow", "h:*sugar h:*eggs")
    dessert = table.dessert(1)
    assert (dessert.recipe, dessert.card) == ("marshmallow", table["marshmallow"])
    assert dessert.parts == table.all("*sugar *eggs")
    assert table.hand(0) == table.all("ladle")


def test_me_3_from_the_pantry_and_the_next_card_becomes_the_top():
    table = given("marshmallow *milk2", "*milk", pantry="*sugar *sugar2 *eggs")
    table.cook(0, "marshmallow", "p:*sugar2 p:*eggs")
    assert table.stack("sugar") == table.all("*sugar")
    assert "eggs" not in table.game.pantry


def test_me_3_only_the_top_of_a_stack():
    table = given("marshmallow *milk2", "*milk", pantry="*sugar *sugar2 *eggs")
    with refused("ME-3", "not_on_top", pointer="/sources/0"):
        table.cook(0, "marshmallow", "p:*sugar p:*eggs")


def test_me_3_an_ingredient_twice_from_one_stack_in_the_order_taken():
    table = given("caramel *milk2", "*milk", pantry="*sugar *sugar2 *sugar3 *butter")
    with refused("ME-3", "not_on_top", pointer="/sources/0"):
        table.cook(0, "caramel", "p:*sugar2 p:*sugar3 p:*butter")
    with refused("ME-3", "not_on_top", pointer="/sources/1"):
        table.cook(0, "caramel", "p:*sugar3 p:*sugar p:*butter")
    table.cook(0, "caramel", "p:*sugar3 p:*sugar2 p:*butter")
    assert table.dessert(1).parts == table.all("*sugar3 *sugar2 *butter")
    assert table.stack("sugar") == table.all("*sugar")


def test_me_3_an_ingredient_twice_from_hand_and_pantry_either_way():
    for sources in ("h:*sugar2 p:*sugar p:*butter", "p:*sugar h:*sugar2 p:*butter"):
        table = given("caramel *sugar2 *milk2", "*milk", pantry="*sugar *butter")
        table.cook(0, "caramel", sources)
        assert table.desserts(0) == ["caramel"]


def test_me_3_own_and_foreign_desserts_go_under_the_new_one():
    """A foreign dessert nested in an own one, with its cards."""
    table = given(
        "cake *milk2",
        "*milk",
        tables={0: [made("sponge", "*flour", "*eggs")], 1: [made("custard", "*milk3", "*butter")]},
    )
    sponge, custard = table.dessert(1), table.dessert(2)
    table.cook(0, "cake", "t:1 t:2")
    assert table.desserts(0) == ["cake"]
    assert table.desserts(1) == []
    assert table.dessert(3).parts == (sponge, custard)
    assert cards_of(table.dessert(3)) == table.all(
        "cake sponge *flour *eggs custard *milk3 *butter"
    )


def test_me_3_a_nested_dessert_is_used_no_more():
    table = given("cake *milk2", "napoleon *flour", tables={0: [made("sponge"), made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    assert "cook" not in table.legal(1)
    with refused("ME-0", "no_such_dessert", pointer="/sources/0"):
        table.cook(1, "napoleon", "t:2 h:*flour h:*flour")


def test_me_3_a_special_card_is_an_ingredient_too():
    special = given("packet", "*milk")["packet"]
    ingredient = INGREDIENT[special]
    recipe = next(
        each for each in BY_RECIPE.values() if each.level == 1 and ingredient in each.components
    )
    others = [f"*{name}" for name in recipe.components if name != ingredient]
    table = given(f"{recipe.id} packet *nuts {' '.join(others)}", "*honey")
    sources = ["h:packet" if name == ingredient else f"h:*{name}" for name in recipe.components]
    table.cook(0, recipe.id, " ".join(sources))
    assert special in table.dessert(1).parts
    assert table.screams[0] == recipe.screams


def test_me_3_each_component_by_its_own():
    table = given("marshmallow *sugar *eggs", "*milk", tables={1: [made("jam")]})
    with refused("ME-3", "wrong_component", pointer="/sources/0"):
        table.cook(0, "marshmallow", "h:*eggs h:*sugar")
    with refused("ME-3", "wrong_component", pointer="/sources/1"):
        table.cook(0, "marshmallow", "h:*sugar t:1")
    with refused("ME-3", "component_count", pointer="/sources"):
        table.cook(0, "marshmallow", "h:*sugar h:*eggs h:*eggs")


def test_me_3_an_ingredient_is_no_dessert():
    table = given("cake sponge2", "*milk", tables={0: [made("sponge"), made("custard")]})
    with refused("ME-3", "wrong_component", pointer="/sources/0"):
        table.cook(0, "cake", "h:sponge2 t:2")


def test_me_3_a_special_card_has_no_recipe():
    table = given("ladle *sugar *eggs", "*milk")
    with refused("ME-3", "special_has_no_recipe", pointer="/card"):
        table.cook(0, "ladle", "h:*sugar h:*eggs")


# ME-4


def test_me_4_the_cook_gets_the_screams():
    table = given("cake *milk2", "*milk", tables={0: [made("sponge"), made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    assert table.screams == [CAKE, 0]
    assert table.event("cooked").shares == ()


def test_me_4_each_author_gets_half():
    table = given(
        "cake *nuts", "*milk", "*eggs", tables={1: [made("sponge")], 2: [made("custard")]}
    )
    table.cook(0, "cake", "t:1 t:2")
    assert table.screams == [CAKE, CAKE / 2, CAKE / 2]


def test_me_4_half_once_however_many_were_used():
    table = given("cake *nuts", "*milk", tables={1: [made("sponge"), made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    assert table.screams == [CAKE, CAKE / 2]


def test_me_4_halves_are_exact():
    recipe = BY_RECIPE["pavlova"]
    assert recipe.screams % 2 == 1
    table = given("pavlova *berries", "*milk", tables={1: [made("meringue")]})
    table.cook(0, "pavlova", "t:1 h:*berries")
    assert table.screams == [recipe.screams, recipe.screams / 2]


def test_me_4_a_quarter_is_rounded_down_to_a_half():
    recipe = BY_RECIPE["pavlova"]
    table = given("pavlova *berries", "*milk", tables={1: [made("meringue", marked=True)]})
    table.cook(0, "pavlova", "t:1 h:*berries")
    assert table.screams == [recipe.screams / 2, (recipe.screams // 2) / 2]
    assert recipe.screams / 4 > table.screams[1] > recipe.screams / 4 - 0.5


def test_me_4_who_made_a_nested_dessert_gets_nothing():
    """Only the desserts that are used directly count, by the seat that they lie before."""
    table = given(
        "honey_cake *cream *honey *nuts",
        "kubik_castle *lemon",
        "*eggs",
        tables={1: [made("brittle")], 2: [made("sponge")]},
    )
    table.cook(0, "honey_cake", "t:2 h:*honey h:*cream")
    before = table.screams
    table.cook(1, "kubik_castle", "t:3 t:1 h:*lemon")
    castle = BY_RECIPE["kubik_castle"].screams
    assert table.screams == [before[0] + castle / 2, castle, before[2]]


# The list.


def form_of(table, seat, card):
    [form] = [form for form in table.forms(seat, "cook") if form.card == table[card]]
    return form


def test_the_list_has_the_sources_of_each_component():
    table = given("caramel *sugar packet *nuts", "*milk", pantry="*sugar2 *sugar3 *sugar4 *butter")
    sources = form_of(table, 0, "caramel").sources
    turtle = FromPacket(table["packet"])
    own = FromHand(table["*sugar"])
    stack = [FromPantry(card) for card in table.stack("sugar")]
    assert [component.name for component in sources.components] == list(
        BY_RECIPE["caramel"].components
    )
    assert sources.components[0].sources == (own, stack[0], turtle)
    assert sources.components[1].sources == (own, stack[0], stack[1], turtle)
    assert sources.components[2].sources == (FromPantry(table["*butter"]), turtle)
    assert sources.stacks == (table.stack("sugar")[:2], table.stack("butter"))


def test_the_list_says_who_would_earn_what():
    table = given(
        "cake *nuts",
        "*milk",
        tables={0: [made("sponge")], 1: [made("sponge2", marked=True), made("custard")]},
    )
    sources = form_of(table, 0, "cake").sources
    assert sources.components[0].sources == (FromTable(1), FromTable(2))
    assert set(sources.servings) == {
        Serving(1, 0, False), Serving(2, 1, True), Serving(3, 1, False),
    }  # fmt: skip
    assert (sources.full, sources.halved) == (2 * CAKE, CAKE)


def test_the_list_has_only_what_can_be_cooked():
    table = given("caramel *sugar *butter *nuts", "*milk")
    assert "cook" not in table.legal(0)
    table = given("caramel *sugar *butter packet", "*milk")
    assert "cook" in table.legal(0)


def test_a_packet_is_not_counted_twice():
    """A packet whose own ingredient is wanted helps only if that ingredient is to spare."""
    packet = given("packet", "*milk")["packet"]
    ingredient = packet.split("-")[1]
    recipe = next(
        each
        for each in BY_RECIPE.values()
        if set(each.components) - {ingredient} and ingredient in each.components and each.level == 1
    )
    assert len(recipe.components) == 2
    other = next(name for name in recipe.components if name != ingredient)
    alone = given(f"{recipe.id} packet", "*milk")
    assert "cook" not in alone.legal(0)
    helped = given(f"{recipe.id} packet *{other}", "*milk")
    assert "cook" in helped.legal(0)
    spare = given(f"{recipe.id} packet *{ingredient}", "*milk")
    assert "cook" in spare.legal(0)


def test_a_form_fits_what_is_accepted_and_nothing_else():
    table = given("caramel *sugar *nuts", "*milk", pantry="*sugar2 *sugar3 *butter")
    form = form_of(table, 0, "caramel")
    top, below = (FromPantry(card) for card in table.stack("sugar"))
    own, butter = FromHand(table["*sugar"]), FromPantry(table["*butter"])
    right = [(own, top, butter), (top, own, butter), (top, below, butter)]
    wrong = [(below, top, butter), (own, below, butter), (own, own, butter), (own, top)]
    assert all(fits(form, Cook(form.card, sources)) for sources in right)
    assert not any(fits(form, Cook(form.card, sources)) for sources in wrong)


def test_numbers_tell_desserts_apart_for_ever():
    table = given("marshmallow *sugar *eggs *nuts", "jam *berries *sugar2 *nuts2")
    table.cook(0, "marshmallow", "h:*sugar h:*eggs").cook(1, "jam", "h:*berries h:*sugar2")
    assert [player.desserts[0].number for player in table.game.players] == [1, 2]
    assert isinstance(table.dessert(2), Dessert)
