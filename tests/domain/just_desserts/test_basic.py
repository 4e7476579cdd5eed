"""The basic game: JD-0 to JD-12, rule by rule, and the traps that others fell into."""

from itertools import combinations

import msgspec
import pytest

from domain.just_desserts.actions import Serve
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.serving import check_satisfies, satisfies
from domain.just_desserts.state import Turn
from domain.kernel.errors import Refusal
from domain.kernel.viewer import SPECTATOR, Sight
from tests.domain.just_desserts.facts import DESSERTS, GUESTS, is_served
from tests.domain.just_desserts.scenario import ADVANCED, BASIC, Table, given, refused, words

# Eight guests for each of three seats, none of them having won: nobody is left to serve.
ALL_WON = (
    "granny mojo inga fuzzy candice wally the-dude the-emperor",
    "mary-ann the-professor boston-guy roland agent-17 mrs-jenkins the-tourist the-hippie",
    "the-little-boy the-little-girl bob-fruitcake the-astronaut the-hermit the-lumberjack "
    "mr-healthy nature-girl",
)


# JD-0: acting.


def test_jd_0_only_who_is_asked_may_act():
    table = given("fudge", "cheesecake")
    with refused("JD-0", "not_your_turn", seat=0):
        table.kitchen(1)


def test_jd_0_what_is_asked_is_answered():
    table = given("fudge", "cheesecake", options=ADVANCED)
    with refused("JD-0", "action_not_now", action="let_go", decision="turn"):
        table.let_go(0)
    with refused("JD-0", "action_not_now"):
        table.discards(0, "granny")
    with refused("JD-0", "action_not_now"):
        table.returns(0, "granny")


def test_jd_0_a_card_must_be_held():
    table = given("fudge", "cheesecake", centre="mr-healthy")
    with refused("JD-0", "dessert_not_held", "/desserts", dessert="cheesecake"):
        table.serve(0, "mr-healthy", "cheesecake")
    with refused("JD-0", "dessert_not_held", "/desserts", dessert="cheesecake"):
        table.dump(0, "fudge cheesecake")


def test_jd_0_a_card_is_named_once():
    """Trap: one card used twice."""
    table = given("pound-cake fruit-salad", "", centre="the-professor")
    with refused("JD-0", "dessert_twice", "/desserts", dessert="fruit-salad"):
        table.serve(0, "the-professor", "fruit-salad pound-cake fruit-salad")
    with refused("JD-0", "dessert_twice", "/desserts", dessert="pound-cake"):
        table.dump(0, "pound-cake pound-cake")


def test_jd_0_nothing_after_the_end():
    table = given("banana-split", "", guests=["the-tourist nature-girl"], centre="the-hippie")
    table.serve(0, "the-hippie", "banana-split")
    with refused(None, "game_over", code="game-over"):
        table.kitchen(0)


# JD-1: set-up.


@pytest.mark.parametrize("seats", range(2, 6))
def test_jd_1_set_up(seats):
    table = Table(seats, BASIC)
    game = table.game
    first = game.turn.seat
    assert table.types == [
        "started",
        "desserts_shuffled",
        "guests_shuffled",
        *["dealt"] * seats,
        *["guest_revealed"] * 3,
        "first_player_drawn",
        "turn_began",
        "guest_revealed",
    ]
    for seat in range(seats):
        assert len(table.hand(seat)) == (4 if seat == first else 3)
    assert len(game.centre) == 4
    assert len(game.guest_deck) == 20
    assert len(game.dessert_deck) == 76 - 3 * seats - 1
    assert table.refolded() == table.state


def test_jd_1_guests_in_the_centre_may_share_a_suit():
    """Nothing is cleared before the end of the first turn."""
    for number in range(50):
        table = Table(2, BASIC, seed=f"{number:064x}")
        suits = [GUESTS[guest]["suit"] for guest in table.game.centre[:3]]
        if len(set(suits)) < 3:
            assert table.asks == ("turn", (table.game.turn.seat,))
            return
    raise AssertionError("no such set-up in fifty")


def test_jd_1_the_first_player_is_drawn_or_chosen():
    firsts = {Table(4, BASIC, seed=f"{number:064x}").game.turn.seat for number in range(40)}
    assert firsts == {0, 1, 2, 3}
    table = Table(4, Options(first_player=2))
    assert table.asks == ("turn", (2,))
    assert "first_player_drawn" not in table.types


def test_jd_1_the_first_player_sits_at_the_table():
    with refused("JD-1", "no_such_first_player", "/options/first_player", code="invalid", most=1):
        Table(2, Options(first_player=2))


# JD-2: the start of a turn.


def test_jd_2_a_turn_begins_with_a_dessert_and_a_guest():
    table = given("fudge", "cheesecake", deck=["tiramisu-is-not-in", "pound-cake"][1] + " baklava",
                  guest_deck="granny")  # fmt: skip
    table.kitchen(0)
    assert table.hand(0) == words("fudge pound-cake")
    assert table.types == ["kitchen_entered", "drawn", "turn_began", "guest_revealed"]
    assert table.hand(1) == words("baklava cheesecake")
    assert table.game.centre == ("granny",)
    assert table.asks == ("turn", (1,))


def test_jd_2_no_guest_to_reveal():
    table = given("fudge", "", "", guests=["", *ALL_WON[1:]], centre="granny", guest_rest=0)
    assert not table.game.guest_deck
    table.kitchen(0)
    assert "guest_revealed" not in table.types
    assert table.asks == ("turn", (1,))


# JD-3: one action of three.


def test_jd_3_back_to_the_kitchen():
    table = given("", "", deck="fudge")
    table.kitchen(0)
    assert table.hand(0) == ("fudge",)
    assert table.asks == ("turn", (1,))


def test_jd_3_the_kitchen_is_open_even_if_nothing_can_be_drawn():
    table = given("", "", rest=1)
    table.kitchen(0)
    assert table.event("drawn").count == 0
    assert table.hand(0) == ()
    assert table.asks == ("turn", (1,))


def test_jd_3_dumping_the_tray():
    table = given("fudge baklava cheesecake", "", deck="pound-cake napoleon")
    table.dump(0, "cheesecake fudge")
    assert table.hand(0) == words("baklava napoleon pound-cake")
    assert table.game.dessert_discards == words("cheesecake fudge")
    assert table.asks == ("turn", (1,))


def test_jd_3_at_least_one_dessert_is_dumped():
    with refused("JD-3", "nothing_dumped", "/desserts"):
        given("fudge", "").dump(0, "")


def test_jd_3_a_dumped_dessert_can_come_back():
    table = given("fudge", "", rest=1)
    table.dump(0, "fudge")
    assert table.hand(0) == ("fudge",)


def test_jd_3_one_action_a_turn():
    table = given("ice-cream-cake fudge", "", centre="the-little-girl mojo")
    table.serve(0, "the-little-girl", "ice-cream-cake")
    with refused("JD-3", "guest_served"):
        table.kitchen(0)
    with refused("JD-3", "guest_served"):
        table.dump(0, "fudge")


def test_jd_3_the_turn_is_not_skipped():
    with refused("JD-3", "action_owed"):
        given("fudge", "").end(0)


# JD-4: serving.


def test_jd_4_every_set_of_up_to_three_desserts_for_every_guest():
    """Served or refused as the card facts have it, over the full deck of both expansions."""
    wanted = [(row["id"], set(row["craves"]), set(row["refuses"])) for row in GUESTS.values()]
    shown = {name: set(facts["tastes"]) for name, facts in DESSERTS.items()}
    wrong = []
    for size in (1, 2, 3):
        for desserts in combinations(DESSERTS, size):
            tastes = set().union(*[shown[name] for name in desserts])
            for guest, craved, unwanted in wanted:
                expected = craved <= tastes and not unwanted & tastes
                if satisfies(guest, desserts) != expected:
                    wrong.append((guest, desserts))
    assert not wrong


def test_jd_4_what_does_not_satisfy_is_refused():
    """The refusal and the yes or no agree, and with the words of the rule."""
    for guest in GUESTS:
        for desserts in combinations(list(DESSERTS)[::3], 2):
            if is_served(guest, desserts):
                check_satisfies(guest, desserts)
                continue
            with pytest.raises(Refusal) as caught:
                check_satisfies(guest, desserts)
            assert caught.value.rule == "JD-4"


def test_jd_4_every_craving_is_met():
    table = given("pound-cake fruit-salad", "", centre="the-professor")
    with refused("JD-4", "craving_unmet", "/desserts", guest="the-professor", taste="fruit"):
        table.serve(0, "the-professor", "pound-cake")
    with refused("JD-4", "craving_unmet", "/desserts"):
        table.serve(0, "the-professor", "")
    table.serve(0, "the-professor", "pound-cake fruit-salad")
    assert table.guests(0) == ("the-professor",)
    assert table.hand(0) == ()
    assert table.game.dessert_discards == words("fruit-salad pound-cake")


@pytest.mark.parametrize("refused_dessert", ["cherry-pie", "pumpkin-pie"])
def test_jd_4_each_refused_taste_is_refused(refused_dessert):
    """Trap: a refused taste ignored when it comes second. The Emperor refuses two."""
    table = given(f"pound-cake fudge {refused_dessert}", "", centre="the-emperor")
    taste = "fruit" if refused_dessert == "cherry-pie" else "veggies"
    with refused("JD-4", "taste_refused", "/desserts", dessert=refused_dessert, taste=taste):
        table.serve(0, "the-emperor", f"fudge pound-cake {refused_dessert}")
    with refused("JD-4", "taste_refused", "/desserts"):
        table.serve(0, "the-emperor", f"{refused_dessert} fudge pound-cake")


def test_jd_4_surplus_tastes_and_surplus_desserts_are_allowed():
    table = given(
        "tapioca-pudding boston-cream-pie cinnamon-roll glazed-donut", "", centre="roland"
    )
    table.serve(0, "roland", "glazed-donut boston-cream-pie tapioca-pudding cinnamon-roll")
    assert table.guests(0) == ("roland",)
    assert table.hand(0) == (table.event("drawn").desserts)


def test_jd_4_two_services_end_the_turn():
    table = given("ice-cream-cake pumpkin-pie", "", centre="the-little-girl mr-healthy")
    table.serve(0, "the-little-girl", "ice-cream-cake")
    assert table.asks == ("turn", (0,))
    assert table.game.turn.served == 1
    table.serve(0, "mr-healthy", "pumpkin-pie")
    assert table.guests(0) == ("the-little-girl", "mr-healthy")
    assert table.asks == ("turn", (1,))


def test_jd_4_the_second_guest_is_paid_with_other_desserts():
    table = given("ice-cream-cake", "", centre="the-little-girl mojo")
    table.serve(0, "the-little-girl", "ice-cream-cake")
    with refused("JD-0", "dessert_not_held", "/desserts"):
        table.serve(0, "mojo", "ice-cream-cake")


def test_jd_4_a_dessert_that_came_back_may_be_played_again():
    """The tip takes the reshuffled dessert that was just discarded."""
    table = given("fruitcake", "", centre="bob-fruitcake candice", doorway="nature-girl", rest=1)
    table.serve(0, "bob-fruitcake", "fruitcake")
    assert table.types == ["served", "desserts_shuffled", "drawn"]
    assert table.hand(0) == ("fruitcake",)
    assert table.legal(0) == ["end"]


def test_jd_4_a_turn_does_not_end_by_itself_after_one_service():
    """Not even if nothing more could be served: that would tell the hand."""
    table = given("cake-donut-with-sprinkles apple-turnover", "", centre="agent-17", deck="fudge")
    table.serve(0, "agent-17", "apple-turnover")
    assert table.legal(0) == ["end"]
    table.end(0)
    assert table.types[:1] == ["turn_ended"]
    assert table.asks == ("turn", (1,))


# JD-5: who can be served.


def test_jd_5_the_doorway_and_then_the_next_one_down():
    table = given("fruitcake pumpkin-pie", "", doorway="mr-healthy bob-fruitcake granny")
    with refused("JD-5", "guest_out_of_reach", "/guest", guest="bob-fruitcake"):
        table.serve(0, "bob-fruitcake", "fruitcake")
    assert table.legal(0) == ["serve mr-healthy", "kitchen", "dump"]
    table.serve(0, "mr-healthy", "pumpkin-pie")
    assert table.events[0].doorway
    assert table.legal(0) == ["serve bob-fruitcake", "end"]
    table.serve(0, "bob-fruitcake", "fruitcake")
    assert table.game.doorway() == ("granny",)


@pytest.mark.parametrize("where", ["won by another", "won already", "in the deck", "in no box"])
def test_jd_5_a_guest_out_of_reach(where):
    """Trap: a guest served who is in nobody's reach."""
    guest = "kevin" if where == "in no box" else "bob-fruitcake"
    won = {"won by another": ["", "bob-fruitcake"], "won already": ["bob-fruitcake"]}
    table = given("fruitcake", "", guests=won.get(where, []), centre="granny")
    with refused("JD-5", "guest_out_of_reach", "/guest", guest=guest):
        table.serve(0, guest, "fruitcake")


# JD-6: favourites.


def test_jd_6_a_favourite_brings_a_dessert_at_once():
    table = given("ice-cream-cake", "", centre="the-little-girl candice", deck="candied-yams")
    table.serve(0, "the-little-girl", "ice-cream-cake")
    assert table.types == ["served", "drawn"]
    table.serve(0, "candice", "candied-yams")
    assert table.guests(0) == ("the-little-girl", "candice")


def test_jd_6_no_tip_without_a_favourite():
    table = given("yellow-cake vanilla-ice-cream", "", centre="the-little-girl")
    table.serve(0, "the-little-girl", "yellow-cake vanilla-ice-cream")
    assert table.types == ["served"]


def test_jd_6_one_tip_a_service():
    table = given("strawberry-shortcake pineapple-upside-down-cake", "", centre="the-professor")
    table.serve(0, "the-professor", "strawberry-shortcake pineapple-upside-down-cake")
    assert table.event("drawn").count == 1


@pytest.mark.parametrize(
    ("guest", "dessert"),
    [("abraham-bacon", "bacon-ice-cream"), ("doctor-coffee", "cup-of-coffee")],
)
def test_jd_6_a_favourite_may_be_any_dessert_of_a_taste(guest, dessert):
    both = Options(just_coffee=True, better_with_bacon=True)
    table = given(f"{dessert} fudge", "", centre=guest, options=both)
    table.serve(0, guest, f"{dessert} fudge")
    assert table.event("drawn").count == 1


def test_jd_6_coffee_cake_does_not_taste_of_coffee():
    table = given("coffee-cake", "", centre="doctor-coffee", options=Options(just_coffee=True))
    with refused("JD-4", "craving_unmet", "/desserts", taste="coffee"):
        table.serve(0, "doctor-coffee", "coffee-cake")


# JD-7: the end of a turn.


def test_jd_7_guests_of_a_shared_suit_leave_one_by_one():
    table = given("", "", centre="granny inga mojo fuzzy mary-ann", guest_deck="candice")
    table.kitchen(0)
    assert table.asks == ("clearing", (0,))
    assert len(table.legal(0)) == 5
    table.discards(0, "mojo")
    table.discards(0, "inga")
    assert table.game.doorway() == ("inga",)
    with refused("JD-7", "last_of_suit", "/guest", guest="fuzzy", suit="green"):
        table.discards(0, "fuzzy")
    assert table.legal(0) == ["discard_guest granny", "discard_guest mary-ann"]
    table.discards(0, "granny")
    assert table.game.centre == ("fuzzy", "mary-ann", "candice")
    assert table.game.guest_discards == ("granny", "inga", "mojo")
    assert table.asks == ("turn", (1,))


def test_jd_7_only_guests_in_the_centre_are_discarded():
    table = given("", "", centre="granny mojo", guests=["mary-ann"], doorway="the-professor")
    table.kitchen(0)
    for guest in ("mary-ann", "the-professor", "inga"):
        with refused("JD-7", "guest_not_in_centre", "/guest", guest=guest):
            table.discards(0, guest)
    with refused("JD-0", "not_your_turn"):
        table.discards(1, "granny")


def test_jd_7_the_doorway_is_not_counted():
    table = given("", "", centre="granny", doorway="mojo", guest_deck="inga")
    table.kitchen(0)
    assert table.asks == ("turn", (1,))


@pytest.mark.parametrize("how", ["kitchen", "dump", "end", "two services"])
def test_jd_7_after_every_action(how):
    """Trap: duplicates not cleaned."""
    table = given("ice-cream-cake pumpkin-pie", "", centre="the-little-girl mr-healthy granny mojo")
    if how == "kitchen":
        table.kitchen(0)
    elif how == "dump":
        table.dump(0, "pumpkin-pie")
    else:
        table.serve(0, "the-little-girl", "ice-cream-cake")
        if how == "end":
            table.end(0)
        else:
            table.serve(0, "mr-healthy", "pumpkin-pie")
    assert table.asks == ("clearing", (0,))


# JD-8: the dessert deck.


def test_jd_8_a_new_deck_as_soon_as_the_last_card_is_taken():
    table = given("", "", deck="fudge", rest="discards")
    table.kitchen(0)
    assert table.types[:3] == ["kitchen_entered", "drawn", "desserts_shuffled"]
    assert table.hand(0) == ("fudge",)
    assert table.game.dessert_discards == ()
    assert len(table.game.dessert_deck) == 74  # seat 1 has drawn from it


def test_jd_8_with_nothing_to_shuffle_at_the_next_draw():
    table = given("fudge", "", deck="baklava", rest=1)
    table.kitchen(0)
    assert "desserts_shuffled" not in table.types
    table = given("fudge napoleon", "", rest=1)
    table.dump(0, "fudge")
    assert table.types[:4] == ["tray_dumped", "desserts_shuffled", "drawn", "turn_began"]
    assert table.event("turn_began").count == 0


def test_jd_8_a_draw_goes_on_from_the_new_deck():
    table = given("fudge baklava napoleon", "", deck="cheesecake", rest=1)
    table.dump(0, "fudge baklava napoleon")
    drawn = [(event.asked, event.count) for event in table.events if hasattr(event, "reason")]
    assert table.types[:4] == ["tray_dumped", "drawn", "desserts_shuffled", "drawn"]
    assert drawn == [(3, 1), (2, 2)]
    assert len(table.hand(0)) == 3


def test_jd_8_both_empty_fewer_are_drawn():
    table = given("ice-cream-cake", "", centre="the-little-girl mojo", rest=1)
    table.serve(0, "the-little-girl", "ice-cream-cake")
    table.end(0)
    assert (table.event("turn_began").asked, table.event("turn_began").count) == (1, 0)


# JD-9: the guest deck.


def test_jd_9_a_new_deck_of_all_but_the_top_one():
    """Trap: the wrong top card after a guest reshuffle."""
    table = given("", "", guest_deck="inga", doorway="granny candice roland", guest_rest="discards")
    under = set(table.game.guest_discards[1:])
    table.kitchen(0)
    assert table.types[-2:] == ["guest_revealed", "guests_shuffled"]
    assert table.game.centre == ("inga",)
    assert table.game.guest_discards == ("granny",)
    assert set(table.game.guest_deck) == under


def test_jd_9_the_doorway_never_enters_the_centre():
    table = given("", "", guests=ALL_WON[1:], guest_rest=0, doorway="granny mojo inga")
    assert not table.game.guest_deck
    table.kitchen(0)
    assert table.types[-3:] == ["turn_began", "guests_shuffled", "guest_revealed"]
    assert table.game.doorway() == ("granny",)
    assert set(table.game.centre) | set(table.game.guest_deck) == {"mojo", "inga"}
    table.kitchen(1)
    assert table.game.doorway() == ("granny",)
    assert set(table.game.centre) == {"mojo", "inga"}
    table.kitchen(0)
    assert "guest_revealed" not in table.types


def test_jd_9_nothing_under_the_doorway_is_tried_again():
    table = given("", "", guests=ALL_WON[1:], guest_rest=0, doorway="granny", guest_deck="mojo")
    table.kitchen(0)
    assert table.types[-1] == "guest_revealed"
    table.kitchen(1)
    assert table.types[-1] == "turn_began"
    assert table.game.doorway() == ("granny",)


def test_jd_9_one_discarded_guest_is_not_revealed():
    table = given("", "", guests=ALL_WON[1:], guest_rest=0, doorway="granny")
    table.kitchen(0)
    assert table.game.centre == ()
    assert table.game.doorway() == ("granny",)


# JD-10: the win.


def test_jd_10_three_of_a_suit():
    table = given("banana-split", "", guests=["the-tourist nature-girl"],
                  centre="the-hippie granny mojo")  # fmt: skip
    table.serve(0, "the-hippie", "banana-split")
    assert table.outcome.reason == "JD-10"
    assert table.outcome.winners == (0,)
    assert table.outcome.scores == (4, 0)
    assert table.types[-3:] == ["drawn", "ended", "sealed"]


def test_jd_10_five_suits():
    table = given("candied-yams", "", guests=["granny inga the-dude agent-17 mojo"],
                  centre="candice")  # fmt: skip
    table.serve(0, "candice", "candied-yams")
    assert table.outcome.reason == "JD-10"
    assert table.outcome.winners == (0,)


def test_jd_10_four_suits_and_two_pairs_do_not_win():
    table = given("candied-yams", "", guests=["granny mojo inga fuzzy the-dude"], centre="candice")
    table.serve(0, "candice", "candied-yams")
    assert table.asks == ("turn", (0,))


# JD-11: all guests served.


def last_guest(hand_0="", hand_1="", hand_2="", **given_more):
    """Granny is the last guest; seat 0 has all but her of its eight."""
    rows = [ALL_WON[0].removeprefix("granny "), *ALL_WON[1:]]
    hands = (f"apple-pie-a-la-mode {hand_0}", hand_1, hand_2)
    return given(*hands, guests=rows, centre="granny", **given_more)


def test_jd_11_points_and_pairs():
    table = last_guest(hand_1="fudge")
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.outcome.reason == "JD-11"
    assert table.outcome.scores == (12, 12, 12)


def test_jd_11_most_desserts_in_hand_break_a_tie():
    """Seat 0 has its tip in hand by then."""
    table = last_guest(hand_1="fudge baklava")
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.outcome.winners == (1,)


def test_jd_11_a_tie_is_shared():
    table = last_guest(hand_1="fudge")
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.outcome.winners == (0, 1)


def test_jd_11_most_points_win():
    """Whoever holds more desserts: they count in a tie only."""
    rows = [row.replace("granny ", "").replace(" the-hippie", "") for row in ALL_WON]
    rows = [*(row.replace(" nature-girl", "") for row in rows), "nature-girl the-hippie"]
    table = given("apple-pie-a-la-mode", "fudge baklava napoleon", "", "", guests=rows,
                  centre="granny")  # fmt: skip
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.outcome.scores == (12, 10, 10, 3)
    assert table.outcome.winners == (0,)


def test_jd_11_open_guests_are_still_to_be_served():
    """An empty deck alone ends nothing."""
    rows = [ALL_WON[0].removeprefix("granny mojo "), *ALL_WON[1:]]
    table = given("apple-pie-a-la-mode", "", "", guests=rows, centre="granny mojo")
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.asks == ("turn", (0,))


def test_jd_11_a_guest_in_the_doorway_is_still_to_be_served():
    rows = [ALL_WON[0].removeprefix("granny mojo "), *ALL_WON[1:]]
    table = given("apple-pie-a-la-mode", "", "", guests=rows, centre="granny", doorway="mojo")
    table.serve(0, "granny", "apple-pie-a-la-mode")
    assert table.asks == ("turn", (0,))


# JD-12: what is hidden.


def test_jd_12_hands_and_decks_are_hidden():
    table = given("fudge", "baklava", centre="granny", doorway="mojo inga", discards="napoleon")
    for sight, sees in ((SPECTATOR, ()), (Sight(seats=(1,)), (1,)), (Sight(judge=True), (0, 1))):
        board = JUST_DESSERTS.board(table.game, sight)
        assert [player.hand is not None for player in board.players] == [
            seat in sees for seat in (0, 1)
        ]
        assert board.dessert_deck is None
        assert board.guest_deck is None
        assert [player.hand_count for player in board.players] == [1, 1]
        assert (board.dessert_deck_count, board.guest_deck_count) == (73, 21)
        assert board.centre == ("granny",)
        assert board.doorway == "mojo"
        assert board.guest_discards == ("mojo", "inga")
        assert board.dessert_discards == ("napoleon",)


def test_jd_12_the_sealed_game_shows_all():
    table = given("fudge", "baklava")
    board = JUST_DESSERTS.board(table.game, Sight(sealed=True))
    assert board.dessert_deck == table.game.dessert_deck
    assert board.guest_deck == table.game.guest_deck
    assert [player.hand for player in board.players] == [("fudge",), ("baklava",)]


# Options: JD-40, and what is on when.


@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize("poaching", [None, False, True])
@pytest.mark.parametrize("buffet", [None, False, True])
def test_jd_20_jd_30_an_option_that_is_not_given_follows_advanced(advanced, poaching, buffet):
    options = Options(advanced=advanced, poaching=poaching, buffet=buffet)
    table = given(
        "pound-cake cheesecake fudge fruit-salad napoleon banana-split",
        "",
        guests=["", "the-hippie"],
        options=options,
    )
    poaches = advanced if poaching is None else poaching
    opens = advanced if buffet is None else buffet
    assert ("poach the-hippie" in table.legal(0)) == poaches
    assert ("buffet" in table.legal(0)) == opens
    if not poaches:
        with refused("JD-20", "no_poaching"):
            table.poach(0, 1, "the-hippie", "banana-split")
    if not opens:
        with refused("JD-30", "no_buffet"):
            table.buffet(0, "pound-cake cheesecake fudge fruit-salad")


@pytest.mark.parametrize("coffee", [False, True])
@pytest.mark.parametrize("bacon", [False, True])
def test_jd_40_each_expansion_is_shuffled_in(coffee, bacon):
    table = Table(2, Options(just_coffee=coffee, better_with_bacon=bacon))
    added = coffee + bacon
    assert len(table.game.dessert_deck) == 76 + 6 * added - 7
    assert len(table.game.guest_deck) == 24 + 4 * added - 4


def test_jd_40_the_goals_stay():
    options = Options(just_coffee=True)
    table = given("tiramisu", "", guests=["mr-jitters the-conceptual-artist"],
                  centre="the-movie-star", options=options)  # fmt: skip
    table.serve(0, "the-movie-star", "tiramisu")
    assert table.outcome.reason == "JD-10"


def test_an_action_is_read_strictly():
    decode = msgspec.json.Decoder(JUST_DESSERTS.action_type).decode
    serve = decode(b'{"type":"serve","guest":"inga","desserts":["fudge"]}')
    assert serve == Serve("inga", ("fudge",))
    for bad in (
        b'{"type":"serve","guest":"nobody","desserts":[]}',
        b'{"type":"serve","guest":"inga","desserts":["gravel"]}',
        b'{"type":"poach","seat":5,"guest":"inga","desserts":[]}',
        b'{"type":"end","guest":"inga"}',
        b'{"type":"eat"}',
    ):
        with pytest.raises(msgspec.ValidationError):
            decode(bad)


def test_a_position_begins_with_the_turn_it_says():
    assert given("", "", turn=Turn(1, 7)).asks == ("turn", (1,))
