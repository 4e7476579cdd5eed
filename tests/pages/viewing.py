"""Games to be replayed, and what a viewer shows of them."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.visitor import Visitor
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


@pytest.fixture(scope="session")
def story(service: Serving) -> Story:
    return Story(service.address)


@pytest.fixture(scope="session")
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


def same(names: list[list[str]], full: list[list[str]]) -> bool:
    """Say whether cards bear the names that they should, or the beginnings of them."""
    return [len(each) for each in names] == [len(each) for each in full] and all(
        whole.startswith(name)
        for seat, other in zip(names, full, strict=True)
        for name, whole in zip(seat, other, strict=True)
    )


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


def be(visitor: Visitor, player: Player) -> Visitor:
    """Let a browser be somebody who has a token already."""
    identity = json.dumps({"id": player.id, "name": "Somebody", "token": player.token})
    set_item = f"localStorage.setItem('potluck.player', {json.dumps(identity)})"
    visitor.context.add_init_script(set_item)
    return visitor
