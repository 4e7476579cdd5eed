"""Pairs of histories that differ only in what a viewer may not know (ME-15).

Every card has a place in the shuffled deck. A viewer knows the names at the places whose cards
were in the viewer's own hand or were laid open; the others' names, in other hands and in the deck,
are hidden, and may be exchanged among each other as long as the *releases* stay the same: who got
a scream for stocking (ME-5), and that the game went on after every turn (ME-13).

``python -m tests.domain.memesio.scramble --pairs 2000`` compares many pairs.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from domain.kernel.decide import (
    SERVICE,
    Default,
    Vacate,
    player_actor,
)
from domain.kernel.event import Event, Record
from domain.kernel.fold import evolve
from domain.kernel.forms import fits
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SPECTATOR, Sight
from domain.memesio.actions import Hand
from domain.memesio.cooking import cooks_something
from domain.memesio.ending import can_go_on
from domain.memesio.events import (
    Cooked,
    Dealt,
    Invented,
    MaitiAsked,
    MemesioAsked,
    NyamonasAsked,
    PantryOpened,
    Shuffled,
    Stocked,
    TurnBegan,
)
from domain.memesio.ruleset import MEMESIO
from domain.memesio.sources import from_hand, packets
from domain.memesio.state import cards_of
from domain.players.playout import Playout
from tests.domain.kit import Follower, Probe, begun, difference, random_probes, rechained
from tests.domain.memesio.room import conserved, draw_options

EXCHANGES = 20

Pair = tuple[list[Record], list[Record], Sight]


def random_history(
    random: Random, *, game: str = "g0001", players: Sequence[str] | None = None
) -> Playout:
    """Play a random game up to a random command, and not to its end.

    Without ``players`` some seats are bundled players'.
    """
    seats = random.randint(2, 5) if players is None else len(players)
    while True:
        options = draw_options(random, seats)
        play = begun(MEMESIO, options, random, game=game, seats=seats, players=players)
        for _ in range(random.randrange(1, 70)):
            _step(play, random)
        if play.state.game.outcome is None:
            return play


def _step(play: Playout, random: Random) -> None:
    state = play.state
    if state.game.outcome is not None:
        return
    leavers = [seat for seat in state.table.seats if seat.player and not seat.left]
    if len(leavers) > 1 and random.random() < 0.01:
        player = random.choice(leavers).player
        play.command(Vacate(player=player, seat=state.table.seat_of(player)), player_actor(player))
    elif random.random() < 0.03:
        seat = random.choice(state.game.decision.asked)
        play.command(Default(seat=seat, decision=decision_id(state)), SERVICE)
    else:
        planning = dict.fromkeys(range(5), MEMESIO.players["planning"])
        play.step(random, planning if random.random() < 0.3 else None)


class Places(Follower):
    """Where the card of each place in the deck went. ``hidden`` are those the viewer knows not.

    ``drawn`` has, by version, the places that an event drew, and ``shuffled`` those in the order
    that a shuffle gave them: cards keep their first places' numbers when they are shuffled anew.
    """

    game = ("_deck", "_hands")

    def __init__(self, records: Sequence[Record], sight: Sight) -> None:
        super().__init__()
        self.order: list[str] = []
        self.drawn: dict[int, list[int]] = {}
        self.shuffled: dict[int, list[int]] = {}
        self.known: set[int] = set()
        self._deck: list[int] = []
        self._hands: dict[int, list[tuple[str, int | None]]] = {}
        self._sight = sight
        state: State | None = None
        for record in records:
            self.before(record)
            self._follow(record.event, record.version, state)
            self.after(record)
            state = evolve(MEMESIO, state, record, records)

    @property
    def hidden(self) -> list[int]:
        return [place for place in range(len(self.order)) if place not in self.known]

    def _follow(self, event: Event, version: int, before: State | None) -> None:
        match event:
            case Shuffled():
                self._shuffle(event.order, version)
            case Dealt() | TurnBegan():
                places = self._draw(event.count)
                self.drawn[version] = places
                hand = self._hands.setdefault(event.seat, [])
                hand += [(self.order[place], place) for place in places]
                if self._sight.sees(event.seat):
                    self.known.update(places)
            case PantryOpened():
                self.known.update(self._draw(len(event.cards)))
            case Stocked() | NyamonasAsked():
                self._show(event.seat, event.card)
            case MemesioAsked():
                self._show(event.seat, event.card)
                self._hands[event.seat].append((event.takes, None))
            case MaitiAsked(keeps=keeps):
                self._show(event.seat, event.card)
                if isinstance(keeps, Hand):
                    _, dessert = before.game.find(event.dessert)
                    self._hands[event.seat].append((cards_of(dessert)[keeps.place], None))
            case Cooked() | Invented():
                for card in (event.card, *from_hand(event.sources), *packets(event.sources)):
                    self._show(event.seat, card)

    def _shuffle(self, order: Sequence[str], version: int) -> None:
        if not self.order:
            self.order = list(order)
            self._deck = list(range(len(order)))
        else:
            left, deck = list(self._deck), []
            for card in order:
                place = next(place for place in left if self.order[place] == card)
                left.remove(place)
                deck.append(place)
            self._deck = deck
        self.shuffled[version] = list(self._deck)

    def _draw(self, count: int) -> list[int]:
        places, self._deck = self._deck[:count], self._deck[count:]
        return places

    def _show(self, seat: int, card: str) -> None:
        """A card leaves a hand, open to all: of two alike the one that everybody knew of."""
        hand = self._hands[seat]
        held = next((each for each in hand if each == (card, None)), None)
        held = held or next(each for each in hand if each[0] == card)
        hand.remove(held)
        if held[1] is not None:
            self.known.add(held[1])


def rewritten(records: Sequence[Record], places: Places, order: Sequence[str]) -> list[Record]:
    """Write a history anew with another order of the deck."""

    def change(record: Record) -> Event:
        event = record.event
        match event:
            case Shuffled():
                places_now = places.shuffled[record.version]
                return replace(event, order=tuple(order[place] for place in places_now))
            case Dealt() | TurnBegan():
                cards = tuple(sorted(order[place] for place in places.drawn[record.version]))
                return replace(event, cards=cards)
            case _:
                return event

    return rechained(records, change)


def releases_hold(records: Sequence[Record]) -> bool:
    """Say whether what the rules disclose is what they would disclose in this history."""
    state: State | None = None
    for record in records:
        event = record.event
        if isinstance(event, Stocked) and event.chance is None:
            game = state.game
            new = event.card.split("-")[1] not in game.pantry
            if event.screams != (2 if new and not cooks_something(game, event.seat) else 0):
                return False
        if isinstance(event, TurnBegan) and not can_go_on(state.game):
            return False
        state = evolve(MEMESIO, state, record, records)
    return True


def scrambled(records: list[Record], sight: Sight, random: Random) -> list[Record]:
    """Exchange what a viewer may not know, as far as the releases allow."""
    places = Places(records, sight)
    hidden, order = places.hidden, list(places.order)
    changed = list(records)
    if len(hidden) < 2:
        return changed
    whole = list(hidden)
    random.shuffle(whole)
    tried = list(order)
    for place, other in zip(hidden, whole, strict=True):
        tried[place] = order[other]
    attempt = rewritten(records, places, tried)
    if releases_hold(attempt):
        return attempt
    for _ in range(EXCHANGES):
        one, other = random.sample(hidden, 2)
        tried = list(order)
        tried[one], tried[other] = order[other], order[one]
        attempt = rewritten(records, places, tried)
        if order != tried and releases_hold(attempt):
            order, changed = tried, attempt
    return changed


def random_sight(random: Random, seats: int) -> Sight:
    """Draw a viewer: a seat more often than not."""
    kind = random.random()
    if kind < 0.15:
        return SPECTATOR
    if kind < 0.25:
        return Sight(judge=True)
    return Sight(seats=(random.randrange(seats),))


def scrambled_pair(
    entropy: int | str,
    *,
    sight: Sight | None = None,
    game: str = "g0001",
    players: Sequence[str] | None = None,
) -> Pair:
    """Make two histories that must look alike to a viewer, and the viewer.

    Both are running games with the same seed, actors and times, ready to be stored. With
    ``players`` (ids in seat order) these hold the seats, else some are bundled players'. Now and
    then the hidden parts come out the same; ``records_a != records_b`` tells.
    """
    random = Random(entropy)
    play = random_history(random, game=game, players=players)
    if sight is None:
        sight = random_sight(random, len(play.state.table.seats))
    return play.records, scrambled(play.records, sight, random), sight


def check_legal(records: Sequence[Record]) -> State:
    """Check that a scrambled history is one that the rules allow, whatever the chance."""
    state: State | None = None
    for record in records:
        action = MEMESIO.action_of(record.event)
        if record.count and record.actor.startswith("seat:") and action is not None:
            seat = int(record.actor.removeprefix("seat:"))
            if isinstance(record.event, Invented):
                action = replace(action, name="x")
            assert any(fits(form, action) for form in MEMESIO.legal(state.game, seat)), record
        if isinstance(record.event, Dealt | TurnBegan):
            drawn = state.game.deck[: record.event.count]
            assert record.event.cards == tuple(sorted(drawn))
        state = evolve(MEMESIO, state, record, records)
        if state.game is not None:
            conserved(state.game)
    assert state is not None
    assert releases_hold(records)
    return state


def probes_for(records: Sequence[Record], sight: Sight, random: Random) -> list[Probe]:
    """Draw actions for a viewer with a seat to try, plausible or not."""
    probes: list[Probe] = []
    for seat in sight.seats:
        probes += random_probes(MEMESIO, seat, random, 6)
    return probes


def hidden_changes(one: Sequence[Record], other: Sequence[Record]) -> int:
    """Count the events that differ between two histories."""
    return sum(a.event != b.event for a, b in zip(one, other, strict=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare many pairs for their viewers, and print what came of it."""
    parser = argparse.ArgumentParser(description="Non-interference of Memesio's Café in bulk.")
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args(arguments)
    began, differing, changes, versions = time.perf_counter(), 0, 0, 0
    viewers: Counter[str] = Counter()
    for index in range(given.pairs):
        entropy = f"{given.seed}/{index}"
        one, other, sight = scrambled_pair(entropy)
        check_legal(other)
        found = difference(MEMESIO, one, other, sight, probes_for(one, sight, Random(entropy)))
        assert found is None, f"scrambled_pair({entropy!r}): {found} tells {sight}"
        changed = hidden_changes(one, other)
        differing += changed > 0
        changes += changed
        versions += len(one)
        kind = "judge" if sight.judge else "seat" if sight.seats else "spectator"
        viewers[kind] += 1
    seconds = time.perf_counter() - began
    print(f"{given.pairs} pairs, {differing} of them differ, none to its viewer")
    print(f"{versions} versions compared, {changes} events with other hidden parts")
    print(f"viewers: {dict(viewers)}; {seconds:.0f} s")


if __name__ == "__main__":
    main()
