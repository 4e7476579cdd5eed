"""Recordings: whole games in a file that anybody can check, without the service."""

from typing import Any

import msgspec

from domain.kernel.decide import (
    SERVICE,
    Act,
    Command,
    Create,
    Default,
    Join,
    SeatBundled,
    Start,
    Vacate,
    player_actor,
    seat_actor,
)
from domain.kernel.event import (
    BundledSeated,
    Created,
    Ended,
    Joined,
    Record,
    Rewound,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
)
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, Table, decision_id


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
        case Joined() | BundledSeated() | Started() | Ended() | Rewound() | Sealed():
            return None
    return _game_command_of(ruleset, state, record)


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
    seat = getattr(event, "seat", None)
    if actor == SERVICE:
        return None if seat is None else Default(seat=seat, decision=decision)
    action = ruleset.action_of(event)
    if action is None or seat is None or actor != seat_actor(seat):
        return None
    text = getattr(event, "text", None)
    return Act(seat=seat, decision=decision, action=action, text=text)
