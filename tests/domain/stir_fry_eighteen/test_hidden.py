"""What is hidden, and the audit of bluffs: SF-15."""

import msgspec
import pytest

from domain.kernel.viewer import SEALED, SPECTATOR, Sight, seen
from domain.stir_fry_eighteen.options import AccuserReward, Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kit import sights
from tests.domain.stir_fry_eighteen.scenario import SEED, Table, given, hand_of

DECK = "noodles noodles noodles mushrooms soy_sauce green_onion"
JUDGE = Sight(judge=True)


def board(table: Table, sight: Sight):
    return STIR_FRY_EIGHTEEN.board(table.game, sight)


def shown(table: Table, tag: str, sight: Sight) -> dict:
    """The last command's only event of a type, as a viewer sees it."""
    (record,) = (
        record
        for record in table.records[-len(table.events) :]
        if record.event.__struct_config__.tag == tag
    )
    event = seen(record, sight, bytes.fromhex(SEED)).event
    return msgspec.json.decode(msgspec.json.encode(event))


def claims(table: Table, sight: Sight):
    seed = bytes.fromhex(SEED)
    return STIR_FRY_EIGHTEEN.claims(seen(record, sight, seed) for record in table.records)


def test_sf_15_hands_are_hidden_and_their_sizes_are_not():
    table = given("ginger pork", "chicken", "", deck=DECK)
    for seat in range(3):
        view = board(table, Sight(seats=(seat,)))
        assert [player.hand is None for player in view.players] == [
            other != seat for other in range(3)
        ]
    for view in (board(table, SPECTATOR), board(table, Sight(seats=(1,)))):
        assert [player.hand_count for player in view.players] == [2, 1, 0]
    assert all(player.hand is not None for player in board(table, JUDGE).players)


def test_sf_15_the_deck_is_hidden_from_judges_too():
    """Nobody sees chance to come before the seal."""
    table = given("ginger pork", "chicken", deck=DECK)
    for sight in sights(2).values():
        view = board(table, sight)
        assert (view.deck, view.deck_count) == (None, 6)
    assert board(table, SEALED).deck == tuple(DECK.split())


def test_sf_15_laid_cards_are_hidden_until_tested():
    """A trap: face-down values sent to clients."""
    table = given("ginger noodles", "chicken", "pork", deck=DECK).pair(0, "ginger noodles")
    for sight, laid in (
        (Sight(seats=(0,)), ("ginger", "noodles")),
        (JUDGE, ("ginger", "noodles")),
        (Sight(seats=(1,)), None),
        (SPECTATOR, None),
    ):
        claim = board(table, sight).claim
        assert (claim.laid, claim.count, claim.declared) == (laid, 2, "pair")
        assert shown(table, "claimed", sight)["laid"].get("value") == (laid and list(laid))
    table.call(1)
    for sight in (SPECTATOR, Sight(seats=(2,))):
        assert shown(table, "called", sight)["laid"] == ["ginger", "noodles"]
        assert board(table, sight).face_up == ("ginger", "noodles")


def test_sf_15_an_untested_claim_stays_hidden_until_the_seal():
    table = given("ginger ginger noodles pork mushrooms", "chicken", deck=DECK, scores=(45, 0))
    table.pair(0, "ginger ginger").passes(1)
    assert board(table, Sight(seats=(1,))).face_up == ()
    assert claims(table, Sight(seats=(1,)))[0].laid is None
    assert claims(table, Sight(seats=(0,)))[0].truthful is True
    table.cook(0, "noodles pork mushrooms")
    assert claims(table, SEALED)[0].laid == ("ginger", "ginger")


def test_sf_15_the_lost_hand_is_hidden():
    table = given("ginger ginger", "chicken noodles", "pork", deck=DECK)
    table.pair(0, "ginger ginger").call(1)
    assert shown(table, "called", Sight(seats=(1,)))["lost"]["value"] == ["chicken", "noodles"]
    for sight in (SPECTATOR, Sight(seats=(0,)), Sight(seats=(2,))):
        assert set(shown(table, "called", sight)["lost"]) == {"digest"}
        assert shown(table, "called", sight)["lost_count"] == 2
        assert board(table, sight).face_down_count == len(table.game.face_down)


def test_sf_15_reduced_cards_are_hidden():
    table = given("ginger ginger noodles pork", "chicken", deck=DECK).end_turn(0)
    table.reduce(0, "pork")
    assert shown(table, "reduced", Sight(seats=(0,)))["cards"]["value"] == ["pork"]
    assert shown(table, "reduced", JUDGE)["cards"]["value"] == ["pork"]
    for sight in (SPECTATOR, Sight(seats=(1,))):
        assert set(shown(table, "reduced", sight)["cards"]) == {"digest"}
        assert shown(table, "reduced", sight)["count"] == 1


def test_sf_15_drawn_cards_are_for_who_drew_them():
    table = given("ginger ginger", "chicken", deck=DECK).pair(0, "ginger ginger").passes(1)
    assert shown(table, "drawn", Sight(seats=(0,)))["cards"]["value"] == ["noodles"] * 3
    assert set(shown(table, "drawn", Sight(seats=(1,)))["cards"]) == {"digest"}
    assert shown(table, "drawn", SPECTATOR)["count"] == 3


def test_sf_15_the_order_of_drawing_tells_nothing():
    """Hands and drawn cards are sorted: their order is the same however the deck lay."""
    for deck in ("mushrooms noodles ginger", "ginger mushrooms noodles"):
        table = given("chicken pork", "noodles", deck=deck).protein(0, "pork").passes(1)
        assert table.event("drawn").cards == ("ginger", "mushrooms", "noodles")
        assert table.hand(0) == hand_of("chicken ginger mushrooms noodles")


@pytest.mark.parametrize("sight", [SPECTATOR, Sight(seats=(0,)), JUDGE])
def test_sf_15_seed_shuffles_and_a_replaced_card_are_for_nobody(sight):
    table = Table(2, Options(tofu=True))
    created = seen(table.records[0], sight, bytes.fromhex(SEED)).event
    assert set(created["seed"]) == {"digest"}
    assert set(shown(table, "card_replaced", sight)["card"]) == {"digest"}
    assert set(shown(table, "shuffled", sight)["order"]) == {"digest"}
    text = msgspec.json.encode(
        [seen(record, sight, bytes.fromhex(SEED)) for record in table.records]
    )
    assert SEED.encode() not in text


# The audit of bluffs


def test_audit_of_a_claim_that_stood():
    table = given("ginger pork", "chicken", "noodles", "soy_sauce", deck=DECK)
    table.pair(0, "ginger pork")
    version = table.state.version
    (claim,) = claims(table, SPECTATOR)
    assert (claim.seat, claim.version, claim.declared, claim.count) == (0, version, "pair", 2)
    assert (claim.laid, claim.truthful, claim.settled) == (None, None, None)
    table.passes(3, 1, 2)
    (claim,) = claims(table, SPECTATOR)
    assert (claim.passed, claim.caller, claim.drew) == ((3, 1, 2), None, 3)
    assert claim.settled == table.state.version
    assert claims(table, Sight(seats=(0,)))[0].truthful is False
    assert claims(table, JUDGE)[0].truthful is False


def test_audit_of_a_claim_that_was_true():
    table = given("ginger ginger", "chicken pork", "noodles", deck=DECK)
    table.pair(0, "ginger ginger").passes(2).call(1)
    (claim,) = claims(table, SPECTATOR)
    assert (claim.laid, claim.truthful, claim.caller) == (("ginger", "ginger"), True, 1)
    assert (claim.passed, claim.drew) == ((2,), 3)
    assert (claim.accuser_lost, claim.penalty, claim.accuser_drew) == (2, 0, 0)
    assert claim.settled == table.state.version - 1


def test_audit_of_a_penalty():
    table = given("pork", "", deck=DECK, scores=(0, 5)).protein(0, "pork").call(1)
    (claim,) = claims(table, SPECTATOR)
    assert (claim.declared, claim.accuser_lost, claim.penalty, claim.drew) == ("pork", 0, 5, 3)


@pytest.mark.parametrize(
    ("reward", "drew", "owed"), [(AccuserReward.AT_ONCE, 1, 0), (AccuserReward.NEXT_TURN, 0, 1)]
)
def test_audit_of_a_caught_bluff(reward, drew, owed):
    options = Options(accuser_reward=reward)
    table = given("ginger pork", "chicken", deck=DECK, options=options)
    table.pair(0, "ginger pork").call(1)
    (claim,) = claims(table, SPECTATOR)
    assert (claim.truthful, claim.drew) == (False, 0)
    assert (claim.accuser_drew, claim.accuser_owed, claim.accuser_lost) == (drew, owed, 0)


def test_audit_of_a_claim_that_was_never_settled():
    table = given("ginger pork", "chicken", deck=DECK).pair(0, "ginger pork").leaves(1)
    (claim,) = claims(table, SEALED)
    assert (claim.settled, claim.truthful, claim.passed) == (None, False, ())


def test_audit_lists_claims_in_order():
    table = given("ginger ginger pork", "chicken", deck=DECK)
    table.pair(0, "ginger ginger").passes(1).protein(0, "pork").call(1)
    assert [(claim.declared, claim.caller) for claim in claims(table, SPECTATOR)] == [
        ("pair", None),
        ("pork", 1),
    ]
