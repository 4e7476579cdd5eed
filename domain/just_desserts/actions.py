"""What a seat can do, and the forms in which legal actions are listed."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.just_desserts.menu import DessertName, GuestName
from domain.kernel.event import snake_case
from domain.kernel.forms import Pick

Chosen = Annotated[tuple[DessertName, ...], Meta(max_length=88)]
SeatNumber = Annotated[int, Meta(ge=0, le=4)]


class Action(Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True):
    """An action of Just Desserts."""


class Serve(Action, frozen=True):
    """Serve a guest in the centre or in the doorway (JD-4, JD-5)."""

    guest: GuestName
    desserts: Chosen


class End(Action, frozen=True):
    """End the turn after a service, or after a buffet without one (JD-4, JD-30)."""


class Kitchen(Action, frozen=True):
    """Go back to the kitchen: draw a dessert and end the turn (JD-3)."""


class Dump(Action, frozen=True):
    """Dump the tray: discard desserts, draw as many, and end the turn (JD-3)."""

    desserts: Chosen


class Poach(Action, frozen=True):
    """Offer desserts to a guest that another seat has won (JD-20)."""

    seat: SeatNumber
    guest: GuestName
    desserts: Chosen


class Block(Action, frozen=True):
    """Keep a guest from being poached by satisfying it again (JD-21)."""

    desserts: Chosen


class LetGo(Action, frozen=True):
    """Let a guest be poached (JD-24)."""


class Buffet(Action, frozen=True):
    """Open a buffet with exactly four desserts of a single taste each (JD-30)."""

    desserts: Chosen


class ReturnGuest(Action, frozen=True):
    """Return one of the own guests to the centre when another opens a buffet (JD-30)."""

    guest: GuestName


class DiscardGuest(Action, frozen=True):
    """At turn end, discard a guest that shares its suit with another in the centre (JD-7)."""

    guest: GuestName


ACTIONS = (
    Serve,
    End,
    Kitchen,
    Dump,
    Poach,
    Block,
    LetGo,
    Buffet,
    ReturnGuest,
    DiscardGuest,
)


class Form(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A legal action, its desserts yet to be chosen."""


class ServeForm(Form, frozen=True, tag="serve"):
    """Desserts to serve to a guest."""

    guest: GuestName
    desserts: Pick


class EndForm(Form, frozen=True, tag="end"):
    """Ending the turn."""


class KitchenForm(Form, frozen=True, tag="kitchen"):
    """Going back to the kitchen."""


class DumpForm(Form, frozen=True, tag="dump"):
    """Desserts to dump."""

    desserts: Pick


class PoachForm(Form, frozen=True, tag="poach"):
    """Desserts to offer to a seat's guest."""

    seat: int
    guest: GuestName
    desserts: Pick


class BlockForm(Form, frozen=True, tag="block"):
    """Desserts to keep a guest with."""

    desserts: Pick


class LetGoForm(Form, frozen=True, tag="let_go"):
    """Letting a guest go."""


class BuffetForm(Form, frozen=True, tag="buffet"):
    """Desserts to open a buffet with."""

    desserts: Pick


class ReturnGuestForm(Form, frozen=True, tag="return_guest"):
    """Returning a guest."""

    guest: GuestName


class DiscardGuestForm(Form, frozen=True, tag="discard_guest"):
    """Discarding a guest."""

    guest: GuestName


FORMS = (
    ServeForm,
    EndForm,
    KitchenForm,
    DumpForm,
    PoachForm,
    BlockForm,
    LetGoForm,
    BuffetForm,
    ReturnGuestForm,
    DiscardGuestForm,
)
