"""Tables: load, decide, append.

A folded table sits in a bounded cache and catches up from the stream when it lost a race. The
store's atomic append is what makes a command happen once; the lock per game here only spares
workers the conflicts that they would lose.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import structlog

from domain.catalogue import CATALOGUE
from domain.kernel.codec import codec_of, encode
from domain.kernel.commands import NEED_HISTORY, Command
from domain.kernel.decide import Context, decide, evolve_all
from domain.kernel.errors import Refusal
from domain.kernel.event import Record, Rewound
from domain.kernel.fold import evolve, fold
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, expires_at, seals_at, seat_deadline, status
from service import metrics
from service.sources import Sources
from service.store.errors import StoreCorrupt
from service.store.store import Store
from service.store.types import Append, Appended, Entry, Listing, Recorded, Repeated

log = structlog.get_logger()

CACHED = 4096
ATTEMPTS = 64  # conflicts in a row before something must be wrong


class KeyReused(Exception):
    """A command's key came before with another body."""


class StaleVersion(Exception):
    """The command was meant for another version than the current one."""


class NoSuchGame(Exception):
    """There is no game with this id."""


@dataclass(frozen=True)
class Table:
    """A table as folded so far: its ruleset and its state."""

    ruleset: Ruleset[Any]
    state: State


@dataclass(frozen=True)
class Done:
    """A command carried out.

    ``records`` are what it added to the log and ``table`` the table right after them;
    ``repeated`` says that an earlier call with the same key did it.
    """

    table: Table
    records: Sequence[Record]
    repeated: bool


@dataclass(frozen=True)
class Key:
    """A command's key, scoped to player, game and operation, with a digest of the body."""

    key: bytes | None
    digest: bytes


NO_KEY = Key(None, bytes(8))


def scoped_key(player: str, operation: str, key: str | None, body: bytes) -> Key:
    """Scope a client's key; another player's or operation's use of the same key is another key."""
    digest = hashlib.sha256(body).digest()[:8]
    if key is None:
        return Key(None, digest)
    scoped = "\n".join((player, operation, key)).encode()
    return Key(hashlib.sha256(scoped).digest()[:16], digest)


Maker = Callable[[Table], tuple[Command, str]]
Expected = Callable[[State], bool]
Listener = Callable[[Table], None]


class Tables:
    """All tables of one store, as one worker knows them.

    Every method may raise StoreUnavailable or StoreCorrupt. ``listeners`` are told of each table
    that this worker moved on.
    """

    def __init__(self, store: Store, sources: Sources) -> None:
        self.store = store
        self.sources = sources
        self.listeners: list[Listener] = []
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._ahead: dict[str, tuple[int, int]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # Reading.

    def cached(self, game: str) -> Table | None:
        """Give a table as this worker last saw it, without asking the store."""
        return self._cache.get(game)

    def forget(self, game: str) -> None:
        """Forget a table whose log turned out to be another than was folded."""
        self._cache.pop(game, None)

    async def current(self, game: str) -> Table | None:
        """Give a table at its present version; None if there is no such game."""
        held = self._cache.get(game)
        if held is not None:
            # From the newest event that was folded here, to see that the log still holds it: after
            # a failover or a restore it may have lost its tip, and may have grown anew since.
            entries = await self.store.read(game, held.state.version - 1)
            if _goes_on_from(held, entries):
                return await self._catch_up(game, held, entries[1:])
            self._lost(game)
        return await self._catch_up(game, None, await self.store.read(game))

    async def at(self, game: str, version: int) -> Table | None:
        """Give a table as it was at a version; None if it has not come so far."""
        held = self._cache.get(game)
        if held is not None and held.state.version == version:
            return held
        if version < 1:
            return None
        records = await self.records(game, 0, version)
        if len(records) < version:
            return None
        ruleset = ruleset_of(game, records[0])
        return Table(ruleset, fold(ruleset, records))

    async def records(self, game: str, after: int, limit: int | None = None) -> list[Record]:
        """Give a game's records after a version, up to a limit; none for an unknown game."""
        held = self._cache.get(game)
        if held is None and after > 0:
            held = await self.current(game)
        entries = await self.store.read(game, after, limit)
        return decode(game, held, entries)

    # Commands.

    async def create(
        self, game: str, command: Command, ruleset: Ruleset[Any], actor: str, *, key: Key = NO_KEY
    ) -> Done:
        """Open a table. Raises Refusal, or KeyReused if the id is there for another body."""
        records = decide(ruleset, None, command, Context(actor, self.sources.now()))
        answer = await self._append(game, ruleset, None, records, key)
        if isinstance(answer, Done):
            return answer
        if isinstance(answer, Repeated):
            return await self._repeat(game, answer.first, answer.last, same=answer.same)
        raise KeyReused(game)

    async def execute(
        self,
        game: str,
        make: Maker,
        *,
        key: Key = NO_KEY,
        expected: Expected | None = None,
        aside: bytes = b"",
    ) -> Done:
        """Carry a command out, once.

        ``make`` makes it and its actor from the present table, and may refuse; ``expected`` says
        whether the present state is the one that the caller meant. What stands in the way is
        answered in this order: the key was used before (its result again, or KeyReused), a
        Refusal for want of a role, StaleVersion, any other Refusal. Raises NoSuchGame as well.
        """
        async with self._lock(game):
            held = self._cache.get(game) or await self.current(game)
            for _ in range(ATTEMPTS):
                if held is None:
                    raise NoSuchGame(game)
                history = await self._history(held, make)
                try:
                    records = self._decide(held, make, expected, history)
                except (Refusal, StaleVersion):
                    # What was decided on may be out of date, and the retry of a command that
                    # succeeded must not be told that it is against the rules.
                    version = held.state.version
                    found, entries = await self.store.settle(game, key.key, version - 1)
                    if found is not None:
                        return await self._recorded(game, found, key)
                    if not _goes_on_from(held, entries):
                        self._lost(game)
                        held = await self.current(game)
                        continue
                    if len(entries) == 1:
                        raise
                    held = await self._catch_up(game, held, entries[1:])
                    continue
                answer = await self._append(game, held.ruleset, held, records, key, aside, history)
                if isinstance(answer, Done):
                    return answer
                if isinstance(answer, Repeated):
                    return await self._repeat(game, answer.first, answer.last, same=answer.same)
                if answer.version <= held.state.version:
                    self._lost(game)
                held = await self.current(game)
        raise StoreCorrupt(game, f"{ATTEMPTS} conflicts in a row")

    def time_of(self, state: State) -> int:
        """Say what time it is at a table (ms): never before its last event, and never stuck.

        If the log is ahead of this worker's clock (another worker's ran fast, or this one's was
        set back over a restart), time goes on from the log's.
        """
        now = self.sources.now()
        game = state.table.game
        if now >= state.time:
            self._ahead.pop(game, None)
            return now
        time, seen = self._ahead.setdefault(game, (state.time, now))
        return max(state.time, time + now - seen)

    async def preview(self, game: str, make: Maker) -> Done:
        """Show what a command would do, without doing it. Raises Refusal and NoSuchGame."""
        held = await self.current(game)
        if held is None:
            raise NoSuchGame(game)
        history = await self._history(held, make)
        records = self._decide(held, make, None, history)
        state = evolve_all(held.ruleset, held.state, records, (*history, *records))
        return Done(Table(held.ruleset, state), records, repeated=False)

    async def _history(self, held: Table, make: Maker) -> list[Record]:
        """Read the records so far, for the few commands that are decided on them."""
        try:
            command, _ = make(held)
        except Refusal:
            return []  # said again, and answered, where the command is decided
        if not isinstance(command, NEED_HISTORY):
            return []
        return await self.records(held.state.table.game, 0, held.state.version)

    def _decide(
        self,
        held: Table,
        make: Maker,
        expected: Expected | None,
        history: Sequence[Record] = (),
    ) -> tuple[Record, ...]:
        stale = expected is not None and not expected(held.state)
        try:
            command, actor = make(held)
            context = Context(actor, self.time_of(held.state))
            records = decide(held.ruleset, held.state, command, context, history)
        except Refusal as refusal:
            if stale and refusal.code != "forbidden":
                raise StaleVersion from None
            raise
        if stale:
            raise StaleVersion
        return records

    async def _append(
        self,
        game: str,
        ruleset: Ruleset[Any],
        held: Table | None,
        records: Sequence[Record],
        key: Key,
        aside: bytes = b"",
        history: Sequence[Record] = (),
    ) -> Any:
        before = held.state if held else None
        state = evolve_all(ruleset, before, records, (*history, *records) if history else ())
        table = Table(ruleset, state)
        append = Append(
            game=game,
            expected=before.version if before else 0,
            entries=tuple(
                Entry(record.version, encode(record), record.chain, aside if not place else b"")
                for place, record in enumerate(records)
            ),
            digest=key.digest,
            created=state.table.created,
            key=key.key,
            listing=listing_of(state),
            players=newcomers(before, state),
            due=due_of(state),
            head=before.chain if before else b"",
        )
        with metrics.APPEND.time():
            answer = await self.store.append(append)
        if not isinstance(answer, Appended):
            return answer
        self._hold(table)
        for listener in self.listeners:
            listener(table)
        return Done(table, records, repeated=False)

    async def _recorded(self, game: str, found: Recorded, key: Key) -> Done:
        return await self._repeat(game, found.first, found.last, same=found.digest == key.digest)

    async def _repeat(self, game: str, first: int, last: int, *, same: bool) -> Done:
        """Show what the first answer showed: the table as it was right after that command."""
        if not same:
            raise KeyReused(game)
        records = await self.records(game, 0, last)
        if len(records) < last:
            raise StoreCorrupt(game, f"a command's key names version {last}, which is not there")
        ruleset = ruleset_of(game, records[0])
        return Done(Table(ruleset, fold(ruleset, records)), records[first - 1 :], repeated=True)

    async def _catch_up(
        self, game: str, held: Table | None, entries: Sequence[Entry]
    ) -> Table | None:
        if not entries:
            return held
        records = decode(game, held, entries)
        if any(isinstance(record.event, Rewound) for record in records) and held is not None:
            # A rewind needs the history that this worker no longer has.
            held, records = None, await self.records(game, 0)
        ruleset = held.ruleset if held else ruleset_of(game, records[0])
        if held is None:
            table = Table(ruleset, fold(ruleset, records))
        else:
            state = held.state
            for record in records:
                state = evolve(ruleset, state, record)
            table = Table(ruleset, state)
        self._hold(table)
        return table

    def _hold(self, table: Table) -> None:
        game = table.state.table.game
        known = self._cache.get(game)
        if known is not None and known.state.version > table.state.version:
            return
        self._cache[game] = table
        self._cache.move_to_end(game)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)

    def _lost(self, game: str) -> None:
        """Forget what was folded from a log that is not the stored one any more."""
        log.warning("a log is not the one that was folded", game=game)
        self.forget(game)

    def _lock(self, game: str) -> asyncio.Lock:
        lock = self._locks.get(game)
        if lock is None:
            lock = self._locks[game] = asyncio.Lock()
        return lock


def _goes_on_from(held: Table, entries: Sequence[Entry]) -> bool:
    """Whether entries from a held table's own version on begin with the event that it ends in."""
    return bool(entries) and entries[0].chain == held.state.chain


class _Head(msgspec.Struct):
    ruleset: str


class _First(msgspec.Struct):
    event: _Head


def decode(game: str, held: Table | None, entries: Sequence[Entry]) -> list[Record]:
    """Decode stored entries. Raises StoreCorrupt if they are no events of the game's ruleset."""
    if not entries:
        return []
    try:
        if held is not None:
            ruleset = held.ruleset
        else:
            first = msgspec.json.decode(entries[0].body, type=_First)
            ruleset = CATALOGUE[first.event.ruleset]
        read = codec_of(ruleset).decode
        return [read(entry.version, entry.body, entry.chain) for entry in entries]
    except (msgspec.MsgspecError, KeyError) as error:
        raise StoreCorrupt(game, f"an entry is no event: {error}") from error


def ruleset_of(game: str, first: Record) -> Ruleset[Any]:
    """Give the ruleset that a game is pinned to, from its first record."""
    name = getattr(first.event, "ruleset", "")
    if name not in CATALOGUE:
        raise StoreCorrupt(game, "the log does not begin with the table's creation")
    return CATALOGUE[name]


def listing_of(state: State) -> Listing | None:
    """Say in which public list a game stands: none if it is private."""
    if not state.table.public:
        return None
    name = status(state)
    if name == "open":
        return "open"
    return "running" if name == "running" else "ended"


def newcomers(before: State | None, state: State) -> tuple[str, ...]:
    """List the players that a command brought to the table: they get it among their games."""
    now = belonging(state)
    return tuple(sorted(now if before is None else now - belonging(before)))


def belonging(state: State) -> set[str]:
    """List everybody who belongs to a table: host, judges, guests, whoever sits or sat there."""
    table = state.table
    known = {table.host, *table.judges, *table.invited}
    return known | {tenure.player for tenure in table.tenures}


def bundled_asked(state: State) -> tuple[int, ...]:
    """List the seats of bundled players that are asked now."""
    if state.game is None or state.game.decision is None or state.table.timing.paused:
        return ()
    seats = state.table.seats
    asked = state.game.decision.asked
    return tuple(seat for seat in asked if (held := seats[seat]) is not None and held.bundled)


def due_of(state: State) -> int | None:
    """Say when the service must look at the game by itself (ms); None for never.

    If a bundled player is asked that is now: the worker that moved the game on lets it act straight
    away, and the due time is for the others, in case it dies before it can.
    """
    times = [state.time] if bundled_asked(state) else []
    times += [until for until in (expires_at(state), seals_at(state)) if until is not None]
    if state.game is not None and state.game.decision is not None:
        limits = (seat_deadline(state, seat) for seat in state.game.decision.asked)
        times += [limit for limit in limits if limit is not None]
    return min(times, default=None)
