"""A client that costs little: requests made beforehand, sent one after the other."""

import asyncio
from collections.abc import Sequence


def request(method: str, path: str, token: str, body: bytes, key: str = "") -> bytes:
    """Spell a request out."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: localhost",
        f"Authorization: Bearer {token}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *([f"Idempotency-Key: {key}"] if key else []),
    ]
    return "\r\n".join((*lines, "", "")).encode() + body


async def send_all(port: int, requests: Sequence[bytes]) -> tuple[int, int]:
    """Send requests over one connection; gives how many answers were 2xx, and their bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    good = size = 0
    try:
        for piece in requests:
            writer.write(piece)
            head = await reader.readuntil(b"\r\n\r\n")
            at = head.index(b"content-length: ") + 16
            length = int(head[at : head.index(b"\r\n", at)])
            body = await reader.readexactly(length)
            good += head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201"))
            size += len(body)
    finally:
        writer.close()
    return good, size
