"""Pairs of histories that differ only in what a viewer may not know (SF-15).

A card's *life* runs from a shuffle, where it gets a place in the deck, until it goes back into a
shuffle. A viewer knows the name of a life that was in the viewer's own hand, was revealed by a
taste test or was cooked; all other lives are hidden, and any names will do for them as long as
each shuffle hands out what went into it. A rewind brings the lives back to where they were; what
was seen of them in the undone line stays seen. So: keep a random game's public course, keep the
names of the visible lives, and deal the names of the hidden ones anew from some shuffle on.

``python -m tests.domain.stir_fry_eighteen.scramble --pairs 5000`` compares many pairs.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from random import Random

from msgspec.structs import replace

from domain.kernel.decide import (
    SERVICE,
    Default,
    Rule,
    Vacate,
    player_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, Record
from domain.kernel.fold import evolve
from domain.kernel.forms import fits
from domain.kernel.rulings import Adjust, Forfeit, Note, ReplaceSeat, Rewind
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SPECTATOR, Sight
from domain.players.playout import Playout
from domain.stir_fry_eighteen.cards import DECK, TOFU
from domain.stir_fry_eighteen.decide import is_truthful
from domain.stir_fry_eighteen.events import (
    Called,
    CardReplaced,
    Claimed,
    Cooked,
    Dealt,
    Drawn,
    Reduced,
    Reshuffled,
    Shuffled,
    TurnBegan,
)
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kit import Follower, Probe, begun, difference, ends_of, random_probes, rechained
from tests.domain.stir_fry_eighteen.room import conserved, draw_options

TRIES = 40

Pair = tuple[list[Record], list[Record], Sight]


def random_history(
    random: Random,
    *,
    game: str = "g0001",
    players: Sequence[str] | None = None,
    rulings: bool = False,
) -> Playout:
    """Play a random game up to a random command, and not to its end.

    Without ``players`` some seats are bundled players'. With ``rulings`` a judge rules in between,
    and the game may have ended, though it is not sealed.
    """
    seats = random.randint(2, 5) if players is None else len(players)
    while True:
        play = begun(
            STIR_FRY_EIGHTEEN,
            draw_options(random, seats),
            random,
            game=game,
            seats=seats,
            players=players,
            judge="judy" if rulings else None,
        )
        for _ in range(random.randrange(1, 60)):
            if rulings and random.random() < 0.15:
                _rule(play, random)
            _step(play, random)
        if rulings or play.state.game.outcome is None:
            return play


def _rule(play: Playout, random: Random) -> None:
    """Let the judge rule something, a rewind more often than not."""
    kind, seat = random.random(), random.randrange(len(play.state.table.seats))
    if kind < 0.7:
        ends = ends_of(play.records)
        ruling = Rewind(random.choice(ends), random.choice((None, None, False))) if ends else Note()
    else:
        ruling = random.choice(
            (
                Note(),
                Adjust(seat, 5),
                Forfeit(seat),
                ReplaceSeat(seat, bundled="random"),
                ReplaceSeat(seat, player="nina"),
            )
        )
    with suppress(Refusal):
        play.command(Rule(judge="judy", ruling=ruling), "judge:judy")


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
        play.step(random)


class Lives(Follower):
    """The lives of all cards of a history, by number.

    ``names`` is what each is called; ``places`` the lives that each shuffle (by its version)
    handed out, top first; ``held`` those that were in hands meanwhile; ``used`` what each event
    (by its version) is about; ``visible`` those whose names the viewer knows.
    """

    game = ("_deck", "_hands", "_claim", "_piles")

    def __init__(self, records: Sequence[Record], view: Sight | Callable[[int], Sight]) -> None:
        super().__init__()
        self.names: list[str] = []
        self.places: dict[int, list[int]] = {}
        self.held: dict[int, list[int]] = {}
        self.used: dict[int, list[int]] = {}
        self.visible: set[int] = set()
        self._sight = SPECTATOR
        self._deck: list[int] = []
        self._hands: dict[int, list[int]] = {}
        self._claim: list[int] = []
        self._piles: list[int] = []  # laid, cooked and discarded since the last shuffle of all
        claimant = -1
        for record in records:
            self.before(record)
            self._sight = view if isinstance(view, Sight) else view(record.version)
            self._follow(record.event, record.version)
            for seat, hand in self._hands.items():
                if self._sight.sees(seat):  # a successor sees what the seat holds by now
                    self.visible.update(hand)
            if isinstance(record.event, Claimed):
                claimant = record.event.seat
            if self._claim and self._sight.sees(claimant):
                self.visible.update(self._claim)
            self.after(record)

    def _follow(self, event: Event, version: int) -> None:
        match event:
            case Shuffled() | Reshuffled():
                first = len(self.names)
                self.names.extend(event.order)
                self._deck = list(range(first, len(self.names)))
                self.places[version] = list(self._deck)
                if isinstance(event, Shuffled):
                    self._piles = []
                held = [life for hand in self._hands.values() for life in hand]
                self.held[version] = held + self._piles
            case Dealt() | TurnBegan() | Drawn():
                drawn, self._deck = self._deck[: event.count], self._deck[event.count :]
                assert sorted(self.names[life] for life in drawn) == list(event.cards)
                self._hands.setdefault(event.seat, []).extend(drawn)
                self._use(version, drawn, self._sight.sees(event.seat))
            case Claimed():
                self._claim = self._out(event.seat, event.laid)
                self._use(version, self._claim, False)
            case Called():
                lost = self._out(event.seat, event.lost)
                self._use(version, lost, False)
                self.visible.update(self._claim)
            case Cooked():
                self._use(version, self._out(event.seat, event.dish), True)
            case Reduced():
                self._use(version, self._out(event.seat, event.cards), False)

    def _out(self, seat: int, cards: Iterable[str]) -> list[int]:
        """Take lives with these names out of a hand: of two alike, the one drawn first."""
        hand, out = self._hands.setdefault(seat, []), []
        for card in cards:
            life = next(life for life in hand if self.names[life] == card)
            hand.remove(life)
            out.append(life)
        self._piles += out
        return out

    def _use(self, version: int, lives: list[int], visible: bool) -> None:
        self.used[version] = lives
        if visible:
            self.visible.update(lives)

    def renamed(self, deck: Counter[str], since: int, random: Random) -> list[str] | None:
        """Deal the names of the hidden lives anew, from the shuffle of a version on.

        None if the names that the viewer knows of cannot all be served.
        """
        names = list(self.names)
        shuffles = sorted(self.places)
        needed = {
            version: Counter(names[life] for life in self.places[version] if life in self.visible)
            for version in shuffles
        }
        spans: dict[int, list[int]] = {}
        for version in shuffles:
            for life in self.held[version]:
                spans.setdefault(life, []).append(version)
        later = (life for at in shuffles if at >= since for life in self.places[at])
        new_from = min(later, default=len(names))  # a deck may have been empty
        taken = {
            version: needed[version]
            + Counter(
                names[life]
                for life in self.held[version]
                if life in self.visible or life < new_from
            )
            for version in shuffles
        }
        for version in shuffles:
            if version < since:
                continue
            pool = deck - Counter(names[life] for life in self.held[version]) - needed[version]
            hidden = [life for life in self.places[version] if life not in self.visible]
            if pool.total() != len(hidden):
                return None
            random.shuffle(hidden)
            hidden.sort(key=lambda life: life not in spans)  # those that stay in hands first
            for life in hidden:
                free = [
                    name
                    for name in sorted(pool.elements())
                    if all(taken[at][name] < deck[name] for at in spans.get(life, ()))
                ]
                if not free:
                    return None
                name = random.choice(free)
                names[life] = name
                pool[name] -= 1
                for at in spans.get(life, ()):
                    taken[at][name] += 1
        return names


def rewritten(
    records: Sequence[Record], lives: Lives, names: Sequence[str], replaced: str | None
) -> list[Record]:
    """Write a history anew with other names for the hidden lives."""

    def change(record: Record) -> Event:
        event = record.event
        cards = tuple(sorted(names[life] for life in lives.used.get(record.version, ())))
        match event:
            case CardReplaced():
                return replace(event, card=replaced)
            case Shuffled() | Reshuffled():
                order = tuple(names[life] for life in lives.places[record.version])
                return replace(event, order=order)
            case Dealt() | TurnBegan() | Drawn() | Reduced():
                return replace(event, cards=cards)
            case Claimed():
                return replace(event, laid=cards)
            case Called():
                return replace(event, lost=cards)
            case _:
                return event

    return rechained(records, change)


def scrambled(
    records: list[Record], sight: Sight | Callable[[int], Sight], random: Random
) -> list[Record]:
    """Scramble what a viewer may not know, as far back as a random shuffle allows."""
    cards = [record.event.card for record in records if isinstance(record.event, CardReplaced)]
    lives = Lives(records, sight)
    shuffles = sorted(lives.places)
    for attempt in range(TRIES):
        far = len(shuffles) if attempt < 5 else 1 + (TRIES - attempt) * len(shuffles) // TRIES
        since = shuffles[-random.randint(1, min(far, len(shuffles)))]
        replaced = cards[0] if cards else None
        if cards and random.random() < 0.5:  # tofu may as well have taken another card's place
            since, replaced = shuffles[0], random.choice(DECK)
        deck = Counter(DECK)
        if replaced is not None:
            deck += Counter({TOFU: 1})
            deck -= Counter({replaced: 1})
        names = lives.renamed(deck, since, random)
        if names is not None:
            return rewritten(records, lives, names, replaced)
    return list(records)


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
    rulings: bool = False,
) -> Pair:
    """Make two histories that must look alike to a viewer, and the viewer.

    Both are running games with the same seed, actors and times, ready to be stored. With
    ``players`` (ids in seat order) these hold the seats, else some are bundled players'. Now and
    then the hidden parts come out the same; ``records_a != records_b`` tells.
    """
    random = Random(entropy)
    play = random_history(random, game=game, players=players, rulings=rulings)
    if sight is None:
        sight = random_sight(random, len(play.state.table.seats))
    return play.records, scrambled(play.records, sight, random), sight


def check_legal(records: Sequence[Record]) -> State:
    """Check that a scrambled history is one that the rules allow, whatever the chance."""
    state: State | None = None
    rules = STIR_FRY_EIGHTEEN
    for record in records:
        action = rules.action_of(record.event)
        if record.count and record.actor.startswith("seat:") and action is not None:
            seat = int(record.actor.removeprefix("seat:"))
            assert any(fits(form, action) for form in rules.legal(state.game, seat)), record
        if isinstance(record.event, Called):
            assert record.event.laid == state.game.claim.laid
            truthful = is_truthful(state.game.claim.declared, state.game.claim.laid)
            assert record.event.truthful is truthful
            hand = state.game.players[record.event.seat].hand
            assert record.event.lost == (hand if truthful else ())
        if isinstance(record.event, Dealt | TurnBegan | Drawn):
            drawn = state.game.deck[: record.event.count]
            assert record.event.cards == tuple(sorted(drawn))
        if isinstance(record.event, Shuffled):
            game = state.game
            back = (*game.deck, *game.face_down, *game.face_up)
            assert sorted(record.event.order) == sorted(back)
        if isinstance(record.event, Reshuffled):
            assert sorted(record.event.order) == sorted(state.game.deck)
        state = evolve(rules, state, record, records)
        if state.game is not None:
            conserved(state.game)
    assert state is not None
    return state


def probes_for(records: Sequence[Record], sight: Sight, random: Random) -> list[Probe]:
    """Draw actions for a viewer with a seat to try, plausible or not."""
    probes: list[Probe] = []
    for seat in sight.seats:
        probes += random_probes(STIR_FRY_EIGHTEEN, seat, random, 6)
    return probes


def hidden_changes(one: Sequence[Record], other: Sequence[Record]) -> int:
    """Count the events that differ between two histories."""
    return sum(a.event != b.event for a, b in zip(one, other, strict=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare many pairs for their viewers, and print what came of it."""
    parser = argparse.ArgumentParser(description="Non-interference of Stir Fry Eighteen in bulk.")
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rulings", action="store_true", help="with a judge who rules in between")
    given = parser.parse_args(arguments)
    began, differing, changes, versions = time.perf_counter(), 0, 0, 0
    viewers: Counter[str] = Counter()
    for index in range(given.pairs):
        entropy = f"{given.seed}/{index}"
        one, other, sight = scrambled_pair(entropy, rulings=given.rulings)
        check_legal(other)
        found = difference(
            STIR_FRY_EIGHTEEN, one, other, sight, probes_for(one, sight, Random(entropy))
        )
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
