"""A store that is given by its URL: started, filled and stopped by others.

Which server it is is the runner's choice, see ``tests/service/store/servers.py``.
"""

import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import service.server
from service.store.folder import ServerFailed
from tests.service.players import RULESET, Player, Table
from tests.service.process.conftest import unavailable
from tests.service.serving import POTLUCK, Serving, alive, command_line, wait_for_end
from tests.service.store.servers import Server, chosen_binary, free_port, start_binary, wait_until

Serve = Callable[..., Serving]


def test_stopping_harms_no_store_that_it_did_not_start(serve: Serve, own_store: Server):
    """Two services share a given store; one goes, the other goes on, and so does the store."""
    one, other = serve(redis_url=own_store.url).start(), serve(redis_url=own_store.url).start()
    assert not one.store()
    time.sleep(0.5)
    assert Player(other.address, None).get("/v1/games").json()["games"] == [], "it gets no game"
    made = Player(one.address, "Ada").post("/v1/games", {"ruleset": RULESET, "seats": 2}).json()
    path = f"/v1/games/{made['game']['id']}"
    assert one.stop() == 0
    assert own_store.process
    assert own_store.process.poll() is None
    assert Player(other.address, None).get(path).status_code == 200
    other.kill()
    wait_for_end(*other.family())
    assert own_store.process.poll() is None
    os.kill(own_store.process.pid, 0)
    assert not one.data.exists(), "no folder is needed"
    third = serve(redis_url=own_store.url).start()
    assert Player(third.address, None).get(path).status_code == 200


def test_a_store_that_comes_later(serve: Serve, tmp_path: Any):
    """Alive but not ready, 503 for all that needs the store; then ready, without a restart."""
    port = free_port()
    serving = serve(redis_url=f"redis://127.0.0.1:{port}").start()
    workers = serving.workers()
    nobody = Player(serving.address, None)
    assert nobody.get("/healthz").json() == {"status": "ok"}
    for path in ("/readyz", "/v1/games", "/"):
        assert unavailable(nobody.get(path)), path
    assert unavailable(nobody.post("/v1/players", {"name": "Early"}))
    for path, code in (("/v1/nothing", 404), ("/v1/players/me", 401), ("/docs", 200)):
        assert nobody.get(path).status_code == code
    assert nobody.post("/v1/players", {"name": ""}).status_code == 422
    folder = tmp_path / "late"
    folder.mkdir()
    server = start_binary(chosen_binary(), folder, port=port)
    try:
        serving.wait_until_ready()
        for _ in range(6):
            Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
        assert serving.workers() == workers
        assert serving.event("the store cannot be opened")
        assert "Traceback" not in serving.log.read_text()
        server.kill()
        wait_until(lambda: serving.status("/readyz") == 503, 20)
        assert serving.status("/healthz") == 200
        server.start()
        serving.wait_until_ready()
    finally:
        server.stop()
    assert serving.stop() == 0


def test_a_store_of_another_make_is_not_touched(serve: Serve, own_store: Server):
    """A server whose store says another format: never ready, said loudly, left as it is."""
    _ask(own_store, "SET", "potluck:store", '{"format":99,"partitions":64,"secret":"00"}')
    serving = serve(redis_url=own_store.url).start()
    assert serving.status("/readyz") == 503
    told = serving.event("the store cannot be opened")
    assert told
    assert told["level"] == "error"
    assert "format 99" in told["error"]
    assert _ask(own_store, "DBSIZE") == b":1\r\n"


def test_a_password_is_nowhere_to_be_read(serve: Serve, tmp_path: Any):
    """Neither in the log nor among the processes' arguments, which anybody on the machine sees."""
    folder = tmp_path / "guarded"
    folder.mkdir()
    port, password = free_port(), "hush-hush-4711"
    server = Server(chosen_binary(), folder, port=port, maxclients="1000").start()
    try:
        _ask(server, "CONFIG", "SET", "requirepass", password)
        serving = serve(redis_url=f"redis://:{password}@127.0.0.1:{port}/0").start()
        assert Player(serving.address).token
        assert serving.process
        pids = [serving.process.pid, *serving.family()]
        assert len(pids) == 2
        assert not any(password.encode() in command_line(pid) for pid in pids if alive(pid))
        assert serving.stop() == 0
        wrong = serve(redis_url=f"redis://:wrong-{password}@127.0.0.1:{port}/0").start()
        assert wrong.status("/readyz") == 503
        for each in (serving, wrong):
            assert password not in each.log.read_text()
    finally:
        server.stop()


def _ask(server: Server, *words: str) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(str(server.socket))
        command = [f"*{len(words)}"]
        for word in words:
            command += [f"${len(word.encode())}", word]
        connection.sendall(("\r\n".join(command) + "\r\n").encode())
        return connection.recv(4096)


@pytest.mark.parametrize("url", ["localhost:6379", "http://localhost", "redis://:se/cret@x:y"])
def test_a_url_that_leads_nowhere_is_refused(url: str, tmp_path: Path):
    with pytest.raises(ServerFailed, match="looks like redis://localhost:6379/0") as raised:
        service.server.serve(
            host="127.0.0.1", port=0, data_dir=tmp_path, redis_url=url, workers=1, fsync="no"
        )
    assert "cret" not in str(raised.value)


def test_the_command_tells_it_in_words():
    line = [*POTLUCK, "serve", "--redis-url", "localhost:6379"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The Redis URL cannot be read")
    assert "Traceback" not in done.stderr
