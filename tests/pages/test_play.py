"""What a table asks beside plain moves: doubts, blocks, undo, rulings, rematches, why not."""

import random

import pytest
from playwright.sync_api import expect

from domain.memesio.cards import CARDS
from tests.pages.playing import act, be, invite, is_asked, open_table
from tests.pages.visitor import Visitor
from tests.service.players import Player, Table
from tests.service.serving import Serving


@pytest.fixture
def people(service: Serving) -> tuple[Player, Player]:
    return Player(service.address, "Ada"), Player(service.address, "Ben")


def at(visitor: Visitor, table: Table, player: Player) -> Visitor:
    """Let a visitor be a player and sit at the table."""
    be(visitor, player).go(f"/play/{table.id}")
    visitor.sees("main.play")
    return visitor


def lay_a_bluff(table: Table, player: Player) -> None:
    """Declare a pair that is none, or shrimp that are none."""
    view = table.view(player)
    hand = next(each["hand"] for each in view["board"]["players"] if each["hand"])
    one = hand[0]
    other = next((card for card in hand if card != one), None)
    action = {"type": "discard_pair", "cards": [one, other]}
    if other is None:
        action = {"type": "discard_protein", "declared": "shrimp", "cards": [one]}
    body = {"ruleset": table.ruleset, "decision": view["decision"]["id"], "action": action}
    assert table.act(player, body).status_code == 200


def test_a_claim_is_doubted_against_the_clock(visit, people):
    ada, ben = people
    clock = {"kind": "decision", "seconds": 120}
    table = Table(ada, ben, clock=clock, first_player=0).started()
    doubter, claimant = at(visit(), table, ben), at(visit(), table, ada)
    lay_a_bluff(table, ada)
    expect(doubter.page.locator(".question")).to_contain_text(
        "Ada lays 2 face down and says: “a pair”"
    )
    expect(doubter.page.locator(".countdown")).to_contain_text("s")
    doubter.page.locator("[data-type=call]").click()
    for page in (doubter.page, claimant.page):
        expect(page.locator(".log")).to_contain_text("Ben doubts Ada and is right")
    expect(doubter.page.locator(".question")).to_have_count(0)


def test_a_guest_is_kept_by_a_block(visit, service):
    table, owner = poached(service)
    keeper = at(visit(), table, owner)
    keeper.sees(".question")
    block = keeper.page.locator("[data-type=block]")
    if block.get_attribute("data-ready") != "true":
        block.click()  # proposes the cards
    expect(block).to_have_attribute("data-ready", "true")
    block.click()
    expect(keeper.page.locator(".log")).to_contain_text(" keeps ")
    assert table.events()[-1]["event"]["type"] != "poach_offered"


def poached(service: Serving) -> tuple[Table, Player]:
    """Play until somebody wants another's guest and the owner can block it."""
    rng = random.Random(7)
    for _ in range(200):
        players = Player(service.address, "Ada"), Player(service.address, "Ben")
        table = Table(*players, ruleset="just-desserts", advanced=True).started()
        while table.asked():
            player = table.actor()
            kinds = [form["type"] for form in player.get(f"{table.path}/actions").json()["legal"]]
            if "block" in kinds:
                return table, player
            wanted = next((kind for kind in ("poach", "serve") if kind in kinds), None)
            assert table.act(player, table.choice(player, rng, wanted)).status_code == 200
    raise AssertionError("nobody could ever block")


def test_an_earlier_act_is_asked_back_and_the_other_browser_agrees(visit, people):
    ada, ben = people
    table = Table(ada, ben, first_player=0).started()
    asking, agreeing = at(visit(), table, ada), at(visit(), table, ben)
    start = table.view()["version"]
    lay_a_bluff(table, ada)
    agreeing.page.locator("[data-type=call]").click()
    asking.page.locator("[data-type=end_turn]").click()
    asking.page.locator(f"[data-undo='{start}']").click()
    expect(agreeing.page.locator(".motion")).to_contain_text("an undo: Ada lays 2 hidden cards")
    agreeing.page.locator("[data-vote=agree]").click()
    for page in (asking.page, agreeing.page):
        expect(page.locator(".log")).to_contain_text(f"The game goes back to version {start}")
        expect(page.locator(".log li.undone").first).to_be_visible()
    expect(asking.page.locator("main")).to_have_attribute("data-decision", "turn")
    expect(asking.page.locator("main")).to_have_attribute("data-asked", "true")
    assert table.view()["decision"]["asked"] == [0]


def test_a_ruling_reaches_the_seats_as_it_is_made(visit, people, service):
    ada, ben = people
    judy = Player(service.address, "Judy")
    table = Table(ada, ben, first_player=0)
    assert ada.post(f"{table.path}/judges", {"judge": judy.id}).status_code == 200
    table.started()
    seats = [at(visit(), table, player) for player in people]
    body = {"ruling": {"type": "adjust", "seat": 1, "points": 7}, "reason": "Soup was spilt."}
    assert judy.post(f"{table.path}/rulings", body).status_code == 200
    for seat in seats:
        expect(seat.page.locator(".ruling")).to_contain_text("Ben: 7 points")
        expect(seat.page.locator(".ruling")).to_contain_text("Soup was spilt.")
        expect(seat.page.locator(".seat").nth(1)).to_contain_text("7 Points")
        seat.page.locator(".ruling button").click()
        expect(seat.page.locator(".ruling")).to_have_count(0)


def test_the_page_says_why_not_with_the_rule(visit, people):
    ada, ben = people
    table = Table(ada, ben, first_player=0).started()
    seat = at(visit(), table, ada)
    page = seat.page
    end = page.locator(".group", has=page.locator("[data-type=end_turn]"))
    end.locator(".why").click()
    expect(end.locator(".rule")).to_contain_text("SF-12")
    cards = page.locator(".hand button.card")
    page.keyboard.press("1")
    expect(cards.first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("1")
    expect(cards.first).to_have_attribute("aria-pressed", "false")
    pair = page.locator("[data-type=discard_pair]")
    pair.click()
    expect(page.locator(".form .hint")).to_contain_text("choose 2")
    page.locator(".not-now summary").click()
    expect(page.locator(".not-now")).to_contain_text("SF-6")


def test_a_cook_who_lays_the_wrong_dish_is_told_the_rule(visit, service):
    table, player, dish = with_a_wrong_dish(service)
    seat = at(visit(), table, player)
    page = seat.page
    for card in dish:
        page.locator(f".hand button.card[data-card={card}][aria-pressed=false]").first.click()
    page.locator("[data-type=cook]").click()
    expect(page.locator(".problem")).to_contain_text("SF-11")
    assert table.view()["decision"]["kind"] == "turn"


def with_a_wrong_dish(service: Serving) -> tuple[Table, Player, list[str]]:
    """Deal until somebody can cook, and could lay three cards that are no dish."""
    for _ in range(100):
        players = Player(service.address, "Ada"), Player(service.address, "Ben")
        table = Table(*players, first_player=0).started()
        view = table.view(players[0])
        hand = view["board"]["players"][0]["hand"]
        if "noodles" in hand and len(set(hand)) == 3 and len(hand) == 4:
            twice = next(card for card in hand if hand.count(card) == 2)
            other = next(card for card in hand if card != twice)
            return table, players[0], [twice, twice, other]
    raise AssertionError("no such hand in a hundred deals")


def test_who_won_is_said_and_a_rematch_is_one_click_for_both(visit):
    ada, ben = visit(), visit()
    open_table(ada, "stir-fry-eighteen", 1, max_turns="1")
    invite(ada, ben)
    ada.page.locator("#start").click()
    rng = random.Random(5)
    while not ada.page.locator("#over").count():
        asked = [each for each in (ada, ben) if is_asked(each.page)]
        if asked:
            act(asked[0].page, rng)
        else:
            ada.page.wait_for_timeout(20)
    expect(ada.page.locator("main[data-status=sealed]")).to_be_visible()
    said = [each.page.locator("#over strong").inner_text() for each in (ada, ben)]
    assert said[0] == said[1]
    assert "Ada" in said[0] or "Ben" in said[0]
    old = ada.page.url
    ada.page.locator("#rematch").click()
    ada.sees(".lobby")
    assert ada.page.url != old
    ben.page.locator("#to-rematch").click()
    ben.sees(".lobby")
    ben.page.locator("#join").click()
    expect(ben.page.locator(".place").first).to_contain_text("Ben")


def test_a_memesio_card_says_how_many_screams_its_recipe_brings(visit, service):
    table = Table(
        Player(service.address, "Ada"), Player(service.address, "Ben"), ruleset="memesio"
    ).started()
    recipes = {card.id: card.recipe for card in CARDS if card.recipe}
    page = at(visit(), table, table.players[0]).page
    for card in page.locator(".hand button.card").all():
        recipe = recipes.get(card.get_attribute("data-card"))
        if recipe:
            expect(card.locator(".card-corner")).to_have_text(f"{recipe.screams} ♪")


def test_leaving_asks_twice(visit, people):
    ada, ben = people
    table = Table(ada, ben, first_player=0).started()
    seat, other = at(visit(), table, ada), at(visit(), table, ben)
    seat.page.locator(".menu summary").click()
    seat.page.locator("#leave").click()
    assert not table.view()["seats"][0]["left"]
    seat.page.locator("#leave-sure").click()
    expect(other.page.locator("#over")).to_contain_text("You have won!")
    expect(seat.page.locator("#over")).to_contain_text("Ben")


def test_an_act_while_the_network_is_cut_happens_once(visit, people):
    ada, ben = people
    table = Table(ada, ben, first_player=0).started()
    seat = at(visit(), table, ada)
    before = table.view()["version"]
    seat.recorder.cut()
    expect(seat.page.locator("#online")).to_have_attribute("data-online", "false")
    seat.page.locator("[data-type=end_turn]").click()
    seat.recorder.mend()
    expect(seat.page.locator("#online")).to_have_attribute("data-online", "true")
    expect(seat.page.locator("main")).not_to_have_attribute("data-version", str(before))
    ends = [record for record in table.events() if record["event"]["type"] == "turn_ended"]
    assert len(ends) == 1
    expect(seat.page.locator(".problem")).to_have_count(0)


def test_a_game_without_a_table_of_its_own_gets_a_plain_one(visit, service):
    """What a new game's room has before anybody draws for it."""
    ada = Player(service.address, "Ada")
    table = Table(ada, Player(service.address, None)).started()
    view = table.view()
    guest = visit()
    guest.go("/")
    guest.page.evaluate(
        """async (view) => {
            const { html, render } = await import("/static/vendor/htm-preact.mjs");
            const { Client, loadTexts } = await import("/static/api.mjs");
            const { Table, seatNames } = await import("/static/tables.mjs");
            const { words } = await import("/static/words.mjs");
            const texts = await loadTexts(new Client(), view.ruleset), say = words("en");
            const props = { ruleset: "new", view, texts, say, seatName: seatNames(view, say) };
            render(html`<${Table} ...${props} />`, document.querySelector("main"));
        }""",
        view,
    )
    expect(guest.page.locator(".table .seat")).to_have_count(2)
    expect(guest.page.locator(".table .middle")).to_contain_text("deck")
    expect(guest.page.locator(".zone.hand .card")).to_have_count(
        len(view["board"]["players"][0]["hand"])
    )
