"""The state of a game of Just Desserts."""

from collections.abc import Iterable

from msgspec import Struct

from domain.just_desserts.cards import Desserts, Guests
from domain.just_desserts.menu import DessertName, GuestName
from domain.just_desserts.options import Options
from domain.kernel.state import GameState

# The kinds of decision.
TURN = "turn"
BLOCKING = "blocking"
RETURNING = "returning"
CLEARING = "clearing"


class Player(Struct, frozen=True):
    """A seat's side of the table. ``hand`` is kept sorted; ``guests`` stand as they were won."""

    hand: Desserts = ()
    guests: Guests = ()
    left: bool = False


class Turn(Struct, frozen=True):
    """The turn that is being played: its seat, its number from 1, and what was done in it.

    ``served`` counts the guests gained, poached ones included; ``tried`` says that the turn's
    poach was tried, ``poached`` that it succeeded; ``idle`` that there was nothing to draw or
    reveal when it began.
    """

    seat: int
    number: int = 0
    served: int = 0
    tried: bool = False
    poached: bool = False
    buffet: bool = False
    idle: bool = False


class Offer(Struct, frozen=True):
    """A poach that the guest's owner may block. The desserts are still in the poacher's hand."""

    seat: int
    owner: int
    guest: GuestName
    desserts: Desserts
    favourite: bool


class Game(GameState, frozen=True, kw_only=True):
    """A game of Just Desserts.

    ``dessert_deck``, ``guest_deck`` and ``guest_discards`` are top first, so that the first of
    the discarded guests is the one in the doorway; ``dessert_discards`` are kept sorted;
    ``returning`` are the seats that have still to return a guest to a buffet; ``idle_turns`` and
    ``dry_turns`` count turns in a row before the present one (JD-51).
    """

    options: Options
    players: tuple[Player, ...]
    dessert_deck: Desserts
    guest_deck: Guests
    turn: Turn
    dessert_discards: Desserts = ()
    guest_discards: Guests = ()
    centre: Guests = ()
    offer: Offer | None = None
    returning: tuple[int, ...] = ()
    idle_turns: int = 0
    dry_turns: int = 0

    def present(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat, player in enumerate(self.players) if not player.left)

    def doorway(self) -> Guests:
        """The guest on top of the discarded ones, if there is one (JD-5)."""
        return self.guest_discards[:1]


def without(hand: Iterable[DessertName], desserts: Iterable[DessertName]) -> Desserts:
    """Take desserts out of a hand. Raises ValueError if one is not there."""
    rest = list(hand)
    for dessert in desserts:
        rest.remove(dessert)
    return tuple(rest)


def with_desserts(hand: Iterable[DessertName], desserts: Iterable[DessertName]) -> Desserts:
    """Put desserts into a hand, kept sorted: its order then tells nothing."""
    return tuple(sorted((*hand, *desserts)))


def without_guest(guests: Iterable[GuestName], guest: GuestName) -> Guests:
    """Take a guest out of a row, the others keep their order."""
    return tuple(other for other in guests if other != guest)
