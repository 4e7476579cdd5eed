"""Play many games and print how the deck plays: ``python -m tests.domain.memesio.balance``."""

import argparse
import time
from collections.abc import Sequence
from random import Random

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.event import Event
from domain.kernel.ruleset import Play
from domain.memesio.balance import Balance
from domain.memesio.ruleset import MEMESIO
from domain.players.bundled import scene

MIXES = ("planning", "random", "one")


def play(players: int, planners: Sequence[int], entropy: str) -> list[Event]:
    """Play a whole game and give its events.

    The rules alone are played, without the log's envelopes and chain, which take half the time.
    """
    random, options = Random(entropy), MEMESIO.options()
    pen = Play(MEMESIO, MEMESIO.new(players, options), 0, Chance(random.randbytes(32), 0))
    MEMESIO.set_up(pen)
    known = MEMESIO.bundled_players
    while (decision := pen.game.decision) is not None:
        [seat] = decision.asked
        choose = known["planning" if seat in planners else "random"]
        action = choose(scene(MEMESIO, pen.game, options, seat, list), random)
        MEMESIO.decide(pen, seat, msgspec.convert(action, MEMESIO.action_type))
    return pen.events


def measure(players: int, mix: str, games: int, seed: str) -> Balance:
    """Play games: of planners only, of random players only, or with a planner on seat 0."""
    planners = {"planning": range(players), "random": (), "one": (0,)}[mix]
    balance = Balance(players, planners)
    for number in range(games):
        balance.add(play(players, planners, f"{seed}/{mix}/{players}/{number}"))
    return balance


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, choices=range(2, 6), action="append")
    parser.add_argument("--mix", choices=MIXES, action="append")
    parser.add_argument("--seed", default="1", help="makes the same games again")
    parser.add_argument("--brief", action="store_true", help="only the lines with an aim")
    given = parser.parse_args(arguments)
    for players in given.players or range(2, 6):
        for mix in given.mix or MIXES:
            began = time.perf_counter()
            balance = measure(players, mix, given.games, given.seed)
            rate = given.games / (time.perf_counter() - began)
            print(f"{players} players, {mix}: {given.games} games, {rate:.1f} games/s")
            for line in balance.lines():
                if line.aim or not given.brief:
                    sign = {True: "met", False: "NOT MET", None: ""}[line.met]
                    print(f"  {line.what:45} {line.value:>13}  {line.aim:7} {sign}")


if __name__ == "__main__":
    main()
