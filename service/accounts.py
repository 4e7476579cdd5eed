"""Players: identities with a bearer token.

Names stay outside the events, so that they can be erased; a token is shown once and stored as a
hash.
"""

import base64
import hashlib
from collections import OrderedDict
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from service.sources import Sources
from service.store.store import Store

TOKEN_PREFIX = "pt_"
CACHED = 10_000
CACHED_FOR = 30_000  # ms: how long a token replaced elsewhere may still work here


class Account(msgspec.Struct, frozen=True):
    """A player: id, name and when they came (ms)."""

    id: str
    name: str
    created: int


class Holder(NamedTuple):
    """Somebody who came with a token: the player's id and the token's digest."""

    player: str
    token: bytes


class Accounts:
    """Makes players and finds them by token or id."""

    def __init__(self, store: Store, sources: Sources) -> None:
        self._store = store
        self._sources = sources
        self._known: OrderedDict[bytes, tuple[int, Account]] = OrderedDict()

    async def create(self, name: str) -> tuple[Account, str]:
        """Make a player; gives the account and its token, which nobody can ask for again."""
        account = Account(self._sources.new_id(), name, self._sources.now())
        return account, await self.renew(account)

    async def renew(self, account: Account) -> str:
        """Give a player a token; the one they had is void."""
        secret = base64.urlsafe_b64encode(self._sources.random_bytes(32)).rstrip(b"=").decode()
        token = TOKEN_PREFIX + secret
        await self._store.put_player(account.id, msgspec.json.encode(account), digest_of(token))
        return token

    async def of(self, player: str) -> Account | None:
        """Find a player by id; None if there is none, or no longer."""
        body = await self._store.player(player)
        return msgspec.json.decode(body, type=Account) if body is not None else None

    async def by_token(self, token: str) -> Account | None:
        """Find the player that holds a token."""
        digest = digest_of(token)
        known = self._known.get(digest)
        now = self._sources.now()
        if known is not None and 0 <= now - known[0] < CACHED_FOR:
            return known[1]
        body = await self._store.player_by_token(digest)
        if body is None:
            return None
        account = msgspec.json.decode(body, type=Account)
        self._known[digest] = (now, account)
        self._known.move_to_end(digest)
        if len(self._known) > CACHED:
            self._known.popitem(last=False)
        return account

    async def void(self, holders: Collection[Holder]) -> set[Holder]:
        """Say whose token is void by now, as the store has it, and forget those tokens here.

        One batch asks for all of them.
        """
        if not holders:
            return set()
        asked = list(holders)
        present = await self._store.token_hashes([holder.player for holder in asked])
        void = {one for one, token in zip(asked, present, strict=True) if one.token != token}
        for holder in void:
            self._known.pop(holder.token, None)
        return void


def digest_of(token: str) -> bytes:
    """Give the digest under which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
