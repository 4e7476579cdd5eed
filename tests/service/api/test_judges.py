"""Judges over HTTP: named, seen at every look, ruling on record, and never a peek for anybody."""

import json
import random

import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.recording import verify
from tests.service.players import Player, Table

REASON = "The window closed before Ben could answer."


@pytest.fixture
def judy(address: str) -> Player:
    return Player(address, "Judy")


@pytest.fixture
def judged(ada: Player, ben: Player, judy: Player) -> Table:
    table = Table(ada, ben, first_player=0)
    assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
    return table.started()


def rule(judge: Player, table: Table, ruling: dict[str, object], **more: str):
    return judge.post(f"{table.path}/rulings", {"ruling": ruling, "reason": REASON}, **more)


def end_turn(player: Player, table: Table):
    action = {"type": "end_turn"}
    body = {"ruleset": "stir-fry-eighteen", "decision": table.view()["decision"]["id"]}
    return table.act(player, {**body, "action": action})


def test_a_judge_sees_the_hands_and_every_look_is_on_record(judged: Table, judy: Player):
    view = judy.get(judged.path).json()
    assert view["you"] == {"seat": None, "host": False, "judge": True}
    assert all(player["hand"] for player in view["board"]["players"])
    assert view["board"]["deck"] is None
    judy.get(f"{judged.path}/events")
    looks = judged.players[0].get(f"{judged.path}/looks").json()["looks"]
    assert [(look["judge"], look["what"]) for look in looks] == [
        (judy.id, "getGame"),
        (judy.id, "listEvents"),
    ]


def test_an_answer_to_a_judge_that_shows_the_hands_is_a_look(ada: Player, ben: Player):
    """Commands are answered with the game as its caller sees it, and a host may be the judge."""
    host = Player(str(ada.http.base_url), "Hal")
    table = Table(host, ada, ben, first_player=0)
    for player in (ada, ben):
        assert player.post(f"{table.path}/seats", {"type": "join"}).status_code == 200
    bundled = {"type": "bundled", "bundled": "random"}
    assert host.post(f"{table.path}/seats", bundled).status_code == 200
    assert host.post(f"{table.path}/judges", {"judge": host.id}).status_code == 200
    before = len(looks(table, ada))
    started = host.post(f"{table.path}/start").json()["game"]
    ruled = rule(host, table, {"type": "note"}).json()["game"]
    made = ada.post(f"{table.path}/motions", {"motion": {"type": "undo", "to": started["version"]}})
    motion = made.json()["events"][0]["version"]
    voted = host.post(f"{table.path}/motions/{motion}/votes", {"agree": False}).json()["game"]
    for answer in (started, ruled, voted):
        assert all(player["hand"] for player in answer["board"]["players"])
    preview = {"ruling": {"type": "note"}, "reason": REASON}
    assert host.post(f"{table.path}/rulings/preview", preview).status_code == 200
    assert looks(table, ada)[before:] == ["startGame", "rule", "vote"], "a preview shows no hand"


def looks(table: Table, player: Player) -> list[str]:
    return [look["what"] for look in player.get(f"{table.path}/looks").json()["looks"]]


def test_role_version_and_state_in_this_order(judged: Table, judy: Player, ada: Player):
    note = {"type": "note"}
    stale = {"if_match": '"1.00000000.-"'}
    assert rule(ada, judged, note, **stale).json()["code"] == "forbidden"
    ahead = {"type": "rewind", "to": 999}
    assert rule(judy, judged, ahead, **stale).json()["code"] == "stale-version"
    assert rule(judy, judged, ahead).json()["code"] == "not-possible"
    named = {"judge": judy.id}
    late = ada.post(f"{judged.path}/judges", named)
    assert late.json()["code"] == "game-started"
    assert ada.post(f"{judged.path}/judges", named, **stale).json()["code"] == "stale-version"
    assert judy.post(f"{judged.path}/judges", named).json()["code"] == "forbidden"


def test_a_ruling_can_be_repeated_safely(judged: Table, judy: Player):
    first = rule(judy, judged, {"type": "note"}, key="note")
    again = rule(judy, judged, {"type": "note"}, key="note")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert rule(judy, judged, {"type": "halt", "pause": True}, key="note").json()["code"] == (
        "key-reused"
    )
    texts = judged.players[0].get(f"{judged.path}/texts").json()["texts"]
    assert [text["words"] for text in texts] == [REASON], "a repeat leaves no words behind"


def test_the_reason_of_a_ruling_is_the_judges_to_erase(judged: Table, judy: Player, ben: Player):
    assert rule(judy, judged, {"type": "note"}).status_code == 200
    [text] = judy.get(f"{judged.path}/texts").json()["texts"]
    place = f"{judged.path}/texts/{text['id']}"
    assert ben.delete(place).json()["code"] == "forbidden"
    assert judy.delete(place).status_code == 200
    assert ben.get(f"{judged.path}/texts").json()["texts"] == []
    [ruling] = ben.get(f"{judged.path}/rulings").json()["rulings"]
    assert ruling["text"] == text["id"], "the ruling stays on record"


def test_a_rewind_and_what_everybody_sees_of_it(judged: Table, judy: Player, ada: Player):
    before = ada.get(judged.path).json()
    assert end_turn(ada, judged).status_code == 200
    old = before["decision"]["id"]
    preview = judy.post(
        f"{judged.path}/rulings/preview",
        {"ruling": {"type": "rewind", "to": before["version"]}, "reason": REASON},
    )
    assert preview.status_code == 200, preview.text
    assert all(player["hand"] is None for player in preview.json()["game"]["board"]["players"])
    assert ada.get(judged.path).json()["version"] > before["version"], "nothing has happened yet"
    done = rule(judy, judged, {"type": "rewind", "to": before["version"]})
    assert done.status_code == 200, done.text
    after = ada.get(judged.path).json()
    assert after["board"] == before["board"]
    assert after["decision"]["id"] not in (old, None)
    late = {"ruleset": "stir-fry-eighteen", "decision": old, "action": {"type": "end_turn"}}
    assert judged.act(ada, late).json()["code"] == "superseded"
    rulings = ada.get(f"{judged.path}/rulings").json()["rulings"]
    assert [(each["judge"], each["ruling"]["type"]) for each in rulings] == [(judy.id, "rewind")]
    words = {text["id"]: text["words"] for text in ada.get(f"{judged.path}/texts").json()["texts"]}
    assert words[rulings[0]["text"]] == REASON


def test_an_undo_by_consent(ada: Player, ben: Player):
    table = Table(ada, ben, first_player=0).started()
    before = ada.get(table.path).json()
    assert end_turn(ada, table).status_code == 200
    rng = random.Random(1)
    while ada.get(table.path).json()["board"]["turn"]["seat"] == 0:
        table.step(rng)
    undo = {"motion": {"type": "undo", "to": before["version"]}, "reason": "A slip."}
    made = ada.post(f"{table.path}/motions", undo)
    assert made.status_code == 200, made.text
    motion = made.json()["game"]["motions"][0]
    assert motion["motion"] == {"type": "undo", "to": before["version"]}
    done = ben.post(f"{table.path}/motions/{motion['id']}/votes", {"agree": True})
    assert done.status_code == 200, done.text
    events = [event["event"]["type"] for event in done.json()["events"]]
    assert events == ["motion_voted", "rewound", "reshuffled"]
    assert (
        ada.get(table.path).json()["board"]["players"][0]["hand"]
        == (before["board"]["players"][0]["hand"])
    )


def test_nobody_peeks_by_an_undone_line(judged: Table, judy: Player, ada: Player, ben: Player):
    """Read after a rewind, the undone line shows each viewer what it showed them then."""
    before = ada.get(judged.path).json()["version"]
    end_turn(ada, judged)
    shown = {who: who.get(f"{judged.path}/events?limit=500").json()["events"] for who in (ada, ben)}
    rule(judy, judged, {"type": "rewind", "to": before})
    for who, events in shown.items():
        again = who.get(f"{judged.path}/events?limit=500").json()["events"]
        assert again[: len(events)] == events
        assert who.get(f"{judged.path}?version={before}").status_code == 200


def test_the_recording_of_a_judged_game_verifies(judged: Table, judy: Player, tmp_path):
    before = judged.players[0].get(judged.path).json()["version"]
    end_turn(judged.players[0], judged)
    rule(judy, judged, {"type": "rewind", "to": before})
    judged.players[1].delete(f"{judged.path}/seats/1")
    ended = judged.players[0].get(judged.path).json()
    assert (ended["status"], ended["seed"]) == ("ended", None)
    assert ended["seals"] > ended["time"]
    made = judged.players[0].post(f"{judged.path}/motions", {"motion": {"type": "seal_now"}})
    motion = made.json()["game"]["motions"][0]["id"]
    sealed = judy.post(f"{judged.path}/motions/{motion}/votes", {"agree": True})
    assert sealed.json()["game"]["status"] == "sealed", sealed.text
    recording = judged.players[0].get(f"{judged.path}/recording").text
    verdict = verify(recording.encode().split(b"\n"), CATALOGUE)
    assert verdict.exit_code == 0, verdict
    assert json.loads(recording.splitlines()[0])["sealed"]
