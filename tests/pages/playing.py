"""Playing by clicks: a visitor who presses what the page offers, and no more."""

import json
import random

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, expect

from tests.pages.visitor import USUAL, Visitor
from tests.service.players import Player

PATIENCE = 4_000  # ms for a button that may be gone for good
READY = "main.play"
# What is pressed only where there is nothing else: giving up, and what others would have to undo.
LAST = ("end_turn", "end", "kitchen", "dump", "let_go", "pass", "stock")
# Another version is shown, or why not.
MOVED_ON = """before => {
  const main = document.querySelector("main.play");
  return main && (Number(main.dataset.version) > before || document.querySelector(".problem"));
}"""


def version_of(page: Page) -> int:
    return int(page.locator(READY).get_attribute("data-version") or 0)


def open_table(
    host: Visitor, ruleset: str, opponents: int, name: str = "Ada", **options: str
) -> str:
    """Open a table with free seats from the front page; gives the game's id."""
    page = host.go("/")
    page.locator(f"button[data-ruleset={ruleset}]").click()
    page.locator("#name").fill(name)
    page.locator("#opponents").select_option(str(opponents))
    if options:
        page.locator("details.options summary").click()
    for option, value in options.items():
        page.locator(f"[data-option={option}]").fill(value)
    page.locator("#open-table").click()
    page.wait_for_url("**/play/*")
    host.sees(".lobby")
    return page.url.rpartition("/")[2]


def invite(host: Visitor, guest: Visitor, name: str = "Ben") -> None:
    """Let the guest in by a link, whose secret stands in the fragment."""
    host.page.locator("#invite").click()
    link = host.page.locator("#link").input_value()
    assert "#" in link
    guest.go(link.removeprefix(host.recorder.address))
    guest.page.locator("#name").fill(name)
    guest.page.locator("#enter").click()
    guest.page.locator("#join").click()
    expect(guest.page.locator("#join")).to_have_count(0)


def is_over(page: Page) -> bool:
    return page.locator("#over").count() > 0


def is_asked(page: Page) -> bool:
    return page.locator(f"{READY}[data-asked=true] .dock button[data-type]").count() > 0


def act(page: Page, rng: random.Random) -> str | None:
    """Answer what is asked by one action that the page offers; gives its type.

    None where the page went on while this seat was choosing: another was quicker to answer what
    both were asked, and the buttons are gone.
    """
    before = version_of(page)
    page.set_default_timeout(PATIENCE)
    try:
        kind = _press(page, rng)
    except (PlaywrightError, AssertionError, IndexError):
        if version_of(page) == before:
            raise
        return None
    finally:
        page.set_default_timeout(USUAL)
    page.wait_for_function(MOVED_ON, arg=before)
    late = page.locator(".problem[data-code=decision-closed]")
    if late.count():  # the same, a moment later
        late.locator("button").click()
        return None
    problem = page.locator(".problem")
    assert problem.count() == 0, problem.first.inner_text()
    return kind


def _press(page: Page, rng: random.Random) -> str:
    button = _choose(page, rng)
    kind = button.get_attribute("data-type") or ""
    _fill_in(page, button, rng)
    button.click()
    return kind


def _choose(page: Page, rng: random.Random) -> Locator:
    buttons = page.locator(".dock button[data-type]")
    kinds = [each.get_attribute("data-type") or "" for each in buttons.all()]
    wanted = [place for place, kind in enumerate(kinds) if kind not in LAST]
    if "call" in kinds:
        wanted = list(range(len(kinds)))
    elif wanted and kinds[wanted[0]] in ("cook", "serve"):
        wanted = [place for place in wanted if kinds[place] == kinds[wanted[0]]]
    return buttons.nth(rng.choice(wanted or range(len(kinds))))


def _fill_in(page: Page, button: Locator, rng: random.Random) -> None:
    """Choose what the action still needs: words, cards that it proposes, or any of the hand."""
    words = button.locator("xpath=..").locator("input[data-field]")
    if words.count():
        words.fill("Moonlight pie")
    if button.get_attribute("data-ready") == "true":
        return
    button.click()
    if button.get_attribute("data-ready") == "true":
        return
    cards = page.locator(".hand button.card")
    order = list(range(cards.count()))
    rng.shuffle(order)
    for place in order:
        cards.nth(place).click()
        if button.get_attribute("data-ready") == "true":
            return
    raise AssertionError(f"nothing makes {button.inner_text()!r} ready")


def be(visitor: Visitor, player: Player) -> Visitor:
    """Let a visitor be a player whom the API made: the page finds the token where it keeps it."""
    identity = json.dumps({"id": player.id, "name": "Somebody", "token": player.token})
    set_item = f"localStorage.setItem('potluck.player', {json.dumps(identity)})"
    visitor.context.add_init_script(set_item)
    return visitor
