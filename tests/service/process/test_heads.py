"""`potluck heads` and `validate --heads`: logs sound in themselves, and not what they were."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from domain.kernel.canonical import chain_start
from domain.kernel.codec import codec_of, encode
from domain.kernel.event import Record, chained
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from service.cli import main
from tests.service.players import Player, Table
from tests.service.serving import Serving

Entries = list[tuple[bytes, dict[bytes, bytes]]]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("heads")) as service:
        yield service


def potluck(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def records_of(entries: Entries) -> list[Record]:
    read = codec_of(STIR_FRY_EIGHTEEN).decode
    return [
        read(number, fields[b"body"], fields[b"chain"])
        for number, (_, fields) in enumerate(entries, start=1)
    ]


def gone_back(entries: Entries) -> Entries:
    """Leave out the last command."""
    last = next(r.version for r in reversed(records_of(entries)) if r.count)
    return entries[: last - 1]


def rewritten(entries: Entries) -> Entries:
    """Have the last command happen a moment later, with a chain that is sound again."""
    records = records_of(entries)
    last = next(record.version for record in reversed(records) if record.count)
    seed = bytes.fromhex(records[0].event.seed)
    chain, again = chain_start(records[0].event.game), []
    for record, (name, fields) in zip(records, entries, strict=True):
        later = record.version >= last
        new = chained(
            chain,
            record.event,
            version=record.version,
            parent=record.parent,
            time=record.time + later,
            actor=record.actor,
            count=record.count,
            seed=seed,
        )
        chain = new.chain
        body = encode(new) if later else fields[b"body"]
        again.append((name, {**fields, b"body": body, b"chain": chain}))
    return again


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (gone_back, "was noted, and the log ends at version"),
        (rewritten, "the chain is another one than was noted"),
        (lambda entries: [], "it was noted, and is not in the store"),
    ],
)
def test_a_log_that_is_another_one_is_named(
    serving: Serving, tmp_path: Path, change: Callable[[Entries], Entries], told: str
):
    """Without the heads all three pass: what is there is sound in itself."""
    players = [Player(serving.address, name) for name in ("Ada", "Ben")]
    Table(*players, max_turns=4).started().played(random.Random(1))
    game = Table(*players).started().path.rpartition("/")[2]
    where = ("--data-dir", str(serving.data))
    code, noted = potluck("heads", *where)
    assert code == 0
    heads = tmp_path / "heads.jsonl"
    heads.write_text(noted)
    listed = {head["game"]: head for head in map(json.loads, noted.splitlines())}
    assert set(listed[game]) == {"game", "version", "chain"}
    assert potluck("validate", *where, "--heads", str(heads))[0] == 0

    store = Redis(unix_socket_path=str(serving.store_socket()), protocol=2)
    (key,) = store.scan_iter(match=f"*{game}*:events", _type="stream")
    before = store.xrange(key)
    store.delete(key)
    for name, fields in change(before):
        store.xadd(key, fields, id=name)
    assert potluck("validate", *where)[0] == 0
    code, said = potluck("validate", *where, "--heads", str(heads))
    assert code == 1
    (fault,) = [line for line in said.splitlines() if line.startswith(f"{game}: ")]
    assert told in fault
    code, said = potluck("validate", *where, "--heads", str(heads), "--json")
    assert (code, [json.loads(said)["game"]]) == (1, [game])

    store.delete(key)
    for name, fields in before:
        store.xadd(key, fields, id=name)
    later = potluck("heads", *where)[1]
    heads.write_text(noted + later)
    assert potluck("validate", *where, "--heads", str(heads))[0] == 0, "notes of several days"


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", "{}", '{"game":"g","version":0,"chain":"ab"}', '{"game":"g"}']
)
def test_a_file_of_heads_that_is_none(serving: Serving, tmp_path: Path, line: str):
    heads = tmp_path / "heads.jsonl"
    heads.write_text(f"\n{line}\n")
    code, said = potluck("validate", "--data-dir", str(serving.data), "--heads", str(heads))
    assert code == 2
    assert "line 2 is no head" in said
