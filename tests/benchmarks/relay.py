"""A naive relay: what the store publishes goes to every stream of the game, and that is all.

It checks no token, reads no event, folds nothing and hides nothing. What it sends is as long as a
real stream's messages, so that both move the same bytes.
"""

import argparse
import asyncio
import os
import socket
from typing import Any

import uvicorn

from service import logs
from service.store.store import Store
from service.web import allow_many_connections
from service.worker import STORE_URL

SIZE = "RELAY_MESSAGE_BYTES"


class Relay:
    """The relay, as an ASGI application."""

    def __init__(self, size: int) -> None:
        self._padding = b"x" * size
        self._queues: dict[bytes, set[asyncio.Queue[bytes]]] = {}

    def woken(self, game: bytes, version: int) -> None:
        """Pass on what the store published."""
        message = b"id: %d.00000000\ndata: %b\n\n" % (version, self._padding)
        for queue in self._queues.get(game, ()):
            queue.put_nowait(message)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request: with a stream of the game that the path names."""
        if scope["type"] != "http":
            return
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["path"] == "/healthz":
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        queues = self._queues.setdefault(scope["path"].split("/")[3].encode(), set())
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queues.add(queue)
        sending = asyncio.create_task(_send(queue, send))
        while (await receive())["type"] != "http.disconnect":
            pass
        queues.discard(queue)
        sending.cancel()


async def _send(queue: asyncio.Queue[bytes], send: Any) -> None:
    await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
    while True:
        message = await queue.get()
        await send({"type": "http.response.body", "body": message, "more_body": True})


async def _serve(listening: socket.socket, url: str, parent: int) -> None:
    allow_many_connections()
    relay = Relay(int(os.environ[SIZE]))
    store = await Store.open(url)
    up = asyncio.Event()
    subscription = store.channels.subscription(relay.woken, lambda *_: None, up.set)
    listen = asyncio.create_task(subscription.run())
    await up.wait()
    config = uvicorn.Config(
        relay,
        access_log=False,
        log_config=None,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    def stop() -> None:
        asyncio.get_running_loop().remove_reader(parent)
        server.should_exit = True

    asyncio.get_running_loop().add_reader(parent, stop)
    await server.serve(sockets=[listening])
    listen.cancel()
    await store.close()


def main() -> None:
    """Be the relay, called like a worker."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--parent", type=int, required=True)
    given = parser.parse_args()
    logs.configure()
    factory = uvicorn.Config("", loop="auto").get_loop_factory()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_serve(socket.socket(fileno=given.socket), os.environ[STORE_URL], given.parent))


if __name__ == "__main__":
    main()
