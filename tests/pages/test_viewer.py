"""The replay viewer: moments that links name, seats, undone lines, and recordings from files."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.visitor import PHONE, Visitor
from tests.recordings.make import FOLDER
from tests.service.players import Player, Table
from tests.service.serving import Serving

RULESETS = ("stir-fry-eighteen", "just-desserts", "memesio")


class Story:
    """A sealed game of Stir Fry Eighteen in which a judge took the game back once."""

    def __init__(self, address: str) -> None:
        ada, ben, judy = (Player(address, name) for name in ("Ada", "Ben", "Judy"))
        rng = random.Random("a story")
        while True:  # chance is the service's: a game may be over too soon
            self.table = table = Table(ada, ben, target=30)
            assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
            table.started()
            played = [table.step(rng) for _ in range(30) if table.asked()]
            if len(played) == 30 and table.asked():
                break
        self.undone_to = table.view()["version"]
        starts = [each["version"] for each in table.events() if each["count"] > 0]
        self.fork = starts[-9] - 1
        ruling = {"type": "rewind", "to": self.fork}
        ruled = judy.post(f"{table.path}/rulings", {"ruling": ruling, "reason": "Not so fast."})
        assert ruled.status_code == 200, ruled.text
        self.ruled = self.undone_to + 1
        table.played(rng)
        made = ada.post(f"{table.path}/motions", {"motion": {"type": "seal_now"}})
        votes = f"{table.path}/motions/{made.json()['game']['motions'][0]['id']}/votes"
        for player in (ben, judy):
            assert player.post(votes, {"agree": True}).status_code == 200
        self.view = table.view()
        assert self.view["status"] == "sealed"
        self.id, self.path, self.last = table.id, table.path, self.view["version"]
        self.claims = ada.get(f"{table.path}/claims").json()["claims"]
        self.recording = ada.get(f"{table.path}/recording").content


@pytest.fixture(scope="module")
def story(service: Serving) -> Story:
    return Story(service.address)


@pytest.fixture(scope="module")
def sealed(service: Serving, story: Story) -> dict[str, str]:
    """A sealed game of each ruleset; bundled players play the others to their ends."""
    host = Player(service.address, "Host")
    games = {RULESETS[0]: story.id}
    for ruleset in RULESETS[1:]:
        body = {"ruleset": ruleset, "seats": 2}
        game = host.post("/v1/games", body).json()["game"]["id"]
        for _ in range(2):
            host.post(f"/v1/games/{game}/seats", {"type": "bundled", "bundled": "random"})
        assert host.post(f"/v1/games/{game}/start").status_code == 200
        games[ruleset] = game
    for game in games.values():
        _wait_until_sealed(host, game)
    return games


def _wait_until_sealed(player: Player, game: str) -> None:
    after, events = "", True
    while events:
        page = player.get(f"/v1/games/{game}/events?limit=500&wait=10{after}").json()
        events, after = page["events"], f"&after={page['next']}"
    assert player.get(f"/v1/games/{game}").json()["status"] == "sealed"


def at(visitor: Visitor, version: int) -> None:
    """Wait until the viewer shows a version, and all that is read off events."""
    expect(visitor.page.locator("#version")).to_have_attribute("data-version", str(version))
    visitor.sees(".happened [aria-current=step]")


def shown(visitor: Visitor) -> list[list[str]]:
    """The names of the cards that lie open before each seat."""
    seats = visitor.page.locator(".table .seat")
    return [seats.nth(at).locator(".card-name").all_inner_texts() for at in range(seats.count())]


def expected(player: Player, view: dict[str, Any]) -> list[list[str]]:
    """The same, of a view that the API gave."""
    names = player.get(f"/v1/rulesets/{view['ruleset']}/cards").json()["names"]
    own = view["you"]["seat"]
    return [
        [
            names[card]
            for card in (
                *((each["hand"] or ()) if each["seat"] != own else ()),
                *each.get("guests", ()),
            )
        ]
        for each in view["board"]["players"]
    ]


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
        assert shown(guest) == expected(reader, view)
        hand = guest.page.locator(".zone.hand .card-name").all_inner_texts()
        assert len(hand) == (view["board"]["players"][1]["hand_count"] if seat == 1 else 0)
        assert guest.page.url.endswith(link), "the address is the link"
    before = guest.page.url
    guest.page.locator("#previous").click()
    at(guest, last - 4)
    assert guest.page.url == before.replace(f"version={last - 3}", f"version={last - 4}")


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


def be(visitor: Visitor, player: Player) -> Visitor:
    """Let a browser be somebody who has a token already."""
    identity = json.dumps({"id": player.id, "name": "Somebody", "token": player.token})
    set_item = f"localStorage.setItem('potluck.player', {json.dumps(identity)})"
    visitor.context.add_init_script(set_item)
    return visitor


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


# Recordings.


def drop(visitor: Visitor, content: bytes, name: str = "game.ndjson") -> None:
    """Drop a file on the page, as a mouse does."""
    visitor.page.evaluate(
        """([text, name]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], name));
          const how = {dataTransfer: transfer, bubbles: true};
          document.body.dispatchEvent(new DragEvent("drop", how));
        }""",
        [content.decode(), name],
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_sound_recording_is_verified_and_replayed_without_the_network(
    visit, sealed, story, ruleset: str
):
    reader, path = story.table.host, f"/v1/games/{sealed[ruleset]}"
    content = reader.get(f"{path}/recording").content
    guest = visit()
    with guest.page.expect_response("**/v1/rulesets/memesio/cards"):
        guest.go("/viewer")
    guest.page.wait_for_load_state("networkidle")
    guest.recorder.cut()
    drop(guest, content)
    guest.sees(".verdict.good")
    at(guest, 1)
    last = reader.get(path).json()["version"]
    for version in (last // 3, last // 2, last):
        guest.page.locator("#slider").fill(str(version))
        at(guest, version)
        view = reader.get(f"{path}?version={version}").json()
        view["you"]["seat"] = None
        assert shown(guest) == expected(reader, view)
    guest.page.locator("#perspective").select_option("seat:0")
    view = reader.get(f"{path}?version={last}&perspective=seat:0").json()
    view["you"]["seat"] = 0
    expect(guest.page.locator(".zone.hand")).to_be_visible()
    assert shown(guest) == expected(reader, view)


def test_a_tampered_recording_is_refused_with_the_version_named(visit, story):
    lines = story.recording.decode().splitlines()
    number = next(at for at, line in enumerate(lines) if '"type":"claimed"' in line)
    lines[number] = lines[number].replace('"declared":"', '"declared":"x', 1)
    guest = visit()
    guest.go(f"/viewer/{story.id}?version=9")
    at(guest, 9)
    drop(guest, "\n".join(lines).encode())
    bad = guest.page.locator(".verdict.bad")
    expect(bad).to_have_attribute("data-version", str(number))
    expect(bad).to_contain_text(f"version {number} is at fault")
    at(guest, 9)
    assert guest.barriers() == []
    for rubbish in (b"", b"no recording", story.recording[:2000]):
        drop(guest, rubbish)
        expect(guest.page.locator(".verdict.bad")).to_be_visible()


def test_a_seats_recording_of_a_game_that_is_not_sealed(visit):
    """Golden files: replayed as far as the file shows them, by the file picker."""
    guest = visit()
    guest.go("/viewer")
    for name in ("sfe-3-unsealed-seat-1", "jd-3-unsealed-seat-0", "me-5-unsealed-seat-2"):
        guest.page.locator("#recording").set_input_files(Path(FOLDER) / f"{name}.ndjson")
        guest.sees(".verdict.half")
        expect(guest.page.locator("section.file h2")).to_contain_text(name)
        guest.page.locator("#last").click()
        guest.sees(".table .seat .backs")
        seat = name[-1]
        guest.page.locator("#perspective").select_option(f"seat:{seat}")
        guest.sees(".zone.hand .card")


def test_the_recording_is_saved_and_comes_back_as_a_file(visit, story):
    guest = visit()
    guest.go(f"/viewer/{story.id}")
    at(guest, 1)
    with guest.page.expect_download() as download:
        guest.page.locator("#save").click()
    assert Path(download.value.path()).read_bytes() == story.recording
    drop(guest, story.recording)
    guest.sees(".verdict.good")
    rows = guest.page.locator(".claims .row")
    expect(rows).to_have_count(len(story.claims))
    for text, claim in zip(rows.all_inner_texts(), story.claims, strict=True):
        assert ("bluff" in text) is not claim["truthful"]
        assert ("undone" in text) is claim["undone"]
    guest.page.locator("#back-online").click()
    expect(guest.page.locator("section.file")).to_have_count(0)


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
