"""What goes into the store and what comes out of it."""

import re
from typing import Final, Literal

import msgspec

__all__ = [
    "ID_PATTERN",
    "LISTINGS",
    "MAX_ASIDE",
    "MAX_BODIES",
    "MAX_ENTRIES",
    "MAX_PLAYERS",
    "MAX_VERSION",
    "Append",
    "Appended",
    "Conflict",
    "Entry",
    "Finding",
    "Listing",
    "Noted",
    "Recorded",
    "Repeated",
    "check_id",
]

Severity = Literal["danger", "warning", "note", "unknown"]

Listing = Literal["open", "running", "ended"]
LISTINGS: Final[tuple[Listing, ...]] = ("open", "running", "ended")
"""The public lists; a game stands in one of them or in none."""

MAX_VERSION: Final = 1_000_000_000
"""The last version a game can reach; a stream whose last id is the highest possible takes no more,
so one wild id could brick a game."""

MAX_ENTRIES: Final = 1_000
"""The most entries one append may carry."""

MAX_BODIES: Final = 4 * 1024 * 1024
"""The most bytes the bodies of one append may have together."""

MAX_ASIDE: Final = 4 * 1024
"""The most bytes one entry's metadata may have."""

MAX_PLAYERS: Final = 100
"""The most players one append may name."""

KEY_BYTES: Final = 16
DIGEST_BYTES: Final = 8
CHAIN_BYTES: Final = 32
LATEST_TIME: Final = 2**53 - 1
"""The last millisecond a sorted set's score (a double) still tells from its neighbours."""

ID_PATTERN: Final = re.compile(r"[A-Za-z0-9._~-]{1,64}")
"""What the ids of games and players may look like: they stand in key names."""


class Noted(msgspec.Struct, frozen=True):
    """What time it was for the service, and what another clock said then, both in ms."""

    time: int
    at: int


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One event as the store keeps it.

    Fields:
        version: its place in the game, from 1 without gaps.
        body: the event, opaque to the store.
        chain: the event's chain hash, 32 raw bytes.
        aside: what the caller and the operator want to keep beside the event (a request id, say);
            not part of it. May be empty.
    """

    version: int
    body: bytes
    chain: bytes
    aside: bytes = b""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one command, to be stored together or not at all.

    Raises `ValueError` when it is made with a gap in its versions or beyond a bound.

    Fields:
        game: the game's id.
        expected: the version this goes on from. 0 creates the game, which then must not exist.
        entries: the entries with the versions expected+1, expected+2 and so on; at least one.
        key: the command's key, 16 bytes, scoped by the caller to player, game and operation; `None`
            if the command came without one.
        digest: 8 bytes of a digest of the command's body, to tell a repeat from a reused key.
        listing: the public list in which the game stands from now on; `None` for no list.
        created: when the game was made, in milliseconds; the sort key of every list.
        players: the ids of everyone who belongs to the game as of this append. They are added to
            those players' own lists and never removed from them.
        due: when the service must next look at this game by itself, in milliseconds; `None` for
            never.
        head: the chain hash of the entry `expected`, or empty. If given, the append goes through
            only if the stored hash is the same. That matters after a server lost its newest entries
            and others took their versions: the caller's picture of the game is then of a line that
            no longer exists.
    """

    game: str
    expected: int
    entries: tuple[Entry, ...]
    digest: bytes
    created: int
    key: bytes | None = None
    listing: Listing | None = None
    players: tuple[str, ...] = ()
    due: int | None = None
    head: bytes = b""

    def __post_init__(self) -> None:
        check_id(self.game)
        for player in self.players:
            check_id(player)
        _require(len(self.players) <= MAX_PLAYERS, f"more than {MAX_PLAYERS} players")
        _require(self.listing is None or self.listing in LISTINGS, f"no list {self.listing!r}")
        _require(0 <= self.created <= LATEST_TIME, "created is out of range")
        _require(self.due is None or 0 <= self.due <= LATEST_TIME, "due is out of range")
        _require(self.key is None or len(self.key) == KEY_BYTES, "a key has 16 bytes")
        _require(len(self.digest) == DIGEST_BYTES, "a digest has 8 bytes")
        _require(len(self.head) in (0, CHAIN_BYTES), "a head has 32 bytes or none")
        _require(self.expected > 0 or not self.head, "a new game has no head")
        self._check_entries()

    def _check_entries(self) -> None:
        _require(0 < len(self.entries) <= MAX_ENTRIES, f"an append has 1 to {MAX_ENTRIES} entries")
        _require(0 <= self.expected <= MAX_VERSION - len(self.entries), "version out of range")
        for version, entry in enumerate(self.entries, self.expected + 1):
            _require(entry.version == version, f"entry {entry.version} stands where {version} must")
            _require(len(entry.chain) == CHAIN_BYTES, "a chain hash has 32 bytes")
            _require(len(entry.aside) <= MAX_ASIDE, f"more than {MAX_ASIDE} bytes aside")
        size = sum(len(entry.body) for entry in self.entries)
        _require(size <= MAX_BODIES, f"more than {MAX_BODIES} bytes in one append")

    @property
    def last(self) -> int:
        """The version the game has after this append."""
        return self.expected + len(self.entries)


class Appended(msgspec.Struct, frozen=True):
    """The events are stored, as versions `first` to `last`.

    Also the answer when these very events, byte for byte, were stored by an earlier call whose
    answer was lost.
    """

    first: int
    last: int


class Repeated(msgspec.Struct, frozen=True):
    """The command's key was used before; nothing was written.

    Fields:
        first: the first version which that earlier command produced.
        last: the last of them.
        same: whether the digests are equal. If not, the key was reused for something else.
    """

    first: int
    last: int
    same: bool


class Conflict(msgspec.Struct, frozen=True):
    """The game is not at `Append.expected`; nothing was written.

    Fields:
        version: the game's version, 0 if there is no such game. If it is greater than `expected`,
            read what came after and decide again. If it is equal or less, the stored game is not
            the one the caller knows (see `Append.head`): forget that and read from the start.
    """

    version: int


class Recorded(msgspec.Struct, frozen=True):
    """What a known command key stands for.

    Fields:
        first: the first version the command produced.
        last: the last of them.
        digest: the digest given with the key.
    """

    first: int
    last: int
    digest: bytes


class Finding(msgspec.Struct, frozen=True):
    """A setting of the server that could cost data or service.

    Fields:
        severity: `danger` if acknowledged events can be lost, `warning` if the service can stop,
            `note` if it is worth knowing, `unknown` if the server does not tell.
        setting: its name in the server's configuration.
        found: its value, empty if unknown.
        wanted: the value or values under which nothing would be said.
        loss: what can be lost as it is.
    """

    severity: Severity
    setting: str
    found: str
    wanted: str
    loss: str


def check_id(name: str) -> str:
    """Give an id of a game or a player back, or raise `ValueError` if it is not well formed."""
    _require(ID_PATTERN.fullmatch(name) is not None, f"{name!r} is no id")
    return name


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
