"""Folding every stored game again: whether this build agrees with what was stored.

A log that was rewritten as a whole, chain and all, agrees with itself. That it is another one than
it was shows only against *heads*: ends of chains that were noted earlier, outside the store.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec

from domain.kernel import replay
from domain.kernel.event import MAX_VERSION, Record
from service.store.errors import StoreCorrupt
from service.store.store import Store
from service.tables import decode, ruleset_of


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a game's log had come when this was noted, and its chain there (hex)."""

    game: str
    version: Annotated[int, msgspec.Meta(ge=1, le=MAX_VERSION)]
    chain: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class HeadsUnreadable(Exception):
    """A file of heads has a line that is none."""


Heads = Mapping[str, Sequence[Head]]


def read_heads(lines: Iterable[bytes]) -> dict[str, list[Head]]:
    """Read noted heads by game, one JSON object to a line; a game may have several."""
    heads: dict[str, list[Head]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            head = msgspec.json.decode(line, type=Head)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise HeadsUnreadable(f"line {number} is no head: {error}") from error
        heads.setdefault(head.game, []).append(head)
    return heads


async def heads_of(url: str) -> list[Head]:
    """Give the present head of every stored game, in the order of the games' ids."""
    store = await Store.open(url)
    heads: list[Head] = []
    try:
        async for game in store.game_ids():
            entries = await store.read(game)
            if entries:
                heads.append(Head(game, entries[-1].version, entries[-1].chain.hex()))
    finally:
        await store.close()
    return sorted(heads, key=lambda head: head.game)


async def validate_store(url: str, heads: Heads | None = None) -> tuple[list[tuple[str, str]], int]:
    """Check every game of a store: gives the faults as (game, fault), and how many games.

    With ``heads`` each log is also held against what was noted of it.
    """
    noted = heads or {}
    store = await Store.open(url)
    faults: list[tuple[str, str]] = []
    games: set[str] = set()
    try:
        async for game in store.game_ids():
            games.add(game)
            fault = await _fault(store, game, noted.get(game, ()))
            if fault is not None:
                faults.append((game, fault))
    finally:
        await store.close()
    gone = (game for game in noted if game not in games)
    faults += [(game, "it was noted, and is not in the store") for game in gone]
    return sorted(faults), len(games)


async def _fault(store: Store, game: str, noted: Sequence[Head]) -> str | None:
    try:
        records: list[Record] = decode(game, None, await store.read(game))
        ruleset = ruleset_of(game, records[0])
    except StoreCorrupt as error:
        return error.found
    return replay.fault_of(ruleset, records) or _unlike(records, noted)


def _unlike(records: Sequence[Record], noted: Sequence[Head]) -> str | None:
    """Say where a log is another one than was noted."""
    for head in sorted(noted, key=lambda head: head.version):
        if head.version > len(records):
            return f"version {head.version} was noted, and the log ends at version {len(records)}"
        if records[head.version - 1].chain.hex() != head.chain:
            return f"version {head.version}: the chain is another one than was noted"
    return None
