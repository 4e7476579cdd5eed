"""Who may see what of an event, and from when to when."""

import msgspec
import pytest

from domain.kernel.decide import SERVICE, Default, Vacate, player_actor
from domain.kernel.decision import Order
from domain.kernel.viewer import SEALED, SPECTATOR, Sight, seen, sight
from tests.domain.kernel.table import SEED, Table
from tests.domain.kernel.toy import TOY, Answer, Ask, Finish

JUDGE = Sight(judge=True)


def test_a_spectator_and_a_stranger_see_no_seats_side():
    table = Table(TOY).start().state.table
    assert (
        sight(table, None, 5) == sight(table, "stranger", 5) == sight(table, "host", 5) == SPECTATOR
    )


def test_a_player_sees_their_own_seat_from_joining_on():
    table = Table(TOY).create().join("ann", "bob")
    joined = [record.version for record in table.records[1:]]
    facts = table.state.table
    assert sight(facts, "bob", joined[1] - 1) == SPECTATOR
    assert sight(facts, "bob", joined[1]) == Sight(seats=(1,))
    assert sight(facts, "bob", 10_000) == Sight(seats=(1,))


def test_a_successor_sees_the_present_and_not_the_past():
    table = Table(TOY).create().join("ann")
    table.command(Vacate(player="ann", seat=0), player_actor("ann"))
    freed = table.state.version
    table.join("bob")
    facts = table.state.table
    assert sight(facts, "ann", freed - 1) == Sight(seats=(0,))
    assert sight(facts, "ann", freed) == SPECTATOR
    assert sight(facts, "bob", freed) == SPECTATOR
    assert sight(facts, "bob", freed + 1) == Sight(seats=(0,))
    assert facts.seat_of("ann") is None
    assert facts.seat_of("bob") == 0


def test_who_has_left_no_longer_sees_the_seats_side():
    """Faulty before: the tenure of a player who left a running game went on for ever."""
    table = Table(TOY).start()
    seated = table.state.version
    table.command(Vacate(player="p1", seat=1), player_actor("p1"))
    left = table.state.version
    facts = table.state.table
    assert sight(facts, "p1", seated) == Sight(seats=(1,))
    assert sight(facts, "p1", left) == SPECTATOR
    assert facts.seat_of("p1") is None


def test_everybody_sees_everything_once_sealed():
    table = Table(TOY).start()
    table.act(0, Finish())
    for player in (None, "stranger", "p0"):
        assert sight(table.state.table, player, 1) == SEALED


def answer_seen(view: Sight) -> dict:
    table = Table(TOY).start()
    table.act(0, Ask(Order.AT_ONCE, (1, 2)))
    (record,) = table.act(1, Answer("sesame"))
    shown = seen(record, view, bytes.fromhex(SEED))
    assert (shown.version, shown.parent, shown.actor) == (record.version, record.parent, "seat:1")
    assert (shown.count, shown.schema, shown.chain) == (1, 1, record.chain.hex())
    return shown.event


@pytest.mark.parametrize(
    ("view", "secret", "other"),
    [
        (SPECTATOR, False, False),
        (Sight(seats=(0,)), False, False),
        (Sight(seats=(1,)), True, False),
        (Sight(seats=(0, 1)), True, False),
        (JUDGE, True, False),
        (SEALED, True, True),
    ],
)
def test_hidden_parts_by_audience(view, secret, other):
    """What is for a seat is for it and judges; what is for nobody, for judges neither."""
    event = answer_seen(view)
    assert event["seat"] == 1
    for part, visible in (("secret", secret), ("other", other)):
        if visible:
            assert event[part]["value"] == "sesame"
            assert set(event[part]) == {"digest", "salt", "value"}
        else:
            assert set(event[part]) == {"digest"}


def test_equal_values_have_unequal_digests():
    """Two parts of one event, and the same part of two events, tell nothing of one another."""
    event = answer_seen(SEALED)
    assert event["secret"]["value"] == event["other"]["value"]
    assert event["secret"]["digest"] != event["other"]["digest"]
    assert event["secret"]["salt"] != event["other"]["salt"]


def test_every_version_shows_every_viewer_one_event():
    table = Table(TOY).start()
    table.act(0, Ask(Order.AT_ONCE, (1,)))
    table.command(Default(seat=1, decision=table.decision), SERVICE)
    table.act(0, Finish())
    for view in (SPECTATOR, Sight(seats=(1,)), JUDGE, SEALED):
        shown = [seen(record, view, bytes.fromhex(SEED)) for record in table.records]
        assert [event.version for event in shown] == list(range(1, len(table.records) + 1))
        assert all(msgspec.json.encode(event) for event in shown)
