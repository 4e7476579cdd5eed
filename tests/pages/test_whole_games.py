"""Two people in two browsers play a bundled player and each other, to the end, by clicks."""

import random

import pytest

from tests.pages.playing import act, invite, is_asked, is_over, open_table

GAMES = {
    "stir-fry-eighteen": {"target": "12"},
    "just-desserts": {},
    "memesio": {},
}


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_whole_game(visit, ruleset):
    ada, ben = visit(), visit()
    open_table(ada, ruleset, 2, **GAMES[ruleset])
    invite(ada, ben)
    ada.page.locator("button[data-bundled]").last.click()
    ada.page.locator("#start").click()
    rng = random.Random(18)
    acts = 0
    while not is_over(ada.page):
        asked = [each for each in (ada, ben) if is_asked(each.page)]
        if not asked:
            ada.page.wait_for_timeout(20)
            continue
        act(rng.choice(asked).page, rng)
        acts += 1
        assert acts < 400
    for visitor in (ada, ben):
        visitor.sees("#over")
    assert (
        ada.page.locator("#over strong").inner_text()
        == ben.page.locator("#over strong").inner_text()
    )
