import contextlib
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.pages.recorder import Recorder
from tests.pages.viewing import sealed as sealed
from tests.pages.viewing import story as story
from tests.pages.visitor import Visitor
from tests.service.serving import Serving

expect.set_options(timeout=15_000)

QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """The browser that the machine has: nothing is downloaded."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "the suite needs Chromium"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    with browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service of one worker, with what its first start plays."""
    with Serving(tmp_path_factory.mktemp("pages")) as serving:
        yield serving


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(chromium: Browser, service: Serving) -> Iterator[Visit]:
    """Makes visitors; each of them must have met no fault when the test ends."""
    with contextlib.ExitStack() as stack:

        def make(**options: Any) -> Visitor:
            recorder = stack.enter_context(Recorder(service.port))
            visitor = Visitor(chromium, recorder, **options)
            stack.callback(visitor.close)
            return visitor

        yield make
