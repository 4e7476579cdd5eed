"""Chance that nobody can choose and anybody can check.

Every outcome comes from a stream of 64-bit words: HMAC-SHA256 under the game's key, over the
draw's number and a block counter. The key mixes the game's secret seed with every seat's nonce.
Byte by byte in ``docs/formats.md``.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from domain.kernel.canonical import DRAW_LABEL, KEY_LABEL, canonical, hmac_sha256

WORD_RANGE = 2**64

S = TypeVar("S", bound=str)


def chance_key(seed: bytes, game: str, nonces: Sequence[str | None]) -> bytes:
    """Mix the seed with the seats' nonces (hex, in seat order, None where a seat gave none).

    Nobody, the operator included, can choose the outcome as long as the last nonce comes from
    someone not in league with the operator.
    """
    return _chance_key(seed, game, tuple(nonces))


@lru_cache(maxsize=4096)
def _chance_key(seed: bytes, game: str, nonces: tuple[str | None, ...]) -> bytes:
    return hmac_sha256(seed, KEY_LABEL, canonical([game, nonces]))


def words(key: bytes, number: int) -> Iterator[int]:
    """Yield the endless stream of 64-bit words of the draw with the given number."""
    block = 0
    while True:
        counter = number.to_bytes(8, "big") + block.to_bytes(8, "big")
        digest = hmac_sha256(key, DRAW_LABEL, counter)
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    """Take a number from 0 to bound - 1 from the stream, all equally likely.

    Words at or above the largest multiple of the bound are rejected: a plain remainder would
    favour small numbers.
    """
    limit = WORD_RANGE - WORD_RANGE % bound
    for word in stream:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words is endless")


class Chance:
    """The numbered draws of one game, from a given number on.

    A draw is used by exactly one event, which records its number and its outcome; so a replay
    needs no chance, and a verifier can recompute each outcome on its own.
    """

    __slots__ = ("_key", "number")

    def __init__(self, key: bytes, number: int) -> None:
        self._key = key
        self.number = number

    def shuffle(self, cards: Iterable[S]) -> tuple[int, tuple[S, ...]]:
        """Shuffle cards: the draw's number and the new order, top card first.

        The cards are sorted by name first, so that the outcome depends on the draw and on which
        cards there are, not on how they lay (Fisher-Yates, from the last place down).
        """
        number, stream = self._next()
        order = sorted(cards)
        for last in range(len(order) - 1, 0, -1):
            other = below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        return number, tuple(order)

    def pick(self, bound: int) -> tuple[int, int]:
        """Pick one of ``bound`` things: the draw's number and an index from 0."""
        number, stream = self._next()
        return number, below(stream, bound)

    def _next(self) -> tuple[int, Iterator[int]]:
        number = self.number
        self.number += 1
        return number, words(self._key, number)
