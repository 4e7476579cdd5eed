from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.embedded import Embedded
from tests.service.serving import Serving


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service for all tests that leave it as it is: one worker on an embedded store."""
    with Serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Two stores, for pairs of games that must look alike."""
    folders: list[Path] = [tmp_path_factory.mktemp(name) for name in ("one", "other")]
    with Embedded(folders[0]) as one, Embedded(folders[1]) as other:
        yield [one.url, other.url]
