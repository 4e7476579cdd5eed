"""The golden recordings verify, and their games end in the same state, for ever."""

import hashlib
import json
from pathlib import Path

import pytest

from domain.catalogue import CATALOGUE
from domain.kernel import recording

FOLDER = Path(__file__).resolve().parents[1] / "recordings"
INDEX = json.loads((FOLDER / "index.json").read_text())


def test_every_recording_is_in_the_index():
    assert {path.stem for path in FOLDER.glob("*.ndjson")} == set(INDEX)


@pytest.mark.parametrize("name", INDEX)
def test_a_golden_recording(name):
    """If this fails, games that were played before can no longer be replayed.

    Never make the recording anew: give the ruleset or the event another version instead.
    """
    told = INDEX[name]
    data = (FOLDER / f"{name}.ndjson").read_bytes()
    assert hashlib.sha256(data).hexdigest() == told["sha256"], "the file was changed"
    lines = data.split(b"\n")
    verdict = recording.verify(lines, CATALOGUE)
    assert (verdict.exit_code, verdict.events) == (told["exit_code"], told["events"]), verdict
    if told["exit_code"] == 0:
        assert json.loads(lines[-2])["state"] == told["state"]
        ended = json.loads(lines[-4])["event"]["outcome"]
        assert {"reason": ended["reason"], "scores": ended["scores"]} == told["outcome"]
