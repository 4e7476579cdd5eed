"""What a seat can read off the events that it has seen: where cards may be, and who bluffs.

It reads only redacted events, of the line that survives rewinds.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.kernel.viewer import SeenRecord
from domain.stir_fry_eighteen.cards import PROTEINS, TOFU, CardName, Declared
from domain.stir_fry_eighteen.hands import UNIT, count
from domain.stir_fry_eighteen.state import PAIR

PROTEIN: Final = "protein"
SINGLES: tuple[tuple[CardName, int], ...] = tuple(
    (name, UNIT[name]) for name in sorted((*PROTEINS, TOFU))
)


def kind_of(declared: Declared) -> str:
    """Tell a claim of a pair (SF-3) from one of a protein (SF-4)."""
    return PAIR if declared == PAIR else PROTEIN


class Habits:
    """What a seat has done so far, by kind of claim.

    ``turns`` it has begun, ``claimed`` how often, ``truths`` and ``bluffs`` that came to light;
    ``called`` and ``passed`` what it answered to others' claims.
    """

    def __init__(self) -> None:
        self.turns = 0
        self.claimed = {PAIR: 0, PROTEIN: 0}
        self.truths = {PAIR: 0, PROTEIN: 0}
        self.bluffs = {PAIR: 0, PROTEIN: 0}
        self.called = {PAIR: 0, PROTEIN: 0}
        self.passed = {PAIR: 0, PROTEIN: 0}


class Reading:
    """A game so far, as one seat saw it.

    ``habits`` by seat; ``laid`` the seat's own cards face down from claims that stood this turn;
    ``fresh`` says for each seat how many of its cards may be a certain protein: those that it
    drew since the reader last saw that card elsewhere (it then went back to the deck).
    """

    def __init__(self, seat: int, seats: int, records: Sequence[SeenRecord]) -> None:
        self.seat = seat
        self.habits = [Habits() for _ in range(seats)]
        self.fresh = [dict.fromkeys((name for name, _ in SINGLES), 0) for _ in range(seats)]
        self.laid = 0
        self._hand = 0
        self._open = 0
        self._claim = PAIR
        self._claimant = seat
        for event in surviving(records):
            read = _READ.get(event["type"])
            if read is not None:
                read(self, event)

    def _take(self, event: dict[str, Any]) -> None:
        seat, drawn = event["seat"], event["count"]
        fresh = self.fresh[seat]
        for name in fresh:
            fresh[name] += drawn
        if seat == self.seat:
            self._hand += own(event["cards"])

    def _begin(self, event: dict[str, Any]) -> None:
        self._take(event)
        self.habits[event["seat"]].turns += 1

    def _claimed(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        self._claimant, self._claim = seat, kind_of(event["declared"])
        self.habits[seat].claimed[self._claim] += 1
        if seat == self.seat:
            cards = own(event["laid"])
            self._hand -= cards
            self.laid += cards

    def _passed(self, event: dict[str, Any]) -> None:
        self.habits[event["seat"]].passed[self._claim] += 1

    def _called(self, event: dict[str, Any]) -> None:
        seat, claimant = event["seat"], event["claimant"]
        self.habits[seat].called[self._claim] += 1
        record = self.habits[claimant]
        (record.truths if event["truthful"] else record.bluffs)[self._claim] += 1
        cards = count(event["laid"])
        self._open += cards
        if claimant == self.seat:
            self.laid -= cards
        if seat == self.seat:
            lost = own(event["lost"])
            self._hand -= lost
            self.laid += lost
        elif event["lost_count"]:
            self.fresh[seat] = dict.fromkeys(self.fresh[seat], 0)

    def _cooked(self, event: dict[str, Any]) -> None:
        dish = count(event["dish"])
        self._open += dish
        if event["seat"] == self.seat:
            self._hand -= dish

    def _reduced(self, event: dict[str, Any]) -> None:
        if event["seat"] == self.seat:
            cards = own(event["cards"])
            self._hand -= cards
            self.laid += cards

    def _shuffled(self, _: dict[str, Any]) -> None:
        """Let cards go back: whoever holds one that the reader saw must draw it anew."""
        known = self._hand | self._open | self.laid
        for name, unit in SINGLES:
            if known & unit:
                for fresh in self.fresh:
                    fresh[name] = 0
        self._open = self.laid = 0


_READ: Mapping[str, Any] = {
    "dealt": Reading._take,
    "drawn": Reading._take,
    "turn_began": Reading._begin,
    "claimed": Reading._claimed,
    "passed": Reading._passed,
    "called": Reading._called,
    "cooked": Reading._cooked,
    "reduced": Reading._reduced,
    "shuffled": Reading._shuffled,
}


def own(part: dict[str, Any]) -> int:
    """Count the cards of a hidden part that the reader may see."""
    return count(part["value"])


def surviving(records: Sequence[SeenRecord]) -> list[dict[str, Any]]:
    """List the events that no rewind has undone, oldest first."""
    line = []
    version = len(records)
    while version:
        record = records[version - 1]
        line.append(record.event)
        version = record.parent
    line.reverse()
    return line
