"""Many clients at one table, on two workers: each command once, and everyone is told the truth."""

import asyncio
import hashlib
import random
import secrets
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from domain.kernel.fold import evolve
from domain.kernel.forms import fill
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SeenRecord
from service import bundled, caretaker
from service.store.store import Store
from service.tables import decode
from service.worker import opened
from tests.domain.kit import chain_again
from tests.service.players import LEGAL, RULESET, Player, Table, ruleset
from tests.service.serving import Serving
from tests.service.store.servers import wait_until

CLIENTS = 50


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("racing"), "--workers", "2") as running:
        yield running


def check_log(table: Table, events: list[dict[str, Any]]) -> None:
    """Versions without gaps, and a chain that anybody can check."""
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    previous = hashlib.sha256(b"potluck/chain/1\n" + table.id.encode()).digest()
    for event in events:
        previous = chain_again(previous, msgspec.convert(event, SeenRecord))
        assert previous.hex() == event["chain"]
    after = 0
    for event in events:
        if event["count"]:
            assert event["version"] > after, "a command within another one"
            after = event["version"] + event["count"] - 1


class Client:
    """One of ten clients that share a seat. It acts whenever it may, and retries a lot."""

    def __init__(self, address: str, table: Table, seat: int, number: int) -> None:
        self.http = httpx.AsyncClient(base_url=address, timeout=30, verify=False)
        self.headers = {"Authorization": f"Bearer {table.players[seat].token}"}
        self.path = f"{table.path}/actions"
        self.rng = random.Random(number)
        self.answers: dict[str, list[httpx.Response]] = defaultdict(list)

    async def play(self) -> None:
        while True:
            answer = await self.http.get(self.path, headers=self.headers)
            listed = LEGAL.decode(answer.content)
            if listed.decision is None:
                break
            if not listed.legal:
                await asyncio.sleep(self.rng.random() * 0.02)
                continue
            action = fill(self.rng.choice(listed.legal), self.rng)
            body = {"ruleset": RULESET, "decision": listed.decision.id, "action": action}
            key = secrets.token_hex(8)
            copies = self.rng.choice((1, 1, 2, 3))
            await asyncio.gather(*(self.send(key, body) for _ in range(copies)))
            if self.rng.random() < 0.3:
                await self.send(key, body)
        await self.http.aclose()

    async def send(self, key: str, body: dict[str, Any]) -> None:
        headers = {**self.headers, "Idempotency-Key": key}
        answer = await self.http.post(self.path, json=body, headers=headers)
        self.answers[key].append(answer)


def test_fifty_clients_at_one_table(two_workers: Serving):
    players = [Player(two_workers.address, f"P {number}") for number in range(5)]
    table = Table(*players, max_turns=9).started()
    before = len(table.events())

    async def race() -> list[Client]:
        clients = [Client(two_workers.address, table, n % 5, n) for n in range(CLIENTS)]
        await asyncio.gather(*(client.play() for client in clients))
        return clients

    clients = asyncio.run(race())
    events = table.events()
    check_log(table, events)
    chains = {event["version"]: event["chain"] for event in events}
    accepted: dict[int, str] = {}
    codes: Counter[str] = Counter()
    for client in clients:
        for key, answers in client.answers.items():
            done = [answer for answer in answers if answer.status_code == 200]
            for answer in answers:
                codes[answer.json().get("code", "accepted")] += 1
            if not done:
                continue
            assert len({answer.content for answer in done}) == 1, "a repeat differs"
            first = [answer for answer in done if "idempotency-replayed" not in answer.headers]
            assert len(first) == 1, "one answer is the first, all others are repeats"
            told = first[0].json()
            for event in told["events"]:
                assert chains[event["version"]] == event["chain"], "told of what did not happen"
            start = told["events"][0]["version"]
            assert start not in accepted, "one command for two keys"
            accepted[start] = key
            last = told["events"][-1]["version"]
            assert (told["game"]["version"], told["events"][0]["count"]) == (
                last,
                len(told["events"]),
            )
            # A key that succeeded was never told otherwise afterwards.
            assert len(done) == len(answers), [answer.text for answer in answers]
    commands = {event["version"] for event in events[before:] if event["count"]}
    assert commands == set(accepted), "each accepted command once, and nothing else"
    assert set(codes) <= {"accepted", "decision-closed", "illegal-action", "game-over"}
    assert codes["decision-closed"] > 20, "there was no race"
    assert codes["accepted"] > len(accepted) > 15
    print(f"{len(accepted)} commands by {CLIENTS} clients; answers: {dict(codes)}")


def test_calls_and_passes_at_the_same_moment(two_workers: Serving, rng: random.Random):
    """The one call that comes first counts; passes before it hold, what comes later is told so."""
    players = [Player(two_workers.address, f"P {number}") for number in range(5)]
    outcomes: Counter[str] = Counter()
    for _ in range(12):
        table = Table(*players).started()
        seat = table.asked()[0]
        hand = table.view(players[seat])["board"]["players"][seat]["hand"]
        claim = {"type": "discard_pair", "cards": hand[:2]}
        decision = table.view()["decision"]["id"]
        body = {"ruleset": RULESET, "decision": decision, "action": claim}
        assert table.act(players[seat], body).status_code == 200
        window = table.view()["decision"]
        assert sorted(window["asked"]) == [other for other in range(5) if other != seat]
        plans = {other: rng.choice(("pass", "pass", "call")) for other in window["asked"]}
        answers = at_once(table, window["id"], plans)
        check_log(table, table.events())
        calls = [other for other, kind in plans.items() if kind == "call"]
        called = [other for other in calls if answers[other].status_code == 200]
        assert len(called) == bool(calls)
        log = [(event["event"]["type"], event["event"].get("seat")) for event in table.events()]
        for other, answer in answers.items():
            kind = {"pass": "passed", "call": "called"}[plans[other]]
            assert ((kind, other) in log) == (answer.status_code == 200)
            if answer.status_code != 200:
                assert called
                assert (answer.status_code, answer.json()["code"]) == (409, "decision-closed")
                outcomes["late"] += 1
        outcomes["called" if called else "all passed"] += 1
    assert outcomes["called"] > 3
    print(dict(outcomes))


def at_once(table: Table, decision: int, plans: dict[int, str]) -> dict[int, httpx.Response]:
    answers: dict[int, httpx.Response] = {}
    gate = threading.Barrier(len(plans))

    def send(seat: int, kind: str) -> None:
        body = {"ruleset": RULESET, "decision": decision, "action": {"type": kind}}
        gate.wait()
        answers[seat] = table.act(table.players[seat], body, key=f"{kind}-{seat}")

    threads = [threading.Thread(target=send, args=plan) for plan in plans.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_bundled_players_of_two_workers_never_act_twice(two_workers: Serving):
    """Six games at once, with the workers in each other's way: one act a decision and seat."""
    host = Player(two_workers.address, "Host")
    nobody = Player(two_workers.address, None)
    tables = [Table(host, nobody, nobody, max_turns=30) for _ in range(6)]
    for table in tables:
        for _ in range(3):
            body = {"type": "bundled", "bundled": "random"}
            assert host.post(f"{table.path}/seats", body).status_code == 200
        assert host.post(f"{table.path}/start").status_code == 200
    for table in tables:
        wait_until(lambda table=table: table.view()["status"] == "sealed", 60)
        check_log(table, table.events())
    asyncio.run(check_acts(two_workers, [table.id for table in tables]))


def test_bundled_players_who_will_not_wait_for_each_other(
    two_workers: Serving, monkeypatch: pytest.MonkeyPatch
):
    """Two more workers that look for due games all the time and leave nothing to others."""
    monkeypatch.setattr(caretaker, "POLL_EVERY", 0.003)
    monkeypatch.setattr(caretaker, "AT_A_TIME", 1_000)
    monkeypatch.setattr(bundled, "LEFT_TO_OTHERS", -60_000)
    host = Player(two_workers.address, "Host")
    nobody = Player(two_workers.address, None)
    tables = [Table(host, nobody, nobody, nobody, max_turns=40) for _ in range(4)]
    for table in tables:
        for _ in table.players:
            body = {"type": "bundled", "bundled": "random"}
            assert host.post(f"{table.path}/seats", body).status_code == 200

    attempts: Counter[str] = Counter()
    act = bundled.BundledPlayers._act

    async def counted(players: Any, table: Any, seat: int) -> Any:
        attempts[table.state.table.game] += 1
        return await act(players, table, seat)

    monkeypatch.setattr(bundled.BundledPlayers, "_act", counted)

    async def meddle() -> None:
        url = f"unix://{two_workers.store_socket()}"
        async with opened(url), opened(url):
            for table in tables:
                await asyncio.to_thread(host.post, f"{table.path}/start")
            for table in tables:
                while (await asyncio.to_thread(table.view))["status"] != "sealed":
                    await asyncio.sleep(0.05)

    asyncio.run(meddle())
    assert sum(attempts.values()) > 20, "there was no race"
    for table in tables:
        check_log(table, table.events())
    asyncio.run(check_acts(two_workers, [table.id for table in tables]))


async def check_acts(serving: Serving, games: list[str]) -> None:
    store = await Store.open(f"unix://{serving.store_socket()}")
    try:
        for game in games:
            records = decode(game, None, await store.read(game))
            answered: Counter[tuple[int, str]] = Counter()
            state: State | None = None
            for record in records:
                if record.count and record.actor.startswith("seat:"):
                    decision = decision_id(state) if state else None
                    assert decision is not None
                    answered[decision, record.actor] += 1
                state = evolve(ruleset(), state, record)
            assert len(answered) > 20
            assert set(answered.values()) == {1}, "a seat acted twice on one decision"
    finally:
        await store.close()
