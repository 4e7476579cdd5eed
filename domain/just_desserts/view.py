"""What a viewer may see of the state, and what a seat may do."""

from collections.abc import Iterable

from msgspec import Struct

from domain.just_desserts import actions
from domain.just_desserts.actions import (
    BlockForm,
    BuffetForm,
    DiscardGuestForm,
    DumpForm,
    EndForm,
    Form,
    KitchenForm,
    LetGoForm,
    PoachForm,
    ReturnGuestForm,
    ServeForm,
)
from domain.just_desserts.cards import SINGLE_TASTE, Desserts, Guests, duplicates, points
from domain.just_desserts.decide import BUFFET_DESSERTS
from domain.just_desserts.events import (
    BuffetOpened,
    GuestDiscarded,
    GuestLetGo,
    GuestReturned,
    KitchenEntered,
    PoachBlocked,
    PoachOffered,
    Served,
    TrayDumped,
    TurnEnded,
)
from domain.just_desserts.menu import GuestName
from domain.just_desserts.serving import pick
from domain.just_desserts.state import BLOCKING, CLEARING, RETURNING, TURN, Game
from domain.kernel.event import Event
from domain.kernel.forms import Pick
from domain.kernel.viewer import SeenRecord, Sight


class PlayerView(Struct, frozen=True):
    """A seat as the viewer sees it: ``hand`` is null where it is hidden (JD-12).

    ``points`` are what its ``guests`` would score now (JD-11).
    """

    seat: int
    points: int
    guests: Guests
    hand_count: int
    hand: Desserts | None
    left: bool


class TurnView(Struct, frozen=True):
    """The turn being played.

    ``served`` counts the guests gained in it, ``tried`` and ``poached`` say whether a poach was
    tried and succeeded, ``buffet`` whether a buffet was opened.
    """

    seat: int
    number: int
    served: int
    tried: bool
    poached: bool
    buffet: bool


class OfferView(Struct, frozen=True):
    """A poach that the owner may block (JD-23); ``favourite``: only with a favourite (JD-21)."""

    seat: int
    owner: int
    guest: GuestName
    desserts: Desserts
    favourite: bool


class Board(Struct, frozen=True, tag_field="ruleset", tag="just-desserts"):
    """The table of Just Desserts as the viewer sees it.

    ``doorway`` is the guest on top of the discarded ones, who can be served (JD-5);
    ``guest_discards`` are top first. ``returning`` are the seats that have still to return a
    guest to a buffet. ``idle_turns`` and ``dry_turns`` count the turns in a row before this one
    that began with nothing to draw or reveal, and that gained no guest (JD-51). The decks are
    shown once the game is sealed, top first.
    """

    turn: TurnView
    players: tuple[PlayerView, ...]
    centre: Guests
    doorway: GuestName | None
    guest_discards: Guests
    guest_deck_count: int
    guest_deck: Guests | None
    dessert_discards: Desserts
    dessert_deck_count: int
    dessert_deck: Desserts | None
    offer: OfferView | None
    returning: tuple[int, ...]
    idle_turns: int
    dry_turns: int


def board(game: Game, sight: Sight) -> Board:
    """Redact the state for a viewer (JD-12)."""
    turn, offer = game.turn, game.offer
    return Board(
        turn=TurnView(
            seat=turn.seat,
            number=turn.number,
            served=turn.served,
            tried=turn.tried,
            poached=turn.poached,
            buffet=turn.buffet,
        ),
        players=tuple(
            PlayerView(
                seat=seat,
                points=points(player.guests),
                guests=player.guests,
                hand_count=len(player.hand),
                hand=player.hand if sight.sees(seat) else None,
                left=player.left,
            )
            for seat, player in enumerate(game.players)
        ),
        centre=game.centre,
        doorway=game.guest_discards[0] if game.guest_discards else None,
        guest_discards=game.guest_discards,
        guest_deck_count=len(game.guest_deck),
        guest_deck=game.guest_deck if sight.sealed else None,
        dessert_discards=game.dessert_discards,
        dessert_deck_count=len(game.dessert_deck),
        dessert_deck=game.dessert_deck if sight.sealed else None,
        offer=None
        if offer is None
        else OfferView(offer.seat, offer.owner, offer.guest, offer.desserts, offer.favourite),
        returning=game.returning,
        idle_turns=game.idle_turns,
        dry_turns=game.dry_turns,
    )


def legal(game: Game, seat: int) -> tuple[Form, ...]:
    """List what a seat may do now, complete, in a fixed order."""
    decision = game.decision
    if decision is None or seat not in decision.asked:
        return ()
    if decision.kind == BLOCKING:
        return tuple(_blocking_forms(game, seat))
    if decision.kind == RETURNING:
        return tuple(ReturnGuestForm(guest) for guest in game.players[seat].guests)
    if decision.kind == CLEARING:
        return tuple(DiscardGuestForm(guest) for guest in duplicates(game.centre))
    assert decision.kind == TURN
    return (
        *_serve_forms(game, seat),
        *_poach_forms(game, seat),
        *_action_forms(game, seat),
    )


def _blocking_forms(game: Game, seat: int) -> Iterable[Form]:
    offer = game.offer
    assert offer is not None
    desserts = pick(offer.guest, game.players[seat].hand, favourite=offer.favourite)
    if desserts is not None:
        yield BlockForm(desserts)
    yield LetGoForm()


def _serve_forms(game: Game, seat: int) -> Iterable[Form]:
    for guest in (*game.centre, *game.doorway()):
        desserts = pick(guest, game.players[seat].hand, favourite=False)
        if desserts is not None:
            yield ServeForm(guest, desserts)


def _poach_forms(game: Game, seat: int) -> Iterable[Form]:
    turn = game.turn
    if not game.options.has_poaching or turn.tried or turn.buffet:
        return
    for owner, player in enumerate(game.players):
        for guest in player.guests if owner != seat else ():
            desserts = pick(guest, game.players[seat].hand, favourite=False)
            if desserts is not None:
                yield PoachForm(owner, guest, desserts)


def _action_forms(game: Game, seat: int) -> Iterable[Form]:
    turn = game.turn
    if turn.served or turn.buffet:
        yield EndForm()
        return
    hand = game.players[seat].hand
    yield KitchenForm()
    if hand:
        yield DumpForm(Pick(hand, 1, len(hand)))
    single = tuple(dessert for dessert in hand if dessert in SINGLE_TASTE)
    if game.options.has_buffet and not turn.tried and len(single) >= BUFFET_DESSERTS:
        yield BuffetForm(Pick(single, BUFFET_DESSERTS, BUFFET_DESSERTS))


def action_of(event: Event) -> Struct | None:
    """Give the action that a command's first event carries; none where chance chose instead."""
    match event:
        case Served(guest=guest, desserts=desserts):
            return actions.Serve(guest, desserts)
        case TurnEnded():
            return actions.End()
        case KitchenEntered():
            return actions.Kitchen()
        case TrayDumped(desserts=desserts):
            return actions.Dump(desserts)
        case PoachOffered(owner=owner, guest=guest, desserts=desserts):
            return actions.Poach(owner, guest, desserts)
        case PoachBlocked(desserts=desserts):
            return actions.Block(desserts)
        case GuestLetGo():
            return actions.LetGo()
        case BuffetOpened(desserts=desserts):
            return actions.Buffet(desserts)
        case GuestReturned(guest=guest, chance=None):
            return actions.ReturnGuest(guest)
        case GuestDiscarded(guest=guest, chance=None):
            return actions.DiscardGuest(guest)
        case _:
            return None


def claims(records: Iterable[SeenRecord]) -> tuple[Struct, ...]:
    """Give no audit of bluffs: nothing is claimed in this game, every card is laid open."""
    return ()
