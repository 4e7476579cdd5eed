"""The texts in four languages: the same keys everywhere, and a word for all there is."""

from typing import get_args

import pytest

from domain.memesio.cards import CARDS
from domain.memesio.cheers import SOUNDS
from domain.memesio.deck import INGREDIENTS, RECIPES, SPECIALS, RecipeName
from domain.memesio.ruleset import MEMESIO
from domain.memesio.state import TURN
from tests.domain.texts import check_languages, check_refusals, check_room, texts_of

ROOM = "memesio"
LANGUAGES = ("en", "ru", "de", "fr")


def test_all_languages_say_the_same():
    check_languages(ROOM)


def test_every_refusal_has_words():
    check_refusals(ROOM)


def test_everything_has_a_name():
    check_room(ROOM, MEMESIO, {TURN})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_deck_has_names_and_a_flavour_for_each(language):
    texts = texts_of(ROOM, language)
    recipes = {recipe.id for recipe in RECIPES}
    assert recipes == set(get_args(RecipeName))
    assert set(texts["cards"]) == {card.id for card in CARDS}
    assert set(texts["recipes"]) == recipes
    assert set(texts["specials"]) == set(SPECIALS)
    assert set(texts["ingredients"]) == set(INGREDIENTS)
    assert set(texts["flavours"]) == recipes | set(SPECIALS)
    assert set(texts["sounds"]) == set(SOUNDS)
    for table in ("cards", "recipes", "ingredients", "flavours", "sounds"):
        words = list(texts[table].values())
        assert len(set(words)) == len(words), table
    assert max(map(len, texts["flavours"].values())) <= 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_is_named_by_both_its_halves(language):
    texts = texts_of(ROOM, language)
    for card in CARDS:
        first = texts["recipes"][card.recipe.id] if card.recipe else texts["specials"][card.special]
        assert texts["cards"][card.id] == f"{first} · {texts['ingredients'][card.ingredient]}"


def test_the_words_are_neither_english_nor_the_wrong_alphabet():
    """A text copied from English and never translated."""
    english = texts_of(ROOM, "en")
    for language in ("ru", "de", "fr"):
        texts = texts_of(ROOM, language)
        for table in ("rules", "errors", "flavours", "actions"):
            for key, text in texts[table].items():
                assert text != english[table][key], key
    russian = " ".join(
        text
        for table in ("rules", "flavours", "recipes", "ingredients", "sounds")
        for text in texts_of(ROOM, "ru")[table].values()
    )
    letters = [letter for letter in russian if letter.isalpha()]
    assert all("а" <= letter.lower() <= "я" or letter in "ёЁ" for letter in letters)
