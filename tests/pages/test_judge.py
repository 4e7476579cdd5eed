"""The judge's page: looks that are asked for, requests as they come, rulings with a preview."""

import json

import pytest
from playwright.sync_api import expect

from tests.pages.visitor import PHONE, Visitor
from tests.service.players import Player, Table
from tests.service.serving import Serving


@pytest.fixture
def people(service: Serving) -> tuple[Player, Player, Player]:
    """Two who sit and one who judges."""
    ada, ben, judy = (Player(service.address, name) for name in ("Ada", "Ben", "Judy"))
    return ada, ben, judy


@pytest.fixture
def judged(people: tuple[Player, Player, Player]) -> Table:
    ada, ben, judy = people
    table = Table(ada, ben, first_player=0)
    assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
    return table.started()


def be(visitor: Visitor, player: Player) -> Visitor:
    """Let a browser be somebody who has a token already."""
    identity = json.dumps({"id": player.id, "name": "Somebody", "token": player.token})
    set_item = f"localStorage.setItem('potluck.player', {json.dumps(identity)})"
    visitor.context.add_init_script(set_item)
    return visitor


def looks(table: Table) -> list[str]:
    return [look["what"] for look in table.host.get(f"{table.path}/looks").json()["looks"]]


def cards(table: Table) -> int:
    return sum(player["hand_count"] for player in table.view()["board"]["players"])


def end_turn(table: Table, player: Player) -> None:
    decision = table.view()["decision"]["id"]
    action = {"type": "end_turn"}
    body = {"ruleset": "stir-fry-eighteen", "decision": decision, "action": action}
    answer = table.act(player, body)
    assert answer.status_code == 200, answer.text


def hand(table: Table, player: Player, seat: int) -> list[str]:
    return table.view(player)["board"]["players"][seat]["hand"]


def test_nothing_hidden_is_sent_before_the_judge_says_so(visit, judged, people):
    judge = be(visit(), people[2])
    judge.go(f"/judge/{judged.id}")
    judge.sees("#look-now")
    judge.sees("#ruling")
    assert b'"hand":[' not in judge.sent
    assert looks(judged) == [], "reading what is public is no look"
    judge.page.locator("#look-now").click()
    expect(judge.page.locator(".seat .card:not(.back)")).to_have_count(cards(judged))
    expect(judge.page.locator(".looks tbody tr")).to_have_count(1)
    assert looks(judged) == ["getGame"]
    end_turn(judged, people[0])
    expect(judge.page.locator("#look-now")).to_be_visible()
    assert looks(judged) == ["getGame"], "the game going on is no look"
    judge.page.locator("#keep-looking").check()
    expect(judge.page.locator(".looks tbody tr")).to_contain_text("2 looks")
    assert looks(judged) == ["getGame", "getGame"]
    judge.page.locator("#put-away").click()
    expect(judge.page.locator(".seat .card:not(.back)")).to_have_count(0)


def test_a_request_comes_is_previewed_and_granted_and_the_seat_sees_it(visit, judged, people):
    ada, ben, judy = people
    before = judged.view()["version"]
    first = hand(judged, ada, 0)
    seat, judge = be(visit(), ada), be(visit(), judy)
    seat.go(f"/play/{judged.id}")
    judge.go(f"/judge/{judged.id}")
    judge.sees("#ruling")
    end_turn(judged, ada)
    motion = {"motion": {"type": "undo", "to": before}, "reason": "Her finger slipped."}
    assert ben.post(f"{judged.path}/motions", motion).status_code == 200
    request = judge.page.locator(".request")
    expect(seat.page.locator(".turn-line")).to_contain_text("Too many cards")
    expect(request).to_contain_text("Her finger slipped.")
    request.locator("button.main").click()
    expect(judge.page.locator("#make-ruling")).to_be_disabled()
    judge.page.locator("#preview-ruling").click()
    shown = judge.page.locator("#preview")
    expect(shown).to_contain_text(f"Back to the game of version {before}")
    expect(shown).to_contain_text("Ada: Too many cards → Ada: Your turn")
    assert judged.view()["decision"]["kind"] != "turn", "a preview does nothing"
    judge.page.locator("#reason").fill("Nobody had answered.")
    judge.page.locator("#make-ruling").click()
    made = judge.page.locator("[data-ruling=rewind]")
    expect(made).to_contain_text("Nobody had answered.")
    expect(request).to_have_count(0)
    assert judged.view()["decision"]["kind"] == "turn"
    assert hand(judged, ada, 0) == first
    expect(seat.page.locator(".turn-line")).to_contain_text("Your turn")
    theirs = judged.view(ben)["board"]["players"][1]["hand"]
    own = json.dumps(theirs, separators=(",", ":")).encode()
    assert own not in seat.sent
    assert looks(judged) == ["rule"], "the answer to a ruling is a look, and the only one"
    expect(judge.page.locator(".looks tbody tr")).to_have_count(1)
    expect(judge.page.locator(".seat .card:not(.back)")).to_have_count(0)


def test_a_score_is_changed_a_game_paused_and_the_seats_page_shows_it(visit, judged, people):
    seat, judge = be(visit(), people[0]), be(visit(), people[2])
    seat.go(f"/play/{judged.id}")
    judge.go(f"/judge/{judged.id}")
    page = judge.page
    page.get_by_label("Change a score").check()
    page.get_by_label("Seat", exact=True).select_option("0")
    page.get_by_label("Points to add").fill("7")
    page.get_by_label("Reason").fill("The taste test was counted wrongly.")
    page.get_by_label("Reason").press("Enter")
    expect(page.locator("#preview")).to_contain_text("Score of Ada: 0 → 7")
    page.locator("#make-ruling").click()
    judge.sees("[data-ruling=adjust]")
    expect(seat.page.locator(".seat.own .score")).to_contain_text("7")
    page.get_by_label("Pause, or go on").check()
    page.get_by_label("Reason").fill("A moment.")
    page.locator("#preview-ruling").click()
    expect(page.locator("#preview")).to_contain_text("Game: running → paused")
    page.locator("#make-ruling").click()
    judge.sees("[data-ruling=halt]")
    assert judged.view()["paused"]


def test_a_clock_is_set_and_a_seat_replaced_and_lost(visit, service, people):
    ada, ben, judy = people
    clock = {"kind": "game", "seconds": 600}
    table = Table(ada, ben, Player(service.address, None), clock=clock, first_player=0)
    assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
    judge = be(visit(), judy)
    page = judge.page
    judge.go(f"/judge/{table.id}")
    judge.sees("#ruling")
    expect(page.locator("input[name=kind]")).to_have_count(1)
    table.started()
    expect(page.locator("input[name=kind]")).to_have_count(7)

    def rule(kind: str, made: str, seen: str) -> None:
        page.get_by_label(kind).check()
        page.get_by_label("Seat", exact=True).select_option("1")
        page.get_by_label("Reason").fill("So it is.")
        page.locator("#preview-ruling").click()
        expect(page.locator("#preview")).to_contain_text(seen)
        page.locator("#make-ruling").click()
        expect(page.locator(f"[data-ruling={made}]")).to_contain_text("So it is.")

    page.get_by_label("Set a clock").check()
    page.get_by_label("Minutes left").fill("2.5")
    rule("Set a clock", "restore_clock", "Time of Ben: 10 min → 2.5 min")
    page.get_by_label("Replace a seat's holder").check()
    page.get_by_label("Goes to").select_option("random")
    rule("Replace a seat's holder", "replace_seat", "Ben is held by: Ben → random")
    rule("Let a seat lose", "forfeit", "Random (2) is out of the game")


def test_the_game_goes_back_into_a_line_that_was_undone(visit, judged, people):
    ada, _, judy = people
    start = judged.view()["version"]
    end_turn(judged, ada)
    then = judged.view()["version"]
    undo = {"ruling": {"type": "rewind", "to": start}, "reason": "Too soon."}
    assert judy.post(f"{judged.path}/rulings", undo).status_code == 200
    judge = be(visit(), judy)
    judge.go(f"/judge/{judged.id}")
    judge.page.get_by_label("Take the game back").check()
    undone = judge.page.locator("#moment optgroup").nth(1)
    expect(undone.locator("option")).to_have_text(f"{then} · Ada ends the turn.")
    judge.page.locator("#moment").select_option(str(then))
    judge.page.get_by_label("Reason").fill("It was right.")
    judge.page.locator("#preview-ruling").click()
    expect(judge.page.locator("#preview")).to_contain_text("Ada: Your turn → Ada: Too many")
    judge.page.locator("#make-ruling").click()
    expect(judge.page.locator("[data-ruling=rewind]")).to_have_count(2)
    assert judged.view()["decision"]["kind"] != "turn"


def test_what_the_table_does_not_allow_is_said_in_its_words(visit, judged, people):
    judge = be(visit(), people[2])
    judge.go(f"/judge/{judged.id}")
    page = judge.page
    page.get_by_label("Take the game back").check()
    page.get_by_label("Back to version").fill("2")
    page.locator("#preview-ruling").click()
    expect(page.locator("[role=alert]")).to_contain_text("taken back to its start")
    expect(page.locator("#make-ruling")).to_be_disabled()
    page.get_by_label("Language").select_option("de")
    page.locator("#preview-ruling").click()
    expect(page.locator("[role=alert]")).to_contain_text("bis zum Start")


def test_a_preview_is_void_once_the_game_moves_on(visit, judged, people):
    judge = be(visit(), people[2])
    judge.go(f"/judge/{judged.id}")
    judge.page.get_by_label("Reason").fill("On record.")
    judge.page.locator("#preview-ruling").click()
    expect(judge.page.locator("#make-ruling")).to_be_enabled()
    end_turn(judged, people[0])
    expect(judge.page.locator("#make-ruling")).to_be_disabled()


def test_a_person_becomes_a_judge_without_a_client(visit, service, people):
    """Somebody gets an id on the page, and the host names it there; the page turns at once."""
    ada, ben, _ = people
    table = Table(ada, ben)
    host, judge = be(visit(), ada), visit()
    judge.go(f"/judge/{table.id}")
    judge.page.get_by_label("Your name").fill("Judy")
    judge.page.locator("#become").click()
    person = judge.page.locator("#player-id").inner_text()
    host.go(f"/play/{table.id}")
    host.page.get_by_role("link", name="A judge for this table").click()
    host.page.get_by_label("Player's id").fill(person)
    host.page.get_by_role("button", name="Name", exact=True).click()
    expect(host.page.locator(".facts")).to_contain_text(f"Judy {person}")
    judge.sees("#look-now")
    judge.sees("#ruling")
    assert table.view()["judges"] == [person]


def test_a_private_table_waits_for_the_word_too(visit, service, people):
    ada, _, judy = people
    table = Table(ada, Player(service.address, None), public=False, first_player=0)
    assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
    table.started()
    judge = be(visit(), judy)
    judge.go(f"/judge/{table.id}")
    judge.sees("#look-now")
    assert looks(table) == []
    judge.page.locator("#look-now").click()
    expect(judge.page.locator(".seat .card:not(.back)")).to_have_count(cards(table))
    assert set(looks(table)) == {"getGame", "listEvents"}
    stranger = visit()
    stranger.go(f"/judge/{table.id}")
    expect(stranger.page.locator("[role=alert]")).to_contain_text("no such game")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
def test_nothing_keeps_anyone_out_of_the_judges_page(visit, judged, people, scheme, viewport):
    ada, ben, judy = people
    motion = {"type": "call_judge", "judge": "0123456789abcdef"}
    assert ben.post(f"{judged.path}/motions", {"motion": motion}).status_code == 200
    size = {"viewport": viewport} if viewport else {}
    judge = be(visit(color_scheme=scheme, **size), judy)
    judge.go(f"/judge/{judged.id}")
    judge.sees(".request")
    assert judge.barriers() == []
    judge.page.locator("#look-now").click()
    judge.sees("#put-away")
    judge.page.get_by_label("Let a seat lose").check()
    judge.page.locator("#preview-ruling").click()
    judge.page.locator("#preview summary").click()
    assert judge.barriers() == []
    wide = judge.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than its window"
    seat = be(visit(color_scheme=scheme, **size), ada)
    seat.go(f"/judge/{judged.id}")
    seat.sees("#naming")
    assert seat.barriers() == []
