"""The store did it and its answer was lost, or it never heard: the client ends with the truth."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from domain.kernel.forms import fill
from service.store.store import Store
from service.tables import decode
from tests.faults.load import Driver
from tests.faults.rounds import check
from tests.service.between.meddler import Delay, Drop, Fate, Lose, Meddler, Refuse, Words
from tests.service.players import LEGAL, RULESET, Player, Table
from tests.service.process.conftest import unavailable
from tests.service.serving import Serving
from tests.service.store.servers import Server, wait_until

# The driver tries three times within one call of the store. Before, there may have been a conflict,
# if the worker did not know the newest version.
TRIES = 4
COMMANDS = 150

Send = Callable[[], httpx.Response]


REFUSALS = (
    "LOADING the data set is being read",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "CLUSTERDOWN The cluster is down",
)


def at_random(rng: random.Random) -> Callable[[Words], Fate]:
    """Meet two appends in five, and a few reads."""

    def fates(words: Words) -> Fate:
        drawn = rng.random()
        if words[0] != b"FCALL":
            return (Lose() if drawn < 0.03 else Drop()) if drawn < 0.06 else None
        if drawn > 0.4:
            return None
        return rng.choice((Lose(), Drop(), Delay(drawn / 4), Refuse(rng.choice(REFUSALS))))

    return fates


def test_every_command_is_stored_once_whatever_is_cut(
    serving: Serving, between: Meddler, store: Server
):
    """Four clients, with and without keys; a third of all that goes to the store meets a fate."""
    between.fates = at_random(random.Random(5))
    drivers = [Driver(serving.port, seed, keyed=seed % 2 == 0) for seed in range(4)]
    between.met.clear()
    for driver in drivers:
        driver.start()
        driver.go()
    try:
        wait_until(
            lambda: (
                any(driver.failure for driver in drivers)
                or all(driver.commands >= COMMANDS / 4 for driver in drivers)
            ),
            60,
        )
        for driver in drivers:
            driver.rest()
    finally:
        between.fates = lambda _: None
        for driver in drivers:
            driver.over.set()
    assert not [driver.failure for driver in drivers if driver.failure]
    assert all(between.met[kind] > 5 for kind in ("Lose", "Drop", "Delay", "Refuse")), between.met
    assert sum(driver.lost for driver in drivers) > 5

    async def look() -> None:
        direct = await Store.open(store.url)
        for driver in drivers:
            for game in driver.games:
                check(game, decode(game.id, None, await direct.read(game.id)))
        await direct.close()

    asyncio.run(look())
    for driver in drivers[::2]:
        for promise in driver.games[-1].promises[:8]:
            driver.repeat(driver.games[-1], promise)


def seats(table: Table) -> str:
    return f"{table.path}/seats"


def _join(table: Table, key: dict[str, str]) -> Send:
    return lambda: table.players[1].post(seats(table), {"type": "join"}, **key)


def _bundled(table: Table, key: dict[str, str]) -> Send:
    return lambda: table.host.post(seats(table), {"type": "bundled", "bundled": "random"}, **key)


def _start(table: Table, key: dict[str, str]) -> Send:
    return lambda: table.host.post(f"{table.path}/start", **key)


def _leave(table: Table, key: dict[str, str]) -> Send:
    return lambda: table.players[1].delete(f"{seats(table)}/1", **key)


def _act(table: Table, key: dict[str, str]) -> Send:
    actor = table.actor()
    body = table.choice(actor, random.Random(1))
    return lambda: table.act(actor, body, **key)


COMMANDS_OF: dict[str, tuple[str, Callable[[Table, dict[str, str]], Send]]] = {
    "join": ("open", _join),
    "seat a bundled player": ("open", _bundled),
    "start": ("seated", _start),
    "leave before": ("seated", _leave),
    "act": ("started", _act),
    "leave": ("started", _leave),
}


def _table(serving: Serving, stage: str) -> Table:
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben")))
    if stage == "open":
        assert table.host.post(seats(table), {"type": "join"}).status_code == 200
        return table
    return table.seated() if stage == "seated" else table.started()


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("name", COMMANDS_OF)
def test_a_command_whose_answers_were_all_lost(
    serving: Serving, between: Meddler, name: str, keyed: bool
):
    """503; the same again tells what happened: with a key its answer, without the state now."""
    stage, send = COMMANDS_OF[name]
    table = _table(serving, stage)
    before = table.view()["version"]
    key = {"key": f"k-{name.replace(' ', '-')}"} if keyed else {}
    again = send(table, key)
    between.next_appends(*[Lose()] * TRIES)
    assert unavailable(again())
    after = table.view()["version"]
    assert after > before, "the store did carry it out"
    repeated = again()
    if keyed:
        assert repeated.status_code == 200, repeated.text
        assert repeated.headers["idempotency-replayed"] == "true"
        assert repeated.json()["game"]["version"] == after
    elif name != "seat a bundled player":
        # It is seen to be done already: whoever reads the game knows what came of it.
        assert repeated.status_code in (403, 404, 409), repeated.text
    if keyed or name != "seat a bundled player":
        assert table.view()["version"] == after
    versions = [event["version"] for event in table.events()]
    assert versions == list(range(1, table.view()["version"] + 1))


@pytest.mark.parametrize("fate", [Lose(), Drop()], ids=["lost", "unheard"])
def test_one_cut_is_mended_within_the_call(
    serving: Serving, between: Meddler, fate: Fate, rng: random.Random
):
    """The client does not even notice."""
    table = _table(serving, "started")
    for key in ({"key": "one"}, {}):
        actor = table.actor()
        body = table.choice(actor, rng)
        before = table.view()["version"]
        between.next_appends(fate)
        answer = table.act(actor, body, **key)
        assert answer.status_code == 200, answer.text
        assert answer.json()["game"]["version"] == table.view()["version"] > before


def test_a_command_that_the_store_never_heard_of(
    serving: Serving, between: Meddler, rng: random.Random
):
    table = _table(serving, "started")
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    between.next_appends(*[Drop()] * TRIES)
    assert unavailable(table.act(actor, body, key="k"))
    assert actor.get(table.path).content == before
    answer = table.act(actor, body, key="k")
    assert answer.status_code == 200
    assert "idempotency-replayed" not in answer.headers


def test_a_game_whose_making_was_not_answered_is_made_once(serving: Serving, between: Meddler):
    ada = Player(serving.address, "Ada")
    body = {"ruleset": RULESET, "seats": 2}
    between.next_appends(*[Lose()] * TRIES)
    assert unavailable(ada.post("/v1/games", body, key="new"))
    made = ada.post("/v1/games", body, key="new")
    assert made.status_code == 201
    assert made.headers["idempotency-replayed"] == "true"
    mine = ada.get("/v1/players/me/games").json()["games"]
    assert [game["id"] for game in mine] == [made.json()["game"]["id"]]


class Cafe(Table):
    """A game in which things are invented and named."""

    def __init__(self, *players: Player) -> None:
        self.players, self.host = players, players[0]
        made = self.host.post("/v1/games", {"ruleset": "memesio", "seats": len(players)})
        self.path = f"/v1/games/{made.json()['game']['id']}"

    def choice(self, player: Player, rng: random.Random) -> dict[str, Any]:
        listed = LEGAL.decode(player.get(f"{self.path}/actions").content)
        forms = [form for form in listed.legal if form.__struct_config__.tag == "invent"]
        action = msgspec.to_builtins(fill(rng.choice(forms or listed.legal), rng))
        if forms:
            action["name"] = f"Surprise {rng.randrange(1000)}"
        return {"ruleset": "memesio", "decision": listed.decision.id, "action": action}


def test_words_of_a_command_that_was_stored_are_kept(serving: Serving, between: Meddler):
    """The event refers to them, though whoever said them was told that the store is away."""
    rng = random.Random(11)
    table = Cafe(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
    body: dict[str, Any] = {"action": {}}
    while "name" not in body["action"]:
        actor = table.actor()
        body = table.choice(actor, rng)
        if "name" not in body["action"]:
            assert table.act(actor, body).status_code == 200
    between.next_appends(*[Lose()] * TRIES)
    assert unavailable(table.act(actor, body, key="words"))
    assert table.act(actor, body, key="words").status_code == 200
    assert [text["words"] for text in actor.get(f"{table.path}/texts").json()["texts"]] == [
        body["action"]["name"]
    ]
