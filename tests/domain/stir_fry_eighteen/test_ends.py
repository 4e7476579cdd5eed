"""How games end, and leaving: SF-14, SF-17, SF-18."""

from collections import Counter

import pytest

from domain.kernel.decide import Default
from domain.stir_fry_eighteen.actions import Pass
from domain.stir_fry_eighteen.options import AccuserReward, Options
from tests.domain.stir_fry_eighteen.scenario import Table, given, hand_of, refused

MEAL = "noodles pork mushrooms"  # 11 points
DECK = "noodles noodles noodles mushrooms soy_sauce green_onion"
CLOSING = Options(close_the_kitchen=True)


def play_dry_turn(table: Table) -> None:
    """Let whoever is asked end the turn, keeping what comes first."""
    kind, (seat,) = table.asks
    assert kind == "turn"
    table.end_turn(seat)
    if table.game.outcome is None and table.asks[0] == "reduction":
        table.reduce(seat, table.hand(seat)[0])


# SF-14


@pytest.mark.parametrize(("score", "over"), [(38, False), (39, True), (45, True)])
def test_sf_14_the_50th_point_ends_the_game(score, over):
    table = given(MEAL, "ginger", scores=(score, 12)).cook(0, MEAL)
    assert (table.game.outcome is not None) is over
    if over:
        outcome = table.outcome
        assert (outcome.reason, outcome.winners) == ("SF-14", (0,))
        assert outcome.scores == (score + 11, 12)


def test_sf_14_at_once_without_reduction_or_shuffle():
    hand = MEAL + " noodles ginger ginger shrimp"
    options = Options(draw_after_cooking=True)
    table = given(hand, "chicken", scores=(40, 0), options=options).cook(0, MEAL)
    assert table.types == ["cooked", "ended", "sealed"]
    assert table.hand(0) == hand_of("noodles ginger ginger shrimp")
    assert table.game.face_up == hand_of(MEAL)
    assert table.game.decision is None
    assert table.state.table.sealed


@pytest.mark.parametrize(("target", "over"), [(1, True), (11, True), (12, False), (300, False)])
def test_sf_14_the_target_is_an_option(target, over):
    table = given(MEAL, "ginger", options=Options(target=target)).cook(0, MEAL)
    assert (table.game.outcome is not None) is over


def test_sf_14_close_the_kitchen_gives_all_others_one_more_turn():
    table = given(MEAL, "ginger", "chicken", scores=(45, 0, 0), options=CLOSING).cook(0, MEAL)
    assert table.types == ["cooked", "shuffled", "turn_began"]
    assert table.event("cooked").closing
    assert table.asks == ("turn", (1,))
    assert table.game.last_turns == 2
    play_dry_turn(table)
    assert table.asks == ("turn", (2,))
    assert table.game.last_turns == 1
    table.end_turn(2)
    assert table.types == ["turn_ended", "shuffled", "ended", "sealed"]
    assert (table.outcome.reason, table.outcome.winners) == ("SF-14", (0,))
    assert table.outcome.scores == (56, 0, 0)


def test_sf_14_in_the_last_turns_others_may_overtake():
    hands = (MEAL, "noodles shrimp ginger soy_sauce", "chicken")
    table = given(*hands, scores=(40, 45, 0), options=CLOSING).cook(0, MEAL)
    table.cook(1, "noodles shrimp ginger soy_sauce")
    assert not table.event("cooked").closing
    assert table.game.last_turns == 1
    table.end_turn(2)
    assert (table.outcome.winners, table.outcome.scores) == ((1,), (51, 62, 0))


def test_sf_14_ties_are_shared():
    hands = (MEAL, "noodles shrimp ginger soy_sauce", "chicken")
    table = given(*hands, scores=(46, 40, 0), options=CLOSING).cook(0, MEAL)
    table.cook(1, "noodles shrimp ginger soy_sauce").end_turn(2)
    assert (table.outcome.winners, table.outcome.scores) == ((0, 1), (57, 57, 0))


def test_sf_14_once_triggered_it_stands_though_the_score_drops():
    """Seat 0 closes with an empty hand and 50 points, loses 5 by a taste test, and wins."""
    table = given(MEAL, "chicken", scores=(39, 0), options=CLOSING).cook(0, MEAL)
    assert table.game.last_turns == 1
    assert table.hand(0) == ()
    table.protein(1, "chicken").call(0)
    assert table.score(0) == 45
    table.end_turn(1)
    assert (table.outcome.reason, table.outcome.winners) == ("SF-14", (0,))
    assert table.outcome.scores == (45, 0)


def test_sf_14_the_last_turn_is_reduced_and_shuffled_before_the_end():
    table = given(MEAL, "ginger ginger chicken", scores=(45, 0), options=CLOSING).cook(0, MEAL)
    table.end_turn(1)
    assert table.asks == ("reduction", (1,))
    table.reduce(1, "ginger")
    assert table.types == ["reduced", "shuffled", "ended", "sealed"]


def test_sf_14_the_trigger_too_is_reduced_first():
    hand = MEAL + " noodles ginger ginger shrimp"
    table = given(hand, "chicken", scores=(45, 0), options=CLOSING).cook(0, MEAL)
    assert table.types == ["cooked", "reduction_asked"]
    assert table.game.last_turns == 2


def test_sf_14_the_last_play_can_still_be_tested():
    """A trap: the last claim ending the game before its window."""
    table = given(MEAL, "ginger chicken", scores=(45, 0), options=CLOSING).cook(0, MEAL)
    table.pair(1, "ginger chicken")
    assert table.hand(0) == ()
    assert table.asks == ("taste_test", (0,))
    table.call(0).end_turn(1)
    assert table.outcome.winners == (0,)


# SF-17: leaving for good


def test_sf_17_leaving_on_ones_turn_ends_it():
    table = given("noodles pork", "ginger", "chicken", deck=DECK).leaves(0)
    assert table.types == ["seat_left", "turn_ended", "shuffled", "turn_began"]
    assert table.asks == ("turn", (1,))
    assert table.hand(0) == hand_of("noodles pork")
    assert table.game.players[0].left


def test_sf_17_leaving_on_ones_turn_reduces_at_random():
    table = given("noodles pork ginger ginger shrimp", "chicken", "noodles", deck=DECK).leaves(0)
    assert table.types == ["seat_left", "turn_ended", "reduced", "shuffled", "turn_began"]
    reduced = table.event("reduced")
    assert (reduced.count, reduced.chance is None) == (2, False)
    assert len(table.hand(0)) == 3


def test_sf_17_leaving_in_the_reduction_reduces_at_random():
    table = given("noodles pork ginger ginger", "chicken", "noodles", deck=DECK).end_turn(0)
    table.leaves(0)
    assert table.types == ["seat_left", "reduced", "shuffled", "turn_began"]
    assert table.event("reduced").chance is not None
    assert len(table.hand(0)) == 3


def test_sf_17_the_random_reduction_may_take_any_card():
    """Not the first ones of the sorted hand: chance chooses, and every card comes up."""
    taken = Counter()
    for number in range(1, 81):
        seed = f"{number:064x}"
        table = given("noodles pork ginger shrimp", "chicken", deck=DECK, seed=seed).lapses(0)
        taken.update(table.lapses(0).event("reduced").cards)
    assert set(taken) == {"noodles", "pork", "ginger", "shrimp"}
    assert min(taken.values()) > 8


def test_sf_17_leaving_in_a_window_passes():
    """A trap: a window that never closes when somebody left."""
    table = given("ginger ginger", "chicken", "noodles", deck=DECK).pair(0, "ginger ginger")
    table.leaves(2)
    assert table.types == ["seat_left", "passed"]
    assert table.asks == ("taste_test", (1,))
    table.passes(1)
    assert table.types == ["passed", "drawn"]
    last = given("ginger ginger", "chicken", "noodles", deck=DECK).pair(0, "ginger ginger")
    last.passes(1).leaves(2)
    assert last.types == ["seat_left", "passed", "drawn"]
    assert last.asks == ("turn", (0,))


def test_sf_17_an_open_claim_is_settled_first():
    """The claimant leaves; the window stays open, then draws and ends the turn by default."""
    table = given("ginger ginger pork", "chicken", "noodles", deck=DECK).pair(0, "ginger ginger")
    window = table.decision.opened
    table.leaves(0)
    assert table.types == ["seat_left"]
    assert table.asks == ("taste_test", (1, 2))
    assert table.decision.opened == window
    table.passes(1, 2)
    assert table.types == ["passed", "drawn", "reduced", "shuffled", "turn_began"]
    assert table.event("drawn").awaits == ()
    assert len(table.hand(0)) == 3
    assert table.asks == ("turn", (1,))


@pytest.mark.parametrize("reward", list(AccuserReward))
def test_sf_17_the_bluff_of_one_who_left_is_caught_all_the_same(reward):
    options = Options(accuser_reward=reward)
    table = given("ginger noodles pork", "chicken", "noodles", deck=DECK, options=options)
    table.pair(0, "ginger noodles").leaves(0).call(1)
    rewarded = ["drawn"] if reward is AccuserReward.AT_ONCE else []
    assert table.types == ["called", *rewarded, "shuffled", "turn_began"]
    assert table.asks == ("turn", (1,))
    assert table.hand(0) == ("pork",)
    assert len(table.hand(1)) == 3


def test_sf_17_a_true_claim_of_one_who_left_draws():
    table = given("ginger ginger", "chicken", "noodles", deck=DECK).pair(0, "ginger ginger")
    table.leaves(0).call(1)
    assert table.types == ["called", "drawn", "shuffled", "turn_began"]
    assert len(table.hand(0)) == 3
    assert table.asks == ("turn", (1,))


def test_sf_17_leaving_while_not_asked_changes_nothing_else():
    table = given("ginger ginger", "chicken", "noodles", deck=DECK).leaves(2)
    assert table.types == ["seat_left"]
    assert table.asks == ("turn", (0,))
    assert table.hand(2) == ("noodles",)


def test_sf_17_the_seat_passes_in_every_window():
    table = given("ginger ginger pork", "chicken", "noodles", deck=DECK).leaves(2)
    table.pair(0, "ginger ginger")
    assert table.event("claimed").awaits == (1,)
    table.passes(1).protein(0, "pork")
    assert table.event("claimed").awaits == (1,)


def test_sf_17_no_window_where_all_others_have_left_or_may_not_call():
    table = given("ginger ginger pork", "", "noodles", deck=DECK).leaves(2)
    table.pair(0, "ginger ginger")
    assert table.types == ["claimed", "drawn"]


def test_sf_17_the_seats_turns_draw_reduce_and_end():
    """It keeps its hand, draws at each of its turns, and is reduced by chance."""
    table = given("ginger", "chicken pork shrimp", "noodles", deck=DECK).leaves(1)
    table.end_turn(0)
    assert table.types == [
        "turn_ended",
        "shuffled",
        "turn_began",
        "reduced",
        "shuffled",
        "turn_began",
    ]
    own, reduced = table.events[2:4]
    assert (own.seat, own.count, own.awaits) == (1, 1, ())
    assert (reduced.seat, reduced.count) == (1, 1)
    assert len(table.hand(1)) == 3
    assert table.asks == ("turn", (2,))
    assert table.game.turn.number == 3


def test_sf_17_turns_of_several_who_left_go_by():
    table = given("ginger", "chicken", "noodles", "pork", deck=DECK).leaves(1).leaves(2)
    table.end_turn(0)
    assert [event.seat for event in table.events if "TurnBegan" in type(event).__name__] == [
        1,
        2,
        3,
    ]
    assert table.asks == ("turn", (3,))


def test_sf_17_an_owed_reward_lapses():
    options = Options(accuser_reward=AccuserReward.NEXT_TURN)
    table = given("ginger noodles", "chicken", "pork", deck=DECK, options=options)
    table.pair(0, "ginger noodles").call(1)
    assert table.game.players[1].owed == 1
    table.leaves(1)
    assert table.game.players[1].owed == 0
    table.end_turn(0)
    own = table.events[2]
    assert (own.seat, own.asked, own.count) == (1, 1, 1)


def test_sf_17_a_left_seat_cannot_win():
    """It has most points when the stall ends the game; the best of those present wins."""
    table = given("ginger", "chicken", "noodles", scores=(3, 40, 7), dry_turns=59).leaves(1)
    table.end_turn(0)
    assert table.outcome.reason == "SF-18"
    assert table.outcome.winners == (2,)
    assert table.outcome.scores == (3, 40, 7)


def test_sf_17_the_last_player_wins_at_once():
    table = given("ginger", "chicken", "noodles", scores=(0, 30, 0)).leaves(1)
    assert table.game.outcome is None
    table.leaves(0)
    assert table.types == ["seat_left", "ended", "sealed"]
    assert (table.outcome.reason, table.outcome.winners) == ("SF-17", (2,))
    assert table.outcome.scores == (0, 30, 0)


@pytest.mark.parametrize("leaver", [0, 1])
def test_sf_17_the_last_player_wins_with_a_claim_unsettled(leaver):
    table = given("ginger ginger", "chicken", deck=DECK).pair(0, "ginger ginger").leaves(leaver)
    assert table.types == ["seat_left", "ended", "sealed"]
    assert table.outcome.winners == (1 - leaver,)
    assert table.game.claim is not None
    assert table.game.decision is None


def test_sf_17_the_last_turns_go_on_past_those_who_left():
    options = Options(close_the_kitchen=True)
    table = given(MEAL, "ginger", "chicken", scores=(45, 0, 0), options=options).leaves(1)
    table.cook(0, MEAL)
    assert table.asks == ("turn", (2,))
    assert table.game.last_turns == 1
    table.end_turn(2)
    assert table.outcome.winners == (0,)


def test_sf_17_who_closed_the_kitchen_and_left_does_not_win():
    options = Options(close_the_kitchen=True)
    table = given(MEAL, "ginger", "chicken", scores=(45, 0, 2), options=options).cook(0, MEAL)
    table.leaves(0).end_turn(1).end_turn(2)
    assert (table.outcome.reason, table.outcome.winners) == ("SF-14", (2,))


def test_sf_17_the_last_turn_of_one_who_left_may_end_the_game():
    options = Options(close_the_kitchen=True)
    table = given(MEAL, "ginger", "chicken", scores=(45, 0, 2), options=options).cook(0, MEAL)
    table.leaves(2).end_turn(1)
    assert table.types[-4:] == ["turn_began", "shuffled", "ended", "sealed"]
    assert table.outcome.winners == (0,)


def test_sf_17_who_left_does_nothing_more():
    table = given("ginger noodles", "chicken", "noodles", deck=DECK).leaves(1)
    with refused("SF-0", "not_your_turn"):
        table.end_turn(1)
    table.pair(0, "ginger noodles")
    with refused("SF-9", "may_not_call"):
        table.act(1, Pass())
    with refused(None, "not_your_seat", code="forbidden"):
        table.leaves(1)


# SF-17: a clock that runs out


def test_sf_17_a_lapsed_turn_ends_and_its_reduction_is_a_decision_of_its_own():
    table = given("noodles pork ginger ginger", "chicken", deck=DECK).lapses(0)
    assert table.types == ["turn_ended", "reduction_asked"]
    assert table.asks == ("reduction", (0,))
    table.lapses(0)
    assert table.types == ["reduced", "shuffled", "turn_began"]
    assert table.event("reduced").chance is not None
    assert not table.game.players[0].left


def test_sf_17_a_lapsed_window_passes_for_that_seat_only():
    table = given("ginger ginger", "chicken", "noodles", deck=DECK).pair(0, "ginger ginger")
    table.lapses(1)
    assert table.types == ["passed"]
    assert table.asks == ("taste_test", (2,))
    table.lapses(2)
    assert table.types == ["passed", "drawn"]


def test_sf_17_a_default_is_for_who_is_asked():
    table = given("ginger ginger", "chicken", "noodles", deck=DECK)
    with refused(None, "not_asked", code="decision-closed", pointer="/seat"):
        table.lapses(1)
    old = table.decision.opened
    table.end_turn(0)
    with refused(None, "decision_closed", code="decision-closed", pointer="/decision"):
        table.command(Default(seat=0, decision=old), "service")


# SF-18


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_sf_18_twenty_rounds_without_a_meal(seats):
    table = Table(seats, Options())
    for number in range(1, 20 * seats + 1):
        assert table.game.outcome is None
        assert table.game.turn.number == number
        assert table.game.dry_turns == number - 1
        play_dry_turn(table)
    assert table.outcome.reason == "SF-18"
    assert table.outcome.winners == tuple(range(seats))
    assert table.types[-2:] == ["ended", "sealed"]
    assert table.refolded() == table.state


def test_sf_18_a_meal_starts_the_count_anew():
    table = given(MEAL, "ginger", dry_turns=39).cook(0, MEAL)
    assert table.asks == ("turn", (1,))
    assert table.game.dry_turns == 0
    play_dry_turn(table)
    assert table.game.dry_turns == 1


def test_sf_18_highest_total_wins_and_ties_are_shared():
    hands = ("ginger", "chicken", "pork")
    table = given(*hands, scores=(7, 20, 20), dry_turns=59).end_turn(0)
    assert (table.outcome.reason, table.outcome.winners) == ("SF-18", (1, 2))
    short = given(*hands, scores=(7, 20, 20), dry_turns=58).end_turn(0)
    assert short.game.outcome is None


def test_sf_18_turns_of_seats_that_left_count():
    table = given("ginger", "chicken", "pork", dry_turns=58).leaves(1).end_turn(0)
    assert table.outcome.reason == "SF-18"
    assert table.types[-4:] == ["turn_began", "shuffled", "ended", "sealed"]


@pytest.mark.parametrize("most", [1, 2, 5])
def test_sf_18_max_turns_counts_the_turns_of_all_seats(most):
    table = Table(3, Options(max_turns=most))
    for number in range(1, most + 1):
        assert table.game.turn.number == number
        play_dry_turn(table)
    assert table.outcome.reason == "SF-18"


def test_sf_18_max_turns_counts_turns_with_a_meal_too():
    table = given(MEAL, "ginger", number=4, options=Options(max_turns=4)).cook(0, MEAL)
    assert (table.outcome.reason, table.outcome.winners) == ("SF-18", (0,))
