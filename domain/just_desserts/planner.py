"""A bundled player that plans one turn: what to serve, to poach, to block and to clear away.

It weighs everything in desserts: a guest by how far it brings a seat (JD-10), a dessert by the
guests that it may still please. It knows what its seat may know, and nothing else.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from domain.just_desserts import actions
from domain.just_desserts.actions import (
    Action,
    BlockForm,
    BuffetForm,
    DiscardGuestForm,
    DumpForm,
    EndForm,
    KitchenForm,
    LetGoForm,
    PoachForm,
    ReturnGuestForm,
    ServeForm,
)
from domain.just_desserts.cards import (
    CRAVES,
    FAVOURITES,
    GUEST,
    REFUSES,
    SAME_SUIT_TO_WIN,
    SUITS_TO_WIN,
    TASTES,
    Desserts,
    Guests,
)
from domain.just_desserts.decide import BUFFET_DRAWS
from domain.just_desserts.menu import DessertName, GuestName
from domain.just_desserts.serving import can_be_blocked, pick
from domain.just_desserts.view import Board
from domain.kernel.forms import Entropy, Pick
from domain.kernel.player import Scene

WIN = 100.0
OF_SUITS = (0.0, 3.0, 6.5, 11.0, 18.0)  # what so many different suits are worth
OF_A_PAIR = 6.0  # what two of a suit are worth more

DENIAL = 0.3  # how much of another's gain counts as one's own gain if it is taken away
USUAL = 1.0  # what a dessert is worth that nothing is known of
LATER = 0.9  # how much a service counts that may follow the present one
PLAIN_BLOCK, FAVOURITE_BLOCK = 0.14, 0.03  # how likely a dessert in hand lets its owner block

Keep = Callable[[DessertName], float]
Plan = tuple[float, Action]


def worth(guests: Iterable[GuestName]) -> float:
    """Weigh a row of guests by how far it is on the way to a win (JD-10)."""
    suits = Counter(GUEST[guest].suit for guest in guests)
    if len(suits) >= SUITS_TO_WIN or max(suits.values(), default=0) >= SAME_SUIT_TO_WIN:
        return WIN
    return OF_SUITS[len(suits)] + OF_A_PAIR * sum(count > 1 for count in suits.values())


def gain(guests: Guests, guest: GuestName) -> float:
    """Weigh what a guest adds to a row."""
    return worth((*guests, guest)) - worth(guests)


def loss(guests: Guests, guest: GuestName) -> float:
    """Weigh what a row loses with a guest."""
    return worth(guests) - worth(other for other in guests if other != guest)


def cheapest(choice: Pick, hand: Desserts, cost: Keep) -> tuple[float, Desserts]:
    """Find the desserts in hand that fit a choice and cost least; they are sorted."""
    whole = (1 << len(choice.meet)) - 1
    best: dict[int, tuple[float, Desserts]] = {0: (0.0, ())}
    for dessert in hand:
        if dessert not in choice.cards:
            continue
        lists = sum(1 << index for index, listed in enumerate(choice.meet) if dessert in listed)
        price = cost(dessert)
        for met, (spent, chosen) in list(best.items()):
            reached, total = met | lists, spent + price
            if reached != met and (reached not in best or total < best[reached][0]):
                best[reached] = (total, (*chosen, dessert))
    return best[whole]


class Outlook:
    """A seat's view of the table, with what follows from it for weighing desserts and guests."""

    def __init__(self, scene: Scene) -> None:
        board: Board = scene.board
        self.seat = scene.seat
        self.board = board
        self.options = scene.options
        self.own = board.players[scene.seat]
        self.hand = self.own.hand or ()
        self.others = [player for player in board.players if player.seat != scene.seat]
        self.reach = board.centre if board.doorway is None else (*board.centre, board.doorway)
        self._values: dict[DessertName, float] = {}

    def keep(self, dessert: DessertName) -> float:
        """Weigh a dessert by the guests that it may help to please."""
        value = self._values.get(dessert)
        if value is None:
            value = self._values[dessert] = 0.35 + 0.45 * self._use(dessert)
        return value

    def _use(self, dessert: DessertName) -> float:
        tastes = TASTES[dessert]
        use = 0.1 * len(tastes)
        for guest in self.reach:
            if not REFUSES[guest] & tastes:
                share = len(CRAVES[guest] & tastes) / len(CRAVES[guest])
                use += share * min(1.0, gain(self.own.guests, guest) / 8)
        return use

    def price(self, guest: GuestName) -> Keep:
        """Give what desserts cost when they are played for a guest, a tip counted (JD-6)."""
        favourites = FAVOURITES[guest]
        return lambda dessert: self.keep(dessert) - (USUAL if dessert in favourites else 0.0)

    def denied(self, guest: GuestName) -> float:
        """Weigh what the others lose if a guest in reach is gone."""
        return DENIAL * max((gain(other.guests, guest) for other in self.others), default=0.0)


# The turn.


def _serve_plan(outlook: Outlook, guest: GuestName, choice: Pick) -> tuple[float, Desserts]:
    spent, desserts = cheapest(choice, outlook.hand, outlook.price(guest))
    return gain(outlook.own.guests, guest) + outlook.denied(guest) - spent, desserts


def _blocking_odds(outlook: Outlook, form: PoachForm, desserts: Desserts) -> float:
    """Guess how likely the owner of a guest blocks."""
    owner = outlook.board.players[form.seat]
    if owner.left or not can_be_blocked(outlook.options, form.guest, desserts):
        return 0.0
    favourite = any(dessert in FAVOURITES[form.guest] for dessert in desserts)
    return min(0.9, (FAVOURITE_BLOCK if favourite else PLAIN_BLOCK) * owner.hand_count)


def _poach_plan(outlook: Outlook, form: PoachForm) -> tuple[float, actions.Poach]:
    spent, desserts = cheapest(form.desserts, outlook.hand, outlook.price(form.guest))
    owner = outlook.board.players[form.seat]
    robbed = DENIAL * 2 * loss(owner.guests, form.guest) - USUAL
    success = gain(outlook.own.guests, form.guest) + robbed - spent
    odds = 1 - _blocking_odds(outlook, form, desserts)
    # A blocked offer comes back, and the blocker has paid for it: next to nothing is lost.
    return odds * success, actions.Poach(form.seat, form.guest, desserts)


def _service_plans(outlook: Outlook, forms: Sequence[msgspec.Struct]) -> list[Plan]:
    """Weigh each service and each poach, with the best service that may follow it."""
    plans: list[Plan] = []
    serves = [form for form in forms if isinstance(form, ServeForm)]
    more = outlook.board.turn.served == 0 and not outlook.board.turn.buffet
    for form in serves:
        value, desserts = _serve_plan(outlook, form.guest, form.desserts)
        if more and value < WIN / 2:
            value += _best_second(outlook, serves, form.guest, desserts)
        plans.append((value, actions.Serve(form.guest, desserts)))
    for offer in forms:
        if isinstance(offer, PoachForm):
            value, action = _poach_plan(outlook, offer)
            if more and value < WIN / 2:
                value += _best_second(outlook, serves, offer.guest, action.desserts)
            plans.append((value, action))
    return plans


def _best_second(
    outlook: Outlook, serves: Sequence[ServeForm], first: GuestName, spent: Desserts
) -> float:
    """Weigh the best service with what the first one leaves in hand."""
    best = 0.0
    rest = tuple(dessert for dessert in outlook.hand if dessert not in spent)
    for form in serves:
        if form.guest != first:
            choice = pick(form.guest, rest, favourite=False)
            if choice is not None:
                best = max(best, _serve_plan(outlook, form.guest, choice)[0])
    return LATER * best


def _dump_plan(outlook: Outlook) -> Plan | None:
    """Dump what is worth less than an unknown dessert."""
    poor = tuple(dessert for dessert in outlook.hand if outlook.keep(dessert) < 0.6 * USUAL)
    if not poor:
        return None
    return sum(USUAL - outlook.keep(dessert) for dessert in poor) * 0.6, actions.Dump(poor)


def _buffet_plan(outlook: Outlook, choice: Pick) -> Plan:
    """Weigh a buffet: what the others lose, and the service that comes with it (JD-30)."""
    single = [dessert for dessert in outlook.hand if dessert in choice.cards]
    played = tuple(sorted(sorted(single, key=outlook.keep)[: choice.least]))
    rest = tuple(dessert for dessert in outlook.hand if dessert not in played)
    taken = 0.0
    for other in outlook.others:
        if other.guests:
            taken += DENIAL * 2 * min(loss(other.guests, guest) for guest in other.guests)
    service = 0.0
    for guest in outlook.reach:
        serving = pick(guest, rest, favourite=False)
        if serving is not None:
            service = max(service, _serve_plan(outlook, guest, serving)[0])
    spent = sum(map(outlook.keep, played)) - BUFFET_DRAWS * USUAL
    return taken + service - spent + 0.5, actions.Buffet(played)


def _turn(outlook: Outlook, forms: Sequence[msgspec.Struct]) -> Action:
    plans = _service_plans(outlook, forms)
    for form in forms:
        match form:
            case EndForm():
                plans.append((0.0, actions.End()))
            case KitchenForm():
                plans.append((USUAL, actions.Kitchen()))
            case DumpForm():
                dump = _dump_plan(outlook)
                if dump is not None:
                    plans.append(dump)
            case BuffetForm(desserts=choice):
                plans.append(_buffet_plan(outlook, choice))
    return max(plans, key=lambda plan: plan[0])[1]


# What else is asked.


def _answer(outlook: Outlook, forms: Sequence[msgspec.Struct]) -> Action:
    """Block if what the guest means to both sides is worth the desserts (JD-21)."""
    offer = outlook.board.offer
    assert offer is not None
    for form in forms:
        if isinstance(form, BlockForm):
            spent, desserts = cheapest(form.desserts, outlook.hand, outlook.price(offer.guest))
            poacher = outlook.board.players[offer.seat]
            kept = loss(outlook.own.guests, offer.guest) + DENIAL * gain(
                poacher.guests, offer.guest
            )
            if kept > spent + USUAL:
                return actions.Block(desserts)
    return actions.LetGo()


def _return(outlook: Outlook, guests: Iterable[GuestName]) -> Action:
    """Return the guest that is missed least, and helps the opener of the buffet least."""
    opener = outlook.board.players[outlook.board.turn.seat]

    def missed(guest: GuestName) -> float:
        return loss(outlook.own.guests, guest) + DENIAL * gain(opener.guests, guest)

    return actions.ReturnGuest(min(guests, key=missed))


def _clear(outlook: Outlook, guests: Iterable[GuestName]) -> Action:
    """Discard the guest whom the others want more than this seat can use it."""

    def wanted(guest: GuestName) -> float:
        able = pick(guest, outlook.hand, favourite=False) is not None
        return gain(outlook.own.guests, guest) * (1.0 if able else 0.4) - 3 * outlook.denied(guest)

    return actions.DiscardGuest(min(guests, key=wanted))


def choose(scene: Scene, entropy: Entropy) -> dict[str, Any]:
    """Choose what promises most; equal promises go by the order of the list."""
    outlook = Outlook(scene)
    forms = scene.legal
    match forms[0]:
        case ReturnGuestForm():
            guests = [form.guest for form in forms if isinstance(form, ReturnGuestForm)]
            action = _return(outlook, guests)
        case DiscardGuestForm():
            guests = [form.guest for form in forms if isinstance(form, DiscardGuestForm)]
            action = _clear(outlook, guests)
        case BlockForm() | LetGoForm():
            action = _answer(outlook, forms)
        case _:
            action = _turn(outlook, forms)
    chosen: dict[str, Any] = msgspec.to_builtins(action)
    return chosen
