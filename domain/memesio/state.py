"""The state of a game of Memesio's Café."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.event import TextRef
from domain.kernel.state import GameState
from domain.memesio.cards import INGREDIENT, CardName, Cards
from domain.memesio.deck import IngredientName, RecipeName
from domain.memesio.options import Options

# The kind of decision: there is only one.
TURN: Final = "turn"

# Stacks of cards by ingredient, the top card first; an ingredient without cards has no entry.
# Like all state it is never changed in place.
Pantry = Mapping[IngredientName, Cards]


class Dessert(Struct, frozen=True):
    """A dessert on the table, or nested in another one.

    ``number`` tells it from every other dessert of the game and stays with it. ``card`` is the
    recipe card, whose dessert it is; both are null for an invention (ME-11), whose name is
    ``text``. ``parts`` lie under it in the order of the recipe's components, a packet's place
    left out (ME-10); a dessert that Nyamonas or Maiti put there has none. ``marked`` says that a
    Turtle Packet went into it (ME-10).
    """

    number: int
    recipe: RecipeName | None
    card: CardName | None
    parts: tuple["CardName | Dessert", ...] = ()
    marked: bool = False
    text: TextRef | None = None


class Player(Struct, frozen=True):
    """A seat's side of the table. ``hand`` is kept sorted; ``score`` is in half-screams (ME-4)."""

    hand: Cards = ()
    score: int = 0
    desserts: tuple[Dessert, ...] = ()
    left: bool = False


class Turn(Struct, frozen=True):
    """The turn that is being played: its seat, and its number from 1."""

    seat: int
    number: int = 0


class Game(GameState, frozen=True, kw_only=True):
    """A game of Memesio's Café.

    ``deck`` is top first; ``made`` is the number of the last dessert; ``spoiled`` are the
    ingredients that left the game with a failed invention (ME-11).
    """

    options: Options
    players: tuple[Player, ...]
    deck: Cards
    turn: Turn
    pantry: Pantry
    made: int = 0
    spoiled: Cards = ()

    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat, player in enumerate(self.players) if not player.left)

    def find(self, number: int) -> tuple[int, Dessert] | None:
        """Find a dessert on the table by its number: its author and the dessert."""
        for seat, player in enumerate(self.players):
            for dessert in player.desserts:
                if dessert.number == number:
                    return seat, dessert
        return None


def without(hand: Iterable[CardName], cards: Iterable[CardName]) -> Cards:
    """Take cards out of a hand. Raises ValueError if one is not there."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def with_cards(hand: Iterable[CardName], cards: Iterable[CardName]) -> Cards:
    """Put cards into a hand, kept sorted: its order then tells nothing."""
    return tuple(sorted((*hand, *cards)))


def on_top(pantry: Pantry, cards: Iterable[CardName]) -> Pantry:
    """Put cards into the pantry, each on top of its ingredient's stack."""
    stacks = dict(pantry)
    for card in cards:
        name = INGREDIENT[card]
        stacks[name] = (card, *stacks.get(name, ()))
    return stacks


def beneath(pantry: Pantry, cards: Iterable[CardName]) -> Pantry:
    """Put cards into the pantry, each under its ingredient's stack (ME-6)."""
    stacks = dict(pantry)
    for card in cards:
        name = INGREDIENT[card]
        stacks[name] = (*stacks.get(name, ()), card)
    return stacks


def off_top(pantry: Pantry, cards: Iterable[CardName]) -> Pantry:
    """Take cards from the tops of their stacks, in that order. Raises ValueError for another."""
    stacks = dict(pantry)
    for card in cards:
        name = INGREDIENT[card]
        top, *rest = stacks.pop(name, ())
        if top != card:
            raise ValueError(f"{card} is not on top")
        if rest:
            stacks[name] = tuple(rest)
    return stacks


def cards_of(dessert: Dessert) -> Cards:
    """List a dessert's cards: recipe card first, then its parts in order, depth first (ME-8)."""
    return tuple(_cards_of(dessert))


def _cards_of(dessert: Dessert) -> Iterator[CardName]:
    if dessert.card is not None:
        yield dessert.card
    for part in dessert.parts:
        if isinstance(part, Dessert):
            yield from _cards_of(part)
        else:
            yield part


def nested_in(dessert: Dessert) -> Iterator[tuple[int, Dessert]]:
    """List the desserts nested in one, each with the place of its first card in ``cards_of``."""
    place = 0 if dessert.card is None else 1
    for part in dessert.parts:
        if isinstance(part, Dessert):
            yield place, part
            for deeper, other in nested_in(part):
                yield place + deeper, other
            place += len(cards_of(part))
        else:
            place += 1
