"""The card facts (JD-40): the checks made when they are loaded, and the file they come from."""

from collections import Counter

import msgspec
import pytest

from domain.just_desserts import cards
from domain.just_desserts.cards import ALL_DESSERTS, ALL_GUESTS, FAVOURITES, SINGLE_TASTE, check
from tests.domain.just_desserts.facts import DESSERTS, GUESTS, has_won, is_favourite, points_of


def replaced(rows, name, **changes):
    """Change one card among others."""
    return [msgspec.structs.replace(row, **changes) if row.id == name else row for row in rows]


def test_the_module_says_what_the_card_file_says():
    assert [dessert.id for dessert in ALL_DESSERTS] == list(DESSERTS)
    assert [guest.id for guest in ALL_GUESTS] == list(GUESTS)
    for dessert in ALL_DESSERTS:
        row = DESSERTS[dessert.id]
        assert dessert.set == row["set"]
        assert sorted(dessert.tastes) == sorted(row["tastes"])
    for guest in ALL_GUESTS:
        row = GUESTS[guest.id]
        assert (guest.set, guest.suit) == (row["set"], row["suit"])
        assert sorted(guest.craves) == sorted(row["craves"])
        assert sorted(guest.refuses) == sorted(row["refuses"])
        assert sorted(guest.favourites) == sorted(row["favourites"])
        assert guest.favourite_taste == row["favourite_any_with_taste"]


def test_the_checks_of_the_rules_page_hold():
    base = [dessert for dessert in ALL_DESSERTS if dessert.set == "base"]
    assert len({taste for dessert in base for taste in dessert.tastes}) == 12
    assert len({taste for dessert in ALL_DESSERTS for taste in dessert.tastes}) == 14
    assert len(SINGLE_TASTE & {dessert.id for dessert in base}) == 17
    assert len(SINGLE_TASTE) == 19
    assert Counter(guest.suit for guest in ALL_GUESTS) == dict.fromkeys(
        ("blue", "green", "orange", "purple", "red", "yellow", "burgundy", "rose"), 4
    )
    assert [guest for guest, favourites in FAVOURITES.items() if not favourites] == ["nature-girl"]
    for guest, favourites in FAVOURITES.items():
        assert favourites == {dessert for dessert in DESSERTS if is_favourite(guest, dessert)}


@pytest.mark.parametrize(
    ("desserts", "guests", "fault"),
    [
        (ALL_DESSERTS[1:], ALL_GUESTS, "each dessert"),
        (ALL_DESSERTS, ALL_GUESTS[1:], "each guest"),
        ((*ALL_DESSERTS, ALL_DESSERTS[0]), ALL_GUESTS, "each dessert"),
        (replaced(ALL_DESSERTS, "fudge", tastes=("chocolate", "nuts")), ALL_GUESTS, "single taste"),
        (replaced(ALL_DESSERTS, "fudge", set="just_coffee"), ALL_GUESTS, "desserts"),
        (ALL_DESSERTS, replaced(ALL_GUESTS, "granny", set="just_coffee"), "guests"),
        (ALL_DESSERTS, replaced(ALL_GUESTS, "granny", suit="green"), "suit"),
        (ALL_DESSERTS, replaced(ALL_GUESTS, "granny", favourites=("fudge",)), "favourite"),
        (ALL_DESSERTS, replaced(ALL_GUESTS, "granny", refuses=("pie",)), "granny"),
        (ALL_DESSERTS, replaced(ALL_GUESTS, "granny", craves=()), "granny"),
    ],
)
def test_a_wrong_card_file_does_not_load(desserts, guests, fault):
    with pytest.raises(ValueError, match=fault):
        check(desserts, guests)


def test_jd_10_jd_11_winning_and_scoring_as_the_words_say():
    """Over all rows of up to six guests of two or three suits and more."""
    some = [
        name
        for suit in ("blue", "green", "red", "yellow", "orange")
        for name in [row["id"] for row in GUESTS.values() if row["suit"] == suit][:3]
    ]
    for code in range(1 << len(some)):
        row = [name for index, name in enumerate(some) if code >> index & 1]
        if len(row) <= 6:
            assert cards.wins(row) == has_won(row)
            assert cards.points(row) == points_of(row)


def test_jd_7_duplicates_are_those_who_share_a_suit():
    row = ("granny", "inga", "mojo", "candice", "fuzzy")
    assert cards.duplicates(row) == ("granny", "inga", "mojo", "fuzzy")
    assert cards.duplicates(("granny", "inga")) == ()
