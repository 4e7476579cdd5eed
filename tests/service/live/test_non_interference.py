"""Two histories that differ only in what a viewer may not know: the same stream, byte for byte.

Masked are the chain's hashes (cursors begin with them) and the digests of hidden parts, as for the
pages.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from domain.kernel.codec import encode
from domain.kernel.event import Record
from domain.kernel.viewer import SPECTATOR, Sight
from service.sources import spell
from service.store.embedded import Embedded
from service.store.types import Append, Entry
from tests.domain.stir_fry_eighteen.scramble import scrambled_pair
from tests.service.inprocess import World, world

PAIRS = 12
SEATS = 3
MASKED = [
    (rb'"(digest|chain)":"[0-9a-f]{64}"', rb'"\1":""'),
    (rb"(id: [0-9]+)\.[0-9a-f]{8}", rb"\1"),
]


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    folders: list[Path] = [tmp_path_factory.mktemp(name) for name in ("one", "other")]
    with Embedded(folders[0]) as one, Embedded(folders[1]) as other:
        yield [one.url, other.url]


async def append(where: World, records: list[Record], players: list[str], begin: int) -> None:
    """Store a history as far as it has come: in one go, or its end while a stream is open."""
    entries = tuple(Entry(one.version, encode(one), one.chain) for one in records[begin:])
    facts = Append(
        game=records[0].event.game,
        expected=begin,
        entries=entries,
        digest=bytes(8),
        created=records[0].time,
        listing="running",
        players=tuple(players),
    )
    assert type(await where.service.store.append(facts)).__name__ == "Appended"


async def stream(where: World, records: list[Record], players: list[str], token: str) -> bytes:
    """What a viewer's streams say: of the first half as it stands, of the rest as it comes."""
    half = len(records) // 2
    path = f"/v1/games/{records[0].event.game}/events"
    headers = {"Accept": "text/event-stream"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    await append(where, records[:half], players, 0)
    first = await where.http.get(f"{path}?wait=0", headers=headers)
    limit = len(records) - half
    last = f"{half}.{records[half - 1].chain.hex()[:8]}"
    second = asyncio.create_task(
        where.http.get(f"{path}?limit={limit}", headers={**headers, "Last-Event-ID": last})
    )
    await asyncio.sleep(0.05)
    await append(where, records, players, half)
    async with asyncio.timeout(10):
        answers = [first, await second]
    assert [answer.status_code for answer in answers] == [200, 200]
    return b"\n----\n".join(answer.content for answer in answers)


def test_streams_tell_no_more_than_the_pages(urls: list[str]):
    differed = 0

    async def compare() -> None:
        nonlocal differed
        async with world(urls[0], 7) as one, world(urls[1], 7) as other:
            people = []
            for each in (one, other):
                made = [await each.service.accounts.create(f"P {seat}") for seat in range(SEATS)]
                people.append([(account.id, token) for account, token in made])
            assert people[0] == people[1]
            players = [name for name, _ in people[0]]
            for number in range(PAIRS):
                random = Random(f"streams {number}")
                seat = random.randrange(-1, SEATS)
                sight = SPECTATOR if seat < 0 else Sight(seats=(seat,))
                game = spell(random.randbytes(10))
                histories = scrambled_pair(
                    f"streams {number}", sight=sight, game=game, players=players
                )[:2]
                token = "" if seat < 0 else people[0][seat][1]
                seen = [
                    await stream(where, list(records), players, token)
                    for where, records in zip((one, other), histories, strict=True)
                ]
                differed += seen[0] != seen[1]
                for pattern, replacement in MASKED:
                    seen = [re.sub(pattern, replacement, text) for text in seen]
                assert seen[0] == seen[1]

    asyncio.run(compare())
    assert differed >= PAIRS // 2  # by the digests that are masked: the histories do differ
