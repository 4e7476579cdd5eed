"""Rewinds by a judge: decks that were seen are shuffled anew, and whoever left leaves again."""

from random import Random

import msgspec
import pytest

from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.kernel.decide import NameJudge, Rule, Vacate, player_actor
from domain.kernel.event import tells
from domain.kernel.forms import fill
from domain.kernel.rulings import Forfeit, Rewind
from tests.domain.just_desserts.room import conserved
from tests.domain.kernel.table import Table


def table_of(seats, entropy):
    table = Table(JUST_DESSERTS, seats, advanced=True, just_coffee=True)
    table.create(seed=Random(entropy).randbytes(32).hex())
    table.command(NameJudge(player="host", judge="judy"), player_actor("host"))
    return table.start()


def step(table, random):
    """Let a seat do anything; False once the game has ended."""
    decision = table.state.game.decision
    if decision is None:
        return False
    form = random.choice(JUST_DESSERTS.legal(table.state.game, decision.asked[0]))
    action = msgspec.convert(fill(form, random), JUST_DESSERTS.action_type)
    table.act(decision.asked[0], action)
    conserved(table.state.game)
    return True


def rule(table, ruling):
    records = table.command(Rule(judge="judy", ruling=ruling), "judge:judy")
    conserved(table.state.game)
    return [str(record.event.__struct_config__.tag) for record in records]


def place_before(table, random):
    """A version at which a command ended, at the start or later."""
    start = next(r.version for r in table.records if r.event.__struct_config__.tag == "started")
    ends = [record.version - 1 for record in table.records if record.count]
    return random.choice([version for version in ends if version > start])


@pytest.mark.parametrize("entropy", range(4))
def test_random_rewinds_lose_no_card(entropy):
    """The kernel's table folds the whole log at each command and compares."""
    random = Random(f"rewinds/{entropy}")
    table = table_of(3 + entropy % 3, entropy)
    rewinds = 0
    for number in range(45):
        if not step(table, random) or random.random() < 0.12:
            types = rule(table, Rewind(to=place_before(table, random)))
            assert types[:2] == ["ruled", "rewound"]
            rewinds += 1
        if number == 20:
            holder = table.state.table.seats[1].player
            table.command(Vacate(player=holder, seat=1), player_actor(holder))
        if number > 20:
            assert table.state.game.players[1].left, "whoever has left stays left"
            assert table.state.game.players[1].hand == ()
    assert rewinds > 1


def test_what_was_seen_is_shuffled_anew():
    random = Random("seen")
    table = table_of(3, "seen")
    to = table.state.version
    before = table.state.game
    for _ in range(6):
        step(table, random)
    assert rule(table, Rewind(to=to)) == [
        "ruled",
        "rewound",
        "desserts_reshuffled",
        "guests_reshuffled",
    ]
    after = table.state.game
    assert after.dessert_deck != before.dessert_deck
    assert after.guest_deck != before.guest_deck
    assert sorted(after.guest_deck) == sorted(before.guest_deck)
    assert [player.hand for player in after.players] == [player.hand for player in before.players]


def test_a_forfeit_is_a_leaving():
    table = table_of(3, "forfeit")
    types = rule(table, Forfeit(seat=2))
    assert types[:3] == ["ruled", "forfeited", "hand_discarded"]
    assert table.state.game.present() == (0, 1)


def test_whatever_shows_a_card_tells():
    """What discards or reveals may not be undone without asking the others."""
    silent = {
        "turn_ended", "kitchen_entered", "guest_let_go", "guest_poached", "offer_withdrawn",
        "service_asked", "clearing_asked", "guest_returned", "guest_discarded",
    }  # fmt: skip
    random = Random("tells")
    table = table_of(4, "tells")
    while step(table, random):
        pass
    for record in table.records:
        tag = record.event.__struct_config__.tag
        if tag in {str(kind.__struct_config__.tag) for kind in JUST_DESSERTS.events}:
            assert tells(record.event) == (tag not in silent)
