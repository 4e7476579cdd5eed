"""Lists, deadlines and the rebuilding of lists with many games in the store, beside few.

``python -m tests.benchmarks.lobby --games 100000``
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from domain.catalogue import CATALOGUE
from domain.kernel.codec import encode
from domain.kernel.decide import SERVICE, Create, Expire, Join, Start, player_actor
from domain.players.playout import Playout
from service.accounts import Accounts
from service.api.games import page_cursor
from service.operator import rebuild_lists
from service.sources import Sources, spell
from service.store.store import Store
from service.store.types import Append, Entry
from service.tables import belonging, due_of, listing_of
from tests.benchmarks.lines import Line, line, write
from tests.service.serving import Serving

RULESET = "stir-fry-eighteen"
FEW = 1_000
MANY = 10_000  # in `make bench`; 100,000 by argument
ASKED = 60
AT_ONCE = 64
DAY = 86_400_000
FAIR = (
    "Two services, one with so many games and one with 1,000, asked in turns over HTTP; medians, in"
    " ms. The games are real: half wait for a start, two fifths are running, a tenth have expired."
    " One player sits in three of twenty, another in five."
)


@dataclass
class Filled:
    """A service whose store was filled, and what to ask it for."""

    serving: Serving
    games: int
    middle: str
    of_many: str
    tokens: dict[str, str]

    @property
    def url(self) -> str:
        return f"unix://{self.serving.store_socket()}"


def made(entropy: random.Random, number: int, players: tuple[str, str]) -> Playout:
    """Make a game that is open, running or over."""
    rules, (host, guest) = CATALOGUE[RULESET], players
    age = 40 * DAY if number % 10 == 9 else DAY
    # Some in the same millisecond, as in a busy hour.
    play = Playout(rules, time=time.time_ns() // 1_000_000 - age + number // 3)
    create = Create(
        game=spell(entropy.randbytes(10)),
        ruleset_version=rules.version,
        options=rules.options(),
        seats=2,
        host=host,
        public=True,
        seed=entropy.randbytes(32).hex(),
        expires=30 * DAY,
    )
    play.command(create, player_actor(host))
    play.command(Join(player=host), player_actor(host))
    if number % 10 < 5:
        return play
    play.command(Join(player=guest), player_actor(guest))
    play.command(Start(player=host), player_actor(host))
    if number % 10 == 9:
        play.time += 30 * DAY
        play.command(Expire(), SERVICE)
    return play


async def keep(store: Store, play: Playout) -> None:
    """Store a game as its last append would have left it."""
    state = play.state
    assert state is not None
    await store.append(
        Append(
            game=state.table.game,
            expected=0,
            entries=tuple(Entry(one.version, encode(one), one.chain) for one in play.records),
            digest=bytes(8),
            created=state.table.created,
            listing=listing_of(state),
            players=tuple(sorted(belonging(state))),
            due=due_of(state),
        )
    )


async def _fill(url: str, games: int) -> tuple[str, str, dict[str, str]]:
    """Fill a store; give a cursor in the middle of a list, one of the player's, and tokens."""
    entropy = random.Random(games)
    store = await Store.open(url)
    accounts = Accounts(store, Sources())
    try:
        named = {name: await accounts.create(name) for name in ("many", "few")}
        others = [spell(entropy.randbytes(10)) for _ in range(max(20, games // 20))]
        under_way: set[asyncio.Task[None]] = set()
        for number in range(games):
            host, guest = entropy.sample(others, 2)
            if number % 10 == 5 or number % 20 == 0:
                host = named["many"][0].id
            elif number % (games // 5) == 1:
                host = named["few"][0].id
            if len(under_way) >= AT_ONCE:
                _, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            under_way.add(asyncio.create_task(keep(store, made(entropy, number, (host, guest)))))
        await asyncio.gather(*under_way)
        mine = store.games_of(named["many"][0].id, limit=games // 20)
        pages = await asyncio.gather(store.games("open", limit=games // 4), mine)
        middle, of_many = (page_cursor(page[-1]) for page in pages)
        return middle, of_many, {name: token for name, (_, token) in named.items()}
    finally:
        await store.close()


def filled(folder: Path, games: int) -> Filled:
    """Start a service and fill its store."""
    serving = Serving(folder).start()
    began = time.perf_counter()
    middle, of_many, tokens = asyncio.run(_fill(f"unix://{serving.store_socket()}", games))
    print(f"{games} games made in {time.perf_counter() - began:.0f} s", flush=True)
    return Filled(serving, games, middle, of_many, tokens)


def _get(where: Filled, path: str, token: str) -> float:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(where.serving.address + path, headers=headers)
    started = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()
    return (time.perf_counter() - started) * 1000


def _asked(many: Filled, few: Filled, name: str, path: str, who: str = "") -> Line:
    """Ask both in turns for a path, in which a cursor stands for that of either."""
    times: dict[int, list[float]] = {many.games: [], few.games: []}
    for turn in range(ASKED + 5):
        for where in (many, few):
            asked = path.format(middle=where.middle, of_many=where.of_many)
            taken = _get(where, asked, where.tokens.get(who, ""))
            if turn >= 5:  # the first ones fold the games that are shown
                times[where.games].append(taken)
    ours, beside = (statistics.median(each) for each in times.values())
    full = f"ms for {name}, {many.games:,} games in the store, beside {few.games:,}"
    return line(full, ours, beside, goal=1.5, fair=FAIR, at_most=True)


async def _due(*urls: str) -> list[float]:
    """Look for what is due in several stores in turns; gives the median ms for each."""
    stores = [await Store.open(url) for url in urls]
    times: list[list[float]] = [[] for _ in urls]
    try:
        now = time.time_ns() // 1_000_000
        for _ in range(ASKED):
            for store, taken in zip(stores, times, strict=True):
                started = time.perf_counter()
                assert await store.due(now, 500) == []
                taken.append((time.perf_counter() - started) * 1000)
        return [statistics.median(taken) for taken in times]
    finally:
        for store in stores:
            await store.close()


def _rebuilt(where: Filled) -> float:
    """Build the lists anew; gives ms for each game."""
    started = time.perf_counter()
    count = asyncio.run(rebuild_lists(where.url))
    taken = time.perf_counter() - started
    assert count >= where.games
    print(f"{count} games listed anew in {taken:.1f} s", flush=True)
    return taken * 1000 / count


def measure(games: int = MANY) -> list[Line]:
    """Fill two stores and measure."""
    with tempfile.TemporaryDirectory() as folder:
        few = filled(Path(folder, "few"), FEW)
        many = filled(Path(folder, "many"), games)
        try:
            lines = [
                _asked(many, few, "the first page of open games", "/v1/games?status=open"),
                _asked(
                    many,
                    few,
                    "a page in the middle of open games",
                    "/v1/games?status=open&cursor={middle}",
                ),
                _asked(many, few, "the first page of all games", "/v1/games"),
                _asked(many, few, "the counts, with one game of all", "/v1/games?limit=1"),
                _asked(
                    many, few, "my games, of who sits in 15 of 100", "/v1/players/me/games", "many"
                ),
                _asked(
                    many,
                    few,
                    "a page in the middle of them",
                    "/v1/players/me/games?cursor={of_many}",
                    "many",
                ),
                _asked(many, few, "my games, of who has five", "/v1/players/me/games", "few"),
            ]
            between = f"{many.games:,} games in the store, beside {few.games:,}"
            lines.append(
                line(
                    f"ms for a look at what is due, {between}",
                    *asyncio.run(_due(many.url, few.url)),
                    goal=1.5,
                    fair="What a worker asks the store twice a second; every game has a deadline.",
                    at_most=True,
                )
            )
            lines.append(
                line(
                    f"ms for each game when all lists are built anew, {between}",
                    _rebuilt(many),
                    _rebuilt(few),
                    goal=1.5,
                    fair="`potluck rebuild` while the service runs, without its start.",
                    at_most=True,
                )
            )
            return lines
        finally:
            for each in (few, many):
                each.serving.end()


def main() -> None:
    """Measure with as many games as asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=MANY)
    given = parser.parse_args()
    write(measure(given.games), Path("build/lobby.json"))


if __name__ == "__main__":
    main()
