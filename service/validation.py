"""Folding every stored game again: whether this build agrees with what was stored."""

from domain.kernel import recording
from domain.kernel.event import Record
from service.store.errors import StoreCorrupt
from service.store.store import Store
from service.tables import decode, ruleset_of


async def validate_store(url: str) -> tuple[list[tuple[str, str]], int]:
    """Check every game of a store: gives the faults as (game, fault), and how many games."""
    store = await Store.open(url)
    faults: list[tuple[str, str]] = []
    count = 0
    try:
        async for game in store.game_ids():
            count += 1
            fault = await _fault(store, game)
            if fault is not None:
                faults.append((game, fault))
    finally:
        await store.close()
    return sorted(faults), count


async def _fault(store: Store, game: str) -> str | None:
    try:
        records: list[Record] = decode(game, None, await store.read(game))
        ruleset = ruleset_of(game, records[0])
    except StoreCorrupt as error:
        return error.found
    return recording.fault_of(ruleset, records)
