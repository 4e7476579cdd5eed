"""The options of a game of Just Desserts."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.just_desserts.menu import CardSet


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Just Desserts; one that is not given has the value of the basic game.

    ``first_player`` is the seat that begins (drawn at random if null, JD-1); ``advanced`` turns
    on poaching and buffets together, ``poaching`` (JD-20) and ``buffet`` (JD-30) each alone: one
    that is null follows ``advanced``; ``just_coffee`` and ``better_with_bacon`` shuffle in an
    expansion each (JD-40).
    """

    first_player: Annotated[int, Meta(ge=0, le=4)] | None = None
    advanced: bool = False
    poaching: bool | None = None
    buffet: bool | None = None
    just_coffee: bool = False
    better_with_bacon: bool = False

    @property
    def has_poaching(self) -> bool:
        """Whether guests may be poached (JD-20)."""
        return self.advanced if self.poaching is None else self.poaching

    @property
    def has_buffet(self) -> bool:
        """Whether buffets may be opened (JD-30)."""
        return self.advanced if self.buffet is None else self.buffet

    @property
    def boxes(self) -> frozenset[CardSet]:
        """The expansions that are shuffled in (JD-40)."""
        boxes: list[CardSet] = []
        if self.just_coffee:
            boxes.append("just_coffee")
        if self.better_with_bacon:
            boxes.append("better_with_bacon")
        return frozenset(boxes)
