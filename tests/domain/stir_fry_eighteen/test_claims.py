"""Discarding for cards, taste tests and the truth: SF-3 to SF-10."""

import pytest

from domain.stir_fry_eighteen.actions import Call, Pass
from domain.stir_fry_eighteen.options import AccuserReward, Options
from tests.domain.stir_fry_eighteen.scenario import given, hand_of, refused

DECK = "noodles noodles noodles noodles mushrooms soy_sauce"
NEXT_TURN = Options(accuser_reward=AccuserReward.NEXT_TURN)

# SF-3


def test_sf_3_a_pair_draws_three():
    table = given("ginger ginger noodles", "pork", deck=DECK).pair(0, "ginger ginger")
    claimed = table.event("claimed")
    assert (claimed.declared, claimed.count, claimed.laid) == ("pair", 2, ("ginger", "ginger"))
    assert table.hand(0) == ("noodles",)
    table.passes(1)
    drawn = table.event("drawn")
    assert (drawn.reason, drawn.asked, drawn.count) == ("claim", 3, 3)
    assert table.hand(0) == hand_of("noodles noodles noodles noodles")
    assert table.asks == ("turn", (0,))


def test_sf_3_once_a_turn():
    table = given("ginger ginger noodles pork", "chicken", deck=DECK)
    table.pair(0, "ginger ginger").passes(1)
    assert "discard_pair" not in table.legal(0)
    with refused("SF-3", "pair_done"):
        table.pair(0, "noodles noodles")


def test_sf_3_every_turn_anew():
    table = given("ginger ginger noodles", "pork", deck=DECK)
    table.pair(0, "ginger ginger").passes(1).end_turn(0).reduce(0, "noodles")
    assert "discard_pair" in table.legal(1)
    table.end_turn(1)
    assert table.asks == ("turn", (0,))
    assert {"discard_pair", "discard_protein"} <= set(table.legal(0))


def test_sf_3_a_pair_needs_two_cards():
    table = given("ginger", "pork", deck=DECK)
    assert "discard_pair" not in table.legal(0)
    assert "discard_protein" in table.legal(0)


# SF-4


@pytest.mark.parametrize(("declared", "draws"), [("chicken", 2), ("pork", 3), ("shrimp", 4)])
@pytest.mark.parametrize("laid", ["chicken", "pork", "shrimp", "noodles"])
def test_sf_4_the_declared_name_sets_the_draw_not_the_card(declared, draws, laid):
    """A trap in other implementations: the draw of the card that was laid."""
    table = given(f"{laid} ginger", "soy_sauce", deck=DECK).protein(0, laid, declared).passes(1)
    drawn = table.event("drawn")
    assert (drawn.reason, drawn.asked, drawn.count) == ("claim", draws, draws)
    assert len(table.hand(0)) == 1 + draws


def test_sf_4_once_a_turn_whatever_is_declared():
    table = given("pork chicken ginger", "noodles", deck=DECK).protein(0, "pork").passes(1)
    assert "discard_protein" not in table.legal(0)
    with refused("SF-4", "protein_done"):
        table.protein(0, "chicken")


# SF-5


@pytest.mark.parametrize("pair_first", [True, False])
def test_sf_5_both_in_either_order(pair_first):
    table = given("ginger ginger pork", "chicken", deck=DECK)
    if pair_first:
        table.pair(0, "ginger ginger").passes(1).protein(0, "pork").passes(1)
    else:
        table.protein(0, "pork").passes(1).pair(0, "ginger ginger").passes(1)
    assert len(table.hand(0)) == 6
    assert table.legal(0) == ["end_turn"] or "cook" in table.legal(0)
    assert not {"discard_pair", "discard_protein"} & set(table.legal(0))


@pytest.mark.parametrize(
    ("hand", "cards"),
    [("noodles ginger", "noodles ginger"), ("pork shrimp", "pork shrimp")],
)
def test_sf_5_any_cards_may_be_laid_as_a_pair(hand, cards):
    table = given(hand, "chicken", deck=DECK).pair(0, cards).passes(1)
    assert table.event("drawn").count == 3


def test_sf_5_claims_stay_legal_when_the_deck_is_empty():
    """A trap: no window, or no claim, with an exhausted deck."""
    table = given("ginger ginger pork", "chicken", deck="")
    assert {"discard_pair", "discard_protein"} <= set(table.legal(0))
    table.pair(0, "ginger ginger")
    assert table.asks == ("taste_test", (1,))
    table.passes(1)
    assert table.event("drawn").count == 0
    table.protein(0, "pork").call(1)
    assert table.asks == ("turn", (0,))


# SF-6


def test_sf_6_the_window_is_open_to_all_others_at_once():
    table = given("ginger ginger", "pork", "chicken", "noodles", deck=DECK)
    table.pair(0, "ginger ginger")
    assert table.asks == ("taste_test", (1, 2, 3))
    for seat in (1, 2, 3):
        assert table.legal(seat) == ["call", "pass"]
    assert table.legal(0) == []


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_sf_6_it_closes_when_each_has_passed_in_any_order(order):
    """A trap: passes counted per message; and nothing may be drawn before it closes."""
    table = given("ginger ginger", "pork", "chicken", "noodles", deck=DECK)
    table.pair(0, "ginger ginger")
    for seat in order[:2]:
        table.passes(seat)
        assert table.types == ["passed"]
        assert table.hand(0) == ()
    assert table.game.claim is not None
    assert table.game.claim.passed == order[:2]
    assert table.asks == ("taste_test", order[2:])
    table.passes(order[2])
    assert table.types == ["passed", "drawn"]


def test_sf_6_the_first_call_closes_it():
    table = given("ginger noodles", "pork", "chicken", "shrimp", deck=DECK)
    window = table.pair(0, "ginger noodles").decision.opened
    table.call(2)
    assert table.asks == ("turn", (0,))
    for late in (Call(), Pass()):
        with refused(None, "decision_closed", code="decision-closed", pointer="/decision"):
            table.act(1, late, decision=window)
    assert table.hand(2) == hand_of("chicken noodles")


def test_sf_6_passes_made_at_the_same_moment_both_hold():
    """The window keeps its id until it closes, so a pass never makes another one late."""
    table = given("ginger noodles", "pork", "chicken", "shrimp", deck=DECK)
    window = table.pair(0, "ginger noodles").decision.opened
    table.act(3, Pass(), decision=window)
    table.act(1, Pass(), decision=window)
    table.act(2, Call(), decision=window)
    assert table.types == ["called", "drawn"]


def test_sf_6_an_old_id_never_answers_a_later_window():
    """A call meant for the first discard must not test the second."""
    table = given("ginger ginger pork", "chicken", deck=DECK)
    first = table.pair(0, "ginger ginger").decision.opened
    table.passes(1)
    second = table.protein(0, "pork").decision.opened
    assert second > first
    with refused(None, "decision_closed", code="decision-closed", pointer="/decision"):
        table.act(1, Call(), decision=first)
    assert table.asks == ("taste_test", (1,))


def test_sf_6_a_pass_is_final():
    table = given("ginger noodles", "pork", "chicken", deck=DECK).pair(0, "ginger noodles")
    table.passes(1)
    for again in (Call(), Pass()):
        with refused("SF-6", "pass_is_final"):
            table.act(1, again)
    assert table.legal(1) == []
    assert table.asks == ("taste_test", (2,))


def test_sf_6_the_discarder_can_neither_pass_nor_call():
    table = given("ginger noodles", "pork", "chicken", deck=DECK).pair(0, "ginger noodles")
    for own in (Call(), Pass()):
        with refused("SF-6", "own_claim"):
            table.act(0, own)


def test_sf_6_at_once_if_nobody_may_call():
    table = given("ginger ginger", "", "", deck=DECK, scores=(0, 4, 0)).pair(0, "ginger ginger")
    assert table.types == ["claimed", "drawn"]
    assert table.asks == ("turn", (0,))


def test_sf_6_each_discard_has_a_window_of_its_own():
    table = given("ginger ginger pork noodles", "chicken", "shrimp", deck=DECK)
    table.pair(0, "ginger ginger").passes(1, 2).protein(0, "pork")
    assert table.asks == ("taste_test", (1, 2))
    assert table.game.claim is not None
    assert table.game.claim.passed == ()


# SF-7


def test_sf_7_a_true_claim_costs_the_accuser_the_whole_hand():
    table = given("ginger ginger", "pork noodles chicken", "shrimp", deck=DECK)
    table.pair(0, "ginger ginger").call(1)
    called = table.event("called")
    assert (called.truthful, called.laid) == (True, ("ginger", "ginger"))
    assert (called.lost_count, called.penalty, called.owed) == (3, 0, 0)
    assert called.lost == hand_of("pork noodles chicken")
    assert table.hand(1) == ()
    assert table.score(1) == 0
    drawn = table.event("drawn")
    assert (drawn.seat, drawn.reason, drawn.count) == (0, "claim", 3)
    assert table.asks == ("turn", (0,))


def test_sf_7_the_hand_is_lost_without_touching_the_score():
    table = given("pork", "noodles", deck=DECK, scores=(0, 20)).protein(0, "pork").call(1)
    assert table.score(1) == 20
    assert table.hand(1) == ()


@pytest.mark.parametrize(("score", "left"), [(5, 0), (6, 1), (30, 25)])
def test_sf_7_an_empty_hand_costs_five_points(score, left):
    table = given("pork", "", "noodles", deck=DECK, scores=(0, score, 0)).protein(0, "pork")
    assert table.asks == ("taste_test", (1, 2))
    table.call(1)
    called = table.event("called")
    assert (called.lost_count, called.penalty) == (0, 5)
    assert table.score(1) == left
    assert table.event("drawn").count == 3


def test_sf_7_the_lost_hand_is_not_drawn_by_the_claim():
    """The hand goes face down before the draw, and comes back at turn end only (SF-13)."""
    table = given("pork", "shrimp chicken", deck="noodles").protein(0, "pork").call(1)
    assert table.event("drawn").cards == ("noodles",)
    assert set(table.game.face_down) >= {"shrimp", "chicken"}
    assert "pork" in table.game.face_up


# SF-8


def test_sf_8_a_caught_bluff():
    table = given("ginger noodles pork", "chicken", deck=DECK).pair(0, "ginger noodles").call(1)
    called, drawn = table.events
    assert (called.truthful, called.laid) == (False, ("ginger", "noodles"))
    assert (called.lost_count, called.penalty, called.owed) == (0, 0, 0)
    assert (drawn.seat, drawn.reason, drawn.asked, drawn.count) == (1, "reward", 1, 1)
    assert table.hand(0) == ("pork",)
    assert table.hand(1) == hand_of("chicken noodles")
    assert set(table.game.face_up) >= {"ginger", "noodles"}
    assert table.asks == ("turn", (0,))


def test_sf_8_no_more_discards_for_cards_this_turn_and_cooking_stays_allowed():
    hand = "ginger soy_sauce noodles mushrooms pork green_onion"
    table = given(hand, "chicken", deck=DECK).pair(0, "ginger soy_sauce").call(1)
    assert table.legal(0) == ["cook", "end_turn"]
    with refused("SF-8", "caught"):
        table.protein(0, "pork")
    with refused("SF-8", "caught"):
        table.pair(0, "pork noodles")
    table.cook(0, "noodles mushrooms pork")
    assert table.score(0) == 11


def test_sf_8_caught_after_a_claim_that_stood():
    table = given("ginger ginger noodles", "chicken", deck=DECK)
    table.pair(0, "ginger ginger").passes(1)
    assert len(table.hand(0)) == 4
    table.protein(0, "noodles", "shrimp").call(1)
    assert len(table.hand(0)) == 3
    assert not {"discard_pair", "discard_protein"} & set(table.legal(0))


def test_sf_8_the_ban_ends_with_the_turn():
    table = given("ginger noodles", "chicken", deck=DECK).pair(0, "ginger noodles").call(1)
    table.end_turn(0).end_turn(1)
    assert table.asks == ("turn", (0,))
    assert "discard_protein" in table.legal(0)


@pytest.mark.parametrize("caught", [True, False])
def test_sf_8_a_caught_cook_gets_no_card_after_the_meal(caught):
    """Neither the card of draw_after_cooking nor its shuffle (SF-12)."""
    options = Options(draw_after_cooking=True)
    hand = "noodles pork mushrooms ginger ginger" if not caught else "noodles pork mushrooms ginger"
    table = given(hand + " shrimp", "chicken", deck=DECK, options=options)
    if caught:
        table.pair(0, "ginger shrimp").call(1)
    table.cook(0, "noodles pork mushrooms")
    if caught:
        assert table.types == ["cooked", "shuffled", "turn_began"]
        assert table.hand(0) == ()
    else:
        assert table.types[:3] == ["cooked", "shuffled", "drawn"]


def test_sf_8_the_reward_may_come_at_the_accusers_next_turn():
    table = given("ginger noodles", "chicken", "pork", deck=DECK, options=NEXT_TURN)
    table.pair(0, "ginger noodles").call(2)
    assert table.types == ["called"]
    assert table.event("called").owed == 1
    assert (table.hand(2), table.game.players[2].owed) == (("pork",), 1)
    assert table.asks == ("turn", (0,))
    table.end_turn(0)
    began = table.event("turn_began")
    assert (began.seat, began.asked) == (1, 1)
    table.end_turn(1)
    began = table.event("turn_began")
    assert (began.seat, began.asked, began.count) == (2, 2, 2)
    assert len(table.hand(2)) == 3
    assert table.game.players[2].owed == 0


def test_sf_8_rewards_add_up():
    """Two bluffs of two players caught by the third before its turn."""
    table = given("ginger noodles", "chicken shrimp", "pork", deck=DECK, options=NEXT_TURN)
    table.pair(0, "ginger noodles").call(2).end_turn(0)
    table.pair(1, "chicken shrimp").call(2)
    assert table.game.players[2].owed == 2
    table.end_turn(1)
    began = table.event("turn_began")
    assert (began.seat, began.asked, began.count) == (2, 3, 3)


# SF-9


@pytest.mark.parametrize(("score", "asked"), [(0, ()), (4, ()), (5, (1,)), (6, (1,))])
def test_sf_9_an_empty_hand_needs_five_points(score, asked):
    table = given("ginger ginger", "", deck=DECK, scores=(0, score)).pair(0, "ginger ginger")
    assert table.event("claimed").awaits == asked
    if asked:
        assert table.legal(1) == ["call", "pass"]
    else:
        assert table.types == ["claimed", "drawn"]


def test_sf_9_one_card_is_enough():
    table = given("ginger ginger", "noodles", deck=DECK, scores=(0, 0)).pair(0, "ginger ginger")
    assert table.asks == ("taste_test", (1,))


def test_sf_9_who_may_not_call_is_neither_asked_nor_heard():
    hands = ("ginger ginger", "", "noodles")
    table = given(*hands, deck=DECK, scores=(0, 4, 0)).pair(0, "ginger ginger")
    assert table.asks == ("taste_test", (2,))
    for action in (Call(), Pass()):
        with refused("SF-9", "may_not_call"):
            table.act(1, action)
    assert table.legal(1) == []
    table.passes(2)
    assert table.types == ["passed", "drawn"]


def test_sf_9_no_penalty_takes_a_score_below_zero():
    table = given("pork", "", "", deck=DECK, scores=(0, 5, 5)).protein(0, "pork").call(1)
    assert table.score(1) == 0
    table.end_turn(0)
    assert min(player.score for player in table.game.players) == 0


# SF-10


@pytest.mark.parametrize(
    ("hand", "declared", "truthful"),
    [
        ("noodles noodles", "pair", True),
        ("mushrooms mushrooms", "pair", True),
        ("noodles mushrooms", "pair", False),
        ("pork shrimp", "pair", False),
        ("pork chicken", "pair", False),
        ("pork", "pork", True),
        ("shrimp", "shrimp", True),
        ("chicken", "chicken", True),
        ("pork", "shrimp", False),
        ("shrimp", "pork", False),
        ("chicken", "pork", False),
        ("noodles", "chicken", False),
    ],
)
def test_sf_10_truth_is_judged_by_exact_names(hand, declared, truthful):
    table = given(hand, "ginger", deck="noodles soy_sauce green_onion")
    if declared == "pair":
        table.pair(0, hand)
    else:
        table.protein(0, hand, declared)
    table.call(1)
    assert table.event("called").truthful is truthful
    assert len(table.hand(1)) == (0 if truthful else 2)
