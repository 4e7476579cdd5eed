"""The store: bytes in, versions out.

It knows nothing of games beyond their ids. `docs/store.md` says what stands under which key.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, Self

import msgspec

from service.store import findings, function, replies
from service.store.channels import Channels
from service.store.client import Client, Command, Settings
from service.store.errors import (
    StoreCorrupt,
    StoreMismatch,
    StoreUnavailable,
    is_missing_function,
    is_wrong_type,
    translate,
)
from service.store.keys import CLOCK, GAME_STREAMS, META, OPERATOR_LOG, Keys
from service.store.listings import Place, earliest, newest_first
from service.store.types import (
    LISTINGS,
    Append,
    Appended,
    Conflict,
    Entry,
    Finding,
    Listing,
    Noted,
    Recorded,
    Repeated,
)

__all__ = ["DEFAULT_PARTITIONS", "FORMAT", "Store"]

FORMAT: Final = 1
"""The number of the key layout; a store of another format is refused."""

DEFAULT_PARTITIONS: Final = 64

_PAGE: Final = 5_000
"""The most entries asked for at once: a reply is made in one go, while all others wait."""

_TOKEN_HASH_BYTES: Final = 32
_MOST_LOOKS: Final = 10_000
_SECRET_BYTES: Final = 32


class _Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    partitions: int
    secret: str


class Store:
    """A store on one Redis or Valkey server, or on a cluster of them.

    Belongs to one event loop and may be used by any number of its tasks. When the server goes away
    calls raise `StoreUnavailable`; when it is back they work again, nothing has to be reopened.

    Every method may raise `StoreUnavailable`. Ids that are not well formed (see `types.ID_PATTERN`)
    are a `ValueError`. `channels` is for what is told rather than stored.
    """

    def __init__(self, client: Client, keys: Keys, secret: bytes, feed_length: int) -> None:
        self._client = client
        self._keys = keys
        self._secret = secret
        self._feed_length = feed_length
        self.channels = Channels(client, keys)
        self._loading: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str | Settings, *, partitions: int = DEFAULT_PARTITIONS) -> Self:
        """Connect, and make the store if the server has none yet.

        Two processes that open a new store at once agree on it.

        Raises `StoreMismatch` if the server's store has another number of partitions or another
        format, and `StoreUnavailable` if the server cannot be reached.
        """
        settings = Settings(url=url) if isinstance(url, str) else url
        keys = Keys(partitions)
        client = Client(settings)
        try:
            secret = await _agree(client, partitions)
            store = cls(client, keys, secret, settings.feed_length)
            # A full or read-only server can still be read from; whoever appends will be told.
            with contextlib.suppress(StoreUnavailable):
                await store._load()
        except BaseException:
            await client.close()
            raise
        return store

    async def close(self) -> None:
        """Finish what is under way and close the connections."""
        await self._client.close()

    async def append(self, append: Append) -> Appended | Repeated | Conflict:
        """Store a command's entries, all or none, in one round trip.

        If the command's key is known that is the answer, whatever else holds. A call whose outcome
        stayed unknown (`StoreUnavailable`) may be repeated as it was: its entries are stored once.

        Raises `StoreCorrupt` if what is stored for the game contradicts itself.
        """
        command = self._append_command(append)
        reply = await self._client.write(command)
        if is_missing_function(reply):
            # A new server, a failover, or somebody's FUNCTION FLUSH.
            await self._load()
            reply = await self._client.write(command)
            if is_missing_function(reply):
                raise StoreUnavailable("no-function", "the server loses its functions")
        if isinstance(reply, Exception):
            raise await self._unavailable(reply)
        return replies.answer(append, reply)

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Give the entries after a version, in order, up to `limit`; none for an unknown game.

        Raises `StoreCorrupt` if an entry is missing among them.
        """
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            want = _PAGE if limit is None else min(_PAGE, limit - len(entries))
            start = after + len(entries)
            (reply,) = await self._client.read(self._range_command(game, start, want))
            piece = replies.entries_after(game, start, await self._checked(game, reply))
            entries.extend(piece)
            if len(piece) < want:
                break
        return entries

    async def settle(
        self, game: str, key: bytes | None, after: int
    ) -> tuple[Recorded | None, list[Entry]]:
        """Look a command's key up and read what came after a version, in one round trip.

        If the key is unknown here, its command had not been stored when the entries were read.
        """
        lookup = self._lookup_command(game, key or b"")
        catch_up = self._range_command(game, after, _PAGE)
        found, reply = await self._client.read(lookup, catch_up)
        recorded = replies.recorded_range(game, await self._checked(game, found))
        entries = replies.entries_after(game, after, await self._checked(game, reply))
        if len(entries) == _PAGE:
            entries += await self.read(game, after + len(entries))
        return recorded, entries

    async def lookup(self, game: str, key: bytes) -> Recorded | None:
        """Say which versions a command's key stands for; `None` if it is unknown."""
        (found,) = await self._client.read(self._lookup_command(game, key))
        return replies.recorded_range(game, await self._checked(game, found))

    async def put_player(self, player: str, body: bytes, token_hash: bytes) -> None:
        """Store a player's record and the hash of their token, 32 bytes.

        Replaces the player's record if there is one; a former token is void from then on. The
        record holds the truth: a token counts only if the record it leads to names it.
        """
        if len(token_hash) != _TOKEN_HASH_BYTES:
            raise ValueError("a token's hash has 32 bytes")
        key = self._keys.player(player)
        # First the way, then the goal: what a crash leaves between them leads nowhere.
        await self._set(("SET", self._keys.token(token_hash), player))
        former = await self._set(("SET", key, token_hash + body, "GET"))
        if former is not None and former[:_TOKEN_HASH_BYTES] != token_hash:
            await self._set(("DEL", self._keys.token(former[:_TOKEN_HASH_BYTES])))

    async def player(self, player: str) -> bytes | None:
        """Give a player's record; `None` if there is none."""
        record = await self._record(player)
        return None if record is None else record[_TOKEN_HASH_BYTES:]

    async def player_by_token(self, token_hash: bytes) -> bytes | None:
        """Give the record of the player whose token has this hash; `None` if nobody's has.

        Takes two round trips: the token's key and the player's lie in different partitions.
        """
        (found,) = await self._read(("GET", self._keys.token(token_hash)))
        if found is None:
            return None
        record = await self._record(found.decode())
        if record is None or record[:_TOKEN_HASH_BYTES] != token_hash:
            return None
        return record[_TOKEN_HASH_BYTES:]

    async def token_hashes(self, players: Sequence[str]) -> list[bytes | None]:
        """Give the hash of each player's present token; `None` if there is no such player.

        However many players, they are asked for in one batch.
        """
        last = _TOKEN_HASH_BYTES - 1
        commands = [("GETRANGE", self._keys.player(player), 0, last) for player in players]
        return [found or None for found in await self._read(*commands)]

    async def put_text(self, game: str, text: str, body: bytes) -> None:
        """Keep words beside a game's log, under an id of their own."""
        await self._set(("HSET", self._keys.texts(game), text, body))

    async def texts(self, game: str) -> dict[str, bytes]:
        """Give all words that are kept beside a game's log, by id."""
        (found,) = await self._read(("HGETALL", self._keys.texts(game)))
        pairs = iter(found)
        return {name.decode(): body for name, body in zip(pairs, pairs, strict=True)}

    async def erase_text(self, game: str, text: str) -> bool:
        """Erase words; says whether they were there."""
        return bool(await self._set(("HDEL", self._keys.texts(game), text)))

    async def note_operation(self, body: bytes) -> None:
        """Add to the log of what the operator did by hand."""
        await self._set(("RPUSH", OPERATOR_LOG, body))

    async def operations(self) -> list[bytes]:
        """Give the log of what the operator did by hand, oldest first."""
        (found,) = await self._read(("LRANGE", OPERATOR_LOG, 0, -1))
        return list(found)

    async def clock(self) -> tuple[Noted | None, int]:
        """Give what was noted of the time last, and what the server's clock says now (ms)."""
        (found,) = await self._read(("EVAL", function.CLOCK, 1, CLOCK))
        return replies.clock(found)

    async def note_time(self, time: int) -> None:
        """Note what time it is for the service (ms), beside what the server's clock says."""
        await self._set(("EVAL", function.CLOCK, 1, CLOCK, time))

    async def relist(
        self,
        game: str,
        *,
        listing: Listing | None,
        created: int,
        players: Sequence[str],
        due: int | None,
    ) -> None:
        """Write a game's places in all lists anew, as an append would.

        If an append comes meanwhile it is not told whose places stand: look, and write again.
        """
        keys = self._keys.game(game)
        commands: list[Command] = []
        for name, key in zip(LISTINGS, keys.listings, strict=True):
            commands.append(
                ("ZADD", key, created, game) if name == listing else ("ZREM", key, game)
            )
        commands += [("ZADD", f"{keys.tag}:games-of:{player}", created, game) for player in players]
        commands.append(("ZREM", keys.due, game) if due is None else ("ZADD", keys.due, due, game))
        # One batch or several, in any order: each command is about another key.
        await asyncio.gather(*map(self._set, commands))

    async def put_look(self, game: str, body: bytes) -> None:
        """Add to a game's log of looks, which keeps the newest 10,000."""
        await self._set(("RPUSH", self._keys.looks(game), body))
        await self._set(("LTRIM", self._keys.looks(game), -_MOST_LOOKS, -1))

    async def looks(self, game: str) -> list[bytes]:
        """Give a game's log of looks, oldest first."""
        (found,) = await self._read(("LRANGE", self._keys.looks(game), 0, -1))
        return list(found)

    async def games(
        self, listing: Listing, *, limit: int, after: Place | None = None
    ) -> list[Place]:
        """Give a page of a public list as (created, game), newest first.

        Pass the last of a page as `after` for the next one. Games that come or go between two pages
        make no other game appear twice or not at all.
        """
        return await newest_first(self._fetch, self._keys.listing(listing), limit, after)

    async def games_of(self, player: str, *, limit: int, after: Place | None = None) -> list[Place]:
        """Give a page of the games a player belongs or belonged to, like `games`."""
        return await newest_first(self._fetch, self._keys.games_of(player), limit, after)

    async def count(self, listing: Listing) -> int:
        """Say how many games stand in a public list."""
        return sum(await self._read(*(("ZCARD", key) for key in self._keys.listing(listing))))

    async def due(self, before: int, limit: int) -> list[Place]:
        """Give the games due at or before a time as (due, game), the earliest first.

        They stay due until an append says otherwise.
        """
        return await earliest(self._fetch, self._keys.due(), before, limit)

    async def secret(self) -> bytes:
        """Give the 32 random bytes that were made with the store, for deriving ids."""
        return self._secret

    async def ping(self) -> None:
        """Raise `StoreUnavailable` unless the server answers."""
        await self._client.run("PING")

    async def settings(self) -> list[Finding]:
        """Say which of the server's settings could cost data or service; see `findings`.

        Does not fail when the server forbids looking: that is a finding too.
        """
        return await findings.look(self._client)

    async def game_ids(self) -> AsyncIterator[str]:
        """Give the id of every stored game once, in no order.

        A game made meanwhile may be among them or not.
        """
        seen: set[str] = set()
        async for key in self._client.scan(GAME_STREAMS, "stream"):
            game = self._keys.game_of_stream(key.decode())
            if game is not None and game not in seen:
                seen.add(game)
                yield game

    def _append_command(self, append: Append) -> Command:
        keys = self._keys.game(append.game)
        lists_of_players = [f"{keys.tag}:games-of:{player}" for player in append.players]
        fields: list[bytes] = []
        for entry in append.entries:
            fields += (entry.body, entry.chain, entry.aside)
        return (
            "FCALL",
            function.APPEND,
            4 + len(keys.listings) + len(lists_of_players),
            keys.events,
            keys.commands,
            keys.feed,
            keys.due,
            *keys.listings,
            *lists_of_players,
            append.game,
            append.expected,
            len(append.entries),
            append.key or b"",
            append.digest,
            append.listing or b"",
            append.created,
            b"" if append.due is None else append.due,
            self._feed_length,
            keys.wake,
            append.head,
            *fields,
        )

    def _range_command(self, game: str, after: int, count: int) -> Command:
        if after < 0 or count < 1:
            raise ValueError("a read starts after version 0 or later and asks for something")
        return ("XRANGE", self._keys.game(game).events, f"({after}-0", "+", "COUNT", count)

    def _lookup_command(self, game: str, key: bytes) -> Command:
        return ("HGET", self._keys.game(game).commands, key)

    async def _record(self, player: str) -> bytes | None:
        (record,) = await self._read(("GET", self._keys.player(player)))
        return None if record is None else bytes(record)

    async def _set(self, command: Command) -> Any:
        reply = await self._client.write(command)
        if isinstance(reply, Exception):
            raise await self._unavailable(reply)
        return reply

    async def _fetch(self, commands: Sequence[Command]) -> list[Any]:
        return await self._read(*commands)

    async def _read(self, *commands: Command) -> list[Any]:
        answers = await self._client.read(*commands)
        for answer in answers:
            if isinstance(answer, Exception):
                raise await self._unavailable(answer)
        return answers

    async def _checked(self, game: str, reply: Any) -> Any:
        if is_wrong_type(reply):
            raise StoreCorrupt(game, "a key of the game has a wrong type")
        if isinstance(reply, Exception):
            raise await self._unavailable(reply)
        return reply

    async def _unavailable(self, error: Exception) -> StoreUnavailable:
        unavailable = translate(error)
        unavailable.__cause__ = error
        if unavailable.reason == "read-only":
            await self._client.forget_connections()
        return unavailable

    async def _load(self) -> None:
        """Load the function; callers at the same time share one attempt."""
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._load_now())
        await asyncio.shield(self._loading)

    async def _load_now(self) -> None:
        # The name stands for the content, so replacing never changes anything for anybody.
        await self._client.run("FUNCTION LOAD", "REPLACE", function.SOURCE)


async def _agree(client: Client, partitions: int) -> bytes:
    """Read the store's description, or write it if nobody has; give the secret if it fits."""
    (found,) = await client.read(("GET", META))
    if found is None:
        new = _Meta(format=FORMAT, partitions=partitions, secret=secrets.token_hex(_SECRET_BYTES))
        await client.run("SET", META, msgspec.json.encode(new), "NX")
        (found,) = await client.read(("GET", META))
    if isinstance(found, Exception) and not is_wrong_type(found):
        raise translate(found) from found
    try:
        meta = msgspec.json.decode(found, type=_Meta)
        secret = bytes.fromhex(meta.secret)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise StoreMismatch(f"the key {META} describes no store this release knows") from error
    if meta.format != FORMAT or len(secret) != _SECRET_BYTES:
        raise StoreMismatch(f"the store has format {meta.format}, this release reads {FORMAT}")
    if meta.partitions != partitions:
        raise StoreMismatch(
            f"the store was made with {meta.partitions} partitions and is opened with {partitions}"
        )
    return secret
