"""The bare endpoint: checks the token, decodes the body, appends once, answers. No game at all."""

import argparse
import asyncio
import os
import socket
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, Request, Response, get, post

from service import logs
from service.accounts import Accounts
from service.api.app import Edge
from service.api.game_shapes import union_of
from service.sources import Sources
from service.store.store import Store
from service.store.types import Append, Appended, Entry
from service.worker import STORE_URL

DECODER = msgspec.json.Decoder(union_of("act"))


async def _serve(listening: socket.socket, url: str, parent: int) -> None:
    sources = Sources()
    store = await Store.open(url)
    accounts = Accounts(store, sources)
    versions: dict[str, int] = {}
    bodies: dict[tuple[int, int], tuple[bytes, bytes]] = {}
    run = sources.new_id()

    @post("/bare/{lane:str}", status_code=200)
    async def bare(request: Request[Any, Any, Any], lane: str) -> Response[bytes]:
        token = request.headers["authorization"].partition(" ")[2]
        account = await accounts.by_token(token)
        assert account is not None
        DECODER.decode(await request.body())
        sizes = (int(request.query_params["answer"]), int(request.query_params["stored"]))
        if sizes not in bodies:
            bodies[sizes] = (b"x" * sizes[0], b"y" * sizes[1])
        answer, stored = bodies[sizes]
        game = f"{run}-{lane}"
        version = versions.get(game, 0)
        appended = await store.append(
            Append(
                game=game,
                expected=version,
                entries=(Entry(version + 1, stored, bytes(32)),),
                digest=bytes(8),
                created=1,
            )
        )
        assert isinstance(appended, Appended)
        versions[game] = version + 1
        return Response(content=answer, media_type="application/json")

    @get("/healthz")
    async def healthz() -> Response[bytes]:
        return Response(content=b"{}")

    app = Litestar([bare, healthz], openapi_config=None, logging_config=None)
    config = uvicorn.Config(
        Edge(app, sources.new_id), access_log=False, log_config=None, server_header=False
    )
    server = uvicorn.Server(config)

    def stop() -> None:
        asyncio.get_running_loop().remove_reader(parent)
        server.should_exit = True

    asyncio.get_running_loop().add_reader(parent, stop)
    await server.serve(sockets=[listening])
    await store.close()


def main() -> None:
    """Be the bare server, called like a worker."""
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
