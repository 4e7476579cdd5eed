"""A sealed game as any seat saw it then; a running one from no seat but one's own."""

import random
from dataclasses import dataclass
from typing import Any

import pytest

from tests.service.players import Player, Table

SEATS = ("seat:0", "seat:1")


@dataclass
class Told:
    """A game that is over, and what was told while it ran: by perspective, all views and events."""

    table: Table
    views: dict[str, dict[int, dict[str, Any]]]
    events: dict[str, list[dict[str, Any]]]


def without_you(answer: Any) -> dict[str, Any]:
    """A view without who looks at it."""
    view: dict[str, Any] = answer.json()
    del view["you"]
    return view


@pytest.fixture(scope="module")
def told(ada: Player, ben: Player, nobody: Player) -> Told:
    rng = random.Random("perspectives")
    table = Table(ada, ben, target=15).started()
    watching = {"spectator": nobody, "seat:0": ada, "seat:1": ben}
    views: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in watching}
    events: dict[str, list[dict[str, Any]]] = {}
    seen = 0
    while table.asked():
        version = table.view()["version"]
        for name, player in watching.items():
            for each in range(seen + 1, version + 1):
                views[name][each] = without_you(player.get(f"{table.path}?version={each}"))
            events[name] = table.events(player)
        seen = version
        table.step(rng)
    return Told(table, views, events)


@pytest.mark.parametrize("perspective", ["spectator", *SEATS])
def test_a_sealed_game_is_shown_as_it_was_seen(told: Told, cleo: Player, perspective: str):
    """Every version to the byte, apart from who looks; and all events."""
    path, views = told.table.path, told.views[perspective]
    assert len(views) > 20
    for version, then in views.items():
        now = cleo.get(f"{path}?version={version}&perspective={perspective}")
        assert without_you(now) == then, version
    page = cleo.get(f"{path}/events?limit=500&perspective={perspective}").json()
    assert page["events"][: len(views)] == told.events[perspective]
    assert told.table.events(cleo)[: len(views)] != told.events[perspective]


def test_claims_are_told_as_a_seat_could_know_them(told: Told, cleo: Player):
    path = f"{told.table.path}/claims"
    every = cleo.get(path).json()
    assert every["tallies"]
    assert all(claim["truthful"] is not None for claim in every["claims"])
    unknown = 0
    for seat, name in enumerate(SEATS):
        seen = cleo.get(f"{path}?perspective={name}").json()
        assert seen["tallies"] is None
        for claim in seen["claims"]:
            tested = claim["caller"] is not None
            assert (claim["truthful"] is not None) is (tested or claim["seat"] == seat)
            unknown += claim["truthful"] is None
    assert unknown


def test_a_stream_takes_a_perspective_as_the_pages_do(told: Told, cleo: Player):
    path = f"{told.table.path}/events"
    stream = cleo.get(f"{path}?perspective=seat:1", accept="text/event-stream")
    pages = cleo.get(f"{path}?perspective=seat:1&limit=500").json()["events"]
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.text.count("\nid: ") + stream.text.startswith("id: ") == len(pages)
    hidden = [each for each in pages if each["event"].get("cards", {}).keys() == {"digest"}]
    assert hidden
    for each in hidden:
        digest = each["event"]["cards"]["digest"]
        assert f'"cards":{{"digest":"{digest}"}}' in stream.text
    assert '"value"' in stream.text


def test_each_perspective_has_an_entity_tag_of_its_own(told: Told, cleo: Player):
    asked = ["", *(f"?perspective={name}" for name in ("spectator", *SEATS))]
    tags = {cleo.get(told.table.path + each).headers["etag"] for each in asked}
    assert len(tags) == len(asked)
    again = cleo.get(f"{told.table.path}?perspective=seat:1", if_none_match=", ".join(tags))
    assert again.status_code == 304


def test_a_running_game_is_seen_from_no_seat_but_ones_own(
    ada: Player, ben: Player, cleo: Player, nobody: Player
):
    table = Table(ada, ben).started()
    paths = [table.path, f"{table.path}/events", f"{table.path}/claims"]
    for path in paths:
        for who, seats in ((ada, {0}), (ben, {1}), (cleo, set()), (nobody, set())):
            for seat in range(5):
                answer = who.get(f"{path}?perspective=seat:{seat}")
                if seat in seats:
                    assert answer.text == who.get(path).text
                else:
                    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
            narrowed = who.get(f"{path}?perspective=spectator")
            assert narrowed.status_code == 200
            if path == table.path:
                assert without_you(narrowed) == without_you(nobody.get(path))
            else:
                assert narrowed.text == nobody.get(path).text


def test_a_judge_may_look_as_a_seat_does(ada: Player, ben: Player, address: str):
    judge = Player(address, "Judge")
    table = Table(ada, ben)
    assert ada.post(f"{table.path}/judges", {"judge": judge.id}).status_code == 200
    table.started()
    for seat, player in enumerate((ada, ben)):
        seen = judge.get(f"{table.path}?perspective=seat:{seat}")
        assert without_you(seen) == without_you(player.get(table.path))
    assert len(ada.get(f"{table.path}/looks").json()["looks"]) == 2


def test_a_seat_that_is_not_there_and_words_that_are_none(told: Told, cleo: Player):
    for path in ("", "/events", "/claims"):
        path = told.table.path + path
        missing = cleo.get(f"{path}?perspective=seat:2")
        assert (missing.status_code, missing.json()["code"]) == (404, "not-found")
        for word in ("seat:5", "seat:01", "judge", "all", "1", ""):
            assert cleo.get(f"{path}?perspective={word}").json()["code"] == "invalid"
    late = cleo.get(f"{told.table.path}?perspective=seat:2&version=999999")
    assert late.json()["code"] == "not-found"
