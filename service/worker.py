"""One worker: the service opened on a store, and the HTTP server that serves it.

A worker is a process of its own. It is handed the listening socket and the reading end of a pipe
by its parent, and stops when told to or when the parent is gone.
"""

import argparse
import asyncio
import os
import random
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from service import logs, settings, web
from service.accounts import Accounts
from service.api.app import create_app
from service.bundled import BundledPlayers
from service.caretaker import Caretaker
from service.clock import PLACE, SharedClock
from service.container import EXPIRES, Service
from service.demo import play_demo
from service.live import Hub
from service.looks import Looks
from service.sources import Sources, SteadyClock
from service.store.store import Store
from service.stream_settings import Settings
from service.tables import Tables
from service.texts import Texts
from service.words import Words

STORE_URL = "POTLUCK_STORE_URL"
"""The variable that hands a worker its store: a password in it is nobody else's to read."""


@asynccontextmanager
async def opened(
    url: str,
    *,
    sources: Sources | None = None,
    entropy: random.Random | None = None,
    demo: bool = False,
    ending: asyncio.Event | None = None,
    look_at_settings: bool = False,
) -> AsyncIterator[Service]:
    """Open the service on the store at a URL, and close it in order.

    With ``demo``, a store without any game gets one, played by bundled players. Streams end when
    ``ending`` is set. With ``look_at_settings`` the log says what the store's settings could cost.
    """
    store = await Store.open(url)
    clock: SharedClock | None = None
    if sources is None:
        steady = SteadyClock()
        sources = Sources(now=steady)
        place = os.environ.get(PLACE)
        clock = SharedClock(store, steady, Path(place) if place else None)
        try:
            await clock.begin()
        except BaseException:
            await store.close()
            raise
    if look_at_settings:
        await settings.tell(store)
    tables = Tables(store, sources)
    bundled = BundledPlayers(tables, entropy)
    caretaker = Caretaker(tables, bundled)
    bundled.start()
    accounts = Accounts(store, sources)
    hub = Hub(tables, accounts, sources, ending or asyncio.Event(), Settings.of_environment())
    await hub.start()
    caretaker.start()
    service = Service(
        store=store,
        sources=sources,
        tables=tables,
        accounts=accounts,
        bundled=bundled,
        texts=Texts(),
        hub=hub,
        words=Words(store, sources),
        looks=Looks(store, sources),
        expires=int(os.environ.get("EXPIRES_AFTER", EXPIRES // 1000)) * 1000,
    )
    try:
        if demo:
            await play_demo(service)
        yield service
    finally:
        await caretaker.stop()
        await bundled.stop()
        await hub.stop()
        if clock is not None:
            await clock.stop()
        await store.close()


async def run(
    *, listening: socket.socket, url: str, parent: int | None, demo: bool, first: bool
) -> None:
    """Serve until told to stop; ``parent`` is the pipe that closes when the parent is gone.

    The ``first`` worker of a service says what concerns all of them.
    """
    web.allow_many_connections()
    ending = asyncio.Event()
    app = create_app(
        lambda: opened(url, demo=demo, ending=ending, look_at_settings=first), Sources().new_id
    )
    server = web.Server(web.config(app), ending)
    if parent is not None:
        asyncio.get_running_loop().add_reader(parent, _stop, server, parent)
    await server.serve(sockets=[listening])
    if not server.started:
        sys.exit(1)


def _stop(server: uvicorn.Server, parent: int) -> None:
    asyncio.get_running_loop().remove_reader(parent)
    server.should_exit = True


def main() -> None:
    """Be a worker: ``python -m service.worker`` as the parent calls it."""
    parser = argparse.ArgumentParser(description="A worker of `potluck serve`; not for people.")
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--first", action="store_true")
    given = parser.parse_args()
    logs.configure()
    uvicorn_loop = uvicorn.Config("", loop="auto", log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=uvicorn_loop) as runner:
        runner.run(
            run(
                listening=socket.socket(fileno=given.socket),
                url=os.environ[STORE_URL],
                parent=given.parent,
                demo=given.demo,
                first=given.first,
            )
        )


if __name__ == "__main__":
    main()
