"""Two people in two browsers play a bundled player and each other, to the end, by clicks.

A judge is named, so that the end does not seal the game: all that a browser was sent until the
seats agree to seal it was sent while cards were hidden.
"""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.pages.playing import act, invite, is_asked, is_over, open_table
from tests.pages.traffic import Truth, leaks
from tests.pages.visitor import Visitor
from tests.service.players import Player
from tests.service.serving import Serving

GAMES = {
    "stir-fry-eighteen": {},
    "just-desserts": {},
    "memesio": {},
}


def told_of(visitor: Visitor, service: Serving) -> Player:
    """Give the API the visitor's own token."""
    player = Player(service.address, None)
    player.token = visitor.page.evaluate("JSON.parse(localStorage['potluck.player']).token")
    return player


def play(visitors: tuple[Visitor, Visitor], rng: random.Random) -> Iterator[Visitor]:
    """Let whoever is asked act, until the game is over; gives who acted."""
    while not all(is_over(each.page) for each in visitors):
        asked = [each for each in visitors if is_asked(each.page)]
        if not asked:
            visitors[0].page.wait_for_timeout(20)
            continue
        actor = rng.choice(asked)
        if act(actor.page, rng) is not None:
            yield actor


def cut_and_mend(visitor: Visitor) -> None:
    visitor.recorder.cut()
    expect(visitor.page.locator("#online[data-online=false]")).to_be_visible()
    visitor.recorder.mend()
    expect(visitor.page.locator("#online[data-online=true]")).to_be_visible()


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_whole_game_in_which_nobody_is_sent_what_is_hidden(visit, service, ruleset):
    ada, ben = visit(), visit()
    game = open_table(ada, ruleset, 2, **GAMES[ruleset])
    invite(ada, ben)
    judge, host = Player(service.address, "Judy"), told_of(ada, service)
    assert host.post(f"/v1/games/{game}/judges", {"judge": judge.id}).status_code == 200
    ada.page.locator("button[data-bundled]").last.click()
    ada.page.locator("#start").click()

    for acts, _ in enumerate(play((ada, ben), random.Random(18)), 1):
        assert acts < 400
        if acts == 4:
            ada.page.reload()
        if acts == 6:
            cut_and_mend(ben)
    assert acts > 6

    winners = ada.page.locator("#over strong").inner_text()
    assert winners == ben.page.locator("#over strong").inner_text()
    sent = [[bytes(stream) for stream in each.recorder.streams] for each in (ada, ben)]
    seal(ada, ben, judge, game)
    truth = Truth(judge, game)
    assert leaks(sent[0], 0, truth) == []
    assert leaks(sent[1], 1, truth) == []
    # What Ben was sent is a leak to anybody on Ada's seat, and the search finds it.
    found = leaks(sent[1], 0, truth)
    for sign in ("hand of 1", "view at", "salt", "dealt at"):
        assert any(leak.startswith(sign) for leak in found), sign


def seal(ada: Visitor, ben: Visitor, judge: Player, game: str) -> None:
    """Let the seats and the judge agree to seal the ended game."""
    ada.page.locator(".menu summary").click()
    ada.page.locator("#seal").click()
    ben.page.locator("[data-vote=agree]").click()
    expect(ben.page.locator("[data-vote]")).to_have_count(0)
    motions = judge.get(f"/v1/games/{game}").json()["motions"]
    for motion in motions:
        vote = judge.post(f"/v1/games/{game}/motions/{motion['id']}/votes", {"agree": True})
        assert vote.status_code == 200, vote.text
    for visitor in (ada, ben):
        expect(visitor.page.locator("main[data-status=sealed]")).to_be_visible()
