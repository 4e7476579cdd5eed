"""The statistics of finished games: counted right, and the command prints them."""

import pytest

from domain.kernel.decision import Outcome
from domain.kernel.event import Ended
from domain.memesio.balance import Balance
from domain.memesio.cards import DECK
from domain.memesio.deck import RECIPES
from domain.memesio.events import (
    CoinTossed,
    Cooked,
    Dealt,
    Invented,
    PantryOpened,
    Stocked,
    TurnBegan,
)
from tests.domain.memesio import balance as command


def game_of(winners=(1,), ladle_to=0):
    """A short game of two: seat 1 begins; one cake, one jam, one invention."""
    ladle = next(card for card in DECK if card.startswith("ladle-"))
    cake = next(card for card in DECK if card.startswith("cake-"))
    jam = next(card for card in DECK if card.startswith("jam-"))
    hands = {ladle_to: (ladle, jam), 1 - ladle_to: (cake,)}
    cooked = {"sources": (), "marked": False, "screams": 4, "shares": ()}
    return [
        *(Dealt(seat=seat, count=len(hands[seat]), cards=hands[seat]) for seat in (0, 1)),
        PantryOpened(cards=DECK[:4]),
        TurnBegan(seat=1, count=1, cards=DECK[4:5], awaits=(1,)),
        Cooked(seat=1, card=cake, dessert=1, **cooked),
        TurnBegan(seat=0, count=1, cards=DECK[5:6], awaits=(0,)),
        Invented(seat=0, card=ladle, sources=(), dessert=2, text=None),
        CoinTossed(chance=3, seat=0, dessert=2, heads=True, screams=8, awaits=(0,)),
        Cooked(seat=0, card=jam, dessert=3, **cooked),
        TurnBegan(seat=1, count=0, cards=(), awaits=(1,)),
        Stocked(seat=1, card=cake, screams=2, chance=None),
        Ended(outcome=Outcome("ME-13", winners, (12, 6))),
    ]


def test_a_game_is_counted():
    balance = Balance(2, (0, 1))
    balance.add(game_of())
    assert balance.games == 1
    assert balance.turns == 3
    assert balance.median_deck_left() == len(DECK) - 4 - 3 - 2
    assert balance.cooked == {"cake": 1, "jam": 1, "invention": 1}
    assert balance.complex_share() == pytest.approx(100 / 3)
    assert (balance.share_of_games("cake"), balance.share_of_games("smores")) == (100, 0)
    assert balance.heads == 1


def test_wins_by_seat_and_by_turn_shared_ones_by_their_share():
    balance = Balance(2, (0,))
    balance.add(game_of(winners=(0,)))
    balance.add(game_of(winners=(0, 1)))
    assert (balance.by_seat[0], balance.by_seat[1]) == (1.5, 0.5)
    assert (balance.by_turn[0], balance.by_turn[1]) == (0.5, 1.5), "seat 1 began"
    assert balance.wins_of_planners() == 75
    assert balance.excess(balance.by_seat) == 25


def test_what_drawing_a_special_card_is_worth():
    balance = Balance(2, (0, 1))
    for ladle_to, winners in ((0, (0,)), (1, (1,)), (0, (0,)), (1, (0,))):
        balance.add(game_of(winners, ladle_to))
    assert balance.swing("ladle") == 50, "75 % with it, 25 % for the other"
    assert balance.swing("maiti") == 0


def test_a_game_that_goes_on_is_refused():
    with pytest.raises(ValueError, match="not ended"):
        Balance(2, ()).add(game_of()[:-1])


@pytest.mark.parametrize(("planners", "aims"), [((0, 1), 10), ((0,), 1), ((), 1)])
def test_the_lines_say_what_is_met(planners, aims):
    balance = Balance(2, planners)
    balance.add(game_of())
    lines = balance.lines()
    with_aim = [line for line in lines if line.aim]
    assert len(with_aim) == aims
    assert all(line.met is not None for line in with_aim)
    assert [line.met for line in lines if not line.aim] == [None] * (len(lines) - aims)
    assert sum(line.what.startswith("games with") for line in lines if not line.aim) == len(RECIPES)


def test_the_command_prints_the_table(capsys):
    command.main(["--games", "2", "--players", "2"])
    printed = capsys.readouterr().out
    assert "2 players, planning: 2 games" in printed
    assert "a planner among random players wins" in printed
