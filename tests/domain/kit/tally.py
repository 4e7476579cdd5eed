"""What a number of checked games came to."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """What a number of checked games came to."""

    games: int = 0
    commands: int = 0
    events: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    event_types: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.commands += other.commands
        self.events += other.events
        for name in ("attempts", "endings", "event_types", "refusals"):
            getattr(self, name).update(getattr(other, name))
