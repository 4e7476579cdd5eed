"""Pairs of histories with clocks that differ only in what a viewer may not know, of every game.

Seats take their time, the service answers for those whose time runs out, and now and then somebody
leaves. The second history has the same times and actors as the first.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from domain.catalogue import CATALOGUE
from domain.kernel.clock import Clock, DecisionClock, GameClock
from domain.kernel.decide import SERVICE, Create, Default, Join, Start, Vacate, player_actor
from domain.kernel.event import Record
from domain.kernel.state import decision_id, seat_deadline
from domain.kernel.viewer import Sight
from domain.players.playout import Playout
from tests.domain.playouts import room_of
from tests.domain.ruled_pairs import SCRAMBLERS

PAUSES = (0, 40, 900, 7_000)  # ms before an answer


def random_clock(random: Random) -> Clock:
    """Draw a clock for each decision, or for the game."""
    if random.random() < 0.5:
        return DecisionClock(random.randint(10, 60))
    return GameClock(random.randint(60, 600), random.randrange(0, 10))


def timed_history(
    name: str, random: Random, *, game: str, players: Sequence[str], began: int
) -> Playout:
    """Play a random stretch of a game with a clock, and not to its end."""
    ruleset, seats = CATALOGUE[name], len(players)
    host = player_actor("host")
    while True:
        play = Playout(ruleset, time=began)
        create = Create(
            game=game,
            ruleset_version=ruleset.version,
            options=room_of(name).draw_options(random, seats),
            seats=seats,
            host="host",
            public=True,
            seed=random.randbytes(32).hex(),
            clock=random_clock(random),
        )
        play.command(create, host)
        for player in players:
            nonce = random.choice((None, random.randbytes(8).hex()))
            play.command(Join(player=player, nonce=nonce), player_actor(player))
        play.command(Start(player="host"), host)
        for _ in range(random.randrange(4, 60)):
            _step(play, random)
        if play.state.game.outcome is None:
            return play


def _step(play: Playout, random: Random) -> None:
    state = play.state
    if state.game.outcome is not None:
        return
    play.time += random.choice(PAUSES)
    seat = random.choice(state.game.decision.asked)
    held = state.table.seats[seat]
    if random.random() < 0.1:
        play.time = max(play.time, seat_deadline(state, seat))
        play.command(Default(seat=seat, decision=decision_id(state)), SERVICE)
    elif random.random() < 0.01 and sum(not each.left for each in state.table.seats) > 1:
        play.command(Vacate(player=held.player, seat=seat), player_actor(held.player))
    else:
        play.step(random)


def timed_pair(
    name: str, entropy: str, sight: Sight, **more: Any
) -> tuple[list[Record], list[Record]]:
    """Make two running games with clocks that must look alike to a viewer."""
    random = Random(entropy)
    records = timed_history(name, random, **more).records
    return records, SCRAMBLERS[name](records, sight, random)
