"""A judge takes Memesio's Café back: cooking, Maiti, the Ladle's coin, empty decks, the end.

Each command is checked by ``tests.domain.judged``: the fold is what an independent interpreter
makes of the log, and after a rewind each viewer is shown what was shown at that version.
"""

import pytest

from domain.kernel.clock import DecisionClock, GameClock
from domain.kernel.decide import Act, seat_actor
from domain.kernel.pen import chance_of
from domain.kernel.rulings import Forfeit
from domain.kernel.state import decision_id, status
from domain.memesio.actions import Hand, Invent, Nested, Stock
from domain.memesio.cards import BY_RECIPE
from tests.domain.memesio import scenario
from tests.domain.memesio.room import ROOM
from tests.domain.memesio.scenario import given, made
from tests.domain.positions import AtAPosition

CAKE = BY_RECIPE["cake"].screams
SPONGE, CUSTARD = made("sponge", "*flour", "*eggs"), made("custard", "*milk3", "*butter")


class Table(AtAPosition, scenario.Table):
    """A table of Memesio's Café at which a judge rules."""

    room = ROOM

    def ladle(self, seat, sources):
        invent = Invent(self["ladle"], self.sources(sources), "Cloud with claws")
        return self.act(seat, invent)

    def act_on(self, decision, seat, action):
        """Act on a decision that may be no longer open."""
        return self.command(Act(seat=seat, decision=decision, action=action), seat_actor(seat))

    @property
    def asks_seat(self):
        """The seat whose turn it is."""
        assert self.game.decision is not None
        [seat] = self.game.decision.asked
        return seat


def heads(state):
    """The next coin shows heads."""
    return chance_of(state).pick(2)[1] == 0


def tails(state):
    return not heads(state)


def table_of(table):
    """What lies open: desserts with all that is nested in them, the pantry, and the screams."""
    desserts = [player.desserts for player in table.game.players]
    return desserts, dict(table.game.pantry), table.screams


# Cooking (ME-3, ME-4).


def a_cake(**more):
    """Seat 0 can cook a cake of an own dessert and one of seat 1, in which cards are nested."""
    position = given("cake *milk2", "*milk *nuts", "*lemon", tables={0: [SPONGE], 1: [CUSTARD]})
    return Table(position, **more)


def test_back_across_a_cooking_with_nested_desserts():
    table = a_cake()
    before, lay = table.version, table_of(table)
    hands = [table.hand(seat) for seat in range(3)]
    table.cook(0, "cake", "t:1 t:2")
    cooked = table.version
    assert table.screams == [CAKE, CAKE / 2, 0]
    assert table.desserts(1) == []
    table.back_to(before)
    assert table.tags == ["ruled", "rewound", "shuffled"], "the next seat had drawn a card"
    assert table_of(table) == lay
    assert [table.hand(seat) for seat in range(3)] == hands
    table.cook(0, "cake", "t:1 t:2")
    again = table.version
    assert table.dessert(3).recipe == "cake", "desserts are numbered as they would have been"
    table.back_to(cooked).back_to(again)
    assert table.screams == [CAKE, CAKE / 2, 0], "once, and not once for each line"


def test_an_adjusted_and_forfeited_line_is_taken_back_whole():
    table = a_cake()
    before, lay = table.version, table_of(table)
    table.rules(Forfeit(1))
    assert 1 not in table.game.present()
    table.cook(0, "cake", "t:1 t:2").stock(2, "*lemon")
    table.back_to(before)
    assert table_of(table) == lay
    assert table.game.present() == (0, 1, 2), "a forfeit goes with the game"
    table.cook(0, "cake", "t:1 t:2")
    assert table.asks_seat == 1


def test_who_left_meanwhile_plays_no_more_in_the_earlier_position():
    table = a_cake()
    before = table.version
    table.cook(0, "cake", "t:1 t:2").leaves(1)
    table.back_to(before)
    assert "seat_left" in table.tags
    assert table.desserts(1) == ["custard"], "the desserts stay, and earn halves (ME-16)"
    table.cook(0, "cake", "t:1 t:2")
    assert table.screams[:2] == [CAKE, CAKE / 2]
    assert table.asks_seat == 2, "the seat that left is played by default"


def test_an_undo_by_consent_after_a_cooking():
    table = a_cake()
    before, lay = table.version, table_of(table)
    table.cook(0, "cake", "t:1 t:2")
    table.undone_to(before, 0, 1, 2)
    assert table_of(table) == lay
    assert table.tags[-1] == "shuffled"


# Special cards (ME-7 to ME-9).


@pytest.mark.parametrize("keeps", [Nested(2), Hand(0)])
def test_back_across_maiti(keeps):
    wedding = made("wedding_cake", made("cake", SPONGE, CUSTARD), made("meringue"))
    table = Table(given("maiti *nuts", "*milk", tables={0: [wedding]}))
    before, lay = table.version, table_of(table)
    table.maiti(0, 5, keeps)
    broken, after = table.version, table_of(table)
    assert after != lay
    table.back_to(before)
    assert table_of(table) == lay
    assert table["maiti"] in table.hand(0), "the special card is back in the hand"
    table.back_to(broken)
    assert table_of(table) == after
    table.back_to(before).stock(0, "maiti")
    assert table.desserts(0) == ["wedding_cake"]


def test_back_across_memesio_and_nyamonas_in_one_turn():
    pavlova = made("pavlova", made("meringue", "*eggs2"), "*berries")
    hands, pantry = ("memesio nyamonas *nuts", "*eggs"), "cake *lemon *lemon2"
    table = Table(given(*hands, pantry=pantry, tables={0: [pavlova]}))
    before, lay, hand = table.version, table_of(table), table.hand(0)
    table.memesio(0, "*lemon2")
    between, half = table.version, table_of(table)
    table.nyamonas(0, 2, "cake")
    assert table.desserts(0) == ["cake"]
    table.back_to(between)
    assert (table_of(table), table.asks_seat) == (half, 0)
    assert table["*lemon2"] in table.hand(0)
    table.back_to(before)
    assert (table_of(table), table.hand(0)) == (lay, hand)


# The Ladle and its coin (ME-11).


@pytest.mark.parametrize("side", [heads, tails])
def test_back_across_a_coin_that_is_then_tossed_anew(side):
    """Whoever has seen the coin does not know how the next one falls: its number is used up."""
    table = Table(given("ladle *nuts *milk2", "*eggs", pantry="*lemon *honey"), when=side)
    before, lay, hand = table.version, table_of(table), table.hand(0)
    table.ladle(0, "p:*lemon p:*honey")
    coin = table.event("coin_tossed")
    assert coin.heads is (side is heads)
    assert table.screams[0] == (4 if coin.heads else 0)
    assert bool(table.game.spoiled) is not coin.heads
    table.back_to(before)
    assert (table_of(table), table.hand(0)) == (lay, hand)
    assert table.game.spoiled == (), "what had left the game is back"
    table.back_to(before, reshuffle=False).ladle(0, "p:*lemon p:*honey")
    again = table.event("coin_tossed")
    assert again.chance > coin.chance, "even with the deck left as it is"


# Decks and the end (ME-2, ME-13).


def test_back_to_an_empty_deck_and_away_from_it():
    position = given("marshmallow *nuts *butter", "*sugar *milk wedding_cake", deck="*eggs")
    table = Table(position)
    full = table.version
    table.stock(0, "*nuts")
    assert table.game.deck == (), "seat 1 has drawn the last card"
    empty = table.version
    table.stock(1, "*milk")
    table.back_to(empty)
    assert (table.game.deck, table.asks_seat) == ((), 1)
    table.stock(1, "*sugar")
    table.back_to(full)
    assert table.game.deck == table.all("*eggs")
    table.back_to(empty)
    assert table.game.deck == ()


def about_to_end(**more):
    """The last turn but for seat 0's choice: only the marshmallow can still be cooked."""
    return Table(given("marshmallow *sugar *eggs", "*nuts *milk", deck="", scores=(0, 1)), **more)


def test_back_from_the_last_turn_before_the_seal():
    table = about_to_end()
    before = table.version
    table.stock(0, "marshmallow")
    assert (status(table.state), table.outcome.winners) == ("ended", (1,))
    ended = table.version
    table.back_to(before)
    assert (status(table.state), table.asks_seat) == ("running", 0)
    table.cook(0, "marshmallow", "h:*sugar h:*eggs")
    assert table.outcome.winners == (0,), "as it should have been played"
    table.back_to(ended)
    assert table.outcome.winners == (1,), "the judge can think better of it"
    table.back_to(before).cook(0, "marshmallow", "h:*sugar h:*eggs").sealed()
    assert table.outcome.winners == (0,)
    table.refuses("game-over", lambda: table.back_to(before))


# Clocks.


def test_an_unfair_default_is_taken_back_and_the_clock_starts_afresh():
    table = about_to_end(clock=DecisionClock(30))
    before, old = table.version, decision_id(table.state)
    table.runs_out(0)
    assert table.tags[0] == "stocked", "a card at random"
    table.checked.now += 9_000_000
    table.back_to(before)
    assert table.until(0) == 30_000
    stock = Stock(table["*sugar"])
    table.refuses("superseded", lambda: table.act_on(old, 0, stock))
    table.cook(0, "marshmallow", "h:*sugar h:*eggs")
    assert table.outcome.winners == (0,)


def test_the_time_for_the_game_is_never_given_back():
    table = a_cake(clock=GameClock(60, 5))
    before = table.version
    table.checked.now += 10_000
    table.cook(0, "cake", "t:1 t:2")
    left = table.state.table.timing.banks
    table.back_to(before)
    assert table.state.table.timing.banks[0] == left[0] < 60_000
    assert table.until(0) == left[0]
    assert table.state.table.timing.banks[1] > 60_000 - 1_000, "seat 1 was asked for a moment"
