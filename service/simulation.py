"""Games between bundled players, many of them, and how they went."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from statistics import fmean, median
from typing import Any

from msgspec import Struct

from domain.kernel.codec import encode
from domain.kernel.decision import Outcome
from domain.kernel.event import Record
from domain.kernel.ruleset import BalanceLine, Ruleset
from domain.players.playout import Playout

CHAIN_BYTES = 32  # stored beside each event's body


class Game(Struct, frozen=True):
    """One game: who sat where, how it ended, and its size in events and stored bytes."""

    seated: tuple[str, ...]
    outcome: Outcome
    events: int
    stored: int


class Share(Struct, frozen=True):
    """A share of games won (a shared win counts in part), with a 95 % interval."""

    won: float
    share: float
    low: float
    high: float
    mean_score: float


class SeatResult(Share, frozen=True):
    """How a seat did. ``player`` is null where several players took turns at it."""

    seat: int
    player: str | None


class PlayerResult(Share, frozen=True):
    """How all seats of one name did together: ``seats`` of them at each game."""

    player: str
    seats: int


class Result(Struct, frozen=True):
    """How some games went: their size, what ended them, how each player and each seat did.

    ``stored_mean`` is the mean number of bytes that a game's events take in the store.
    """

    ruleset: str
    games: int
    events_mean: float
    events_median: float
    events_most: int
    stored_mean: int
    reasons: dict[str, int]
    players: tuple[PlayerResult, ...]
    seats: tuple[SeatResult, ...]
    balance: tuple[BalanceLine, ...] = ()


def simulate(
    ruleset: Ruleset[Any],
    games: int,
    seated: Sequence[str],
    entropy: Random,
    options: Any,
    *,
    rotate: bool = False,
) -> Result:
    """Play games between the named bundled players, the same for the same entropy.

    With ``rotate`` everyone moves on by a seat after each game, so that each player has each seat
    as often as any other if the games are a multiple of the seats.
    """
    played = []
    planning = [seat for seat, name in enumerate(seated) if name != "random"]
    # The table is about seats that always plan or never do.
    balance = None if rotate else ruleset.balance
    statistics = balance(len(seated), planning) if balance is not None else None
    for number in range(games):
        first = number % len(seated) if rotate else 0
        order = (*seated[first:], *seated[:first])
        game, records = _play(ruleset, f"simulated-{number}", order, entropy, options)
        played.append(game)
        if statistics is not None:
            statistics.add([record.event for record in records])
    lengths = [game.events for game in played]
    return Result(
        ruleset=ruleset.id,
        games=games,
        events_mean=round(fmean(lengths), 1),
        events_median=median(lengths),
        events_most=max(lengths),
        stored_mean=round(fmean(game.stored for game in played)),
        reasons=dict(Counter(game.outcome.reason for game in played).most_common()),
        players=tuple(_player(played, name) for name in dict.fromkeys(seated)),
        seats=tuple(_seat(played, seat) for seat in range(len(seated))),
        balance=tuple(statistics.lines()) if statistics is not None else (),
    )


def _play(
    ruleset: Ruleset[Any], name: str, seated: tuple[str, ...], entropy: Random, options: Any
) -> tuple[Game, Sequence[Record]]:
    known = ruleset.bundled_players
    choosers = {seat: known[player] for seat, player in enumerate(seated)}
    playout = Playout(ruleset)
    seed = entropy.randbytes(32).hex()
    playout.open(game=name, seats=len(seated), seed=seed, options=options)
    while playout.step(entropy, choosers):
        pass
    assert playout.state is not None
    outcome = playout.state.game.outcome
    records = playout.records
    return Game(seated, outcome, len(records), stored_bytes(records)), records


def stored_bytes(records: Iterable[Record]) -> int:
    """Count the bytes that events take in the store: their bodies, and the chain beside them."""
    return sum(len(encode(record)) + CHAIN_BYTES for record in records)


def _player(played: Sequence[Game], player: str) -> PlayerResult:
    held = [
        (game, {seat for seat, name in enumerate(game.seated) if name == player}) for game in played
    ]
    return PlayerResult(*_share(held), player=player, seats=len(held[0][1]))


def _seat(played: Sequence[Game], seat: int) -> SeatResult:
    names = {game.seated[seat] for game in played}
    player = names.pop() if len(names) == 1 else None
    return SeatResult(*_share([(game, {seat}) for game in played]), seat=seat, player=player)


def _share(held: Sequence[tuple[Game, set[int]]]) -> tuple[float, float, float, float, float]:
    """Count what some seats, not the same in each game, won between them."""
    won = sum(
        len(seats.intersection(game.outcome.winners)) / len(game.outcome.winners)
        for game, seats in held
    )
    scores = [game.outcome.scores[seat] for game, seats in held for seat in seats]
    low, high = wilson(won, len(held))
    return round(won, 2), round(won / len(held), 4), low, high, round(fmean(scores), 2)


def wilson(won: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Give the 95 % interval of a share (Wilson score interval, E. B. Wilson 1927)."""
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return round((middle - spread) / scale, 4), round((middle + spread) / scale, 4)


def report(result: Result, seconds: float) -> str:
    """Say in words and two tables how the games went."""
    reasons = ", ".join(f"{rule} {count}" for rule, count in result.reasons.items())
    seats = len(result.seats)
    lines = [
        f"{result.games} games of {result.ruleset} in {seconds:.1f} s"
        f" ({result.games / seconds:.0f} games/s)",
        f"events a game: mean {result.events_mean}, median {result.events_median:g},"
        f" most {result.events_most}; {result.stored_mean} bytes stored",
        f"ended by: {reasons}",
        "",
        f"{'player':<14} {'seats':>5}  {COLUMNS}",
    ]
    lines += [
        f"{player.player:<14} {f'{player.seats}/{seats}':>5}  {_columns(player)}"
        for player in result.players
    ]
    lines += ["", f"{'by seat':<14} {'seat':>5}  {COLUMNS}"]
    lines += [
        f"{seat.player or '(in turns)':<14} {seat.seat:>5}  {_columns(seat)}"
        for seat in result.seats
    ]
    if result.balance:
        lines += ["", "balance"]
        lines += [_balance_line(line) for line in result.balance]
    return "\n".join(lines)


def _balance_line(line: BalanceLine) -> str:
    met = {True: "met", False: "NOT MET", None: ""}[line.met]
    return f"  {line.what:<58} {line.value:>12}  {line.aim:<14} {met}".rstrip()


COLUMNS = f"{'won':>9}  {'share':>6}  {'95 % interval':>15}  score"


def _columns(result: Share) -> str:
    interval = f"{result.low:.1%} – {result.high:.1%}"
    return f"{result.won:>9.2f}  {result.share:>6.1%}  {interval:>15}  {result.mean_score:.2f}"
