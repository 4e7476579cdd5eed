"""Legal actions as forms.

A legal action is listed either as the action itself or as a form: the action with a
:class:`Choice` in the place of what is to be chosen, a :class:`Pick` of cards, say. Every action
that fits a listed form is accepted, and nothing else is.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

T = TypeVar("T")


class Entropy(Protocol):
    """What a bundled player decides by; the domain itself has no chance of its own."""

    def randrange(self, stop: int, /) -> int:
        """Give a number from 0 to stop - 1."""


@runtime_checkable
class Choice(Protocol):
    """What stands in a form where something is to be chosen. A game may have kinds of its own."""

    def accepts(self, chosen: Any) -> bool:
        """Say whether what was chosen fits."""

    def choose(self, entropy: Entropy) -> Any:
        """Choose something at random that fits."""


class OneOf(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One of ``values`` to choose; each is listed once."""

    values: tuple[T, ...]

    def accepts(self, chosen: Any) -> bool:
        """Say whether a value is among those listed."""
        return chosen in self.values

    def choose(self, entropy: Entropy) -> T:
        """Choose one of the values, all equally likely."""
        return self.values[entropy.randrange(len(self.values))]


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards to choose.

    From ``cards`` (a card listed twice may be chosen twice) at least ``least`` and at most
    ``most`` are chosen, such that the choice holds at least one card of each list in ``meet``.
    """

    cards: tuple[str, ...]
    least: int
    most: int
    meet: tuple[tuple[str, ...], ...] = ()

    def accepts(self, chosen: Sequence[str]) -> bool:
        """Say whether a choice of cards fits."""
        if not self.least <= len(chosen) <= self.most:
            return False
        if Counter(chosen) - Counter(self.cards):
            return False
        return all(any(card in listed for card in chosen) for listed in self.meet)

    def choose(self, entropy: Entropy) -> tuple[str, ...]:
        """Choose at random: every list met, then more cards."""
        return choose(self, entropy)


def fits(form: msgspec.Struct, action: msgspec.Struct) -> bool:
    """Say whether an action fits a listed form: same type, same fields, each choice accepted."""
    if form.__struct_config__.tag != action.__struct_config__.tag:
        return False
    for field in form.__struct_fields__:
        wanted, given = getattr(form, field), getattr(action, field)
        if isinstance(wanted, Choice):
            if not wanted.accepts(given):
                return False
        elif wanted != given:
            return False
    return True


def choose(pick: Pick, entropy: Entropy) -> tuple[str, ...]:
    """Make a random choice that fits a pick: every list met, then more cards at random."""
    rest = list(pick.cards)
    chosen: list[str] = []
    for listed in pick.meet:
        if any(card in listed for card in chosen):
            continue
        fitting = [index for index, card in enumerate(rest) if card in listed]
        chosen.append(rest.pop(fitting[entropy.randrange(len(fitting))]))
    low, high = max(pick.least, len(chosen)), min(pick.most, len(pick.cards))
    size = low + entropy.randrange(high - low + 1) if high > low else low
    while len(chosen) < size:
        chosen.append(rest.pop(entropy.randrange(len(rest))))
    return tuple(chosen)


def fill(form: msgspec.Struct, entropy: Entropy) -> dict[str, Any]:
    """Turn a form into an action's JSON value, its choices made at random."""
    action: dict[str, Any] = {"type": form.__struct_config__.tag}
    for field in form.__struct_fields__:
        value = getattr(form, field)
        chosen = value.choose(entropy) if isinstance(value, Choice) else value
        action[field] = msgspec.to_builtins(chosen)
    return action
