"""Stored histories decided again: every command by the rules, every event as it comes of them."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.canonical import (
    chain_start,
)
from domain.kernel.decide import (
    SERVICE,
    Act,
    Command,
    Context,
    Create,
    Default,
    Expire,
    Invite,
    Join,
    MakeMotion,
    NameJudge,
    Pause,
    Rule,
    Seal,
    SeatBundled,
    Start,
    UseInvitation,
    Vacate,
    Vote,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import (
    KERNEL_EVENTS,
    BundledSeated,
    Created,
    Event,
    Expired,
    InvitationMade,
    InvitationUsed,
    Joined,
    JudgeNamed,
    MotionMade,
    MotionVoted,
    PauseVoted,
    Record,
    Ruled,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
    chained,
)
from domain.kernel.fold import evolve
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, Table, decision_id


class Fault(Exception):
    """Where a history is wrong, and why."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version
        self.why = why


def fault_of(ruleset: Ruleset[Any], records: Sequence[Record]) -> str | None:
    """Check a stored history against this build: the chain, and every command by the rules.

    Gives the first fault in words, None if there is none.
    """
    try:
        _check_stored_chain(records)
        replay(ruleset, records)
    except Fault as fault:
        return f"version {fault.version}: {fault.why}"
    return None


def _check_stored_chain(records: Sequence[Record]) -> None:
    created = records[0].event if records else None
    if not isinstance(created, Created):
        raise Fault(1, "a history begins with the creation of its table")
    seed, chain = bytes.fromhex(created.seed), chain_start(created.game)
    for record in records:
        if record.schema == record.event.schema:  # else it was chained in its older form
            again = chained(
                chain,
                record.event,
                version=record.version,
                parent=record.parent,
                time=record.time,
                actor=record.actor,
                count=record.count,
                seed=seed,
            )
            if again.chain != record.chain:
                raise Fault(record.version, "the chain breaks")
        chain = record.chain


def replay(ruleset: Ruleset[Any], records: Sequence[Record]) -> State:
    """Decide every command of a history again; what comes out must be the very same events."""
    state: State | None = None
    start = 0
    while start < len(records):
        first = records[start]
        command = records[start : start + max(1, first.count)]
        try:
            _check_command(ruleset, state, command, records[:start])
            for record in command:
                state = evolve(ruleset, state, record, records)
        except Fault:
            raise
        except Exception as error:  # an impossible history may break any rule's expectations
            raise Fault(first.version, f"the rules break on it: {error!r}") from error
        start += len(command)
    if state is None:
        raise Fault(1, "there is no event")
    return state


def _check_command(
    ruleset: Ruleset[Any],
    state: State | None,
    records: Sequence[Record],
    history: Sequence[Record],
) -> None:
    first = records[0]
    command = command_of(ruleset, state, first)
    if command is None:
        tag = first.event.__struct_config__.tag
        raise Fault(first.version, f"no command of {first.actor} begins with {tag}")
    try:
        context = Context(first.actor, first.time)
        decided = decide(ruleset, state, command, context, history)
    except Refusal as refusal:
        raise Fault(first.version, f"the rules refuse it: {refusal}") from refusal
    for made, found in zip_longest(decided, records):
        if made is None:
            raise Fault(found.version, f"version {first.version} does not bring it about")
        if found is None:
            raise Fault(made.version, f"an event that version {first.version} brings is missing")
        if _comparable(made) != _comparable(found):
            raise Fault(
                found.version, f"it is not what the rules make of the command in {first.version}"
            )


def _comparable(record: Record) -> Record:
    """Leave out what the form of an older schema changes; the chain is checked by itself."""
    return replace(record, chain=b"", schema=record.event.schema)


# Commands read off their first events.


def command_of(ruleset: Ruleset[Any], state: State | None, record: Record) -> Command | None:
    """Read the command off its first event, in the state before it.

    None if no command of this actor begins with such an event.
    """
    event, actor = record.event, record.actor
    if isinstance(event, Created):
        return _create_of(ruleset, event, actor)
    if state is None:
        return None
    table = state.table
    match event:
        case Joined() if actor == player_actor(event.player):
            return Join(player=event.player, seat=event.seat, nonce=event.nonce)
        case BundledSeated() if actor == player_actor(table.host):
            return SeatBundled(player=table.host, bundled=event.bundled, seat=event.seat)
        case SeatFreed() | SeatLeft():
            player = _vacating(table, event.seat, actor)
            return None if player is None else Vacate(player=player, seat=event.seat)
        case Started() if actor == player_actor(table.host):
            return Start(player=table.host)
        case PauseVoted() if actor == seat_actor(event.seat):
            return Pause(seat=event.seat, pause=event.pause)
        case InvitationMade() if actor == player_actor(table.host):
            return Invite(player=table.host, digest=event.digest)
        case InvitationUsed() if actor == player_actor(event.player):
            made = {each.id: each.digest for each in table.invitations}
            return UseInvitation(player=event.player, digest=made.get(event.invitation, ""))
        case Expired() if actor == SERVICE:
            return Expire()
        case _ if type(event) in KERNEL_EVENTS:
            return _judging_command_of(table, event, actor)
    return _game_command_of(ruleset, state, record)


def _judging_command_of(table: Table, event: Event, actor: str) -> Command | None:
    """Read a ruling, a motion, a vote or a seal off its event."""
    judge = actor.removeprefix("judge:") if actor.startswith("judge:") else None
    match event:
        case Sealed() if actor == SERVICE:
            return Seal()
        case JudgeNamed() if actor == player_actor(table.host):
            return NameJudge(player=table.host, judge=event.judge)
        case Ruled() if judge is not None:
            return Rule(judge=judge, ruling=event.ruling, text=event.text)
        case MotionMade() if actor == seat_actor(event.seat):
            return MakeMotion(seat=event.seat, motion=event.motion, text=event.text)
        case MotionVoted() if event.seat is not None and actor == seat_actor(event.seat):
            return Vote(motion=event.motion, agree=event.agree, seat=event.seat)
        case MotionVoted() if event.seat is None and judge is not None:
            return Vote(motion=event.motion, agree=event.agree, judge=judge)
        case _:
            return None


def _create_of(ruleset: Ruleset[Any], event: Created, actor: str) -> Command | None:
    if actor != player_actor(event.host):
        return None
    return Create(
        game=event.game,
        ruleset_version=event.ruleset_version,
        options=msgspec.convert(event.options, ruleset.options),
        seats=event.seats,
        host=event.host,
        public=event.public,
        seed=event.seed,
        clock=event.clock,
        expires=event.expires,
        rematch_of=event.rematch_of,
        invited=event.invited,
    )


def _vacating(table: Table, seat: int, actor: str) -> str | None:
    """Name the player who vacates a seat: its holder, as player or as seat, or the host."""
    holder = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if holder is not None and actor == seat_actor(seat):
        return holder.player
    prefix = player_actor("")
    return actor.removeprefix(prefix) if actor.startswith(prefix) else None


def _game_command_of(ruleset: Ruleset[Any], state: State, record: Record) -> Command | None:
    event, actor = record.event, record.actor
    decision = decision_id(state)
    if decision is None:
        return None
    if actor == SERVICE:
        seat = getattr(event, "seat", None)
        return None if seat is None else Default(seat=seat, decision=decision)
    action, seat = ruleset.action_of(event), _acting_seat(actor)
    if action is None or seat is None:
        return None
    text = getattr(event, "text", None)
    return Act(seat=seat, decision=decision, action=action, text=text)


def _acting_seat(actor: str) -> int | None:
    digits = actor.rpartition(":")[2]
    return (
        int(digits)
        if digits.isdecimal() and len(digits) < 3 and seat_actor(int(digits)) == actor
        else None
    )
