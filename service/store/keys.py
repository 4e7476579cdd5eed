"""Key names, and which partition a game or a player lives in.

Each key but three carries its partition's hash tag, so that on a cluster everything an append
touches lies in one slot. The three are `META`, which says how many partitions there are,
`OPERATOR_LOG` and `CLOCK`.
"""

import hashlib
import re
from functools import lru_cache
from typing import Final

import msgspec

from service.store.types import LISTINGS, Listing, check_id

__all__ = ["CLOCK", "GAME_STREAMS", "META", "OPERATOR_LOG", "Keys"]

META: Final = "potluck:store"
"""Format, number of partitions and secret of this store, written once."""

OPERATOR_LOG: Final = "potluck:operator-log"
"""What the operator did by hand, a list."""

CLOCK: Final = "potluck:clock"
"""The service's time when it was noted last, and what the server's clock said then."""

GAME_STREAMS: Final = "{p*}:game:*:events"
"""A pattern that matches every game's stream."""

_GAME_STREAM: Final = re.compile(r"\{p[0-9]+\}:game:(?P<game>[^:]+):events")


class GameKeys(msgspec.Struct, frozen=True):
    """The names an append to one game needs."""

    events: str
    commands: str
    feed: str
    due: str
    listings: tuple[str, ...]
    wake: str
    tag: str


class Keys:
    """Names keys for a store with a given number of partitions."""

    def __init__(self, partitions: int) -> None:
        if not 1 <= partitions <= 999:
            raise ValueError("a store has 1 to 999 partitions")
        self.partitions = partitions
        self.tags: tuple[str, ...] = tuple(f"{{p{number:03d}}}" for number in range(partitions))
        self.game = lru_cache(maxsize=4096)(self._game)

    def partition(self, name: str) -> int:
        """Give the partition of a game, a player or a token."""
        digest = hashlib.sha256(name.encode()).digest()
        return int.from_bytes(digest[:4], "big") % self.partitions

    def _game(self, game: str) -> GameKeys:
        tag = self.tags[self.partition(check_id(game))]
        return GameKeys(
            events=f"{tag}:game:{game}:events",
            commands=f"{tag}:game:{game}:keys",
            feed=f"{tag}:feed",
            due=f"{tag}:due",
            listings=tuple(f"{tag}:games:{listing}" for listing in LISTINGS),
            wake=f"{tag}:wake",
            tag=tag,
        )

    def listing(self, listing: Listing) -> list[str]:
        """Name the keys over which one public list is spread."""
        if listing not in LISTINGS:
            raise ValueError(f"no list {listing!r}")
        return [f"{tag}:games:{listing}" for tag in self.tags]

    def games_of(self, player: str) -> list[str]:
        """Name the keys over which one player's list is spread."""
        check_id(player)
        return [f"{tag}:games-of:{player}" for tag in self.tags]

    def texts(self, game: str) -> str:
        """Name the key of the words that are kept beside a game's log."""
        return f"{self.game(game).tag}:game:{game}:texts"

    def looks(self, game: str) -> str:
        """Name the key of the log of judges' looks at a game."""
        return f"{self.game(game).tag}:game:{game}:looks"

    def due(self) -> list[str]:
        """Name the keys of all deadlines."""
        return [f"{tag}:due" for tag in self.tags]

    def wakes(self) -> list[str]:
        """Name the channels on which appends are told of, as `game version`."""
        return [f"{tag}:wake" for tag in self.tags]

    def talks(self) -> list[str]:
        """Name the channels on which workers tell each other what need not be stored."""
        return [f"{tag}:talk" for tag in self.tags]

    def player(self, player: str) -> str:
        """Name the key of a player's record."""
        return f"{self.tags[self.partition(check_id(player))]}:player:{player}"

    def token(self, token_hash: bytes) -> str:
        """Name the key that leads from a token's hash to a player's id."""
        name = token_hash.hex()
        return f"{self.tags[self.partition(name)]}:token:{name}"

    @staticmethod
    def game_of_stream(key: str) -> str | None:
        """Give the game whose stream has this key; `None` if it is no game's stream."""
        found = _GAME_STREAM.fullmatch(key)
        return found["game"] if found else None
