"""The play page for everyone: in four languages, in the dark, on a phone, by ear and by keys."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from domain.catalogue import CATALOGUE
from tests.pages.playing import be
from tests.pages.visitor import DESKTOP, PHONE, Visitor
from tests.service.players import Player, Table
from tests.service.serving import Serving

LANGUAGES = ("en", "ru", "de", "fr")
LOOKS = ((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark"))


def table_of(service: Serving, ruleset: str, acts: int = 0) -> Table:
    """A table of two people that has been played for a while, by chance."""
    players = Player(service.address, "Ada"), Player(service.address, "Ben")
    options = {"advanced": True} if ruleset == "just-desserts" else {}
    table = Table(*players, ruleset=ruleset, first_player=0, **options).started()
    rng = random.Random(acts)
    for _ in range(acts):
        if table.asked():
            table.step(rng)
    return table


def see(visitor: Visitor, table: Table, seat: int) -> Page:
    be(visitor, table.players[seat]).go(f"/play/{table.id}")
    visitor.sees("main.play")
    visitor.sees(".log li")
    return visitor.page


def check(visitor: Visitor) -> None:
    """Look for barriers at the page as it is, in the light and the dark, large and small."""
    for viewport, scheme in LOOKS:
        visitor.page.set_viewport_size(viewport)
        visitor.page.emulate_media(color_scheme=scheme)
        assert visitor.barriers() == [], (viewport, scheme)
        wide = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is wider than its window of {viewport}"


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_nothing_keeps_anyone_out(visit, service, ruleset):
    """Asked and in the middle of a choice, waiting, and when all is over."""
    table = table_of(service, ruleset, acts=6)
    asked = table.asked()[0]
    actor, waiting = visit(), visit()
    page = see(actor, table, asked)
    see(waiting, table, 1 - asked)
    page.evaluate(OPEN_ALL)
    if page.locator(".hand button.card").count():
        page.locator(".hand button.card").first.click()
    page.locator(".why").first.click()
    check(actor)
    check(waiting)
    table.played(random.Random(1))
    actor.sees("#over")
    check(actor)


def test_a_prompt_keeps_nobody_out(visit, service):
    table = table_of(service, "stir-fry-eighteen")
    body = table.choice(table.players[0], random.Random(1), "discard_pair")
    assert table.act(table.players[0], body).status_code == 200
    visitor = visit()
    see(visitor, table, 1)
    visitor.sees(".question")
    check(visitor)


OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
# A key of the words that has none: keepGuest, motion.undo.
KEY = re.compile(r"\b[a-z]+[A-Z][a-zA-Z]*\b|\w\.(undo|one|other)\b")
RAW = re.compile(r"\b[a-z0-9]+[_-][a-z0-9_-]+\b")


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_no_id_is_shown_in_any_language(visit, service, ruleset):
    """An id where a word should stand: soy_sauce, taste_test, apple-turnover."""
    table = table_of(service, ruleset, acts=9)
    page = see(visit(), table, table.asked()[0])
    page.evaluate(OPEN_ALL)
    ids = _ids(ruleset)
    said = set()
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("main")).to_have_attribute("data-language", language)
        shown = page.evaluate(SHOWN)
        assert len(shown) > 20
        assert [text for text in shown if ids & set(RAW.findall(text)) or KEY.search(text)] == []
        said.add(page.locator(".log li").first.inner_text())
    assert len(said) == len(LANGUAGES)


# Every text and every label that the page has.
SHOWN = """() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.textContent.trim());
  const labelled = document.querySelectorAll("[aria-label]");
  texts.push(...Array.from(labelled, each => each.getAttribute("aria-label")));
  return texts.filter(Boolean);
}"""


def _ids(ruleset: str) -> set[str]:
    """List the ids of a game that no language has as a word."""
    rules = CATALOGUE[ruleset]
    kinds = [*rules.actions, *rules.all_events]
    ids = {card.id for card in rules.cards} | {kind.__struct_config__.tag for kind in kinds}
    return {each for each in ids if "_" in each or "-" in each}


def test_every_page_says_the_same_in_every_language(visit, service):
    visitor = visit()
    page = visitor.go("/")
    modules = [file for file in _static() if file.endswith("words.mjs")]
    assert len(modules) > 1
    tables = 0
    for module in modules:
        for name, table in page.evaluate(TABLES, module).items():
            tables += 1
            assert set(table) == set(LANGUAGES), f"{module}: {name}"
            for language, keys in table.items():
                plain = {key.rpartition(".")[0] if key.endswith(PLURALS) else key for key in keys}
                english = {
                    key.rpartition(".")[0] if key.endswith(PLURALS) else key for key in table["en"]
                }
                assert plain == english, f"{module}: {name} in {language}"
    assert tables >= len(modules)


PLURALS = (".one", ".few", ".many", ".other")
TABLES = """async module => {
  const tables = {};
  for (const [name, value] of Object.entries(await import("/static/" + module))) {
    if (!value.en) continue;
    const keys = Object.entries(value).map(([tag, words]) => [tag, Object.keys(words)]);
    tables[name] = Object.fromEntries(keys);
  }
  return tables;
}"""


def _static() -> list[str]:
    from service.api.assets import read_assets

    return list(read_assets())


def test_a_turn_by_keys_alone(visit, service):
    """Cards by their number, actions by tab and enter; the focus is not lost when they change."""
    table = table_of(service, "stir-fry-eighteen")
    visitor = visit(reduced_motion="reduce")
    page = see(visitor, table, 0)
    page.keyboard.press("1")
    page.keyboard.press("2")
    pair = page.locator("[data-type=discard_pair]")
    expect(pair).to_have_attribute("data-ready", "true")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.type === 'discard_pair'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".turn-line")).to_contain_text("Waiting for Ben")
    expect(page.locator(".turn-line")).to_be_focused()
    moving = page.evaluate(
        "getComputedStyle(document.querySelector('.dock .card, .card')).animationName"
    )
    assert moving == "none"


def test_sounds_are_off_until_they_are_wanted(visit, service):
    table = table_of(service, "memesio")
    visitor = visit()
    page = see(visitor, table, 0)
    sounds = page.locator("#sounds")
    expect(sounds).to_have_attribute("aria-pressed", "false")
    sounds.click()
    expect(sounds).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#sounds")).to_have_attribute("aria-pressed", "true")
