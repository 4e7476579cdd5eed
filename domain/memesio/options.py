"""The options of a game of Memesio's Café."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Memesio's Café.

    ``first_player`` is the seat that begins (drawn at random if null, ME-1).
    """

    first_player: Annotated[int, Meta(ge=0, le=4)] | None = None
