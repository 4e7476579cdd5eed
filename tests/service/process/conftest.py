import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service.serving import Serving, alive, kill
from tests.service.store.servers import Server, chosen_binary, free_port, start_binary


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """Makes services, not started yet; none of their processes is left in the end."""
    made: list[Serving] = []
    seen: set[int] = set()

    def make(*arguments: str, **more: Any) -> Serving:
        folder = more.pop("folder", None) or tmp_path / f"service-{len(made)}"
        made.append(Serving(folder, *arguments, **more))
        return made[-1]

    yield make
    for serving in made:
        if serving.process is not None:
            seen |= {serving.process.pid, *serving.family()}
        serving.end()
    for pid in filter(alive, seen):
        kill(pid)


@pytest.fixture
def own_store(tmp_path: Path) -> Iterator[Server]:
    """A store that is started apart from any service, on a port."""
    folder = tmp_path / "own-store"
    folder.mkdir()
    server = start_binary(chosen_binary(), folder, port=free_port())
    yield server
    server.stop()


def unavailable(answer: httpx.Response) -> bool:
    """Whether an answer is the problem that the store is away, as every such answer must be."""
    if answer.status_code != 503:
        return False
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "store-unavailable"
    assert int(answer.headers["retry-after"]) >= 1
    assert answer.headers["cache-control"] == "no-store"
    return True
