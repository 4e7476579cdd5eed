"""A judge takes Just Desserts back: windows, poaching, buffets, empty decks, clocks, the end.

Each command is checked by ``tests.domain.judged``: the fold is what an independent interpreter
makes of the log, and after a rewind each viewer is shown what was shown at that version.
"""

import pytest

from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.kernel.clock import DecisionClock, GameClock
from domain.kernel.rulings import Note, RestoreClock
from domain.kernel.state import decision_id, status
from domain.kernel.viewer import SPECTATOR
from tests.domain.just_desserts import scenario
from tests.domain.just_desserts.room import ROOM
from tests.domain.just_desserts.scenario import ADVANCED, DISCARDS, given
from tests.domain.positions import AtAPosition

SINGLE = "pound-cake cheesecake fudge fruit-salad"
PLAIN, FAVOURITE = "yellow-cake vanilla-ice-cream", "ice-cream-cake"
GIRL = "the-little-girl"
RESHUFFLED = ["ruled", "rewound", "desserts_reshuffled", "guests_reshuffled"]


class Table(AtAPosition, scenario.Table):
    """A table of Just Desserts at which a judge rules."""

    room = ROOM
    types = AtAPosition.tags


def before_a_poach(**more):
    """Seat 0 can poach a guest of seat 1, who can block; seat 2 looks on."""
    hands = (PLAIN, f"{FAVOURITE} fudge", "napoleon")
    return Table(given(*hands, guests=["", GIRL], deck="baklava", options=ADVANCED), **more)


def cards(table):
    """What each seat holds and has won."""
    return [(player.hand, player.guests) for player in table.game.players]


# Block windows (JD-21).


def test_back_into_a_block_window_that_was_let_pass():
    table = before_a_poach()
    table.poach(0, 1, GIRL, PLAIN)
    window, old = table.version, decision_id(table.state)
    table.let_go(1)
    assert table.guests(0) == (GIRL,)
    table.back_to(window)
    assert table.types == RESHUFFLED, "a dessert was drawn from the deck"
    assert table.asks == ("blocking", (1,))
    assert table.guests(1) == (GIRL,)
    offer = JUST_DESSERTS.board(table.game, SPECTATOR).offer
    assert offer is not None, "the offered cards lie open again"
    assert offer.desserts == tuple(sorted(PLAIN.split()))
    table.refuses("superseded", lambda: table.act(1, scenario.LetGo(), decision=old))
    table.block(1, FAVOURITE)
    assert table.guests(1) == (GIRL,)
    assert table.hand(0) == tuple(sorted(PLAIN.split()))


def test_back_out_of_an_open_block_window():
    table = before_a_poach()
    before, held = table.version, cards(table)
    table.poach(0, 1, GIRL, PLAIN)
    old = decision_id(table.state)
    table.back_to(before)
    assert table.game.offer is None
    assert cards(table) == held
    assert table.types == RESHUFFLED, "the offer told what is in a hand"
    table.refuses("superseded", lambda: table.act(1, scenario.LetGo(), decision=old))
    table.kitchen(0)


@pytest.mark.parametrize("blocked", [True, False])
def test_back_across_a_poach(blocked):
    """To before it, whether it came off or was blocked: all cards are where they were."""
    table = before_a_poach()
    before, held = table.version, cards(table)
    table.poach(0, 1, GIRL, PLAIN)
    if blocked:
        table.block(1, FAVOURITE)
    else:
        table.let_go(1)
    assert cards(table) != held
    table.back_to(before)
    assert (cards(table), table.asks) == (held, ("turn", (0,)))
    assert not table.game.turn.poached
    table.poach(0, 1, GIRL, PLAIN).let_go(1)
    assert table.guests(0) == (GIRL,)


def test_the_undone_window_can_be_had_back_by_another_rewind():
    """Undoing a rewind, into the window of the undone line, with the deck that it had then."""
    table = before_a_poach()
    before = table.version
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.let_go(1)
    deck = table.at(window).game.dessert_deck
    table.back_to(before).kitchen(0)
    table.back_to(window)
    assert table.asks == ("blocking", (1,))
    assert table.game.dessert_deck != deck, "how that line went on is known: another deck"
    table.back_to(window, reshuffle=False)
    assert table.game.dessert_deck == deck, "unless the judge orders otherwise"
    table.let_go(1)
    assert "baklava" in table.hand(1), "and then it goes on as it did"


def test_the_poacher_left_meanwhile_and_leaves_the_window_too():
    table = before_a_poach()
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.let_go(1).leaves(0)
    table.back_to(window)
    assert "seat_left" in table.types
    assert "offer_withdrawn" in table.types
    assert table.game.offer is None
    assert (table.hand(0), table.guests(1)) == ((), (GIRL,))
    assert 0 not in table.game.present()
    assert table.asks[1] == (1,)


def test_the_owner_left_meanwhile_and_blocks_no_more():
    table = before_a_poach()
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.let_go(1).leaves(1)
    table.back_to(window)
    assert 1 not in table.game.present()
    assert table.game.offer is None
    assert table.guests(0) == (GIRL,), "a seat that has left never blocks (JD-50)"


def test_an_undo_of_an_offer_needs_the_others():
    """It showed cards, so it is not had for the asking."""
    table = before_a_poach()
    before, held = table.version, cards(table)
    table.poach(0, 1, GIRL, PLAIN)
    table.undone_to(before, 0, 1, 2)
    assert (cards(table), table.game.offer) == (held, None)
    assert "desserts_reshuffled" in table.types


# Buffets (JD-30): several seats are asked, one after the other.


def a_buffet(**more):
    position = given(SINGLE, "", "", options=ADVANCED, guest_deck="candice",
                     guests=["", "inga fuzzy", "granny mojo"], centre="agent-17")  # fmt: skip
    return Table(position, **more)


def test_back_into_a_buffet_and_across_it():
    table = a_buffet()
    before, held = table.version, cards(table)
    table.buffet(0, SINGLE)
    opened = table.version
    table.returns(1, "fuzzy")
    half = table.version
    table.returns(2, "mojo")
    assert len(table.hand(0)) == 3
    table.back_to(half)
    assert (table.asks, table.decision.awaited) == (("returning", (2,)), (2,))
    assert table.game.centre == ("agent-17", "fuzzy")
    table.back_to(opened)
    assert table.decision.awaited == (1, 2)
    assert table.hand(0) == ()
    table.returns(1, "inga").returns(2, "mojo")
    assert table.game.centre == ("agent-17", "inga", "mojo")
    table.back_to(before)
    assert cards(table) == held


def test_who_left_during_a_buffet_returns_a_guest_at_random():
    table = a_buffet()
    table.buffet(0, SINGLE)
    opened = table.version
    table.returns(1, "fuzzy").leaves(2)
    table.back_to(opened)
    assert table.decision.awaited == (1,), "the seat that left is not asked"
    assert len(table.guests(2)) == 2
    table.returns(1, "inga")
    assert len(table.guests(2)) == 1


# Decks (JD-8, JD-9).


def test_back_to_two_empty_decks_and_away_from_them():
    """All desserts are in hands or discarded; the last guests stand under the doorway."""
    position = given(f"{PLAIN} fudge", "", options=ADVANCED, centre="inga", rest=1,
                     guest_rest=DISCARDS)  # fmt: skip
    table = Table(position)
    before = table.version
    assert (table.game.dessert_deck, table.game.dessert_discards) == ((), ())
    assert table.game.guest_deck == ()
    doorway = table.game.guest_discards
    table.dump(0, "fudge")
    assert table.game.guest_deck != (), "a new deck was made of the discarded guests"
    after = table.version
    table.back_to(before)
    assert table.types == RESHUFFLED, "what was drawn came of a shuffle that nobody may know"
    assert (table.game.dessert_deck, table.game.guest_deck) == ((), ())
    assert table.game.guest_discards == doorway
    table.back_to(after)
    assert table.game.guest_deck != ()
    table.back_to(before).kitchen(0)
    assert table.hand(0) == tuple(sorted(f"{PLAIN} fudge".split())), "there is nothing to draw"


# The end.


def about_to_win():
    """Seat 0 has two guests of a suit, and can poach or block its way to the third."""
    return Table(given(PLAIN, FAVOURITE, guests=["agent-17 mrs-jenkins", GIRL], options=ADVANCED))


def test_back_from_the_winning_move_before_the_seal():
    table = about_to_win()
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.let_go(1)
    assert (status(table.state), table.outcome.winners) == ("ended", (0,))
    won = table.version
    table.back_to(window)
    assert (status(table.state), table.asks) == ("running", ("blocking", (1,)))
    assert table.state.table.ended is None
    table.block(1, FAVOURITE)
    assert table.game.outcome is None, "the game goes on, and the judge was right"
    table.back_to(won)
    assert (status(table.state), table.outcome.winners) == ("ended", (0,))
    assert table.state.table.ended == table.state.time, "the day begins anew"
    table.sealed()
    table.refuses("game-over", lambda: table.back_to(window))


def test_back_from_an_end_by_leaving_that_follows_again():
    """Who has left has left the earlier position too, so that it ends in the same way."""
    table = about_to_win()
    before = table.version
    table.leaves(1)
    assert status(table.state) == "ended"
    table.back_to(before)
    assert (status(table.state), table.outcome.winners) == ("ended", (0,))
    assert table.types[-1] == "ended"


# Clocks.


def test_a_window_that_closed_too_early_is_opened_with_a_fresh_deadline():
    table = before_a_poach(clock=DecisionClock(60))
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.runs_out(1)
    assert table.guests(0) == (GIRL,), "the default is to let go"
    table.checked.now += 5_000_000
    table.back_to(window)
    assert table.until(1) == 60_000
    fixed = table.state.time + 60_000
    table.checked.now += 59_000
    table.rules(Note())
    assert table.state.time + table.until(1) == fixed, "it goes by the event of the rewind alone"
    table.block(1, FAVOURITE)
    assert table.guests(1) == (GIRL,)


def test_a_game_clock_is_not_set_back_but_by_a_ruling():
    table = before_a_poach(clock=GameClock(60))
    table.poach(0, 1, GIRL, PLAIN)
    window = table.version
    table.checked.now += 20_000
    table.let_go(1)
    left = table.state.table.timing.banks[1]
    assert left < 60_000 - 20_000
    table.back_to(window)
    assert table.until(1) == left, "the time that was thought is gone"
    table.checked.now += 30_000
    table.rules(RestoreClock(1, 45_000))
    assert table.until(1) == 45_000, "from the ruling on, however long the seat has thought"
    table.rules(RestoreClock(0, 50_000)).block(1, FAVOURITE)
    assert (table.until(0), table.state.table.timing.banks[1] < 45_000) == (50_000, True)
