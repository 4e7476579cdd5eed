"""The live side of one worker: games that are being watched, and who watches them.

One reader per store server hears of every append (`service.store.channels`). For each watched game
the worker then reads what is new, once, and hands it to all who watch; each of them is shown it
with their own sight. A wake-up that is lost costs no more than the pause between two looks.
"""

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from domain.kernel.fold import fold
from service import metrics
from service.accounts import Accounts, Holder
from service.presence import Presence
from service.sources import Sources
from service.store.errors import StoreCorrupt, StoreUnavailable
from service.stream_settings import Settings
from service.tables import Table, Tables, ruleset_of
from service.watching import Channel, Shown, Watcher

log = structlog.get_logger()

PAGE = 100  # events read at once
PAGES = 64  # pages of earlier events kept for those who begin or come back
READS = 24  # reads under way at once, so that a storm of them leaves room for commands
FIRST_WORD = 2.0  # seconds that the start waits for the reader
LAST_WORD = 1.0  # seconds that a stream has to say goodbye


class TooManyStreams(Exception):
    """The client has as many open streams as it may."""


class Hub:
    """All that is watched at one worker."""

    def __init__(
        self,
        tables: Tables,
        accounts: Accounts,
        sources: Sources,
        ending: asyncio.Event,
        settings: Settings,
    ) -> None:
        self.settings = settings
        self.ending = ending
        self._tables = tables
        self._accounts = accounts
        self._sources = sources
        self._games: dict[bytes, Channel] = {}
        self._clients: Counter[tuple[str, str]] = Counter()
        self._reads = asyncio.Semaphore(READS)
        self._pages: OrderedDict[tuple[str, int], list[Shown]] = OrderedDict()
        self._reading: dict[tuple[str, int], asyncio.Task[list[Shown]]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._first_word = asyncio.Event()
        channels = tables.store.channels
        self.presence = Presence(channels, secrets.token_hex(8), self._present)
        self._subscription = channels.subscription(
            self._woken, self.presence.heard, self._listening
        )

    # Its own life.

    async def start(self) -> None:
        """Begin to listen, and wait a little until the store is heard."""
        works = (
            self._subscription.run(),
            self._look(),
            self._look_at_tokens(),
            self._tick(),
            self._end(),
        )
        self._tasks = [asyncio.create_task(work) for work in works]
        self.presence.start()
        try:
            async with asyncio.timeout(FIRST_WORD):
                await self._first_word.wait()
        except TimeoutError:
            log.warning("the live reader does not hear the store yet")

    async def stop(self) -> None:
        """End what is left and stop listening."""
        await self.presence.stop()
        looks = [channel.looking for channel in self._games.values()]
        tasks = [*self._tasks, *self._reading.values(), *(look for look in looks if look)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def check(self) -> None:
        """Raise StoreUnavailable while the store is not heard."""
        if not self._subscription.up:
            raise StoreUnavailable(self._subscription.reason, "the live reader hears nothing")

    # Watching.

    @contextmanager
    def watch(
        self,
        table: Table,
        holder: Holder | None,
        address: str,
        *,
        stream: bool,
        present: bool = False,
    ) -> Iterator[Watcher]:
        """Watch a game, from a table that was read just now. Raises TooManyStreams.

        ``stream`` tells streams from waiting requests, ``present`` those that stand for a seat.
        """
        client = ("player", holder.player) if holder is not None else ("address", address)
        most = self.settings.per_address if holder is None else self.settings.per_player
        if self._clients[client] >= most:
            raise TooManyStreams
        name = table.state.table.game.encode()
        channel = self._games.get(name)
        if channel is None:
            channel = Channel(table, self.presence.seats(table.state.table.game))
            self._games[name] = channel
        noted = holder is not None and holder.player in table.state.table.judges
        watcher = Watcher(self, channel, holder, stream=stream, present=present, noted=noted)
        gauge = metrics.OPEN_STREAMS if stream else metrics.WAITING
        self._clients[client] += 1
        channel.watchers.add(watcher)
        gauge.inc()
        self._note_seats(channel)
        # What was appended between reading the table and here woke nobody.
        self._poke(channel)
        if self.ending.is_set():
            watcher.end("stopping")
        try:
            yield watcher
        finally:
            channel.watchers.discard(watcher)
            metrics.STREAM_EVENTS.inc(watcher.taken)
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
            if not channel.watchers and self._games.get(name) is channel:
                del self._games[name]
                self._forget(channel.game)
            self._note_seats(channel)
            gauge.dec()

    def _note_seats(self, channel: Channel) -> None:
        """Say which seats the streams of a game stand for now."""
        players = {watcher.player for watcher in channel.watchers if watcher.present}
        found = (channel.table.seat_of(player) for player in players if player is not None)
        self.presence.put(channel.game, tuple(sorted(seat for seat in found if seat is not None)))

    def _present(self, game: str) -> None:
        channel = self._games.get(game.encode())
        if channel is None:
            return
        present = self.presence.seats(game)
        if present != channel.present:
            channel.present = present
            for watcher in channel.watchers:
                watcher.wake()

    # Reading.

    async def look(self, channel: Channel) -> None:
        """Read what is new in a game. Raises StoreUnavailable."""
        self._poke(channel)
        assert channel.looking is not None
        await asyncio.shield(channel.looking)
        if channel.failure is not None:
            raise StoreUnavailable(channel.failure.reason, str(channel.failure))

    async def after(self, channel: Channel, version: int) -> list[Shown]:
        """Give a game's events after a version: what is at hand, or up to a page."""
        at_hand = channel.after(version)
        if at_hand is not None:
            return at_hand
        number = version // PAGE
        page = self._pages.get((channel.game, number))
        if page is None or not page or page[-1].version <= version:
            page = await self._page(channel, number)
        # Beyond the table's version it is not known yet who may see what.
        return [one for one in page[version - number * PAGE :] if one.version <= channel.version]

    async def _page(self, channel: Channel, number: int) -> list[Shown]:
        """Read a page of a game; those who need the same one share the reading."""
        key = (channel.game, number)
        task = self._reading.get(key)
        if task is None:
            task = asyncio.create_task(self._read_page(*key))
            self._reading[key] = task
            task.add_done_callback(lambda _: self._reading.pop(key, None))
        return await asyncio.shield(task)

    async def _read_page(self, game: str, number: int) -> list[Shown]:
        async with self._reads:
            records = await self._tables.records(game, number * PAGE, PAGE)
        page = [Shown(record) for record in records]
        self._pages[game, number] = page
        self._pages.move_to_end((game, number))
        if len(self._pages) > PAGES:
            self._pages.popitem(last=False)
        return page

    def _forget(self, game: str) -> None:
        for key in [key for key in self._pages if key[0] == game]:
            del self._pages[key]

    def _woken(self, game: bytes, version: int) -> None:
        channel = self._games.get(game)
        if channel is not None and channel.version != version:
            self._poke(channel)

    def _listening(self) -> None:
        self._first_word.set()
        metrics.HUB_UP.set(1)
        self.presence.begun_to_listen()
        for channel in self._games.values():
            self._poke(channel)

    def _poke(self, channel: Channel) -> None:
        """Have a game looked at, soon; while one look is under way, once more after it."""
        channel.wanted = True
        if channel.looking is None:
            channel.looking = asyncio.create_task(self._look_at(channel))

    async def _look_at(self, channel: Channel) -> None:
        try:
            while channel.wanted:
                channel.wanted = False
                async with self._reads:
                    await self._read_on(channel)
                channel.failure = None
        except StoreUnavailable as error:
            # Looked at again when the store is heard again, or when its turn comes.
            channel.failure = error
            metrics.STORE_ERRORS.labels(error.reason).inc()
        except StoreCorrupt as error:
            log.error("a log is damaged", game=error.game, found=error.found)
            self._end_all(channel, "damaged")
        except Exception as error:
            log.error("a fault while reading for streams", game=channel.game, exc_info=error)
            self._end_all(channel, "fault")
        finally:
            channel.looking = None

    async def _read_on(self, channel: Channel) -> None:
        """Read on from a game's last known event, which must still be the one that it was."""
        records = await self._tables.records(channel.game, channel.version - 1, PAGE + 1)
        if not records or records[0].chain != channel.chain:
            await self._begin_anew(channel)
            return
        fresh = records[1:]
        if not fresh:
            return
        channel.wanted = channel.wanted or len(fresh) == PAGE
        seats_changed = channel.extend(fresh)
        if seats_changed:
            self._note_seats(channel)
        age = self._sources.now() - fresh[-1].time
        metrics.HUB_LAG.observe(max(0, age) / 1000)
        for watcher in channel.watchers:
            watcher.wake()

    async def _begin_anew(self, channel: Channel) -> None:
        """Take up a log that lost its tip, and may have grown anew since."""
        log.warning("a log is not the one that was seen before", game=channel.game)
        self._forget(channel.game)
        self._tables.forget(channel.game)
        records = await self._tables.records(channel.game, 0)
        if not records:
            self._end_all(channel, "gone")
            return
        state = fold(ruleset_of(channel.game, records[0]), records)
        channel.replace(state)
        self._note_seats(channel)
        for watcher in channel.watchers:
            watcher.lost = True
            watcher.wake()

    # What is done now and then.

    async def _look(self) -> None:
        """Look at every watched game in turn, spread over the pause between two looks."""
        while True:
            channels = list(self._games.values())
            pause = self.settings.look_every
            if not self._subscription.up:
                pause = min(pause, 1.0)
            for channel in channels:
                self._poke(channel)
                await asyncio.sleep(pause / len(channels))
            if not channels:
                await asyncio.sleep(pause)

    async def _look_at_tokens(self) -> None:
        """Disconnect, now and then, those whose token was replaced since they came."""
        while True:
            await asyncio.sleep(self.settings.look_every)
            try:
                await self.end_void()
            except StoreUnavailable as error:
                metrics.STORE_ERRORS.labels(error.reason).inc()

    async def end_void(self) -> None:
        """End what is watched with a token that is void by now. Raises StoreUnavailable."""
        watchers = [each for channel in self._games.values() for each in channel.watchers]
        void = await self._accounts.void({each.holder for each in watchers if each.holder})
        for watcher in watchers:
            if watcher.holder in void:
                watcher.end("token")

    async def _tick(self) -> None:
        """Let silent streams send a sign of life, and drop those that take nothing."""
        clock = asyncio.get_running_loop().time
        beat, slow = self.settings.heartbeat, self.settings.slow_after
        while True:
            metrics.HUB_UP.set(self._subscription.up)
            metrics.WATCHED.set(len(self._games))
            now = clock()
            for watcher in self._streams():
                metrics.STREAM_EVENTS.inc(watcher.taken)
                watcher.taken = 0
                quiet = now - watcher.last_sent
                if watcher.sending and quiet > slow:
                    watcher.end("slow")
                    watcher.abort()
                elif not watcher.sending and quiet >= beat:
                    watcher.beat = True
                    watcher.wake()
            await asyncio.sleep(min(1.0, beat / 4, slow / 4))

    async def _end(self) -> None:
        """End everything once the worker is told to stop, so that the server need not wait."""
        await self.ending.wait()
        for channel in self._games.values():
            self._end_all(channel, "stopping")
        await asyncio.sleep(LAST_WORD)
        for watcher in self._streams():
            watcher.abort()

    def _streams(self) -> list[Watcher]:
        channels = self._games.values()
        return [watcher for channel in channels for watcher in channel.watchers if watcher.stream]

    @staticmethod
    def _end_all(channel: Channel, reason: str) -> None:
        for watcher in channel.watchers:
            watcher.end(reason)
