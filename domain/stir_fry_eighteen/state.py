"""The state of a game of Stir Fry Eighteen."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from domain.kernel.state import GameState
from domain.stir_fry_eighteen.cards import CardName, Cards, Declared
from domain.stir_fry_eighteen.options import Options

PAIR: Final = "pair"

# The kinds of decision.
TURN = "turn"
TASTE_TEST = "taste_test"
REDUCTION = "reduction"


class Player(Struct, frozen=True):
    """A seat's side of the table. ``hand`` is kept sorted; ``owed`` are cards to draw (SF-8)."""

    hand: Cards = ()
    score: int = 0
    owed: int = 0
    left: bool = False


class Turn(Struct, frozen=True):
    """The turn that is being played: its seat, its number from 1, and what was done in it."""

    seat: int
    number: int = 0
    pair: bool = False
    protein: bool = False
    cooked: bool = False
    caught: bool = False


class Claim(Struct, frozen=True):
    """A claim whose taste-test window is open. ``passed`` are the seats that let it stand."""

    seat: int
    declared: Declared
    laid: Cards
    passed: tuple[int, ...] = ()


class Game(GameState, frozen=True, kw_only=True):
    """A game of Stir Fry Eighteen.

    ``deck`` is top first; ``face_down`` and ``face_up`` are the cards discarded or played this
    turn; ``dry_turns`` counts the turns in a row that ended without a meal (SF-18);
    ``last_turns`` the turns still to come once the kitchen closes (SF-14).
    """

    options: Options
    players: tuple[Player, ...]
    deck: Cards
    turn: Turn
    face_down: Cards = ()
    face_up: Cards = ()
    claim: Claim | None = None
    dry_turns: int = 0
    last_turns: int | None = None

    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat, player in enumerate(self.players) if not player.left)


def without(hand: Iterable[CardName], cards: Iterable[CardName]) -> Cards:
    """Take cards out of a hand. Raises ValueError if one is not there."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def with_cards(hand: Iterable[CardName], cards: Iterable[CardName]) -> Cards:
    """Put cards into a hand, kept sorted: its order then tells nothing."""
    return tuple(sorted((*hand, *cards)))
