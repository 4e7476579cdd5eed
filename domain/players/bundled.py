"""What a bundled player is shown."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.kernel.player import Scene
from domain.kernel.ruleset import Ruleset
from domain.kernel.viewer import SeenRecord, Sight


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
