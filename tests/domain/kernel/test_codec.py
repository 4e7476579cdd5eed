"""Stored events, and those stored by older builds."""

import msgspec
import pytest

from domain.kernel.canonical import chain_start
from domain.kernel.codec import codec_of, encode
from domain.kernel.event import Record, TextRef, chained, snake_case
from domain.kernel.fold import fold
from tests.domain.kernel.table import Table
from tests.domain.kernel.toy import TOY, Begun, CoinTossed, Toss


def body(**members) -> bytes:
    return msgspec.json.encode({"time": 5, "actor": "seat:0", **members})


def test_every_record_survives_the_store():
    table = Table(TOY).start()
    table.act(0, Toss())
    table.rewind(table.states[-2].version)
    table.act(0, Toss())
    codec = codec_of(TOY)
    for record in table.records:
        assert codec.decode(record.version, encode(record), record.chain) == record


def test_what_is_usual_is_left_out():
    record = Record(7, 6, 5, "seat:0", 1, 0, Begun(), bytes(32))
    assert encode(record) == b'{"time":5,"actor":"seat:0","event":{"type":"begun"}}'
    rewound = msgspec.structs.replace(record, parent=3, count=2)
    assert msgspec.json.decode(encode(rewound)) == {
        "time": 5,
        "actor": "seat:0",
        "event": {"type": "begun"},
        "count": 2,
        "parent": 3,
    }


@pytest.mark.parametrize(
    ("schema", "fields"),
    [
        (1, {"face": 1}),
        (2, {"face": "tails"}),
        (3, {"side": "tails"}),
    ],
)
def test_older_schemas_are_lifted_step_by_step(schema, fields):
    members = {"event": {"type": "coin_tossed", "chance": 4, **fields}}
    if schema > 1:
        members["schema"] = schema
    record = codec_of(TOY).decode(9, body(**members), bytes(32))
    assert record.event == CoinTossed(chance=4, side="tails")
    assert record.schema == schema


def test_an_old_event_that_fits_the_new_form_is_lifted_all_the_same():
    """A schema-1 body with today's fields is no schema-3 event: it is refused, not misread."""
    event = {"type": "coin_tossed", "chance": 4, "side": "tails"}
    with pytest.raises(KeyError):
        codec_of(TOY).decode(9, body(event=event), bytes(32))


@pytest.mark.parametrize("schema", [-1, 0, 4])
def test_a_schema_that_is_not_known_is_not_guessed_at(schema):
    """Faulty before: an event of a newer build was read as if it were of the current schema."""
    event = {"type": "coin_tossed", "chance": 4, "side": "tails"}
    with pytest.raises(msgspec.ValidationError):
        codec_of(TOY).decode(9, body(event=event, schema=schema), bytes(32))
    with pytest.raises(msgspec.ValidationError):
        codec_of(TOY).decode(9, body(event={"type": "begun"}, schema=schema or 2), bytes(32))


def test_a_history_with_old_events_folds_as_a_new_one():
    table = Table(TOY).start()
    table.act(0, Toss())
    codec, records = codec_of(TOY), []
    for record in table.records:
        stored = msgspec.json.decode(encode(record))
        if isinstance(record.event, CoinTossed):
            side = ["heads", "tails"].index(record.event.side)
            stored["event"] = {"type": "coin_tossed", "chance": 0, "face": side}
            del stored["schema"]
        records.append(codec.decode(record.version, msgspec.json.encode(stored), record.chain))
    assert fold(TOY, records).game == table.state.game


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"{}",
        b"not JSON",
        body(event={"type": "no_such_event"}),
        body(event={"type": "begun", "more": 1}),
        body(event={"type": "answered", "seat": "1", "secret": "", "other": ""}),
        body(event=[]),
    ],
)
def test_what_is_no_event_of_the_ruleset_is_not_decoded(stored):
    with pytest.raises((msgspec.DecodeError, msgspec.ValidationError, AttributeError)):
        codec_of(TOY).decode(9, stored, bytes(32))


def test_names_of_events():
    assert [snake_case(name) for name in ("Begun", "CoinTossed", "AThing")] == [
        "begun",
        "coin_tossed",
        "a_thing",
    ]


def test_free_text_stays_beside_the_log():
    """An event holds an id and a digest only; erasing the words changes no byte of it."""
    assert set(TextRef.__struct_fields__) == {"id", "digest"}


def test_the_chain_of_a_stored_history():
    table = Table(TOY).start()
    chain = chain_start("g0001")
    for record in table.records:
        chain = chained(
            chain,
            record.event,
            version=record.version,
            parent=record.parent,
            time=record.time,
            actor=record.actor,
            count=record.count,
            seed=bytes.fromhex(table.state.table.seed),
        ).chain
        assert chain == record.chain
