"""Two histories that differ only in what a viewer may not know look alike to that viewer."""

from itertools import combinations_with_replacement
from random import Random

import msgspec
import pytest

from domain.kernel import viewer as kernel_viewer
from domain.kernel.event import Record
from domain.kernel.viewer import SEALED
from domain.stir_fry_eighteen.cards import BY_NAME
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kit import LEAKS, confirmed, difference, shared_salt, sights
from tests.domain.stir_fry_eighteen.scramble import (
    check_legal,
    hidden_changes,
    probes_for,
    random_history,
    scrambled,
    scrambled_pair,
)

PAIRS = 200


def test_nothing_that_is_hidden_makes_a_difference():
    """In bulk: ``python -m tests.domain.stir_fry_eighteen.scramble --pairs 5000``.

    The counts guard the generator: pairs that are equal prove nothing, and every kind of hidden
    part must have been scrambled.
    """
    differing, kinds = 0, set()
    for number in range(PAIRS):
        one, other, sight = scrambled_pair(number)
        check_legal(other)
        probes = probes_for(one, sight, Random(number))
        found = difference(STIR_FRY_EIGHTEEN, one, other, sight, probes)
        assert found is None, f"scrambled_pair({number}): {found} tells {sight}"
        differing += hidden_changes(one, other) > 0
        kinds |= {type(a.event).__name__ for a, b in zip(one, other, strict=True) if a != b}
    assert differing > PAIRS * 0.9
    assert kinds >= {
        "CardReplaced", "Shuffled", "Dealt", "TurnBegan", "Claimed", "Called", "Drawn", "Reduced",
    }  # fmt: skip


def test_nothing_that_is_hidden_makes_a_difference_with_rulings_in_the_history():
    """Undone lines, what is shuffled anew, the end before the seal: all that a viewer can read.

    In bulk: ``python -m tests.domain.stir_fry_eighteen.scramble --rulings --pairs 5000``.
    """
    differing, kinds = 0, set()
    for number in range(60):
        one, other, sight = scrambled_pair(f"ruled {number}", rulings=True)
        check_legal(other)
        probes = probes_for(one, sight, Random(number))
        found = difference(STIR_FRY_EIGHTEEN, one, other, sight, probes)
        assert found is None, f"scrambled_pair('ruled {number}', rulings=True): {found}: {sight}"
        differing += hidden_changes(one, other) > 0
        kinds |= {type(a.event).__name__ for a, b in zip(one, other, strict=True) if a != b}
    assert differing > 40
    assert kinds >= {"Reshuffled", "Rewound", "Ruled", "Drawn", "Claimed"}


def test_a_successor_learns_nothing_of_the_past_of_a_seat():
    """Nina is given somebody's seat in the middle: she sees it from then on, rewinds or not."""
    compared = differing = 0
    for number in range(120):
        random = Random(f"successor {number}")
        play = random_history(random, rulings=True)
        table = play.state.table
        if not table.has_sat("nina"):
            continue
        compared += 1

        def view(version, table=table):
            return kernel_viewer.sight(table, "nina", version)

        other = scrambled(play.records, view, random)
        check_legal(other)
        found = difference(STIR_FRY_EIGHTEEN, play.records, other, view)
        assert found is None, f"successor {number}: {found}"
        differing += hidden_changes(play.records, other) > 0
    assert compared > 15
    assert differing > compared * 0.6


def test_nothing_makes_a_difference_to_any_viewer_of_one_history():
    for number in range(12):
        random = Random(f"all viewers {number}")
        records = random_history(random).records
        seats = records[0].event.seats
        for sight in sights(seats).values():
            other = scrambled(records, sight, random)
            probes = probes_for(records, sight, random)
            assert difference(STIR_FRY_EIGHTEEN, records, other, sight, probes) is None


def test_whoever_may_know_sees_the_difference():
    """Else the comparison would be blind: what was scrambled is there to be seen by others."""
    seen_by_all, seen_by_another, pairs = 0, 0, 0
    for number in range(30):
        one, other, sight = scrambled_pair(f"known {number}")
        if sight.judge or not hidden_changes(one, other):
            continue
        pairs += 1
        seen_by_all += difference(STIR_FRY_EIGHTEEN, one, other, SEALED) is not None
        views = sights(one[0].event.seats).values()
        found = [difference(STIR_FRY_EIGHTEEN, one, other, view) for view in views]
        seen_by_another += any(found)
    assert pairs == seen_by_all > 20
    assert seen_by_another > pairs * 0.7


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name):
    with LEAKS[name](STIR_FRY_EIGHTEEN) as leaky:
        for number in range(100):
            one, other, sight = scrambled_pair(f"leak {number}")
            probes = probes_for(one, sight, Random(number))
            if difference(leaky, one, other, sight, probes) is not None:
                return
    pytest.fail(f"{name} may leak without being found")


# Guessing: every digest against every candidate with every salt that a player ever received.

SMALL_HANDS = [
    list(cards)
    for size in range(4)
    for cards in combinations_with_replacement(sorted(BY_NAME), size)
]


def candidates(records: list[Record]) -> list[object]:
    """All small hands, single names, and every value that is truly hidden somewhere."""
    truths = [
        msgspec.to_builtins(getattr(record.event, name))
        for record in records
        for name in record.event.hidden
    ]
    unique = {msgspec.json.encode(value): value for value in (*SMALL_HANDS, *BY_NAME, *truths)}
    return [msgspec.json.decode(encoded) for encoded in unique]


@pytest.mark.parametrize("number", range(4))
def test_no_guess_can_be_confirmed(number):
    records = random_history(Random(f"guess {number}")).records
    tried = candidates(records)
    for sight in sights(records[0].event.seats).values():
        assert confirmed(records, sight, tried) == []


def test_a_salt_shared_by_two_seats_is_found():
    """The sixth leak: masks hide salts, so only guessing can find that two are the same."""
    with shared_salt(STIR_FRY_EIGHTEEN):
        records = random_history(Random("shared")).records
        views = sights(records[0].event.seats)
        found = confirmed(records, views["seat 0"], candidates(records))
    others = {
        (record.version, name)
        for record in records
        for name in record.event.hidden
        if getattr(record.event, "seat", None) != 0
    }
    assert others
    assert {(version, name) for version, name, _ in found} == others
