"""A judge called into a running game, for all three games: with every seat's consent only."""

import random
from typing import Any

import pytest

from tests.service.api.test_peeking import REASON, REVEALS, SEATS, hand, parts, reveal, types, vote
from tests.service.players import Player, Table


@pytest.fixture(scope="module")
def people(address: str) -> list[Player]:
    return [Player(address, name) for name in ("Ann", "Bea", "Col", "Jo", "Stan")]


@pytest.fixture
def jo(people: list[Player]) -> Player:
    """Somebody who has no part in the game, yet."""
    return people[SEATS]


@pytest.fixture(params=[True, False], ids=["public", "private"])
def public(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(params=REVEALS)
def table(people: list[Player], public: bool, request: pytest.FixtureRequest) -> Table:
    """A game in which something has happened; a private one is joined by invitation."""
    table = Table(*people[:SEATS], ruleset=request.param, public=public, first_player=0)
    for player in people[1:SEATS] if not public else ():
        made = table.host.post(f"{table.path}/invitations").json()
        use = {"game": made["game"], "secret": made["secret"]}
        assert player.post("/v1/invitations/uses", use).status_code == 200
    table.started()
    reveal(table, random.Random(request.param))
    return table


def call(player: Player, table: Table, judge: Player):
    body = {"motion": {"type": "call_judge", "judge": judge.id}, "reason": "We cannot agree."}
    return player.post(f"{table.path}/motions", body)


def looks(table: Table, player: Player) -> list[dict[str, Any]]:
    return player.get(f"{table.path}/looks").json()["looks"]


def is_no_judge(jo: Player, table: Table, *, public: bool) -> None:
    """Somebody sees what anybody sees, may rule nothing, and is not said to have looked."""
    view = jo.get(table.path)
    ruling = {"ruling": {"type": "note"}, "reason": REASON}
    for place in ("rulings", "rulings/preview"):
        told = jo.post(f"{table.path}/{place}", ruling).json()["code"]
        assert told == ("forbidden" if public else "game-not-found")
    if public:
        assert view.json()["you"] == {"seat": None, "host": False, "judge": False}
        assert [hand(view.json(), seat) for seat in range(SEATS)] == [None] * SEATS
        assert parts(table.events(jo)) == []
    else:
        for place in ("", "/events", "/claims", "/recording", "/looks", "/rulings"):
            assert jo.get(f"{table.path}{place}").json()["code"] == "game-not-found"
    assert looks(table, table.host) == []


def test_with_every_seats_consent_and_not_before(table: Table, jo: Player, public: bool):
    ann, bea, col = table.players
    is_no_judge(jo, table, public=public)
    made = call(ann, table, jo)
    assert types(made.json()) == ["motion_made"]
    motion = made.json()["events"][0]["version"]
    is_no_judge(jo, table, public=public)
    assert types(vote(bea, table, motion, agree=True)) == ["motion_voted"]
    is_no_judge(jo, table, public=public)
    own = jo.post(f"{table.path}/motions/{motion}/votes", {"agree": True}).json()["code"]
    assert own == ("forbidden" if public else "game-not-found"), "nobody votes for themselves"
    assert types(vote(col, table, motion, agree=True)) == ["motion_voted", "judge_named"]
    assert looks(table, bea) == [], "whoever has become a judge has not looked yet"

    view = jo.get(table.path).json()
    assert view["you"] == {"seat": None, "host": False, "judge": True}
    assert all(hand(view, seat) is not None for seat in range(SEATS))
    for seat, player in enumerate(table.players):
        assert hand(view, seat) == hand(player.get(table.path).json(), seat)
    decks = [value for name, value in view["board"].items() if name.endswith("deck")]
    assert decks == [None] * len(decks), "what is still to come is nobody's to see"
    owners = {owner for _, owner, _ in parts(table.events(jo))}
    assert owners == set(range(SEATS)), "the whole game, what was before included"
    for player in table.players:
        found = [(look["judge"], look["what"], look["version"]) for look in looks(table, player)]
        version = view["version"]
        assert found == [(jo.id, "getGame", version), (jo.id, "listEvents", version)]

    ruled = jo.post(f"{table.path}/rulings", {"ruling": {"type": "note"}, "reason": REASON})
    assert ruled.status_code == 200
    assert [each["judge"] for each in bea.get(f"{table.path}/rulings").json()["rulings"]] == [jo.id]


def test_one_who_declines_ends_it(table: Table, jo: Player, public: bool):
    ann, bea, col = table.players
    motion = call(ann, table, jo).json()["events"][0]["version"]
    vote(bea, table, motion, agree=True)
    assert types(vote(col, table, motion, agree=False)) == ["motion_voted"]
    is_no_judge(jo, table, public=public)
    again = bea.post(f"{table.path}/motions/{motion}/votes", {"agree": True})
    assert again.json()["code"] == "motion-closed"
    assert table.view()["judges"] == []


def test_who_sits_or_has_sat_never_judges_and_who_judges_never_sits(
    table: Table, people: list[Player], jo: Player
):
    ann, bea, col = table.players
    assert call(ann, table, bea).json()["code"] == "not-eligible"
    assert call(ann, table, ann).json()["code"] == "not-eligible"
    motion = call(ann, table, jo).json()["events"][0]["version"]
    for player in (bea, col):
        vote(player, table, motion, agree=True)
    assert call(bea, table, jo).json()["code"] == "already-so"
    to_jo = {"type": "replace_seat", "seat": 1, "player": jo.id}
    taken = jo.post(f"{table.path}/rulings", {"ruling": to_jo, "reason": REASON})
    assert taken.json()["code"] == "not-eligible"
    asked = {"motion": {"type": "hand_over", "seat": 1, "player": jo.id}}
    assert bea.post(f"{table.path}/motions", asked).json()["code"] == "not-eligible"
    # Neither does who sat there once, by leaving or by being replaced.
    to_stan = {"type": "replace_seat", "seat": 1, "player": people[-1].id}
    replaced = jo.post(f"{table.path}/rulings", {"ruling": to_stan, "reason": REASON})
    assert replaced.status_code == 200, replaced.text
    assert col.delete(f"{table.path}/seats/2").status_code == 200
    for gone in (bea, col, people[-1]):
        assert call(ann, table, gone).json()["code"] == "not-eligible"
    assert table.view()["judges"] == [jo.id]


def test_a_seat_may_withdraw_its_call(table: Table, jo: Player, public: bool):
    ann, bea, _ = table.players
    motion = call(ann, table, jo).json()["events"][0]["version"]
    vote(ann, table, motion, agree=False)
    late = bea.post(f"{table.path}/motions/{motion}/votes", {"agree": True})
    assert late.json()["code"] == "motion-closed"
    is_no_judge(jo, table, public=public)
