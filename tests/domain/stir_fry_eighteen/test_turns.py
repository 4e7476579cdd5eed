"""Set-up, turns and their end: SF-0, SF-1, SF-2, SF-12, SF-13."""

from collections import Counter

import msgspec
import pytest

from domain.kernel.errors import Refusal
from domain.stir_fry_eighteen.actions import (
    ACTIONS,
    Call,
    Cook,
    DiscardPair,
    DiscardProtein,
    EndTurn,
    Pass,
    Reduce,
)
from domain.stir_fry_eighteen.cards import CARDS, DECK
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.stir_fry_eighteen.room import cards_of
from tests.domain.stir_fry_eighteen.scenario import Table, given, hand_of, refused, words

# SF-0


def test_sf_0_only_who_is_asked_may_act():
    table = given("noodles pork", "ginger", "noodles", turn=1)
    for seat in (0, 2):
        for action in (
            EndTurn(),
            DiscardPair(("noodles", "noodles")),
            DiscardProtein("pork", ("noodles",)),
            Cook(("noodles", "pork", "ginger")),
        ):
            with refused("SF-0", "not_your_turn"):
                table.act(seat, action)


def test_sf_0_what_is_not_asked_for_is_refused():
    """A window, a turn and a reduction each take their own actions and no others."""
    turn = given("noodles pork", "ginger")
    window = given("noodles pork", "ginger", deck="noodles noodles ginger").protein(0, "pork")
    reduction = given("noodles noodles pork ginger", "ginger").end_turn(0)
    assert [table.asks for table in (turn, window, reduction)] == [
        ("turn", (0,)),
        ("taste_test", (1,)),
        ("reduction", (0,)),
    ]
    for table, wrong in (
        (turn, (Call(), Pass(), Reduce(("pork",)))),
        (window, (EndTurn(), DiscardPair(("noodles", "noodles")), Reduce(("ginger",)))),
        (reduction, (EndTurn(), Cook(("noodles", "pork", "ginger")), Pass(), Call())),
    ):
        for seat in (0, 1):
            for action in wrong:
                with refused("SF-0", "action_not_now"):
                    table.act(seat, action)


def test_sf_0_a_card_must_be_held():
    table = given("noodles pork ginger", "mushrooms")
    with refused("SF-0", "card_not_held", pointer="/cards"):
        table.pair(0, "noodles mushrooms")
    with refused("SF-0", "card_not_held", pointer="/cards"):
        table.protein(0, "shrimp")
    with refused("SF-0", "card_not_held", pointer="/cards"):
        table.cook(0, "noodles pork mushrooms")


def test_sf_0_a_card_may_be_named_once():
    """One noodles card cannot be laid as two."""
    table = given("noodles pork", "mushrooms")
    with refused("SF-0", "card_not_held", pointer="/cards"):
        table.pair(0, "noodles noodles")
    reduction = given("noodles pork ginger ginger chicken", "mushrooms").end_turn(0)
    with refused("SF-0", "card_not_held", pointer="/cards"):
        reduction.reduce(0, "pork pork")


def test_sf_0_nothing_after_the_end():
    table = given("noodles pork mushrooms", "ginger", scores=(49, 0))
    table.cook(0, "noodles pork mushrooms")
    for seat in (0, 1):
        for action in (EndTurn(), Pass(), Cook(("noodles", "pork", "ginger"))):
            with refused(None, "game_over", code="game-over"):
                table.act(seat, action)
    with refused(None, "game_over", code="game-over"):
        table.leaves(1)
    with refused(None, "game_over", code="game-over"):
        table.lapses(1)


@pytest.mark.parametrize(
    "action",
    [
        {"type": "discard_pair", "cards": ["noodles"]},
        {"type": "discard_pair", "cards": ["noodles", "noodles", "noodles"]},
        {"type": "discard_protein", "declared": "pork", "cards": []},
        {"type": "discard_protein", "declared": "pork", "cards": ["pork", "pork"]},
        {"type": "discard_protein", "declared": "noodles", "cards": ["pork"]},
        {"type": "cook", "cards": ["noodles", "pork"]},
        {"type": "cook", "cards": ["noodles", "pork", "ginger", "shrimp", "chicken", "tofu"]},
        {"type": "reduce", "cards": []},
        {"type": "end_turn", "cards": []},
        {"type": "call", "seat": 1},
        {"type": "cook", "cards": ["noodles", "pork", "rice"]},
    ],
)
def test_sf_0_actions_of_the_wrong_shape_are_no_actions(action):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(action, STIR_FRY_EIGHTEEN.action_type)


def test_sf_0_every_kind_of_action_has_a_form():
    tags = {action.__struct_config__.tag for action in ACTIONS}
    assert {form.__struct_config__.tag for form in STIR_FRY_EIGHTEEN.forms} == tags


# SF-1


def test_sf_1_the_deck():
    assert Counter(DECK) == {
        "noodles": 5,
        "mushrooms": 3,
        "soy_sauce": 3,
        "ginger": 2,
        "green_onion": 2,
        "shrimp": 1,
        "pork": 1,
        "chicken": 1,
    }
    draws = {card.id: card.draws for card in CARDS if card.draws}
    assert draws == {"shrimp": 4, "pork": 3, "chicken": 2, "tofu": 1}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_sf_1_three_cards_each_from_the_top_seat_by_seat(seats):
    table = Table(seats, Options())
    (shuffled, *rest) = table.events[1:]
    order = shuffled.order
    assert Counter(order) == Counter(DECK)
    for seat in range(seats):
        assert rest[seat].seat == seat
        assert rest[seat].cards == tuple(sorted(order[3 * seat : 3 * seat + 3]))
    first = rest[seats].seat
    assert table.event("turn_began").cards == order[3 * seats : 3 * seats + 1]
    assert table.asks == ("turn", (first,))
    assert len(table.game.deck) == 18 - 3 * seats - 1
    assert table.game.deck == order[3 * seats + 1 :]
    assert table.refolded() == table.state


def test_sf_1_the_first_player_is_drawn_or_chosen():
    drawn = {Table(5, Options(), seed=f"{number:064x}").game.turn.seat for number in range(1, 60)}
    assert drawn == {0, 1, 2, 3, 4}
    for seat in range(3):
        table = Table(3, Options(first_player=seat))
        assert "first_player_drawn" not in table.types
        assert table.asks == ("turn", (seat,))


def test_sf_1_a_first_player_who_is_not_at_the_table_is_refused():
    """Faulty before: the game was created, and starting it failed with an IndexError."""
    with refused("SF-1", "no_such_first_player", code="invalid", pointer="/options/first_player"):
        Table(2, Options(first_player=2))
    assert Table(5, Options(first_player=4)).game.turn.seat == 4


@pytest.mark.parametrize("seats", [1, 6])
def test_sf_1_two_to_five_players(seats):
    with refused(None, "seats_out_of_range", code="invalid", pointer="/seats"):
        Table(seats, Options())


# SF-2


def test_sf_2_turns_go_in_seat_order_and_begin_with_the_top_card():
    table = Table(3, Options(first_player=2))
    for number, seat in enumerate((2, 0, 1, 2, 0), 1):
        assert table.asks == ("turn", (seat,))
        assert table.game.turn.number == number
        table.end_turn(seat)
        if table.asks[0] == "reduction":
            table.reduce(seat, table.hand(seat)[0])
        shuffled, began = table.events[-2:]
        assert began.cards == shuffled.order[:1]
        assert (began.asked, began.count) == (1, 1)
        assert began.cards[0] in table.hand((seat + 1) % 3)


# SF-12


def test_sf_12_down_to_exactly_three_at_turn_end():
    table = given("noodles noodles pork ginger ginger", "mushrooms").end_turn(0)
    assert table.types == ["turn_ended", "reduction_asked"]
    assert table.asks == ("reduction", (0,))
    assert table.event("reduction_asked").count == 2
    for cards in ("noodles", "noodles noodles pork"):
        with refused("SF-12", "reduce_to_three", pointer="/cards"):
            table.reduce(0, cards)
    table.reduce(0, "pork noodles")
    assert table.types == ["reduced", "shuffled", "turn_began"]
    assert table.hand(0) == hand_of("noodles ginger ginger")
    assert table.asks == ("turn", (1,))


def test_sf_12_up_to_three_cards_nothing_is_asked():
    for hand in ("", "noodles", "noodles noodles ginger"):
        table = given(hand, "mushrooms").end_turn(0)
        assert table.types == ["turn_ended", "shuffled", "turn_began"]


def test_sf_12_all_cards_of_the_turn_go_back_whoever_laid_them():
    """Laid, tested, lost and reduced cards are all in the deck again, and in no pile."""
    table = given(
        "noodles noodles shrimp pork ginger", "mushrooms ginger chicken", deck="noodles soy_sauce"
    )
    before = Counter(table.hand(1))
    table.pair(0, "noodles noodles").call(1)  # true: seat 1 loses its hand
    assert before - Counter(table.game.face_down) == Counter()
    table.end_turn(0).reduce(0, "shrimp ginger")
    assert (table.game.face_down, table.game.face_up) == ((), ())
    shuffled = table.event("shuffled")
    assert Counter(shuffled.order) == Counter(DECK) - Counter(table.hand(0))
    assert len(table.game.deck) == 18 - 3 - 1


def test_sf_12_shuffled_even_if_no_card_came_back():
    table = given("noodles pork", "ginger").end_turn(0).end_turn(1)
    before = table.game.deck
    assert (table.game.face_down, table.game.face_up) == ((), ())
    table.end_turn(0)
    shuffled = table.event("shuffled")
    assert sorted(shuffled.order) == sorted(before)
    assert shuffled.order != before


def test_sf_12_a_card_after_cooking_is_an_option():
    """Off, a meal draws nothing; on: shuffle, draw 1, reduce to 3, shuffle."""
    hand = "noodles pork mushrooms ginger soy_sauce green_onion"
    plain = given(hand, "chicken").cook(0, "noodles pork mushrooms")
    assert plain.types == ["cooked", "shuffled", "turn_began"]
    options = Options(draw_after_cooking=True)
    table = given(hand, "chicken", options=options).cook(0, "noodles pork mushrooms")
    assert table.types == ["cooked", "shuffled", "drawn", "reduction_asked"]
    shuffled, drawn = table.events[1:3]
    assert {"noodles", "pork", "mushrooms"} <= set(shuffled.order)
    assert (drawn.reason, drawn.asked, drawn.cards) == ("meal", 1, shuffled.order[:1])
    assert len(table.hand(0)) == 4
    table.reduce(0, "ginger")
    assert table.types == ["reduced", "shuffled", "turn_began"]
    few = given("noodles pork mushrooms", "chicken", options=options)
    few.cook(0, "noodles pork mushrooms")
    assert few.types == ["cooked", "shuffled", "drawn", "shuffled", "turn_began"]
    assert len(few.hand(0)) == 1


def test_sf_12_a_turn_without_a_meal_earns_no_card():
    options = Options(draw_after_cooking=True)
    table = given("noodles pork", "chicken", options=options).end_turn(0)
    assert table.types == ["turn_ended", "shuffled", "turn_began"]


# SF-13


def test_sf_13_a_short_deck_gives_what_is_there():
    """Five players: 15 cards are dealt, one drawn, two are left for a claim of three."""
    hands = ("noodles noodles ginger", "noodles", "noodles", "noodles", "pork")
    table = given(*hands, deck="shrimp chicken").pair(0, "noodles noodles").passes(1, 2, 3, 4)
    drawn = table.event("drawn")
    assert (drawn.asked, drawn.count, drawn.cards) == (3, 2, ("chicken", "shrimp"))
    assert table.hand(0) == hand_of("ginger shrimp chicken")
    assert table.game.deck == ()


@pytest.mark.parametrize(("seats", "left"), [(4, 5), (5, 2)])
def test_sf_13_the_first_deck_is_short_at_4_and_5_players(seats, left):
    """As dealt: shrimp asks for 4, then a pair for 3, and there are only so many."""
    table = Table(seats, Options(first_player=0))
    assert len(table.game.deck) == left
    first, second, third, _ = table.hand(0)
    others = range(1, seats)
    table.protein(0, first, "shrimp").passes(*others)
    drawn = table.event("drawn")
    assert (drawn.asked, drawn.count) == (4, min(4, left))
    table.pair(0, f"{second} {third}").passes(*others)
    drawn = table.event("drawn")
    assert (drawn.asked, drawn.count) == (3, max(0, left - 4))
    assert table.game.deck == ()
    assert table.refolded() == table.state


def test_sf_13_what_is_missing_is_lost():
    """No debt remains when the cards come back."""
    table = given("noodles noodles", "ginger", deck="").pair(0, "noodles noodles").passes(1)
    assert table.event("drawn").count == 0
    table.end_turn(0).end_turn(1)
    began = table.event("turn_began")
    assert (began.seat, began.asked, began.count) == (0, 1, 1)


def test_sf_13_a_draw_at_the_start_of_a_turn_may_be_short():
    """All but one card are in hands that no rule reduces before their own turn's end."""
    table = given("noodles", "shrimp pork", owed=(0, 3))
    table.end_turn(0)
    assert table.event("turn_began").asked == 4
    keep = "mushrooms mushrooms mushrooms soy_sauce soy_sauce soy_sauce ginger ginger chicken"
    table = given(
        "noodles noodles noodles",
        f"noodles noodles shrimp pork green_onion green_onion {keep}",
        owed=(0, 3),
    ).end_turn(0)
    began = table.event("turn_began")
    assert (began.asked, began.count) == (4, 0)
    assert table.game.players[1].owed == 0


def test_sf_13_a_reward_from_an_empty_deck_is_lost():
    table = given("noodles ginger", "pork", deck="").pair(0, "noodles ginger").call(1)
    drawn = table.event("drawn")
    assert (drawn.reason, drawn.seat, drawn.asked, drawn.count) == ("reward", 1, 1, 0)
    assert table.hand(1) == ("pork",)


def test_sf_13_cards_come_back_only_at_turn_end():
    table = given("noodles noodles pork", "ginger", deck="shrimp").pair(0, "noodles noodles")
    table.passes(1)
    assert table.event("drawn").cards == ("shrimp",)
    table.protein(0, "pork").passes(1)
    assert table.event("drawn").count == 0
    assert set(words("noodles pork")) <= set(table.game.face_down)


def test_cards_are_never_lost_nor_doubled():
    """The builder's own check, once by hand: 18 cards in every place together."""
    table = given("noodles noodles", "ginger", deck="shrimp").pair(0, "noodles noodles")
    assert cards_of(table.game) == Counter(DECK)
    assert table.game.claim is not None
    with pytest.raises(Refusal):
        table.pair(1, "ginger ginger")
    assert cards_of(table.game) == Counter(DECK)
