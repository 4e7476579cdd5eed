"""What is told and not stored: appends wake whoever listens, workers talk to each other.

Each partition has a channel for either, so that on a cluster they lie where the partition does.
"""

from collections.abc import Callable
from typing import Final

from service.store.client import Client
from service.store.errors import translate
from service.store.keys import Keys
from service.store.subscription import Subscription

__all__ = ["Channels"]

Woken = Callable[[bytes, int], None]
"""Is told of a game and the version that it has reached."""

Talked = Callable[[int, bytes], None]
"""Is told of a partition and what a worker said there."""


class Channels:
    """The channels of one store."""

    def __init__(self, client: Client, keys: Keys) -> None:
        self._client = client
        self._keys = keys
        self.partitions: Final = keys.partitions

    def partition(self, game: str) -> int:
        """Give the number of a game's partition, from 0."""
        return self._keys.partition(game)

    def subscription(self, woken: Woken, talked: Talked, on_up: Callable[[], None]) -> Subscription:
        """Make the one reader of all of them; what is told while it is not up is lost to it.

        What is no message of this release is passed over.
        """
        places = {name.encode(): number for number, name in enumerate(self._keys.talks())}

        def heard(channel: bytes, message: bytes) -> None:
            place = places.get(channel)
            if place is not None:
                talked(place, message)
                return
            game, _, version = message.partition(b" ")
            if version.isdigit():
                woken(game, int(version))

        names = [*self._keys.wakes(), *self._keys.talks()]
        return Subscription(self._client.listeners, names, heard, on_up)

    async def talk(self, partition: int, message: bytes) -> None:
        """Tell every worker that listens now. Raises `StoreUnavailable`."""
        channel = self._keys.talks()[partition]
        reply = await self._client.write(("SPUBLISH", channel, message))
        if isinstance(reply, Exception):
            raise translate(reply) from reply
