"""The examples are those that this build plays."""

import asyncio
from pathlib import Path

from service.api.problems import KINDS
from tests.contract import examples
from tests.contract.examples import FILE

# What a healthy service on a healthy store does not answer with.
NOT_MET = {"internal", "log-damaged", "store-unavailable", "too-many-streams"}


def test_playing_again_gives_the_same_examples(tmp_path: Path):
    written = asyncio.run(examples.write(tmp_path))
    assert written == FILE.read_bytes(), "what is played changed: make openapi"


def test_problems_are_real_refusals():
    from service.api.contract import examples as read

    assert read()["problems"].keys() == KINDS.keys() - NOT_MET
