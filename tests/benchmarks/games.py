"""Games of random players a second, beside hands of random players with pokerkit."""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial

from pokerkit import Automation, NoLimitTexasHoldem

from tests.benchmarks.lines import Line, line
from tests.benchmarks.stored import played

ROUNDS = 3
AIM = 2.0
BATCH = 4
FAIR = (
    "Both play whole games of two random players in one process, choosing among the legal actions"
    " that the library itself offers. A hand of theirs takes about 8 actions; a game of ours is"
    " longer, shows each player only what they may see, records and chains every event."
)


def _rate(play: Callable[[], int]) -> float:
    done = 0
    started = time.perf_counter()
    while time.perf_counter() - started < AIM:
        done += play()
    return done / (time.perf_counter() - started)


def _hand(entropy: random.Random) -> None:
    """One hand of no-limit hold'em in which both act at random."""
    state = NoLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.CARD_BURNING,
            Automation.HOLE_DEALING,
            Automation.BOARD_DEALING,
            Automation.RUNOUT_COUNT_SELECTION,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
        200,
        2,
    )
    while state.status:
        choices: list[Callable[[], object]] = []
        if state.can_fold():
            choices.append(state.fold)
        if state.can_check_or_call():
            choices.append(state.check_or_call)
        if state.can_complete_bet_or_raise_to():
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            assert least is not None
            assert most is not None
            amount = entropy.randint(least, most)
            choices.append(partial(state.complete_bet_or_raise_to, amount))
        entropy.choice(choices)()


def measure(ruleset: str) -> Line:
    """Measure one ruleset."""
    entropy = random.Random(9)

    def ours() -> int:
        for _ in range(BATCH):
            played(ruleset, "random", entropy, "g")
        return BATCH

    def theirs() -> int:
        for _ in range(BATCH):
            _hand(entropy)
        return BATCH

    pairs = [(_rate(ours), _rate(theirs)) for _ in range(ROUNDS)]
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    spread = statistics.pstdev(one / other for one, other in pairs)
    name = (
        f"random games/s in process, {ruleset}, beside pokerkit's hands/s"
        f" (median of {ROUNDS}, ratio ± {spread:.2f})"
    )
    return line(name, *pairs[len(pairs) // 2], goal=1.0, fair=FAIR)
