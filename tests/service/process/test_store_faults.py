"""The store dies, fills up, takes no writes, is not there yet: 503, and recovery by itself."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.service.players import RULESET, Player, Table
from tests.service.serving import Serving, alive, command_line, kill
from tests.service.store.servers import Server, chosen_binary, free_port, start_binary, wait_until

Serve = Callable[..., Serving]


def unavailable(answer: httpx.Response) -> bool:
    """Whether an answer is the problem that the store is away, as every such answer must be."""
    if answer.status_code != 503:
        return False
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "store-unavailable"
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.headers["cache-control"] == "no-store"
    return True


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One service for all tests here that break its store and see it recover."""
    with Serving(tmp_path_factory.mktemp("faults"), "--workers", "2") as running:
        yield running


@pytest.fixture
def table(shared: Serving) -> Table:
    return Table(*(Player(shared.address, name) for name in ("Ada", "Ben"))).started()


def test_a_killed_store_is_503_and_then_back(shared: Serving, table: Table, rng: Any):
    """The parent starts it again; the workers are the same, and go on by themselves."""
    workers = shared.workers()
    actor = table.actor()
    body = table.choice(actor, rng)
    (store,) = shared.store()
    seen = []
    for key in ("one", "two", "three"):
        kill(store)
        answer = table.act(actor, body, key=key)
        seen += [unavailable(answer)]
        wait_until(lambda: shared.status("/readyz") == 200, 20)
        (store,) = shared.store()
        assert table.act(actor, body, key=key).status_code == 200
        actor = table.actor()
        body = table.choice(actor, rng)
    assert any(seen)
    assert shared.workers() == workers
    assert shared.status("/healthz") == 200


def test_a_full_store_refuses_moves_and_still_shows_games(shared: Serving, table: Table, rng: Any):
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("CONFIG", "SET", "maxmemory", "1") == b"+OK\r\n"
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("CONFIG", "SET", "maxmemory", "0")
    _recovers(table, actor, body)


def test_a_read_only_store_refuses_moves_and_still_shows_games(
    shared: Serving, table: Table, rng: Any
):
    """It was made a replica of a server that is not there."""
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("REPLICAOF", "127.0.0.1", "1").startswith(b"+OK")
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("REPLICAOF", "NO", "ONE")
    _recovers(table, actor, body)


def test_a_store_that_wants_replicas_refuses_moves(shared: Serving, table: Table, rng: Any):
    actor = table.actor()
    body = table.choice(actor, rng)
    before = actor.get(table.path).content
    assert shared.tell_store("CONFIG", "SET", "min-replicas-to-write", "1") == b"+OK\r\n"
    try:
        _refuses_writes_and_reads_on(table, actor, body, before)
    finally:
        shared.tell_store("CONFIG", "SET", "min-replicas-to-write", "0")
    _recovers(table, actor, body)


def test_a_store_without_its_function_gets_it_again(shared: Serving, table: Table, rng: Any):
    assert shared.tell_store("FUNCTION", "FLUSH") == b"+OK\r\n"
    table.step(rng)


def _refuses_writes_and_reads_on(
    table: Table, actor: Player, body: dict[str, Any], before: bytes
) -> None:
    for _ in range(2):
        assert unavailable(table.act(actor, body, key="k"))
    assert unavailable(actor.post("/v1/games", {"ruleset": RULESET, "seats": 2}))
    assert unavailable(actor.post("/v1/players", {"name": "Late"}))
    assert actor.get(table.path).content == before
    for path in (f"{table.path}/events", f"{table.path}/actions", "/v1/games", "/readyz", "/"):
        assert actor.get(path).status_code == 200, path
    # What is wrong with a request is still told first.
    assert table.act(actor, {**body, "decision": "1"}).status_code == 422


def _recovers(table: Table, actor: Player, body: dict[str, Any]) -> None:
    answer = table.act(actor, body, key="k")
    assert answer.status_code == 200, answer.text
    assert "idempotency-replayed" not in answer.headers, "the refused tries left nothing behind"
    assert [event["version"] for event in table.events()] == list(
        range(1, table.view()["version"] + 1)
    )


def test_a_damaged_log_is_503_for_that_game_alone(shared: Serving, table: Table, rng: Any):
    other = Table(*table.players).started()
    keys = shared.tell_store("KEYS", f"*{table.id}:events").split(b"\r\n")
    (key,) = (word.decode() for word in keys if word.startswith(b"{"))
    assert shared.tell_store("XDEL", key, "3-0") == b":1\r\n"
    fresh = Serving(shared.folder.with_name("fresh"), redis_url=f"unix://{shared.store_socket()}")
    with fresh:
        answer = Player(fresh.address, None).get(table.path)
        assert (answer.status_code, answer.json()["code"]) == (503, "log-damaged")
        assert Player(fresh.address, None).get(other.path).status_code == 200
        assert fresh.event("a log is damaged")


# A given store that is not there when the service starts.


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
        wait_until(lambda: serving.status("/readyz") == 200, 20)
        for _ in range(6):
            Table(*(Player(serving.address, name) for name in ("Ada", "Ben"))).started()
        assert serving.workers() == workers
        assert serving.event("the store cannot be opened")
        assert "Traceback" not in serving.log.read_text()
        server.kill()
        wait_until(lambda: serving.status("/readyz") == 503, 20)
        assert serving.status("/healthz") == 200
        server.start()
        wait_until(lambda: serving.status("/readyz") == 200, 20)
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


@pytest.mark.parametrize("url", ["localhost:6379", "http://localhost", "redis://:se/cret@x:y"])
def test_a_url_that_leads_nowhere_is_refused(serve: Serve, url: str):
    serving = serve(redis_url=url).launch()
    assert serving.process
    assert serving.process.wait(20) == 1
    said = serving.log.read_text()
    assert "redis://localhost:6379/0" in said
    assert "Traceback" not in said
    assert "cret" not in said


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


def test_the_embedded_stores_folder_is_its_owners_alone(shared: Serving):
    assert shared.data.stat().st_mode & 0o077 == 0
    assert shared.store_socket().parent.stat().st_mode & 0o077 == 0
    for path in shared.data.rglob("*.aof"):
        assert path.stat().st_mode & 0o077 == 0
