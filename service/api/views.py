"""From a table to what its caller may see: every answer about a game is made here.

What is hidden is decided in two places only: ``Ruleset.board`` for the state and ``viewer.seen``
for events.
"""

from collections.abc import Sequence
from typing import Any

from domain.kernel.event import Record
from domain.kernel.judging import MOTION_LASTS
from domain.kernel.state import (
    State,
    commitment,
    decision_id,
    expires_at,
    seals_at,
    seat_deadline,
    status,
)
from domain.kernel.viewer import SeenRecord, Sight, narrowed, seen, sight
from service.accounts import Account
from service.api.shapes import DecisionView, GameSummary, MotionView, SeatView, You
from service.tables import Table

# The seats whose private sides are seen at most; None is the caller's own sight.
Perspective = tuple[int, ...] | None


def cursor_of(version: int, chain: bytes) -> str:
    """Name a place in a game's log: its version and the beginning of its chain's hash."""
    return f"{version}.{chain.hex()[:8]}"


def sight_of(
    table: Table, player: Account | None, version: int, perspective: Perspective = None
) -> Sight:
    """Give a caller's sight of a version of a table, by who sits there now and did then.

    With a perspective it is narrowed to that.
    """
    view = sight(table.state.table, player.id if player else None, version)
    return view if perspective is None else narrowed(view, perspective)


def entity_tag(
    state: State, player: Account | None, view: Sight, perspective: Perspective = None
) -> str:
    """Give the entity tag of a caller's view: version, viewer and perspective make it."""
    table = state.table
    seat = table.seat_of(player.id) if player else None
    who = "-" if seat is None else f"s{seat}"
    host = "h" if player and table.host == player.id else ""
    more = "x" if view.sealed else "j" if view.judge else ""
    if perspective is not None:
        more = "v" + "".join(map(str, perspective))
    return f'"{cursor_of(state.version, state.chain)}.{who}{host}{more}"'


def seats_view(state: State) -> tuple[SeatView, ...]:
    """Give the seats and who holds them."""
    banks = state.table.timing.banks
    return tuple(
        SeatView(
            seat=number,
            player=seat.player if seat else None,
            bundled=seat.bundled if seat else None,
            left=seat.left if seat else False,
            time_left=banks[number] if banks else None,
        )
        for number, seat in enumerate(state.table.seats)
    )


def motions_view(state: State) -> tuple[MotionView, ...]:
    """Give the open motions, which are public."""
    return tuple(
        MotionView(
            id=motion.id,
            seat=motion.seat,
            motion=motion.motion,
            agreed=motion.agreed,
            until=motion.time + MOTION_LASTS,
        )
        for motion in state.table.motions
    )


def decision_view(state: State) -> DecisionView | None:
    """Give the open decision, which is public."""
    number = decision_id(state)
    if number is None:
        return None
    decision = state.game.decision
    return DecisionView(
        id=number,
        kind=decision.kind,
        order=decision.order,
        awaited=decision.awaited,
        asked=decision.asked,
        since=state.table.timing.since,
        deadlines=tuple(seat_deadline(state, seat) for seat in decision.asked),
    )


def you(state: State, player: Account | None) -> You:
    """Say who a caller is at a table."""
    table = state.table
    return You(
        seat=table.seat_of(player.id) if player else None,
        host=player is not None and table.host == player.id,
        judge=player is not None and player.id in table.judges,
    )


def game_view(table: Table, player: Account | None, view: Sight) -> dict[str, Any]:
    """Give a table as its caller sees it."""
    state, ruleset = table.state, table.ruleset
    facts = state.table
    return {
        "ruleset": ruleset.id,
        "ruleset_version": facts.ruleset_version,
        "id": facts.game,
        "options": facts.options,
        "version": state.version,
        "cursor": cursor_of(state.version, state.chain),
        "time": state.time,
        "status": status(state),
        "public": facts.public,
        "host": facts.host,
        "commitment": commitment(facts),
        "seed": facts.seed if view.sealed else None,
        "clock": facts.clock,
        "paused": facts.timing.paused,
        "pause_votes": facts.pause_votes,
        "expires": expires_at(state),
        "judges": facts.judges,
        "rematch_of": facts.rematch_of,
        "motions": motions_view(state),
        "seals": seals_at(state),
        "seats": seats_view(state),
        "you": you(state, player),
        "decision": decision_view(state),
        "board": None if state.game is None else ruleset.board(state.game, view),
        "outcome": None if state.game is None else state.game.outcome,
    }


def summary(table: Table) -> GameSummary:
    """Give a table's entry in a list, which anybody may see who may know of the game."""
    state = table.state
    return GameSummary(
        id=state.table.game,
        ruleset=table.ruleset.id,
        version=state.version,
        status=status(state),
        public=state.table.public,
        created=state.table.created,
        time=state.time,
        host=state.table.host,
        seats=seats_view(state),
        decision=decision_view(state),
        outcome=state.game.outcome if state.game else None,
    )


def events_view(
    table: Table,
    player: Account | None,
    records: Sequence[Record],
    perspective: Perspective = None,
) -> list[SeenRecord]:
    """Give events as the caller sees each at its own version."""
    secret = bytes.fromhex(table.state.table.seed)
    return [
        seen(record, sight_of(table, player, record.version, perspective), secret)
        for record in records
    ]
