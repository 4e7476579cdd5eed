"""Canonical bytes and digests: what every hash of Potluck is taken over.

The formats here are for ever: a recording made today must verify with any later build. They are
written down to the byte in ``docs/formats.md``; the two must agree.
"""

import hashlib
import hmac
from typing import Any

import msgspec

CHAIN_LABEL = b"potluck/chain/1\n"
PART_LABEL = b"potluck/part/1\n"
SALT_LABEL = b"potluck/salt/1\n"
KEY_LABEL = b"potluck/key/1\n"
DRAW_LABEL = b"potluck/draw/1\n"
TEXT_LABEL = b"potluck/text/1\n"

SALT_BYTES = 16

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Encode a value as canonical JSON.

    UTF-8 without white space, object members sorted by name, integers only: the subset of
    RFC 8785 that Potluck's formats stay within, so that any language can reproduce it.
    """
    return _encoder.encode(value)


def sha256(*pieces: bytes) -> bytes:
    """SHA-256 of the pieces in a row, 32 bytes."""
    return hashlib.sha256(b"".join(pieces)).digest()


def hmac_sha256(key: bytes, *pieces: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104) of the pieces in a row, 32 bytes."""
    return hmac.digest(key, b"".join(pieces), "sha256")


def part_salt(seed: bytes, version: int, field: str) -> bytes:
    """Give the 16-byte salt of one hidden part: the event's version and the field's name.

    Each part has a salt of its own: one shared between two audiences would let one of them test
    guesses at the other's cards.
    """
    return hmac_sha256(seed, SALT_LABEL, f"{version}:{field}".encode())[:SALT_BYTES]


def part_digest(salt: bytes, value: Any) -> str:
    """Give the hex digest under which a hidden part enters the chain."""
    return part_digest_of(salt, canonical(value))


def part_digest_of(salt: bytes, value: bytes) -> str:
    """Give the hex digest of a hidden part whose canonical bytes are given."""
    return sha256(PART_LABEL, salt, value).hex()


def chain_start(game: str) -> bytes:
    """Give the chain's value before the first event: it binds the chain to the game's id."""
    return sha256(CHAIN_LABEL, game.encode())


def chain_next(previous: bytes, public: Any) -> bytes:
    """Give the chain's value after an event whose public form is given."""
    return sha256(previous, canonical(public))


def text_digest(salt: bytes, words: str) -> str:
    """Give the hex digest of free text under a random salt that is erased with it."""
    return sha256(TEXT_LABEL, salt, words.encode()).hex()
