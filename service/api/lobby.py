"""The lobby: invitations that work once, and rematches."""

import hashlib
import hmac

import msgspec

from domain.kernel.decide import Command, Create, Invite, UseInvitation, player_actor
from domain.kernel.event import InvitationMade
from service.api import shapes
from service.api.commands import carry_out
from service.api.games import PRIVATE, command_reply, game_id, open_table, result_shape
from service.api.operation import GAME_ID, Call, Link, Operation, Reply, may_know
from service.api.problems import ApiError
from service.tables import Table, belonging

SECRET_BYTES = 16


def digest_of(secret: str) -> str:
    """Give the digest under which an invitation's secret stands in the log."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


async def make_invitation(call: Call) -> Reply:
    """Make an invitation, as the host. The secret is in the answer and nowhere else."""
    player, game = call.caller.id, call.path["game"]
    secret = await _secret(call)

    def make(_: Table) -> tuple[Command, str]:
        return Invite(player=player, digest=digest_of(secret)), player_actor(player)

    done = await carry_out(call, make)
    made = next(r for r in done.records if isinstance(r.event, InvitationMade))
    headers = {"Idempotency-Replayed": "true", **PRIVATE} if done.repeated else PRIVATE
    link = f"/play/{game}#{secret}"
    return Reply(shapes.InvitationView(game, made.version, secret, link), headers=dict(headers))


async def _secret(call: Call) -> str:
    """Make a secret; a repeat under the same key gives the same one again."""
    if call.key.key is None:
        return call.service.sources.random_bytes(SECRET_BYTES).hex()
    store_secret = await call.service.store.secret()
    whole = hmac.digest(store_secret, b"invitation\n" + call.key.key, hashlib.sha256)
    return whole[:SECRET_BYTES].hex()


async def use_invitation(call: Call) -> Reply:
    """Use an invitation. Without the right secret a private game stays unknown."""
    game, player = call.body.game, call.caller.id
    digest = digest_of(call.body.secret)
    tables = call.service.tables
    table = await tables.current(game) if GAME_ID.fullmatch(game) else None
    known = table is not None and may_know(table.state, call.player)
    if table is None or not (known or _is_open(table, digest)):
        raise ApiError("game-not-found", f"There is no game {game!r} that you may know of.")
    call.path["game"], call.table = game, table

    def make(_: Table) -> tuple[Command, str]:
        return UseInvitation(player=player, digest=digest), player_actor(player)

    return command_reply(call, await carry_out(call, make))


def _is_open(table: Table, digest: str) -> bool:
    return any(hmac.compare_digest(each.digest, digest) for each in table.state.table.invitations)


async def rematch(call: Call) -> Reply:
    """Open another table like this one, with everybody invited who belonged to it."""
    state, ruleset = call.held.state, call.held.ruleset
    table, player = state.table, call.caller.id
    if player != table.host and not table.has_sat(player):
        raise ApiError("forbidden", "Only the host and who sat at the table may ask for a rematch.")
    if not table.sealed and (state.game is None or state.game.outcome is None):
        raise ApiError("game-running", "The game has not ended yet.")
    command = Create(
        game=await game_id(call),
        ruleset_version=ruleset.version,
        options=msgspec.convert(table.options, ruleset.options),
        seats=len(table.seats),
        host=player,
        public=table.public,
        seed=call.service.sources.random_bytes(32).hex(),
        clock=table.clock,
        expires=call.service.expires,
        rematch_of=table.game,
        invited=tuple(sorted(belonging(state) - {player})),
    )
    return await open_table(call, ruleset, command)


_MADE = {"game": "$response.body#/game/id"}

OPERATIONS = (
    Operation(
        id="makeInvitation",
        method="POST",
        path="/v1/games/{game:str}/invitations",
        tag="lobby",
        summary="Make an invitation",
        description="Makes an invitation to the table, as the host. Whoever has its secret can use"
        " it once, and then knows the game, private or not. The secret is in this answer only; in a"
        " link it stands in the fragment, which no browser sends anywhere.",
        handler=make_invitation,
        access="player",
        response=shapes.InvitationView,
        response_description="The invitation.",
        keyed=True,
        conditional=True,
        fresh=False,
        problems=("forbidden", "game-over", "not-possible"),
    ),
    Operation(
        id="useInvitation",
        method="POST",
        path="/v1/invitations/uses",
        tag="lobby",
        summary="Use an invitation",
        description="Uses an invitation: from now on the caller knows the game and finds it among"
        " their own. Without the right secret a private game answers as if it did not exist.",
        handler=use_invitation,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The caller knows the game.",
        body=msgspec.json.Decoder(shapes.InvitationUse),
        body_shape=shapes.InvitationUse,
        keyed=True,
        problems=("game-not-found", "invitation-spent"),
        links=(Link("join", "takeSeat", _MADE, "A seat at the table.", {"type": "join"}),),
    ),
    Operation(
        id="rematch",
        method="POST",
        path="/v1/games/{game:str}/rematch",
        tag="lobby",
        summary="Ask for a rematch",
        description="Opens another table of the same game, options, seats and clock, with the"
        " caller as its host. Everybody who belonged to the ended one finds it among their games."
        " It is a new game with chance of its own.",
        handler=rematch,
        access="player",
        status=201,
        response=result_shape(),
        tagged=True,
        response_description="The table is open.",
        keyed=True,
        problems=("forbidden", "game-running"),
        links=(Link("join", "takeSeat", _MADE, "A seat at the new table.", {"type": "join"}),),
    ),
)
