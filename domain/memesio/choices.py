"""What is chosen in the forms of this game: the sources of a dessert, and an invention's name."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.forms import Entropy
from domain.memesio.cards import INGREDIENT, Cards
from domain.memesio.deck import ComponentName
from domain.memesio.sources import (
    FromHand,
    FromPacket,
    FromPantry,
    FromTable,
    InventionSource,
    Source,
)


class Component(Struct, frozen=True):
    """One component of a recipe, and the sources that can fill it."""

    name: ComponentName
    sources: tuple[Source, ...]


class Serving(Struct, frozen=True):
    """A dessert on the table that the recipe can use: its author's seat, and whether marked."""

    dessert: int
    seat: int
    marked: bool


class Sources(Struct, frozen=True):
    """One source for each of a recipe's components, in their order (ME-3).

    Component by component one of its sources is chosen, such that each card of ``hand`` (what is
    left of the hand; as an ingredient or as a packet) and each dessert is used once, and the
    cards from each of ``stacks`` are taken from the top, first card first.

    What the dessert brings, in half-screams (ME-4, ME-10): nothing with a packet, ``halved`` with
    a marked dessert, else ``full``; and half of that to every other author of a dessert used
    (``servings`` has the authors).
    """

    components: tuple[Component, ...]
    hand: Cards
    stacks: tuple[Cards, ...]
    servings: tuple[Serving, ...]
    full: int
    halved: int

    def accepts(self, chosen: Sequence[Source]) -> bool:
        """Say whether sources fit."""
        if len(chosen) != len(self.components):
            return False
        return all(
            source in component.sources and self.allows(chosen[:index], source)
            for index, (component, source) in enumerate(zip(self.components, chosen, strict=True))
        )

    def allows(self, before: Sequence[Source], source: Source) -> bool:
        """Say whether a source can still be used after those before it."""
        if isinstance(source, FromTable):
            return source not in before
        return _in_reach(self.hand, self.stacks, before, source)

    def choose(self, entropy: Entropy) -> tuple[Source, ...]:
        """Choose sources at random."""
        chosen: list[Source] = []
        assert self._extend(chosen, entropy), "only what can be cooked is listed"
        return tuple(chosen)

    def _extend(self, chosen: list[Source], entropy: Entropy) -> bool:
        if len(chosen) == len(self.components):
            return True
        rest = list(self.components[len(chosen)].sources)
        while rest:
            source = rest.pop(entropy.randrange(len(rest)))
            if self.allows(chosen, source):
                chosen.append(source)
                if self._extend(chosen, entropy):
                    return True
                chosen.pop()
        return False


def _in_reach(
    hand: Cards, stacks: tuple[Cards, ...], before: Sequence[Source], source: Source
) -> bool:
    """Say whether a card is still in hand, or on top of its stack, after others were used."""
    assert not isinstance(source, FromTable)
    card = source.card
    if not isinstance(source, FromPantry):
        used = sum(
            1 for other in before if isinstance(other, FromHand | FromPacket) and other.card == card
        )
        return used < hand.count(card)
    name = INGREDIENT.get(card)
    taken = sum(
        1
        for other in before
        if isinstance(other, FromPantry) and INGREDIENT.get(other.card) == name
    )
    for stack in stacks:
        if INGREDIENT[stack[0]] == name:
            return taken < len(stack) and stack[taken] == card
    return False


class Mixture(Struct, frozen=True):
    """``least`` to ``most`` basic ingredients of any kind, from hand or pantry (ME-11).

    Each card of ``hand`` is used once, and the cards from each of ``stacks`` are taken from the
    top, first card first.
    """

    hand: Cards
    stacks: tuple[Cards, ...]
    least: int
    most: int

    def accepts(self, chosen: Sequence[InventionSource]) -> bool:
        """Say whether sources fit."""
        return self.least <= len(chosen) <= self.most and all(
            _in_reach(self.hand, self.stacks, chosen[:index], source)
            for index, source in enumerate(chosen)
        )

    def choose(self, entropy: Entropy) -> tuple[InventionSource, ...]:
        """Choose ingredients at random."""
        hand, stacks = list(self.hand), [list(stack) for stack in self.stacks]
        size = self.least + entropy.randrange(self.most - self.least + 1)
        chosen: list[InventionSource] = []
        while len(chosen) < size:
            stacks = [stack for stack in stacks if stack]
            index = entropy.randrange(len(hand) + len(stacks))
            if index < len(hand):
                chosen.append(FromHand(hand.pop(index)))
            else:
                chosen.append(FromPantry(stacks[index - len(hand)].pop(0)))
        return tuple(chosen)


SYLLABLES = ("meo", "mya", "nya", "mur", "prr", "mio")


class Words(Struct, frozen=True):
    """A name of ``least`` to ``most`` characters, in the player's own words (ME-11)."""

    least: int
    most: int

    def accepts(self, chosen: Any) -> bool:
        """Say whether a name fits."""
        return isinstance(chosen, str) and self.least <= len(chosen) <= self.most

    def choose(self, entropy: Entropy) -> str:
        """Make a name up, as a cat would."""
        return "".join(SYLLABLES[entropy.randrange(len(SYLLABLES))] for _ in range(3))
