"""What a seat saw before an undo says nothing of what comes after it, counted over many games."""

from collections import Counter
from random import Random

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.decide import MakeMotion, Vote, seat_actor
from domain.kernel.forms import fill
from domain.kernel.rulings import Undo
from tests.domain.kernel.table import Table

GAMES = 60
SHOWING = {
    "stir-fry-eighteen": ("discard_pair", "pass", "pass"),
    "just-desserts": ("kitchen",),
    "memesio": ("stock", "stock", "stock"),
}


def decks(game):
    """The cards that are still to come, in their order."""
    names = ("deck", "dessert_deck", "guest_deck")
    return [getattr(game, name) for name in names if hasattr(game, name)]


def peek_and_undo(table, random):
    """Let seat 0 see what comes, and have it taken back with everybody's consent."""
    to = table.state.version
    for tag in SHOWING[table.ruleset.id]:
        seat = table.state.game.decision.asked[0]
        forms = table.ruleset.legal(table.state.game, seat)
        form = next(each for each in forms if each.__struct_config__.tag == tag)
        chosen = msgspec.to_builtins(fill(form, random))
        table.act(seat, msgspec.convert(chosen, table.ruleset.action_type))
    made = table.command(MakeMotion(seat=0, motion=Undo(to)), seat_actor(0))
    assert len(made) == 1, "not for the asking"
    for seat in (1, 2):
        vote = Vote(motion=made[0].version, agree=True, seat=seat)
        table.command(vote, seat_actor(seat))


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_where_a_card_lay_before_an_undo_says_nothing_of_where_it_lies(name):
    """As many cards lie where they lay, undo after undo, as in decks that have no common past."""
    same, expected = 0, 0.0
    for number in range(GAMES):
        random = Random(f"{name} {number}")
        table = Table(CATALOGUE[name], 3, first_player=0)
        table.create(seed=random.randbytes(32).hex()).start()
        seen = [decks(table.state.game)]
        for _ in range(2):
            peek_and_undo(table, random)
            seen.append(decks(table.state.game))
        for one, other in ((0, 1), (1, 2), (0, 2)):
            for before, after in zip(seen[one], seen[other], strict=True):
                assert Counter(before) == Counter(after)
                same += sum(old == new for old, new in zip(before, after, strict=True))
                expected += sum(count**2 for count in Counter(before).values()) / len(before)
    assert abs(same - expected) < 4 * expected**0.5, (same, expected)
