"""A judge takes Stir Fry Eighteen back: taste tests, an empty deck, the last turns, clocks.

Each command is checked by ``tests.domain.judged``: the fold is what an independent interpreter
makes of the log, and after a rewind each viewer is shown what was shown at that version.
"""

import pytest

from domain.kernel.clock import DecisionClock
from domain.kernel.decide import MakeMotion, seat_actor
from domain.kernel.rulings import Adjust, Note, Undo
from domain.kernel.state import decision_id, status
from domain.stir_fry_eighteen.actions import Pass
from domain.stir_fry_eighteen.options import Options
from tests.domain.positions import AtAPosition
from tests.domain.stir_fry_eighteen import scenario
from tests.domain.stir_fry_eighteen.room import ROOM
from tests.domain.stir_fry_eighteen.scenario import given, hand_of

DECK = "noodles noodles noodles noodles mushrooms soy_sauce"
MEAL = "noodles pork mushrooms"  # 11 points
RESHUFFLED = ["ruled", "rewound", "reshuffled"]


class Table(AtAPosition, scenario.Table):
    """A table of Stir Fry Eighteen at which a judge rules."""

    room = ROOM
    types = AtAPosition.tags


def before_a_claim(deck=DECK, **more):
    """Seat 0 can lay a bluff or the truth under a claim, before three who may call."""
    return Table(given("ginger ginger pork", "chicken", "shrimp", "soy_sauce", deck=deck), **more)


# Taste tests (SF-6 to SF-8).


def test_a_challenge_judged_wrongly_is_set_right_by_a_rewind_to_its_window():
    """With who had passed still counted as having passed, and the laid cards hidden again."""
    table = before_a_claim()
    table.pair(0, "ginger pork").passes(2)
    window, old = table.version, decision_id(table.state)
    table.call(1)
    assert "pork" in str(table.events), "the laid cards were revealed"
    table.back_to(window)
    assert table.types == RESHUFFLED
    assert table.decision.awaited == (1, 3)
    table.refuses("superseded", lambda: table.act(3, Pass(), decision=old))
    table.passes(3).passes(1)
    assert table.event("drawn").count == 3
    assert table.hand(1) == ("chicken",), "nobody was rewarded"


def test_a_lost_hand_comes_back_with_its_window():
    table = before_a_claim()
    table.pair(0, "ginger ginger")
    window = table.version
    table.call(3)
    assert table.hand(3) == (), "a wrong call costs the hand (SF-7)"
    table.back_to(window)
    assert table.hand(3) == ("soy_sauce",)
    assert table.decision.awaited == (1, 2, 3)


def test_out_of_an_open_window_and_back_into_it():
    table = before_a_claim()
    before = table.version
    table.pair(0, "ginger pork").passes(1)
    window = table.version
    table.back_to(before)
    assert table.types == ["ruled", "rewound"], "nobody was told anything that was hidden"
    assert table.hand(0) == hand_of("ginger ginger pork")
    table.protein(0, "pork").passes(1, 2, 3)
    drawn = table.version
    table.back_to(window)
    assert table.types == RESHUFFLED, "cards were drawn in the other line since"
    assert table.decision.awaited == (2, 3)
    table.back_to(drawn)
    assert len(table.hand(0)) == 5


def test_an_undo_is_had_at_once_until_somebody_has_passed():
    table = before_a_claim()
    before = table.version
    table.pair(0, "ginger pork").undone_to(before, 0)
    assert table.types == ["motion_made", "rewound"]
    table.pair(0, "ginger ginger").passes(2)
    table.command(MakeMotion(seat=0, motion=Undo(before)), seat_actor(0))
    assert table.types == ["motion_made"], "a pass is somebody's act"
    table.refuses("motion-open", lambda: table.undone_to(before, 0, 1, 2, 3))


def test_who_left_a_window_is_not_asked_in_it_again():
    table = before_a_claim()
    table.pair(0, "ginger pork")
    window = table.version
    table.passes(1).leaves(3)
    table.back_to(window)
    assert "seat_left" in table.types
    assert table.decision.awaited == (1, 2)
    assert table.hand(3) == ("soy_sauce",), "the seat keeps its hand (SF-17)"


# An empty deck (SF-13).


def test_back_to_an_empty_deck_and_away_from_it():
    table = before_a_claim(deck="noodles")
    full = table.version
    table.pair(0, "ginger ginger").passes(1, 2, 3)
    assert (table.event("drawn").count, table.game.deck) == (1, ())
    empty = table.version
    table.end_turn(0)
    assert table.game.deck != ()
    table.back_to(empty)
    assert (table.game.deck, table.asks) == ((), ("turn", (0,)))
    table.protein(0, "pork").passes(1, 2, 3)
    assert table.event("drawn").count == 0
    table.back_to(full)
    assert table.game.deck == ("noodles",)
    table.back_to(empty)
    assert table.game.deck == ()


# The last turns (SF-14).


def test_back_from_the_end_into_the_last_turns_and_before_them():
    options = Options(close_the_kitchen=True)
    table = Table(given(MEAL, "ginger", "chicken", scores=(45, 0, 0), options=options))
    before = table.version
    table.cook(0, MEAL).end_turn(1)
    if table.asks[0] == "reduction":
        table.reduce(1, table.hand(1)[0])
    last = table.version
    assert table.game.last_turns == 1
    table.end_turn(2)
    assert status(table.state) == "ended"
    over = table.version
    table.back_to(last)
    assert (table.asks, table.game.last_turns) == (("turn", (2,)), 1)
    table.back_to(before)
    assert (table.score(0), table.game.last_turns) == (45, None)
    table.end_turn(0)
    table.back_to(over)
    assert (status(table.state), table.outcome.winners) == ("ended", (0,))
    table.sealed()
    table.refuses("game-over", lambda: table.back_to(before))


@pytest.mark.parametrize("points", [-20, 7])
def test_an_adjustment_is_taken_back_with_the_game(points):
    table = Table(given(MEAL, "ginger", scores=(10, 3)))
    before = table.version
    table.rules(Adjust(0, points)).cook(0, MEAL)
    assert table.score(0) == max(0, 10 + points) + 11
    table.back_to(before)
    assert (table.score(0), table.score(1)) == (10, 3)


# Clocks.


def test_a_window_that_ran_out_unfairly_is_opened_with_fresh_deadlines_for_all():
    table = before_a_claim(clock=DecisionClock(20))
    table.pair(0, "ginger pork").passes(2)
    window = table.version
    table.runs_out(1).runs_out(3)
    assert table.event("drawn").count == 3
    table.checked.now += 1_000_000
    table.back_to(window)
    assert [table.until(seat) for seat in range(4)] == [None, 20_000, None, 20_000]
    table.call(3)
    assert not table.event("called").truthful


def test_a_rewind_within_a_decision_gives_its_time_anew_as_well():
    table = before_a_claim(clock=DecisionClock(20))
    table.pair(0, "ginger pork")
    window = table.version
    table.checked.now += 15_000
    table.rules(Note())
    assert table.until(1) < 5_000
    table.back_to(window)
    assert table.until(1) == 20_000
