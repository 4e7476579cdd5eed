"""Seats: join, seat a bundled player, leave, start."""

import msgspec

from domain.kernel.decide import (
    Command,
    Join,
    Pause,
    SeatBundled,
    Start,
    Vacate,
    player_actor,
    seat_actor,
    seat_of,
)
from service.api import shapes
from service.api.commands import carry_out
from service.api.games import command_reply, result_shape
from service.api.operation import Call, Link, Operation, Reply
from service.tables import Table

_LATER = {"game": "$request.path.game"}


async def take_seat(call: Call) -> Reply:
    """Join, or seat a bundled player as the host."""
    body, player = call.body, call.caller.id
    actor = player_actor(player)

    def make(table: Table) -> tuple[Command, str]:
        if isinstance(body, shapes.Join):
            return Join(player=player, seat=body.seat, nonce=body.nonce), actor
        return SeatBundled(player=player, bundled=body.bundled, seat=body.seat), actor

    return command_reply(call, await carry_out(call, make))


async def leave_seat(call: Call) -> Reply:
    """Leave one's seat; as the host free any seat before the start."""
    player, seat = call.caller.id, call.path["seat"]

    def make(_: Table) -> tuple[Command, str]:
        return Vacate(player=player, seat=seat), player_actor(player)

    return command_reply(call, await carry_out(call, make))


async def start_game(call: Call) -> Reply:
    """Start the game, as its host."""
    player = call.caller.id

    def make(_: Table) -> tuple[Command, str]:
        return Start(player=player), player_actor(player)

    return command_reply(call, await carry_out(call, make))


async def pause_game(call: Call) -> Reply:
    """Vote to pause or to go on."""
    player = call.caller.id

    def make(table: Table) -> tuple[Command, str]:
        seat = seat_of(table.state, player)
        return Pause(seat=seat, pause=call.body.pause), seat_actor(seat)

    return command_reply(call, await carry_out(call, make))


OPERATIONS = (
    Operation(
        id="takeSeat",
        method="POST",
        path="/v1/games/{game:str}/seats",
        tag="seats",
        summary="Take a seat",
        description="Takes a seat for the caller, or seats a bundled player if the caller is the"
        " host. Possible until the start.",
        handler=take_seat,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The seat is taken.",
        body=msgspec.json.Decoder(shapes.Seating),
        body_shape=shapes.Seating,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=(
            "forbidden",
            "game-started",
            "game-over",
            "seat-taken",
            "already-seated",
            "unknown-bundled-player",
        ),
        links=(Link("start", "startGame", _LATER, "The start, once every seat is taken."),),
    ),
    Operation(
        id="leaveSeat",
        method="DELETE",
        path="/v1/games/{game:str}/seats/{seat:str}",
        tag="seats",
        summary="Leave a seat",
        description="Before the start it frees the seat, which its holder and the host may do."
        " After the start it is its holder's own final act: there is no way back, and the rules"
        " say what becomes of the hand. Being away is not leaving.",
        handler=leave_seat,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The seat is left.",
        keyed=True,
        conditional=True,
        fresh=False,
        problems=("not-found", "forbidden", "seat-empty", "game-over"),
    ),
    Operation(
        id="startGame",
        method="POST",
        path="/v1/games/{game:str}/start",
        tag="seats",
        summary="Start the game",
        description="Starts the game; its host does, once every seat is taken. From now on all"
        " chance of the game is fixed by the seed and the seats' nonces.",
        handler=start_game,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The game is running.",
        keyed=True,
        conditional=True,
        fresh=False,
        problems=("forbidden", "game-started", "game-over", "seats-free"),
        links=(
            Link("listActions", "listActions", _LATER, "What the caller may do now."),
            Link("look", "getGame", _LATER, "The game."),
        ),
    ),
    Operation(
        id="pauseGame",
        method="POST",
        path="/v1/games/{game:str}/pause",
        tag="seats",
        summary="Pause, or go on",
        description="Votes for the caller's seat. The game pauses once every person at the table"
        " wants it to: no clock runs and nothing can be played. It goes on once all want that."
        " Bundled players agree to anything.",
        handler=pause_game,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The vote is recorded.",
        body=msgspec.json.Decoder(shapes.PauseWish),
        body_shape=shapes.PauseWish,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=("forbidden", "already-so", "game-not-started", "game-over"),
    ),
)
