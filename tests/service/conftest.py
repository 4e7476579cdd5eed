from collections.abc import Iterator

import pytest

from tests.service.serving import Serving


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service for all tests that leave it as it is: one worker on an embedded store."""
    with Serving(tmp_path_factory.mktemp("service")) as running:
        yield running
