"""Words for people, in the language that they ask for.

Each room of ``domain`` keeps its texts in ``texts/<language>.toml``; English is complete and
stands in where another language lacks an entry.
"""

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from domain.kernel.ruleset import Ruleset

LANGUAGES = ("en", "ru", "de", "fr")
DEFAULT = "en"
KERNEL = "domain.kernel"

RANGE = re.compile(
    r"\s*(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?"
)


def negotiate(header: str | None) -> str:
    """Choose among our languages by an Accept-Language header (RFC 9110, basic filtering)."""
    best, best_quality = DEFAULT, 0.0
    for piece in (header or "").split(",")[:32]:
        match = RANGE.fullmatch(piece)
        if match is None:
            continue
        language = match[1].lower().split("-")[0]
        quality = float(match[2] or 1)
        if language in LANGUAGES and quality > best_quality:
            best, best_quality = language, quality
    return best


# What a message's parameters name, and the sections of a game's texts that have the names.
NAMES_OF: Mapping[str, tuple[str, ...]] = {
    "action": ("actions",),
    "card": ("cards",),
    "decision": ("decisions",),
    "dessert": ("cards", "recipes"),
    "guest": ("cards",),
    "ingredient": ("ingredients",),
    "recipe": ("recipes", "cards"),
    "suit": ("suits",),
    "taste": ("tastes",),
}


class Texts:
    """The text catalogues of the kernel and of every room, read once."""

    def __init__(self) -> None:
        self._rooms: dict[tuple[str, str], Mapping[str, Any]] = {}

    def of(self, ruleset: Ruleset[Any], language: str, section: str, key: str) -> str | None:
        """Give an entry of a game's texts, in English if the language lacks it; None if none."""
        room = ruleset.state.__module__.rpartition(".")[0]
        return self._entry(room, language, section, key)

    def all_of(self, ruleset: Ruleset[Any], language: str, section: str) -> dict[str, str]:
        """Give a whole section of a game's texts."""
        room = ruleset.state.__module__.rpartition(".")[0]
        english = self._catalogue(room, DEFAULT).get(section, {})
        return {**english, **self._catalogue(room, language).get(section, {})}

    def of_all_tables(self, language: str, section: str) -> dict[str, str]:
        """Give a whole section of the texts that all games share."""
        return {
            **self._catalogue(KERNEL, DEFAULT)[section],
            **self._catalogue(KERNEL, language)[section],
        }

    def refusal(
        self, ruleset: Ruleset[Any], language: str, key: str, params: Mapping[str, Any]
    ) -> str:
        """Say why a command was refused, in words."""
        text = self.of(ruleset, language, "errors", key)
        if text is None:
            text = self._entry(KERNEL, language, "errors", key)
        if text is None:
            return key
        named = {name: self._named(ruleset, language, name, params[name]) for name in params}
        try:
            return text.format(**named)
        except (KeyError, IndexError):
            return text

    def _named(self, ruleset: Ruleset[Any], language: str, name: str, value: Any) -> Any:
        """Call a card, a guest, an action and the like by its name."""
        if not isinstance(value, str):
            return value
        for section in NAMES_OF.get(name, ()):
            if (label := self.of(ruleset, language, section, value)) is not None:
                return label
        return value

    def _entry(self, room: str, language: str, section: str, key: str) -> str | None:
        for name in (language, DEFAULT):
            found = self._catalogue(room, name).get(section, {}).get(key)
            if found is not None:
                return str(found)
        return None

    def _catalogue(self, room: str, language: str) -> Mapping[str, Any]:
        known = self._rooms.get((room, language))
        if known is None:
            file = resources.files(room).joinpath("texts", f"{language}.toml")
            known = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
            self._rooms[room, language] = known
        return known
