"""How strong the bundled players are: ``python -m tests.domain.stir_fry_eighteen.strength``.

Prints each match with its 95 % interval. Seats rotate; a shared win counts in part. Games/s are by
the processor's time. Exit status 1 if a player wins a smaller share than it should.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from domain.kernel.player import Chooser
from domain.players.playout import Playout
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from domain.stir_fry_eighteen.styles import STYLES
from service.simulation import stored_bytes, wilson

KNOWN: dict[str, Chooser] = {**STIR_FRY_EIGHTEEN.bundled_players, **STYLES}

# Who plays whom, and the least share that the first is to win over a long match.
DUELS: tuple[tuple[str, str, float], ...] = (
    ("planning", "random", 0.98),
    ("planning", "always-calls", 0.5),
    ("planning", "never-calls", 0.5),
    ("planning", "always-bluffs", 0.5),
    ("planning", "never-bluffs", 0.5),
    ("planning", "medium", 0.6),
    ("medium", "easy", 0.6),
    ("easy", "random", 0.8),
)
LEAST = {(one, other): least for one, other, least in DUELS}


class Match(Struct, frozen=True):
    """How the first of ``seated`` did against the others over some games."""

    seated: tuple[str, ...]
    games: int
    won: float
    events: float
    stored: float
    turns: float
    seconds: float

    @property
    def share(self) -> float:
        return self.won / self.games


def play(seated: Sequence[str], entropy: str, options: Options) -> Playout:
    """Play one game between players and styles by name."""
    random = Random(entropy)
    game = Playout(STIR_FRY_EIGHTEEN)
    game.open(game="g", seats=len(seated), seed=random.randbytes(32).hex(), options=options)
    choosers = {seat: KNOWN[name] for seat, name in enumerate(seated)}
    while game.step(random, choosers):
        pass
    return game


def match(*seated: str, games: int, seed: str = "1", options: Options | None = None) -> Match:
    """Play a match, everyone moving on by a seat after each game."""
    began = time.process_time()
    won, events, stored, turns = 0.0, 0, 0, 0
    for number in range(games):
        first = number % len(seated)
        order = (*seated[first:], *seated[:first])
        game = play(order, f"{seed}/{'/'.join(seated)}/{number}", options or Options())
        assert game.state is not None
        winners = game.state.game.outcome.winners
        won += ((len(seated) - first) % len(seated) in winners) / len(winners)
        events += len(game.records)
        stored += stored_bytes(game.records)
        turns += game.state.game.turn.number
    seconds = time.process_time() - began
    return Match(seated, games, won, events / games, stored / games, turns / games, seconds)


def matches(games: int, seed: str) -> Iterator[Match]:
    """Play all matches there are to play."""
    for one, other, _ in DUELS:
        yield match(one, other, games=games, seed=seed)
    for seats in (3, 4, 5):
        yield match("planning", *["medium"] * (seats - 1), games=games // 2, seed=seed)
    for seats in (2, 3, 4, 5):
        yield match(*["planning"] * seats, games=games // 2, seed=seed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2_000, help="games of each duel")
    parser.add_argument("--seed", default="1", help="makes the same games again")
    given = parser.parse_args(arguments)
    head = ("95 % interval", "even", "events", "bytes", "turns", "games/s")
    print(
        f"{'player':<10} {'against':<16} {'games':>6} {'won':>6}  {head[0]:>15} {head[1]:>6}"
        f" {head[2]:>7} {head[3]:>7} {head[4]:>6} {head[5]:>8}"
    )
    short: list[str] = []
    for each in matches(given.games, given.seed):
        low, high = wilson(each.won, each.games)
        if each.share < LEAST.get(each.seated, 0.0):
            short.append(f"{each.seated[0]} against {each.seated[1]}: {each.share:.1%}")
        others = f"{len(each.seated) - 1} × {each.seated[1]}"
        print(
            f"{each.seated[0]:<10} {others.removeprefix('1 × '):<16} {each.games:>6}"
            f" {each.share:>6.1%}  {f'{low:.1%} – {high:.1%}':>15} {1 / len(each.seated):>6.1%}"
            f" {each.events:>7.1f} {each.stored:>7.0f} {each.turns:>6.1f}"
            f" {each.games / each.seconds:>8.0f}",
            flush=True,
        )
    if short:
        sys.exit(f"too weak: {'; '.join(short)}")


if __name__ == "__main__":
    main()
