"""The advanced game: poaching and blocking (JD-20 to JD-25), buffets (JD-30), and their traps."""

import pytest

from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.kernel.viewer import SPECTATOR
from tests.domain.just_desserts.facts import DESSERTS, GUESTS, is_favourite
from tests.domain.just_desserts.scenario import ADVANCED, given, refused

SINGLE = "pound-cake cheesecake fudge fruit-salad"
# A favourite for The Little Girl, what else would do, and what would do for Mr. Healthy.
FAVOURITE, PLAIN, OTHER_PLAIN = (
    "ice-cream-cake",
    "yellow-cake vanilla-ice-cream",
    "pound-cake profiteroles",
)


def poached(hand, blocker="", *, guest="the-little-girl", deck="", **more):
    """Seat 0 offers its whole hand for a guest of seat 1."""
    table = given(hand, blocker, guests=["", guest], deck=deck, options=ADVANCED, **more)
    return table.poach(0, 1, guest, hand)


# JD-20: poaching.


def test_jd_20_a_guest_is_poached_once_its_owner_lets_it_go():
    """Trap: the cards of a successful poach not discarded."""
    table = poached(PLAIN, "fudge", deck="baklava")
    assert table.types == ["poach_offered"]
    assert table.asks == ("blocking", (1,))
    assert table.guests(1) == ("the-little-girl",)
    table.let_go(1)
    assert table.types == ["guest_let_go", "guest_poached", "drawn"]
    assert table.guests(0) == ("the-little-girl",)
    assert table.guests(1) == ()
    assert table.hand(0) == ()
    assert table.game.dessert_discards == tuple(sorted(PLAIN.split()))
    assert table.hand(1) == ("baklava", "fudge")
    assert table.asks == ("turn", (0,))


def test_jd_20_a_poached_guest_counts_as_one_of_the_two():
    table = poached(PLAIN, deck="baklava", centre="mr-healthy").let_go(1)
    assert table.game.turn.served == 1
    assert table.legal(0) == ["end"]
    table = given(f"{PLAIN} pumpkin-pie", "", guests=["", "the-little-girl"], centre="mr-healthy",
                  options=ADVANCED)  # fmt: skip
    table.serve(0, "mr-healthy", "pumpkin-pie")
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    assert table.asks == ("turn", (1,))


def test_jd_20_before_a_service():
    """Trap: duplicates not cleaned after serving and then poaching, or the other way round."""
    table = given(f"{PLAIN} pumpkin-pie", "", guests=["", "the-little-girl"],
                  centre="mr-healthy granny mojo", options=ADVANCED)  # fmt: skip
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    table.serve(0, "mr-healthy", "pumpkin-pie")
    assert table.asks == ("clearing", (0,))


def test_jd_20_after_a_service_and_then_the_centre_is_cleared():
    table = given(f"{PLAIN} pumpkin-pie", "", guests=["", "the-little-girl"],
                  centre="mr-healthy granny mojo", options=ADVANCED)  # fmt: skip
    table.serve(0, "mr-healthy", "pumpkin-pie")
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    assert table.asks == ("clearing", (0,))


def test_jd_20_a_blocked_poach_uses_up_only_the_attempt():
    table = given(f"{PLAIN} pumpkin-pie", FAVOURITE, guests=["", "the-little-girl"],
                  centre="mr-healthy", options=ADVANCED)  # fmt: skip
    table.poach(0, 1, "the-little-girl", PLAIN).block(1, FAVOURITE)
    assert table.game.turn.served == 0
    with refused("JD-20", "action_owed"):
        table.end(0)
    with refused("JD-20", "poach_tried"):
        table.poach(0, 1, "the-little-girl", PLAIN)
    assert table.legal(0) == ["serve mr-healthy", "kitchen", "dump"]
    table.serve(0, "mr-healthy", "pumpkin-pie")
    assert table.asks == ("turn", (0,))


def test_jd_20_after_a_blocked_poach_the_kitchen_is_open():
    table = poached(PLAIN, FAVOURITE).block(1, FAVOURITE)
    table.kitchen(0)
    assert table.asks == ("turn", (1,))


def test_jd_20_once_a_turn_even_if_it_succeeded():
    table = given(f"{PLAIN} pumpkin-pie", "", guests=["", "the-little-girl mr-healthy"],
                  options=ADVANCED)  # fmt: skip
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    with refused("JD-20", "poach_tried"):
        table.poach(0, 1, "mr-healthy", "pumpkin-pie")


def test_jd_20_no_poach_on_an_own_guest():
    """Trap: a poach on one's own guest."""
    table = given(PLAIN, "", guests=["the-little-girl"], options=ADVANCED)
    with refused("JD-20", "own_guest", "/seat"):
        table.poach(0, 0, "the-little-girl", PLAIN)
    assert not [form for form in table.legal(0) if form.startswith("poach")]


@pytest.mark.parametrize("seat", [1, 2, 4])
def test_jd_20_only_a_guest_that_the_seat_has_won(seat):
    table = given(PLAIN, "", "", guests=["", "mr-healthy", "granny"], centre="the-little-girl",
                  options=ADVANCED)  # fmt: skip
    with refused("JD-20", "guest_not_won", "/guest", guest="the-little-girl", seat=seat):
        table.poach(0, seat, "the-little-girl", PLAIN)


def test_jd_20_the_guest_must_be_satisfied():
    table = given(f"{PLAIN} pumpkin-pie", "", guests=["", "the-little-girl"], options=ADVANCED)
    with refused("JD-4", "craving_unmet", "/desserts"):
        table.poach(0, 1, "the-little-girl", "yellow-cake")
    with refused("JD-4", "taste_refused", "/desserts"):
        table.poach(0, 1, "the-little-girl", f"{PLAIN} pumpkin-pie")
    with refused("JD-0", "dessert_not_held", "/desserts"):
        table.poach(0, 1, "the-little-girl", FAVOURITE)
    with refused("JD-0", "dessert_twice", "/desserts"):
        table.poach(0, 1, "the-little-girl", f"{PLAIN} yellow-cake")


def test_jd_20_a_success_closes_kitchen_dump_and_buffet():
    table = given(f"{PLAIN} {SINGLE}", "", guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    for act in (
        lambda: table.kitchen(0),
        lambda: table.dump(0, "fudge"),
        lambda: table.buffet(0, SINGLE),
    ):
        with refused("JD-20", "guest_poached"):
            act()


def test_jd_20_no_buffet_after_an_attempt_and_no_poach_with_a_buffet():
    table = given(f"{PLAIN} {SINGLE}", FAVOURITE, guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).block(1, FAVOURITE)
    assert table.legal(0) == ["kitchen", "dump"]
    with refused("JD-20", "no_buffet_after_poach"):
        table.buffet(0, SINGLE)
    table = given(f"{PLAIN} {SINGLE}", "", "", guests=["", "granny", "the-little-girl mojo"],
                  options=ADVANCED)  # fmt: skip
    table.buffet(0, SINGLE).returns(2, "mojo")
    assert table.legal(0) == ["serve granny", "end"]
    with refused("JD-20", "no_poach_with_buffet"):
        table.poach(0, 2, "the-little-girl", PLAIN)


# JD-21: blocking.


def test_jd_21_only_the_owner_blocks():
    table = given(PLAIN, "", FAVOURITE, guests=["", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN)
    for seat in (0, 2):
        with refused("JD-21", "only_owner_blocks", seat=1):
            table.block(seat, FAVOURITE)
        with refused("JD-21", "only_owner_blocks", seat=1):
            table.let_go(seat)


def test_jd_21_the_block_satisfies_the_guest_from_own_cards():
    table = poached(PLAIN, f"{FAVOURITE} pumpkin-pie")
    with refused("JD-0", "dessert_not_held", "/desserts"):
        table.block(1, PLAIN)
    with refused("JD-4", "taste_refused", "/desserts"):
        table.block(1, f"{FAVOURITE} pumpkin-pie")
    with refused("JD-4", "craving_unmet", "/desserts"):
        table.block(1, "")


def two_favourites(hand, blocker):
    """The Professor has two favourites, so that one can block the other."""
    return poached(hand, blocker, guest="the-professor")


def test_jd_21_a_favourite_is_blocked_by_a_favourite_only():
    """Trap: a favourite-poach blocked without a favourite."""
    table = two_favourites(
        "strawberry-shortcake", "pound-cake fruit-salad pineapple-upside-down-cake"
    )
    with refused("JD-21", "block_without_favourite", "/desserts", guest="the-professor"):
        table.block(1, "pound-cake fruit-salad")
    table.block(1, "pineapple-upside-down-cake")
    assert table.guests(1) == ("the-professor",)


def test_jd_21_a_favourite_among_others_is_a_favourite():
    """However the surplus is laid, on either side."""
    table = two_favourites("strawberry-shortcake pound-cake", "baklava fruitcake")
    assert table.legal(1) == ["let_go"]
    table = two_favourites("strawberry-shortcake", "baklava pineapple-upside-down-cake")
    table.block(1, "baklava pineapple-upside-down-cake")
    assert table.guests(1) == ("the-professor",)


def test_jd_21_without_a_favourite_anything_that_satisfies_blocks():
    table = two_favourites("pound-cake fruit-salad", "yellow-cake orange-sherbet")
    table.block(1, "yellow-cake orange-sherbet")
    assert table.guests(1) == ("the-professor",)


# JD-22: who is asked.


@pytest.mark.parametrize("blocker", ["", "fudge", FAVOURITE])
def test_jd_22_the_owner_is_asked_whatever_the_hand_holds(blocker):
    """Trap: a poach that succeeds without asking, which tells everyone what the owner lacks."""
    table = poached(PLAIN, blocker)
    assert table.asks == ("blocking", (1,))
    assert table.legal(1)[-1] == "let_go"


def test_jd_22_the_owner_is_asked_wherever_the_desserts_lie():
    """The discard pile holds the only other favourite, where nobody can take it."""
    table = poached("strawberry-shortcake", "", guest="the-professor",
                    discards="pineapple-upside-down-cake")  # fmt: skip
    assert table.asks == ("blocking", (1,))


def test_jd_22_a_single_favourite_cannot_be_blocked():
    table = poached(FAVOURITE, "yellow-cake vanilla-ice-cream")
    assert table.types[:2] == ["poach_offered", "guest_poached"]
    assert table.event("poach_offered").awaits == ()
    assert table.guests(0) == ("the-little-girl",)


@pytest.mark.parametrize("coffee", [False, True])
@pytest.mark.parametrize("bacon", [False, True])
def test_jd_22_asks_by_card_facts_alone(coffee, bacon):
    """For each guest and a lone favourite: asked just if the game has another favourite."""
    options = Options(advanced=True, just_coffee=coffee, better_with_bacon=bacon)
    boxes = ["base", *["just_coffee"] * coffee, *["better_with_bacon"] * bacon]
    for guest, row in GUESTS.items():
        favourites = [
            dessert
            for dessert, facts in DESSERTS.items()
            if facts["set"] in boxes and is_favourite(guest, dessert)
        ]
        if row["set"] not in boxes or not favourites:
            continue
        table = given(favourites[0], "", guests=["", guest], options=options)
        table.poach(0, 1, guest, favourites[0])
        assert (table.types == ["poach_offered"]) == (len(favourites) > 1)


def test_jd_22_all_that_could_block_is_offered():
    """With every dessert of nuts and spices offered, nothing is left to block with."""
    hand = "candied-ginger bread-pudding cinnamon-roll spice-cake gingerbread-dudes coffee-cake"
    table = poached(f"{hand} zucchini-muffin fruit-salad", guest="nature-girl")
    assert table.types[:2] == ["poach_offered", "guest_poached"]


# JD-23: blocked.


def test_jd_23_blocked():
    table = poached(PLAIN, f"{OTHER_PLAIN} fudge", deck="napoleon")
    table.block(1, OTHER_PLAIN)
    assert table.types == ["poach_blocked"]
    assert table.hand(0) == tuple(sorted(PLAIN.split()))
    assert table.hand(1) == ("fudge",)
    assert table.guests(1) == ("the-little-girl",)
    assert table.game.dessert_discards == tuple(sorted(OTHER_PLAIN.split()))
    assert table.game.offer is None


def test_jd_23_the_offer_lies_open_until_the_window_closes():
    table = poached(PLAIN, FAVOURITE)
    board = JUST_DESSERTS.board(table.game, SPECTATOR)
    assert board.offer is not None
    assert board.offer.desserts == tuple(sorted(PLAIN.split()))
    assert board.players[0].hand is None
    assert board.players[0].hand_count == 2
    table.block(1, FAVOURITE)
    assert JUST_DESSERTS.board(table.game, SPECTATOR).offer is None


# JD-24, JD-25: robbed, and tips.


def test_jd_24_the_robbed_player_draws_before_the_tips():
    table = two_favourites("strawberry-shortcake pineapple-upside-down-cake", "")
    assert table.types == ["poach_offered", "guest_poached", "drawn", "drawn"]
    robbed, tip = (event for event in table.events if hasattr(event, "reason"))
    assert (robbed.seat, robbed.reason, robbed.count) == (1, "robbed", 1)
    assert (tip.seat, tip.reason, tip.count) == (0, "tip", 2)


def test_jd_25_a_tip_for_each_favourite_unlike_a_service():
    both = Options(advanced=True, better_with_bacon=True)
    bacon = "candied-bacon bacon-ice-cream maple-bacon-donut"
    table = given(bacon, "", guests=["", "abraham-bacon"], options=both)
    table.poach(0, 1, "abraham-bacon", bacon).let_go(1)
    assert len(table.hand(0)) == 3


def test_jd_25_the_blocker_is_tipped_and_the_blocked_poacher_is_not():
    table = poached(PLAIN, f"{FAVOURITE} fudge", deck="napoleon")
    table.block(1, FAVOURITE)
    assert table.types == ["poach_blocked", "drawn"]
    assert table.hand(1) == ("fudge", "napoleon")
    table = two_favourites("strawberry-shortcake", "pineapple-upside-down-cake")
    table.block(1, "pineapple-upside-down-cake")
    assert table.hand(0) == ("strawberry-shortcake",)
    assert table.event("drawn").seat == 1


def test_jd_25_then_the_poacher_may_win():
    table = given(PLAIN, "", guests=["agent-17 mrs-jenkins", "the-little-girl"], options=ADVANCED)
    table.poach(0, 1, "the-little-girl", PLAIN).let_go(1)
    assert table.outcome.reason == "JD-10"
    assert table.outcome.winners == (0,)
    assert table.outcome.scores == (4, 0)


# JD-30: buffets.


def test_jd_30_every_opponent_returns_a_guest_in_turn_order():
    table = given("", SINGLE, "", "", "", turn=1, options=ADVANCED, guest_deck="candice",
                  guests=["inga fuzzy", "roland", "", "granny", "mojo the-dude"],
                  centre="agent-17")  # fmt: skip
    table.buffet(1, SINGLE)
    assert table.types == ["buffet_opened", "guest_returned"]
    assert table.game.returning == (4, 0)
    assert table.asks == ("returning", (4,))
    assert table.decision.awaited == (4, 0)
    with refused("JD-30", "not_your_return", seat=4):
        table.returns(0, "inga")
    with refused("JD-30", "guest_not_yours", "/guest", guest="inga"):
        table.returns(4, "inga")
    table.returns(4, "the-dude")
    assert table.asks == ("returning", (0,))
    assert table.legal(0) == ["return_guest inga", "return_guest fuzzy"]
    table.returns(0, "fuzzy")
    assert table.types == ["guest_returned", "drawn", "service_asked"]
    assert table.game.centre == ("agent-17", "granny", "the-dude", "fuzzy")
    assert [table.guests(seat) for seat in range(5)] == [
        ("inga",), ("roland",), (), (), ("mojo",)
    ]  # fmt: skip
    assert len(table.hand(1)) == 3
    assert table.asks == ("turn", (1,))


def test_jd_30_a_single_guest_is_returned_unasked():
    table = given(SINGLE, "", guests=["", "granny"], options=ADVANCED)
    table.buffet(0, SINGLE)
    assert table.types == ["buffet_opened", "guest_returned", "drawn", "service_asked"]
    assert table.game.centre == ("granny",)
    assert table.asks == ("turn", (0,))


@pytest.mark.parametrize("count", [0, 3, 5])
def test_jd_30_exactly_four_desserts(count):
    """Trap: a buffet with three or five cards."""
    hand = f"{SINGLE} napoleon"
    table = given(hand, "", options=ADVANCED)
    with refused("JD-30", "buffet_of_four", "/desserts", count=count):
        table.buffet(0, " ".join(hand.split()[:count]))


def test_jd_30_of_a_single_taste_each():
    table = given(f"{SINGLE} banana-split", "", options=ADVANCED)
    with refused("JD-30", "not_single_taste", "/desserts", dessert="banana-split"):
        table.buffet(0, "pound-cake cheesecake fudge banana-split")
    with refused("JD-0", "dessert_twice", "/desserts"):
        table.buffet(0, "pound-cake cheesecake fudge fudge")
    with refused("JD-0", "dessert_not_held", "/desserts"):
        table.buffet(0, "pound-cake cheesecake fudge napoleon")


def test_jd_30_the_tastes_may_be_the_same():
    table = given("pound-cake yellow-cake napoleon glazed-donut", "", options=ADVANCED)
    table.buffet(0, "pound-cake yellow-cake napoleon glazed-donut")
    assert table.asks == ("turn", (0,))


def test_jd_30_the_service_stays_even_if_nobody_has_a_guest():
    """Trap: the free service lost when nobody has a guest and the centre has duplicates."""
    table = given(f"{SINGLE} banana-split", "", centre="the-hippie granny mojo", options=ADVANCED)
    table.buffet(0, SINGLE)
    assert table.types == ["buffet_opened", "drawn", "service_asked"]
    assert table.asks == ("turn", (0,))
    table.serve(0, "the-hippie", "banana-split")
    assert "drawn" in table.types, "with the tip of any service (JD-6)"
    assert table.guests(0) == ("the-hippie",)
    assert table.asks == ("clearing", (0,))


def test_jd_30_one_service_from_the_doorway_too():
    table = given(f"{SINGLE} banana-split pumpkin-pie", "", centre="mr-healthy",
                  doorway="the-hippie", options=ADVANCED)  # fmt: skip
    table.buffet(0, SINGLE)
    table.serve(0, "the-hippie", "banana-split")
    assert table.asks == ("turn", (1,))


def test_jd_30_or_the_turn_ends():
    table = given(SINGLE, "", guests=["", "granny"], centre="mojo", options=ADVANCED)
    table.buffet(0, SINGLE).end(0)
    assert table.asks == ("clearing", (0,)), "returned guests count (JD-7)"


def test_jd_30_no_other_action_after_a_buffet():
    table = given(f"{SINGLE} napoleon", "", options=ADVANCED)
    table.buffet(0, SINGLE)
    for act in (
        lambda: table.kitchen(0),
        lambda: table.dump(0, "napoleon"),
        lambda: table.buffet(0, "napoleon"),
    ):
        with refused("JD-30", "buffet_opened"):
            act()


def test_jd_30_not_after_a_service():
    table = given(f"{SINGLE} banana-split", "", centre="the-hippie", options=ADVANCED)
    table.serve(0, "the-hippie", "banana-split")
    with refused("JD-3", "guest_served"):
        table.buffet(0, SINGLE)


def test_jd_30_a_returned_guest_can_be_served():
    table = given(f"{SINGLE} banana-split", "", guests=["", "the-hippie"], options=ADVANCED)
    table.buffet(0, SINGLE).serve(0, "the-hippie", "banana-split")
    assert table.guests(0) == ("the-hippie",)
