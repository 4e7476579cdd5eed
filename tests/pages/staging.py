"""A service within this process whose chance and time are given: the same tables every time.

Its clock stands still, so that no deadline runs out while somebody looks.
"""

import asyncio
import random
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from domain.kernel.state import decision_id
from domain.kernel.viewer import Sight, seen
from domain.players.bundled import scene
from service import web
from service.api.app import create_app
from service.container import Service
from service.sources import Sources
from service.worker import opened
from tests.service.players import Player, Table
from tests.service.store.servers import start_embedded, wait_until

NOON = 1_767_092_400_000  # ms since 1970: 30 December 2025, 11:00 in Greenwich

STYLE = "planning"  # how those play for whom the stage plays


class Stage:
    """A service to look at. Equal seeds give equal ids and decks."""

    def __init__(self, folder: Path, seed: int = 18) -> None:
        self._folder = folder
        self.chance = random.Random(seed)
        self._entropy = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._store = start_embedded(self._folder)
        # Named as TCP, so that asyncio sends what is written at once.
        self._listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._listening.bind(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._thread.start()
        self._serving = asyncio.run_coroutine_threadsafe(self._serve(), self._loop)
        wait_until(self._ready, 20)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._serving.result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._store.stop()

    async def _serve(self) -> None:
        ending = asyncio.Event()
        sources = Sources(now=lambda: NOON, random_bytes=self._entropy.randbytes)

        @asynccontextmanager
        async def keeping() -> AsyncIterator[Service]:
            url = self._store.url
            async with opened(url, sources=sources, entropy=self.chance, ending=ending) as service:
                self.service = service
                yield service

        app = create_app(keeping, Sources().new_id)
        self._server = web.Server(web.config(app), ending)
        await self._server.serve(sockets=[self._listening])

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def player(self, name: str) -> Player:
        """Make somebody."""
        return Player(self.address, name)

    def play(self, table: Table, until: Callable[[Any], bool], most: int = 400) -> bool:
        """Play for whoever is asked until a view of the host's is as wanted; say whether it is."""
        for _ in range(most):
            view = table.view()
            if until(view):
                return True
            if view["decision"] is None:
                return False
            self.act(table, view["decision"]["asked"][0])
        return False

    def act(self, table: Table, seat: int) -> None:
        """Play for one seat, as a bundled player would."""
        choosing = asyncio.run_coroutine_threadsafe(self._choose(table.id, seat), self._loop)
        decision, action = choosing.result(30)
        body = {"ruleset": table.ruleset, "decision": decision, "action": action}
        answer = table.act(table.players[seat], body)
        assert answer.status_code == 200, answer.text

    async def _choose(self, game: str, seat: int) -> tuple[int, Any]:
        held = await self.service.tables.current(game)
        assert held is not None
        ruleset, state = held.ruleset, held.state
        records = await self.service.tables.records(game, 0, state.version)
        secret = bytes.fromhex(state.table.seed)

        def history() -> list[Any]:
            return [seen(record, Sight(seats=(seat,)), secret) for record in records]

        options = msgspec.convert(state.table.options, ruleset.options)
        chooser = ruleset.bundled_players[STYLE]
        chosen = chooser(scene(ruleset, state.game, options, seat, history), self.chance)
        action = msgspec.to_builtins(msgspec.convert(chosen, ruleset.action_type))
        number = decision_id(state)
        assert number is not None
        return number, action
