"""The verifier in JavaScript: the formats page's worked example, and all golden recordings."""

import json
import subprocess

import pytest

from tests.domain.kernel.test_formats import example
from tests.integrity.verifiers import GOLDEN, SCRIPT, by_javascript, by_python, fresh, golden

INDEX = json.loads((GOLDEN / "index.json").read_text())

WORKED = """
import { readFileSync } from "node:fs";
const v = await import(process.argv[1]);
const page = JSON.parse(readFileSync(0, "utf8"));
const seed = await v.hmacUnder(v.unhex(page.seed));
const start = await v.chainStart(page.game);
const created = await v.partSalt(seed, 1, "seed");
const hand = await v.partSalt(seed, 9, "cards");
const key = await v.chanceKey(seed, page.game, page.nonces);
const under = await v.hmacUnder(key);
const stream = v.words(under, 0);
const words = [];
for (let n = 0; n < 5; n += 1) {
  words.push((await stream.next()).value.toString(16).padStart(16, "0"));
}
const pick = [];
for (const draw of [1, 2, 3]) pick.push(await v.below(v.words(under, draw), 5));
console.log(JSON.stringify({
  chain_start: v.hex(start), created_seed_salt: created,
  created_seed_digest: await v.partDigest(v.unhex(created), page.seed),
  chain_after: v.hex(await v.chainNext(start, page.envelope)),
  hand_salt: hand, hand_digest: await v.partDigest(v.unhex(hand), page.hand),
  key: v.hex(key), words, shuffled: await v.shuffled(under, 0, page.cards), pick,
  canonical: v.canonical(page.odd),
}));
"""


def node(*arguments, given=b""):
    return subprocess.run(["node", *arguments], input=given, capture_output=True, check=False)


def test_the_worked_example_of_the_formats_page():
    odd = '\b\t\n\f\r\x00\x1f\x7f"\\/é€😀\u2028'
    page = {**example(), "odd": {"z": odd, "Z": [], "_": None}}
    done = node(
        "--input-type=module", "-e", WORKED, SCRIPT.as_uri(), given=json.dumps(page).encode()
    )
    told = json.loads(done.stdout)
    written = '{"Z":[],"_":null,"z":"\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\\"\\\\/é€😀\u2028"}'
    assert told.pop("canonical") == written
    assert told == {name: page[name] for name in told}
    assert len(told) == 10


def test_both_verifiers_agree_on_the_golden_recordings():
    found = golden()
    for (name, data), told in zip(found.items(), by_javascript([*found.values()]), strict=True):
        verdict = json.loads(told.words)
        assert (told.exit, verdict["events"]) == (INDEX[name]["exit_code"], INDEX[name]["events"])
        assert by_python(data).exit == told.exit


def test_both_verifiers_agree_on_every_game():
    found = fresh()
    for (name, data), told in zip(found.items(), by_javascript([*found.values()]), strict=True):
        assert told.exit == by_python(data).exit == (0 if "sealed" in name else 3), (name, told)
        if told.exit == 0:
            chance = data.count(b'"chance":') - data.count(b'"chance":null')
            verdict = json.loads(told.words)
            assert verdict["shuffles"] + sum(verdict["others"].values()) == chance
            assert verdict["shuffles"] > 0


@pytest.mark.parametrize(("name", "status"), [("sfe-2-basic", 0), ("sfe-3-unsealed-seat-1", 3)])
def test_the_command_line(name, status, tmp_path):
    done = node(SCRIPT, GOLDEN / f"{name}.ndjson")
    assert done.returncode == status
    assert done.stdout.startswith(b"sealed and sound" if status == 0 else b"sound, not sealed")
    cut = tmp_path / "cut.ndjson"
    cut.write_bytes((GOLDEN / f"{name}.ndjson").read_bytes()[:5_000])
    done = node(SCRIPT, cut)
    assert done.returncode == 1
    assert done.stdout.startswith(b"fault at version ")
    assert node(SCRIPT).returncode == node(SCRIPT, tmp_path / "none").returncode == 2
