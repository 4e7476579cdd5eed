"""Bundled players at the table: seated like anyone, acting through the same commands.

The worker that moved a game on lets them act at once. Should it die, the caretaker of any worker
finds the game among the due ones. Each act carries a key made of the decision and the seat, so that
however many workers try, it happens once.
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
from domain.players.bundled import scene
from service import metrics
from service.store.errors import StoreError
from service.tables import Key, KeyReused, Table, Tables, bundled_asked

log = structlog.get_logger()

LEFT_TO_OTHERS = 1_000  # ms: how long the worker that moved a game on has before others step in


class BundledPlayers:
    """Lets the bundled players of all games act. ``entropy`` is what they decide by."""

    def __init__(self, tables: Tables, entropy: random.Random | None = None) -> None:
        self._tables = tables
        self._entropy = entropy or random.SystemRandom()
        self._playing: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Begin to act in games that this worker moves on."""
        self._tables.listeners.append(self._moved)

    async def stop(self) -> None:
        """Finish; an act under way is stored or not, never half."""
        self._tables.listeners.remove(self._moved)
        tasks = tuple(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def busy(self) -> int:
        """In how many games bundled players are acting right now."""
        return len(self._playing)

    def take_over(self, table: Table) -> None:
        """Act in a game that another worker moved on and then left alone."""
        if self._tables.time_of(table.state) - table.state.time >= LEFT_TO_OTHERS:
            self._moved(table)

    def _moved(self, table: Table) -> None:
        game = table.state.table.game
        if bundled_asked(table.state) and game not in self._playing:
            task = asyncio.create_task(self._play(game))
            self._playing[game] = task
            task.add_done_callback(lambda _: self._playing.pop(game, None))

    async def _play(self, game: str) -> None:
        """Let bundled players act until none is asked."""
        try:
            table = await self._tables.current(game)
            while table is not None and (seats := bundled_asked(table.state)):
                table = await self._act(table, self._entropy.choice(seats))
        except StoreError as error:
            log.warning("a bundled player could not act", game=game, error=str(error))
        except Exception as error:
            # The game stays due, so the caretaker tries again: this must be seen.
            log.error("a bundled player failed", game=game, exc_info=error)

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
        chooser = ruleset.bundled_players[holder.bundled]
        records = await self._tables.records(state.table.game, 0, state.version)
        secret = bytes.fromhex(state.table.seed)

        def history() -> list[SeenRecord]:
            return [seen(record, Sight(seats=(seat,)), secret) for record in records]

        options = msgspec.convert(state.table.options, ruleset.options)
        chosen = chooser(scene(ruleset, state.game, options, seat, history), self._entropy)
        return msgspec.convert(chosen, ruleset.action_type)
