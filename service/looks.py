"""The log of judges' looks at hidden things, which the players can read at once.

It stands beside the game's events: a look changes nothing in the game.
"""

import msgspec

from service.sources import Sources
from service.store.store import Store


class Look(msgspec.Struct, frozen=True):
    """A judge looked: who, when (ms), at what (an operation's id), and at which version."""

    judge: str
    time: int
    what: str
    version: int


class Looks:
    """Notes looks and gives them back, oldest first."""

    def __init__(self, store: Store, sources: Sources) -> None:
        self._store = store
        self._sources = sources

    async def note(self, game: str, judge: str, what: str, version: int) -> None:
        """Note a look. It must be noted before anything is shown."""
        look = Look(judge, self._sources.now(), what, version)
        await self._store.put_look(game, msgspec.json.encode(look))

    async def of(self, game: str) -> list[Look]:
        """Give the looks at a game, the newest ten thousand of them."""
        return [msgspec.json.decode(body, type=Look) for body in await self._store.looks(game)]
