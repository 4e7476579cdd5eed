"""What a seat can do, and the forms in which legal actions are listed."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.event import snake_case
from domain.kernel.forms import Pick
from domain.stir_fry_eighteen.cards import CardName, ProteinName


class Action(Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True):
    """An action of Stir Fry Eighteen."""


class DiscardPair(Action, frozen=True):
    """Discard two cards face down as two identical ones, to draw 3 (SF-3). Bluffing is allowed."""

    cards: Annotated[tuple[CardName, ...], Meta(min_length=2, max_length=2)]


class DiscardProtein(Action, frozen=True):
    """Discard a card face down as the declared protein, to draw 2 to 4 (SF-4).

    Any card may be laid under any name: bluffing is allowed.
    """

    declared: ProteinName
    cards: Annotated[tuple[CardName, ...], Meta(min_length=1, max_length=1)]


class Cook(Action, frozen=True):
    """Cook a dish of 3 to 5 different cards, noodles among them (SF-11). It ends the turn."""

    cards: Annotated[tuple[CardName, ...], Meta(min_length=3, max_length=5)]


class EndTurn(Action, frozen=True):
    """End the turn without a meal (SF-11)."""


class Call(Action, frozen=True):
    """Demand a taste test of the discard that has just been declared (SF-6)."""


class Pass(Action, frozen=True):
    """Let the discard stand. A pass is final (SF-6)."""


class Reduce(Action, frozen=True):
    """At turn end, discard face down to exactly 3 cards (SF-12)."""

    cards: Annotated[tuple[CardName, ...], Meta(min_length=1, max_length=18)]


ACTIONS = (DiscardPair, DiscardProtein, Cook, EndTurn, Call, Pass, Reduce)


class Form(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A legal action, its cards yet to be chosen."""


class DiscardPairForm(Form, frozen=True, tag="discard_pair"):
    """Two cards to discard as a pair."""

    cards: Pick


class DiscardProteinForm(Form, frozen=True, tag="discard_protein"):
    """A card to discard as the declared protein."""

    declared: ProteinName
    cards: Pick


class CookForm(Form, frozen=True, tag="cook"):
    """Cards to cook."""

    cards: Pick


class EndTurnForm(Form, frozen=True, tag="end_turn"):
    """Ending the turn."""


class CallForm(Form, frozen=True, tag="call"):
    """Demanding a taste test."""


class PassForm(Form, frozen=True, tag="pass"):
    """Passing."""


class ReduceForm(Form, frozen=True, tag="reduce"):
    """Cards to discard at turn end."""

    cards: Pick


FORMS = (
    DiscardPairForm,
    DiscardProteinForm,
    CookForm,
    EndTurnForm,
    CallForm,
    PassForm,
    ReduceForm,
)
