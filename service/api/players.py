"""Players: an identity with a bearer token."""

import asyncio

import msgspec

from service.api.games import PRIVATE
from service.api.operation import Call, Operation, Reply
from service.api.shapes import NewPlayer, Person, PersonList, Player, PlayerWithToken


async def create_player(call: Call) -> Reply:
    """Make a player and show the token, this once."""
    account, token = await call.service.accounts.create(call.body.name)
    body = PlayerWithToken(account.id, account.name, account.created, token)
    return Reply(body, status=201, headers={"Location": "/v1/players/me", **PRIVATE})


async def get_me(call: Call) -> Reply:
    """Give the caller's own record."""
    return Reply(Player(call.caller.id, call.caller.name, call.caller.created), headers=PRIVATE)


async def list_people(call: Call) -> Reply:
    """Name those who have a part in a game: its host, its judges, whoever sits or sat there."""
    table = call.held.state.table
    ids = sorted({table.host, *table.judges, *(tenure.player for tenure in table.tenures)})
    found = await asyncio.gather(*(call.service.accounts.of(player) for player in ids))
    people = tuple(Person(account.id, account.name) for account in found if account is not None)
    return Reply(PersonList(call.path["game"], people), headers=PRIVATE)


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
    Operation(
        id="listPeople",
        method="GET",
        path="/v1/games/{game:str}/players",
        tag="players",
        summary="List the names of a game's people",
        description="Names those who have a part in this game: its host, its judges, and whoever"
        " sits or sat at it. Names stand beside the log, so they can be erased; whoever has none is"
        " left out.",
        handler=list_people,
        access="optional",
        response=PersonList,
        response_description="Ids and names.",
    ),
)
