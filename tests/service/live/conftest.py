import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.players import Table
from tests.service.serving import Serving

HEARTBEAT = 0.4
SETTINGS = {
    "POTLUCK_STREAM_HEARTBEAT": str(HEARTBEAT),
    "POTLUCK_STREAM_PER_ADDRESS": "2000",
    "POTLUCK_STREAM_PER_PLAYER": "20",
}


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """Makes services that have an end with the test, not started yet."""
    made: list[Serving] = []

    def make(*arguments: str, **more: Any) -> Serving:
        made.append(Serving(tmp_path / f"service-{len(made)}", *arguments, **more))
        return made[-1]

    yield make
    for serving in made:
        serving.end()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service of one worker with short heartbeats, for tests that leave it as it is."""
    serving = Serving(tmp_path_factory.mktemp("live"))
    try:
        yield serving.start(**SETTINGS)
    finally:
        serving.end()


@pytest.fixture(scope="session")
def beside(tmp_path_factory: pytest.TempPathFactory, live: Serving) -> Iterator[Serving]:
    """A second service, so a second worker, on the store of the first."""
    url = f"unix://{live.store_socket()}"
    serving = Serving(tmp_path_factory.mktemp("beside"), redis_url=url)
    try:
        yield serving.start(**SETTINGS)
    finally:
        serving.end()


def steps(table: Table, rng: random.Random, count: int) -> None:
    """Play on, at most so many actions; the game may end before."""
    for _ in range(count):
        if table.asked():
            table.step(rng)
