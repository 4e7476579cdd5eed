"""Commands at a table before, at and after the start, whatever is played."""

import pytest

from domain.kernel.chance import chance_key
from domain.kernel.decide import (
    Command,
    Context,
    Create,
    Join,
    SeatBundled,
    Start,
    Vacate,
    chance_of,
    decide,
    player_actor,
)
from domain.kernel.event import BundledSeated, Ended, Joined, Sealed, SeatFreed, SeatLeft
from domain.kernel.state import Seat, Tenure
from tests.domain.kernel.table import SEED, Table, refusal
from tests.domain.kernel.toy import TOY, Begun, Finish, Options, Toss

HOST = player_actor("host")


def told(error) -> tuple:
    return error.code, error.key


def test_creating_a_table():
    table = Table(TOY).create()
    facts = table.state.table
    assert (facts.game, facts.ruleset, facts.host, facts.public) == ("g0001", "toy", "host", True)
    assert facts.options == {"rounds": 1_000}
    assert facts.seats == (None, None, None)
    assert facts.created == table.state.time == 1_010
    assert table.state.game is None


def test_a_game_is_created_once():
    table = Table(TOY).create()
    assert told(refusal(table.create)) == ("game-exists", "game_exists")


@pytest.mark.parametrize("seats", [-1, 0, 5, 10**9])
def test_seats_within_the_rulesets_bounds(seats):
    error = refusal(Table(TOY).create, seats=seats)
    assert told(error) == ("invalid", "seats_out_of_range")
    assert (error.pointer, error.params) == ("/seats", {"least": 1, "most": 4})


def test_options_that_do_not_go_together_are_refused_at_creation():
    error = refusal(Table(TOY).create, options=Options(rounds=0))
    assert told(error) == ("invalid", "no_rounds")


@pytest.mark.parametrize(
    "command",
    [Join(player="a"), Start(player="a"), Vacate(player="a", seat=0)],
)
def test_nothing_happens_at_no_table(command):
    assert told(refusal(decide, TOY, None, command, Context("player:a", 1))) == (
        "game-not-found",
        "no_such_game",
    )


def test_what_is_no_command_is_no_refusal():
    with pytest.raises(TypeError):
        decide(TOY, Table(TOY).create().state, Command(), Context("player:a", 1))


# Joining


def test_joining_takes_the_first_free_seat_or_the_one_named():
    table = Table(TOY).create()
    table.command(Join(player="ann", seat=1, nonce="0a"), player_actor("ann"))
    table.join("bob", "cyd")
    seats = table.state.table.seats
    assert [seat.player for seat in seats] == ["bob", "ann", "cyd"]
    assert seats[1] == Seat(since=2, player="ann", nonce="0a")
    assert table.state.table.tenures[0] == Tenure(1, "ann", 2, None)
    assert table.state.table.nonces == (None, "0a", None)


def test_joining_a_full_table():
    table = Table(TOY).create().join("ann", "bob", "cyd")
    assert told(refusal(table.join, "dan")) == ("seat-taken", "table_full")


def test_a_seat_is_taken_once():
    table = Table(TOY).create().join("ann")
    error = refusal(table.command, Join(player="bob", seat=0), player_actor("bob"))
    assert (told(error), error.pointer) == (("seat-taken", "seat_taken"), "/seat")
    error = refusal(table.join, "ann")
    assert told(error) == ("already-seated", "already_seated")


@pytest.mark.parametrize("seat", [-1, -3, 3, 10**9])
def test_a_seat_that_is_not_there(seat):
    """Faulty before: -1 named the last seat, and the event held a seat of -1."""
    table = Table(TOY).create()
    error = refusal(table.command, Join(player="bob", seat=seat), player_actor("bob"))
    assert (told(error), error.params) == (("seat-taken", "no_such_seat"), {"most": 2})
    error = refusal(table.command, Vacate(player="host", seat=seat), HOST)
    assert told(error) == ("seat-empty", "seat_empty")


def test_only_the_host_seats_bundled_players():
    table = Table(TOY).create()
    (record,) = table.command(SeatBundled(player="host", bundled="random", seat=2), HOST)
    assert record.event == BundledSeated(seat=2, bundled="random")
    assert table.state.table.seats[2] == Seat(since=2, bundled="random")
    assert table.state.table.tenures == ()
    error = refusal(table.command, SeatBundled(player="ann", bundled="random"), player_actor("ann"))
    assert told(error) == ("forbidden", "host_only")
    error = refusal(table.command, SeatBundled(player="host", bundled="random", seat=2), HOST)
    assert told(error) == ("seat-taken", "seat_taken")


# Leaving a seat before the start


def test_a_player_or_the_host_frees_a_seat():
    table = Table(TOY).create().join("ann", "bob")
    (record,) = table.command(Vacate(player="ann", seat=0), player_actor("ann"))
    assert record.event == SeatFreed(seat=0)
    assert table.state.table.seats[0] is None
    assert table.state.table.tenures[0].until == record.version
    table.command(Vacate(player="host", seat=1), HOST)
    assert table.state.table.seats == (None, None, None)
    table.command(SeatBundled(player="host", bundled="random"), HOST)
    table.command(Vacate(player="host", seat=0), HOST)
    assert table.state.table.seats[0] is None


def test_nobody_else_frees_a_seat():
    table = Table(TOY).create().join("ann", "bob")
    error = refusal(table.command, Vacate(player="ann", seat=1), player_actor("ann"))
    assert told(error) == ("forbidden", "host_only")
    error = refusal(table.command, Vacate(player="host", seat=2), HOST)
    assert told(error) == ("seat-empty", "seat_empty")


def test_a_freed_seat_gives_no_nonce():
    table = Table(TOY).create().join("ann", nonce="aa")
    table.command(Vacate(player="ann", seat=0), player_actor("ann"))
    assert table.state.table.nonces == (None, None, None)


# Starting


def test_the_host_starts_a_full_table():
    table = Table(TOY).create().join("ann", "bob")
    error = refusal(table.command, Start(player="host"), HOST)
    assert (told(error), error.params) == (("seats-free", "seats_free"), {"free": [2]})
    table.join("cyd")
    error = refusal(table.command, Start(player="ann"), player_actor("ann"))
    assert told(error) == ("forbidden", "host_only")
    records = table.command(Start(player="host"), HOST)
    assert [record.count for record in records] == [2, 0]
    assert isinstance(records[1].event, Begun)
    assert table.state.table.started


def test_after_the_start_seats_are_settled():
    table = Table(TOY).start()
    for command, actor in (
        (Join(player="dan"), player_actor("dan")),
        (SeatBundled(player="host", bundled="random"), HOST),
        (Start(player="host"), HOST),
    ):
        assert told(refusal(table.command, command, actor)) == ("game-started", "game_started")
    error = refusal(table.command, Vacate(player="host", seat=1), HOST)
    assert (told(error), error.params) == (("forbidden", "not_your_seat"), {"seat": 1})


def test_leaving_a_running_game_is_final():
    table = Table(TOY).start()
    (record,) = table.command(Vacate(player="p1", seat=1), player_actor("p1"))
    assert record.event == SeatLeft(seat=1)
    assert table.state.table.seats[1].left
    assert table.state.table.seats[1].player == "p1"
    error = refusal(table.command, Vacate(player="p1", seat=1), player_actor("p1"))
    assert told(error) == ("forbidden", "not_your_seat")


def test_nobody_leaves_a_game_that_is_over():
    table = Table(TOY).start()
    table.act(0, Finish())
    error = refusal(table.command, Vacate(player="p1", seat=1), player_actor("p1"))
    assert told(error) == ("game-over", "game_over")


# Envelopes, chance and the seal


def test_all_events_of_a_command_have_one_actor_and_one_time():
    table = Table(TOY).start()
    first, second = table.records[-2:]
    assert (first.actor, first.time) == (second.actor, second.time) == (HOST, table.now)
    assert (second.version, second.parent) == (first.version + 1, first.version)


def test_time_never_goes_back():
    table = Table(TOY).start()
    time = table.state.time
    table.now = 3
    (record,) = table.act(0, Toss())
    assert record.time == time


def test_chance_comes_from_the_seed_and_all_nonces():
    table = Table(TOY).create().join("ann", nonce="0a").join("bob").join("cyd", nonce="ff")
    table.start()
    key = chance_key(bytes.fromhex(SEED), "g0001", ("0a", None, "ff"))
    chance = chance_of(table.state)
    assert chance.number == 0
    sides = []
    for _ in range(12):
        table.act(0, Toss())
        sides.append(table.state.game.tossed[-1])
    other = type(chance)(key, 0)
    assert sides == [["heads", "tails"][other.pick(2)[1]] for _ in range(12)]
    assert set(sides) == {"heads", "tails"}


def test_the_end_is_sealed_in_its_own_append():
    table = Table(TOY).start()
    records = table.act(0, Finish())
    assert [type(record.event) for record in records] == [Ended, Sealed]
    assert [record.count for record in records] == [2, 0]
    assert records[1].event == Sealed(seed=SEED)
    assert table.state.table.sealed


def test_a_refusal_reads_as_its_rule_and_key():
    error = refusal(Table(TOY).create, seats=0)
    assert str(error) == "invalid: seats_out_of_range"


def test_create_is_a_plain_value():
    """Commands can be compared, which the reading of recordings relies on."""
    fields = {
        "game": "g",
        "ruleset_version": 1,
        "options": Options(),
        "seats": 2,
        "host": "h",
        "public": True,
        "seed": SEED,
    }
    assert Create(**fields) == Create(**fields)
    assert Joined(seat=0, player="a", nonce=None) == Joined(seat=0, player="a", nonce=None)
