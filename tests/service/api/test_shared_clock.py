"""Where a worker's time begins, and what it does about others': on a real store, with any note."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from service.clock import FRESH, LONGEST, SharedClock
from service.sources import SteadyClock
from service.store.embedded import Embedded
from service.store.keys import CLOCK
from service.store.store import Store
from tests.service.api.test_steady_clock import HOUR, Times

SLACK = 1_000  # ms that a test may take between two readings

Notes = Callable[[int, int], Awaitable[None]]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Embedded(tmp_path_factory.mktemp("clock")) as embedded:
        yield embedded.url


class Machine:
    """A machine whose system clock says something else than the store's."""

    def __init__(self, store: Store, place: Path | None = None) -> None:
        self.times = Times()
        self.steady = SteadyClock(lambda: self.times.wall, lambda: self.times.steady)
        self.clock = SharedClock(store, self.steady, place)

    async def begin(self) -> int:
        await self.clock.begin()
        await self.clock.stop()
        return self.steady()


def play(url: str, scene: Callable[[Store, Notes], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await Store.open(url)
        try:
            await store._client.run("DEL", CLOCK)

            async def note(time: int, ago: int) -> None:
                """Leave a note of the store's time and more, made when its clock said less."""
                _, at = await store.clock()
                await store._client.run("SET", CLOCK, f"{at + time} {at - ago}")

            await scene(store, note)
        finally:
            await store.close()

    asyncio.run(run())


def test_without_a_note_the_stores_clock_counts_and_not_the_machines(url: str):
    async def scene(store: Store, note: Notes) -> None:
        begun = await Machine(store).begin()
        noted, at = await store.clock()
        assert abs(begun - at) < SLACK
        assert noted
        assert noted.time == begun

    play(url, scene)


@pytest.mark.parametrize("apart", [HOUR, -HOUR])
def test_a_fresh_note_counts_and_not_the_clocks(url: str, apart: int):
    """Those who run go on as before; the store's clock jumped, or was right only later."""

    async def scene(store: Store, note: Notes) -> None:
        await note(apart - 15_000, 15_000)
        begun = await Machine(store).begin()
        _, at = await store.clock()
        assert abs(begun - at - apart) < SLACK

    play(url, scene)


def test_a_note_that_holds_no_longer_is_where_time_never_goes_back_behind(url: str):
    async def scene(store: Store, note: Notes) -> None:
        await note(-LONGEST - 5_000, LONGEST + 5_000)
        _, at = await store.clock()
        assert abs(await Machine(store).begin() - at) < SLACK
        await note(7 * HOUR, LONGEST + 5_000)
        assert abs(await Machine(store).begin() - at - 7 * HOUR) < SLACK
        await note(HOUR, -HOUR)  # the store's clock went back since
        assert abs(await Machine(store).begin() - at - HOUR) < SLACK

    play(url, scene)


def test_a_running_worker_follows_others_ahead_but_no_jump_of_the_stores_clock(url: str):
    async def scene(store: Store, note: Notes) -> None:
        machine = Machine(store)
        begun = await machine.begin()
        for jump in (HOUR, -HOUR):
            await note(0, jump)
            await machine.clock.beat()
            assert machine.steady() == begun
            noted, at = await store.clock()
            assert noted
            assert (noted.time, at - noted.at < SLACK) == (begun, True)
        await note(HOUR, 0)
        await machine.clock.beat()
        assert abs(machine.steady() - begun - HOUR) < SLACK
        await note(0, 0)  # whoever is behind is told so by a note made anew
        await machine.clock.beat()
        noted, _ = await store.clock()
        assert noted
        assert noted.time == machine.steady()

    play(url, scene)


def test_a_note_that_still_holds_is_left_alone(url: str):
    """A service that nobody uses writes next to nothing."""

    async def scene(store: Store, note: Notes) -> None:
        machine = Machine(store)
        begun = await machine.begin()
        await note(0, 0)
        first, at = await store.clock()
        machine.steady.set(at)
        await machine.clock.beat()
        assert (await store.clock())[0] == first
        await note(-FRESH - 1, FRESH + 1)
        await machine.clock.beat()
        noted, _ = await store.clock()
        assert noted
        assert noted.time >= begun

    play(url, scene)


def test_the_machines_note_counts_before_the_stores(url: str, tmp_path: Path):
    """It is measured by what nobody can set, and of this boot of this machine only."""
    place = tmp_path / "clock"

    async def scene(store: Store, note: Notes) -> None:
        first = Machine(store, place)
        begun = await first.begin()
        await note(HOUR, HOUR)  # the store's clock jumped, just now
        await store._client.run("DEL", CLOCK)
        second = Machine(store, place)
        second.times.wall += HOUR
        second.times.steady += 3_000
        assert await second.begin() == begun + 3_000
        late = Machine(store, place)
        late.times.steady += 3_000 + LONGEST + 1
        await note(-HOUR, 0)
        assert await late.begin() < begun - HOUR + SLACK
        place.write_bytes(place.read_bytes().replace(b'"boot":"', b'"boot":"another '))
        await note(HOUR, 0)
        assert await Machine(store, place).begin() > begun + HOUR - SLACK

    play(url, scene)
