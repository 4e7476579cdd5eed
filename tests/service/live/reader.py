"""Reading event streams for tests: plain connections, cut wherever the test likes."""

import asyncio
import contextlib
import json
import socket
from dataclasses import dataclass, field
from typing import Any, Self

PATIENCE = 20.0


@dataclass
class Message:
    """One message of a stream; a comment has its text and nothing else."""

    name: str = "message"
    id: str | None = None
    data: str | None = None
    retry: int | None = None
    comment: str | None = None

    @property
    def json(self) -> Any:
        assert self.data is not None, self
        return json.loads(self.data)

    @property
    def version(self) -> int:
        return int((self.id or "").partition(".")[0])


def parse(block: bytes) -> Message:
    """Read one message from the lines between two empty ones."""
    message = Message()
    for line in block.decode().split("\n"):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "":
                message.comment = value
            case "event":
                message.name = value
            case "id":
                message.id = value
            case "data":
                assert message.data is None, "data in two lines"
                message.data = value
            case "retry":
                message.retry = int(value)
            case _:
                raise AssertionError(f"a field {name!r}")
    return message


@dataclass
class Stream:
    """An open stream. What was received whole stands in ``messages``."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    over: bool = False
    _waiting: bytes = b""
    _raw: bytes = b""

    @classmethod
    async def open(
        cls,
        port: int,
        path: str,
        token: str = "",
        *,
        last: str | None = None,
        receive_buffer: int | None = None,
        method: str = "GET",
        **headers: str,
    ) -> Self:
        """Ask for a stream and read the head of the answer."""
        connection = socket.socket()
        if receive_buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(connection, ("127.0.0.1", port))
        limit = receive_buffer or 1 << 16
        reader, writer = await asyncio.open_connection(sock=connection, limit=limit)
        sent = {"Host": "x", "Accept": "text/event-stream", **headers}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if last is not None:
            sent["Last-Event-ID"] = last
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        stream = cls(reader, writer)
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").strip().split("\r\n")
        stream.status = int(first.split()[1])
        for line in rest:
            name, _, value = line.partition(": ")
            stream.headers[name.lower()] = value
        return stream

    async def body(self) -> bytes:
        """Read the body of an answer that is no stream."""
        async with asyncio.timeout(PATIENCE):
            return await self.reader.readexactly(int(self.headers.get("content-length", "0")))

    async def more(self, most: int = 1 << 16) -> bool:
        """Read on, at most so many bytes; False at the end of the stream or the connection."""
        try:
            piece = await self.reader.read(most)
        except ConnectionError:
            piece = b""
        if not piece:
            return False
        self._raw += piece
        while not self.over:
            at = self._raw.find(b"\r\n")
            if at < 0:
                break
            size = int(self._raw[:at], 16)
            end = at + 2 + size + 2
            if len(self._raw) < end:
                break
            self._take(self._raw[at + 2 : end - 2])
            self._raw = self._raw[end:]
            self.over = size == 0
        return not self.over

    def _take(self, piece: bytes) -> None:
        *blocks, self._waiting = (self._waiting + piece).split(b"\n\n")
        self.messages += map(parse, blocks)

    async def until(self, found: Any, patience: float = PATIENCE) -> list[Message]:
        """Read until something holds of the messages; give them."""
        async with asyncio.timeout(patience):
            while not found(self.messages):
                assert await self.more(), f"the stream ended: {self.messages[-3:]}"
        return self.messages

    async def rest(self, patience: float = PATIENCE) -> list[Message]:
        """Read to the end; give all messages."""
        async with asyncio.timeout(patience):
            while await self.more():
                pass
        return self.messages

    @property
    def events(self) -> list[Message]:
        """The game's own events among the messages."""
        return [one for one in self.messages if one.name == "message" and one.id]

    def named(self, name: str) -> list[Any]:
        """The data of all messages of a name."""
        return [one.json for one in self.messages if one.name == name]

    @property
    def comments(self) -> int:
        """How many comments came."""
        return sum(one.comment is not None for one in self.messages)

    def cut(self) -> None:
        """Break the connection off, as a network would."""
        with contextlib.suppress(RuntimeError):
            self.writer.transport.abort()


def versions(stream: Stream) -> list[int]:
    """The versions that came, in order."""
    return [one.version for one in stream.events]
