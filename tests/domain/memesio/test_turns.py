"""Acting, set-up, turns, stocking, cheers, leaving: ME-0 to ME-2, ME-5, ME-12, ME-15, ME-16."""

from collections import Counter

import pytest

from domain.kernel.viewer import SEALED, Sight
from domain.memesio.actions import Cook, Stock
from domain.memesio.cards import CARDS, DECK
from domain.memesio.options import Options
from domain.memesio.ruleset import MEMESIO
from domain.memesio.view import track
from tests.domain.memesio.scenario import Table, given, made, refused

# ME-0


def test_me_0_only_who_is_asked_may_act():
    table = given("*sugar", "*eggs")
    with refused("ME-0", "not_your_turn"):
        table.stock(1, "*eggs")
    assert table.legal(1) == []


def test_me_0_a_card_must_be_held():
    table = given("*sugar", "*eggs marshmallow")
    with refused("ME-0", "card_not_held", pointer="/card"):
        table.stock(0, "*eggs")
    with refused("ME-0", "card_not_held", pointer="/card"):
        table.cook(0, "marshmallow", "h:*sugar h:*eggs")


def test_me_0_a_source_must_be_held():
    table = given("marshmallow *sugar", "*eggs")
    with refused("ME-0", "card_not_held", pointer="/sources/1"):
        table.cook(0, "marshmallow", "h:*sugar h:*eggs")


def test_me_0_a_card_may_be_named_once():
    table = given("caramel *sugar *butter", "*eggs", pantry="*sugar2")
    with refused("ME-0", "named_twice", pointer="/sources/1"):
        table.cook(0, "caramel", "h:*sugar h:*sugar h:*butter")


def test_me_0_a_card_that_is_played_is_no_source_as_well():
    table = given("ladle *sugar", "*milk")
    with refused("ME-0", "named_twice", pointer="/sources/1"):
        table.ladle(0, "h:*sugar h:ladle")
    assert all(
        card.recipe is None or card.ingredient not in card.recipe.components for card in CARDS
    ), "no recipe card could be named as its own ingredient"


def test_me_0_a_dessert_may_be_named_once_and_must_be_there():
    table = given("cake", "*eggs", tables={0: [made("sponge"), made("custard")]})
    with refused("ME-0", "no_such_dessert", pointer="/sources/1"):
        table.cook(0, "cake", "t:1 t:3")
    with refused("ME-0", "dessert_named_twice", pointer="/sources/1"):
        table.cook(0, "cake", "t:1 t:1")


def test_me_0_nothing_after_the_end():
    table = given("*sugar", "*eggs", deck="").stock(0, "*sugar")
    assert table.outcome.reason == "ME-13"
    with refused(None, "game_over", code="game-over"):
        table.stock(1, "*eggs")


# ME-1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_me_1_four_cards_each_and_four_for_the_pantry(seats):
    table = Table(seats)
    shuffled, *dealt, opened, drawn, began = table.events[1:]
    assert sorted(shuffled.order) == sorted(DECK)
    assert [(event.seat, event.count) for event in dealt] == [(seat, 4) for seat in range(seats)]
    for seat, event in enumerate(dealt):
        assert Counter(event.cards) == Counter(shuffled.order[4 * seat : 4 * seat + 4])
    assert opened.cards == shuffled.order[4 * seats : 4 * seats + 4]
    assert drawn.chance == shuffled.chance + 1
    assert began.seat == drawn.seat
    assert began.cards == shuffled.order[4 * seats + 4 : 4 * seats + 5]


def test_me_1_the_pantry_is_stacked_by_ingredient():
    for number in range(40):
        table = Table(2, seed=f"{number:064x}")
        opened = table.event("pantry_opened").cards
        stacks = table.game.pantry
        assert Counter(card for stack in stacks.values() for card in stack) == Counter(opened)
        for name, stack in stacks.items():
            laid = [card for card in opened if card.endswith(f"-{name}")]
            assert list(stack) == laid[::-1], "the card laid last is on top"


def test_me_1_the_option_names_the_first_player():
    table = Table(3, Options(first_player=2))
    assert "first_player_drawn" not in table.tags()
    assert table.game.decision.asked == (2,)


def test_me_1_the_first_player_must_be_a_seat():
    with refused("ME-1", "no_such_first_player", code="invalid", pointer="/options/first_player"):
        Table(3, Options(first_player=3))


# ME-2


def test_me_2_a_turn_draws_one_card_and_ends_with_one_play():
    table = given("*sugar", "*eggs", deck="*milk *butter ladle")
    table.stock(0, "*sugar")
    began = table.event("turn_began")
    assert (began.seat, began.cards) == (1, table.all("*milk"))
    assert table.hand(1) == tuple(sorted(table.all("*eggs *milk")))
    assert table.game.decision.asked == (1,)


def test_me_2_without_a_deck_nothing_is_drawn():
    table = given("*sugar", "*eggs ladle", pantry="*milk *butter", deck="")
    table.stock(0, "*sugar")
    assert table.event("turn_began").count == 0
    assert table.hand(1) == tuple(sorted(table.all("*eggs ladle")))


def test_me_2_any_number_of_special_cards_before_the_play():
    table = given(
        "memesio memesio2 *sugar", "*eggs", pantry="*milk *butter", tables={0: [made("jam")]}
    )
    table.memesio(0, "*milk").memesio(0, "*butter", "memesio2")
    assert set(table.all("*milk *butter")) <= set(table.hand(0))
    assert table.game.decision.asked == (0,)
    table.stock(0, "*sugar")
    assert table.game.decision.asked == (1,)


def test_me_2_the_last_card_played_as_a_special_ends_the_turn():
    table = given(
        "nyamonas",
        "*eggs",
        pantry="sponge",
        tables={0: [made("jam", "*berries", "*sugar")]},
        deck="*milk ladle *butter",
    )
    table.nyamonas(0, 1, "sponge")
    assert table.tags() == ["nyamonas_asked", "turn_began"]
    assert table.game.decision.asked == (1,)


def test_me_2_the_ladle_may_take_the_last_cards_of_a_hand():
    table = given("ladle *sugar *milk", "*eggs", deck="*milk2 ladle2 *butter")
    table.ladle(0, "h:*sugar h:*milk")
    assert table.tags() == ["invented", "coin_tossed", "cheered", "turn_began"]
    assert table.hand(0) == ()


def test_me_2_a_seat_without_a_card_is_passed_over():
    table = given("*sugar *milk", "", "*eggs ladle", pantry="*milk2 *butter", deck="")
    table.stock(0, "*sugar")
    assert table.tags() == ["stocked", "turn_began", "turn_began"]
    assert [event.awaits for event in table.events[1:]] == [(), (2,)]


# ME-5


def test_me_5_a_card_goes_on_top_of_its_stack():
    table = given("*sugar", "*eggs", pantry="*sugar2 *sugar3")
    table.stock(0, "*sugar")
    assert table.stack("sugar") == table.all("*sugar *sugar3 *sugar2")


def test_me_5_a_new_ingredient_brings_a_scream_to_who_can_cook_nothing():
    table = given("*sugar wedding_cake", "*eggs", pantry="*milk")
    table.stock(0, "*sugar")
    assert table.event("stocked").screams == 2
    assert table.screams == [1, 0]


def test_me_5_an_ingredient_that_is_there_brings_none():
    table = given("*sugar wedding_cake", "*eggs", pantry="*sugar2")
    table.stock(0, "*sugar")
    assert table.screams == [0, 0]


def test_me_5_who_could_cook_may_stock_but_gets_no_scream():
    """The hand counts as it was before: also the card that is stocked."""
    table = given("*sugar marshmallow", "*eggs", pantry="*eggs2")
    table.stock(0, "*sugar")
    assert table.screams == [0, 0]


def test_me_5_the_desserts_of_others_count():
    table = given("*sugar birds_milk *chocolate", "*eggs", tables={1: [made("marshmallow")]})
    table.stock(0, "*sugar")
    assert table.screams == [0, 0]


def test_me_5_a_turtle_packet_does_not_count():
    table = given("*sugar marshmallow packet", "*milk")
    assert "cook" in table.legal(0), "with the packet one could cook"
    table.stock(0, "*sugar")
    assert table.screams == [1, 0]


def test_me_5_the_recipe_card_is_not_counted_as_its_own_ingredient():
    table = given("caramel *sugar", "*milk", pantry="*butter")
    with_another = given("caramel *sugar *sugar2", "*milk", pantry="*butter")
    table.stock(0, "*sugar")
    with_another.stock(0, "*sugar")
    assert (table.screams, with_another.screams) == ([1, 0], [0, 0])


# ME-12


def test_me_12_opponents_cheer_in_seat_order_from_the_next():
    hands = ["*milk", "marshmallow *sugar *eggs", "*milk2", "*milk3"]
    table = given(*hands, turn=1)
    table.cook(1, "marshmallow", "h:*sugar h:*eggs")
    cheered = table.event("cheered")
    assert cheered.seat == 1
    assert [sound.seat for sound in cheered.sounds] == [2, 3]
    assert table.game.decision.asked == (2,), "nothing waits for the sounds"


def test_me_12_they_go_round_as_long_as_sounds_are_owed():
    table = given("cake", "*milk", "*eggs", tables={0: [made("sponge"), made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    sounds = [sound.seat for sound in table.event("cheered").sounds]
    assert sounds == ([1, 2] * len(sounds))[: len(sounds)]
    assert len(sounds) == table.screams[0]


def test_me_12_who_has_left_does_not_cheer():
    table = given("*milk", "marshmallow *sugar *eggs", "*milk2", "*milk3", turn=1)
    table.leaves(2).cook(1, "marshmallow", "h:*sugar h:*eggs")
    assert [sound.seat for sound in table.event("cheered").sounds] == [3, 0]


def test_me_12_for_halves_the_cook_cheers():
    table = given("cake", "*milk", "*eggs", tables={0: [made("sponge")], 2: [made("custard")]})
    table.cook(0, "cake", "t:1 t:2")
    _, own, half, _ = table.events
    assert (own.seat, half.seat) == (0, 2)
    assert {sound.seat for sound in half.sounds} == {0}
    assert len(half.sounds) == len(own.sounds) // 2


def test_me_12_none_for_stocking_and_none_for_half_a_scream():
    table = given("*sugar wedding_cake", "*eggs").stock(0, "*sugar")
    assert "cheered" not in table.tags()
    table = given(
        "birds_milk", "*eggs", pantry="*chocolate", tables={1: [made("marshmallow", marked=True)]}
    )
    table.cook(0, "birds_milk", "t:1 p:*chocolate")
    assert [len(event.sounds) for event in table.events if event.__class__.__name__ == "Cheered"]


def test_me_12_laps_count_from_one_and_cells_from_nought():
    assert [(track(score).lap, track(score).half_cell) for score in (0, 39, 40, 81)] == [
        (1, 0), (1, 39), (2, 0), (3, 1),
    ]  # fmt: skip


# ME-15


def test_me_15_hands_and_the_deck_are_hidden_and_nothing_else():
    table = given("*sugar", "*eggs ladle", pantry="*milk *milk2", tables={1: [made("jam")]})
    for seats in ((), (0,), (1,)):
        board = MEMESIO.board(table.game, Sight(seats=seats))
        assert board.deck is None
        assert board.deck_count == len(table.game.deck)
        for player in board.players:
            hand = table.hand(player.seat)
            assert player.hand == (hand if player.seat in seats else None)
            assert player.hand_count == len(hand)
        assert board.pantry[0].cards == table.all("*milk2 *milk")
        assert board.players[1].desserts == table.game.players[1].desserts
    judge = MEMESIO.board(table.game, Sight(judge=True))
    assert [player.hand for player in judge.players] == [table.hand(0), table.hand(1)]
    assert judge.deck is None
    assert MEMESIO.board(table.game, SEALED).deck == table.game.deck


# ME-16


def test_me_16_who_leaves_is_played_on_by_default():
    table = given("*sugar *milk", "*eggs wedding_cake", "*butter", deck="*flour *nuts *honey ladle")
    table.leaves(1)
    assert table.tags() == ["seat_left"]
    table.stock(0, "*sugar")
    assert table.tags() == ["stocked", "turn_began", "stocked", "turn_began"]
    _, began, stocked, _ = table.events
    assert (began.seat, began.awaits, began.cards) == (1, (), table.all("*flour"))
    assert (stocked.seat, stocked.screams) == (1, 0)
    assert stocked.chance is not None
    assert MEMESIO.action_of(stocked) is None
    assert table.game.decision.asked == (2,)


def test_me_16_leaving_in_ones_own_turn_answers_it():
    table = given("*sugar *milk", "*eggs", "*butter")
    table.leaves(0)
    assert table.tags() == ["seat_left", "stocked", "turn_began"]
    assert table.screams == [0, 0, 0]


def test_me_16_halves_still_count_for_who_left():
    table = given("cake", "*milk", "*eggs", tables={1: [made("sponge"), made("custard")]})
    table.leaves(1).cook(0, "cake", "t:1 t:2")
    assert table.screams[1] == table.screams[0] / 2


def test_me_16_who_left_cannot_win():
    table = given("*sugar", "*eggs", "*milk", deck="", scores=[0, 30, 2])
    table.leaves(1).stock(0, "*sugar")
    assert table.outcome.winners == (2,)
    assert table.outcome.scores == (2, 60, 4)


def test_me_16_the_last_one_wins():
    table = given("*sugar", "*eggs", "*milk", scores=[1, 30, 2])
    table.leaves(1).leaves(2)
    assert (table.outcome.reason, table.outcome.winners) == ("ME-16", (0,))


def test_me_16_a_clock_defaults_one_decision_only():
    table = given("*sugar", "*eggs", "*milk")
    table.lapses(0)
    stocked = table.event("stocked")
    assert (stocked.seat, stocked.screams, stocked.chance is None) == (0, 0, False)
    assert not table.game.players[0].left
    table.act(1, Stock(table["*eggs"])).act(2, Stock(table["*milk"]))
    assert table.game.decision.asked == (0,)


def test_me_16_the_random_card_is_any_of_the_hand():
    stocked = set()
    for number in range(40):
        table = Table(2, seed=f"{number:064x}")
        seat = table.game.decision.asked[0]
        hand = table.hand(seat)
        table.lapses(seat)
        stocked.add(hand.index(table.event("stocked").card))
    assert stocked == {0, 1, 2, 3, 4}


def test_an_action_names_its_sources_exactly():
    table = given("marshmallow *sugar *eggs", "*milk")
    table.cook(0, "marshmallow", "h:*sugar h:*eggs")
    action = MEMESIO.action_of(table.event("cooked"))
    assert action == Cook(table["marshmallow"], table.sources("h:*sugar h:*eggs"))
