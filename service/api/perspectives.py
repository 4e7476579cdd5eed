"""Perspectives: a game as one seat saw it, for whoever may see more than that."""

from typing import Annotated

from msgspec import Meta

from domain.kernel.viewer import narrowed
from service.api.operation import Call
from service.api.problems import ApiError
from service.api.values import END
from service.api.views import Perspective, sight_of

SeenAs = Annotated[
    str,
    Meta(
        pattern=f"^(spectator|seat:[0-4]){END}",
        description="Show no more than `spectator`s saw, or whoever held that seat. Once the game"
        " is sealed everybody may look from every seat; until then only those who see a seat's"
        " private side anyway.",
        examples=["seat:1"],
    ),
]


def perspective_of(call: Call) -> Perspective:
    """Give the perspective that a query asks for.

    Raises ApiError where the caller may not look from there, or where there is no such seat.
    """
    asked = call.query.perspective
    if asked is None:
        return None
    if asked == "spectator":
        return ()
    seat = int(asked.partition(":")[2])
    table = call.held
    if not narrowed(sight_of(table, call.player, table.state.version), (seat,)).seats:
        raise ApiError("forbidden", f"Only seat {seat} sees its private side until the seal.")
    if seat >= len(table.state.table.seats):
        raise ApiError("not-found", f"There is no seat {seat} at this table.")
    return (seat,)
