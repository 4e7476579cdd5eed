"""Bundled players at the table: seated like anyone, acting through the same commands.

The worker that moved a game on lets them act at once. Should it die, any worker finds the game
among the due ones. Each act carries a key made of the decision and the seat, so that however many
workers try, it happens once.
"""

import asyncio
import hashlib
import random
from typing import Any

import msgspec
import structlog

from domain.kernel.decide import Act, seat_actor
from domain.kernel.errors import Refusal
from domain.kernel.state import decision_id
from domain.kernel.viewer import SeenRecord, Sight, seen
from domain.players.bundled import bundled_players, scene
from service import metrics
from service.store.errors import StoreError
from service.tables import Key, KeyReused, Table, Tables, bundled_asked

log = structlog.get_logger()

POLL_EVERY = 1.0  # seconds
LEFT_TO_OTHERS = 1_000  # ms: how long the worker that moved a game on has before others step in
AT_A_TIME = 20  # games of other workers taken over, where this one plays no more than these
MOST_DUE = 500


class BundledPlayers:
    """Lets the bundled players of all games act. ``entropy`` is what they decide by."""

    def __init__(self, tables: Tables, entropy: random.Random | None = None) -> None:
        self._tables = tables
        self._entropy = entropy or random.SystemRandom()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._poll: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen and to look for due games."""
        self._tables.listeners.append(self._moved)
        self._poll = asyncio.create_task(self._look_for_due())

    async def stop(self) -> None:
        """Finish; an act under way is stored or not, never half."""
        self._tables.listeners.remove(self._moved)
        tasks = [task for task in (self._poll, *self._playing.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _moved(self, table: Table) -> None:
        game = table.state.table.game
        if bundled_asked(table.state) and game not in self._playing:
            task = asyncio.create_task(self._play(game))
            self._playing[game] = task
            task.add_done_callback(lambda _: self._playing.pop(game, None))

    async def _look_for_due(self) -> None:
        while True:
            await asyncio.sleep(POLL_EVERY)
            try:
                before = self._tables.sources.now() - LEFT_TO_OTHERS
                due = await self._tables.store.due(before, MOST_DUE)
            except StoreError as error:
                log.warning("bundled players wait for the store", error=str(error))
                continue
            for _, game in due:
                if len(self._playing) < AT_A_TIME and game not in self._playing:
                    await self._look_at(game)

    async def _look_at(self, game: str) -> None:
        """Go on with a due game. One that cannot be read must not hold up those due after it."""
        try:
            table = await self._tables.current(game)
        except StoreError as error:
            log.warning("bundled players cannot look at a game", game=game, error=str(error))
        else:
            if table is not None:
                self._moved(table)

    async def _play(self, game: str) -> None:
        """Let bundled players act until none is asked."""
        try:
            table = await self._tables.current(game)
            while table is not None and (seats := bundled_asked(table.state)):
                table = await self._act(table, self._entropy.choice(seats))
        except StoreError as error:
            log.warning("a bundled player could not act", game=game, error=str(error))

    async def _act(self, table: Table, seat: int) -> Table | None:
        game = table.state.table.game
        decision = decision_id(table.state)
        assert decision is not None
        action = await self._choose(table, seat)
        key = hashlib.sha256(f"bundled\n{game}\n{decision}\n{seat}".encode()).digest()[:16]
        try:
            done = await self._tables.execute(
                game,
                lambda _: (Act(seat=seat, decision=decision, action=action), seat_actor(seat)),
                key=Key(key, bytes(8)),
            )
        except (Refusal, KeyReused):
            # Another worker's act or another seat's closed the decision meanwhile.
            metrics.BUNDLED_ACTS.labels(table.ruleset.id, "overtaken").inc()
            return await self._tables.current(game)
        if done.repeated:
            metrics.BUNDLED_ACTS.labels(table.ruleset.id, "overtaken").inc()
            return await self._tables.current(game)
        metrics.BUNDLED_ACTS.labels(table.ruleset.id, "done").inc()
        return done.table

    async def _choose(self, table: Table, seat: int) -> Any:
        state, ruleset = table.state, table.ruleset
        holder = state.table.seats[seat]
        assert holder is not None
        assert holder.bundled is not None
        chooser = bundled_players(ruleset)[holder.bundled]
        records = await self._tables.records(state.table.game, 0, state.version)
        secret = bytes.fromhex(state.table.seed)

        def history() -> list[SeenRecord]:
            return [seen(record, Sight(seats=(seat,)), secret) for record in records]

        options = msgspec.convert(state.table.options, ruleset.options)
        chosen = chooser(scene(ruleset, state.game, options, seat, history), self._entropy)
        return msgspec.convert(chosen, ruleset.action_type)
