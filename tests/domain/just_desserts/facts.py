"""The card facts once more, read from the card file and not from the code under test."""

import json
from importlib import resources
from typing import Any

FACTS: dict[str, list[dict[str, Any]]] = json.loads(
    resources.files(__package__).joinpath("cards.json").read_text("utf-8")
)
DESSERTS = {row["id"]: row for row in FACTS["desserts"]}
GUESTS = {row["id"]: row for row in FACTS["guests"]}
TASTES = {name: set(row["tastes"]) for name, row in DESSERTS.items()}


def _in_play(options: Any, row: dict[str, Any]) -> bool:
    return row["set"] == "base" or getattr(options, row["set"])


def desserts_in_play(options: Any) -> list[str]:
    """List the desserts of a game with these options, sorted."""
    return sorted(name for name, row in DESSERTS.items() if _in_play(options, row))


def guests_in_play(options: Any) -> list[str]:
    """List the guests of a game with these options, sorted."""
    return sorted(name for name, row in GUESTS.items() if _in_play(options, row))


def is_favourite(guest: str, dessert: str) -> bool:
    """Whether a dessert is a guest's favourite."""
    row = GUESTS[guest]
    return dessert in row["favourites"] or row["favourite_any_with_taste"] in TASTES[dessert]


def is_served(guest: str, desserts: Any) -> bool:
    """Whether desserts satisfy a guest, taste by taste."""
    row = GUESTS[guest]
    for taste in row["craves"]:
        if not any(taste in TASTES[dessert] for dessert in desserts):
            return False
    return all(taste not in row["refuses"] for dessert in desserts for taste in TASTES[dessert])


def suits_of(guests: Any) -> dict[str, int]:
    """Count guests by suit."""
    counts: dict[str, int] = {}
    for guest in guests:
        suit = GUESTS[guest]["suit"]
        counts[suit] = counts.get(suit, 0) + 1
    return counts


def has_won(guests: Any) -> bool:
    """Whether guests win a game."""
    counts = suits_of(guests)
    return any(number == 3 for number in counts.values()) or len(counts) == 5


def points_of(guests: Any) -> int:
    """Score guests, by the words of the rules page."""
    score = 0
    for number in suits_of(guests).values():
        score += number
        while number >= 2:
            score, number = score + 1, number - 2
    return score
