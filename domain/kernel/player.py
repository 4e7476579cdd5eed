"""What a bundled player is given, and what it must give back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from domain.kernel.forms import Entropy, fill
from domain.kernel.viewer import SeenRecord


@dataclass(frozen=True)
class Scene:
    """A seat's decision, with exactly what the holder of the seat may know.

    ``board`` is the ruleset's redacted view for the seat; ``legal`` the forms listed for it;
    ``history`` gives the events so far as the seat sees them, and costs something to call.
    """

    seat: int
    board: Any
    legal: Sequence[msgspec.Struct]
    options: Any
    history: Callable[[], Sequence[SeenRecord]]


# A bundled player: an action's JSON value that fits one of the scene's legal forms.
Chooser = Callable[[Scene, Entropy], dict[str, Any]]


def choose_at_random(scene: Scene, entropy: Entropy) -> dict[str, Any]:
    """Choose a form at random and fill it at random: the bundled player that every game has."""
    return fill(scene.legal[entropy.randrange(len(scene.legal))], entropy)
