"""Neither logs nor metrics hold a token, a command's key, a seed, a salt or a hidden card."""

import asyncio
import contextlib
import json
import random
import re

from domain.kernel.viewer import SeenRecord
from tests.service.live.conftest import SETTINGS, steps
from tests.service.live.reader import Stream
from tests.service.players import Player, Table
from tests.service.serving import Serving
from tests.service.store.servers import wait_until

KEY = "a-key-that-nobody-else-may-see"


def text_of(serving: Serving) -> str:
    """The metrics, as any of the workers gives them."""
    return serving.request("GET", "/metrics")[2].decode()


def hidden(records: list[dict], field: str) -> set[str]:
    """What a part holds in all records of a sealed game: digests aside, they were hidden."""
    return {
        str(part[field])
        for record in records
        for part in record["event"].values()
        if isinstance(part, dict) and field in part
    }


def test_logs_and_metrics_hold_no_secret(serve, rng: random.Random):
    serving: Serving = serve("--workers", "2").start(**SETTINGS, POTLUCK_LOG="DEBUG")
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    table = Table(*players, target=20).started()
    path = f"{table.path}/events"

    async def watch() -> None:
        streams = [await Stream.open(serving.port, path, player.token) for player in players]
        waits = await asyncio.to_thread(players[0].get, f"{path}?wait=1")
        assert waits.status_code == 200
        actor = await asyncio.to_thread(table.actor)
        body = await asyncio.to_thread(table.choice, actor, rng)
        assert table.act(actor, body, key=KEY).status_code == 200
        assert table.act(actor, body, key=KEY).headers["idempotency-replayed"] == "true"
        table.act(actor, {**body, "decision": 1}, key=KEY)
        await asyncio.to_thread(steps, table, rng, 5)
        streams[0].cut()
        await asyncio.to_thread(table.played, rng)
        await streams[1].rest()

    asyncio.run(watch())
    text = text_of(serving)
    records = table.events()
    seeds = hidden(records, "value") & {records[-1]["event"]["seed"]}
    assert len(seeds) == 1
    salts = hidden(records, "salt")
    assert len(salts) > 10
    serving.stop()
    log = serving.log.read_text()
    opened = [json.loads(line) for line in log.splitlines() if '"stream opened"' in line]
    closed = [json.loads(line) for line in log.splitlines() if '"stream closed"' in line]
    assert len(opened) == len(closed) == 2
    assert {one["level"] for one in (*opened, *closed)} == {"debug"}
    assert {one["reason"] for one in closed} == {"left", "sealed"}
    secrets = {KEY, *seeds, *salts, *(player.token for player in players)}
    secrets |= {player.token.removeprefix("pt_") for player in players}
    for secret in secrets:
        assert secret not in log
        assert secret not in text
    cards = {
        name for one in records for name in re.findall(r"[a-z_]+", str(one["event"].get("cards")))
    }
    for card in cards - {"digest", "salt", "value", "cards", "none"}:
        assert f'"{card}"' not in log
        assert f'"{card}"' not in text
    # Labels have no values without bounds: no id of a game, a player or a request.
    ids = {table.id, *(player.id for player in players), *(one["request_id"] for one in opened)}
    for one in ids:
        assert one not in text
    assert SeenRecord.__struct_fields__ == tuple(records[0])


def test_what_is_counted(serve, rng: random.Random):
    """Over both workers alike: any of them answers for all."""
    serving: Serving = serve("--workers", "2").start(**SETTINGS)
    ada, ben = (Player(serving.address, name) for name in ("Ada", "Ben"))
    nobody = Player(serving.address, None)
    table = Table(ada, ben, nobody).started()  # the third seat is a bundled player's

    async def watch() -> list[dict[str, float]]:
        path = f"{table.path}/events"
        streams = [await Stream.open(serving.port, path) for _ in range(8)]
        counted = []
        for _ in range(6):
            text = await asyncio.to_thread(text_of, serving)
            pairs = re.findall(r"^(potluck_\S+) (\S+)$", text, re.MULTILINE)
            counted.append({name: float(value) for name, value in pairs})
        for stream in streams:
            stream.cut()
        return counted

    wait_until(lambda: "\npotluck_hub_up 1.0\n" in text_of(serving))  # of the second worker too
    assert ada.post(f"{table.path}/start").status_code == 409
    assert ada.get("/nowhere").status_code == 404
    for counted in asyncio.run(watch()):
        assert counted["potluck_open_streams"] == 8
        assert counted["potluck_hub_up"] == 1
        assert counted['potluck_commands_total{operation="startGame",result="done"}'] == 1
        assert counted['potluck_commands_total{operation="startGame",result="game-started"}'] == 1
        assert counted['potluck_requests_total{method="GET",route="none",status="404"}'] == 1
        assert counted['potluck_requests_total{method="POST",route="/v1/games",status="201"}'] == 1
        assert counted["potluck_append_seconds_count"] >= 5
    table.players = (ada, ben)
    for _ in range(12):
        # The bundled player may be the one that is asked, or close the decision meanwhile.
        with contextlib.suppress(IndexError, AssertionError):
            table.step(rng)
    text = text_of(serving)
    assert 'potluck_bundled_acts_total{result="done",ruleset="stir-fry-eighteen"}' in text
