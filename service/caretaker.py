"""What the service does at tables by itself: bundled players, defaults, expiry.

The store keeps for each game when it must be looked at next. Every worker looks for due games;
whatever several of them try happens once, because each act names the decision it answers and the
store takes one of them.
"""

import asyncio

import structlog

from domain.kernel.decide import SERVICE, Command, Default, Expire, Seal
from domain.kernel.errors import Refusal
from domain.kernel.state import State, decision_id, expires_at, seals_at, seat_deadline
from service.bundled import BundledPlayers
from service.store.errors import StoreError
from service.tables import Table, Tables

log = structlog.get_logger()

POLL_EVERY = 0.5  # seconds
AT_A_TIME = 20  # games of other workers taken over, where this one plays no more than these
MOST_DUE = 500
GRACE = 10_000  # ms after a start in which nobody's time runs out: clients need to come back first


class Caretaker:
    """Looks after all games of the store, for as long as it runs."""

    def __init__(self, tables: Tables, bundled: BundledPlayers, *, grace: int = GRACE) -> None:
        self._tables = tables
        self._bundled = bundled
        self._grace = grace
        self._began = tables.sources.now()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for due games."""
        self._task = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Finish; an act under way is stored or not, never half."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(POLL_EVERY)
            try:
                due = await self._tables.store.due(self._tables.sources.now(), MOST_DUE)
            except StoreError as error:
                log.warning("the caretaker waits for the store", error=str(error))
                continue
            for _, game in due:
                await self._look_at(game)

    async def _look_at(self, game: str) -> None:
        """Do what is due at a game. One that cannot be read must not hold up the others."""
        try:
            table = await self._tables.current(game)
            if table is None:
                return
            if self._bundled.busy < AT_A_TIME:
                self._bundled.take_over(table)
            await self._apply_clocks(table)
        except StoreError as error:
            log.warning("the caretaker cannot look at a game", game=game, error=str(error))

    async def _apply_clocks(self, table: Table) -> None:
        """Answer by default for whoever's time has run out; close what has expired."""
        now = self._tables.time_of(table.state)
        if self._tables.sources.now() < self._began + self._grace:
            return
        for command in overdue(table.state, now):
            await self._carry_out(table.state.table.game, command)

    async def _carry_out(self, game: str, command: Command) -> None:
        try:
            await self._tables.execute(game, lambda _: (command, SERVICE))
        except Refusal:
            # Another worker did it, or the seat answered in the last moment.
            return
        log.info("time ran out", game=game, command=type(command).__name__)


def overdue(state: State, now: int) -> list[Command]:
    """List the commands that the service owes a game at a time (ms)."""
    until = expires_at(state)
    if until is not None and now >= until:
        return [Expire()]
    sealing = seals_at(state)
    if sealing is not None and now >= sealing:
        return [Seal()]
    decision = decision_id(state)
    if decision is None:
        return []
    late = (
        seat
        for seat in state.game.decision.asked
        if (limit := seat_deadline(state, seat)) is not None and now >= limit
    )
    return [Default(seat=seat, decision=decision) for seat in late]
