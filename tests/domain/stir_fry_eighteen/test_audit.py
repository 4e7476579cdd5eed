"""The audit of bluffs over rewinds, and what is counted from it: SF-15."""

from domain.kernel.viewer import SEALED, seen
from domain.stir_fry_eighteen.actions import Call, DiscardPair, Pass
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from domain.stir_fry_eighteen.view import ClaimView, tally
from tests.domain.kernel.table import Table


def test_a_rewind_sets_claims_back_and_keeps_what_was_undone():
    """A challenge judged wrongly is set right by a rewind to its window."""
    table = Table(STIR_FRY_EIGHTEEN, 2, first_player=0).start()
    before = table.state.version
    hand = table.state.game.players[0].hand
    table.act(0, DiscardPair(hand[:2]))
    window = table.state.version
    table.act(1, Call())
    rewind = table.rewind(window).version
    claim = STIR_FRY_EIGHTEEN.claims(everything(table))[0]
    assert (claim.caller, claim.settled, claim.rewinds) == (None, None, (rewind,))
    table.act(1, Pass())
    again = table.rewind(before).version
    claim = STIR_FRY_EIGHTEEN.claims(everything(table))[0]
    assert (claim.undone, claim.rewinds, claim.passed) == (True, (rewind, again), (1,))


def test_tallies_count_what_stands():
    """Recomputed from the claims by hand."""
    found = [
        ClaimView(seat=0, version=9, declared="pair", count=2, laid=None, truthful=False,
                  passed=(2,), caller=1, settled=10, accuser_drew=1),
        ClaimView(seat=0, version=20, declared="pork", count=1, laid=None, truthful=True,
                  passed=(1,), caller=2, settled=22, accuser_lost=3),
        ClaimView(seat=1, version=30, declared="pork", count=1, laid=None, truthful=False,
                  caller=0, settled=31, accuser_drew=1, undone=True),
    ]  # fmt: skip
    zero, one, two = tally(found, 3)
    assert (zero.claims, zero.bluffs, zero.caught, zero.bluff_rate) == (2, 1, 1, 0.5)
    assert (one.claims, one.calls, one.calls_right, one.asked, one.cards_won) == (0, 1, 1, 2, 1)
    assert (one.bluff_rate, one.call_rate) == (None, 0.5)
    assert (two.calls, two.calls_right, two.cards_lost, two.call_rate) == (1, 0, 3, 0.5)


def everything(table: Table):
    secret = bytes.fromhex(table.state.table.seed)
    return [seen(record, SEALED, secret) for record in table.records]
