"""The replay viewer: moments that links name, seats, undone lines, and what is sent."""

import random

import pytest
from playwright.sync_api import expect

from tests.pages.viewing import RULESETS, at, be, expected, same, shown
from tests.pages.visitor import PHONE
from tests.service.players import Player, Table
from tests.service.serving import Serving


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_link_leads_to_exactly_that_version_and_seat(visit, sealed, story, ruleset: str):
    guest, game = visit(), sealed[ruleset]
    reader = story.table.host
    path = f"/v1/games/{game}"
    last = reader.get(path).json()["version"]
    for version, seat in ((last // 3, None), (last // 2, 1), (last - 3, "spectator")):
        link = f"/viewer/{game}?version={version}" + ("" if seat is None else f"&seat={seat}")
        guest.go(link)
        at(guest, version)
        perspective = {None: "", 1: "&perspective=seat:1", "spectator": "&perspective=spectator"}
        view = reader.get(f"{path}?version={version}{perspective[seat]}").json()
        view["you"]["seat"] = seat if seat == 1 else None
        assert same(shown(guest), expected(reader, view))
        hand = guest.page.locator(".zone.hand .card-name").all_inner_texts()
        assert len(hand) == (view["board"]["players"][1]["hand_count"] if seat == 1 else 0)
        expect(guest.page).to_have_url(guest.recorder.address + link)
    guest.page.locator("#previous").click()
    at(guest, last - 4)
    # The address follows what is shown a moment later.
    address = f"{guest.recorder.address}/viewer/{game}?version={last - 4}&seat=spectator"
    expect(guest.page).to_have_url(address)


def test_steps_keys_and_the_slider_go_where_they_say(visit, story):
    guest = visit()
    guest.go(f"/viewer/{story.id}?version={story.ruled + 2}")
    at(guest, story.ruled + 2)
    press = guest.page.keyboard.press
    press("ArrowLeft")
    at(guest, story.ruled + 1)
    press("ArrowLeft")
    at(guest, story.fork)
    press("ArrowRight")
    at(guest, story.ruled + 1)
    press("Home")
    at(guest, 1)
    events = story.table.events()
    turns = [each["version"] for each in events if each["event"]["type"] == "turn_began"]
    press("Shift+ArrowRight")
    at(guest, turns[0])
    press("Control+ArrowRight")
    at(guest, story.claims[0]["version"])
    press("End")
    at(guest, story.last)
    press("Control+Shift+ArrowLeft")
    at(guest, story.ruled + 1)
    guest.page.locator("#slider").fill("20")
    at(guest, 20)
    guest.page.locator("#slider").focus()
    press("ArrowRight")
    at(guest, 21)
    guest.page.locator("#pace").select_option("120")
    guest.page.locator("#slider").fill(str(story.last - 12))
    guest.page.locator("#play").click()
    expect(guest.page.locator("#play")).to_have_attribute("aria-pressed", "true")
    at(guest, story.last)
    expect(guest.page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_claims_are_told_with_truth_and_verdict_and_lead_there(visit, story):
    guest = visit()
    guest.go(f"/viewer/{story.id}")
    at(guest, 1)
    rows = guest.page.locator(".claims .row")
    expect(rows).to_have_count(len(story.claims))
    told = rows.all_inner_texts()
    for text, claim in zip(told, story.claims, strict=True):
        assert ("bluff" in text) is not claim["truthful"]
        assert ("tested by" in text) is (claim["caller"] is not None)
        assert ("undone" in text) is claim["undone"]
    standing = [each["version"] for each in story.claims if not each["undone"]]
    before, after = standing[-2:]
    guest.page.locator(f".claims [data-version='{before}']").click()
    at(guest, before)
    guest.page.locator("[data-jump='claim1']").click()
    at(guest, after)
    expect(guest.page.locator("[data-jump='claim1']")).to_be_disabled()
    guest.page.locator("[data-jump='claim-1']").click()
    at(guest, before)
    guest.page.locator("#perspective").select_option("seat:0")
    expect(guest.page.locator(".claims .row", has_text="not public").first).to_be_visible()


def test_an_undone_line_is_a_branch_to_enter_and_leave(visit, story):
    guest = visit()
    guest.go(f"/viewer/{story.id}?version={story.fork}")
    at(guest, story.fork)
    guest.page.locator(f"[data-enter='{story.fork + 1}']").click()
    at(guest, story.fork + 1)
    guest.sees(".branch.in")
    guest.page.locator("#next").click()
    at(guest, story.fork + 2)
    guest.page.locator("#to-fork").click()
    at(guest, story.fork)
    guest.page.locator("#next").click()
    at(guest, story.ruled + 1)
    expect(guest.page.locator(".branch.in")).to_have_count(0)
    guest.go(f"/viewer/{story.id}?version={story.ruled}")
    at(guest, story.ruled)
    expect(guest.page.locator("#now")).to_contain_text("Not so fast.")
    guest.page.locator("#leave").click()
    at(guest, story.ruled + 1)


def test_of_a_running_game_nobody_is_sent_what_they_may_not_see(visit, service: Serving):
    """A stranger sees no hand; a seat sees its own, and may look as a spectator does."""
    ada, ben = (Player(service.address, name) for name in ("Ada", "Ben"))
    table = Table(ada, ben).started()
    rng = random.Random("running")
    for _ in range(12):
        table.step(rng)
    version = table.view()["version"]
    stranger = visit()
    stranger.go(f"/viewer/{table.id}?version={version}&seat=1")
    at(stranger, version)
    for _ in range(version - 1):
        stranger.page.locator("#previous").click()
    at(stranger, 1)
    assert b'"hand":[' not in stranger.sent
    assert b'"value":' not in stranger.sent
    expect(stranger.page.locator("#perspective")).to_have_count(0)
    seated = be(visit(), ada)
    seated.go(f"/viewer/{table.id}?version={version}")
    at(seated, version)
    hand = table.view(ada)["board"]["players"][0]["hand"]
    expect(seated.page.locator(".zone.hand .card-name")).to_have_count(len(hand))
    assert hidden_from(table, seat=1) & set(values(seated.sent)) == set()
    seated.page.locator("#perspective").select_option("spectator")
    expect(seated.page.locator(".zone.hand")).to_have_count(0)


def values(sent: bytes) -> list[str]:
    """The digests of the hidden parts that bytes show with their values."""
    pieces = sent.split(b'{"digest":"')[1:]
    return [piece[:64].decode() for piece in pieces if piece[64:75] == b'","salt":"'[:11]]


def hidden_from(table: Table, seat: int) -> set[str]:
    """The digests of what only a seat may see."""
    parts = [
        part
        for each in table.events(table.players[seat])
        for part in each["event"].values()
        if isinstance(part, dict) and "value" in part and each["event"].get("seat") == seat
    ]
    assert parts
    return {part["digest"] for part in parts}


def test_a_judge_who_replays_a_running_game_leaves_no_look(visit, service: Serving):
    ada, ben, judy = (Player(service.address, name) for name in ("Ada", "Ben", "Judy"))
    table = Table(ada, ben)
    ada.post(f"{table.path}/judges", {"judge": judy.id})
    table.started()
    judge = be(visit(), judy)
    judge.go(f"/viewer/{table.id}")
    at(judge, 1)
    judge.sees(f"a[href='/judge/{table.id}']")
    assert b'"hand":[' not in judge.sent
    assert ada.get(f"{table.path}/looks").json()["looks"] == []


# For everybody.


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
def test_nothing_keeps_anyone_out_of_the_viewer(visit, sealed, story, scheme, viewport):
    size = {"viewport": viewport} if viewport else {}
    guest = visit(color_scheme=scheme, **size)
    for ruleset, game in sealed.items():
        guest.go(f"/viewer/{game}?version=30&seat=1")
        at(guest, 30)
        if ruleset == RULESETS[0]:
            guest.page.locator("#slider").fill(str(story.ruled))
            guest.sees(".branch.in")
            guest.page.locator(".curve summary").click()
        assert guest.barriers() == [], ruleset
        wide = guest.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{ruleset}: the page is wider than its window"


def test_the_viewer_speaks_four_languages(visit, story):
    guest = visit()
    guest.go(f"/viewer/{story.id}?version={story.ruled}")
    at(guest, story.ruled)
    said = set()
    for language, title in (
        ("de", "Wiedergabe"),
        ("fr", "Revoir"),
        ("ru", "Повтор"),
        ("en", "Replay"),
    ):
        guest.page.locator("#language").select_option(language)
        expect(guest.page.locator("h1")).to_contain_text(title)
        expect(guest.page.locator("html")).to_have_attribute("lang", language)
        said.add(guest.page.locator("#now").inner_text())
        assert "{" not in guest.page.locator("main").inner_text()
    assert len(said) == 4
