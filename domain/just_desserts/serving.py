"""What satisfies a guest (JD-4), asked of card facts alone."""

from collections.abc import Iterable

from domain.just_desserts.cards import (
    CRAVES,
    FAVOURITES,
    REFUSES,
    TASTES,
    Desserts,
    desserts_with,
)
from domain.just_desserts.menu import DessertName, GuestName, Taste
from domain.just_desserts.options import Options
from domain.kernel.errors import Refusal
from domain.kernel.forms import Pick


def satisfies(guest: GuestName, desserts: Iterable[DessertName]) -> bool:
    """Say whether desserts show all that a guest craves and nothing that it refuses (JD-4).

    >>> satisfies("the-professor", ["pound-cake", "fruit-salad"])
    True
    >>> satisfies("the-professor", ["pound-cake", "fruit-salad", "fudge"])
    False
    """
    shown: frozenset[Taste] = frozenset().union(*[TASTES[dessert] for dessert in desserts])
    return CRAVES[guest] <= shown and not REFUSES[guest] & shown


def check_satisfies(guest: GuestName, desserts: Desserts) -> None:
    """Refuse desserts that do not satisfy a guest, naming the first fault (JD-4)."""
    if satisfies(guest, desserts):
        return
    for dessert in desserts:
        refused = REFUSES[guest] & TASTES[dessert]
        if refused:
            raise Refusal(
                "taste_refused",
                rule="JD-4",
                pointer="/desserts",
                guest=guest,
                dessert=dessert,
                taste=min(refused),
            )
    missing = CRAVES[guest].difference(*[TASTES[dessert] for dessert in desserts])
    raise Refusal(
        "craving_unmet", rule="JD-4", pointer="/desserts", guest=guest, taste=min(missing)
    )


def favourites_among(guest: GuestName, desserts: Iterable[DessertName]) -> int:
    """Count the desserts that are favourites of a guest (JD-6)."""
    return sum(dessert in FAVOURITES[guest] for dessert in desserts)


def usable(guest: GuestName, desserts: Iterable[DessertName]) -> Desserts:
    """Give the desserts that a guest does not refuse, in the given order."""
    return tuple(dessert for dessert in desserts if not REFUSES[guest] & TASTES[dessert])


def pick(guest: GuestName, desserts: Iterable[DessertName], *, favourite: bool) -> Pick | None:
    """Give the choice of desserts that satisfy a guest; None if these desserts cannot.

    Any set of the usable ones will do that meets the list of each craving, and with ``favourite``
    the list of the guest's favourites as well (JD-21).
    """
    offered = usable(guest, desserts)
    meet = [
        tuple(dessert for dessert in offered if taste in TASTES[dessert])
        for taste in sorted(CRAVES[guest])
    ]
    if favourite:
        meet.append(tuple(dessert for dessert in offered if dessert in FAVOURITES[guest]))
    return Pick(offered, 1, len(offered), tuple(meet)) if all(meet) else None


def can_be_blocked(options: Options, guest: GuestName, offered: Desserts) -> bool:
    """Say whether any desserts of this game but the offered ones would block a poach (JD-22).

    Wherever they are: the answer must tell nothing that the cards do not tell everyone.
    """
    others = [dessert for dessert in desserts_with(options.boxes) if dessert not in offered]
    favourite = favourites_among(guest, offered) > 0
    return pick(guest, others, favourite=favourite) is not None
