"""A few of the rounds that `make faults` plays, and that its checks bite."""

import random
from pathlib import Path

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.players.playout import Playout
from tests.faults.load import RULESET, Broken, Game, Promise
from tests.faults.rounds import TARGETS, check, run


def test_a_round_of_each(tmp_path: Path):
    report = run(tmp_path, list(TARGETS), seed=2)
    assert set(report.rounds) == set(TARGETS)
    assert report.commands > 50
    assert report.lost > 0, "something was under way when it was killed"


@pytest.fixture
def played() -> tuple[Game, Playout]:
    """A game as a client that lost nothing would remember it."""
    rng = random.Random(3)
    rules = CATALOGUE[RULESET]
    playout = Playout(rules)
    options = msgspec.convert({"target": 3}, rules.options)
    playout.open(game="g", seats=2, seed=rng.randbytes(32).hex(), options=options)
    game = Game("g")
    while True:
        before = len(playout.records)
        if not playout.step(rng):
            return game, playout
        game.commands += 1
        game.promises.append(Promise(before + 1, len(playout.records), "k", 0, b"", b""))


def test_what_is_right_passes(played):
    game, playout = played
    check(game, playout.records)


def test_a_lost_command_is_found(played):
    game, playout = played
    with pytest.raises(Broken):
        check(game, playout.records[: game.promises[-1].first - 1])


def test_half_a_command_is_found(played):
    game, playout = played
    assert game.promises[-1].last > game.promises[-1].first
    with pytest.raises(Broken):
        check(game, playout.records[:-1])


def test_a_second_effect_is_found(played):
    game, playout = played
    game.commands -= 1
    game.promises.pop(0)
    with pytest.raises(Broken, match="are stored"):
        check(game, playout.records)


def test_a_missing_version_is_found(played):
    game, playout = played
    with pytest.raises(Broken, match="missing"):
        check(game, playout.records[:3] + playout.records[4:])


def test_an_altered_event_is_found(played):
    game, playout = played
    records = list(playout.records)
    records[5] = msgspec.structs.replace(records[5], time=records[5].time + 1)
    with pytest.raises(Broken, match="chain"):
        check(game, records)
