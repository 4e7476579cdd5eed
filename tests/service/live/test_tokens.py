"""A replaced token: what is watched with it ends at every worker, and it opens nothing more."""

import asyncio
import contextlib
import random
from typing import Any

from service.accounts import Accounts, Holder, digest_of
from service.operator import replace_token
from service.sources import Sources
from service.store.store import Store
from tests.service.live.conftest import steps
from tests.service.live.reader import Stream, versions
from tests.service.live.test_faults import hub_on
from tests.service.players import Player, Table
from tests.service.serving import Serving


def test_streams_of_a_replaced_token_end_at_every_worker(
    live: Serving, beside: Serving, rng: random.Random
):
    """Those of others stay. Its holder goes on where the old streams ended, with the new token."""
    ada, ben = (Player(live.address, name) for name in ("Ada", "Ben"))
    table = Table(ada, ben).started()
    path, ports = f"{table.path}/events", (live.port, beside.port)

    async def watch() -> None:
        lost = [await Stream.open(port, path, ada.token) for port in ports]
        others = [await Stream.open(port, path, ben.token) for port in ports]
        looking = [await Stream.open(port, path) for port in ports]
        cursor = (await asyncio.to_thread(table.view))["cursor"]
        waiting = [
            asyncio.create_task(
                Stream.open(
                    port, f"{path}?wait=30&after={cursor}", ada.token, Accept="application/json"
                )
            )
            for port in ports
        ]
        for stream in others:
            await stream.until(lambda _, s=stream: s.named("presence")[-1:] == [{"seats": [0, 1]}])
        old = ada.token
        ada.token = await replace_token(f"unix://{live.store_socket()}", ada.id) or ""
        await asyncio.gather(*(stream.rest() for stream in lost))
        for stream in lost:
            assert stream.over
            assert not stream.named("end")
        for answer in [await one for one in waiting]:
            assert answer.status == 401
            assert b'"code":"unauthenticated"' in await answer.body()
        # Both workers have seen the old token just now, and neither believes it any more.
        for port in ports:
            refused = await Stream.open(port, path, old, last=lost[0].events[-1].id)
            assert refused.status == 401
            assert "invalid_token" in refused.headers["www-authenticate"]
        for stream in others:
            await stream.until(lambda _, s=stream: s.named("presence")[-1:] == [{"seats": [1]}])
        await asyncio.to_thread(steps, table, rng, 3)
        version = (await asyncio.to_thread(table.view))["version"]
        for port, before in zip(ports, lost, strict=True):
            again = await Stream.open(port, path, ada.token, last=before.events[-1].id)
            await again.until(lambda _, s=again: versions(s)[-1:] == [version])
            assert versions(before) + versions(again) == list(range(1, version + 1))
        for stream in (*others, *looking):
            await stream.until(lambda _, s=stream: versions(s)[-1:] == [version])

    asyncio.run(watch())


def test_a_stream_is_opened_by_what_the_store_says_of_its_token(live: Serving, beside: Serving):
    """A worker that remembers a token for a while opens no stream with it once it is replaced."""
    ada, ben = (Player(live.address, name) for name in ("Ada", "Ben"))
    table, old = Table(ada, ben), ada.token
    for serving in (live, beside):
        status, _, _ = serving.request(
            "GET", table.path, headers={"Authorization": f"Bearer {old}"}
        )
        assert status == 200

    async def watch() -> None:
        await replace_token(f"unix://{live.store_socket()}", ada.id)
        for port in (live.port, beside.port):
            assert (await Stream.open(port, f"{table.path}/events", old)).status == 401

    asyncio.run(watch())


def test_one_batch_asks_for_all_tokens(live: Serving):
    """However many streams of however many players there are."""
    table = Table(*(Player(live.address, name) for name in ("Ada", "Ben")))

    async def watch() -> None:
        url = f"unix://{live.store_socket()}"
        store = await Store.open(url)
        accounts = Accounts(store, Sources())
        async with hub_on(url, look_every=3600) as (hub, tables):
            held = await tables.current(table.id)
            assert held
            holders = []
            for number in range(60):
                account, token = await accounts.create(f"P {number}")
                holders.append(Holder(account.id, digest_of(token)))
            reads: Any = tables.store._client._reads
            send = reads._send
            sent: list[list[str]] = []

            async def counted(commands: Any) -> Any:
                sent.append([words[0] for words in commands])
                return await send(commands)

            with contextlib.ExitStack() as stack:
                watchers = [
                    stack.enter_context(hub.watch(held, holder, "here", stream=True))
                    for holder in holders * 3
                ]
                await hub.look(watchers[0].channel)
                reads._send = counted
                await hub.end_void()
                assert sent == [["GETRANGE"] * 60]
                assert {watcher.ended for watcher in watchers} == {None}
                await replace_token(url, holders[7].player)
                await hub.end_void()
                ended = [place for place, each in enumerate(watchers) if each.ended == "token"]
                assert ended == [7, 67, 127]
        await store.close()

    asyncio.run(watch())
