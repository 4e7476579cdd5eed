"""How likely a claim is a bluff, and how likely others will call one (SF-6 to SF-10).

What players usually do stands in two tables. They were found by letting planners play each other
many times, each time expecting what the last ones had done, until little changed: the way to bluff
and call that such a player can expect of its like, and gives no easy answer to. From there the
record of the very player across the table counts.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import comb

from domain.stir_fry_eighteen.cards import TOFU, CardName, Declared
from domain.stir_fry_eighteen.hands import COPIES, UNIT, copies, count
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.reading import PROTEIN, Habits, Reading, kind_of
from domain.stir_fry_eighteen.state import PAIR
from domain.stir_fry_eighteen.view import Board, PlayerView

Levels = tuple[tuple[float, float, float], ...]

# How often a claim is bluffed by one who cannot make it truthfully: by what is declared, then by
# the claimant's other cards (none, one or two, more), then by the cards of who may call.
BLUFFED: Mapping[Declared, Levels] = {
    "pair": ((0.04, 0.03, 0.11), (0.25, 0.10, 0.26), (0.36, 0.28, 0.88)),
    "shrimp": ((0.22, 0.06, 0.05), (0.09, 0.07, 0.07), (0.10, 0.07, 0.05)),
    "pork": ((0.09, 0.03, 0.04), (0.07, 0.04, 0.05), (0.11, 0.05, 0.06)),
    "chicken": ((0.05, 0.03, 0.04), (0.07, 0.03, 0.06), (0.07, 0.04, 0.08)),
    "tofu": ((0.05, 0.03, 0.04), (0.07, 0.03, 0.06), (0.07, 0.04, 0.08)),
}
# How often a claim is called, in the same order.
CALLED: Mapping[Declared, Levels] = {
    "pair": ((0.72, 0.66, 0.56), (0.44, 0.56, 0.31), (0.18, 0.34, 0.16)),
    "shrimp": ((0.93, 0.99, 0.96), (0.90, 0.92, 0.72), (0.87, 0.85, 0.60)),
    "pork": ((0.85, 0.90, 0.86), (0.74, 0.76, 0.53), (0.73, 0.72, 0.55)),
    "chicken": ((0.69, 0.73, 0.68), (0.55, 0.58, 0.35), (0.49, 0.55, 0.27)),
    "tofu": ((0.69, 0.73, 0.68), (0.55, 0.58, 0.35), (0.49, 0.55, 0.27)),
}
WINDOWS = 6.0  # so many claims of another count as much as what is usual

WILLING = {PAIR: 0.9, PROTEIN: 0.6}  # how likely who can claim truthfully does
HOARDED = 1.5  # how much likelier a protein is in a hand than elsewhere

# The kinds of player there may be: how likely each is; whether it makes true claims; and how
# often it bluffs, as a multiple of what is usual.
TYPES = (
    (0.04, True, 0.0),
    (0.06, True, 0.5),
    (0.82, True, 1.0),
    (0.05, True, 2.0),
    (0.03, False, 10.0),
)
TRUE_TURNS = {PAIR: 0.5, PROTEIN: 0.15}  # how likely a turn has a true claim in it,
BLUFFED_TURNS = {PAIR: 0.3, PROTEIN: 0.45}  # and another turn a bluff
FREQUENCY_WEIGHT = 0.3  # how much less claims tell that never came to light


def level(cards: int) -> int:
    """Tell no cards from one or two and from more: the rows and columns of the tables."""
    return 0 if cards <= 0 else 1 if cards < 3 else 2


class Odds:
    """A seat's reckoning of what others hold and do.

    ``unseen`` counts the cards that the seat does not see, ``pool`` lists them.
    """

    def __init__(self, seat: int, board: Board, options: Options, reading: Reading) -> None:
        self._seat = seat
        self._board = board
        self._reading = reading
        known = count(board.players[seat].hand or ()) + reading.laid + count(board.face_up)
        self.unseen = {unit: whole - copies(known, unit) for unit, whole in COPIES}
        if options.tofu and not known & UNIT[TOFU]:
            self.unseen[UNIT[TOFU]] = 1
        self.pool = [unit for unit, number in self.unseen.items() for _ in range(number)]

    @cached_property
    def others(self) -> tuple[PlayerView, ...]:
        """The other seats that have not left."""
        players = self._board.players
        return tuple(other for other in players if other.seat != self._seat and not other.left)

    def holds(self, seat: int, name: CardName, laid: int = 0) -> float:
        """Say how likely a seat has a certain protein, among its cards or those it ``laid``."""
        if not self.unseen.get(UNIT[name]):
            return 0.0
        places = self._board.deck_count + self._board.face_down_count - laid
        chances = {}
        for other in self.others:
            cards = other.hand_count + (laid if other.seat == seat else 0)
            chances[other.seat] = HOARDED * min(cards, self._reading.fresh[other.seat][name])
        total = sum(chances.values()) + max(0, places)
        return chances.get(seat, 0.0) / total if total else 0.0

    def has_pair(self, size: int) -> float:
        """Say how likely so many unseen cards hold two alike."""
        if size > len(self.pool):
            return 1.0
        ways = [1.0] + [0.0] * size  # to have so many cards, all different
        for number in self.unseen.values():
            for chosen in range(size, 0, -1):
                ways[chosen] += ways[chosen - 1] * number
        return 1.0 - ways[size] / comb(len(self.pool), size)

    def bluff(self, claimant: PlayerView, declared: Declared, laid: int, caller: int) -> float:
        """Say how likely a claim is a bluff; ``caller`` is the number of cards of who may call."""
        kind = kind_of(declared)
        if declared == PAIR:
            able = self.has_pair(claimant.hand_count + laid)
        else:
            able = self.holds(claimant.seat, declared, laid)
        bluffed = BLUFFED[declared][level(claimant.hand_count)][level(caller)]
        false_weight = total = 0.0
        for share, honest, boldness in TYPES:
            true = WILLING[kind] * able if honest else 0.0
            false = (1 - true) * min(1.0, bluffed * boldness)
            likely = share * _likelihood(
                self._reading.habits[claimant.seat], kind, honest, boldness
            )
            false_weight += likely * false
            total += likely * (true + false)
        return false_weight / total if total else 1.0

    def call(self, other: PlayerView, declared: Declared, rest: int, *, true: bool) -> float:
        """Say how likely another calls the seat's claim; ``rest`` cards would be left to it."""
        kind = kind_of(declared)
        habits = self._reading.habits[other.seat]
        called = WINDOWS * CALLED[declared][level(rest)][level(other.hand_count)]
        windows = WINDOWS
        for about, weight in ((PAIR, 0.5), (PROTEIN, 0.5)):
            weight = 1.0 if about == kind else weight
            called += weight * habits.called[about]
            windows += weight * (habits.called[about] + habits.passed[about])
        share = called / windows
        if true or declared == PAIR:
            return share
        knows = self.holds(other.seat, declared)
        return knows + (1 - knows) * share

    def called_by_any(
        self, callers: Iterable[PlayerView], declared: Declared, rest: int, *, true: bool
    ) -> float:
        """Say how likely any of those who may call does."""
        passed = 1.0
        for other in callers:
            passed *= 1 - self.call(other, declared, rest, true=true)
        return 1 - passed


def _likelihood(habits: Habits, kind: str, honest: bool, boldness: float) -> float:
    """Say how likely a kind of player would have done what a player has done."""
    true = TRUE_TURNS[kind] if honest else 0.0
    false = (1 - true) * min(1.0, BLUFFED_TURNS[kind] * boldness)
    claims = true + false
    claimed = habits.claimed[kind]
    silent = max(0, habits.turns - claimed)
    likely: float = (claims**claimed * (1 - claims) ** silent) ** FREQUENCY_WEIGHT
    if habits.truths[kind] or habits.bluffs[kind]:
        likely *= (true / claims) ** habits.truths[kind] * (false / claims) ** habits.bluffs[kind]
    return likely
