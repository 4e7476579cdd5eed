"""What was changed in a recording is found by both verifiers, each for its part."""

import json
from random import Random

import pytest

from tests.domain.kernel import formats
from tests.integrity.tampering import KINDS, tampered, try_all
from tests.integrity.verifiers import by_javascript, by_python, fresh, golden


def test_every_kind_of_change_is_found_and_its_version_named():
    """A thousand of them: ``python -m tests.integrity --rounds 1000``."""
    sources = {**golden(), **fresh()}
    rows = try_all(tampered(sources, 6 * len(KINDS), Random("slice")))
    assert [what for row in rows.values() for what in row.missed] == []
    assert set(rows) == set(KINDS)


def test_another_digest_of_the_final_state_takes_the_rules_to_find():
    data = golden()["sfe-2-basic"]
    changed = data[:-5] + (b"0" if data[-5:-4] != b"0" else b"1") + data[-4:]
    assert by_python(changed).exit == 1
    assert next(by_javascript([changed])).exit == 0


# Forged with care: the whole chain is computed anew after the change.


def sealed():
    return [json.loads(line) for line in golden()["sfe-5-leaving-and-lapsing"].splitlines()]


def forged(lines):
    """Write lines again, each part under its digest and all on a sound chain."""
    header, *records, footer = lines
    chain = formats.start(header["game"])
    for record in records:
        open_form = {**record, "event": dict(record["event"])}
        del open_form["chain"]
        for name, part in record["event"].items():
            if isinstance(part, dict) and set(part) == {"digest", "salt", "value"}:
                part["digest"] = formats.digest(bytes.fromhex(part["salt"]), part["value"])
                open_form["event"][name] = {"digest": part["digest"]}
        chain = formats.follow(chain, open_form)
        record["chain"] = chain.hex()
    footer["chain"] = chain.hex()
    written = (json.dumps(each, separators=(",", ":"), ensure_ascii=False) for each in lines)
    return "".join(f"{line}\n" for line in written).encode()


def first(lines, kind):
    return next(at for at, line in enumerate(lines[1:], 1) if line["event"]["type"] == kind)


def verdicts(lines):
    data = forged(lines)
    return by_python(data), next(by_javascript([data]))


def test_what_is_written_again_unchanged_is_sound():
    python, javascript = verdicts(sealed())
    assert (python.exit, javascript.exit) == (0, 0)


def test_a_deck_that_was_chosen_is_found():
    lines = sealed()
    at = first(lines, "shuffled")
    order = lines[at]["event"]["order"]["value"]
    order[0], order[1:] = order[-1], [order[0], *order[1:-1]]
    for told in verdicts(lines):
        assert (told.exit, told.version) == (1, at), told
    assert "is not what draw" in told.words


def test_another_seed_is_found():
    lines = sealed()
    lines[-2]["event"]["seed"] = "ab" * 32
    for told in verdicts(lines):
        assert (told.exit, told.version) == (1, 1), told


def test_a_seed_that_was_chosen_afterwards_needs_other_salts_from_the_first_event_on():
    lines = sealed()
    lines[1]["event"]["seed"]["value"] = lines[-2]["event"]["seed"] = "ab" * 32
    for told in verdicts(lines):
        assert (told.exit, told.version) == (1, 1), told


def test_a_salt_that_was_chosen_is_found():
    lines = sealed()
    at = first(lines, "claimed")
    lines[at]["event"]["laid"]["salt"] = "11" * 16
    for told in verdicts(lines):
        assert (told.exit, told.version) == (1, at), told


def test_a_nonce_that_was_not_mixed_in_is_found():
    lines = sealed()
    lines[first(lines, "joined")]["event"]["nonce"] = "00ff"
    for told in verdicts(lines):
        assert (told.exit, told.version) == (1, first(lines, "shuffled")), told


def test_a_draw_that_was_left_out_or_used_twice_is_found():
    for change in (-1, 1):
        lines = sealed()
        at = [n for n, line in enumerate(lines[1:-1], 1) if line["event"].get("chance") is not None]
        lines[at[5]]["event"]["chance"] += change
        for told in verdicts(lines):
            assert (told.exit, told.version) == (1, at[5]), told


def test_a_move_that_was_forged_takes_the_rules_to_find():
    lines = sealed()
    at = first(lines, "claimed")
    declared = lines[at]["event"]["declared"]
    lines[at]["event"]["declared"] = "pork" if declared != "pork" else "chicken"
    python, javascript = verdicts(lines)
    assert (python.exit, javascript.exit) == (1, 0)


# Garbage.

GARBAGE = (
    b"", b"\n", b"\n\n\n", b"null\n", b"[]\n[]\n[]\n", b"{}\n{}\n{}\n", b"\xff\xfe\n",
    b"[" * 100_000,
    b'{"a":' * 50_000, b"9" * 10_000, b"1e999\n", b'"\\ud800"\n', b"NaN\n", b"\x00\n" * 4,
    b'\xef\xbb\xbf{}\n', b'{"__proto__":{"digest":"x"}}\n',
)  # fmt: skip

ODD = (
    None, True, 0, -1, 3, 10**9, 10**30, 1.5, "", "x", "ff", [], [[]], {}, {"digest": "x"},
    {"digest": "x", "salt": "y", "value": 1}, {"digest": 1, "salt": None, "value": []},
)  # fmt: skip


def test_garbage_gets_a_verdict():
    header, *rest = golden()["sfe-2-empty-handed"].splitlines(keepends=True)
    texts = [*GARBAGE]
    texts += [header + each for each in GARBAGE]
    texts += [header + b"".join(rest[:3]) + each + b"".join(rest[4:]) for each in GARBAGE if each]
    for told in by_javascript(texts):
        assert told.exit == 1, told


def test_random_bytes_get_a_verdict():
    random = Random("bytes")
    for told in by_javascript([random.randbytes(random.randrange(200)) for _ in range(60)]):
        assert (told.exit, told.version) == (1, 0)


@pytest.mark.parametrize("kind", ["created", "joined", "started", "shuffled", "claimed", "sealed"])
def test_odd_values_in_well_chained_recordings_get_a_verdict(kind):
    """What a forger's own program could write: the verifier does not break on it."""
    random, texts = Random(kind), []
    at = first(sealed(), kind)
    for name in sealed()[at]["event"]:
        for odd in random.sample(ODD, 4):
            lines = sealed()
            lines[at]["event"][name] = odd
            try:
                texts.append(forged(lines))
            except (TypeError, ValueError):
                continue
    for told in by_javascript(texts):
        verdict = json.loads(told.words)
        assert verdict["exit"] in (0, 1)
        assert "undefined" not in (verdict["fault"] or ""), verdict
        assert "function" not in (verdict["fault"] or ""), verdict
