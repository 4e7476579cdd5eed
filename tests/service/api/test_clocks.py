"""Clocks over HTTP: deadlines are public, defaults are applied once, a pause stops them."""

import time

from service.caretaker import GRACE
from tests.service.players import RULESET, Player


def open_table(host: Player, guest: Player, clock: dict[str, object] | None) -> str:
    body = {"ruleset": RULESET, "seats": 2, "options": {"first_player": 0}, "clock": clock}
    answer = host.post("/v1/games", body)
    assert answer.status_code == 201, answer.text
    path = f"/v1/games/{answer.json()['game']['id']}"
    for player in (host, guest):
        assert player.post(f"{path}/seats", {"type": "join"}).status_code == 200
    assert host.post(f"{path}/start").status_code == 200
    return path


def test_time_that_runs_out_brings_the_default_once(ada: Player, ben: Player):
    path = open_table(ada, ben, {"kind": "decision", "seconds": 1})
    decision = ada.get(path).json()["decision"]
    assert decision["deadlines"] == [decision["since"] + 1000]
    deadline = time.monotonic() + GRACE / 1000 + 10
    while time.monotonic() < deadline:
        events = ada.get(f"{path}/events?limit=500").json()["events"]
        if sum(event["actor"] == "service" and event["count"] > 0 for event in events) >= 2:
            break
        time.sleep(0.1)
    defaults = [event for event in events if event["actor"] == "service" and event["count"]]
    assert defaults[0]["event"] == {"type": "turn_ended", "seat": 0}
    assert defaults[0]["time"] >= decision["deadlines"][0]
    answered = [event["event"]["seat"] for event in defaults[:2]]
    assert answered in ([0, 1], [0, 0]), "each decision is answered by default once"


def test_a_game_clock_shows_what_is_left(ada: Player, ben: Player):
    path = open_table(ada, ben, {"kind": "game", "seconds": 600, "increment": 5})
    view = ada.get(path).json()
    assert [seat["time_left"] for seat in view["seats"]] == [600_000, 600_000]
    assert view["decision"]["deadlines"] == [view["decision"]["since"] + 600_000]


def test_a_pause_takes_everybody_and_stops_the_clock(ada: Player, ben: Player):
    path = open_table(ada, ben, {"kind": "decision", "seconds": 600})
    asked = ada.post(f"{path}/pause", {"pause": True}).json()["game"]
    assert (asked["paused"], asked["pause_votes"]) == (False, [0])
    stopped = ben.post(f"{path}/pause", {"pause": True}).json()["game"]
    assert (stopped["paused"], stopped["pause_votes"]) == (True, [])
    assert stopped["decision"]["deadlines"] == [None]
    ada.post(f"{path}/pause", {"pause": False})
    again = ben.post(f"{path}/pause", {"pause": False}).json()["game"]
    assert again["decision"]["deadlines"] == [again["time"] + 600_000]


def test_without_a_clock_there_is_no_deadline_but_an_expiry(ada: Player, ben: Player):
    path = open_table(ada, ben, None)
    view = ada.get(path).json()
    assert view["decision"]["deadlines"] == [None]
    assert view["expires"] > view["time"]


def test_a_clock_must_make_sense(ada: Player):
    body = {"ruleset": RULESET, "seats": 2, "clock": {"kind": "decision", "seconds": 0}}
    answer = ada.post("/v1/games", body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/clock/seconds"
