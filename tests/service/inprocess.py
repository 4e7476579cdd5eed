"""The application within this process, on a real store, with ids and times of the test's choice."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from service.api.app import create_app
from service.container import Service
from service.sources import Sources
from service.worker import opened

NOW = 1_700_000_000_000


@dataclass
class World:
    """A running application: a client, and the service behind it."""

    http: httpx.AsyncClient
    service: Service
    app: Any


@asynccontextmanager
async def world(url: str, seed: int = 0) -> AsyncIterator[World]:
    """Run the application on a store. Equal seeds give equal ids, tokens and times."""
    entropy = random.Random(seed)
    sources = Sources(now=lambda: NOW, random_bytes=entropy.randbytes)
    services: list[Service] = []

    @asynccontextmanager
    async def keeping() -> AsyncIterator[Service]:
        async with opened(url, sources=sources, entropy=random.Random(seed)) as service:
            services.append(service)
            yield service

    request_ids = Sources(random_bytes=random.Random(seed).randbytes)
    app: Any = create_app(keeping, request_ids.new_id)
    async with lifespan(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://potluck") as http:
            yield World(http, services[0], app)


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Start an ASGI application and stop it, as its server would."""
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    answered: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    running = asyncio.create_task(app(scope, told.get, answered.put))
    for name in ("startup", "shutdown"):
        await told.put({"type": f"lifespan.{name}"})
        answer = await answered.get()
        assert answer["type"] == f"lifespan.{name}.complete", answer
        if name == "startup":
            try:
                yield
            except BaseException:
                running.cancel()
                raise
    await running
