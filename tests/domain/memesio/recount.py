"""Screams recounted from the events alone, by a bookkeeping of its own.

It follows where cards and desserts lie from what each event says, and works out from the deck's
data what each cooking must have brought. Nothing of the game's own reckoning is used.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from domain.kernel.event import Ended, Event, SeatLeft
from domain.memesio.actions import Alone, Hand, Nested
from domain.memesio.deck import INGREDIENTS, RECIPES
from domain.memesio.events import (
    Cheered,
    CoinTossed,
    Cooked,
    Dealt,
    Invented,
    MaitiAsked,
    MemesioAsked,
    NyamonasAsked,
    PantryOpened,
    Stocked,
    TurnBegan,
)
from domain.memesio.sources import FromHand, FromPacket, FromPantry, FromTable

SCREAMS = {recipe.id: recipe.screams for recipe in RECIPES}
COMPONENTS = {recipe.id: recipe.components for recipe in RECIPES}


@dataclass(eq=False)
class Plate:
    """A dessert: its number, recipe, author and mark, and the cards and plates inside."""

    number: int
    recipe: str | None
    author: int
    marked: bool = False
    inside: list["str | Plate"] = field(default_factory=list)

    def cards(self) -> list[str]:
        """All its cards in order."""
        found: list[str] = []
        for each in self.inside:
            found += each.cards() if isinstance(each, Plate) else [each]
        return found

    def plates(self) -> list["Plate"]:
        """All plates inside, at any depth."""
        found: list[Plate] = []
        for each in self.inside:
            if isinstance(each, Plate):
                found += [each, *each.plates()]
        return found


class Recount:
    """Follows a game. ``halves`` are everybody's screams in half-screams."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.halves = [0] * seats
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.stacks: dict[str, list[str]] = {name: [] for name in INGREDIENTS}
        self.plates: dict[int, Plate] = {}
        self.gone: set[int] = set()
        self.owed: list[tuple[int, int, list[int]]] = []
        self.shares_paid = 0
        self.halved = 0
        self.quarters = 0

    def follow(self, events: Iterable[Event]) -> "Recount":
        """Follow events, checking each that brings screams."""
        for event in events:
            if not isinstance(event, Cheered):
                assert not self.owed, "sounds are still owed"
            self._step(event)
        return self

    def _step(self, event: Event) -> None:
        match event:
            case Dealt() | TurnBegan():
                self.hands[event.seat] += event.cards
            case PantryOpened():
                self._lay(event.cards)
            case SeatLeft():
                self.gone.add(event.seat)
            case Stocked():
                self._stocked(event)
            case Cooked():
                self._cooked(event)
            case Cheered():
                owed = self.owed.pop(0)
                assert (event.seat, [sound.seat for sound in event.sounds]) == (owed[0], owed[2])
            case MemesioAsked():
                self._take(event.takes)
                self._play(event.seat, event.card)
                self.hands[event.seat].append(event.takes)
            case NyamonasAsked():
                self._nyamonas_asked(event)
            case MaitiAsked():
                self._maiti_asked(event)
            case _:
                self._judge(event)

    def _judge(self, event: Event) -> None:
        match event:
            case Invented():
                self._invented(event)
            case CoinTossed():
                self._tossed(event)
            case Ended():
                assert list(event.outcome.scores) == self.halves

    def _lay(self, cards: Iterable[str]) -> None:
        for card in cards:
            self.stacks[card.split("-")[1]].insert(0, card)

    def _take(self, card: str) -> None:
        assert self.stacks[card.split("-")[1]].pop(0) == card

    def _play(self, seat: int, card: str) -> None:
        """A special card goes from hand under its stack."""
        self.hands[seat].remove(card)
        self.stacks[card.split("-")[1]].append(card)

    def _clear(self, seat: int, number: int) -> Plate:
        plate = self.plates.pop(number)
        assert plate.author == seat
        return plate

    def _owe(self, seat: int, halves: int, by: list[int]) -> None:
        sounds = [by[index % len(by)] for index in range(halves // 2)]
        if sounds:
            self.owed.append((seat, halves, sounds))

    def _others(self, seat: int) -> list[int]:
        around = [(seat + step) % self.seats for step in range(1, self.seats)]
        return [other for other in around if other not in self.gone]

    def _stocked(self, event: Stocked) -> None:
        hand, stack = self.hands[event.seat], self.stacks[event.card.split("-")[1]]
        able = any(self._could_cook(hand, card) for card in hand)
        earned = event.chance is None and not stack and not able
        assert event.screams == (2 if earned else 0), "the scream of ME-5"
        hand.remove(event.card)
        self._lay([event.card])
        self.halves[event.seat] += event.screams

    def _could_cook(self, hand: list[str], card: str) -> bool:
        recipe = card.split("-")[0]
        if recipe not in COMPONENTS:
            return False
        rest = list(hand)
        rest.remove(card)
        there = [other.split("-")[1] for other in rest]
        there += [name for name, stack in self.stacks.items() for _ in stack]
        there += [plate.recipe for plate in self.plates.values() if plate.recipe]
        for name in COMPONENTS[recipe]:
            if name not in there:
                return False
            there.remove(name)
        return True

    def _cooked(self, event: Cooked) -> None:
        recipe = event.card.split("-")[0]
        self.hands[event.seat].remove(event.card)
        used: list[Plate] = []
        inside: list[str | Plate] = [event.card]
        turtles: list[str] = []
        assert len(event.sources) == len(COMPONENTS[recipe])
        for name, source in zip(COMPONENTS[recipe], event.sources, strict=True):
            match source:
                case FromHand():
                    assert source.card.split("-")[1] == name
                    self.hands[event.seat].remove(source.card)
                    inside.append(source.card)
                case FromPantry():
                    assert source.card.split("-")[1] == name
                    self._take(source.card)
                    inside.append(source.card)
                case FromPacket():
                    assert name in INGREDIENTS
                    turtles.append(source.card)
                case FromTable():
                    plate = self.plates.pop(source.dessert)
                    assert plate.recipe == name
                    used.append(plate)
                    inside.append(plate)
        for turtle in turtles:
            self._play(event.seat, turtle)
        halves = 2 * SCREAMS[recipe]
        if any(plate.marked for plate in used):
            halves //= 2
            self.halved += 1
        if turtles:
            halves = 0
        assert (event.screams, event.marked) == (halves, bool(turtles))
        authors = sorted({plate.author for plate in used} - {event.seat})
        shares = [(author, halves // 2) for author in authors if halves // 2]
        assert [(share.seat, share.screams) for share in event.shares] == shares
        self.halves[event.seat] += halves
        self._owe(event.seat, halves, self._others(event.seat))
        for author, half in shares:
            self.halves[author] += half
            self._owe(author, half, [event.seat])
        self.shares_paid += len(shares)
        self.quarters += halves % 2 and bool(shares)
        self.plates[event.dessert] = Plate(event.dessert, recipe, event.seat, bool(turtles), inside)

    def _nyamonas_asked(self, event: NyamonasAsked) -> None:
        self._take(event.takes)
        self._lay(self._clear(event.seat, event.dessert).cards())
        self._play(event.seat, event.card)
        recipe = event.takes.split("-")[0]
        plate = Plate(event.made, recipe, event.seat, inside=[event.takes])
        self.plates[event.made] = plate

    def _maiti_asked(self, event: MaitiAsked) -> None:
        plate = self._clear(event.seat, event.dessert)
        cards = plate.cards()
        match event.keeps:
            case Hand(place=place):
                self.hands[event.seat].append(cards.pop(place))
            case Alone(place=place):
                card = cards.pop(place)
                alone = Plate(event.made, card.split("-")[0], event.seat, inside=[card])
                self.plates[event.made] = alone
            case Nested(dessert=number):
                [kept] = [each for each in plate.plates() if each.number == number]
                kept.author = event.seat
                self.plates[number] = kept
                rest, start = kept.cards(), self._start_of(plate, kept)
                del cards[start : start + len(rest)]
        self._lay(cards)
        self._play(event.seat, event.card)

    def _start_of(self, plate: Plate, wanted: Plate) -> int:
        place = 0
        for each in plate.inside:
            if each is wanted:
                return place
            if isinstance(each, Plate):
                if wanted in each.plates():
                    return place + self._start_of(each, wanted)
                place += len(each.cards())
            else:
                place += 1
        raise AssertionError("it is not in there")

    def _invented(self, event: Invented) -> None:
        inside: list[str | Plate] = []
        for source in event.sources:
            if isinstance(source, FromHand):
                self.hands[event.seat].remove(source.card)
            else:
                self._take(source.card)
            inside.append(source.card)
        self._play(event.seat, event.card)
        self.plates[event.dessert] = Plate(event.dessert, None, event.seat, inside=inside)

    def _tossed(self, event: CoinTossed) -> None:
        plate = self.plates[event.dessert]
        halves = 2 * 2 * len(plate.inside) if event.heads else 0
        assert event.screams == halves
        self.halves[event.seat] += halves
        self._owe(event.seat, halves, self._others(event.seat))
        if not event.heads:
            del self.plates[event.dessert]
