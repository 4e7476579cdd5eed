"""The planning player: how well it plays, and that it uses all that the game offers.

``python -m tests.domain.just_desserts.test_planner 1000`` plays more games than the test does.
"""

import sys
import time
from collections import Counter
from random import Random
from statistics import median

import msgspec
import pytest

from domain.just_desserts import actions
from domain.just_desserts.options import Options
from domain.just_desserts.planner import cheapest, choose, gain, loss, worth
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.serving import pick
from domain.players.bundled import scene
from domain.players.playout import Playout
from tests.domain.just_desserts.room import ROOM
from tests.domain.just_desserts.scenario import ADVANCED, BASIC, given

GAMES = 160
LEAST_SHARE = 0.92


def duel(number, *, alone=True):
    """Play a game of two seats, one of them (or both) planning; who plans begins half the time."""
    random = Random(f"duel/{number}")
    options = Options(
        advanced=number % 2 == 0, just_coffee=number % 3 == 0, better_with_bacon=number % 5 == 0
    )
    seat = number // 2 % 2
    game = Playout(JUST_DESSERTS)
    game.open(game=f"g{number}", seats=2, seed=random.randbytes(32).hex(), options=options)
    planners = {seat: choose} if alone else {0: choose, 1: choose}
    while game.step(random, planners):
        pass
    return game, seat


def events_of(game, seat):
    """Count a seat's events by type."""
    return Counter(
        str(record.event.__struct_config__.tag)
        for record in game.records
        if getattr(record.event, "seat", None) == seat
    )


def test_it_beats_the_random_player():
    won, did = 0, Counter()
    for number in range(GAMES):
        game, seat = duel(number)
        won += game.state.game.outcome.winners == (seat,)
        did += events_of(game, seat)
    assert won >= LEAST_SHARE * GAMES
    assert min(did[kind] for kind in ("guest_poached", "poach_blocked", "buffet_opened")) > 0


def test_it_plays_at_every_table():
    """With any options and any number of seats; what it does is always listed."""
    random = Random("any table")
    for number in range(40):
        seats = 2 + number % 4
        game = Playout(JUST_DESSERTS)
        game.open(
            game=f"g{number}",
            seats=seats,
            seed=random.randbytes(32).hex(),
            options=ROOM.draw_options(random, seats),
        )
        while game.step(random, dict.fromkeys(range(seats), choose)):
            pass
        assert game.state.game.outcome is not None


def test_it_is_listed_by_name():
    assert JUST_DESSERTS.bundled_players["planning"] is choose


def choice_of(table, seat):
    """What the planner does in a position."""
    shown = scene(JUST_DESSERTS, table.game, table.game.options, seat, list)
    return msgspec.convert(choose(shown, Random(0)), JUST_DESSERTS.action_type)


def test_it_takes_a_win():
    table = given("banana-split ice-cream-cake", "", guests=["the-tourist nature-girl"],
                  centre="the-little-girl the-hippie")  # fmt: skip
    assert choice_of(table, 0) == actions.Serve("the-hippie", ("banana-split",))


def test_it_pays_with_the_favourite_and_keeps_the_rest():
    table = given("ice-cream-cake yellow-cake vanilla-ice-cream", "", centre="the-little-girl")
    assert choice_of(table, 0) == actions.Serve("the-little-girl", ("ice-cream-cake",))


def test_it_blocks_a_poach_that_would_win():
    table = given("yellow-cake vanilla-ice-cream", "pound-cake profiteroles",
                  guests=["agent-17 mrs-jenkins", "the-little-girl"], options=ADVANCED)  # fmt: skip
    table.poach(0, 1, "the-little-girl", "yellow-cake vanilla-ice-cream")
    assert choice_of(table, 1) == actions.Block(("pound-cake", "profiteroles"))


def test_it_opens_a_buffet_against_a_seat_about_to_win():
    table = given("pound-cake cheesecake fudge fruit-salad", "", options=ADVANCED,
                  guests=["", "granny inga candice agent-17"])  # fmt: skip
    action = choice_of(table, 0)
    assert isinstance(action, actions.Buffet)
    table.act(0, action)
    assert choice_of(table, 1).guest in table.guests(1)


def test_it_clears_away_whom_another_needs():
    table = given("", "", guests=["", "granny mojo"], centre="mary-ann inga fuzzy the-professor",
                  guest_deck="roland", options=BASIC).kitchen(0)  # fmt: skip
    assert choice_of(table, 0).guest in ("mary-ann", "the-professor")


@pytest.mark.parametrize("seed", range(40))
def test_the_cheapest_desserts_are_the_cheapest(seed):
    """Against all subsets that fit."""
    random = Random(seed)
    table = Playout(JUST_DESSERTS)
    table.open(game="g", seats=2, seed=random.randbytes(32).hex(), options=ADVANCED)
    hand = tuple(sorted(random.sample(table.state.game.dessert_deck, 9)))
    price = {dessert: random.random() - 0.2 for dessert in hand}
    for guest in table.state.game.guest_deck:
        form = pick(guest, hand, favourite=False)
        if form is None:
            continue
        spent, chosen = cheapest(form, hand, lambda dessert: max(0.0, price[dessert]))
        assert form.accepts(chosen)
        assert list(chosen) == sorted(chosen)
        subsets = (
            [dessert for bit, dessert in enumerate(hand) if code >> bit & 1]
            for code in range(1, 1 << len(hand))
        )
        costs = [
            sum(max(0.0, price[dessert]) for dessert in subset)
            for subset in subsets
            if form.accepts(subset)
        ]
        assert spent == pytest.approx(min(costs))


def test_a_guest_gained_and_lost_weighs_the_same():
    row = ("granny", "inga")
    assert gain(row, "mojo") == loss((*row, "mojo"), "mojo") > 0
    assert worth(("granny", "mojo", "mary-ann")) == 100.0


if __name__ == "__main__":
    games = int(sys.argv[1])
    began = time.perf_counter()
    played = [duel(number) for number in range(games)]
    share = sum(game.state.game.outcome.winners == (seat,) for game, seat in played) / games
    print(f"planning against random: {share:.1%} of {games} games won")
    print(f"{games / (time.perf_counter() - began):.0f} games/s")
    print(f"{median(game.state.game.turn.number for game, _ in played)} turns (median)")
    began = time.perf_counter()
    turns = [duel(number, alone=False)[0].state.game.turn.number for number in range(games)]
    print(f"planning against planning: {games / (time.perf_counter() - began):.0f} games/s")
    print(f"{median(turns)} turns (median), {min(turns)} to {max(turns)}")
