"""The front page: from an address to a game in two clicks."""

import pytest
from playwright.sync_api import expect

from tests.pages.visitor import PHONE


@pytest.mark.parametrize("ruleset", ["stir-fry-eighteen", "just-desserts", "memesio"])
def test_two_clicks_lead_to_a_table_on_which_cards_lie(visit, ruleset):
    guest = visit()
    guest.go("/")
    guest.page.locator(f"button[data-ruleset={ruleset}]").click()
    guest.page.locator("#start-game").click()
    guest.page.wait_for_url("**/play/*")
    guest.sees(f".table.{ruleset}")
    guest.sees(".dock .hand button.card")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
def test_nothing_keeps_anyone_out_of_the_front_page(visit, scheme, viewport):
    size = {"viewport": viewport} if viewport else {}
    guest = visit(color_scheme=scheme, **size)
    guest.go("/")
    guest.sees("#start-game")
    expect(guest.page.locator("button[data-ruleset]")).to_have_count(3)
    assert guest.barriers() == []
    wide = guest.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than its window"


def test_a_visitor_whose_network_is_cut_is_one_whose_page_says_so(visit):
    """The recorder cuts: what the other tests rely on."""
    guest = visit()
    guest.go("/")
    guest.sees("#start-game")
    guest.recorder.cut()
    guest.page.locator("#start-game").click()
    guest.sees("[role=alert]")
    guest.recorder.mend()
    guest.page.locator("#start-game").click()
    guest.page.wait_for_url("**/play/*")
    assert b"text/event-stream" in guest.sent
