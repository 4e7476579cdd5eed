"""Starting, stopping and killing: nothing is lost, nothing is left, nothing foreign is harmed."""

import contextlib
import http.client
import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.service.players import RULESET, Player, Table
from tests.service.serving import Serving, alive, kill, wait_for_end
from tests.service.store.servers import free_port, wait_until

Serve = Callable[..., Serving]

A_FEW_SECONDS = 9.0


def again(player: Player, serving: Serving) -> Player:
    """The same player, after a restart."""
    same = Player(serving.address, None)
    same.id, same.token = player.id, player.token
    return same


def test_stopping_and_starting_loses_nothing(serve: Serve, rng: random.Random):
    """Tables, tokens, cursors, entity tags and command keys hold over a restart.

    The first start on an empty folder plays one game between bundled players, the second none.
    """
    serving = serve("--workers", "2").start()
    nobody = Player(serving.address, None)
    wait_until(lambda: nobody.get("/v1/games?status=ended").json()["games"], 30)
    (demo,) = nobody.get("/v1/games").json()["games"]
    assert (demo["status"], len(demo["seats"])) == ("sealed", 3)
    assert all(seat["bundled"] == "random" for seat in demo["seats"])
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    table = Table(*players).started()
    actor = table.actor()
    body = table.choice(actor, rng)
    first = table.act(actor, body, key="before")
    for _ in range(5):
        table.step(rng)
    made = players[0].post("/v1/games", {"ruleset": RULESET, "seats": 2}, key="made-before")
    addresses = ["", "/events", "/claims", "/actions", "/events?limit=3"]
    before = [actor.get(table.path + each) for each in addresses]
    listed = actor.get("/v1/games?limit=100").json()
    pids = serving.family()
    assert serving.process
    serving.process.send_signal(signal.SIGINT)
    assert serving.process.wait(20) == 0
    wait_for_end(*pids)

    serving.start()
    table.players = tuple(again(player, serving) for player in players)
    table.host, actor = table.players[0], again(actor, serving)
    after = [actor.get(table.path + each) for each in addresses]
    assert [answer.content for answer in after] == [answer.content for answer in before]
    assert after[0].headers["etag"] == before[0].headers["etag"]
    assert actor.get("/v1/games?limit=100").json() == listed
    repeat = table.act(actor, body, key="before")
    assert (repeat.status_code, repeat.content) == (200, first.content)
    assert repeat.headers["idempotency-replayed"] == "true"
    remade = table.host.post("/v1/games", {"ruleset": RULESET, "seats": 2}, key="made-before")
    assert (remade.status_code, remade.content) == (201, made.content)
    cursor = before[-1].json()["next"]
    assert actor.get(f"{table.path}/events?after={cursor}").status_code == 200
    table.played(rng)
    assert table.view()["status"] == "sealed"


def test_sigterm_ends_it_within_seconds_and_loses_nothing(serve: Serve):
    """Idle connections, one that never asks, a body that does not come, and clients at work."""
    serving = serve().start()
    idle = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=30)
    idle.request("GET", "/healthz")
    assert idle.getresponse().read()
    silent = socket.create_connection(("127.0.0.1", serving.port))
    slow = socket.create_connection(("127.0.0.1", serving.port))
    slow.sendall(
        b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b'Content-Length: 14\r\n\r\n{"name":'
    )
    made: list[str] = []
    players = [Player(serving.address, "Busy") for _ in range(4)]
    threads = [threading.Thread(target=make_games, args=(player, made)) for player in players]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(made) > 50, 20)
    pids = serving.family()
    assert serving.process
    begun = time.monotonic()
    serving.process.terminate()
    assert serving.process.wait(20) == 0
    assert time.monotonic() - begun < A_FEW_SECONDS
    assert not any(map(alive, pids))
    for thread in threads:
        thread.join()
    for connection in (silent, slow):
        connection.close()
    idle.close()
    serving.start()
    nobody = Player(serving.address, None)
    assert all(nobody.get(f"/v1/games/{game}").status_code == 200 for game in made)
    print(f"{len(made)} games were answered for before the stop, and all are there")


def make_games(player: Player, made: list[str]) -> None:
    """Open games until the service is gone; note those that were answered for."""
    with contextlib.suppress(httpx.TransportError):
        while True:
            answer = player.post("/v1/games", {"ruleset": RULESET, "seats": 2})
            if answer.status_code == 201:
                made.append(answer.json()["game"]["id"])


# What is in use is refused, and comes to no harm.


def refused(serving: Serving) -> str:
    """Start a service that must not start; give what it says."""
    serving.launch()
    assert serving.process
    assert serving.process.wait(20) == 1
    text = serving.log.read_text()
    assert "Traceback" not in text
    return text


def test_a_port_in_use_is_refused(serve: Serve, serving: Serving):
    first = serving
    second = serve(port=first.port)
    said = refused(second)
    assert f"127.0.0.1:{first.port}" in said
    assert "--port" in said
    assert "PORT" in said
    assert not (second.data / "lock").exists(), "the port is asked for before anything is made"
    assert first.status("/readyz") == 200


def test_a_port_that_something_else_listens_on_is_refused(serve: Serve):
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert "in use" in refused(serve(port=other.getsockname()[1]))


def test_a_data_folder_in_use_is_refused(serve: Serve, serving: Serving):
    first = serving
    second = serve()
    second.data = first.data
    said = refused(second)
    assert f"{first.data} is in use" in said
    assert "--data-dir" in said
    assert first.status("/readyz") == 200
    assert Player(first.address).token


def test_two_at_once_on_one_port_and_folder(serve: Serve):
    """One of them serves, the other says why not."""
    port = free_port()
    both = [serve(port=port), serve(port=port)]
    both[1].data = both[0].data
    for serving in both:
        serving.launch()
    wait_until(lambda: any(s.process and s.process.poll() is not None for s in both), 20)
    codes = [serving.process.poll() for serving in both if serving.process]
    assert sorted(codes, key=str) == [1, None]
    winner = both[codes.index(None)]
    winner.wait_until_ready()


# Killing.


def test_after_a_kill_of_the_parent_nothing_is_left_and_nothing_lost(
    serve: Serve, rng: random.Random
):
    serving = serve("--workers", "2").start()
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    table = Table(*players).started()
    for _ in range(4):
        table.step(rng)
    before = players[0].get(table.path).content
    pids = serving.family()
    assert len(pids) == 3
    port = serving.port
    serving.kill()
    took = wait_for_end(*pids)
    assert took < A_FEW_SECONDS
    fresh = serve(folder=serving.folder, port=port).start()
    table.players = tuple(again(player, fresh) for player in players)
    table.host = table.players[0]
    assert table.players[0].get(table.path).content == before
    table.step(rng)


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service whose workers are killed; it is as good as new afterwards."""
    with Serving(tmp_path_factory.mktemp("crew"), "--workers", "2") as running:
        yield running


def test_a_killed_worker_is_replaced(crew: Serving, rng: random.Random):
    serving = crew
    table = Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
    for _ in range(3):
        before = serving.workers()
        victim = rng.choice(before)
        kill(victim)
        wait_until(lambda b=before, v=victim: len(set(serving.workers()) - {v}) == 2, 15)
        # A connection of the killed worker breaks; the next one is served by whoever is there.
        table.players = tuple(again(player, serving) for player in table.players)
        table.host = table.players[0]
        table.step(rng)
    died = [event for event in serving.events if event["event"].startswith("a worker died")]
    assert len(died) == 3


def test_bundled_players_go_on_after_their_worker_was_killed(crew: Serving):
    """All workers are killed in mid game: those that come in their place find the game."""
    serving = crew
    host, nobody = Player(serving.address, "Host"), Player(serving.address, None)
    table = Table(host, nobody, nobody, nobody, nobody, target=300, max_turns=70)
    for _ in table.players:
        taken = host.post(f"{table.path}/seats", {"type": "bundled", "bundled": "random"})
        assert taken.status_code == 200
    assert host.post(f"{table.path}/start").status_code == 200
    killed_at = []
    for _ in range(2):
        for pid in serving.workers():
            kill(pid)
        table.host = again(host, serving)
        serving.wait_until_ready()
        killed_at.append(table.view()["version"])
        assert table.view()["status"] == "running", "too short a game for this test"
        wait_until(lambda: table.view()["version"] > killed_at[-1] + 5, 20)
    wait_until(lambda: table.view()["status"] == "sealed", 90)
    acted = [e for e in table.events() if e["count"] and e["actor"].startswith("seat:")]
    versions = [event["version"] for event in acted]
    assert len(versions) == len(set(versions)) > 60
    print(f"workers were killed at versions {killed_at} of {table.view()['version']}")
