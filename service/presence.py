"""Who is present: which seats of a game have an open stream, on whichever worker.

Nothing of it is stored. Each worker tells the others what changes at its own streams, and now and
then everything; who is not heard of for a while is taken to be gone, with all its streams. Only the
numbers of seats are told, never who looks on or how many streams there are.
"""

import asyncio
import time
from collections.abc import Callable, Iterable

import msgspec
import structlog

from service.store.channels import Channels
from service.store.errors import StoreError

log = structlog.get_logger()

Seats = tuple[int, ...]

BEAT_EVERY = 10.0  # seconds
GONE_AFTER = 25.0  # seconds without a beat


class All(msgspec.Struct, frozen=True, tag="all"):
    """All seats present at a worker's streams, in the games of one partition."""

    worker: str
    games: dict[str, Seats]


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """The seats of one game that are present at a worker's streams from now on."""

    worker: str
    game: str
    seats: Seats


class Asked(msgspec.Struct, frozen=True, tag="asked"):
    """A worker has just begun to listen and asks the others for all they have."""

    worker: str


_decoder = msgspec.json.Decoder(All | Changed | Asked)


class Presence:
    """What one worker knows of who is present. ``changed`` is told of games where it changes."""

    def __init__(
        self,
        channels: Channels,
        worker: str,
        changed: Callable[[str], None],
        *,
        beat_every: float = BEAT_EVERY,
        gone_after: float = GONE_AFTER,
    ) -> None:
        self._channels = channels
        self._worker = worker
        self._changed = changed
        self._beat_every = beat_every
        self._gone_after = gone_after
        self._here: list[dict[str, Seats]] = [{} for _ in range(channels.partitions)]
        self._there: dict[str, dict[int, dict[str, Seats]]] = {}
        self._heard: dict[str, float] = {}
        self._to_tell: set[str] = set()
        self._to_ask: set[int] = set()
        self._to_answer: set[int] = set()
        self._told: set[int] = set()
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to tell others."""
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Tell the others that no stream is left here, and fall silent."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        taken = [place for place, games in enumerate(self._here) if games]
        for place in taken:
            self._here[place].clear()
        await self._say_all(taken)

    def seats(self, game: str) -> Seats:
        """List the seats of a game that are present."""
        place = self._channels.partition(game)
        found = set(self._here[place].get(game, ()))
        for places in self._there.values():
            found.update(places.get(place, {}).get(game, ()))
        return tuple(sorted(found))

    def put(self, game: str, seats: Seats) -> None:
        """Say which seats of a game are present at this worker's own streams."""
        games = self._here[self._channels.partition(game)]
        if games.get(game, ()) == seats:
            return
        if seats:
            games[game] = seats
        else:
            games.pop(game, None)
        self._to_tell.add(game)
        self._something.set()
        self._changed(game)

    def begun_to_listen(self) -> None:
        """Ask the others for what was missed, and tell them what they may have missed."""
        self._to_ask.update(range(self._channels.partitions))
        self._to_answer.update(self._to_ask)
        self._something.set()

    def heard(self, place: int, message: bytes) -> None:
        """Take in what a worker said on a partition's channel."""
        try:
            said = _decoder.decode(message)
        except msgspec.MsgspecError:
            return  # of another release
        if said.worker == self._worker:
            return
        match said:
            case Asked():
                self._to_answer.add(place)
                self._something.set()
            case Changed(game=game, seats=seats):
                self._touch(said.worker)
                games = self._there[said.worker].setdefault(place, {})
                self._note(games, {**games, game: seats})
            case All(games=now):
                self._touch(said.worker)
                self._note(self._there[said.worker].setdefault(place, {}), now)

    def _touch(self, worker: str) -> None:
        self._heard[worker] = time.monotonic()
        self._there.setdefault(worker, {})

    def _note(self, games: dict[str, Seats], now: dict[str, Seats]) -> None:
        """Take over what a worker has in a partition, and tell of the games where that differs."""
        differ = [game for game in {*games, *now} if games.get(game, ()) != now.get(game, ())]
        kept = {game: seats for game, seats in now.items() if seats}
        games.clear()
        games.update(kept)
        for game in differ:
            self._changed(game)

    async def _tell(self) -> None:
        """Tell the others of changes, one round after the other so that none overtakes."""
        while True:
            await self._something.wait()
            self._something.clear()
            games, self._to_tell = self._to_tell, set()
            asks, self._to_ask = self._to_ask, set()
            answers, self._to_answer = self._to_answer, set()
            try:
                await asyncio.gather(*map(self._ask, asks))
                await asyncio.gather(*map(self._say, games))
            except StoreError as error:
                # The next beat repeats everything.
                log.debug("presence is not told", error=str(error))
            await self._say_all(place for place in answers if self._here[place])

    async def _ask(self, place: int) -> None:
        await self._channels.talk(place, _encode(Asked(self._worker)))

    async def _say(self, game: str) -> None:
        place = self._channels.partition(game)
        self._told.add(place)
        seats = self._here[place].get(game, ())
        await self._channels.talk(place, _encode(Changed(self._worker, game, seats)))

    async def _say_all(self, places: Iterable[int]) -> None:
        messages = [(place, All(self._worker, self._here[place])) for place in places]
        said = await asyncio.gather(
            *(self._channels.talk(place, _encode(message)) for place, message in messages),
            return_exceptions=True,
        )
        for error in said:
            if isinstance(error, Exception) and not isinstance(error, StoreError):
                raise error

    async def _beat(self) -> None:
        """Repeat everything now and then, and forget workers that are not heard of any more."""
        while True:
            await asyncio.sleep(self._beat_every)
            taken = {place for place, games in enumerate(self._here) if games}
            told, self._told = self._told, taken
            await self._say_all(taken | told)
            self._forget_silent()

    def _forget_silent(self) -> None:
        before = time.monotonic() - self._gone_after
        for worker in [name for name, heard in self._heard.items() if heard < before]:
            del self._heard[worker]
            for games in self._there.pop(worker).values():
                for game in games:
                    self._changed(game)


def _encode(message: All | Changed | Asked) -> bytes:
    return msgspec.json.encode(message)
