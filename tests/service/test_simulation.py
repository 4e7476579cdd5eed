"""``potluck simulate``: any mix of players, the same for the same seed, counted rightly."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from domain.kernel.codec import encode
from domain.kernel.decision import Outcome
from domain.memesio.ruleset import MEMESIO
from domain.players.playout import Playout
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from service import simulation
from service.cli import main
from service.simulation import Game, report, simulate, stored_bytes, wilson

RULESET = "stir-fry-eighteen"


def played(*seated, games=12, seed=1, rotate=False, options=None):
    chosen = options or Options()
    return simulate(STIR_FRY_EIGHTEEN, games, seated, Random(seed), chosen, rotate=rotate)


def said(*arguments, status=0):
    done = CliRunner().invoke(main, ["simulate", RULESET, *arguments])
    assert done.exit_code == status, done.output
    return done.output


def test_the_same_seed_plays_the_same_games():
    mix = ("planning", "random", "easy")
    assert played(*mix, seed=5) == played(*mix, seed=5)
    assert played(*mix, seed=5) != played(*mix, seed=6)


def test_every_game_is_counted_once():
    result = played("medium", "easy", "random", "easy", games=20)
    assert result.games == 20
    assert sum(result.reasons.values()) == 20
    for shares in (result.players, result.seats):
        assert sum(share.won for share in shares) == pytest.approx(20, abs=0.05)
        assert all(0 <= share.low <= share.share <= share.high <= 1 for share in shares)
    assert [(player.player, player.seats) for player in result.players] == [
        ("medium", 1), ("easy", 2), ("random", 1),
    ]  # fmt: skip
    assert [seat.player for seat in result.seats] == ["medium", "easy", "random", "easy"]


def test_a_name_at_several_seats_is_counted_together():
    result = played("easy", "random", "easy", games=15)
    (easy, random), seats = result.players, result.seats
    assert easy.won == pytest.approx(seats[0].won + seats[2].won, abs=0.02)
    assert easy.mean_score == pytest.approx((seats[0].mean_score + seats[2].mean_score) / 2, 0.01)
    assert random.won == seats[1].won


def test_rotating_moves_everyone_on_by_a_seat():
    result = played("random", "easy", "medium", games=6, rotate=True)
    assert [seat.player for seat in result.seats] == [None, None, None]
    orders = [game.seated for game in result_games("random", "easy", "medium", games=6)]
    assert orders[:3] == [
        ("random", "easy", "medium"), ("easy", "medium", "random"), ("medium", "random", "easy"),
    ]  # fmt: skip
    assert orders[3:] == orders[:3]


def result_games(*seated, games):
    """Give the games themselves, as they are counted."""
    found = []
    seen = simulation._play

    def noting(*arguments):
        game, records = seen(*arguments)
        found.append(game)
        return game, records

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "_play", noting)
        played(*seated, games=games, rotate=True)
    return found


def test_a_shared_win_counts_in_part():
    shared = Outcome("SF-18", (0, 2), (9, 3, 9))
    alone = Outcome("SF-14", (1,), (10, 52, 0))
    games = [Game(("a", "b", "a"), shared, 10, 10), Game(("a", "b", "a"), alone, 10, 10)]
    ours = simulation._player(games, "a")
    assert (ours.won, ours.share, ours.mean_score) == (1.0, 0.5, 7.0)
    assert simulation._seat(games, 2).won == 0.5
    assert simulation._player(games, "b").won == 1.0


def test_the_bytes_are_those_of_the_store():
    playout = Playout(STIR_FRY_EIGHTEEN)
    playout.open(game="g", seats=2, seed="11" * 32, options=Options())
    bodies = b"".join(encode(record) for record in playout.records)
    assert stored_bytes(playout.records) == len(bodies) + 32 * len(playout.records)
    assert played("random", "random").stored_mean > 5_000


def test_the_interval_is_wilson_s():
    """Worked by hand: 8 of 10."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 50)[0] == 0
    assert wilson(50, 50)[1] == 1


def test_the_table_names_players_and_seats():
    text = report(played("planning", "random", games=4, rotate=True), 1.0)
    assert "planning         1/2" in text
    assert "(in turns)         0" in text
    assert text.count("95 % interval") == 2


def test_the_command_prints_one_json_object():
    mix = ("--games", "4", "--with", "planning", "--with", "easy", "--rotate", "--json")
    result = json.loads(said(*mix))
    again = json.loads(said(*mix))
    assert result.pop("seconds") >= 0
    assert again.pop("seconds") >= 0
    assert result == again
    assert {player["player"] for player in result["players"]} == {"planning", "easy"}


def test_the_command_names_the_players_there_are():
    assert "random, easy, medium, planning" in said("--with", "nobody", status=2)
    assert "give it once or 3 times" in said(
        "--players", "3", "--with", "easy", "--with", "random", status=2
    )


def test_memesio_has_a_balance_table_of_its_own():
    result = simulate(MEMESIO, 6, ["planning", "planning"], Random(1), MEMESIO.options())
    assert any("left in the deck" in line.what for line in result.balance)
    assert "balance" in report(result, 1.0)
    turns = simulate(MEMESIO, 2, ["planning", "random"], Random(1), MEMESIO.options(), rotate=True)
    assert turns.balance == ()
