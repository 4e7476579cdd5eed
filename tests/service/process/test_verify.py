"""`potluck verify` and `potluck validate`, on what a service has recorded and stored."""

import asyncio
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis.asyncio import Redis

from service.cli import main
from tests.service.players import Player, Table
from tests.service.serving import POTLUCK, Serving
from tests.service.store.servers import wait_until


def potluck(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    done = subprocess.run([*POTLUCK, *arguments], input=given, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def verified(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    """Verify within this process, which is quicker."""
    result = CliRunner().invoke(main, ["verify", *arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def sealed(serving: Serving) -> bytes:
    """The recording of a game that is over."""
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    table = Table(*players, max_turns=4).started().played(random.Random(4))
    return players[0].get(f"{table.path}/recording").content


@pytest.fixture(scope="module")
def unsealed(serving: Serving) -> bytes:
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    table = Table(*players).started()
    return players[0].get(f"{table.path}/recording").content


def test_a_sealed_recording_is_sound(sealed: bytes, tmp_path: Path):
    file = tmp_path / "game.ndjson"
    file.write_bytes(sealed)
    code, said = verified(str(file))
    assert (code, "sound" in said or "sealed" in said) == (0, True), said
    assert potluck("verify", "-", given=sealed) == (0, said), "the command itself"


def test_an_unsealed_recording_is_sound_as_far_as_can_be_told(unsealed: bytes):
    code, said = verified("-", given=unsealed)
    assert code == 3, said


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[:4] + lines[5:],
        lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]],
        lambda lines: [line.replace(b'"turn_ended"', b'"passed"', 1) for line in lines],
        lambda lines: [line.replace(b'"seat":1', b'"seat":0', 1) for line in lines],
        lambda lines: [b"", *lines],
        lambda lines: [],
        lambda lines: [b"not even JSON"],
    ],
)
def test_a_fault_is_found(sealed: bytes, change: Callable[[list[bytes]], list[bytes]]):
    code, said = verified("-", given=b"\n".join(change(sealed.splitlines())) + b"\n")
    assert code == 1, said
    assert said.strip()


def test_a_file_that_is_not_there():
    code, said = verified("/no/such/file")
    assert code == 2
    assert "No such file" in said


# validate.


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service with a few games of each age."""
    serving = Serving(tmp_path_factory.mktemp("validate")).start()
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    Table(*players, max_turns=4).started().played(random.Random(1))
    Table(*players).started()
    Table(*players)
    nobody = players[0]
    wait_until(lambda: len(nobody.get("/v1/games?status=ended").json()["games"]) == 2, 30)
    yield serving
    serving.end()


def test_validate_beside_a_running_service_and_after_it(shop: Serving):
    where = ("validate", "--data-dir", str(shop.data))
    code, said = potluck(*where)
    assert code == 0, said
    assert "4 games folded again, 0 at fault" in said
    assert shop.status("/readyz") == 200, "the service goes on"
    url = f"unix://{shop.store_socket()}"
    assert potluck("validate", "--redis-url", url)[0] == 0
    game = asyncio.run(_forge(url))
    code, said = potluck(*where, "--json")
    assert code == 1
    (line,) = [json.loads(line) for line in said.splitlines() if line.startswith('{"game"')]
    assert line["game"] == game
    assert line["fault"]
    assert shop.stop() == 0
    code, said = potluck(*where)
    assert (code, "4 games folded again, 1 at fault" in said) == (1, True), said
    assert f"{game}: {line['fault']}" in said
    assert not shop.store(), "the store it started for this is stopped again"


async def _forge(url: str) -> str:
    """Put another card into somebody's hand, in one stored event."""
    client = Redis.from_url(url, protocol=2)
    async for key in client.scan_iter(match="*:game:*:events", _type="stream"):
        entries = await client.xrange(key)
        for number, (name, fields) in enumerate(entries):
            if b'"dealt"' not in fields[b"body"]:
                continue
            card = json.loads(fields[b"body"])["event"]["cards"][0]
            other = "ginger" if card != "ginger" else "pork"
            await client.delete(key)
            for again, (each, kept) in enumerate(entries):
                body = kept[b"body"]
                if again == number:
                    body = body.replace(card.encode(), other.encode(), 1)
                await client.xadd(key, {**kept, b"body": body}, id=each)
            assert name
            await client.aclose()
            return key.decode().split(":")[2]
    raise AssertionError("no cards were dealt")


def test_validate_without_a_folder(tmp_path: Path):
    code, said = potluck("validate", "--data-dir", str(tmp_path / "none"))
    assert code == 1
    assert "there is no data folder" in said
    assert not (tmp_path / "none").exists()


def test_validate_without_a_server():
    code, said = potluck("validate", "--redis-url", "redis://127.0.0.1:1/0")
    assert code == 1
    assert said.startswith("Error: ")
