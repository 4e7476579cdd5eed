"""Decisions, their ids, and what comes late."""

import pytest

from domain.kernel.decide import SERVICE, Default
from domain.kernel.decision import Decision, Order, answered, ask
from tests.domain.kernel.table import Table, refusal
from tests.domain.kernel.toy import TOY, Answer, Ask, Finish, Toss


def test_a_decision_asks_one_in_turn_or_all_at_once():
    seats = (2, 0, 1)
    assert Decision("turn", 5, seats).asked == (2,)
    assert Decision("question", 5, seats, Order.IN_TURN).asked == (2,)
    assert Decision("question", 5, seats, Order.AT_ONCE).asked == seats


def test_a_decision_with_nobody_to_ask_is_none():
    assert ask("question", 5, ()) is None
    assert answered(None, 1) is None


def test_answers_are_struck_off_and_the_last_closes():
    decision = ask("question", 5, (2, 0, 1), Order.AT_ONCE)
    decision = answered(decision, 0)
    assert decision == Decision("question", 5, (2, 1), Order.AT_ONCE)
    assert answered(decision, 0) == decision
    assert answered(answered(decision, 2), 1) is None


def test_a_decisions_id_is_the_version_that_opened_it():
    table = Table(TOY).start()
    assert table.decision == table.state.version
    for _ in range(3):
        before = table.decision
        table.act(0, Toss())
        assert table.decision == before + 1 == table.state.version


def test_a_window_keeps_its_id_until_it_closes():
    """So that passes made at the same moment both hold."""
    table = Table(TOY).start()
    table.act(0, Ask(Order.AT_ONCE, (0, 1, 2)))
    window = table.decision
    table.act(2, Answer(), window)
    assert (table.decision, table.state.game.decision.asked) == (window, (0, 1))
    table.act(0, Answer(), window)
    table.act(1, Answer(), window)
    assert table.decision == table.state.version > window


def test_asked_in_turn_each_waits_for_the_one_before():
    table = Table(TOY).start()
    table.act(0, Ask(Order.IN_TURN, (2, 0, 1)))
    window = table.decision
    assert table.state.game.decision.asked == (2,)
    assert refusal(table.act, 0, Answer(), window).rule == "T-0"
    table.act(2, Answer(), window)
    assert (table.decision, table.state.game.decision.asked) == (window, (0,))


def test_what_answers_a_closed_decision_is_late():
    table = Table(TOY).start()
    old = table.decision
    table.act(0, Toss(), old)
    late = refusal(table.act, 0, Toss(), old)
    assert (late.code, late.key, late.pointer) == (
        "decision-closed",
        "decision_closed",
        "/decision",
    )
    assert late.params == {"current": table.decision}


@pytest.mark.parametrize("number", [-1, 0, 1, 10_000])
def test_no_other_number_answers_a_decision(number):
    table = Table(TOY).start()
    assert refusal(table.act, 0, Toss(), number).code == "decision-closed"


def test_an_old_id_is_told_before_the_rules_are_asked():
    """The late player of another line must not be told that it is not their turn."""
    table = Table(TOY).start()
    old = table.decision
    table.act(0, Toss(), old)
    assert refusal(table.act, 2, Toss(), old).code == "decision-closed"


def test_no_decision_before_the_start_and_after_the_end():
    table = Table(TOY).create()
    assert table.decision is None
    assert refusal(table.act, 0, Toss(), 1).code == "game-not-started"
    table.start()
    number = table.decision
    table.act(0, Finish())
    assert table.decision is None
    assert refusal(table.act, 0, Toss(), number).code == "game-over"


def test_a_default_answers_for_who_is_asked():
    table = Table(TOY).start()
    table.act(0, Ask(Order.AT_ONCE, (1, 2)))
    window = table.decision
    (record,) = table.command(Default(seat=2, decision=window), SERVICE)
    assert (record.actor, record.event.seat) == ("service", 2)
    again = refusal(table.command, Default(seat=2, decision=window), SERVICE)
    assert (again.code, again.key) == ("decision-closed", "not_asked")
    table.command(Default(seat=1, decision=window), SERVICE)
    late = refusal(table.command, Default(seat=1, decision=window), SERVICE)
    assert (late.code, late.key) == ("decision-closed", "decision_closed")


# Rewinds: the ruling's event is made by hand here.


def test_an_answer_to_the_undone_line_is_superseded():
    table = Table(TOY).start()
    first = table.decision
    table.act(0, Toss())
    second = table.decision
    ruling = table.rewind(first)
    assert table.decision == ruling.version
    for undone in (first, second):
        late = refusal(table.act, 0, Toss(), undone)
        assert (late.code, late.key, late.pointer) == ("superseded", "superseded", "/decision")
        assert late.params == {"current": ruling.version}
    table.act(0, Toss(), ruling.version)
    assert table.decision == ruling.version + 1
    assert refusal(table.act, 0, Toss(), ruling.version).code == "decision-closed"


def test_a_reopened_window_has_a_new_id_and_keeps_it():
    table = Table(TOY).start()
    table.act(0, Ask(Order.AT_ONCE, (0, 1, 2)))
    window = table.decision
    table.act(1, Answer())
    passed = table.state.version
    table.act(0, Answer())
    ruling = table.rewind(passed)
    assert table.state.game.decision.asked == (0, 2)
    assert table.decision == ruling.version
    assert refusal(table.act, 0, Answer(), window).code == "superseded"
    table.act(0, Answer(), ruling.version)
    assert table.decision == ruling.version
    table.act(2, Answer(), ruling.version)
    assert table.decision == table.state.version
