"""Rulings and motions: acts on record, that take back the game and nothing else."""

import random
from collections import Counter

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.clock import GameClock
from domain.kernel.decide import (
    SERVICE,
    Join,
    MakeMotion,
    NameJudge,
    Rule,
    Seal,
    Vacate,
    Vote,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Adjusted, HandedOver, MotionVoted, Sealed
from domain.kernel.fold import ancestors, fold
from domain.kernel.forms import fill
from domain.kernel.replay import fault_of
from domain.kernel.rulings import (
    Adjust,
    CallJudge,
    Forfeit,
    Halt,
    HandOver,
    Note,
    ReplaceSeat,
    RestoreClock,
    Rewind,
    SealNow,
    Undo,
)
from domain.kernel.state import SEAL_AFTER, decision_id, status
from domain.kernel.viewer import JUDGE, Sight, seen, sight
from domain.stir_fry_eighteen.actions import DiscardPair, EndTurn, Pass
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kernel.table import Table
from tests.domain.playouts import room_of
from tests.domain.rulings import play_ruled

JUDGE_ACTOR = "judge:judy"


def judged(ruleset=STIR_FRY_EIGHTEEN, seats=3, clock=None, **options):
    options.setdefault("first_player", 0)
    table = Table(ruleset, seats, **options)
    table.create(clock=clock)
    table.command(NameJudge(player="host", judge="judy"), player_actor("host"))
    return table.start()


def rule(table, ruling):
    return table.command(Rule(judge="judy", ruling=ruling), JUDGE_ACTOR)


def move(table, seat, motion):
    return table.command(MakeMotion(seat=seat, motion=motion), seat_actor(seat))


def vote(table, seat, motion, *, agree=True):
    return table.command(Vote(motion=motion, seat=seat, agree=agree), seat_actor(seat))


def refusal(call):
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value


def names(records):
    return [type(record.event).__name__ for record in records]


# Judges.


def test_the_host_names_judges_before_the_start_and_they_never_sit():
    table = judged()
    assert table.state.table.judges == ("judy",)
    late = NameJudge(player="host", judge="jim")
    assert refusal(lambda: table.command(late, player_actor("host"))).code == "game-started"
    other = Table(STIR_FRY_EIGHTEEN, 3).create()
    other.command(NameJudge(player="host", judge="judy"), player_actor("host"))
    join = Join(player="judy")
    assert refusal(lambda: other.command(join, player_actor("judy"))).key == "judge_sits_not"
    other.join("ada")
    sat = NameJudge(player="host", judge="ada")
    assert refusal(lambda: other.command(sat, player_actor("host"))).code == "not-eligible"
    stranger = NameJudge(player="eve", judge="jim")
    assert refusal(lambda: other.command(stranger, player_actor("eve"))).code == "forbidden"


def test_a_judge_sees_every_hand_and_no_chance_to_come():
    table = judged()
    assert sight(table.state.table, "judy", 1) == JUDGE
    board = STIR_FRY_EIGHTEEN.board(table.state.game, JUDGE)
    assert all(player.hand is not None for player in board.players)
    assert board.deck is None
    secret = bytes.fromhex(table.state.table.seed)
    shuffled = next(r for r in table.records if type(r.event).__name__ == "Shuffled")
    assert "value" not in seen(shuffled, JUDGE, secret).event["order"]


def test_only_judges_rule():
    table = judged()
    ruling = Rule(judge="p1", ruling=Note())
    assert refusal(lambda: table.command(ruling, "judge:p1")).code == "forbidden"
    assert names(rule(table, Note())) == ["Ruled"]


def test_the_seats_can_call_a_judge_into_a_running_game():
    table = Table(STIR_FRY_EIGHTEEN, 3, first_player=0).start()
    made = move(table, 0, CallJudge("judy"))[0].version
    vote(table, 1, made)
    assert names(vote(table, 2, made)) == ["MotionVoted", "JudgeNamed"]
    assert table.state.table.judges == ("judy",)
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


# Rewinds.


def test_a_rewind_takes_the_game_back_and_opens_its_decision_anew():
    table = judged()
    target, before = table.state, decision_id(table.state)
    hand = target.game.players[0].hand
    table.act(0, DiscardPair(hand[:2]))
    records = rule(table, Rewind(target.version))
    assert names(records) == ["Ruled", "Rewound"], "a claim told nobody anything new"
    assert table.state.game == target.game
    assert decision_id(table.state) == records[-1].version != before
    late = refusal(lambda: table.act(0, EndTurn(), decision=before))
    assert late.code == "superseded"
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_what_was_shown_is_shuffled_anew():
    table = judged()
    target = table.state.version
    table.act(0, EndTurn())
    while table.state.game.turn.seat == 0:
        table.act(0, STIR_FRY_EIGHTEEN.actions[-1](table.state.game.players[0].hand[:1]))
    deck = fold(STIR_FRY_EIGHTEEN, table.records[:target]).game.deck
    records = rule(table, Rewind(target))
    assert names(records) == ["Ruled", "Rewound", "Reshuffled"]
    assert sorted(table.state.game.deck) == sorted(deck)
    draws = table.state.table.draws
    again = rule(table, Rewind(target, reshuffle=False))
    assert names(again) == ["Ruled", "Rewound"]
    assert table.state.game.deck == deck
    assert table.state.table.draws == draws, "no draw of chance is used twice"


def test_a_rewind_can_be_undone_by_another():
    table = judged()
    target = table.state.version
    table.act(0, EndTurn())
    later = table.state
    rule(table, Rewind(target))
    rule(table, Rewind(later.version, reshuffle=False))
    assert table.state.game == later.game
    line = [record.version for record in ancestors(table.records, table.state.version)]
    assert later.version in line


def test_whoever_goes_back_into_an_undone_line_finds_another_deck():
    """How that line went on is known, although the last line told nothing."""
    table = judged()
    early = table.state.version
    table.act(0, DiscardPair(table.state.game.players[0].hand[:2]))
    claimed = table.state
    table.act(1, Pass())
    table.act(2, Pass())
    assert len(table.state.game.deck) < len(claimed.game.deck)
    drawn = table.state
    assert names(rule(table, Rewind(early))) == ["Ruled", "Rewound", "Reshuffled"]
    assert names(rule(table, Rewind(drawn.version))) == ["Ruled", "Rewound"], "nobody saw beyond it"
    assert table.state.game == drawn.game
    rule(table, Rewind(early))
    assert names(rule(table, Rewind(claimed.version))) == ["Ruled", "Rewound", "Reshuffled"]
    assert table.state.game.deck != claimed.game.deck
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_whoever_left_stays_left():
    table = judged()
    target = table.state.version
    table.command(Vacate(player="p2", seat=2), player_actor("p2"))
    records = rule(table, Rewind(target))
    assert "SeatLeft" in names(records)
    assert 2 not in table.state.game.present()
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_a_rewind_goes_to_the_end_of_a_command_after_the_start():
    table = judged()
    start = next(r.version for r in table.records if type(r.event).__name__ == "Started")
    assert refusal(lambda: rule(table, Rewind(start))).key == "rewind_within"
    assert refusal(lambda: rule(table, Rewind(1))).key == "rewind_before_start"
    assert refusal(lambda: rule(table, Rewind(table.state.version))).key == "rewind_ahead"


def test_an_ended_game_is_not_sealed_while_a_judge_may_take_it_back():
    table = judged(seats=2)
    target = table.state.version
    table.command(Vacate(player="p1", seat=1), player_actor("p1"))
    assert status(table.state) == "ended"
    assert sight(table.state.table, None, table.state.version) == Sight()
    assert refusal(lambda: table.command(Seal(), SERVICE)).code == "not-overdue"
    table.now += SEAL_AFTER
    assert isinstance(table.command(Seal(), SERVICE)[0].event, Sealed)
    assert refusal(lambda: rule(table, Rewind(target))).code == "game-over"
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_to_lose_read_the_seed_and_have_it_rewound_fails():
    """The end tells nothing but what the rules tell, until nothing can be taken back."""
    table = judged(seats=2, target=1)
    secret = bytes.fromhex(table.state.table.seed)
    rng = random.Random(5)
    while table.state.game.outcome is None:
        seat = table.state.game.decision.asked[0]
        legal = STIR_FRY_EIGHTEEN.legal(table.state.game, seat)
        chosen = fill(legal[rng.randrange(len(legal))], rng)
        table.act(seat, msgspec.convert(chosen, STIR_FRY_EIGHTEEN.action_type))
    assert status(table.state) == "ended"
    view = sight(table.state.table, "p1", table.state.version)
    assert not view.sealed
    first = seen(table.records[0], view, secret)
    assert "value" not in first.event["seed"]
    made = move(table, 0, SealNow())[0].version
    vote(table, 1, made)
    assert not table.state.table.sealed, "the judge has to agree as well"
    table.command(Vote(motion=made, judge="judy", agree=True), JUDGE_ACTOR)
    assert table.state.table.sealed


# Other rulings.


def test_scores_clocks_pauses_and_forfeits():
    table = judged(clock=GameClock(60))
    assert isinstance(rule(table, Adjust(1, 7))[1].event, Adjusted)
    assert table.state.game.players[1].score == 7
    rule(table, Adjust(1, -50))
    assert table.state.game.players[1].score == 0
    rule(table, RestoreClock(2, 5_000))
    assert table.state.table.timing.banks[2] == 5_000
    rule(table, Halt(True))
    assert refusal(lambda: table.act(0, EndTurn())).code == "paused"
    rule(table, Halt(False))
    target = table.state.version
    rule(table, Forfeit(0))
    assert 0 not in table.state.game.present()
    assert not table.state.table.seats[0].left, "a forfeit goes with the game"
    rule(table, Rewind(target, reshuffle=False))
    assert 0 in table.state.game.present()
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_a_replaced_seat_is_seen_from_now_on_only():
    table = judged()
    before = table.state.version
    rule(table, ReplaceSeat(1, player="nina"))
    assert sight(table.state.table, "nina", before) == Sight()
    assert sight(table.state.table, "nina", table.state.version) == Sight(seats=(1,))
    assert sight(table.state.table, "p1", table.state.version) == Sight()
    back = ReplaceSeat(2, player="p1")
    assert refusal(lambda: rule(table, back)).key == "knows_too_much"
    rule(table, ReplaceSeat(2, bundled="random"))
    assert table.state.table.seats[2].bundled == "random"
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


# Motions.


def test_an_undo_that_showed_nothing_is_had_at_once():
    table = Table(STIR_FRY_EIGHTEEN, 2, first_player=0).start()
    target = table.state
    table.act(0, DiscardPair(target.game.players[0].hand[:2]))
    assert names(move(table, 0, Undo(target.version))) == ["MotionMade", "Rewound"]
    assert table.state.game == target.game


def test_an_undo_after_others_acted_needs_every_opponent():
    table = Table(STIR_FRY_EIGHTEEN, 3, first_player=0).start()
    target = table.state.version
    table.act(0, EndTurn())
    while table.state.game.turn.seat == 0:
        table.act(0, STIR_FRY_EIGHTEEN.actions[-1](table.state.game.players[0].hand[:1]))
    made = move(table, 0, Undo(target))[0].version
    assert names(vote(table, 1, made)) == ["MotionVoted"]
    records = vote(table, 2, made)
    assert names(records) == ["MotionVoted", "Rewound", "Reshuffled"]
    assert table.state.table.motions == ()
    assert fault_of(STIR_FRY_EIGHTEEN, table.records) is None


def test_one_who_declines_ends_a_motion_and_old_ones_lapse():
    table = Table(STIR_FRY_EIGHTEEN, 3, first_player=0).start()
    target = table.state.version
    table.act(0, EndTurn())
    while table.state.game.turn.seat == 0:
        table.act(0, STIR_FRY_EIGHTEEN.actions[-1](table.state.game.players[0].hand[:1]))
    made = move(table, 0, Undo(target))[0].version
    assert refusal(lambda: move(table, 0, Undo(target))).code == "motion-open"
    declined = vote(table, 1, made, agree=False)
    assert isinstance(declined[0].event, MotionVoted)
    assert refusal(lambda: vote(table, 2, made)).code == "motion-closed"
    again = move(table, 0, Undo(target))[0].version
    table.now += 10 * 60 * 1000
    assert refusal(lambda: vote(table, 2, again)).code == "motion-closed"


def test_the_others_can_hand_an_absent_seat_over():
    table = Table(STIR_FRY_EIGHTEEN, 3, first_player=0).start()
    made = move(table, 0, HandOver(1, bundled="random"))[0].version
    vote(table, 2, made)
    records = vote(table, 1, made)
    assert isinstance(records[-1].event, HandedOver)
    assert table.state.table.seats[1].bundled == "random"


# Everything at once.


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_random_games_with_random_rulings(name):
    """In bulk: ``python -m tests.domain.rulings RULESET --games 10000``.

    The counts guard the generator: what never happened was not tried.
    """
    room, seen = room_of(name), Counter()
    for number in range(14):
        seen.update(play_ruled(room, f"slice {number}").seen)
    wanted = {"superseded", "pauses", "lapses", "sealed", "motions carried", "ruled: replace_seat"}
    wanted |= {"moved: undo", "moved: hand_over", "ruled: rewind", "ruled: forfeit", "ruled: note"}
    wanted |= {"rewind: undoing a rewind", "rewind: shuffled anew", "rewind: leaving again"}
    wanted |= {"rewind: the same deck, and nobody knows it"}
    if name == "stir-fry-eighteen":
        wanted |= {"rewind: with a window open", "rewind: into an open window", "ruled: adjust"}
        wanted |= {"rewind: to an empty deck", "rewind: from an empty deck"}
        wanted |= {"rewind: out of the end"}
    assert [each for each in sorted(wanted) if not seen[each]] == []
