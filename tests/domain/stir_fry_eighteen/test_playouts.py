"""Random games of Stir Fry Eighteen, every invariant checked at every version."""

from tests.domain.playouts import play_many

EVENTS = {
    "card_replaced", "shuffled", "dealt", "first_player_drawn", "turn_began", "claimed", "passed",
    "called", "drawn", "cooked", "turn_ended", "reduction_asked", "reduced",
}  # fmt: skip


def test_random_games_are_sound():
    """A slice of ``python -m tests.domain.playouts stir-fry-eighteen --games 10000``.

    The counts guard the generator: games that never end by a stall, or in which nothing is ever
    refused, would prove little.
    """
    tally = play_many("stir-fry-eighteen", 80, "slice", 1)
    assert tally.games == 80
    assert set(tally.endings) == {"SF-14", "SF-17", "SF-18"}
    assert set(tally.event_types) >= EVENTS | {"seat_left", "sealed"}
    assert tally.attempts["accepted"] > 3_000
    assert tally.attempts["refused"] > 3_000
    assert {name.split()[0] for name in tally.refusals} >= {
        "SF-0", "SF-3", "SF-4", "SF-6", "SF-8", "SF-9", "SF-11", "SF-12", "SF-16",
    }  # fmt: skip
