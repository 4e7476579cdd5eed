"""The HTTP server of a worker: uvicorn, and what event streams need of it.

uvicorn waits for open responses before it stops, and an event stream is open for hours. So the
streams are told first. And it has no way to drop a reader who takes nothing, nor to bound what the
system keeps for one; here every request's state holds its ``connection``, which can do both.
"""

import asyncio
import resource
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

STOP_WITHIN = 5  # seconds for requests under way once the worker is told to stop


class Connection:
    """What a request may do with the connection that it came on."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def abort(self) -> None:
        """End it at once; what was not taken yet is lost."""
        self._transport.abort()

    def narrow(self, size: int) -> None:
        """Have the system keep no more than about so many bytes that were not taken yet."""
        taken = self._transport.get_extra_info("socket")
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)


class Protocol(HttpToolsProtocol):
    """A connection that its requests can reach."""

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["state"]["connection"] = Connection(self.transport)


class Server(uvicorn.Server):
    """uvicorn's server, which sets ``ending`` before it waits for what is open."""

    def __init__(self, config: uvicorn.Config, ending: asyncio.Event) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: first the streams, then everything else."""
        self._ending.set()
        await super().shutdown(sockets)


def config(app: Any) -> uvicorn.Config:
    """Give the server's settings."""
    return uvicorn.Config(
        app,
        http=Protocol,
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=STOP_WITHIN,
        timeout_keep_alive=75,
    )


def allow_many_connections() -> int:
    """Let this process have as many files open as the system lets it; give that number."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most
