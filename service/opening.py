"""Opening the service on a store that may not be there yet.

A worker starts whether or not its store does: until the store lets it in, it answers with 503 and
tries again.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Self

import structlog

from service.container import Service
from service.store.errors import StoreError, StoreUnavailable

log = structlog.get_logger()

Opened = Callable[[], AbstractAsyncContextManager[Service]]

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0


class Opening:
    """Opens the service, again and again until it succeeds, and keeps it open.

    Entering it waits for the first attempt, so that with a store at hand the service is there.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._service: Service | None = None
        self._why: StoreError = StoreUnavailable("down")
        self._tried = asyncio.Event()
        self._over = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    @property
    def service(self) -> Service:
        """The service. Raises StoreUnavailable as long as it could not be opened."""
        if self._service is not None:
            return self._service
        if isinstance(self._why, StoreUnavailable):
            raise StoreUnavailable(self._why.reason, "the store was not reached yet")
        raise StoreUnavailable("error", f"the store cannot be used: {self._why}")

    async def __aenter__(self) -> Self:
        self._keeper = asyncio.create_task(self._keep())
        await self._tried.wait()
        if self._keeper.done():
            await self._keeper
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._keeper is not None
        self._over.set()
        await self._keeper

    async def _keep(self) -> None:
        pause = FIRST_PAUSE
        try:
            while not self._over.is_set():
                try:
                    await self._once()
                    return
                except StoreError as error:
                    if self._service is not None:
                        raise
                    self._why = error
                    log.error("the store cannot be opened", error=str(error), again_after=pause)
                self._tried.set()
                await self._wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._tried.set()

    async def _once(self) -> None:
        async with self._opened() as service:
            self._service = service
            self._tried.set()
            await self._over.wait()

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            pass
