"""Two histories with rulings that differ only in what a viewer may not know, over HTTP.

As in ``test_non_interference``, for every game, with a judge: after rewinds, new shuffles,
adjustments, forfeits and notes all that a viewer can ask for is the same, byte for byte, on every
branch; and so is all after one more ruling over HTTP. In bulk:

``python -m tests.service.api.test_ruled_non_interference --pairs 1000``
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.event import Record, Rewound
from domain.kernel.fold import fold
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SEALED, SPECTATOR, Sight
from service.api import views
from service.sources import spell
from service.store.embedded import Embedded
from tests.domain.kit import TEXT, answer, ends_of, random_probes, secret_of
from tests.domain.ruled_pairs import ruled_pair
from tests.service.api.test_non_interference import Worlds, shown, store, worlds

PAIRS = {"stir-fry-eighteen": 8, "just-desserts": 8, "memesio": 8}
LEAKING = 8  # pairs after which a planted leak must have been found
SEATS = 3
JUDGE = SEATS  # the last of the people
READ = ("", "/actions", "/claims", "/recording", "/texts", "/players", "/rulings", "/looks")
REASON = "So that it is said."

Request = tuple[str, str, Any]


@dataclass
class Compared:
    """What a comparison came to."""

    pairs: int = 0
    differing: int = 0
    rewinds: int = 0
    requests: int = 0
    found: list[str] = field(default_factory=list)


def asked_of(name: str, records: Sequence[Record], other: State, seat: int, rng: Random):
    """All that a viewer asks: what can be read, on every branch, and what is refused."""
    state = fold(CATALOGUE[name], records)
    game, version = f"/v1/games/{state.table.game}", state.version
    about = {record.version for record in records if isinstance(record.event, Rewound)}
    at = {each + step for each in about for step in (-1, 0, 1)} | {version, version + 1}
    at |= set(range(1, version, max(1, version // 8)))
    asked: list[Request] = [("GET", game + place, None) for place in READ]
    asked += [("GET", f"{game}?version={each}", None) for each in sorted(at)]
    asked += [("GET", f"{game}/events?limit=500", None), ("GET", f"{game}/events?wait=0", None)]
    for ruling in ({"type": "rewind", "to": rng.choice(ends_of(records))}, {"type": "note"}):
        body = {"ruling": ruling, "reason": REASON}
        asked += [("POST", f"{game}/rulings/preview", body), ("POST", f"{game}/rulings", body)]
    asked.append(("POST", f"{game}/motions", {"motion": {"type": "undo", "to": version}}))
    if seat >= 0 and state.game.outcome is None:
        for _, action in random_probes(CATALOGUE[name], seat, rng, 6):
            told = [answer(CATALOGUE[name], each, seat, action) for each in (state, other)]
            if told[0] != told[1] or told[0].startswith(b'["refused"'):
                act: dict[str, Any] = {"ruleset": name, "decision": decision_id(state)}
                act["action"] = msgspec.to_builtins(action)
                if action.__struct_config__.tag in CATALOGUE[name].free_text:
                    act["text"] = "x" if TEXT else None
                asked.append(("POST", f"{game}/actions", act))
    return asked


async def compare(both: Worlds, name: str, entropy: str, compared: Compared) -> None:
    """Make a pair, store it, ask, rule over HTTP, and ask again."""
    rng = Random(entropy)
    seat = rng.randrange(-1, SEATS)
    sight = SPECTATOR if seat < 0 else Sight(seats=(seat,))
    one, other = ruled_pair(
        name,
        entropy,
        sight,
        game=spell(rng.randbytes(10)),
        players=both.players[:SEATS],
        judge=both.players[JUDGE],
    )
    compared.pairs += 1
    compared.differing += [each.event for each in one] != [each.event for each in other]
    compared.rewinds += sum(isinstance(each.event, Rewound) for each in one)
    await store(both.one, one, both.players[:SEATS])
    await store(both.other, other, both.players[:SEATS])
    token = both.tokens[seat] if seat >= 0 else ""
    state, second = fold(CATALOGUE[name], one), fold(CATALOGUE[name], other)
    asked = asked_of(name, one, second, seat, rng)
    await ask(both, token, asked, compared, f"{name} {entropy}")
    if any(each.left for each in state.table.seats if each) or not ends_of(one):
        return  # who has left leaves again, and lays another hand open
    reads = [each for each in asked if each[0] == "GET"]
    path = f"/v1/games/{state.table.game}"
    for ruling in (
        {"type": "note"},
        {"type": "adjust", "seat": 0, "points": 3},
        {"type": "rewind", "to": rng.choice(ends_of(one)), "reshuffle": rng.random() < 0.7},
    ):
        body = {"ruling": ruling, "reason": REASON}
        headers = {"Authorization": f"Bearer {both.tokens[JUDGE]}"}
        told = [
            await each.http.post(f"{path}/rulings", json=body, headers=headers)
            for each in (both.one, both.other)
        ]
        assert told[0].status_code == told[1].status_code in (200, 409, 422), told[1].text
    reads += [("GET", f"{path}?version={state.version + each}", None) for each in range(1, 6)]
    await ask(both, token, reads, compared, f"{name} {entropy}, ruled")


async def ask(
    both: Worlds, token: str, asked: Sequence[Request], compared: Compared, what: str
) -> None:
    """Ask both worlds the same, and note what they answer differently."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for method, path, body in asked:
        more = {} if body is None else {"json": body}
        told = [
            await each.http.request(method, path, headers=headers, **more)
            for each in (both.one, both.other)
        ]
        compared.requests += 1
        assert told[0].status_code < 500, told[0].text
        if method == "POST":
            assert told[0].status_code >= 400, f"{what}: {path} {body} is accepted"
        if shown(told[0]) != shown(told[1]):
            compared.found.append(f"{what}: {method} {path} {body}")


async def compare_many(
    urls: Sequence[str], name: str, pairs: int, seed: int, *, until_found: bool = False
) -> Compared:
    """Compare many pairs of a game."""
    compared = Compared()
    async with worlds(urls, seed) as both:
        for number in range(pairs):
            await compare(both, name, f"ruled {seed} {number}", compared)
            if until_found and compared.found:
                break
    return compared


@pytest.mark.parametrize("name", PAIRS)
def test_nothing_that_is_hidden_makes_a_difference_with_rulings(name: str, urls: list[str]):
    seed = 100 + list(PAIRS).index(name)
    compared = asyncio.run(compare_many(urls, name, PAIRS[name], seed))
    print(f"{name}: {compared}")
    assert compared.found == []
    assert compared.differing > 0.6 * compared.pairs
    assert compared.rewinds > compared.pairs


def _board_of_the_deck(name: str) -> Any:
    """The board says something of the whole state."""
    rules = CATALOGUE[name]

    def board(game: Any, sight: Sight) -> Any:
        return {"board": rules.board(game, sight), "order": secret_of(rules, game)}

    return mock.patch.dict(CATALOGUE, {name: replace(rules, board=board)})


def _a_branch_laid_open(name: str) -> Any:
    """Whoever reads the version that a rewind went back to is shown all of it."""
    sight = views.sight

    def leaky(table: Any, player: str | None, version: int) -> Sight:
        return (
            SEALED if table.rewound and version < table.rewound else sight(table, player, version)
        )

    return mock.patch.object(views, "sight", leaky)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("leak", [_board_of_the_deck, _a_branch_laid_open])
def test_a_planted_leak_is_found_with_rulings(leak: Any, name: str, urls: list[str]):
    seed = 200 + list(PAIRS).index(name) + (10 if leak is _a_branch_laid_open else 0)
    with leak(name):
        compared = asyncio.run(compare_many(urls, name, LEAKING, seed, until_found=True))
    assert compared.found, "it may leak without being found"


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(PAIRS))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="makes the same pairs again")
    given = parser.parse_args(arguments)
    for name in given.rulesets:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            places = [Path(folder, each) for each in ("one", "other")]
            with Embedded(places[0]) as one, Embedded(places[1]) as other:
                urls = [one.url, other.url]
                compared = asyncio.run(compare_many(urls, name, given.pairs, given.seed))
        print(
            f"{name}: {compared.pairs} pairs, {compared.differing} of them differ;"
            f" {compared.rewinds} rewinds; {compared.requests} requests to each world;"
            f" {len(compared.found)} differences; {time.perf_counter() - began:.0f} s"
        )
        print(*compared.found[:5], sep="\n")


if __name__ == "__main__":
    main()
