"""For each rule a store that breaks it and no other.

Most are the real server-side function with one line changed, or the real store with one method
overridden: the slips that a person could make.
"""

import os
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from service.store import function
from service.store.client import Batches, Command
from service.store.errors import StoreMismatch, StoreUnavailable
from service.store.keys import GameKeys
from service.store.store import Store
from service.store.types import (
    Append,
    Appended,
    Conflict,
    Entry,
    Recorded,
    Repeated,
)

WRONG: dict[str, type[Store]] = {}


def breaks(rule: str) -> Any:
    """Enter a wrong store as the one that breaks a rule."""

    def enter(kind: type[Store]) -> type[Store]:
        WRONG[rule] = kind
        return kind

    return enter


def with_line(rule: str, line: str, instead: str) -> type[Store]:
    """Make a store whose server-side function has one line changed."""
    assert function.SOURCE.count(line) == 1, f"{line!r} does not stand there once"
    library, name = f"wrong_{len(WRONG)}", f"wrong_append_{len(WRONG)}"
    source = function.SOURCE.replace(line, instead)
    source = source.replace(function.LIBRARY, library).replace(function.APPEND, name)

    class Changed(Store):
        def _append_command(self, append: Append) -> Command:
            command = super()._append_command(append)
            return (command[0], name, *command[2:])

        async def _load_now(self) -> None:
            await self._client.run("FUNCTION LOAD", "REPLACE", source)

    WRONG[rule] = Changed
    return Changed


with_line("bytes-come-back-as-they-went", "'aside', args[at + 3])", "'aside', '')")
with_line("no-version-is-left-out", "if version ~= expected then", "if version > expected then")
with_line(
    "nobody-is-overtaken",
    "return { CONFLICT, version }\n    end",
    "if expected == 0 or version < expected or version >= expected + count then\n"
    "        return { CONFLICT, version }\n"
    "      end\n"
    "      expected = version\n"
    "    end",
)
with_line("a-game-begins-at-one", "elseif expected ~= 0 then", "elseif false then")
with_line("the-head-must-be-the-stored-one", "if args[11] ~= '' and", "if false and")
with_line(
    "a-command-is-stored-whole-or-not-at-all",
    "if not scores then return { CORRUPT, 'key ' .. misfit .. ' is no sorted set' } end",
    "scores = scores or {}",
)
with_line(
    "a-key-of-a-wrong-type-is-told",
    "if events_type ~= 'stream' and events_type ~= 'none' then",
    "if false then",
)
with_line("a-lost-tip-is-told", "if newest[1] ~= last_id then", "if false then")
with_line("a-foreign-entry-is-told", "'^(%d+)%-0$'", "'^(%d+)'")
with_line(
    "keys-without-events-are-told", "elseif commands_type == 'hash' then", "elseif false then"
)
with_line("the-server-keeps-the-bounds", "if size > MAX_BODIES then", "if false then")
with_line(
    "a-known-key-is-answered-first",
    "if recorded then",
    "if recorded and expected <= redis.call('XLEN', events) then",
)
with_line(
    "a-key-holds-as-long-as-its-game",
    "redis.call('HSET', commands, command,",
    "if redis.call('HLEN', commands) > 20 then redis.call('DEL', commands) end\n"
    "    redis.call('HSET', commands, command,",
)
with_line("another-body-under-a-key-is-told", "digest == args[5] and", "true and")
with_line("the-same-bytes-were-appended", "if #stored ~= count then", "if true then")
with_line("other-bytes-were-not", " and field(fields, 'chain') == args[at + 2]", "")
with_line(
    "what-is-aside-tells-calls-apart",
    "if not same or field(fields, 'aside') ~= args[at + 3] then",
    "if not same then",
)
with_line("the-feed-names-each-command", "'version', last)", "'version', args[2])")
with_line("the-feed-stays-bounded", "'MAXLEN', '~', args[9], ", "")
with_line(
    "whoever-listens-is-woken",
    "redis.call('SPUBLISH',",
    "redis.call('ECHO', game); (function() end)(",
)
with_line(
    "a-game-stands-in-one-list",
    "place(keys[at], game, scores[at], at == LISTS[args[6]] and args[7])",
    "if at == LISTS[args[6]] then place(keys[at], game, scores[at], args[7]) end",
)
with_line(
    "the-newest-due-time-counts",
    "place(keys[4], game, scores[4], args[8] ~= '' and args[8])",
    "if args[8] ~= '' then place(keys[4], game, scores[4], args[8]) end",
)
with_line(
    "each-player-keeps-the-game",
    "for at = KEYS_BEFORE_PLAYERS + 1, #keys do",
    "for at = KEYS_BEFORE_PLAYERS + 1, math.min(#keys, KEYS_BEFORE_PLAYERS + 2) do",
)


@breaks("a-read-starts-after-its-version")
class ReadsFromItsVersion(Store):
    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        return await super().read(game, max(0, after - 1), limit)


@breaks("a-long-game-is-read-whole")
class ReadsOnePiece(Store):
    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        return await super().read(game, after, 100 if limit is None else limit)


@breaks("a-hole-is-told")
class ClosesHoles(Store):
    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        command = self._range_command(game, after, limit or 1_000_000)
        (reply,) = await self._client.read(command)
        found = await self._checked(game, reply)
        return [
            Entry(version, fields[1], fields[3], fields[5])
            for version, (_, fields) in enumerate(found, after + 1)
        ]


@breaks("of-racing-appends-one-wins")
class LooksThenWrites(Store):
    """Compares in the caller, then writes wherever the game has got to."""

    async def append(self, append: Append) -> Appended | Repeated | Conflict:
        answer = await super().append(append)
        seen: dict[str, int] = self.__dict__.setdefault("seen", {})
        if (
            isinstance(answer, Conflict)
            and answer.version > append.expected == seen.get(append.game, -1)
            and append.key is None
        ):
            moved = tuple(
                msgspec.structs.replace(entry, version=answer.version + number)
                for number, entry in enumerate(append.entries, 1)
            )
            again = msgspec.structs.replace(append, expected=answer.version, entries=moved)
            await super().append(again)
            return Appended(append.expected + 1, append.last)
        if isinstance(answer, Appended) and append.expected == 0:
            seen[append.game] = answer.last
        return answer


@breaks("a-game-is-made-once")
class TakesAGameForMade(Store):
    """Answers whoever makes a game that is there as if it had been made just now."""

    async def append(self, append: Append) -> Appended | Repeated | Conflict:
        answer = await super().append(append)
        if isinstance(answer, Conflict) and append.expected == 0 < answer.version < append.last:
            return Appended(1, append.last)
        return answer


@breaks("a-repeat-is-told-as-one")
class HidesRepeats(Store):
    async def append(self, append: Append) -> Appended | Repeated | Conflict:
        answer = await super().append(append)
        if isinstance(answer, Repeated) and answer.same:
            return Appended(answer.first, answer.last)
        return answer


@breaks("a-key-is-its-games-own")
class OneHashForAll(Store):
    """Keeps the command keys of a partition's games together."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        named = self._keys.game

        def game(name: str) -> GameKeys:
            keys = named(name)
            if not name.startswith("g-") or len(name) < 9:
                return keys
            return msgspec.structs.replace(keys, commands=f"{keys.tag}:keys")

        self._keys.game = game  # type: ignore[assignment]


@breaks("a-lookup-tells-the-whole-command")
class TellsTheFirstVersionOnly(Store):
    async def lookup(self, game: str, key: bytes) -> Recorded | None:
        found = await super().lookup(game, key)
        return None if found is None else msgspec.structs.replace(found, last=found.first)


@breaks("settling-catches-up-as-well")
class SettlesWithoutCatchingUp(Store):
    async def settle(
        self, game: str, key: bytes | None, after: int
    ) -> tuple[Recorded | None, list[Entry]]:
        recorded, entries = await super().settle(game, key, after)
        return recorded, [] if recorded else entries


@breaks("pages-show-every-game-once")
class PagesByTimeAlone(Store):
    async def games(self, listing: Any, *, limit: int, after: Any = None) -> list[Any]:
        return await super().games(listing, limit=limit, after=after and (after[0], ""))


@breaks("every-game-is-named-once")
class NamesSomePartitions(Store):
    async def game_ids(self) -> AsyncIterator[str]:
        async for game in super().game_ids():
            if self._keys.partition(game) < 32:
                yield game


@breaks("a-new-token-voids-the-old")
class TrustsTheTokensKey(Store):
    async def player_by_token(self, token_hash: bytes) -> bytes | None:
        (found,) = await self._read(("GET", self._keys.token(token_hash)))
        return None if found is None else await self.player(found.decode())


@breaks("erased-words-are-gone")
class KeepsWords(Store):
    async def erase_text(self, game: str, text: str) -> bool:
        return text in await self.texts(game)


@breaks("a-store-stays-what-it-was-made")
class OpensAnything(Store):
    @classmethod
    async def open(cls, url: Any, *, partitions: int = 64) -> Any:
        try:
            return await super().open(url, partitions=partitions)
        except StoreMismatch:
            return await super().open(url, partitions=8)


@breaks("a-store-has-one-secret")
class MakesSecretsUp(Store):
    async def secret(self) -> bytes:
        return os.urandom(32)


@breaks("all-of-an-append-lies-in-one-slot")
class KeepsPlayersWithThePlayer(Store):
    """Puts a player's list into the player's own partition, where it is found too."""

    def _append_command(self, append: Append) -> Command:
        command = super()._append_command(append)
        if len(append.players) < 3:
            return command
        here = self._keys.game(append.game).tag
        moved: dict[object, str] = {}
        for player in append.players:
            theirs = self._keys.tags[self._keys.partition(player)]
            moved[f"{here}:games-of:{player}"] = f"{theirs}:games-of:{player}"
        return tuple(moved.get(word, word) for word in command)


@breaks("keys-stand-where-the-documents-say")
class KeepsWordsElsewhere(Store):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        keys = self._keys
        keys.texts = lambda game: f"{keys.game(game).tag}:words:{game}"  # type: ignore[method-assign]


@breaks("a-lost-function-is-brought-again")
class LoadsOnce(Store):
    async def _load_now(self) -> None:
        if not self.__dict__.setdefault("loaded", False):
            self.__dict__["loaded"] = True
            await super()._load_now()


@breaks("what-fails-fails-alone")
class FailsTogether(Store):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        client = self._client

        async def send(commands: Sequence[Command]) -> list[Any]:
            replies = await client._send(commands)
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
            return replies

        client._reads = Batches(send, 4, 128)


@breaks("cut-connections-are-made-anew")
class GivesUp(Store):
    """Takes the first lost connection for the end."""

    @classmethod
    async def open(cls, url: Any, *, partitions: int = 64) -> Any:
        return await super().open(msgspec.structs.replace(url, retries=0), partitions=partitions)

    async def append(self, append: Append) -> Appended | Repeated | Conflict:
        if self.__dict__.get("gone"):
            raise StoreUnavailable("down")
        try:
            return await super().append(append)
        except StoreUnavailable as error:
            self.__dict__["gone"] = error.reason == "down"
            raise
