"""Games between bundled players, many of them, and how they went."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean, median
from typing import Any

from msgspec import Struct

from domain.kernel.ruleset import Ruleset
from domain.players.playout import Playout


class SeatResult(Struct, frozen=True):
    """How a seat did: games won (a shared win counts in part), with a 95 % interval."""

    seat: int
    player: str
    won: float
    share: float
    low: float
    high: float
    mean_score: float


class Result(Struct, frozen=True):
    """How some games went: their length in events, what ended them, and how each seat did."""

    ruleset: str
    games: int
    events_mean: float
    events_median: float
    events_most: int
    reasons: dict[str, int]
    seats: tuple[SeatResult, ...]


def simulate(
    ruleset: Ruleset[Any], games: int, seated: Sequence[str], entropy: Random, options: Any
) -> Result:
    """Play games between the named bundled players, the same for the same entropy."""
    known = ruleset.bundled_players
    choosers = {seat: known[name] for seat, name in enumerate(seated)}
    lengths: list[int] = []
    reasons: Counter[str] = Counter()
    won = [0.0] * len(seated)
    scores = [0] * len(seated)
    for number in range(games):
        playout = Playout(ruleset)
        seed = entropy.randbytes(32).hex()
        playout.open(game=f"simulated-{number}", seats=len(seated), seed=seed, options=options)
        while playout.step(entropy, choosers):
            pass
        assert playout.state is not None
        outcome = playout.state.game.outcome
        lengths.append(len(playout.records))
        reasons[outcome.reason] += 1
        for seat in outcome.winners:
            won[seat] += 1 / len(outcome.winners)
        for seat, score in enumerate(outcome.scores):
            scores[seat] += score
    return Result(
        ruleset=ruleset.id,
        games=games,
        events_mean=round(fmean(lengths), 1),
        events_median=median(lengths),
        events_most=max(lengths),
        reasons=dict(reasons.most_common()),
        seats=tuple(
            _seat(seat, name, won[seat], games, scores[seat] / games)
            for seat, name in enumerate(seated)
        ),
    )


def _seat(seat: int, player: str, won: float, games: int, mean_score: float) -> SeatResult:
    low, high = wilson(won, games)
    share = round(won / games, 4)
    return SeatResult(seat, player, round(won, 2), share, low, high, round(mean_score, 2))


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Give the 95 % interval of a share (Wilson score interval, E. B. Wilson 1927)."""
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return round((middle - spread) / scale, 4), round((middle + spread) / scale, 4)


def report(result: Result, seconds: float) -> str:
    """Say in words and a table how the games went."""
    reasons = ", ".join(f"{rule} {count}" for rule, count in result.reasons.items())
    lines = [
        f"{result.games} games of {result.ruleset} in {seconds:.1f} s"
        f" ({result.games / seconds:.0f} games/s)",
        f"events a game: mean {result.events_mean}, median {result.events_median:g},"
        f" most {result.events_most}",
        f"ended by: {reasons}",
        "",
        f"{'seat':>4}  {'player':<12} {'won':>9}  {'share':>6}  {'95 % interval':>15}  score",
    ]
    for seat in result.seats:
        interval = f"{seat.low:.1%} – {seat.high:.1%}"
        lines.append(
            f"{seat.seat:>4}  {seat.player:<12} {seat.won:>9.2f}  {seat.share:>6.1%}"
            f"  {interval:>15}  {seat.mean_score:.2f}"
        )
    return "\n".join(lines)
