"""``make pictures``: every page as a picture, phone and desktop, light and dark, in docs/images."""

import argparse
import base64
import contextlib
import json
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import structlog
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from domain.catalogue import CATALOGUE
from tests.pages.staging import NOON, Stage
from tests.service.players import Player, Table

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SIZES = {"desktop": (1080, 860), "phone": (390, 844)}
SCHEMES = ("light", "dark")
WEBP = {"format": "webp", "quality": 88}
TRIES = 40  # games that are played at most to find a position worth looking at


@dataclass(frozen=True)
class Cast:
    """Who plays and who judges, and the tables at which they do."""

    ada: Player
    judy: Player
    tables: dict[str, Table]


def at_work(ruleset: str, view: dict[str, Any]) -> bool:
    """Say whether a position shows what its game is about, with seat 0 asked."""
    board, decision = view["board"], view["decision"]
    if decision is None or decision["asked"][0] != 0:
        return False
    players = board["players"]
    hand = players[0]["hand"]
    if ruleset == "stir-fry-eighteen":
        claim = board["claim"]
        scored = sum(player["score"] > 0 for player in players)
        held = min(player["hand_count"] for player in players)
        return bool(claim) and claim["seat"] != 0 and len(hand) >= 3 and held >= 2 and scored >= 2
    if decision["kind"] != "turn" or len(hand) < 3:
        return False
    if ruleset == "just-desserts":
        guests = [len(player["guests"]) for player in players]
        return min(guests) >= 1 and sum(guests) >= 6 and len(board["centre"]) >= 3
    desserts = [len(player["desserts"]) for player in players]
    return min(desserts) >= 1 and sum(desserts) >= 5


def stage_table(stage: Stage, ruleset: str, people: list[Player], judge: Player) -> Table:
    """Play games until one of them comes to a position that shows what it is about."""
    for _ in range(TRIES):
        table = Table(*people, ruleset=ruleset, clock={"kind": "decision", "seconds": 90})
        assert table.host.post(f"{table.path}/judges", {"judge": judge.id}).status_code == 200
        table.started()
        if stage.play(table, lambda view: at_work(ruleset, view)):
            return table
    raise AssertionError(f"no position of {ruleset} in {TRIES} games")


def set_the_stage(stage: Stage, pages: list[str]) -> Cast:
    """Have the games played that some pages show."""
    names = ("Ada", "Ben", "Cleo", "Judy")
    ada, ben, cleo, judy = (stage.player(name) for name in names)
    tables = {}
    if "viewer" in pages:
        finished = tables["viewer"] = Table(ada, ben, cleo, target=30).started()
        stage.play(finished, lambda view: view["decision"] is None, most=2000)
    for ruleset in CATALOGUE:
        if f"play-{ruleset}" in pages:
            tables[f"play-{ruleset}"] = stage_table(stage, ruleset, [ada, ben, cleo], judy)
    if "judge" in pages:
        tables["judge"] = stage_table(stage, "stir-fry-eighteen", [ada, ben, cleo], judy)
        ask_for_an_undo(tables["judge"])
    return Cast(ada, judy, tables)


def ask_for_an_undo(table: Table) -> None:
    """Let who has claimed something want back more than what they can have by themselves."""
    seat = table.view()["board"]["claim"]["seat"]
    undo = {"type": "undo", "to": before_others(table, seat)}
    body = {"motion": undo, "reason": "I took the pork for shrimp."}
    answer = table.players[seat].post(f"{table.path}/motions", body)
    assert answer.status_code == 200, answer.text


def before_others(table: Table, seat: int) -> int:
    """The last version that a seat cannot have back by itself: others have acted since."""
    events = table.events()
    heads = [at for at, event in enumerate(events) if event["count"]]
    return next(at for at in reversed(heads) if events[at]["actor"] != f"seat:{seat}")


def claimed(table: Table) -> int:
    """The version of a claim in the second half of a game."""
    events = table.events()
    claims = [each["version"] for each in events if each["event"]["type"] == "claimed"]
    return next(version for version in claims if version > len(events) / 2)


def front(page: Page, _: Cast) -> None:
    page.goto("/")
    page.locator("button[data-ruleset]").first.wait_for()


def playing(ruleset: str) -> Callable[[Page, Cast], None]:
    def show(page: Page, cast: Cast) -> None:
        page.goto(f"/play/{cast.tables[f'play-{ruleset}'].id}")
        page.locator(".hand .card").first.wait_for()

    return show


def viewer(page: Page, cast: Cast) -> None:
    table = cast.tables["viewer"]
    page.goto(f"/viewer/{table.id}?version={claimed(table)}")
    page.locator(".table .seat").first.wait_for()


def judge(page: Page, cast: Cast) -> None:
    page.goto(f"/judge/{cast.tables['judge'].id}")
    page.locator("#look-now").click()
    page.locator("#put-away").wait_for()
    page.locator(".request button.main").click()
    page.locator("#preview-ruling").click()
    page.locator("#preview").wait_for()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


SHOWN: dict[str, tuple[str, Callable[[Page, Cast], None]]] = {
    "front": ("ada", front),
    **{f"play-{ruleset}": ("ada", playing(ruleset)) for ruleset in CATALOGUE},
    "viewer": ("ada", viewer),
    "judge": ("judy", judge),
}


@contextlib.contextmanager
def visiting(
    browser: Browser, address: str, player: Player, size: str, scheme: Any
) -> Iterator[BrowserContext]:
    """Be somebody with a browser whose time stands where the service's does."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        locale="en-GB",
        timezone_id="Europe/London",
        reduced_motion="reduce",
    )
    identity = json.dumps({"id": player.id, "name": "Ada", "token": player.token})
    context.add_init_script(f"localStorage.setItem('potluck.player', {json.dumps(identity)})")
    context.add_init_script("localStorage.setItem('potluck.learnt', 'yes')")
    context.clock.set_fixed_time(NOON / 1000)
    try:
        yield context
    finally:
        context.close()


def take(browser: Browser, stage: Stage, cast: Cast, names: list[str], folder: Path) -> None:
    """Take the pictures of some pages, while everybody is there."""
    with contextlib.ExitStack() as present:
        for table in cast.tables.values():
            for player in table.players[1:]:
                live = {"Authorization": f"Bearer {player.token}", "Accept": "text/event-stream"}
                stream = httpx.stream("GET", f"{stage.address}{table.path}/events", headers=live)
                present.enter_context(stream)
        shoot(browser, stage, cast, names, folder)


def shoot(browser: Browser, stage: Stage, cast: Cast, names: list[str], folder: Path) -> None:
    for name, size, scheme in product(names, SIZES, SCHEMES):
        who, show = SHOWN[name]
        with visiting(browser, stage.address, getattr(cast, who), size, scheme) as context:
            page = context.new_page()
            show(page, cast)
            page.wait_for_timeout(300)  # what comes by the stream right after the page is there
            picture = context.new_cdp_session(page).send("Page.captureScreenshot", WEBP)
            path = folder / f"{name}-{size}-{scheme}.webp"
            path.write_bytes(base64.b64decode(picture["data"]))


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", help=f"which pages: {', '.join(SHOWN)}")
    parser.add_argument("--folder", type=Path, default=IMAGES, help="where the pictures go")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        parser.error("pictures need Chromium")
    if unknown := set(given.pages) - set(SHOWN):
        parser.error(f"there is no page {', '.join(sorted(unknown))}")
    quiet = structlog.make_filtering_bound_logger(logging.WARNING)
    structlog.configure(wrapper_class=quiet)
    with tempfile.TemporaryDirectory() as store, Stage(Path(store)) as stage:
        pages = given.pages or list(SHOWN)
        cast = set_the_stage(stage, pages)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
            take(browser, stage, cast, pages, given.folder)
            browser.close()
    size = sum(each.stat().st_size for each in given.folder.glob("*.webp"))
    print(f"{given.folder}: {size / 1e6:.2f} MB of pictures")


if __name__ == "__main__":
    main()
