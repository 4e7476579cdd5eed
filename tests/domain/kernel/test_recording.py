"""Recordings: any change is found, what is forged with care too, and garbage gets a verdict."""

import json
import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.kernel import recording, replay
from domain.kernel.canonical import chain_start
from domain.kernel.decision import Order
from domain.kernel.event import (
    Created,
    Ended,
    Joined,
    Record,
    Sealed,
    SeatLeft,
    Started,
    chained,
)
from domain.kernel.fold import fold
from domain.kernel.viewer import SEALED, SPECTATOR, SeenRecord, Sight, seen
from domain.stir_fry_eighteen.events import Claimed, Drawn, Passed, Reduced, Shuffled, TurnEnded
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from tests.domain.kernel import formats
from tests.domain.kernel.table import Table
from tests.domain.kernel.toy import TOY, Answer, Ask, Finish, Toss
from tests.domain.kit import CheckedGame
from tests.domain.stir_fry_eighteen.room import ROOM

RULESETS = {"stir-fry-eighteen": STIR_FRY_EIGHTEEN, "toy": TOY}


def verify(lines: Sequence[bytes]) -> recording.Verdict:
    return recording.verify(lines, RULESETS)


@lru_cache
def played() -> CheckedGame:
    """A short sealed game with a leaving, lapses and a random reduction."""
    for entropy in range(200):
        game, random = CheckedGame(ROOM), Random(entropy)
        game.open(random, 3, Options(max_turns=9))
        while game.step(random, leaving=0.03, lapsing=0.2):
            pass
        types = {type(record.event) for record in game.records}
        lapsed = any(
            record.count and record.actor == "service" and isinstance(record.event, Reduced)
            for record in game.records
        )
        joined = sum(isinstance(record.event, Joined) for record in game.records)
        if types >= {SeatLeft, Claimed, Drawn} and lapsed and joined > 1:
            return game
    raise AssertionError("no such game")


def lines_of(records: Sequence[Record], sight: Sight = SEALED) -> list[bytes]:
    created = records[0].event
    assert isinstance(created, Created)
    state = fold(STIR_FRY_EIGHTEEN, records)
    shown = [seen(record, sight, bytes.fromhex(created.seed)) for record in records]
    return [line.encode() for line in recording.write(state, shown)]


@lru_cache
def sealed_lines() -> tuple[bytes, ...]:
    return tuple(lines_of(played().records))


@lru_cache
def unsealed_lines() -> tuple[bytes, ...]:
    records = played().records
    end = next(record.version for record in reversed(records) if record.count) - 1
    return tuple(lines_of(records[:end], Sight(seats=(0,))))


BOTH = [pytest.param(sealed_lines, id="sealed"), pytest.param(unsealed_lines, id="unsealed")]
Lines = Callable[[], tuple[bytes, ...]]


def assert_fault(lines: Sequence[bytes], *versions: int) -> recording.Verdict:
    """A fault is found, and the first version at fault is named."""
    verdict = verify(lines)
    assert verdict.exit_code == 1, verdict
    assert verdict.version in versions, f"{verdict}, not one of {versions}"
    assert str(verdict).startswith(f"fault at version {verdict.version}: ")
    return verdict


# Sound recordings


def test_a_sealed_recording_is_sound():
    verdict = verify(sealed_lines())
    assert (verdict.exit_code, verdict.sealed, verdict.game) == (0, True, "g0001")
    assert verdict.events == len(played().records) == len(sealed_lines()) - 2
    assert str(verdict).startswith("sealed and sound: game g0001")


@pytest.mark.parametrize("sight", [SPECTATOR, Sight(seats=(1,)), Sight(judge=True)])
def test_an_unsealed_recording_is_sound_as_far_as_can_be_told(sight):
    """At the end of every command, for every kind of viewer."""
    records = played().records
    for end in [record.version - 1 for record in records[1::7] if record.count]:
        verdict = verify(lines_of(records[:end], sight))
        assert (verdict.exit_code, verdict.sealed) == (3, False), verdict
        assert str(verdict).startswith("sound, not sealed: ")


def test_a_game_that_has_not_started_can_be_recorded():
    assert verify(lines_of(played().records[:1])).exit_code == 3


def test_the_lines_as_they_are_written():
    header, *events, footer = sealed_lines()
    assert json.loads(header) == {
        "potluck": "recording",
        "format": 1,
        "game": "g0001",
        "ruleset": "stir-fry-eighteen",
        "ruleset_version": 1,
        "sealed": True,
    }
    assert list(json.loads(events[0])) == [
        "version", "parent", "time", "actor", "schema", "count", "event", "chain",
    ]  # fmt: skip
    state = fold(STIR_FRY_EIGHTEEN, played().records)
    game = msgspec.to_builtins(state.game)
    assert json.loads(footer) == {
        "events": len(events),
        "chain": state.chain.hex(),
        "state": formats.sha256(formats.canonical(game)).hex(),
    }
    assert json.loads(unsealed_lines()[-1])["state"] is None


def test_the_last_line_need_not_end_in_a_line_feed():
    assert verify([*sealed_lines(), b""]).exit_code == 0
    assert_fault([*sealed_lines(), b"", b""], *range(len(sealed_lines()) + 2))


# Changed by accident


@pytest.mark.parametrize("lines", BOTH)
def test_a_dropped_line_is_found(lines: Lines):
    whole = lines()
    events = len(whole) - 2
    for index in range(len(whole)):
        rest = [*whole[:index], *whole[index + 1 :]]
        if index == 0:
            assert_fault(rest, 0)
        elif index <= events:
            assert_fault(rest, index)
        else:
            assert_fault(rest, events)  # what was the last event stands where the footer should


@pytest.mark.parametrize("lines", BOTH)
def test_a_recording_cut_short_is_found(lines: Lines):
    whole = lines()
    for end in range(len(whole)):
        assert verify(whole[:end]).exit_code == 1


@pytest.mark.parametrize("lines", BOTH)
def test_two_swapped_events_are_found(lines: Lines):
    whole = lines()
    for index in range(1, len(whole) - 2):
        swapped = [*whole[:index], whole[index + 1], whole[index], *whole[index + 2 :]]
        assert_fault(swapped, index)


@pytest.mark.parametrize("lines", BOTH)
def test_an_inserted_event_is_found(lines: Lines):
    whole = lines()
    for index in range(1, len(whole) - 1):
        assert_fault([*whole[: index + 1], whole[index], *whole[index + 1 :]], index + 1)


def flips(line: bytes, random: Random, number: int) -> set[bytes]:
    """Change single characters of a line: the neighbouring one, or any other."""
    found = set()
    places = range(len(line)) if number >= len(line) else random.sample(range(len(line)), number)
    for at in places:
        for other in (line[at] ^ 1, ord(random.choice(string.printable)), ord(" ")):
            flipped = line[:at] + bytes([other]) + line[at + 1 :]
            if flipped != line and b"\n" not in flipped:
                found.add(flipped)
    return found


@pytest.mark.parametrize("lines", BOTH)
def test_any_flipped_character_is_found(lines: Lines):
    """Every character of the header, the footer and the first events; samples of the others.

    White space counts: a line is written in one way only.
    """
    whole = lines()
    events = len(whole) - 2
    random = Random("flip")
    for index, line in enumerate(whole):
        if index == 0:
            versions = (0, 1, events)
        elif index <= events:
            versions = (index,)
        else:
            versions = (events, events + 1)
        every = index in (0, 1, 2, events, events + 1)
        for flipped in flips(line, random, len(line) if every else 8):
            assert_fault([*whole[:index], flipped, *whole[index + 1 :]], *versions)


@pytest.mark.parametrize("lines", BOTH)
def test_a_joined_or_a_broken_line_is_found(lines: Lines):
    """The line feeds are characters, too."""
    text = b"\n".join(lines()) + b"\n"
    feeds = [index for index, byte in enumerate(text) if byte == 10]
    for index in (*feeds[:5], *feeds[-5:]):
        for other in (b" ", b"\r", b"x"):
            flipped = text[:index] + other + text[index + 1 :]
            assert verify(flipped.split(b"\n")).exit_code == 1


# Changed with care: by someone who chains everything anew.


def rechained(shown: Sequence[SeenRecord], game: str = "g0001") -> list[SeenRecord]:
    """Chain events anew, as whoever has the recording could."""
    chain, again = formats.start(game), []
    for record in shown:
        public = msgspec.to_builtins(record)
        del public["chain"]
        for name, part in public["event"].items():
            if isinstance(part, dict) and set(part) == {"digest", "salt", "value"}:
                public["event"][name] = {"digest": part["digest"]}
        chain = formats.follow(chain, public)
        again.append(replace(record, chain=chain.hex()))
    return again


def written(shown: Sequence[SeenRecord], sealed: bool = True, **footer: Any) -> list[bytes]:
    """Write seen events as a recording with a footer that fits."""
    ends = json.loads(sealed_lines()[-1])
    header = {**json.loads(sealed_lines()[0]), "sealed": sealed}
    told = {
        "events": len(shown),
        "chain": shown[-1].chain,
        "state": ends["state"] if sealed else None,
        **footer,
    }
    return [msgspec.json.encode(line) for line in (header, *shown, told)]


def forged(change: Callable[[list[Record]], Any]) -> list[bytes]:
    """Change the records of the sealed game; number, salt and chain them as its seed has it."""
    records = list(played().records)
    change(records)
    created = records[0].event
    assert isinstance(created, Created)
    seed, chain, again = bytes.fromhex(created.seed), chain_start(created.game), []
    for version, record in enumerate(records, start=1):
        renewed = chained(
            chain,
            record.event,
            version=version,
            parent=version - 1,
            time=record.time,
            actor=record.actor,
            count=record.count,
            seed=seed,
        )
        again.append(renewed)
        chain = renewed.chain
    return written([seen(record, SEALED, seed) for record in again])


def first(kind: type, **fields: Any) -> int:
    """Give the index of the first event of a type with these fields."""
    return next(
        index
        for index, record in enumerate(played().records)
        if isinstance(record.event, kind)
        and all(getattr(record.event, name) == value for name, value in fields.items())
    )


def swap_event(index: int, **fields: Any) -> Callable[[list[Record]], None]:
    def change(records: list[Record]) -> None:
        records[index] = replace(records[index], event=replace(records[index].event, **fields))

    return change


def swap_record(index: int, **fields: Any) -> Callable[[list[Record]], None]:
    def change(records: list[Record]) -> None:
        records[index] = replace(records[index], **fields)

    return change


def test_forging_nothing_is_sound():
    """The forger's own tools are sound, so what is found below is what was forged."""
    assert forged(lambda records: None) == list(sealed_lines())


def test_another_shuffle_is_found():
    """The operator deals other cards than the seed has it, and chains and salts them well."""
    index = first(Shuffled)
    order = played().records[index].event.order
    verdict = assert_fault(forged(swap_event(index, order=(*order[1:], order[0]))), index + 1)
    assert "not what the rules make" in verdict.fault


def test_another_random_reduction_is_found():
    index = next(
        index
        for index, record in enumerate(played().records)
        if isinstance(record.event, Reduced) and record.event.chance is not None
    )
    cards = ("tofu",) * played().records[index].event.count
    assert_fault(forged(swap_event(index, cards=cards)), index + 1)


def test_another_actor_is_found():
    """A move that another seat, another player, a judge or the service made."""
    for kind in (Claimed, TurnEnded, Passed, Started, Created):
        index = first(kind)
        if kind is TurnEnded:  # one that the seat made by itself
            index = next(
                at
                for at, record in enumerate(played().records)
                if isinstance(record.event, TurnEnded) and record.actor.startswith("seat:")
            )
        end = index + max(1, played().records[index].count)
        for actor in ("seat:7", "player:mallory", "judge:j1", "nobody", ""):
            changes = [swap_record(at, actor=actor) for at in range(index, end)]
            lines = forged(lambda records, made=changes: [change(records) for change in made])
            assert_fault(lines, index + 1)


def test_an_illegal_move_is_found():
    index = first(Claimed)
    laid = ("tofu",) * played().records[index].event.count
    verdict = assert_fault(forged(swap_event(index, laid=laid)), index + 1)
    assert "SF-0" in verdict.fault


def test_another_outcome_is_found():
    index = first(Ended)
    outcome = played().records[index].event.outcome
    for change in (
        {"winners": (2,) if outcome.winners != (2,) else (1,)},
        {"scores": (50, 50, 50)},
        {"reason": "SF-14"},
    ):
        assert_fault(forged(swap_event(index, outcome=replace(outcome, **change))), index + 1)


def test_a_seed_that_was_not_committed_to_is_found():
    assert_fault(forged(swap_event(first(Sealed), seed="00" * 32)), 1)


def test_another_seed_under_the_right_salt_is_found():
    """The commitment is opened with another seed than the one that made the game."""
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    part = shown[0].event["seed"]
    part["value"] = "00" * 32
    part["digest"] = formats.digest(bytes.fromhex(part["salt"]), part["value"])
    verdict = assert_fault(written(rechained(shown)), 1)
    assert "committed" in verdict.fault


def test_another_count_is_found():
    for index in (first(Claimed), first(Started)):
        count = played().records[index].count
        for wrong in (0, count + 1, count + 500, -1):
            lines = forged(swap_record(index, count=wrong))
            assert verify(lines).exit_code == 1
            assert verify(lines).version in range(index + 1, index + count + 2)


def test_a_time_that_goes_back_is_found():
    index = first(Claimed)
    assert_fault(forged(swap_record(index, time=3)), index + 1)


def test_a_time_that_goes_back_is_found_before_the_seal_too():
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in unsealed_lines()[1:-1]]
    index = first(Claimed)
    shown[index] = replace(shown[index], time=shown[index - 1].time - 1)
    verdict = assert_fault(written(rechained(shown), sealed=False), index + 1)
    assert "before" in verdict.fault


def test_other_times_within_one_command_are_found():
    index = first(Started) + 2
    time = played().records[index].time + 1
    assert verify(forged(swap_record(index, time=time))).exit_code == 1


def test_a_command_left_out_is_found():
    index = first(Passed)

    def change(records: list[Record]) -> None:
        del records[index : index + records[index].count]

    assert verify(forged(change)).exit_code == 1


def test_a_leaving_without_its_defaults_is_found():
    """Leaving is a command with all that follows from it, like any other."""
    index = next(
        index
        for index, record in enumerate(played().records)
        if isinstance(record.event, SeatLeft) and record.count > 1
    )
    count = played().records[index].count

    def change(records: list[Record]) -> None:
        del records[index + count - 1]
        records[index] = replace(records[index], count=count - 1)

    assert_fault(forged(change), index + 1)


def test_an_event_more_than_the_rules_bring_is_found():
    index = first(Claimed)
    count = played().records[index].count

    def change(records: list[Record]) -> None:
        records.insert(index + count, replace(records[index + count - 1], count=0))
        records[index] = replace(records[index], count=count + 1)

    assert_fault(forged(change), index + 1)


def test_something_after_the_seal_is_found():
    def change(records: list[Record]) -> None:
        records.append(replace(records[-1], event=TurnEnded(seat=0), count=1))

    lines = forged(change)
    assert verify(lines).exit_code == 1
    again = forged(lambda records: records.append(replace(records[-1], count=1)))
    assert_fault(again, len(played().records) + 1)


def test_another_final_state_is_found():
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    assert verify(written(shown)).exit_code == 0
    for state in ("00" * 32, "", None):
        assert_fault(written(shown, state=state), len(shown))


def test_a_salt_that_is_not_the_seeds_is_found():
    """Whoever chose a salt freely could have tried many until a digest pleased."""
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    index = first(Shuffled)
    part = shown[index].event["order"]
    salt = "11" * 16
    value = part["value"]
    digest = formats.digest(bytes.fromhex(salt), value)
    part.update(salt=salt, digest=digest)
    verdict = assert_fault(written(rechained(shown)), index + 1)
    assert "salt" in verdict.fault


def test_a_part_kept_back_after_the_seal_is_found():
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    index = first(Claimed)
    shown[index].event["laid"] = {"digest": shown[index].event["laid"]["digest"]}
    verdict = assert_fault(written(shown), index + 1)
    assert "not shown" in verdict.fault


def test_a_part_laid_open_without_a_digest_is_found():
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    index = first(Claimed)
    shown[index].event["laid"] = shown[index].event["laid"]["value"]
    assert_fault(written(rechained(shown)), index + 1)


@pytest.mark.parametrize("member", ["game", "ruleset", "ruleset_version"])
def test_a_header_that_tells_of_another_game_is_found(member):
    header, *rest = sealed_lines()
    told = json.loads(header)
    told[member] = 2 if member == "ruleset_version" else "toy"
    assert_fault([msgspec.json.encode(told), *rest], 1)


def test_a_header_that_is_wrong_about_the_seal_is_found():
    """Else a sealed game could be passed off as one that cannot be checked yet."""
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in sealed_lines()[1:-1]]
    assert_fault(written(shown, sealed=False), len(shown))
    short = [msgspec.json.decode(line, type=SeenRecord) for line in unsealed_lines()[1:-1]]
    assert_fault(written(short, sealed=True), len(short))


def test_rules_that_are_not_known_here_are_no_proof():
    assert_fault_without = recording.verify(sealed_lines(), {})
    assert (assert_fault_without.exit_code, assert_fault_without.version) == (1, 1)
    assert recording.verify(unsealed_lines(), {}).exit_code == 3


# What an unsealed recording does not prove


def test_an_unsealed_recording_does_not_prove_that_it_was_not_rewritten_as_a_whole():
    """Whoever rewrites everything, chain and footer too, is found only by the seal.

    Or by anyone who has noted an earlier value of the chain: it is another one from there on.
    """
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in unsealed_lines()[1:-1]]
    index = first(Claimed)
    event = {**shown[index].event, "declared": "shrimp"}
    changed = [*shown[:index], replace(shown[index], event=event), *shown[index + 1 :]]
    assert_fault(written(changed, sealed=False), index + 1)
    rewritten = rechained(changed)
    assert verify(written(rewritten, sealed=False)).exit_code == 3
    assert rewritten[-1].chain != shown[-1].chain


def test_a_part_shown_wrong_is_found_even_when_all_is_chained_anew():
    """The digest is in the chain; another card would need another digest."""
    records = played().records
    index = first(Claimed, seat=played().records[first(Claimed)].event.seat)
    seat = records[index].event.seat
    end = next(r.version for r in records[index + 1 :] if r.count) - 1
    lines = lines_of(records[:end], Sight(seats=(seat,)))
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in lines[1:-1]]
    part = shown[index].event["laid"]
    part["value"] = ["noodles"] * (len(part["value"]) + 1)
    verdict = assert_fault(written(rechained(shown), sealed=False), index + 1)
    assert "does not match its digest" in verdict.fault


# Rewinds


def toy_lines(table: Table) -> list[bytes]:
    seed = bytes.fromhex(table.state.table.seed)
    sight = SEALED if table.state.table.sealed else SPECTATOR
    shown = [seen(record, sight, seed) for record in table.records]
    return [line.encode() for line in recording.write(table.state, shown)]


def test_a_rewound_game_can_be_recorded():
    table = Table(TOY).start()
    table.act(0, Toss())
    table.rewind(table.states[-2].version)
    table.act(0, Toss())
    lines = toy_lines(table)
    assert verify(lines).exit_code == 3
    at = next(index for index, line in enumerate(lines) if b"rewound" in line)
    shown = json.loads(lines[at])
    for parent, to in ((1, shown["parent"]), (shown["parent"], 1), (at, at), (0, 0), (-1, -1)):
        forged_line = {**shown, "parent": parent, "event": {"type": "rewound", "to": to}}
        assert_fault([*lines[:at], msgspec.json.encode(forged_line), *lines[at + 1 :]], at)


def test_another_parent_is_found_even_when_all_is_chained_anew():
    """Which line an event goes on from decides what the game was; only a rewind may choose."""
    table = Table(TOY).start()
    table.act(0, Toss())
    table.rewind(table.states[-2].version)
    table.act(0, Toss())
    seed = bytes.fromhex(table.state.table.seed)
    shown = [seen(record, SPECTATOR, seed) for record in table.records]
    header, *_ = toy_lines(table)
    for index, record in enumerate(shown):
        for parent in {0, 1, record.version - 1, record.version, -1} - {record.parent}:
            changed = rechained(
                [*shown[:index], replace(record, parent=parent), *shown[index + 1 :]]
            )
            footer = {"events": len(shown), "chain": changed[-1].chain, "state": None}
            lines = [msgspec.json.encode(line) for line in (json.loads(header), *changed, footer)]
            assert_fault(lines, index + 1)


def test_a_recording_that_ends_within_a_command_is_found():
    """Even with a footer that fits: the command's count tells that events are missing."""
    start = first(Started)
    shown = [msgspec.json.decode(line, type=SeenRecord) for line in unsealed_lines()[1:-1]]
    for end in range(start + 1, start + played().records[start].count):
        assert_fault(written(shown[:end], sealed=False), end + 1)


def test_commands_are_read_off_their_first_events():
    """A game of the toy: every kind of command that there is, decided again."""
    table = Table(TOY).create().join("ann", nonce="aa")
    table.start()
    table.act(0, Toss())
    table.act(0, Ask(Order.AT_ONCE, (1, 2)))
    table.act(2, Answer("sesame"))
    table.act(1, Answer("open"))
    assert replay.fault_of(TOY, table.records) is None
    table.act(0, Finish())
    assert verify(toy_lines(table)).exit_code == 1, "the toy's Finish cannot be read off Ended"


# Stored games


def test_a_stored_game_is_sound_at_every_command():
    records = played().records
    for end in [record.version - 1 for record in records[1::9] if record.count] + [len(records)]:
        assert replay.fault_of(STIR_FRY_EIGHTEEN, records[:end]) is None


def test_a_stored_game_at_fault():
    records = played().records
    assert replay.fault_of(STIR_FRY_EIGHTEEN, []) is not None
    assert replay.fault_of(STIR_FRY_EIGHTEEN, records[1:]) is not None
    for index in range(1, len(records), 11):
        changed = list(records)
        changed[index] = replace(records[index], time=records[index].time + 1)
        found = replay.fault_of(STIR_FRY_EIGHTEEN, changed)
        assert found == f"version {index + 1}: the chain breaks"
    cut = records[: first(Started) + 3]
    found = replay.fault_of(STIR_FRY_EIGHTEEN, cut)
    assert found is not None
    assert f"version {first(Started) + 4}" in found


# Garbage


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [b""],
        [b"", b""],
        [b"null"],
        [b"[]"] * 3,
        [b"{}"] * 3,
        [b"\xff\xfe"],
        [b"[" * 100_000],
        [b'{"a":' * 50_000],
        [b"9" * 10_000],
        [b"1e999"],
        [b'"\\ud800"'],
        [b"NaN"],
        [b"\x00"] * 4,
    ],
)
def test_garbage_gets_a_verdict(lines):
    assert verify(lines).exit_code == 1
    header = sealed_lines()[0]
    assert verify([header, *lines]).exit_code == 1
    assert verify([*sealed_lines()[:3], *lines, *sealed_lines()[4:]]).exit_code == 1


@settings(deadline=None, derandomize=True)
@given(st.lists(st.binary(max_size=60), max_size=6))
def test_any_bytes_get_a_verdict(lines):
    assert verify(lines).exit_code == 1
    assert verify([sealed_lines()[0], *lines]).exit_code == 1


ODD = (
    None, True, 0, -1, 3, 10**9, 10**30, 1.5, "", "x", "ff", [], [[]], {}, {"digest": "x"},
    {"digest": "x", "salt": "y", "value": 1}, {"digest": 1, "salt": None, "value": []},
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths of everything in a JSON value."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(each, (*path, name))
    return found


# Chained anew anyway; and what was free to be so: the first time, a bundled player's name.
FREE = (("chain",), ("time",), ("event", "bundled"), ("event", "public"))


def test_odd_values_in_well_chained_recordings_get_a_verdict():
    """What a forger's own program could write: all chained, so that every later check is met."""
    random = Random("odd")
    whole = [json.loads(line) for line in sealed_lines()[1:-1]]
    kinds: dict[str, int] = {}
    for index, record in enumerate(whole):
        kinds.setdefault(record["event"]["type"], index)
    for index in kinds.values():
        for path in places(whole[index]):
            if path in FREE:
                continue
            for odd in random.sample(ODD, 5):
                changed = json.loads(json.dumps(whole[index]))
                holder = changed
                for step in path[:-1]:
                    holder = holder[step]
                if holder[path[-1]] == odd:
                    continue
                holder[path[-1]] = odd
                lines = list(sealed_lines())
                try:
                    shown = [msgspec.convert(each, SeenRecord) for each in whole]
                    shown[index] = msgspec.convert(changed, SeenRecord)
                    lines = written(rechained(shown))
                except (msgspec.ValidationError, OverflowError, TypeError):
                    lines[index + 1] = json.dumps(changed, separators=(",", ":")).encode()
                assert verify(lines).exit_code == 1, (path, odd)
