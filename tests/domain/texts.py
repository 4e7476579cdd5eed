"""What every room's texts must be: the same entries in every language, and every one there is."""

import ast
import string
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "ru", "de", "fr")
# What an event's text may name beside fields: the recipe of a card that was cooked, the winners.
MADE_OF = {"cooked": {"recipe"}, "ended": {"winners"}}
ENVELOPE = {"rule", "code", "pointer"}


def texts_of(room: str, language: str) -> dict[str, dict[str, str]]:
    """Read a room's texts in a language."""
    path = ROOT / "domain" / room / "texts" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def refusals_of(room: str) -> dict[str, set[str]]:
    """Find every refusal that a room's code can raise: its key, and what it is filled with.

    Read off the source, so that no refusal can be forgotten because no test raises it.
    """
    found: dict[str, set[str]] = {}
    for path in (ROOT / "domain" / room).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Refusal":
                continue
            key = node.args[0]
            assert isinstance(key, ast.Constant), f"{path}: a refusal's key stands in the code"
            params = {str(keyword.arg) for keyword in node.keywords} - ENVELOPE
            found[key.value] = found.get(key.value, params) & params
    return found


def placeholders(text: str) -> set[str]:
    """List the names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def check_languages(room: str) -> None:
    """Check that all languages have the same entries with the same placeholders."""
    english = texts_of(room, "en")
    for language in LANGUAGES:
        texts = texts_of(room, language)
        assert list(texts) == list(english), f"{room}: tables in {language}"
        for table, entries in texts.items():
            assert list(entries) == list(english[table]), f"{room}: {table} in {language}"
            for key, text in entries.items():
                where = f"{room}: {table}.{key} in {language}"
                assert text.strip() == text != "", where
                assert placeholders(text) == placeholders(english[table][key]), where
                if table in ("rules", "errors") or key == "summary":
                    assert text[-1] in ".?!", where
                    copied = language != "en" and text == english[table][key]
                    assert not copied, f"{where}: still in English"


def check_refusals(room: str) -> None:
    """Check that every refusal has words, and none has words that cannot be filled."""
    errors, refusals = texts_of(room, "en")["errors"], refusals_of(room)
    assert set(errors) == set(refusals)
    for key, params in refusals.items():
        assert placeholders(errors[key]) <= params, f"{room}: {key}"


def check_events(room: str, events: Iterable[Any]) -> None:
    """Check that every event is told, with fields that it has."""
    kinds = {event.__struct_config__.tag: set(event.__struct_fields__) for event in events}
    told = texts_of(room, "en")["events"]
    assert {key.partition(":")[0] for key in told} == set(kinds)
    for key, text in told.items():
        kind, _, variant = key.partition(":")
        assert not variant or variant.partition("=")[0] in kinds[kind], key
        assert placeholders(text) <= kinds[kind] | MADE_OF.get(kind, set()), key


def check_room(room: str, ruleset: Any, decisions: set[str]) -> None:
    """Check that a game's texts cover its cards, rules, actions, decisions and options."""
    texts = texts_of(room, "en")
    assert set(texts["game"]) == {"name", "summary"}
    assert set(texts["cards"]) == {card.id for card in ruleset.cards}
    assert tuple(texts["rules"]) == ruleset.rules
    tags = {action.__struct_config__.tag for action in ruleset.actions}
    assert set(texts["actions"]) == tags
    assert set(texts["decisions"]) == decisions
    assert set(texts["options"]) == set(ruleset.options.__struct_fields__)
    check_events(room, ruleset.events)
