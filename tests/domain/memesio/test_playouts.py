"""Random games of Memesio's Café, every invariant checked at every version.

``python -m tests.domain.memesio.test_playouts 10000`` recounts the screams of more games.
"""

import sys
from random import Random

import pytest

from domain.memesio.ruleset import MEMESIO
from domain.players.playout import Playout
from tests.domain.kit import play_checked
from tests.domain.memesio.recount import Recount
from tests.domain.memesio.room import ROOM
from tests.domain.playouts import play_many

EVENTS = {
    "shuffled", "dealt", "pantry_opened", "first_player_drawn", "turn_began", "cooked", "stocked",
    "memesio_asked", "nyamonas_asked", "maiti_asked", "invented", "coin_tossed", "cheered",
}  # fmt: skip


def test_random_games_are_sound():
    """A slice of ``python -m tests.domain.playouts memesio --games 10000``.

    The counts guard the generator: games in which nothing is ever refused would prove little.
    """
    tally = play_many("memesio", 30, "slice", 1)
    assert tally.games == 30
    assert set(tally.endings) == {"ME-13", "ME-16"}
    assert set(tally.event_types) >= EVENTS | {"seat_left", "sealed"}
    assert tally.attempts["accepted"] > 800
    assert tally.attempts["refused"] > 1_500
    assert {name.split()[0] for name in tally.refusals} >= {
        "ME-0", "ME-3", "ME-7", "ME-8", "ME-9", "ME-10", "ME-11",
    }  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_planned_games_are_sound_too(seats):
    """With all that the planner finds: desserts nested thrice, swaps that pay."""
    random = Random(f"planned/{seats}")
    play = Playout(MEMESIO)
    play.open(game="g0001", seats=seats, seed=random.randbytes(32).hex(), options=MEMESIO.options())
    choosers = dict.fromkeys(range(seats), MEMESIO.players["planning"])
    while play.step(random, choosers):
        ROOM.conserved(play.state.game)
    Recount(seats).follow(record.event for record in play.records)


def recount(games, seed):
    """Play games, some of them checked and with leavers, and recount their screams."""
    totals = {"shares": 0, "halved": 0, "quarters": 0}
    for number in range(games):
        random = Random(f"{seed}/{number}")
        seats = 2 + number % 4
        if number % 8 == 0:
            records = play_checked(ROOM, f"{seed}/{number}", seats=seats, probes=0.02).records
        else:
            play = Playout(MEMESIO)
            seed_of_game = random.randbytes(32).hex()
            play.open(game="g0001", seats=seats, seed=seed_of_game, options=MEMESIO.options())
            while play.step(random):
                pass
            records = play.records
        count = Recount(seats).follow(record.event for record in records)
        totals["shares"] += count.shares_paid
        totals["halved"] += count.halved
        totals["quarters"] += count.quarters
    return totals


def test_me_4_screams_are_recounted_from_the_events():
    totals = recount(80, "recount")
    assert totals["shares"] > 150
    assert totals["halved"] > 10
    assert totals["quarters"] > 2


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    print(f"{games} games recounted: {recount(games, 'bulk')}")
