"""What a seat can do, and the forms in which legal actions are listed."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.event import snake_case
from domain.kernel.forms import OneOf
from domain.memesio.cards import CardName
from domain.memesio.choices import Mixture, Sources, Words
from domain.memesio.sources import InventionSource, Source

NAME_MOST = 40  # characters of an invention's name (ME-11)

DessertNumber = Annotated[int, Meta(ge=1, le=1_000_000)]


class Action(Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True):
    """An action of Memesio's Café."""


class Cook(Action, frozen=True):
    """Cook the recipe of a card from hand (ME-3). It ends the turn.

    ``sources`` has one source for each of the recipe's components, in their order.
    """

    card: CardName
    sources: Annotated[tuple[Source, ...], Meta(min_length=2, max_length=5)]


class Stock(Action, frozen=True):
    """Put a card from hand into the pantry (ME-5). It ends the turn."""

    card: CardName


class AskMemesio(Action, frozen=True):
    """Play Memesio: take a recipe off the top of a pantry stack into hand (ME-7)."""

    card: CardName
    takes: CardName


class AskNyamonas(Action, frozen=True):
    """Play Meowt Nyamonas: swap an own dessert for a recipe on top of a stack (ME-8)."""

    card: CardName
    dessert: DessertNumber
    takes: CardName


class Kept(Struct, frozen=True, tag_field="as", tag=snake_case, forbid_unknown_fields=True):
    """What Maiti leaves of a dessert (ME-9)."""


class Hand(Kept, frozen=True):
    """One card, taken into hand. ``place`` counts the dessert's cards from 0, in ME-8's order."""

    place: Annotated[int, Meta(ge=0, le=99)]


class Alone(Kept, frozen=True):
    """One dual card, alone as a ready dessert; ``place`` as in :class:`Hand`."""

    place: Annotated[int, Meta(ge=0, le=99)]


class Nested(Kept, frozen=True):
    """A dessert nested in the broken one, with its cards and its mark."""

    dessert: DessertNumber


Keeps = Hand | Alone | Nested


class AskMaiti(Action, frozen=True):
    """Play Maiti: break an own dessert, keeping one card of it or one nested dessert (ME-9)."""

    card: CardName
    dessert: DessertNumber
    keeps: Keeps


class Invent(Action, frozen=True):
    """Play the Ladle: cook an invention from 2 or 3 basic ingredients and name it (ME-11)."""

    card: CardName
    sources: Annotated[tuple[InventionSource, ...], Meta(min_length=2, max_length=3)]
    name: Annotated[str, Meta(min_length=1, max_length=NAME_MOST)]


ACTIONS = (Cook, Stock, AskMemesio, AskNyamonas, AskMaiti, Invent)


class Form(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A legal action, parts of it yet to be chosen."""


class CookForm(Form, frozen=True, tag="cook"):
    """A recipe that can be cooked, and from what."""

    card: CardName
    sources: Sources


class StockForm(Form, frozen=True, tag="stock"):
    """A card to stock."""

    card: OneOf[CardName]


class AskMemesioForm(Form, frozen=True, tag="ask_memesio"):
    """Playing Memesio: a card to take."""

    card: CardName
    takes: OneOf[CardName]


class AskNyamonasForm(Form, frozen=True, tag="ask_nyamonas"):
    """Playing Meowt Nyamonas: a dessert to give, a card to take."""

    card: CardName
    dessert: OneOf[int]
    takes: OneOf[CardName]


class AskMaitiForm(Form, frozen=True, tag="ask_maiti"):
    """Playing Maiti on one dessert: what to keep of it."""

    card: CardName
    dessert: int
    keeps: OneOf[Keeps]


class InventForm(Form, frozen=True, tag="invent"):
    """Playing the Ladle: ingredients and a name to choose."""

    card: CardName
    sources: Mixture
    name: Words


FORMS = (CookForm, StockForm, AskMemesioForm, AskNyamonasForm, AskMaitiForm, InventForm)
