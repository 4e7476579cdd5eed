"""Recordings from files: verified and replayed in the browser, or refused."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.pages.viewing import RULESETS, at, expected, same, shown
from tests.pages.visitor import Visitor
from tests.recordings.make import FOLDER


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
        assert same(shown(guest), expected(reader, view))
    guest.page.locator("#perspective").select_option("seat:0")
    view = reader.get(f"{path}?version={last}&perspective=seat:0").json()
    view["you"]["seat"] = 0
    expect(guest.page.locator(".zone.hand")).to_be_visible()
    assert same(shown(guest), expected(reader, view))


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
