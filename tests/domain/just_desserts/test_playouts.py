"""Random games of Just Desserts, every invariant checked at every version.

A slice; all of it: ``python -m tests.domain.playouts just-desserts --games 10000``. What the kit
does not know of this game stands in :func:`check_course`, which 10,000 games go through by
``python -m tests.domain.just_desserts.test_playouts 10000``.
"""

import sys

import pytest

from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.state import CLEARING
from tests.domain.just_desserts.facts import has_won, points_of, suits_of
from tests.domain.just_desserts.room import ROOM
from tests.domain.kit import Tally, play_checked

GAMES = 60


def check_course(played):
    """Check what the rules say of a whole game, from its events and states."""
    states, records = played.states, played.records
    for index, record in enumerate(records):
        game = states[index].game
        if game is None or game.turn.number == 0:
            continue
        ends_command = index + 1 == len(records) or records[index + 1].count
        if ends_command:
            _check_rest(game)
        tag = record.event.__struct_config__.tag
        _check_decks(game, tag, records[index + 1].event if index + 1 < len(records) else None)
        if tag == "turn_began" and game.turn.number > 1:
            centre = states[index - 1].game.centre
            assert max(suits_of(centre).values(), default=0) <= 1, "JD-7: one guest a suit"
        if record.count:
            action = JUST_DESSERTS.action_of(record.event)
            assert record.actor == "service" or (action is not None) == ("seat:" in record.actor)
    _check_end(states[-1].game)


def _check_rest(game):
    """Check what holds whenever somebody is asked, and at the end."""
    winners = [
        seat
        for seat, player in enumerate(game.players)
        if has_won(player.guests) or max(suits_of(player.guests).values(), default=0) > 3
    ]
    ended = game.outcome is not None and game.outcome.reason == "JD-10"
    assert winners == (list(game.outcome.winners) if ended else []), "JD-10: wins exactly then"
    served_out = not (game.centre or game.guest_deck or game.guest_discards)
    assert not served_out or game.outcome is not None, "JD-11: all guests served"
    if game.decision is not None and game.decision.kind == CLEARING:
        assert max(suits_of(game.centre).values()) > 1
    assert game.turn.served <= (1 if game.turn.buffet else 2)


def _check_decks(game, tag, following):
    """Check that a deck is made anew at once when its last card is taken (JD-8, JD-9)."""
    if tag in ("turn_began", "drawn") and not game.dessert_deck and game.dessert_discards:
        assert following.__struct_config__.tag == "desserts_shuffled"
        assert sorted(following.dessert_order) == list(game.dessert_discards)
    if tag == "guest_revealed" and not game.guest_deck and len(game.guest_discards) > 1:
        assert following.__struct_config__.tag == "guests_shuffled"
        assert following.doorway == game.guest_discards[0]
        assert sorted(following.guest_order) == sorted(game.guest_discards[1:])


def _check_end(game):
    """Score the end again (JD-11), by hand."""
    outcome = game.outcome
    scores = [points_of(player.guests) for player in game.players]
    assert list(outcome.scores) == scores
    present = [seat for seat, player in enumerate(game.players) if not player.left]
    match outcome.reason:
        case "JD-10":
            (winner,) = outcome.winners
            assert has_won(game.players[winner].guests)
            assert winner == game.turn.seat
        case "JD-50":
            assert list(outcome.winners) == present
            assert len(present) == 1
        case "JD-11" | "JD-51":
            best = max(scores[seat] for seat in present)
            first = [seat for seat in present if scores[seat] == best]
            most = max(len(game.players[seat].hand) for seat in first)
            assert list(outcome.winners) == [
                seat for seat in first if len(game.players[seat].hand) == most
            ]
        case reason:
            raise AssertionError(f"ended by {reason}")


def play(first, games):
    """Play and check games; give the tally."""
    total = Tally()
    for index in range(first, first + games):
        leaving = 0.05 if index % 10 == 0 else None  # now and then a table that falls apart
        played = play_checked(ROOM, f"course/{index}", leaving=leaving, probes=0.2)
        check_course(played)
        total.add(played.tally)
    return total


AFTER_A_REWIND = {"desserts_reshuffled", "guests_reshuffled"}
EVENTS = {str(event.__struct_config__.tag) for event in JUST_DESSERTS.events} - AFTER_A_REWIND


@pytest.fixture(scope="module")
def tally():
    return play(0, GAMES)


def test_random_games_are_sound(tally):
    """The counts guard the generator: without leaving, blocks or refusals it would prove little."""
    assert tally.games == GAMES
    assert set(tally.endings) >= {"JD-10", "JD-50"}
    assert set(tally.event_types) >= EVENTS - {"offer_withdrawn"}  # rare: a scenario has it
    assert tally.attempts["accepted"] > 2_000
    assert tally.attempts["refused"] > 2_000


def test_random_games_meet_most_refusals(tally):
    met = {name.split()[0] for name in tally.refusals}
    assert met >= {"JD-0", "JD-3", "JD-4", "JD-5", "JD-7", "JD-20", "JD-21", "JD-30"}


if __name__ == "__main__":
    print(play(0, int(sys.argv[1])).endings)
