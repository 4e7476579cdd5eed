"""The rules: what each action and each leaving brings about."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from domain.just_desserts.actions import (
    Action,
    Block,
    Buffet,
    DiscardGuest,
    Dump,
    End,
    Kitchen,
    LetGo,
    Poach,
    ReturnGuest,
    Serve,
)
from domain.just_desserts.cards import GUEST, SINGLE_TASTE, Desserts, duplicates
from domain.just_desserts.course import (
    Pen,
    after_gain,
    discard_at_random,
    draw,
    finish_turn,
    scores,
    to_next_turn,
)
from domain.just_desserts.events import (
    BuffetOpened,
    DrawReason,
    GuestDiscarded,
    GuestLetGo,
    GuestPoached,
    GuestReturned,
    HandDiscarded,
    KitchenEntered,
    OfferWithdrawn,
    PoachBlocked,
    PoachOffered,
    Served,
    ServiceAsked,
    TrayDumped,
    TurnEnded,
)
from domain.just_desserts.serving import can_be_blocked, check_satisfies, favourites_among
from domain.just_desserts.state import (
    BLOCKING,
    CLEARING,
    RETURNING,
    TURN,
    Game,
    Offer,
    Turn,
)
from domain.kernel.errors import Refusal

SERVICES = 2  # JD-4
BUFFET_SERVICES = 1  # JD-30
BUFFET_DESSERTS = 4  # JD-30: to discard
BUFFET_DRAWS = 3  # JD-30


def decide(play: Pen, seat: int, action: Action) -> None:
    """Write what an action of a seat brings about, or refuse it."""
    kind, act = _DECIDE[type(action)]
    _check_asked(play.game, seat, kind, action)
    act(play, seat, action)


# Checks that several actions share (JD-0, JD-3).


def _check_asked(game: Game, seat: int, kind: str, action: Action) -> None:
    decision = game.decision
    assert decision is not None
    if decision.kind != kind:
        tag = action.__struct_config__.tag
        raise Refusal("action_not_now", rule="JD-0", action=tag, decision=decision.kind)
    if seat in decision.asked:
        return
    if kind == BLOCKING:
        raise Refusal("only_owner_blocks", rule="JD-21", seat=decision.asked[0])
    if kind == RETURNING:
        raise Refusal("not_your_return", rule="JD-30", seat=decision.asked[0])
    raise Refusal("not_your_turn", rule="JD-0", seat=decision.asked[0])


def _check_desserts(game: Game, seat: int, desserts: Desserts) -> None:
    """Refuse desserts that are named twice or not held."""
    for dessert, times in Counter(desserts).items():
        if times > 1:
            raise Refusal("dessert_twice", rule="JD-0", pointer="/desserts", dessert=dessert)
        if dessert not in game.players[seat].hand:
            raise Refusal("dessert_not_held", rule="JD-0", pointer="/desserts", dessert=dessert)


def _check_may_act(turn: Turn) -> None:
    """Refuse one of the actions that a turn may have but one of."""
    if turn.buffet:
        raise Refusal("buffet_opened", rule="JD-30")
    if turn.poached:
        raise Refusal("guest_poached", rule="JD-20")
    if turn.served:
        raise Refusal("guest_served", rule="JD-3")


def _asked_again(game: Game, seat: int) -> tuple[int, ...]:
    """Whom the turn asks once its seat has gained another guest: nobody if that is the last."""
    most = BUFFET_SERVICES if game.turn.buffet else SERVICES
    return (seat,) if game.turn.served + 1 < most else ()


# The actions of the basic game (JD-3 to JD-7).


def _serve(play: Pen, seat: int, action: Serve) -> None:
    game = play.game
    guest = action.guest
    in_doorway = guest in game.doorway()
    if not in_doorway and guest not in game.centre:
        raise Refusal("guest_out_of_reach", rule="JD-5", pointer="/guest", guest=guest)
    _check_desserts(game, seat, action.desserts)
    check_satisfies(guest, action.desserts)
    favourite = favourites_among(guest, action.desserts) > 0
    play.write(
        Served(
            seat=seat,
            guest=guest,
            doorway=in_doorway,
            desserts=tuple(sorted(action.desserts)),
            favourite=favourite,
            awaits=_asked_again(game, seat),
        )
    )
    if favourite:
        draw(play, seat, DrawReason.TIP, 1)
    after_gain(play, seat)


def _end(play: Pen, seat: int, action: End | None = None) -> None:
    turn = play.game.turn
    if not turn.served and not turn.buffet:
        raise Refusal("action_owed", rule="JD-20" if turn.tried else "JD-3")
    play.write(TurnEnded(seat=seat))
    finish_turn(play)


def _kitchen(play: Pen, seat: int, action: Kitchen | None = None) -> None:
    _check_may_act(play.game.turn)
    play.write(KitchenEntered(seat=seat))
    draw(play, seat, DrawReason.KITCHEN, 1)
    finish_turn(play)


def _dump(play: Pen, seat: int, action: Dump) -> None:
    _check_may_act(play.game.turn)
    if not action.desserts:
        raise Refusal("nothing_dumped", rule="JD-3", pointer="/desserts")
    _check_desserts(play.game, seat, action.desserts)
    play.write(TrayDumped(seat=seat, desserts=tuple(sorted(action.desserts))))
    draw(play, seat, DrawReason.DUMP, len(action.desserts))
    finish_turn(play)


def _discard_guest(play: Pen, seat: int, action: DiscardGuest) -> None:
    centre, guest = play.game.centre, action.guest
    if guest not in centre:
        raise Refusal("guest_not_in_centre", rule="JD-7", pointer="/guest", guest=guest)
    if guest not in duplicates(centre):
        suit = GUEST[guest].suit
        raise Refusal("last_of_suit", rule="JD-7", pointer="/guest", guest=guest, suit=suit)
    more = duplicates(other for other in centre if other != guest)
    awaits = (seat,) if more else ()
    play.write(GuestDiscarded(seat=seat, guest=guest, chance=None, awaits=awaits))
    _after_discard(play)


def _after_discard(play: Pen) -> None:
    if play.game.decision is None:
        to_next_turn(play)


# Poaching and blocking (JD-20 to JD-25).


def _poach(play: Pen, seat: int, action: Poach) -> None:
    game = play.game
    turn, owner, guest = game.turn, action.seat, action.guest
    if not game.options.has_poaching:
        raise Refusal("no_poaching", rule="JD-20")
    if turn.buffet:
        raise Refusal("no_poach_with_buffet", rule="JD-20")
    if turn.tried:
        raise Refusal("poach_tried", rule="JD-20")
    if owner == seat:
        raise Refusal("own_guest", rule="JD-20", pointer="/seat")
    if owner >= len(game.players) or guest not in game.players[owner].guests:
        raise Refusal("guest_not_won", rule="JD-20", pointer="/guest", guest=guest, seat=owner)
    _check_desserts(game, seat, action.desserts)
    check_satisfies(guest, action.desserts)
    desserts = tuple(sorted(action.desserts))
    asks = not game.players[owner].left and can_be_blocked(game.options, guest, desserts)
    play.write(
        PoachOffered(
            seat=seat,
            owner=owner,
            guest=guest,
            desserts=desserts,
            favourite=favourites_among(guest, desserts) > 0,
            awaits=(owner,) if asks else (),
        )
    )
    if not asks:
        _poach_succeeds(play)


def _offer(game: Game) -> Offer:
    assert game.offer is not None
    return game.offer


def _poach_succeeds(play: Pen) -> None:
    """Move the guest; the robbed player draws, then the poacher's tips (JD-24, JD-25)."""
    offer = _offer(play.game)
    play.write(
        GuestPoached(
            seat=offer.seat,
            owner=offer.owner,
            guest=offer.guest,
            desserts=offer.desserts,
            awaits=_asked_again(play.game, offer.seat),
        )
    )
    if not play.game.players[offer.owner].left:
        draw(play, offer.owner, DrawReason.ROBBED, 1)
    _tip(play, offer.seat, offer, offer.desserts)
    after_gain(play, offer.seat)


def _tip(play: Pen, seat: int, offer: Offer, desserts: Desserts) -> None:
    favourites = favourites_among(offer.guest, desserts)
    if favourites:
        draw(play, seat, DrawReason.TIP, favourites)


def _let_go(play: Pen, seat: int, action: LetGo | None = None) -> None:
    play.write(GuestLetGo(seat=seat))
    _poach_succeeds(play)


def _block(play: Pen, seat: int, action: Block) -> None:
    offer = _offer(play.game)
    desserts = action.desserts
    _check_desserts(play.game, seat, desserts)
    check_satisfies(offer.guest, desserts)
    if offer.favourite and not favourites_among(offer.guest, desserts):
        raise Refusal(
            "block_without_favourite", rule="JD-21", pointer="/desserts", guest=offer.guest
        )
    play.write(
        PoachBlocked(
            seat=seat,
            poacher=offer.seat,
            guest=offer.guest,
            desserts=tuple(sorted(desserts)),
            awaits=(offer.seat,),
        )
    )
    _tip(play, seat, offer, desserts)


# Buffets (JD-30).


def _buffet(play: Pen, seat: int, action: Buffet) -> None:
    game = play.game
    if not game.options.has_buffet:
        raise Refusal("no_buffet", rule="JD-30")
    _check_may_act(game.turn)
    if game.turn.tried:
        raise Refusal("no_buffet_after_poach", rule="JD-20")
    if len(action.desserts) != BUFFET_DESSERTS:
        raise Refusal(
            "buffet_of_four", rule="JD-30", pointer="/desserts", count=len(action.desserts)
        )
    _check_desserts(game, seat, action.desserts)
    for dessert in action.desserts:
        if dessert not in SINGLE_TASTE:
            raise Refusal("not_single_taste", rule="JD-30", pointer="/desserts", dessert=dessert)
    seats = len(game.players)
    opponents = [(seat + step) % seats for step in range(1, seats)]
    returning = tuple(other for other in opponents if game.players[other].guests)
    play.write(
        BuffetOpened(
            seat=seat,
            desserts=tuple(sorted(action.desserts)),
            returning=returning,
            awaits=_choosing(game, returning),
        )
    )
    _go_on_with_buffet(play)


def _choosing(game: Game, returning: tuple[int, ...]) -> tuple[int, ...]:
    """List those of the seats that have a choice which guest to return."""
    return tuple(
        seat
        for seat in returning
        if len(game.players[seat].guests) > 1 and not game.players[seat].left
    )


def _go_on_with_buffet(play: Pen) -> None:
    """Return guests up to the next seat that has a choice; after the last one draw and go on."""
    while play.game.returning:
        game = play.game
        seat = game.returning[0]
        if _choosing(game, (seat,)):
            return
        if len(game.players[seat].guests) > 1:
            _return_at_random(play, seat)
        else:
            _return(play, seat, 0)
    seat = play.game.turn.seat
    draw(play, seat, DrawReason.BUFFET, BUFFET_DRAWS)
    play.write(ServiceAsked(seat=seat, awaits=(seat,)))


def _return(play: Pen, seat: int, index: int, chance: int | None = None) -> None:
    game = play.game
    rest = tuple(other for other in game.returning if other != seat)
    guest = game.players[seat].guests[index]
    awaits = _choosing(game, rest)
    play.write(GuestReturned(seat=seat, guest=guest, chance=chance, awaits=awaits))


def _return_at_random(play: Pen, seat: int) -> None:
    number, index = play.chance.pick(len(play.game.players[seat].guests))
    _return(play, seat, index, number)


def _return_guest(play: Pen, seat: int, action: ReturnGuest) -> None:
    guests, guest = play.game.players[seat].guests, action.guest
    if guest not in guests:
        raise Refusal("guest_not_yours", rule="JD-30", pointer="/guest", guest=guest)
    _return(play, seat, guests.index(guest))
    _go_on_with_buffet(play)


_DECIDE: dict[type[Action], tuple[str, Callable[[Pen, int, Any], None]]] = {
    Serve: (TURN, _serve),
    End: (TURN, _end),
    Kitchen: (TURN, _kitchen),
    Dump: (TURN, _dump),
    Poach: (TURN, _poach),
    Block: (BLOCKING, _block),
    LetGo: (BLOCKING, _let_go),
    Buffet: (TURN, _buffet),
    ReturnGuest: (RETURNING, _return_guest),
    DiscardGuest: (CLEARING, _discard_guest),
}


# Leaving and defaults (JD-50).


def leave(play: Pen, seat: int) -> None:
    """Write what follows when a seat leaves for good.

    Its offer is withdrawn and its hand discarded; the last player wins; else its turn goes to the
    clearing of the centre, and what else it was asked is done without it.
    """
    offer, present = play.game.offer, play.game.present()
    if offer is not None and (offer.seat == seat or len(present) == 1):
        play.write(OfferWithdrawn(seat=offer.seat))
    hand = play.game.players[seat].hand
    if hand:
        play.write(HandDiscarded(seat=seat, desserts=hand))
    if len(present) == 1:
        play.end("JD-50", present, scores(play.game))
    elif seat == play.game.turn.seat:
        finish_turn(play)
    elif offer is not None and offer.owner == seat:
        _poach_succeeds(play)
    elif play.game.returning[:1] == (seat,):
        _go_on_with_buffet(play)


def default(play: Pen, seat: int) -> None:
    """Answer a seat's open decision: let go, a random guest, else the kitchen or the end."""
    game = play.game
    decision = game.decision
    assert decision is not None
    if decision.kind == BLOCKING:
        _let_go(play, seat)
    elif decision.kind == RETURNING:
        _return_at_random(play, seat)
        _go_on_with_buffet(play)
    elif decision.kind == CLEARING:
        discard_at_random(play)
        _after_discard(play)
    elif game.turn.served or game.turn.buffet:
        _end(play, seat)
    else:
        _kitchen(play, seat)
