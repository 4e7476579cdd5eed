"""Stir Fry Eighteen's words in every language."""

from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from domain.stir_fry_eighteen.state import REDUCTION, TASTE_TEST, TURN
from tests.domain.texts import check_languages, check_refusals, check_room, texts_of

ROOM = "stir_fry_eighteen"


def test_all_languages_say_the_same():
    check_languages(ROOM)


def test_every_refusal_has_words():
    check_refusals(ROOM)


def test_everything_has_a_name():
    check_room(ROOM, STIR_FRY_EIGHTEEN, {TURN, TASTE_TEST, REDUCTION})


def test_the_words_are_neither_english_nor_the_wrong_alphabet():
    """A text copied from English and never translated."""
    for language in ("ru", "de", "fr"):
        cards = texts_of(ROOM, language)["cards"]
        same = [name for key, name in cards.items() if name == texts_of(ROOM, "en")["cards"][key]]
        assert set(same) <= {"Tofu"}
    russian = " ".join(texts_of(ROOM, "ru")["rules"].values())
    letters = [letter for letter in russian if letter.isalpha()]
    assert all("а" <= letter.lower() <= "я" or letter in "ёЁ" for letter in letters)
