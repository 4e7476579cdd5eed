"""What the kit must know of a game, and the viewers of one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

import msgspec

from domain.kernel.event import Event, TextRef
from domain.kernel.ruleset import Ruleset
from domain.kernel.viewer import SPECTATOR, Sight

HOST = "host"
TEXT = TextRef("t0001", "ab" * 32)  # stands for the free text of any action

to_json = msgspec.json.encode


@dataclass(frozen=True, kw_only=True)
class Room:
    """What the kit must know of a game.

    ``draw_options`` draws options for a table of so many seats; ``conserved`` asserts of a game's
    state that no card is lost, doubled or in two places; no game may need more than
    ``most_versions`` events. ``recount`` asserts of the events of a whole game what a bookkeeping
    of its own makes of them.
    """

    ruleset: Ruleset[Any]
    draw_options: Callable[[Random, int], msgspec.Struct]
    conserved: Callable[[Any], None]
    recount: Callable[[int, Sequence[Event]], None] | None = None
    most_versions: int = 10_000
    games_seen: list[Any] = field(default_factory=list, compare=False)

    @cached_property
    def observed(self) -> Ruleset[Any]:
        """The ruleset, noting the game that each command's pen arrived at."""

        def noting(rule: Callable[..., None]) -> Callable[..., None]:
            def noted(play: Any, *arguments: Any) -> None:
                rule(play, *arguments)
                self.games_seen.append(play.game)

            return noted

        rules = self.ruleset
        return replace(
            rules,
            set_up=noting(rules.set_up),
            decide=noting(rules.decide),
            leave=noting(rules.leave),
            default=noting(rules.default),
        )


def sights(seats: int) -> dict[str, Sight]:
    """Every viewer of an unsealed game by name."""
    own = {f"seat {seat}": Sight(seats=(seat,)) for seat in range(seats)}
    return {**own, "spectator": SPECTATOR, "judge": Sight(judge=True)}
