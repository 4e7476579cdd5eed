"""The texts in four languages: the same keys everywhere, and a word for all there is."""

import re
import string
import tomllib
from importlib import resources
from typing import get_args

import pytest

from domain.just_desserts import state
from domain.just_desserts.menu import Suit, Taste
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from tests.domain.just_desserts.facts import DESSERTS, GUESTS

LANGUAGES = ("en", "ru", "de", "fr")
ROOM = resources.files("domain.just_desserts")
TEXTS = {
    language: tomllib.loads(ROOM.joinpath("texts", f"{language}.toml").read_text("utf-8"))
    for language in LANGUAGES
}


def refusals():
    """Collect the keys of all refusals in the room, and the parameters each is given."""
    found = {}
    for module in ROOM.iterdir():
        if not module.name.endswith(".py"):
            continue
        for call in re.finditer(r"Refusal\((.*?)\)\n", module.read_text("utf-8"), re.DOTALL):
            key = re.match(r'\s*"(\w+)"', call[1])
            assert key, f"a refusal without a key in {module.name}"
            names = set(re.findall(r"(\w+)=", call[1])) - {"rule", "pointer", "code"}
            assert found.setdefault(key[1], names) == names
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_word_for_everything(language):
    texts = TEXTS[language]
    kinds = {state.TURN, state.BLOCKING, state.RETURNING, state.CLEARING}
    assert set(texts["game"]) == {"name", "summary"}
    assert set(texts["cards"]) == {*DESSERTS, *GUESTS}
    assert set(texts["tastes"]) == set(get_args(Taste))
    assert set(texts["suits"]) == set(get_args(Suit))
    assert tuple(texts["rules"]) == JUST_DESSERTS.rules
    assert set(texts["errors"]) == set(refusals())
    assert set(texts["actions"]) == {kind.__struct_config__.tag for kind in JUST_DESSERTS.actions}
    assert set(texts["decisions"]) == kinds
    assert set(texts["options"]) == set(Options.__struct_fields__)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_keys(language):
    keys = [(table, list(entries)) for table, entries in TEXTS[language].items()]
    assert keys == [(table, list(entries)) for table, entries in TEXTS["en"].items()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_use_the_parameters_that_they_are_given(language):
    for key, names in refusals().items():
        text = TEXTS[language]["errors"][key]
        used = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert used <= names, key
        assert text.format(**dict.fromkeys(names, "x"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cards_have_the_same_name(language):
    names = list(TEXTS[language]["cards"].values())
    assert len(set(names)) == len(names)
    assert all(name == name.strip() and name for name in names)


@pytest.mark.parametrize("language", ["ru", "de", "fr"])
def test_other_languages_are_translations(language):
    """Sentences are never those of the English catalogue."""
    for table in ("rules", "errors"):
        for key, text in TEXTS[language][table].items():
            assert text != TEXTS["en"][table][key], key
