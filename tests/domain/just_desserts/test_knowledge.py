"""What a viewer may know (JD-12, JD-22, JD-23): non-interference, and planted leaks found."""

from collections import Counter
from dataclasses import replace
from random import Random

import msgspec
import pytest

from domain.just_desserts import decide as rules
from domain.just_desserts.cards import SINGLE_TASTE
from domain.just_desserts.events import (
    Dealt,
    DessertsShuffled,
    Drawn,
    GuestsShuffled,
    TurnBegan,
)
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.serving import pick
from domain.just_desserts.state import BLOCKING
from domain.kernel.errors import Refusal
from domain.kernel.forms import fill
from domain.kernel.viewer import SEALED
from tests.domain.just_desserts.room import ROOM
from tests.domain.just_desserts.twins import Diverged, differ_inside, twin
from tests.domain.kit import (
    LEAKS,
    CheckedGame,
    confirmed,
    difference,
    random_probes,
    shared_salt,
    sights,
)

FULL = Options(advanced=True, just_coffee=True, better_with_bacon=True)


def history(random, ruleset=JUST_DESSERTS, *, seats=None, commands=None):
    """Play a random stretch of a game."""
    game = CheckedGame(replace(ROOM, ruleset=ruleset))
    game.open(random, seats or random.randint(2, 5), FULL)
    for _ in range(random.randrange(60) if commands is None else commands):
        if not game.step(random, leaving=0.004, lapsing=0.02):
            break
    return game


def unsealed(game):
    """The records of a game, but for a last command that ended and sealed it."""
    if game.state.game.outcome is None:
        return game.records
    last = max(index for index, record in enumerate(game.records) if record.count)
    return game.records[:last]


def probes_for(game, sight, random):
    """Actions for the viewer's own seats to try: out of the blue, and what is listed."""
    probes = []
    for seat in sight.seats:
        probes += random_probes(JUST_DESSERTS, seat, random, 12)
        for form in JUST_DESSERTS.legal(game, seat):
            action = msgspec.convert(fill(form, random), JUST_DESSERTS.action_type)
            probes.append((seat, action))
    return probes


def leak_of(ruleset, records, state, sight, random):
    """The first difference between a history and its twin, or None."""
    try:
        other = twin(ruleset, records, sight, random)
    except (Diverged, Refusal) as diverged:
        return f"diverged: {diverged}"
    probes = probes_for(state.game, sight, random)
    return difference(ruleset, records, other, sight, probes)


@pytest.mark.parametrize("entropy", range(24))
def test_two_histories_that_differ_in_hidden_parts_look_the_same(entropy):
    random = Random(f"twins/{entropy}")
    game = history(random)
    records = unsealed(game)
    state = game.states[len(records) - 1]
    differing = 0
    for sight in sights(len(state.table.seats)).values():
        other = twin(JUST_DESSERTS, records, sight, random)
        differing += differ_inside(records, other)
        probes = probes_for(state.game, sight, random)
        assert difference(JUST_DESSERTS, records, other, sight, probes) is None
    assert differing > 1, "twins that are the same prove nothing"


def test_whoever_may_know_sees_the_difference():
    """Else the comparison would be blind: what was changed is there for others to see."""
    seen = 0
    for number in range(10):
        random = Random(f"known/{number}")
        game = history(random, seats=3, commands=15)
        records = unsealed(game)
        other = twin(JUST_DESSERTS, records, sights(3)["seat 0"], random)
        assert difference(JUST_DESSERTS, records, other, SEALED) is not None
        seen += difference(JUST_DESSERTS, records, other, sights(3)["seat 1"]) is not None
    assert seen > 5


@pytest.mark.parametrize("kind", [Dealt, TurnBegan, Drawn, DessertsShuffled, GuestsShuffled])
def test_jd_12_an_event_that_hides_nothing_is_found(kind, monkeypatch):
    """Each type of event with a hidden part, once without."""
    monkeypatch.setattr(kind, "hidden", {})
    random = Random(f"open/{kind.__name__}")
    for _ in range(8):
        game = CheckedGame(ROOM)
        game.open(random, 3, FULL)
        for _ in range(12):
            game.step(random)
        records = unsealed(game)
        state = game.states[len(records) - 1]
        for sight in list(sights(3).values())[:-1]:
            if leak_of(JUST_DESSERTS, records, state, sight, random):
                return
    raise AssertionError("not found")


@pytest.mark.parametrize("leak", LEAKS)
def test_planted_leaks_are_found(leak):
    random = Random(f"leaks/{leak}")
    found = None
    for _ in range(8):
        game = history(random, commands=12)
        records = unsealed(game)
        state = game.states[len(records) - 1]
        with LEAKS[leak](JUST_DESSERTS) as leaky:
            for sight in list(sights(len(state.table.seats)).values())[:-1]:
                found = found or leak_of(leaky, records, state, sight, random)
    assert found


# Leaks that only this game could have.


def asks_by_hand(play, seat, action):
    """Ask the owner of a guest only if the hand can block: what JD-22 forbids."""
    rules.decide(play, seat, action)
    decision, offer = play.game.decision, play.game.offer
    if decision is not None and decision.kind == BLOCKING:
        hand = play.game.players[offer.owner].hand
        if pick(offer.guest, hand, favourite=offer.favourite) is None:
            rules._let_go(play, offer.owner)


def ends_by_hand(play, seat, action):
    """End the turn by itself once the hand serves nobody else: what JD-4 forbids."""
    rules.decide(play, seat, action)
    game = play.game
    if game.turn.served == 1 and game.decision is not None and game.turn.seat == seat:
        reach = (*game.centre, *game.doorway())
        hand = game.players[seat].hand
        if all(pick(guest, hand, favourite=False) is None for guest in reach):
            rules._end(play, seat)


def shows_the_kinds(game, sight):
    """Show of every hand how many desserts would do for a buffet."""
    counts = [len(SINGLE_TASTE.intersection(player.hand)) for player in game.players]
    board = JUST_DESSERTS.board(game, sight)
    return msgspec.structs.replace(board, returning=tuple(counts))


@pytest.mark.parametrize(
    "changes", [{"decide": asks_by_hand}, {"decide": ends_by_hand}, {"board": shows_the_kinds}]
)
def test_jd_22_jd_4_jd_12_leaks_of_this_game_are_found(changes):
    """Trap: a poach that succeeds without asking tells everyone what the owner lacks."""
    leaky = replace(JUST_DESSERTS, **changes)
    random = Random(f"own leaks/{sorted(changes)}")
    for _ in range(25):
        game = history(random, leaky, seats=3, commands=30)
        records = unsealed(game)
        state = game.states[len(records) - 1]
        for sight in list(sights(3).values())[:-1]:
            if leak_of(leaky, records, state, sight, random):
                return
    raise AssertionError("not found")


# Salts: nothing hidden can be confirmed by trying.


def candidates(game):
    """Values that a viewer might guess: all hands and draws that there were."""
    for record in game.records:
        for name in record.event.hidden:
            yield msgspec.to_builtins(getattr(record.event, name))


def test_jd_12_no_hidden_part_can_be_confirmed_by_trying():
    game = history(Random("salts"), commands=20)
    for sight in sights(len(game.state.table.seats)).values():
        assert confirmed(unsealed(game), sight, candidates(game)) == []


def test_a_shared_salt_would_be_found():
    with shared_salt(JUST_DESSERTS):
        random = Random("shared salt")
        game = CheckedGame.__new__(CheckedGame)
        game.__init__(ROOM)
        game._salts = _Anything()
        game.open(random, 2, FULL)
        assert confirmed(game.records, sights(2)["seat 0"], candidates(game))


class _Anything(set):
    """A set that never holds anything: the kit would stop at the first salt used twice."""

    def __contains__(self, item):
        return False


def test_the_counts_of_views_are_what_they_say():
    """The board's counts are those of the state, whoever looks."""
    game = history(Random("counts"), commands=30)
    for state in game.states:
        if state.game is None:
            continue
        board = JUST_DESSERTS.board(state.game, sights(2)["spectator"])
        assert board.dessert_deck_count == len(state.game.dessert_deck)
        assert board.guest_deck_count == len(state.game.guest_deck)
        hands = Counter({player.seat: player.hand_count for player in board.players})
        assert hands == Counter(
            {seat: len(player.hand) for seat, player in enumerate(state.game.players)}
        )
