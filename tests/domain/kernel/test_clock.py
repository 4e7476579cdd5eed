"""Clocks: deadlines follow from the log, defaults need them to have passed, pauses need consent."""

import pytest

from domain.kernel.clock import DecisionClock, GameClock
from domain.kernel.decide import SERVICE, Default, Expire, Pause, Vacate, player_actor, seat_actor
from domain.kernel.errors import Refusal
from domain.kernel.event import Expired, Paused, PauseVoted, Resumed, Sealed
from domain.kernel.replay import fault_of
from domain.kernel.state import expires_at, seat_deadline, status
from domain.stir_fry_eighteen.actions import DiscardPair, EndTurn, Pass
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kernel.table import Table

MINUTE = 60_000


def playing(clock, seats=3, **created):
    table = Table(STIR_FRY_EIGHTEEN, seats, first_player=0)
    table.create(clock=clock, **created)
    return table.start()


def wait(table, milliseconds):
    """Let time pass; a command itself takes 10 ms."""
    table.now += milliseconds - 10


def default(table, seat):
    decision = table.decision
    assert decision is not None
    return table.command(Default(seat=seat, decision=decision), SERVICE)


def refusal(call):
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value


def test_a_decision_has_its_own_time_from_when_it_was_opened():
    table = playing(DecisionClock(60))
    assert seat_deadline(table.state, 0) == table.state.time + MINUTE
    assert seat_deadline(table.state, 1) is None


def test_a_default_is_refused_before_the_deadline_and_taken_from_it_on():
    table = playing(DecisionClock(60))
    wait(table, MINUTE - 1)
    refused = refusal(lambda: default(table, 0))
    assert (refused.code, refused.key) == ("not-overdue", "not_overdue")
    wait(table, 1)
    assert default(table, 0)[0].actor == SERVICE
    assert table.decision is not None
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_a_window_keeps_its_deadline_while_it_is_open():
    table = playing(DecisionClock(60))
    hand = table.state.game.players[0].hand
    table.act(0, DiscardPair(hand[:2]))
    until = seat_deadline(table.state, 2)
    wait(table, 30_000)
    table.act(1, Pass())
    assert seat_deadline(table.state, 2) == until
    wait(table, 30_000)
    table.act(2, Pass())
    assert seat_deadline(table.state, 0) == table.state.time + MINUTE


def test_a_game_clock_takes_off_what_was_used_and_adds_the_increment():
    table = playing(GameClock(60, increment=5))
    assert table.state.table.timing.banks == (MINUTE,) * 3
    hand = table.state.game.players[0].hand
    wait(table, 20_000)
    table.act(0, DiscardPair(hand[:2]))
    assert table.state.table.timing.banks == (45_000, MINUTE, MINUTE)
    wait(table, 10_000)
    table.act(2, Pass())
    assert table.state.table.timing.banks == (45_000, MINUTE, 55_000)
    wait(table, 10_000)
    table.act(1, Pass())
    assert table.state.table.timing.banks == (45_000, 45_000, 55_000)
    assert seat_deadline(table.state, 0) == table.state.time + 45_000


def test_a_rewind_gives_fresh_time():
    table = playing(DecisionClock(60))
    target = table.state.version
    wait(table, 50_000)
    table.act(0, EndTurn())
    wait(table, 50_000)
    table.rewind(target)
    assert seat_deadline(table.state, 0) == table.state.time + MINUTE


def test_a_pause_needs_every_person_and_stops_everything():
    table = playing(GameClock(60))
    wait(table, 10_000)
    table.command(Pause(seat=1, pause=True), seat_actor(1))
    assert not table.state.table.timing.paused
    table.command(Pause(seat=0, pause=True), seat_actor(0))
    wait(table, 10_000)
    records = table.command(Pause(seat=2, pause=True), seat_actor(2))
    assert [type(record.event) for record in records] == [PauseVoted, Paused]
    assert table.state.table.timing.banks[0] == 60_000 - 20_010
    assert seat_deadline(table.state, 0) is None
    wait(table, 10 * MINUTE)
    assert refusal(lambda: default(table, 0)).code == "paused"
    assert refusal(lambda: table.act(0, EndTurn())).code == "paused"
    for seat in (0, 1):
        table.command(Pause(seat=seat, pause=False), seat_actor(seat))
    records = table.command(Pause(seat=2, pause=False), seat_actor(2))
    assert [type(record.event) for record in records] == [PauseVoted, Resumed]
    assert seat_deadline(table.state, 0) == table.state.time + 60_000 - 20_010
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_a_vote_can_be_taken_back_and_a_pause_asked_for_twice_is_refused():
    table = playing(None)
    table.command(Pause(seat=1, pause=True), seat_actor(1))
    refused = refusal(lambda: table.command(Pause(seat=0, pause=False), seat_actor(0)))
    assert refused.code == "already-so"


def test_the_last_one_who_did_not_agree_may_leave():
    table = playing(None)
    for seat in (0, 1):
        table.command(Pause(seat=seat, pause=True), seat_actor(seat))
    records = table.command(Vacate(player="p2", seat=2), player_actor("p2"))
    assert isinstance(records[-1].event, Paused)
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_a_table_that_nobody_touches_expires_and_is_sealed():
    table = playing(None, expires=10 * MINUTE)
    until = expires_at(table.state)
    assert until == table.state.time + 10 * MINUTE
    wait(table, 10 * MINUTE - 1)
    assert refusal(lambda: table.command(Expire(), SERVICE)).code == "not-overdue"
    wait(table, 1)
    records = table.command(Expire(), SERVICE)
    assert [type(record.event) for record in records] == [Expired, Sealed]
    assert status(table.state) == "sealed"
    assert table.state.game.outcome.reason == "expired"
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_an_open_table_expires_too():
    table = Table(STIR_FRY_EIGHTEEN, 3).create(expires=MINUTE)
    wait(table, MINUTE)
    table.command(Expire(), SERVICE)
    assert status(table.state) == "sealed"
    assert expires_at(table.state) is None
    assert refusal(lambda: table.join("late")).code == "game-over"
