"""Actions: what a seat may do now, and doing it."""

import msgspec

from domain.kernel.decide import Act, Command, seat_actor, seat_of
from domain.kernel.event import TextRef
from service.api.commands import carry_out
from service.api.game_shapes import union_of
from service.api.games import PRIVATE, command_reply, result_shape
from service.api.operation import Call, Link, Operation, Reply
from service.api.problems import ApiError
from service.api.views import decision_view, entity_tag, sight_of, you
from service.tables import Table

_LATER = {"game": "$request.path.game"}


async def list_actions(call: Call) -> Reply:
    """List what the caller may do now: nothing for who is not asked."""
    table = call.held
    state = table.state
    seat = state.table.seat_of(call.caller.id)
    legal = () if seat is None or state.game is None else table.ruleset.legal(state.game, seat)
    view = sight_of(table, call.player, state.version)
    body = {
        "ruleset": table.ruleset.id,
        "game": state.table.game,
        "version": state.version,
        "you": you(state, call.player),
        "decision": decision_view(state),
        "legal": legal,
    }
    return Reply(body, headers={"ETag": entity_tag(state, call.player, view), **PRIVATE})


async def act(call: Call) -> Reply:
    """Answer a decision for the caller's seat."""
    body = call.body
    player = call.caller.id

    def make(table: Table) -> tuple[Command, str]:
        seat = seat_of(table.state, player)
        command = Act(seat=seat, decision=body.decision, action=body.action, text=text)
        return command, seat_actor(seat)

    text = await _keep_free_text(call)
    try:
        done = await carry_out(call, make)
    except ApiError:
        # Only where it is certain that no event refers to it: after anything else, a store that
        # gave no answer say, the action may have been recorded.
        await _forget(call, text)
        raise
    if done.repeated:
        await _forget(call, text)
    return command_reply(call, done)


async def _keep_free_text(call: Call) -> TextRef | None:
    """Keep an action's free text beside the log, before the event that refers to it."""
    ruleset, action = call.held.ruleset, call.body.action
    field = ruleset.free_text.get(action.__struct_config__.tag)
    if field is None or call.body.__struct_config__.tag != ruleset.id:
        return None
    return await call.service.words.keep(call.path["game"], getattr(action, field))


async def _forget(call: Call, text: TextRef | None) -> None:
    """Erase free text that no event refers to."""
    if text is not None:
        await call.service.words.erase(call.path["game"], text.id)


OPERATIONS = (
    Operation(
        id="listActions",
        method="GET",
        path="/v1/games/{game:str}/actions",
        tag="actions",
        summary="List my legal actions",
        description="Lists what the caller may do now, completely: each entry is an action or a"
        " form in which cards are to be chosen. Send one back with the decision's id.",
        handler=list_actions,
        access="player",
        response=union_of("actions"),
        tagged=True,
        response_description="The open decision and the caller's legal actions.",
        links=(Link("act", "act", _LATER, "One of the actions that are listed."),),
    ),
    Operation(
        id="act",
        method="POST",
        path="/v1/games/{game:str}/actions",
        tag="actions",
        summary="Act",
        description="Answers the decision that it names, for the caller's seat. The answer holds"
        " the events that followed and the game right after them, as the caller sees both.",
        handler=act,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The action is recorded.",
        body=msgspec.json.Decoder(union_of("act")),
        body_shape=union_of("act"),
        keyed=True,
        conditional=True,
        fresh=False,
        problems=(
            "forbidden",
            "illegal-action",
            "decision-closed",
            "superseded",
            "wrong-ruleset",
            "game-not-started",
            "game-over",
            "paused",
        ),
        links=(
            Link("listActions", "listActions", _LATER, "What the caller may do next."),
            Link("listEvents", "listEvents", _LATER, "The events so far."),
        ),
    ),
)
