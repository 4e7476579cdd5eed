"""Who is present: which seats have an open stream, on any worker, and nothing else."""

import asyncio
import contextlib
import time

from service.presence import Presence
from service.store.store import Store
from tests.service.live.reader import Stream
from tests.service.players import Player, Table
from tests.service.serving import Serving


def last(stream: Stream) -> list[int] | None:
    said = stream.named("presence")
    return said[-1]["seats"] if said else None


async def until(stream: Stream, seats: list[int], patience: float = 20.0) -> None:
    await stream.until(lambda _: last(stream) == seats, patience)


def test_presence_is_told_at_once_and_on_change_at_every_worker(live: Serving, beside: Serving):
    ada, ben = (Player(live.address, name) for name in ("Ada", "Ben"))
    table = Table(ada, ben).seated()
    path = f"{table.path}/events"

    async def watch() -> None:
        here = await Stream.open(live.port, path)
        there = await Stream.open(beside.port, path)
        await asyncio.gather(until(here, []), until(there, []))
        first = await Stream.open(live.port, path, ada.token)
        await until(first, [0])
        await asyncio.gather(until(here, [0]), until(there, [0]))
        second = await Stream.open(beside.port, path, ben.token)
        await until(second, [0, 1])
        await asyncio.gather(until(here, [0, 1]), until(there, [0, 1]))
        # A second stream of the same seat, on the other worker, changes nothing; nor does the
        # end of one of the two.
        again = await Stream.open(beside.port, path, ada.token)
        await until(again, [0, 1])
        await asyncio.sleep(0.3)  # until the first worker has heard of it too
        first.cut()
        second.cut()
        await asyncio.gather(until(here, [0]), until(there, [0]))
        again.cut()
        await asyncio.gather(until(here, []), until(there, []))
        told = [one["seats"] for one in here.named("presence")]
        assert told == [[], [0], [0, 1], [0], []]
        for stream in (here, there):
            assert all(set(one) == {"seats"} for one in stream.named("presence"))

    asyncio.run(watch())


def test_whoever_takes_or_leaves_a_seat_under_an_open_stream(live: Serving):
    ada, ben = (Player(live.address, name) for name in ("Ada", "Ben"))
    table = Table(ada, ben)

    async def watch() -> None:
        stream = await Stream.open(live.port, f"{table.path}/events", ben.token)
        await until(stream, [])
        await asyncio.to_thread(ben.post, f"{table.path}/seats", {"type": "join", "seat": 1})
        await until(stream, [1])
        await asyncio.to_thread(ben.delete, f"{table.path}/seats/1")
        await until(stream, [])

    asyncio.run(watch())


def test_reading_and_looking_on_are_not_presence(live: Serving):
    """A bounded stream, a waiting request and a spectator stand for no seat."""
    ada, ben, eve = (Player(live.address, name) for name in ("Ada", "Ben", "Eve"))
    table = Table(ada, ben).seated()
    path = f"{table.path}/events"

    async def watch() -> None:
        cursor = (await asyncio.to_thread(table.view))["cursor"]
        looking = await Stream.open(live.port, path, eve.token)
        waiting = asyncio.create_task(asyncio.to_thread(ada.get, f"{path}?wait=1&after={cursor}"))
        bounded = await Stream.open(live.port, f"{path}?wait=1&after={cursor}", ben.token)
        await asyncio.gather(bounded.rest(), waiting)
        with contextlib.suppress(TimeoutError):
            await looking.rest(0.3)
        assert looking.named("presence") == [{"seats": []}]
        assert bounded.named("presence") == [{"seats": []}]

    asyncio.run(watch())


class Stage:
    """Several workers' presence on one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.changed: dict[str, list[str]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.workers: dict[str, Presence] = {}

    async def enter(self, name: str, **more: float) -> Presence:
        heard = self.changed[name] = []
        presence = Presence(self.store.channels, name, heard.append, **more)
        up = asyncio.Event()
        subscription = self.store.channels.subscription(
            lambda *_: None, presence.heard, lambda: (up.set(), presence.begun_to_listen())[0]
        )
        self.tasks.append(asyncio.create_task(subscription.run()))
        await up.wait()
        presence.start()
        self.workers[name] = presence
        return presence

    def silence(self, name: str) -> None:
        """Let a worker vanish without a word."""
        for task in self.workers.pop(name)._tasks:
            task.cancel()

    async def close(self) -> None:
        for name in list(self.workers):
            self.silence(name)
        for task in self.tasks:
            task.cancel()
        await self.store.close()


async def holds(found, patience: float = 5.0) -> None:
    until = time.monotonic() + patience
    while not found():
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


def test_late_comers_silence_and_words_that_were_lost(live: Serving):
    quick = {"beat_every": 0.1, "gone_after": 0.5}

    async def play() -> None:
        stage = Stage(await Store.open(f"unix://{live.store_socket()}"))
        try:
            one, two = [await stage.enter(name, **quick) for name in ("one", "two")]
            one.put("g1", (0, 1))
            two.put("g1", (1, 2))
            await holds(lambda: one.seats("g1") == two.seats("g1") == (0, 1, 2))
            late = await stage.enter("late", beat_every=30, gone_after=0.5)
            await holds(lambda: late.seats("g1") == (0, 1, 2))
            # A change whose message is lost is made up for by the next beat.
            two.heard(stage.store.channels.partition("g1"), b'{"type":"of another release"}')
            two._there["one"].clear()
            await holds(lambda: two.seats("g1") == (0, 1, 2))
            stage.silence("one")
            await holds(lambda: two.seats("g1") == (1, 2))
            assert "g1" in stage.changed["two"]
            two.put("g1", ())
            await holds(lambda: late.seats("g1") == () or late.seats("g1") == (0, 1))
            await two.stop()
            assert two.seats("g1") == ()
        finally:
            await stage.close()

    asyncio.run(play())
