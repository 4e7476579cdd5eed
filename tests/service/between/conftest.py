import random
from collections.abc import Iterator

import pytest

from tests.service.between.meddler import Meddler
from tests.service.serving import Serving
from tests.service.store.servers import Server, chosen_binary, start_binary


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The store behind the proxy."""
    server = start_binary(chosen_binary(), tmp_path_factory.mktemp("store"), appendfsync="always")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def between(store: Server) -> Iterator[Meddler]:
    with Meddler(store.socket) as meddler:
        yield meddler


@pytest.fixture(scope="module")
def running(between: Meddler, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service of two workers that reaches its store through the proxy."""
    folder = tmp_path_factory.mktemp("service")
    with Serving(folder, "--workers", "2", redis_url=between.url) as service:
        service.wait_until_ready()
        yield service


@pytest.fixture
def serving(running: Serving, between: Meddler) -> Iterator[Serving]:
    """The same, with nothing in its way before and after."""
    yield running
    between.fates = lambda _: None
    between.refusing = False
    running.wait_until_ready()
