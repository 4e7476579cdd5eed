"""Players: an identity with a bearer token."""

import msgspec

from service.api.games import PRIVATE
from service.api.operation import Call, Operation, Reply
from service.api.shapes import NewPlayer, Player, PlayerWithToken


async def create_player(call: Call) -> Reply:
    """Make a player and show the token, this once."""
    account, token = await call.service.accounts.create(call.body.name)
    body = PlayerWithToken(account.id, account.name, account.created, token)
    return Reply(body, status=201, headers={"Location": "/v1/players/me", **PRIVATE})


async def get_me(call: Call) -> Reply:
    """Give the caller's own record."""
    return Reply(Player(call.caller.id, call.caller.name, call.caller.created), headers=PRIVATE)


OPERATIONS = (
    Operation(
        id="createPlayer",
        method="POST",
        path="/v1/players",
        tag="players",
        summary="Become a player",
        description="Makes an identity with a bearer token. The token is shown once and stored"
        " as a hash: keep it. This is the one command that is not safe to retry, since an answer"
        " with a token cannot be given twice; a lost answer costs nothing but an unused identity.",
        handler=create_player,
        status=201,
        response=PlayerWithToken,
        response_description="The player, and the token of theirs that nobody can ask for again.",
        body=msgspec.json.Decoder(NewPlayer),
        body_shape=NewPlayer,
    ),
    Operation(
        id="getMe",
        method="GET",
        path="/v1/players/me",
        tag="players",
        summary="Who am I?",
        description="Gives the player whose token the request carries.",
        handler=get_me,
        access="player",
        response=Player,
        response_description="The caller.",
    ),
)
