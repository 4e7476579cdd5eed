"""Free text: kept beside the log, so that it can be erased while the game still verifies.

An event holds an id and a digest under a random salt; the words and the salt are kept here, and
are erased together.
"""

import msgspec

from domain.kernel.canonical import SALT_BYTES, text_digest
from domain.kernel.event import TextRef
from service.sources import Sources
from service.store.store import Store


class Text(msgspec.Struct, frozen=True):
    """Words and the salt (hex) under which the event's digest of them was taken."""

    words: str
    salt: str


class Words:
    """Keeps, gives and erases the free text of games."""

    def __init__(self, store: Store, sources: Sources) -> None:
        self._store = store
        self._sources = sources

    async def keep(self, game: str, words: str) -> TextRef:
        """Keep words for a game; gives what stands for them in an event.

        They are kept before the event that refers to them is stored: an event without its words
        would be worse than words without an event.
        """
        salt = self._sources.random_bytes(SALT_BYTES)
        reference = TextRef(self._sources.new_id(), text_digest(salt, words))
        body = msgspec.json.encode(Text(words, salt.hex()))
        await self._store.put_text(game, reference.id, body)
        return reference

    async def of(self, game: str) -> dict[str, Text]:
        """Give a game's words by the ids that its events hold; erased ones are not there."""
        found = await self._store.texts(game)
        return {text: msgspec.json.decode(body, type=Text) for text, body in found.items()}

    async def erase(self, game: str, text: str) -> bool:
        """Erase words for good; says whether they were there."""
        return await self._store.erase_text(game, text)
