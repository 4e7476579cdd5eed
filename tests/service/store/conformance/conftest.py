import os
from collections.abc import Iterator

import pytest

from tests.service.store.clusters import Cluster
from tests.service.store.servers import chosen_binary, start_binary

PIECE = 50


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the server or cluster that the runner chose."""
    folder = tmp_path_factory.mktemp("conformance")
    if os.environ.get("POTLUCK_STORE_SERVER") == "cluster":
        with Cluster(folder) as cluster:
            yield cluster.url
        return
    server = start_binary(chosen_binary(), folder)
    yield server.url
    server.stop()


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game need not be long."""
    monkeypatch.setattr("service.store.store._PAGE", PIECE)
