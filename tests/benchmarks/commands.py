"""Accepted commands a second over HTTP, beside a bare endpoint that only stores and answers."""

import asyncio
import hashlib
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from domain.catalogue import CATALOGUE
from domain.kernel.state import decision_id
from domain.players.playout import Playout
from service.server import listen
from service.store.embedded import Embedded
from service.store.store import Store
from service.tables import decode
from service.worker import STORE_URL
from tests.benchmarks import client
from tests.benchmarks.lines import Line, line

CONNECTIONS = 32
GAMES_EACH = 2
ROUNDS = 3
FAIR = (
    "Both are one worker of the same server with the same log, token check and answer size,"
    " 32 connections, one pipelined append a request on the same store; ours also decides by the"
    " rules, folds, chains, redacts for the caller and keeps the command's key."
)


class Script(msgspec.Struct):
    """Commands of one game, written beforehand: requests in order, for one connection."""

    game: str
    requests: list[bytes]


@contextmanager
def server(module: str, url: str, **environment: str) -> Iterator[int]:
    """Run a server process on a free port."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            module,
            f"--socket={listening.fileno()}",
            f"--parent={reading}",
        ],
        env={**os.environ, STORE_URL: url, **environment},
        pass_fds=(listening.fileno(), reading),
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port)
        yield port
    finally:
        os.close(writing)
        process.wait(20)
        os.close(reading)
        listening.close()


def _wait(port: int) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).read()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nothing answers on port {port}")


def post(port: int, path: str, token: str, body: Any, ruleset: str | None = None) -> Any:
    data = b"" if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=data, method="POST")
    if body is not None:
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def open_game(port: int, tokens: list[str], ruleset: str) -> str:
    body = {"ruleset": ruleset, "seats": len(tokens)}
    game: str = post(port, "/v1/games", tokens[0], body)["game"]["id"]
    for token in tokens:
        post(port, f"/v1/games/{game}/seats", token, {"type": "join"})
    post(port, f"/v1/games/{game}/start", tokens[0], None)
    return game


async def _write_script(
    store: Store, game: str, tokens: list[str], ruleset: str, entropy: random.Random
) -> Script:
    """Play a started game on in this process, and write the commands down as requests."""
    rules = CATALOGUE[ruleset]
    playout = Playout(rules)
    records = decode(game, None, await store.read(game))
    playout.resume(records)
    requests: list[bytes] = []
    first = len(records)
    while True:
        assert playout.state is not None
        decision = decision_id(playout.state)
        before = len(playout.records)
        if not playout.step(entropy):
            break
        record = playout.records[before]
        seat = int(record.actor.removeprefix("seat:"))
        action = rules.action_of(record.event)
        body = {"ruleset": ruleset, "decision": decision, "action": msgspec.to_builtins(action)}
        requests.append(
            client.request(
                "POST",
                f"/v1/games/{game}/actions",
                tokens[seat],
                msgspec.json.encode(body),
                key=hashlib.sha256(f"{game}{before}".encode()).hexdigest()[:32],
            )
        )
    assert first
    return Script(game, requests)


async def _run(port: int, lanes: list[list[bytes]]) -> tuple[float, int, int, int]:
    started = time.perf_counter()
    answers = await asyncio.gather(*(client.send_all(port, lane) for lane in lanes))
    seconds = time.perf_counter() - started
    sent = sum(map(len, lanes))
    return seconds, sent, sum(good for good, _ in answers), sum(size for _, size in answers)


async def _scripts(url: str, port: int, ruleset: str, seed: int) -> list[list[bytes]]:
    entropy = random.Random(seed)
    tokens = [post(port, "/v1/players", "", {"name": name})["token"] for name in ("Ada", "Ben")]
    store = await Store.open(url)
    lanes: list[list[bytes]] = [[] for _ in range(CONNECTIONS)]
    try:
        for lane, _ in itertools.product(lanes, range(GAMES_EACH)):
            game = open_game(port, tokens, ruleset)
            lane += (await _write_script(store, game, tokens, ruleset, entropy)).requests
    finally:
        await store.close()
    return lanes


async def _bare(port: int, token: str, commands: int, answer: int, stored: int) -> float:
    """Let the bare endpoint take as many commands, storing and answering as many bytes."""
    body = {"decision": 12, "action": {"type": "discard_pair", "cards": ["ginger", "ginger"]}}
    encoded = msgspec.json.encode({"ruleset": "stir-fry-eighteen", **body})
    lanes = [
        [
            client.request("POST", f"/bare/{lane}?answer={answer}&stored={stored}", token, encoded)
            for _ in range(commands // CONNECTIONS)
        ]
        for lane in range(CONNECTIONS)
    ]
    seconds, sent, good, _ = await _run(port, lanes)
    assert good == sent, f"{good} of {sent} bare requests were answered well"
    return sent / seconds


async def _measure(ruleset: str) -> Line:
    ours: list[float] = []
    beside: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder)) as embedded:
        url = embedded.url
        for number in range(ROUNDS):
            with server("service.worker", url) as port:
                lanes = await _scripts(url, port, ruleset, number)
                before = await _stored(url)
                seconds, sent, good, size = await _run(port, lanes)
                stored = (await _stored(url) - before) // sent
                token = post(port, "/v1/players", "", {"name": "Bare"})["token"]
            assert good == sent, f"{good} of {sent} commands were accepted"
            ours.append(sent / seconds)
            with server("tests.benchmarks.bare", url) as port:
                beside.append(await _bare(port, token, sent, size // sent, stored))
    ratios = sorted(zip(ours, beside, strict=True), key=lambda pair: pair[0] / pair[1])
    middle = ratios[len(ratios) // 2]
    spread = statistics.pstdev(one / other for one, other in ratios)
    name = f"accepted commands/s over HTTP, {ruleset} (median of {ROUNDS}, ratio ± {spread:.3f})"
    return line(name, *middle, goal=0.6, fair=FAIR)


async def _stored(url: str) -> int:
    """Count the bytes of all stored bodies."""
    store = await Store.open(url)
    total = 0
    try:
        async for game in store.game_ids():
            total += sum(len(entry.body) for entry in await store.read(game))
    finally:
        await store.close()
    return total


def measure(ruleset: str) -> Line:
    """Measure one ruleset."""
    return uvloop.run(_measure(ruleset))
