"""Commands at a table, and the one place that decides them.

:func:`decide` holds all the rules: those of the table here, those of the game in its ruleset. It
reads like a checklist, and raises :class:`Refusal` at the first thing that does not hold.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from domain.kernel.canonical import chain_start
from domain.kernel.commands import (
    Act as Act,
)
from domain.kernel.commands import (
    Command as Command,
)
from domain.kernel.commands import (
    Create as Create,
)
from domain.kernel.commands import (
    Default as Default,
)
from domain.kernel.commands import (
    Expire as Expire,
)
from domain.kernel.commands import (
    Invite as Invite,
)
from domain.kernel.commands import (
    Join as Join,
)
from domain.kernel.commands import (
    MakeMotion as MakeMotion,
)
from domain.kernel.commands import (
    NameJudge as NameJudge,
)
from domain.kernel.commands import (
    Pause as Pause,
)
from domain.kernel.commands import (
    Rule as Rule,
)
from domain.kernel.commands import (
    Seal as Seal,
)
from domain.kernel.commands import (
    SeatBundled as SeatBundled,
)
from domain.kernel.commands import (
    Start as Start,
)
from domain.kernel.commands import (
    UseInvitation as UseInvitation,
)
from domain.kernel.commands import (
    Vacate as Vacate,
)
from domain.kernel.commands import (
    Vote as Vote,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import (
    BundledSeated,
    Created,
    Ended,
    Event,
    Expired,
    InvitationMade,
    InvitationUsed,
    Joined,
    Paused,
    PauseVoted,
    Record,
    Resumed,
    Rewound,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
    chained,
)
from domain.kernel.fold import evolve
from domain.kernel.judging import check_running, make_motion, name_judge, people, rule, vote
from domain.kernel.pen import chance_of, pen_of
from domain.kernel.ruleset import Play, Ruleset
from domain.kernel.state import State, Table, decision_id, expires_at, seals_at, seat_deadline


class Context(msgspec.Struct, frozen=True):
    """Who acts (an envelope's actor) and when (ms since 1970)."""

    actor: str
    time: int


SERVICE = "service"  # the actor of defaults


def seat_actor(seat: int) -> str:
    """Name a seat as actor."""
    return f"seat:{seat}"


def player_actor(player: str) -> str:
    """Name a player, before they act for a seat, as actor."""
    return f"player:{player}"


def decide(
    ruleset: Ruleset[Any],
    state: State | None,
    command: Command,
    context: Context,
    history: Sequence[Record] = (),
) -> tuple[Record, ...]:
    """Decide a command: give the records that it adds to the log, chained and ready to store.

    ``history`` are all records so far; only the commands of ``NEED_HISTORY`` look at it.

    Raises Refusal, with nothing changed, if the rules or the state do not allow it.
    """
    if isinstance(command, Create):
        if state is not None:
            raise Refusal("game_exists", code="game-exists")
        return _records(ruleset, None, _create(ruleset, command), context)
    if state is None:
        raise Refusal("no_such_game", code="game-not-found")
    given = _Given(ruleset, state, max(context.time, state.time), history)
    if type(command) not in _DECIDE:
        raise TypeError(f"not a command: {command!r}")
    events = _DECIDE[type(command)](given, command)
    return _records(ruleset, state, _with_seal(state, events), context)


INVITATIONS_MOST = 20  # of a table, not used yet


@dataclass(frozen=True)
class _Given:
    """What a command is decided on."""

    ruleset: Ruleset[Any]
    state: State
    time: int
    history: Sequence[Record]


def _create(ruleset: Ruleset[Any], command: Create) -> list[Event]:
    least, most = ruleset.seats
    if not least <= command.seats <= most:
        raise Refusal(
            "seats_out_of_range", code="invalid", pointer="/seats", least=least, most=most
        )
    ruleset.new(command.seats, command.options)  # refuses options that do not go together
    created = Created(
        game=command.game,
        ruleset=ruleset.id,
        ruleset_version=command.ruleset_version,
        options=msgspec.to_builtins(command.options),
        seats=command.seats,
        host=command.host,
        public=command.public,
        seed=command.seed,
        clock=command.clock,
        expires=command.expires,
        rematch_of=command.rematch_of,
        invited=command.invited,
    )
    return [created]


def _before_start(state: State) -> None:
    if state.table.started:
        raise Refusal("game_started", code="game-started")
    if state.table.sealed:
        raise Refusal("game_over", code="game-over")


def _host_only(state: State, player: str) -> None:
    if state.table.host != player:
        raise Refusal("host_only", code="forbidden")


def _free_seat(state: State, wanted: int | None) -> int:
    seats = state.table.seats
    if wanted is None:
        for seat, holder in enumerate(seats):
            if holder is None:
                return seat
        raise Refusal("table_full", code="seat-taken")
    if not 0 <= wanted < len(seats):
        raise Refusal("no_such_seat", code="seat-taken", pointer="/seat", most=len(seats) - 1)
    if seats[wanted] is not None:
        raise Refusal("seat_taken", code="seat-taken", pointer="/seat", seat=wanted)
    return wanted


def _join(state: State, command: Join) -> list[Event]:
    if command.player in state.table.judges:
        raise Refusal("judge_sits_not", code="forbidden")
    _before_start(state)
    if state.table.seat_of(command.player) is not None:
        raise Refusal("already_seated", code="already-seated")
    seat = _free_seat(state, command.seat)
    return [Joined(seat=seat, player=command.player, nonce=command.nonce)]


def _seat_bundled(ruleset: Ruleset[Any], state: State, command: SeatBundled) -> list[Event]:
    _host_only(state, command.player)
    _before_start(state)
    if command.bundled not in ruleset.bundled_players:
        raise Refusal(
            "no_such_bundled_player",
            code="unknown-bundled-player",
            pointer="/bundled",
            known=", ".join(ruleset.bundled_players),
        )
    return [BundledSeated(seat=_free_seat(state, command.seat), bundled=command.bundled)]


def _vacate(ruleset: Ruleset[Any], state: State, command: Vacate) -> list[Event]:
    table, seat = state.table, command.seat
    holder = table.seats[seat] if 0 <= seat < len(table.seats) else None
    own = holder is not None and holder.player == command.player and not holder.left
    if not own and table.started:
        raise Refusal("not_your_seat", code="forbidden", seat=seat)
    if not own:
        _host_only(state, command.player)
    if holder is None:
        raise Refusal("seat_empty", code="seat-empty", seat=seat)
    if not table.started:
        _before_start(state)
        return [SeatFreed(seat=seat)]
    if state.game.outcome is not None:
        raise Refusal("game_over", code="game-over")
    play = pen_of(ruleset, state)
    play.write(SeatLeft(seat=seat))
    ruleset.leave(play, seat)
    return [*play.events, *_consent_without(table, seat, play)]


def _consent_without(table: Table, seat: int, play: Play[Any]) -> list[Event]:
    """Pause or go on if the seat that left was the last one that did not agree to it."""
    others = [other for other in people(table) if other != seat]
    if play.game.outcome is not None or not table.pause_votes or not others:
        return []
    if not all(other in table.pause_votes for other in others):
        return []
    return [Resumed() if table.timing.paused else Paused()]


def _start(ruleset: Ruleset[Any], state: State, command: Start) -> list[Event]:
    _host_only(state, command.player)
    _before_start(state)
    free = [seat for seat, holder in enumerate(state.table.seats) if holder is None]
    if free:
        raise Refusal("seats_free", code="seats-free", free=free)
    options = msgspec.convert(state.table.options, ruleset.options)
    game = ruleset.new(len(state.table.seats), options)
    play = Play(ruleset, game, state.version + 1, chance_of(state))
    ruleset.set_up(play)
    return [Started(), *play.events]


def seat_of(state: State, player: str) -> int:
    """Give the seat that a player acts for. Raises Refusal if they have none."""
    seat = state.table.seat_of(player)
    if seat is None:
        raise Refusal("not_seated", code="forbidden")
    return seat


def _act(ruleset: Ruleset[Any], state: State, command: Act) -> list[Event]:
    if not isinstance(command.action, ruleset.actions):
        raise Refusal("wrong_ruleset", code="wrong-ruleset", ruleset=ruleset.id)
    _check_decision(state, command.decision)
    play = pen_of(ruleset, state, command.text)
    ruleset.decide(play, command.seat, command.action)
    return play.events


def _default(ruleset: Ruleset[Any], state: State, command: Default, time: int) -> list[Event]:
    _check_decision(state, command.decision)
    if command.seat not in state.game.decision.asked:
        raise Refusal("not_asked", code="decision-closed", pointer="/seat", seat=command.seat)
    if state.table.clock is not None:
        until = seat_deadline(state, command.seat)
        if until is None or time < until:
            raise Refusal("not_overdue", code="not-overdue", seat=command.seat)
    play = pen_of(ruleset, state)
    ruleset.default(play, command.seat)
    return play.events


def _pause(state: State, command: Pause) -> list[Event]:
    table = state.table
    check_running(state)
    voted = PauseVoted(seat=command.seat, pause=command.pause)
    if command.pause is table.timing.paused:
        raise Refusal("already_so", code="already-so")
    agreed = {*table.pause_votes, command.seat}
    if not all(seat in agreed for seat in people(table)):
        return [voted]
    return [voted, Paused() if command.pause else Resumed()]


def _invite(state: State, command: Invite) -> list[Event]:
    _host_only(state, command.player)
    if state.table.sealed:
        raise Refusal("game_over", code="game-over")
    if len(state.table.invitations) >= INVITATIONS_MOST:
        raise Refusal("too_many_invitations", code="not-possible", most=INVITATIONS_MOST)
    return [InvitationMade(digest=command.digest)]


def _use_invitation(state: State, command: UseInvitation) -> list[Event]:
    found = (each for each in state.table.invitations if each.digest == command.digest)
    invitation = next(found, None)
    if invitation is None:
        raise Refusal("no_such_invitation", code="invitation-spent")
    return [InvitationUsed(invitation=invitation.id, player=command.player)]


def _seal(state: State, time: int) -> list[Event]:
    until = seals_at(state)
    if until is None or time < until:
        raise Refusal("not_yet_sealed", code="not-overdue")
    return [Sealed(seed=state.table.seed)]


def _expire(state: State, time: int) -> list[Event]:
    until = expires_at(state)
    if until is None or time < until:
        raise Refusal("not_expired", code="not-overdue")
    return [Expired()]


def _check_decision(state: State, decision: int) -> None:
    check_running(state)
    if state.table.timing.paused:
        raise Refusal("paused", code="paused")
    current = decision_id(state)
    if decision == current:
        return
    if 0 <= decision < state.table.rewound:
        raise Refusal("superseded", code="superseded", pointer="/decision", current=current)
    raise Refusal("decision_closed", code="decision-closed", pointer="/decision", current=current)


def _with_seal(state: State, events: Sequence[Event]) -> list[Event]:
    """Seal in the end's own append: at a table without judges nothing can rewind the end."""
    ended = events and isinstance(events[-1], (Ended, Expired))
    if ended and (not state.table.judges or isinstance(events[-1], Expired)):
        return [*events, Sealed(seed=state.table.seed)]
    return list(events)


def _records(
    ruleset: Ruleset[Any], state: State | None, events: Sequence[Event], context: Context
) -> tuple[Record, ...]:
    if state is None:
        first = events[0]
        assert isinstance(first, Created)
        version, time, chain, seed = 0, context.time, chain_start(first.game), first.seed
    else:
        version, chain, seed = state.version, state.chain, state.table.seed
        time = max(context.time, state.time)
    secret = bytes.fromhex(seed)
    records: list[Record] = []
    for index, event in enumerate(events):
        record = chained(
            chain,
            event,
            version=version + 1,
            parent=event.to if isinstance(event, Rewound) else version,
            time=time,
            actor=context.actor,
            count=len(events) if index == 0 else 0,
            seed=secret,
        )
        records.append(record)
        version, chain = record.version, record.chain
    return tuple(records)


def evolve_all(
    ruleset: Ruleset[Any],
    state: State | None,
    records: Sequence[Record],
    history: Sequence[Record] = (),
) -> State:
    """Apply a command's records in turn."""
    for record in records:
        state = evolve(ruleset, state, record, history)
    assert state is not None
    return state


_DECIDE: dict[type[Command], Callable[[_Given, Any], Sequence[Event]]] = {
    Join: lambda given, command: _join(given.state, command),
    SeatBundled: lambda given, command: _seat_bundled(given.ruleset, given.state, command),
    Vacate: lambda given, command: _vacate(given.ruleset, given.state, command),
    Start: lambda given, command: _start(given.ruleset, given.state, command),
    Act: lambda given, command: _act(given.ruleset, given.state, command),
    Default: lambda given, command: _default(given.ruleset, given.state, command, given.time),
    Pause: lambda given, command: _pause(given.state, command),
    Expire: lambda given, command: _expire(given.state, given.time),
    Seal: lambda given, command: _seal(given.state, given.time),
    Invite: lambda given, command: _invite(given.state, command),
    UseInvitation: lambda given, command: _use_invitation(given.state, command),
    NameJudge: lambda given, command: name_judge(given.state, command),
    Rule: lambda given, command: rule(given.ruleset, given.state, command, given.history),
    MakeMotion: lambda given, command: make_motion(
        given.ruleset, given.state, command, given.history, given.time
    ),
    Vote: lambda given, command: vote(
        given.ruleset, given.state, command, given.history, given.time
    ),
}
