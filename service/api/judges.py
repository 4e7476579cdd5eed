"""Judges and motions: rulings on record, what seats agree on, and the log of looks."""

from collections.abc import Callable

import msgspec

from domain.kernel.commands import Command, MakeMotion, NameJudge, Rule, Vote
from domain.kernel.decide import player_actor, seat_actor, seat_of
from domain.kernel.errors import Refusal
from domain.kernel.event import Ruled, TextRef
from domain.kernel.judging import no_such_player
from domain.kernel.viewer import SPECTATOR, seen
from service.api import shapes
from service.api.commands import carry_out, refused
from service.api.games import PRIVATE, command_reply, result_shape
from service.api.operation import GAME_ID, SMALL_NUMBER, Call, Operation, Reply
from service.api.problems import ApiError
from service.api.views import game_view
from service.tables import Done, Table

Made = Callable[[Table, TextRef | None], tuple[Command, str]]


def judge_actor(player: str) -> str:
    """Name a judge as actor."""
    return f"judge:{player}"


async def name_judge(call: Call) -> Reply:
    """Name a judge, as the host, before the start."""
    player = call.caller.id

    def make(_: Table) -> tuple[Command, str]:
        return NameJudge(player=player, judge=call.body.judge), player_actor(player)

    return command_reply(call, await carry_out(call, make))


async def list_rulings(call: Call) -> Reply:
    """List the rulings, read off the caller's own view of the log."""
    game = call.path["game"]
    found = []
    for record in await call.service.tables.records(game, 0, call.held.state.version):
        if isinstance(record.event, Ruled):
            text = record.event.text
            judge = record.actor.removeprefix("judge:")
            found.append(
                shapes.RulingView(
                    version=record.version,
                    time=record.time,
                    judge=judge,
                    ruling=record.event.ruling,
                    text=text.id if text else None,
                )
            )
    return Reply(shapes.RulingList(game, tuple(found)), headers=PRIVATE)


async def rule(call: Call) -> Reply:
    """Rule, as a judge."""

    def make(table: Table, text: TextRef | None) -> tuple[Command, str]:
        return _ruling(call, table, text), judge_actor(call.caller.id)

    return command_reply(call, await _with_reason(call, call.body.reason, make))


def _ruling(call: Call, table: Table, text: TextRef | None) -> Rule:
    if call.caller.id in table.state.table.judges:
        _expect_ids(call.body.ruling)
    return Rule(judge=call.caller.id, ruling=call.body.ruling, text=text)


def _expect_ids(fact: msgspec.Struct) -> None:
    """Refuse a ruling or a motion that names a person by what is no id."""
    for field in ("player", "judge"):
        person = getattr(fact, field, None)
        if person is not None and not GAME_ID.fullmatch(person):
            raise no_such_player(person, f"/{field}")


async def preview_ruling(call: Call) -> Reply:
    """Show what a ruling would do, as a spectator would see it.

    Not as the judge: what would be drawn is chance to come, and nobody may see that.
    """

    def make(table: Table) -> tuple[Command, str]:
        return _ruling(call, table, None), judge_actor(call.caller.id)

    try:
        done = await call.service.tables.preview(call.path["game"], make)
    except Refusal as refusal:
        raise refused(call, refusal) from refusal
    # Salts of its own: no digest of what might be can be compared with what will be.
    secret = call.service.sources.random_bytes(32)
    body = {
        "ruleset": done.table.ruleset.id,
        "events": [seen(record, SPECTATOR, secret) for record in done.records],
        "game": game_view(done.table, None, SPECTATOR),
    }
    return Reply(body, headers=PRIVATE)


async def make_motion(call: Call) -> Reply:
    """Ask the other seats to agree to something."""
    player = call.caller.id

    def make(table: Table, text: TextRef | None) -> tuple[Command, str]:
        seat = seat_of(table.state, player)
        _expect_ids(call.body.motion)
        return MakeMotion(seat=seat, motion=call.body.motion, text=text), seat_actor(seat)

    return command_reply(call, await _with_reason(call, call.body.reason, make))


async def _with_reason(call: Call, reason: str | None, make: Made) -> Done:
    """Carry a command out whose reason is kept beside the log, before the event refers to it."""
    words, game = call.service.words, call.path["game"]
    text = None if reason is None else await words.keep(game, reason)
    try:
        done = await carry_out(call, lambda table: make(table, text))
    except ApiError:
        # Only where it is certain that no event refers to it, as in actions.
        if text is not None:
            await words.erase(game, text.id)
        raise
    if done.repeated and text is not None:
        await words.erase(game, text.id)
    return done


async def vote(call: Call) -> Reply:
    """Agree to a motion or decline it, as a seat or as a judge."""
    player, motion = call.caller.id, call.path["motion"]

    def make(table: Table) -> tuple[Command, str]:
        agree = call.body.agree
        if player in table.state.table.judges:
            return Vote(motion=motion, agree=agree, judge=player), judge_actor(player)
        seat = seat_of(table.state, player)
        return Vote(motion=motion, agree=agree, seat=seat), seat_actor(seat)

    return command_reply(call, await carry_out(call, make))


async def locate_motion(call: Call) -> None:
    """Read the motion's id off the path."""
    text = call.path["motion"]
    if not SMALL_NUMBER.fullmatch(text) or text == "0":
        raise ApiError("not-found", f"{text[:40]!r} is no motion; their ids are versions.")
    call.path["motion"] = int(text)


async def list_looks(call: Call) -> Reply:
    """List the looks of judges."""
    found = await call.service.looks.of(call.path["game"])
    looks = tuple(shapes.LookView(look.judge, look.time, look.what, look.version) for look in found)
    return Reply(shapes.LookList(call.path["game"], looks), headers=PRIVATE)


_RULED = ("forbidden", "game-not-started", "game-over", "not-possible", "not-eligible", "paused")

OPERATIONS = (
    Operation(
        id="nameJudge",
        method="POST",
        path="/v1/games/{game:str}/judges",
        tag="judges",
        summary="Name a judge",
        description="Names a judge, as the host, before the start. Judges see the game whole, never"
        " sit at it, and each of their looks is on record. In a running game the seats can call a"
        " judge by a motion.",
        handler=name_judge,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The judge is named.",
        body=msgspec.json.Decoder(shapes.NewJudge),
        body_shape=shapes.NewJudge,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=("forbidden", "game-started", "game-over", "not-eligible", "already-so"),
    ),
    Operation(
        id="listRulings",
        method="GET",
        path="/v1/games/{game:str}/rulings",
        tag="judges",
        summary="List rulings",
        description="Lists what judges ruled in this game: when, what, and the id of the reason"
        " among the game's texts.",
        handler=list_rulings,
        access="optional",
        response=shapes.RulingList,
        response_description="The rulings.",
    ),
    Operation(
        id="rule",
        method="POST",
        path="/v1/games/{game:str}/rulings",
        tag="judges",
        summary="Rule",
        description="Rules, as a judge: take the game back, adjust a score or a clock, let a seat"
        " forfeit, pause, replace a seat's holder, or put a note on record. Nothing is deleted: an"
        " undone line stays in the log, and a ruling can be undone by another one.",
        handler=rule,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The ruling is on record, and what follows from it.",
        body=msgspec.json.Decoder(shapes.NewRuling),
        body_shape=shapes.NewRuling,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=(*_RULED, "already-so", "unknown-bundled-player"),
    ),
    Operation(
        id="previewRuling",
        method="POST",
        path="/v1/games/{game:str}/rulings/preview",
        tag="judges",
        summary="Preview a ruling",
        description="Shows a judge what a ruling would do, without doing it, as a spectator would"
        " see it: what would be drawn then is not shown to anybody.",
        handler=preview_ruling,
        access="player",
        response=result_shape(),
        response_description="What the ruling would do.",
        body=msgspec.json.Decoder(shapes.NewRuling),
        body_shape=shapes.NewRuling,
        problems=(*_RULED, "already-so", "unknown-bundled-player"),
    ),
    Operation(
        id="makeMotion",
        method="POST",
        path="/v1/games/{game:str}/motions",
        tag="judges",
        summary="Make a motion",
        description="Asks the other seats to agree: to an undo, to hand a seat over, to call a"
        " judge, or to seal the ended game. An undo that showed nobody anything and took nobody"
        " else's act back is had at once. A motion lapses after ten minutes.",
        handler=make_motion,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The motion is made, or carried at once.",
        body=msgspec.json.Decoder(shapes.NewMotion),
        body_shape=shapes.NewMotion,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=(*_RULED, "motion-open", "already-so", "unknown-bundled-player"),
    ),
    Operation(
        id="vote",
        method="POST",
        path="/v1/games/{game:str}/motions/{motion:str}/votes",
        tag="judges",
        summary="Vote on a motion",
        description="Agrees to a motion, or declines it, which ends it. It is carried when all who"
        " are asked agree; bundled players agree to anything.",
        handler=vote,
        locate=locate_motion,
        access="player",
        response=result_shape(),
        tagged=True,
        response_description="The vote is recorded, and what follows if it was the last.",
        body=msgspec.json.Decoder(shapes.Ballot),
        body_shape=shapes.Ballot,
        keyed=True,
        conditional=True,
        fresh=False,
        problems=(*_RULED, "not-found", "motion-closed", "already-so"),
    ),
    Operation(
        id="listLooks",
        method="GET",
        path="/v1/games/{game:str}/looks",
        tag="judges",
        summary="List the looks of judges",
        description="Lists every time a judge looked at this game while it was not sealed. A look"
        " is noted before anything is shown.",
        handler=list_looks,
        access="optional",
        response=shapes.LookList,
        response_description="The looks.",
    ),
)
