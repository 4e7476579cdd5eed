"""Two histories that differ only in what a viewer may not know look alike to that viewer."""

from random import Random

import msgspec
import pytest

from domain.kernel.event import Record
from domain.kernel.viewer import SEALED
from domain.memesio.cards import BY_NAME
from domain.memesio.ruleset import MEMESIO
from tests.domain.kit import LEAKS, confirmed, difference, shared_salt, sights
from tests.domain.memesio.scramble import (
    check_legal,
    hidden_changes,
    probes_for,
    random_history,
    scrambled,
    scrambled_pair,
)

PAIRS = 60


def test_me_15_nothing_that_is_hidden_makes_a_difference():
    """In bulk: ``python -m tests.domain.memesio.scramble --pairs 2000``.

    The counts guard the generator: pairs that are equal prove nothing, and every kind of hidden
    part must have been scrambled.
    """
    differing, kinds = 0, set()
    for number in range(PAIRS):
        one, other, sight = scrambled_pair(number)
        check_legal(other)
        probes = probes_for(one, sight, Random(number))
        found = difference(MEMESIO, one, other, sight, probes)
        assert found is None, f"scrambled_pair({number}): {found} tells {sight}"
        differing += hidden_changes(one, other) > 0
        kinds |= {type(a.event).__name__ for a, b in zip(one, other, strict=True) if a != b}
    assert differing > PAIRS * 0.8
    assert kinds >= {"Shuffled", "Dealt", "TurnBegan"}


def test_me_15_nothing_makes_a_difference_to_any_viewer_of_one_history():
    for number in range(4):
        random = Random(f"all viewers {number}")
        records = random_history(random).records
        for sight in sights(records[0].event.seats).values():
            other = scrambled(records, sight, random)
            probes = probes_for(records, sight, random)
            assert difference(MEMESIO, records, other, sight, probes) is None


def test_me_15_whoever_may_know_sees_the_difference():
    """Else the comparison would be blind: what was scrambled is there to be seen by others."""
    seen_by_all, seen_by_another, pairs = 0, 0, 0
    for number in range(16):
        one, other, sight = scrambled_pair(f"known {number}")
        if sight.judge or not hidden_changes(one, other):
            continue
        pairs += 1
        seen_by_all += difference(MEMESIO, one, other, SEALED) is not None
        views = sights(one[0].event.seats).values()
        found = [difference(MEMESIO, one, other, view) for view in views]
        seen_by_another += any(found)
    assert pairs == seen_by_all > 8
    assert seen_by_another > pairs * 0.5


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name):
    with LEAKS[name](MEMESIO) as leaky:
        for number in range(60):
            one, other, sight = scrambled_pair(f"leak {number}")
            probes = probes_for(one, sight, Random(number))
            if difference(leaky, one, other, sight, probes) is not None:
                return
    pytest.fail(f"{name} may leak without being found")


def candidates(records: list[Record]) -> list[object]:
    """Single names, hands of one, and every value that is truly hidden somewhere."""
    truths = [
        msgspec.to_builtins(getattr(record.event, name))
        for record in records
        for name in record.event.hidden
    ]
    singles = [[name] for name in BY_NAME]
    unique = {msgspec.json.encode(value): value for value in (*singles, *BY_NAME, *truths)}
    return [msgspec.json.decode(encoded) for encoded in unique]


def test_no_guess_can_be_confirmed():
    records = random_history(Random("guess")).records
    tried = candidates(records)
    for sight in sights(records[0].event.seats).values():
        assert confirmed(records, sight, tried) == []


def test_a_salt_shared_by_two_seats_is_found():
    """Masks hide salts, so only guessing can find that two are the same."""
    with shared_salt(MEMESIO):
        records = random_history(Random("shared")).records
        views = sights(records[0].event.seats)
        found = confirmed(records, views["seat 0"], candidates(records))
    assert {name for _, name, _ in found} == {"order", "cards", "seed"}
