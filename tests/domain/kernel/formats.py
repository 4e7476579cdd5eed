"""Potluck's formats once more, written from ``docs/formats.md`` with nothing but the standard
library: what the code under test must agree with to the byte."""

import hashlib
import hmac
import json
from typing import Any


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hmac256(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def salt(seed: bytes, version: int, field: str) -> bytes:
    return hmac256(seed, f"potluck/salt/1\n{version}:{field}".encode())[:16]


def digest(salt_bytes: bytes, value: Any) -> str:
    return sha256(b"potluck/part/1\n" + salt_bytes + canonical(value)).hex()


def start(game: str) -> bytes:
    return sha256(f"potluck/chain/1\n{game}".encode())


def follow(previous: bytes, envelope: dict[str, Any]) -> bytes:
    return sha256(previous + canonical(envelope))


def key(seed: bytes, game: str, nonces: list[str | None]) -> bytes:
    return hmac256(seed, b"potluck/key/1\n" + canonical([game, nonces]))


class Words:
    """The stream of one draw: 64-bit words, big-endian, four to a block."""

    def __init__(self, key_bytes: bytes, number: int) -> None:
        self.key_bytes, self.number, self.block, self.ready = key_bytes, number, 0, []

    def next(self) -> int:
        if not self.ready:
            counter = self.number.to_bytes(8, "big") + self.block.to_bytes(8, "big")
            block = hmac256(self.key_bytes, b"potluck/draw/1\n" + counter)
            self.ready = [int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24)]
            self.block += 1
        return self.ready.pop(0)

    def below(self, bound: int) -> int:
        while True:
            word = self.next()
            if word < (2**64 // bound) * bound:
                return word % bound


def shuffle(key_bytes: bytes, number: int, cards: list[str]) -> list[str]:
    order, words = sorted(cards), Words(key_bytes, number)
    place = len(order) - 1
    while place > 0:
        other = words.below(place + 1)
        order[place], order[other] = order[other], order[place]
        place -= 1
    return order


def pick(key_bytes: bytes, number: int, bound: int) -> int:
    return Words(key_bytes, number).below(bound)
