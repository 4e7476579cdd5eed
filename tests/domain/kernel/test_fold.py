"""The fold: the table, which nothing takes back, and the game, which a rewind does."""

import msgspec
import pytest

from domain.kernel.clock import Timing
from domain.kernel.decide import Vacate, player_actor
from domain.kernel.event import Sealed
from domain.kernel.fold import ancestors, evolve, fold, game_at
from domain.kernel.state import status
from domain.stir_fry_eighteen.actions import EndTurn, Reduce
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kernel.table import Table
from tests.domain.kernel.toy import TOY, Finish, Toss


def tossing(number: int) -> Table:
    table = Table(TOY).start()
    for _ in range(number):
        table.act(0, Toss())
    return table


def test_no_events_no_state():
    with pytest.raises(ValueError, match="no event"):
        fold(TOY, [])


def test_a_table_from_open_to_sealed():
    table = Table(TOY).create()
    assert status(table.state) == "open"
    table.join("ann").start()
    assert status(table.state) == "running"
    table.act(0, Finish())
    assert isinstance(table.records[-1].event, Sealed)
    assert status(table.state) == "sealed"
    assert status(table.states[-2]) == "ended"


def test_a_rewind_takes_back_the_game_and_nothing_else():
    table = tossing(1)
    target = table.state
    table.act(0, Toss())
    table.act(0, Toss())
    before = table.state
    ruling = table.rewind(target.version)
    assert ruling.parent == target.version
    assert table.state.game == target.game
    assert table.state.version == ruling.version == before.version + 1
    changed = msgspec.structs.replace(
        before.table, rewound=ruling.version, timing=Timing(since=ruling.time)
    )
    assert table.state.table == changed


def test_chance_is_not_rewound():
    """Else a player could see a toss, have it taken back, and know how it falls again."""
    table = tossing(3)
    assert table.state.table.draws == 3
    table.rewind(table.states[-3].version)
    assert table.state.table.draws == 3
    (record,) = table.act(0, Toss())
    assert record.event.chance == 3
    assert table.state.table.draws == 4
    numbers = [getattr(record.event, "chance", None) for record in table.records]
    used = [number for number in numbers if number is not None]
    assert len(used) == len(set(used)) == 4


def test_shuffles_after_a_rewind_are_new_ones():
    """The same in a real game: the turn that is played again shuffles another deck."""
    table = Table(STIR_FRY_EIGHTEEN, 2, first_player=0).start()
    start = table.state
    reduce = Reduce(start.game.players[0].hand[:1])
    table.act(0, EndTurn())
    table.act(0, reduce)
    deck = table.state.game.deck
    table.rewind(start.version)
    assert table.state.game == start.game
    table.act(0, EndTurn())
    table.act(0, reduce)
    assert table.state.game.deck != deck


def test_whoever_has_left_stays_left():
    table = tossing(1)
    target = table.state.version
    table.command(Vacate(player="p1", seat=1), player_actor("p1"))
    table.rewind(target)
    assert table.state.table.seats[1].left
    assert table.state.table.seat_of("p1") is None
    assert table.state.game.left == ()  # the ruling's command applies the leaving again


def test_the_line_goes_on_from_where_it_was_taken_back_to():
    table = tossing(2)
    target = table.states[-2]
    table.rewind(target.version)
    table.act(0, Toss())
    assert len(table.state.game.tossed) == 2
    assert table.records[-1].parent == table.records[-1].version - 1
    line = [record.version for record in ancestors(table.records, table.state.version)]
    undone = target.version + 1
    assert line == [v for v in range(1, table.state.version + 1) if v != undone]


def test_a_rewind_can_be_undone_by_another():
    table = tossing(3)
    undone = table.state
    table.rewind(table.states[-3].version)
    table.act(0, Toss())
    ruling = table.rewind(undone.version)
    assert table.state.game == undone.game
    assert table.decision == ruling.version
    line = [record.version for record in ancestors(table.records, table.state.version)]
    assert line == [*range(1, undone.version + 1), ruling.version]


def test_into_a_line_that_was_itself_taken_back():
    table = tossing(1)
    base = table.state
    table.act(0, Toss())
    table.rewind(base.version)
    table.act(0, Toss())
    second = table.state
    table.act(0, Toss())
    table.rewind(second.version)
    assert table.state.game == second.game
    table.rewind(base.version)
    assert table.state.game == base.game


def test_the_game_at_every_version_is_the_fold_of_its_ancestors():
    table = tossing(2)
    table.rewind(table.states[-2].version)
    table.act(0, Toss())
    table.rewind(table.states[-4].version)
    table.act(0, Toss())
    for state in table.states[1:]:
        assert game_at(TOY, table.records, state.version) == state.game
        assert fold(TOY, table.records[: state.version]) == state


def test_before_the_first_event_there_is_no_game():
    table = tossing(0)
    assert game_at(TOY, table.records, 0) is None
    assert game_at(TOY, table.records, 1) is None


def test_evolve_changes_nothing_that_it_was_given():
    table = tossing(2)
    for before, record in zip(table.states[1:], table.records[1:], strict=False):
        bytes_before = msgspec.json.encode(before)
        once, again = evolve(TOY, before, record), evolve(TOY, before, record)
        assert once == again
        assert msgspec.json.encode(before) == bytes_before
