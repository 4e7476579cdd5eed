"""A bundled player that counts cards, bluffs in measure and calls by the odds.

It weighs everything in points: what a hand may be cooked into, now and later (``hands``), against
how likely a claim is a bluff and how likely its own is called (``odds``). The game is cyclic: each
fixed way to bluff and call loses to some other. So chance has a say in both, the more the closer
the choice.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import exp
from typing import Any

from domain.kernel.forms import Entropy
from domain.kernel.player import Scene
from domain.stir_fry_eighteen.cards import BY_NAME, DECLARABLE, TOFU, Declared
from domain.stir_fry_eighteen.decide import PAIR_DRAWS, PENALTY, is_truthful
from domain.stir_fry_eighteen.hands import (
    UNIT,
    best_dish,
    cards_of,
    count,
    keeping,
    parts,
    prospect,
    settling,
)
from domain.stir_fry_eighteen.odds import Odds
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.reading import Reading
from domain.stir_fry_eighteen.state import PAIR
from domain.stir_fry_eighteen.view import Board, PlayerView

# Weights, in points.
WIN = 50.0  # the game
LEAD = 14.0  # so many points ahead, a rival matters e times as much
CARD = 2.6  # one more card in hand
HAND = 9.0  # a hand that another loses by a wrong call
PAIR_TO_COME, PROTEIN_TO_COME = 1.0, 1.8  # a claim that may still be made this turn

GUESSES = 14  # how many times unseen cards are imagined
MOST_DRAWN = 4  # by one claim (SF-4)
LAID_LOOKED_AT = 2  # ways to lay true cards, and ways to bluff, that are weighed
WHIM = 0.8  # by how many points chance may favour a claim or disfavour it
DOUBT = 1.3  # points of advantage that make a call e times likelier than a pass
FINE = 1_000_000  # steps of a probability


def choose(scene: Scene, entropy: Entropy) -> dict[str, Any]:
    """Decide for a seat, by what the seat may know."""
    legal = {str(form.__struct_config__.tag) for form in scene.legal}
    mind = Mind(scene, entropy)
    if "reduce" in legal:
        return _action("reduce", mind.hand - keeping(mind.hand)[1])
    if "pass" in legal:
        return {"type": "call" if mind.calls() else "pass"}
    return mind.turn(pair="discard_pair" in legal, protein="discard_protein" in legal)


def _action(kind: str, cards: int, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields, "cards": list(cards_of(cards))}


class Mind:
    """A seat's thoughts about one decision."""

    def __init__(self, scene: Scene, entropy: Entropy) -> None:
        self._scene = scene
        self._entropy = entropy
        self.board: Board = scene.board
        self.options: Options = scene.options
        self.own = self.board.players[scene.seat]
        self.hand = count(self.own.hand or ())

    @cached_property
    def odds(self) -> Odds:
        """What the events so far say; read only when something hangs on it."""
        seats = len(self.board.players)
        reading = Reading(self._scene.seat, seats, self._scene.history())
        return Odds(self._scene.seat, self.board, self.options, reading)

    # What a hand is worth to the seat whose turn it is.

    @cached_property
    def last(self) -> bool:
        """Whether that seat has no turn after this one (SF-14, SF-18)."""
        most = self.options.max_turns
        if most is not None and self.board.turn.number + len(self.board.players) > most:
            return True
        return self.board.last_turns is not None

    @cached_property
    def wanted(self) -> int:
        """The points that win that seat the game: up to the target, or past all others."""
        seat = self.board.turn.seat
        players = self.board.players
        score = players[seat].score
        if not self.last:
            return self.options.target - score
        return max(other.score for other in players if other.seat != seat) + 1 - score

    def worth(self, hand: int) -> float:
        """Weigh a hand with which that seat would end its turn."""
        points = best_dish(hand)[0]
        if points and points >= self.wanted:
            return WIN
        return float(points) if self.last else settling(hand)[0]

    def imagined(self, number: int) -> list[int]:
        """Imagine some unseen cards, in the order in which they would be drawn."""
        rest = self.odds.pool.copy()
        number = min(number, len(rest))
        for place in range(number):
            other = place + self._entropy.randrange(len(rest) - place)
            rest[place], rest[other] = rest[other], rest[place]
        return rest[:number]

    def drawn(self, declared: Declared) -> int:
        """Say how many cards a claim would draw (SF-3, SF-4, SF-13)."""
        asked = PAIR_DRAWS if declared == PAIR else BY_NAME[declared].draws
        return min(asked, self.board.deck_count)

    # A window is open: call or pass (SF-6 to SF-9).

    def calls(self) -> bool:
        """Weigh what a call takes from a bluffer against what it costs before the truth."""
        claim = self.board.claim
        assert claim is not None
        claimant = self.board.players[claim.seat]
        bluff = self.odds.bluff(claimant, claim.declared, claim.count, self.own.hand_count)
        if bluff in (0.0, 1.0):
            return bluff == 1.0
        taken = self.draw_worth(claimant, claim.declared)
        gain = CARD + self.matters(claimant) * taken
        loss = prospect(self.hand) - prospect(0) if self.hand else PENALTY
        advantage = bluff * gain - (1 - bluff) * loss
        return self._entropy.randrange(FINE) < FINE / (1 + exp(-advantage / DOUBT))

    def draw_worth(self, claimant: PlayerView, declared: Declared) -> float:
        """Weigh what a claimant would have of its draw, by imagining the cards."""
        size = claimant.hand_count
        total = 0.0
        for _ in range(GUESSES):
            cards = self.imagined(size + self.drawn(declared))
            total += self.worth(sum(cards)) - self.worth(sum(cards[:size]))
        return total / GUESSES + self.to_come(self.board.turn.pair, self.board.turn.protein)

    def matters(self, other: PlayerView) -> float:
        """Say how much of another's loss is the seat's own gain: all at two, else by the scores."""
        weights = {rival.seat: exp(rival.score / LEAD) for rival in self.odds.others}
        return weights.get(other.seat, 0.0) / sum(weights.values())

    @staticmethod
    def to_come(pair: bool, protein: bool) -> float:
        """Weigh the claims of a turn that have not been made yet."""
        return (0.0 if pair else PAIR_TO_COME) + (0.0 if protein else PROTEIN_TO_COME)

    # The seat's own turn: claim, cook or collect (SF-3, SF-4, SF-11).

    def turn(self, *, pair: bool, protein: bool) -> dict[str, Any]:
        """Take a win; else do what is weighed highest, a whim added to each claim."""
        points, dish = best_dish(self.hand)
        if points and points >= self.wanted:
            return _action("cook", dish)
        if not self.last:
            dish = settling(self.hand)[1]
        best = self.worth(self.hand)
        action = _action("cook", dish) if dish else {"type": "end_turn"}
        for value, claim in self.claims(pair, protein):
            value += WHIM * (self._entropy.randrange(2001) - 1000) / 1000
            if value > best:
                best, action = value, claim
        return action

    def claims(self, pair: bool, protein: bool) -> Iterator[tuple[float, dict[str, Any]]]:
        """Weigh the claims that may be made."""
        if not (pair or protein):
            return
        draws = [self.imagined(MOST_DRAWN) for _ in range(GUESSES)]
        if pair:
            for cards, true in self.laid(2, PAIR):
                yield (
                    self.claim_worth(cards, PAIR, draws, true=true),
                    _action("discard_pair", cards),
                )
        if protein:
            for declared in DECLARABLE:
                if declared == TOFU and not self.options.tofu:
                    continue
                for cards, true in self.laid(1, declared):
                    value = self.claim_worth(cards, declared, draws, true=true)
                    yield value, _action("discard_protein", cards, declared=declared)

    def laid(self, size: int, declared: Declared) -> Iterator[tuple[int, bool]]:
        """Choose cards to lay under a claim, truly and not: those that are missed least."""
        ranked = sorted(
            parts(self.hand, size), key=lambda cards: (-settling(self.hand - cards)[0], cards)
        )
        left = {True: LAID_LOOKED_AT, False: LAID_LOOKED_AT}
        for cards in ranked:
            true = _fits(declared, cards)
            if left[true]:
                left[true] -= 1
                yield cards, true

    def claim_worth(
        self, cards: int, declared: Declared, draws: Sequence[list[int]], *, true: bool
    ) -> float:
        """Weigh a claim: what its draw would bring, and what comes of it if it is called."""
        rest = self.hand - cards
        number = self.drawn(declared)
        stands = sum(self.worth(rest + sum(drawn[:number])) for drawn in draws) / len(draws)
        turn = self.board.turn
        stands += self.to_come(turn.pair or declared == PAIR, turn.protein or declared != PAIR)
        callers = [
            other for other in self.odds.others if other.hand_count or other.score >= PENALTY
        ]
        left = self.own.hand_count - (2 if declared == PAIR else 1)
        called = self.odds.called_by_any(callers, declared, left, true=true)
        rivals = max(1, len(self.odds.others))
        if true:
            return stands + called * HAND / rivals
        caught = self.worth(rest) - CARD / rivals
        return called * caught + (1 - called) * stands


def _fits(declared: Declared, cards: int) -> bool:
    return is_truthful(declared, cards_of(cards)) if declared == PAIR else cards == UNIT[declared]
