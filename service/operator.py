"""What an operator does by hand: replace a lost token, build the lists anew."""

import asyncio

import msgspec

from service.accounts import Account, Accounts
from service.sources import Sources
from service.store.store import Store
from service.tables import Tables, belonging, due_of, listing_of

AT_ONCE = 64  # games listed anew at the same time


class Operation(msgspec.Struct, frozen=True):
    """An entry of the operator log: what was done, to whom, and when (ms)."""

    what: str
    player: str
    time: int


async def replace_token(url: str, player: str) -> str | None:
    """Give a player a new token in place of the old one; None if there is no such player."""
    store, sources = await Store.open(url), Sources()
    try:
        body = await store.player(player)
        if body is None:
            return None
        account = msgspec.json.decode(body, type=Account)
        token = await Accounts(store, sources).renew(account)
        done = Operation("token replaced", player, sources.now())
        await store.note_operation(msgspec.json.encode(done))
        return token
    finally:
        await store.close()


async def rebuild_lists(url: str) -> int:
    """Write every game's places in all lists anew, from its log; gives how many games."""
    store = await Store.open(url)
    tables = Tables(store, Sources())
    count = 0
    try:
        some: list[str] = []
        async for game in store.game_ids():
            some.append(game)
            count += 1
            if len(some) == AT_ONCE:
                await asyncio.gather(*(_relist(tables, each) for each in some))
                some.clear()
        await asyncio.gather(*(_relist(tables, each) for each in some))
    finally:
        await store.close()
    return count


async def _relist(tables: Tables, game: str) -> None:
    """Write a game's places anew, and once more if it moved on meanwhile: the newest must stand."""
    table = await tables.current(game)
    while table is not None:
        state = table.state
        await tables.store.relist(
            game,
            listing=listing_of(state),
            created=state.table.created,
            players=sorted(belonging(state)),
            due=due_of(state),
        )
        table = await tables.current(game)
        if table is not None and table.state.version == state.version:
            return
