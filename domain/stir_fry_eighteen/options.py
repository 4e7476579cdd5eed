"""The options of a game of Stir Fry Eighteen."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct


class AccuserReward(StrEnum):
    """When the accuser of a caught bluff draws (SF-8)."""

    AT_ONCE = "at_once"
    NEXT_TURN = "next_turn"


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Stir Fry Eighteen; one that is not given has the value of the basic game.

    ``first_player`` is the seat that begins (drawn at random if null, SF-1); ``accuser_reward``
    when the accuser of a caught bluff draws (SF-8); ``draw_after_cooking`` draws a card after a
    meal (SF-12); ``target`` the points that end the game and ``close_the_kitchen`` a last turn
    for everyone else (SF-14); ``tofu`` the promotional card (SF-16); ``max_turns`` ends the game
    after so many turns of all seats (off if null, SF-18).
    """

    first_player: Annotated[int, Meta(ge=0, le=4)] | None = None
    accuser_reward: AccuserReward = AccuserReward.AT_ONCE
    draw_after_cooking: bool = False
    target: Annotated[int, Meta(ge=1, le=300)] = 50
    close_the_kitchen: bool = False
    tofu: bool = False
    max_turns: Annotated[int, Meta(ge=1, le=10_000)] | None = None
