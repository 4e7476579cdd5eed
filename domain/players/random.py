"""A bundled player that does anything legal."""

from typing import Any

from domain.kernel.forms import Entropy, fill
from domain.kernel.player import Scene


def choose(scene: Scene, entropy: Entropy) -> dict[str, Any]:
    """Choose a form at random and fill it at random."""
    return fill(scene.legal[entropy.randrange(len(scene.legal))], entropy)
