"""Somebody with a browser of their own: what they see, do, and were sent."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.pages.recorder import Recorder

# What Chromium writes to the console of a page whose network is gone, or which an API refused
# something: no fault of the page's.
EXPECTED = ("Failed to load resource: net::", "Failed to load resource: the server responded")

USUAL = 15_000  # ms to wait for what must come
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


class Visitor:
    """A fresh browser profile that reaches the service through a recorder.

    ``page`` is its tab, ``sent`` all the bytes that came back, ``faults`` what went wrong: errors
    in the console, scripts that failed, and requests to anywhere else.
    """

    def __init__(self, browser: Browser, recorder: Recorder, **options: Any) -> None:
        self.recorder = recorder
        self.faults: list[str] = []
        self.context = browser.new_context(
            base_url=recorder.address, **{"viewport": DESKTOP, "locale": "en-GB"} | options
        )
        self.context.set_default_timeout(USUAL)
        self.page = self.tab()

    def tab(self) -> Page:
        """Open one more tab, which is watched like the first."""
        page = self.context.new_page()
        page.on("console", lambda message: self._console(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(f"failed: {error}"))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith(EXPECTED):
            self.faults.append(f"console {kind}: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.recorder.address, "data:", "blob:")):
            self.faults.append(f"loaded from elsewhere: {url}")

    @property
    def sent(self) -> bytes:
        return self.recorder.received

    def go(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def sees(self, selector: str) -> None:
        """Wait until something is to be seen."""
        expect(self.page.locator(selector).first).to_be_visible()

    def barriers(self) -> list[str]:
        """Name what axe-core finds to keep people out, on the page as it is now."""
        found = Axe().run(self.page).response["violations"]
        return [
            f"{each['id']}: {node['html'][:200]} ({node['failureSummary']})"
            for each in found
            for node in each["nodes"]
        ]

    def close(self) -> None:
        self.context.close()
        assert self.faults == []
