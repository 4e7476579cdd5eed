"""Pages of lists while games are opened, started and ended: none is lost, none comes twice."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.decide import Command, Create, Join, Start, Vacate, player_actor
from service.operator import rebuild_lists
from service.sources import spell
from service.store.embedded import Embedded
from tests.service.inprocess import World, world
from tests.service.players import RULESET

HOST, GUEST = "h" * 16, "g" * 16
GAMES = 40
WALKS = 6
MEDDLERS = 4


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("lists")
    with Embedded(folder) as embedded:
        yield embedded.url


class Tables:
    """Games that are opened, and moved on by real commands."""

    def __init__(self, where: World, token: tuple[str, str], random: Random) -> None:
        self._where = where
        self._host, self.token = token
        self._random = random
        self.status: dict[str, str] = {}

    async def open(self) -> str:
        rules, game = CATALOGUE[RULESET], spell(self._random.randbytes(10))
        create = Create(
            game=game,
            ruleset_version=rules.version,
            options=rules.options(),
            seats=2,
            host=self._host,
            public=True,
            seed=self._random.randbytes(32).hex(),
        )
        await self._where.service.tables.create(game, create, rules, player_actor(self._host))
        for player in (self._host, GUEST):
            await self._do(game, Join(player=player), player)
        self.status[game] = "open"
        return game

    def moving(self) -> list[str]:
        """The games that have not ended."""
        return [game for game, status in self.status.items() if status != "ended"]

    async def move(self, game: str) -> None:
        """Start an open game; end a running one, as its guest leaves."""
        if self.status[game] == "open":
            await self._do(game, Start(player=self._host), self._host)
            self.status[game] = "running"
        elif self.status[game] == "running":
            await self._do(game, Vacate(player=GUEST, seat=1), GUEST)
            self.status[game] = "ended"

    async def _do(self, game: str, command: Command, player: str) -> None:
        await self._where.service.tables.execute(game, lambda _: (command, player_actor(player)))

    async def walk(self, path: str, limit: int) -> tuple[list[str], list[int]]:
        """Read a list page by page; give the games in order, and the counts."""
        found: list[str] = []
        counts: list[int] = []
        headers = {"Authorization": f"Bearer {self.token}"}
        cursor = ""
        while True:
            answer = await self._where.http.get(f"{path}limit={limit}{cursor}", headers=headers)
            page: dict[str, Any] = answer.json()
            found += [each["id"] for each in page["games"]]
            counts.append(page["count"])
            if page["next"] is None:
                return found, counts
            cursor = f"&cursor={page['next']}"


@pytest.mark.parametrize("path", ["/v1/games?", "/v1/players/me/games?"])
def test_pages_neither_lose_nor_repeat_while_games_come_and_go(path: str, url: str):
    """All the while games are opened, started and ended beside the reading."""

    async def play() -> None:
        random = Random(path)
        async with world(url, seed=len(path)) as where:
            account, token = await where.service.accounts.create("Ada")
            tables = Tables(where, (account.id, token), random)
            kept = {await tables.open() for _ in range(GAMES)}
            over = asyncio.Event()

            async def meddle(part: int) -> None:
                while not over.is_set():
                    some = [game for game in tables.moving() if hash(game) % MEDDLERS == part]
                    await asyncio.sleep(0)
                    if some:
                        await tables.move(random.choice(some))
                    if len(tables.status) < 4 * GAMES:
                        await tables.open()

            meddling = [asyncio.create_task(meddle(part)) for part in range(MEDDLERS)]
            try:
                for walked in range(WALKS):
                    found, _ = await tables.walk(path, limit=3 + walked)
                    assert len(found) == len(set(found)), "a game came twice"
                    assert kept <= set(found), "a game was lost"
            finally:
                over.set()
                await asyncio.gather(*meddling)
            for moves in range(3):
                game = await tables.open()
                for _ in range(moves):
                    await tables.move(game)
            # At rest each list has what stands in it, and counts it.
            for status in ("open", "running", "ended"):
                found, counts = await tables.walk(f"/v1/games?status={status}&", limit=20)
                expected = {game for game, now in tables.status.items() if now == status}
                assert expected <= set(found)
                assert set(counts) == {len(found)}

    asyncio.run(play())


def test_lists_that_are_built_anew_have_the_newest_place_of_games_that_move(url: str):
    async def play() -> None:
        random = Random("anew")
        async with world(url, seed=99) as where:
            account, token = await where.service.accounts.create("Ada")
            tables = Tables(where, (account.id, token), random)
            for _ in range(GAMES):
                await tables.open()

            async def move_all() -> None:
                while moving := tables.moving():
                    await tables.move(random.choice(moving))

            moving = asyncio.create_task(move_all())
            while not moving.done():
                await rebuild_lists(url)
            await moving
            ended, _ = await tables.walk("/v1/games?status=ended&", limit=100)
            assert set(tables.status) <= set(ended)
            for status in ("open", "running"):
                found, _ = await tables.walk(f"/v1/games?status={status}&", limit=100)
                assert not set(tables.status) & set(found), "an older place stands"

    asyncio.run(play())
