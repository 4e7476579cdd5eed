"""Leaving and clocks (JD-50), and games that get nowhere (JD-51)."""

from domain.just_desserts.actions import LetGo
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.state import Turn
from tests.domain.just_desserts.scenario import ADVANCED, Table, given

SINGLE = "pound-cake cheesecake fudge fruit-salad"
PLAIN, FAVOURITE = "yellow-cake vanilla-ice-cream", "ice-cream-cake"


# JD-50: a player who leaves.


def test_jd_50_the_hand_is_discarded():
    table = given("fudge", "", "napoleon baklava", discards="cheesecake")
    table.leaves(2)
    assert table.types == ["seat_left", "hand_discarded"]
    assert table.hand(2) == ()
    assert table.game.dessert_discards == ("baklava", "cheesecake", "napoleon")
    assert table.asks == ("turn", (0,))


def test_jd_50_an_empty_hand_leaves_nothing():
    assert given("fudge", "", "").leaves(2).types == ["seat_left"]


def test_jd_50_turns_of_the_absent_only_reveal_and_clear():
    table = given("", "", "", guest_deck="inga granny", centre="boston-guy")
    table.leaves(1)
    table.kitchen(0)
    assert table.types == [
        "kitchen_entered", "drawn",
        "turn_began", "guest_revealed", "guest_discarded",
        "turn_began", "guest_revealed",
    ]  # fmt: skip
    assert table.events[2].count == 0
    assert len(table.game.centre) == 2
    assert table.asks == ("turn", (2,))


def test_jd_50_the_absent_clear_at_random():
    discarded = set()
    for number in range(20):
        table = Table(3, Options(first_player=0), seed=f"{number:064x}")
        table.leaves(1)
        table.kitchen(0)
        while table.asks[0] == "clearing":
            table.discards(0, JUST_DESSERTS.legal(table.game, 0)[-1].guest)
        of_absent = [event for event in table.events if getattr(event, "seat", None) == 1]
        assert of_absent[0].__struct_config__.tag == "turn_began"
        for event in of_absent[1:]:
            assert event.chance is not None
            discarded.add(event.guest)
        assert table.refolded() == table.state
    assert len(discarded) > 3


def test_jd_50_leaving_in_the_own_turn_takes_no_action():
    table = given("fudge", "", "", centre="granny mojo inga fuzzy", deck="baklava")
    table.leaves(0)
    assert table.types[:4] == ["seat_left", "hand_discarded", "guest_discarded", "guest_discarded"]
    assert "drawn" not in table.types
    assert table.asks == ("turn", (1,))
    assert table.hand(1) == ("baklava",)


def test_jd_50_leaving_while_clearing():
    table = given("", "", "", centre="granny mojo mary-ann")
    table.kitchen(0).discards(0, "mojo")
    table.leaves(0)
    assert table.types[0] == "seat_left"
    assert table.types.count("guest_discarded") == 1
    assert table.asks == ("turn", (1,))


def test_jd_50_an_offer_is_withdrawn():
    table = given(PLAIN, FAVOURITE, "", guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).leaves(0)
    assert table.types[:3] == ["seat_left", "offer_withdrawn", "hand_discarded"]
    assert table.game.offer is None
    assert table.guests(1) == ("the-little-girl",)
    assert set(PLAIN.split()) <= set(table.game.dessert_discards)
    assert table.asks == ("turn", (1,))


def test_jd_50_the_absent_never_block_and_draw_nothing():
    table = given(PLAIN, FAVOURITE, "", guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).leaves(1)
    assert table.types == ["seat_left", "hand_discarded", "guest_poached"]
    assert table.guests(0) == ("the-little-girl",)
    assert table.asks == ("turn", (0,))


def test_jd_50_guests_of_the_absent_stay_poachable():
    table = given(PLAIN, FAVOURITE, "", guests=["", "the-little-girl"], options=ADVANCED)
    table.leaves(1).poach(0, 1, "the-little-girl", PLAIN)
    assert table.types == ["poach_offered", "guest_poached"]
    assert table.hand(1) == ()


def test_jd_50_somebody_else_leaving_does_not_touch_an_offer():
    table = given(PLAIN, FAVOURITE, "", guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN)
    decision = table.decision
    table.leaves(2)
    assert table.decision == decision
    table.block(1, FAVOURITE)


def test_jd_50_the_absent_return_a_random_guest_to_a_buffet():
    table = given(SINGLE, "", "", guests=["", "granny inga", "mojo"], options=ADVANCED)
    table.leaves(1).buffet(0, SINGLE)
    chosen, single = (event for event in table.events if hasattr(event, "chance"))
    assert chosen.chance is not None
    assert single.chance is None
    assert (*table.guests(1), chosen.guest) in (("granny", "inga"), ("inga", "granny"))
    assert table.asks == ("turn", (0,))


def buffet_with_two_to_ask(*, last=""):
    """Seats 1 and 2 have a choice; seat 1 is asked first."""
    table = given(
        SINGLE, "baklava", "napoleon", "", guests=["", "granny inga", "mojo roland", last],
        options=ADVANCED,
    )  # fmt: skip
    return table.buffet(0, SINGLE)


def test_jd_50_leaving_when_asked_for_a_guest():
    table = buffet_with_two_to_ask().leaves(1)
    assert table.types == ["seat_left", "hand_discarded", "guest_returned"]
    assert len(table.guests(1)) == 1
    assert table.asks == ("returning", (2,))
    table.returns(2, "mojo")
    assert table.asks == ("turn", (0,))


def test_jd_50_leaving_before_being_asked_for_a_guest():
    table = buffet_with_two_to_ask(last="candice wally").leaves(2)
    assert table.asks == ("returning", (1,))
    assert table.decision.awaited == (1, 3)
    table.returns(1, "granny")
    assert table.types == ["guest_returned", "guest_returned"]
    assert len(table.guests(2)) == 1
    assert table.asks == ("returning", (3,))


def test_jd_50_guests_not_yet_returned_to_a_buffet_stay():
    table = buffet_with_two_to_ask()
    table.returns(1, "granny").leaves(0)
    assert table.guests(2) == ("mojo", "roland")
    assert table.game.returning == ()
    assert table.asks == ("turn", (1,))
    assert table.hand(0) == ()


def test_jd_50_the_last_player_wins():
    table = given("fudge", "", guests=["", "granny mojo"], options=ADVANCED).leaves(1)
    assert table.outcome.reason == "JD-50"
    assert table.outcome.winners == (0,)
    assert table.outcome.scores == (0, 3)
    table = given(PLAIN, "", guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).leaves(1)
    assert table.outcome.reason == "JD-50"
    assert table.game.offer is None


def test_jd_50_who_left_cannot_win():
    table = given("", "", "", guests=["", "granny mojo inga", "candice"], turn=Turn(0, 60),
                  dry_turns=59).leaves(1)  # fmt: skip
    table.kitchen(0)
    assert table.outcome.reason == "JD-51"
    assert table.outcome.scores == (0, 4, 1)
    assert table.outcome.winners == (2,)


# JD-50: a clock that runs out.


def test_jd_50_default_kitchen():
    table = given("", "", deck="fudge").lapses(0)
    assert table.hand(0) == ("fudge",)
    assert table.types[0] == "kitchen_entered"


def test_jd_50_default_end_after_a_service_or_a_buffet():
    table = given(FAVOURITE, "", centre="the-little-girl").serve(0, "the-little-girl", FAVOURITE)
    assert table.lapses(0).types[0] == "turn_ended"
    table = given(SINGLE, "", options=ADVANCED).buffet(0, SINGLE)
    assert table.lapses(0).types[0] == "turn_ended"


def test_jd_50_default_kitchen_after_a_blocked_poach():
    table = given(PLAIN, FAVOURITE, guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).block(1, FAVOURITE)
    assert table.lapses(0).types[0] == "kitchen_entered"


def test_jd_50_default_let_go():
    table = given(PLAIN, FAVOURITE, guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).lapses(1)
    assert table.types[:2] == ["guest_let_go", "guest_poached"]
    assert JUST_DESSERTS.action_of(table.events[0]) == LetGo()


def test_jd_50_default_a_random_guest_for_one_decision_only():
    table = given("", "", centre="granny mojo mary-ann").kitchen(0).lapses(0)
    assert table.types == ["guest_discarded"]
    assert table.events[0].chance is not None
    assert JUST_DESSERTS.action_of(table.events[0]) is None, "chance did it, not the seat"
    assert table.asks == ("clearing", (0,))
    table.lapses(0)
    assert table.asks == ("turn", (1,))
    table = buffet_with_two_to_ask().lapses(1)
    assert table.events[0].chance is not None
    assert table.asks == ("returning", (2,))


# JD-51: stalls.


def test_jd_51_three_rounds_with_nothing_to_draw_or_reveal():
    """All desserts in hands, and a guest that nobody serves."""
    rows = ["mojo", "", ""]
    table = given("", "", "", rest=1, guests=rows, centre="granny", guest_rest=2,
                  turn=Turn(0, 50, idle=True), idle_turns=0)  # fmt: skip
    for number in range(9):
        assert table.game.outcome is None
        table.kitchen(number % 3)
    assert table.outcome.reason == "JD-51"
    assert table.outcome.winners == (2,)


def test_jd_51_a_guest_in_the_doorway_is_nothing_to_reveal():
    """Alone there it is never revealed (JD-9), and nobody serves it."""
    table = given("", "", "", rest=1, guest_rest=2, doorway="granny", guests=["mojo"],
                  turn=Turn(0, 50, idle=True))  # fmt: skip
    for number in range(9):
        table.kitchen(number % 3)
    assert table.outcome.reason == "JD-51"


def test_jd_51_a_guest_gained_starts_the_count_anew():
    table = given("", "", "apple-pie-a-la-mode", rest=1, guests=["mojo"], centre="granny the-dude",
                  guest_rest=1, turn=Turn(2, 50, idle=True), idle_turns=8, dry_turns=8)  # fmt: skip
    table.serve(2, "granny", "apple-pie-a-la-mode").end(2)
    assert (table.game.idle_turns, table.game.dry_turns) == (0, 0)


def test_jd_51_something_to_draw_starts_the_count_anew():
    """A dessert in the discard pile is something to draw."""
    table = given("", "", "fudge", rest=1, centre="granny", guest_rest=0, idle_turns=5,
                  dry_turns=5, turn=Turn(2, 50, idle=True))  # fmt: skip
    table.dump(2, "fudge")
    assert table.game.idle_turns == 6
    table = given("", "", "", rest=1, discards="fudge", centre="granny", guest_rest=0,
                  idle_turns=5, dry_turns=5, turn=Turn(2, 50, idle=False))  # fmt: skip
    table.kitchen(2)
    assert (table.game.idle_turns, table.game.dry_turns) == (0, 6)


def test_jd_51_twenty_rounds_without_a_guest_gained():
    table = given("", "", guests=["granny"], turn=Turn(0, 60), dry_turns=38)
    table.kitchen(0)
    while table.asks[0] == "clearing":
        table.lapses(0)
    assert table.game.dry_turns == 39
    table.kitchen(1)
    while table.game.outcome is None:
        table.lapses(1)
    assert table.outcome.reason == "JD-51"
    assert table.outcome.winners == (0,)


def test_jd_51_turns_of_the_absent_count():
    table = given("", "", "", guests=["granny"], dry_turns=57, turn=Turn(1, 70)).leaves(2)
    table.kitchen(1)
    assert table.game.outcome is None
    assert table.game.dry_turns == 59
    table.kitchen(0)
    assert table.outcome.reason == "JD-51"
