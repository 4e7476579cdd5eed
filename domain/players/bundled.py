"""Which bundled players there are for a game, and what they are shown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domain.kernel.player import Chooser, Scene
from domain.kernel.ruleset import Ruleset
from domain.kernel.viewer import SeenRecord, Sight
from domain.players import random


def bundled_players(ruleset: Ruleset[Any]) -> Mapping[str, Chooser]:
    """List a game's bundled players by name: ``random``, and those of the game's own room."""
    return {"random": random.choose, **ruleset.players}


def scene(
    ruleset: Ruleset[Any],
    game: Any,
    options: Any,
    seat: int,
    history: Callable[[], Sequence[SeenRecord]],
) -> Scene:
    """Set the scene for a seat that is asked, through the redaction that any client gets."""
    return Scene(
        seat=seat,
        board=ruleset.board(game, Sight(seats=(seat,))),
        legal=ruleset.legal(game, seat),
        options=options,
        history=history,
    )
