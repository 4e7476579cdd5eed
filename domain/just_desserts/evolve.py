"""Folding: what each event makes of the state. No rule is asked here."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.just_desserts.cards import Desserts, desserts_with, guests_with
from domain.just_desserts.events import (
    BuffetOpened,
    ClearingAsked,
    Dealt,
    DessertsReshuffled,
    DessertsShuffled,
    Drawn,
    FirstPlayerDrawn,
    GuestDiscarded,
    GuestLetGo,
    GuestPoached,
    GuestReturned,
    GuestRevealed,
    GuestsReshuffled,
    GuestsShuffled,
    HandDiscarded,
    KitchenEntered,
    OfferWithdrawn,
    PoachBlocked,
    PoachOffered,
    Served,
    ServiceAsked,
    TrayDumped,
    TurnBegan,
    TurnEnded,
)
from domain.just_desserts.options import Options
from domain.just_desserts.state import (
    BLOCKING,
    CLEARING,
    RETURNING,
    TURN,
    Game,
    Offer,
    Player,
    Turn,
    with_desserts,
    without,
    without_guest,
)
from domain.kernel.decision import Order, answered, ask
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, SeatLeft


def new(seats: int, options: Options) -> Game:
    """Give the state before the set-up: all cards in the decks, nobody's turn yet.

    Raises Refusal if the first player's seat is not at this table (JD-1).
    """
    first = options.first_player or 0
    if first >= seats:
        raise Refusal(
            "no_such_first_player",
            rule="JD-1",
            code="invalid",
            pointer="/options/first_player",
            most=seats - 1,
        )
    return Game(
        options=options,
        players=(Player(),) * seats,
        dessert_deck=desserts_with(options.boxes),
        guest_deck=guests_with(options.boxes),
        turn=Turn(first),
    )


def evolve(game: Game, event: Event, version: int) -> Game:
    """Apply an event to the game."""
    return _EVOLVE[type(event)](game, event, version)


def _player(game: Game, seat: int, **changes: Any) -> tuple[Player, ...]:
    players = game.players
    changed = replace(players[seat], **changes)
    return (*players[:seat], changed, *players[seat + 1 :])


def _take(game: Game, seat: int, desserts: Desserts) -> Game:
    """Move desserts from the top of the deck to a hand."""
    if not desserts:
        return game
    hand = with_desserts(game.players[seat].hand, desserts)
    return replace(
        game,
        players=_player(game, seat, hand=hand),
        dessert_deck=game.dessert_deck[len(desserts) :],
    )


def _discard(game: Game, seat: int, desserts: Desserts) -> Game:
    """Move desserts from a hand to the discard pile."""
    hand = without(game.players[seat].hand, desserts)
    return replace(
        game,
        players=_player(game, seat, hand=hand),
        dessert_discards=with_desserts(game.dessert_discards, desserts),
    )


def _desserts_shuffled(game: Game, event: DessertsShuffled, version: int) -> Game:
    return replace(game, dessert_deck=event.dessert_order, dessert_discards=())


def _guests_shuffled(game: Game, event: GuestsShuffled, version: int) -> Game:
    doorway = () if event.doorway is None else (event.doorway,)
    return replace(game, guest_deck=event.guest_order, guest_discards=doorway)


def _desserts_reshuffled(game: Game, event: DessertsReshuffled, version: int) -> Game:
    return replace(game, dessert_deck=event.dessert_order)


def _guests_reshuffled(game: Game, event: GuestsReshuffled, version: int) -> Game:
    return replace(game, guest_deck=event.guest_order)


def _dealt(game: Game, event: Dealt, version: int) -> Game:
    return _take(game, event.seat, event.desserts)


def _guest_revealed(game: Game, event: GuestRevealed, version: int) -> Game:
    return replace(game, guest_deck=game.guest_deck[1:], centre=(*game.centre, event.guest))


def _first_player_drawn(game: Game, event: FirstPlayerDrawn, version: int) -> Game:
    return replace(game, turn=Turn(event.seat))


def _turn_began(game: Game, event: TurnBegan, version: int) -> Game:
    return replace(
        _take(game, event.seat, event.desserts),
        turn=Turn(event.seat, game.turn.number + 1, idle=event.idle),
        returning=(),
        idle_turns=event.idle_turns,
        dry_turns=event.dry_turns,
        decision=ask(TURN, version, event.awaits),
    )


def _drawn(game: Game, event: Drawn, version: int) -> Game:
    return _take(game, event.seat, event.desserts)


def _served(game: Game, event: Served, version: int) -> Game:
    game = _discard(game, event.seat, event.desserts)
    guests = (*game.players[event.seat].guests, event.guest)
    return replace(
        game,
        players=_player(game, event.seat, guests=guests),
        centre=without_guest(game.centre, event.guest),
        guest_discards=without_guest(game.guest_discards, event.guest),
        turn=replace(game.turn, served=game.turn.served + 1),
        decision=ask(TURN, version, event.awaits),
    )


def _turn_over(game: Game, event: TurnEnded | KitchenEntered, version: int) -> Game:
    return replace(game, decision=None)


def _tray_dumped(game: Game, event: TrayDumped, version: int) -> Game:
    return replace(_discard(game, event.seat, event.desserts), decision=None)


def _poach_offered(game: Game, event: PoachOffered, version: int) -> Game:
    return replace(
        game,
        turn=replace(game.turn, tried=True),
        offer=Offer(event.seat, event.owner, event.guest, event.desserts, event.favourite),
        decision=ask(BLOCKING, version, event.awaits),
    )


def _guest_let_go(game: Game, event: GuestLetGo, version: int) -> Game:
    return replace(game, decision=None)


def _guest_poached(game: Game, event: GuestPoached, version: int) -> Game:
    game = _discard(game, event.seat, event.desserts)
    rest = without_guest(game.players[event.owner].guests, event.guest)
    game = replace(game, players=_player(game, event.owner, guests=rest))
    guests = (*game.players[event.seat].guests, event.guest)
    return replace(
        game,
        players=_player(game, event.seat, guests=guests),
        turn=replace(game.turn, served=game.turn.served + 1, poached=True),
        offer=None,
        decision=ask(TURN, version, event.awaits),
    )


def _poach_blocked(game: Game, event: PoachBlocked, version: int) -> Game:
    return replace(
        _discard(game, event.seat, event.desserts),
        offer=None,
        decision=ask(TURN, version, event.awaits),
    )


def _offer_withdrawn(game: Game, event: OfferWithdrawn, version: int) -> Game:
    return replace(game, offer=None, decision=None)


def _buffet_opened(game: Game, event: BuffetOpened, version: int) -> Game:
    return replace(
        _discard(game, event.seat, event.desserts),
        turn=replace(game.turn, buffet=True),
        returning=event.returning,
        decision=ask(RETURNING, version, event.awaits, Order.IN_TURN),
    )


def _guest_returned(game: Game, event: GuestReturned, version: int) -> Game:
    rest = without_guest(game.players[event.seat].guests, event.guest)
    return replace(
        game,
        players=_player(game, event.seat, guests=rest),
        centre=(*game.centre, event.guest),
        returning=tuple(seat for seat in game.returning if seat != event.seat),
        decision=ask(RETURNING, version, event.awaits, Order.IN_TURN),
    )


def _service_asked(game: Game, event: ServiceAsked, version: int) -> Game:
    return replace(game, decision=ask(TURN, version, event.awaits))


def _clearing_asked(game: Game, event: ClearingAsked, version: int) -> Game:
    return replace(game, decision=ask(CLEARING, version, event.awaits))


def _guest_discarded(game: Game, event: GuestDiscarded, version: int) -> Game:
    return replace(
        game,
        centre=without_guest(game.centre, event.guest),
        guest_discards=(event.guest, *game.guest_discards),
        decision=ask(CLEARING, version, event.awaits),
    )


def _hand_discarded(game: Game, event: HandDiscarded, version: int) -> Game:
    return _discard(game, event.seat, event.desserts)


def _seat_left(game: Game, event: SeatLeft, version: int) -> Game:
    return replace(
        game,
        players=_player(game, event.seat, left=True),
        decision=answered(game.decision, event.seat),
    )


_EVOLVE: dict[type[Event], Callable[[Game, Any, int], Game]] = {
    DessertsShuffled: _desserts_shuffled,
    DessertsReshuffled: _desserts_reshuffled,
    GuestsReshuffled: _guests_reshuffled,
    GuestsShuffled: _guests_shuffled,
    Dealt: _dealt,
    GuestRevealed: _guest_revealed,
    FirstPlayerDrawn: _first_player_drawn,
    TurnBegan: _turn_began,
    Drawn: _drawn,
    Served: _served,
    TurnEnded: _turn_over,
    KitchenEntered: _turn_over,
    TrayDumped: _tray_dumped,
    PoachOffered: _poach_offered,
    GuestLetGo: _guest_let_go,
    GuestPoached: _guest_poached,
    PoachBlocked: _poach_blocked,
    OfferWithdrawn: _offer_withdrawn,
    BuffetOpened: _buffet_opened,
    GuestReturned: _guest_returned,
    ServiceAsked: _service_asked,
    ClearingAsked: _clearing_asked,
    GuestDiscarded: _guest_discarded,
    HandDiscarded: _hand_discarded,
    SeatLeft: _seat_left,
}
