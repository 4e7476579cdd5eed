"""Memesio's Café, as the test kit must know it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from domain.kernel.event import Event
from domain.memesio.cards import DECK, INGREDIENT
from domain.memesio.options import Options
from domain.memesio.ruleset import MEMESIO
from domain.memesio.state import Dessert, Game
from tests.domain.kit import Room
from tests.domain.memesio.recount import Recount


def desserts_in(dessert: Dessert) -> Iterator[Dessert]:
    """List a dessert and all that is nested in it."""
    yield dessert
    for part in dessert.parts:
        if isinstance(part, Dessert):
            yield from desserts_in(part)


def cards_in(dessert: Dessert) -> Iterator[str]:
    """List a dessert's cards, without the code under test."""
    for each in desserts_in(dessert):
        if each.card is not None:
            yield each.card
        yield from (part for part in each.parts if not isinstance(part, Dessert))


def places(game: Game) -> Iterator[str]:
    """List every card, wherever it lies."""
    yield from game.deck
    yield from game.spoiled
    for stack in game.pantry.values():
        yield from stack
    for player in game.players:
        yield from player.hand
        for dessert in player.desserts:
            yield from cards_in(dessert)


def conserved(game: Game) -> None:
    """All cards, always, each once; stacks of one ingredient; desserts told apart."""
    assert Counter(places(game)) == Counter(DECK)
    for name, stack in game.pantry.items():
        assert stack, "a stack without a card"
        assert {INGREDIENT[card] for card in stack} == {name}
    numbers: list[int] = []
    for player in game.players:
        assert player.hand == tuple(sorted(player.hand)), "the order of a hand may tell something"
        for dessert in player.desserts:
            numbers += [each.number for each in desserts_in(dessert)]
    assert len(numbers) == len(set(numbers)), "two desserts have one number"
    assert all(1 <= number <= game.made for number in numbers)


def draw_options(random: Random, seats: int) -> Options:
    """Draw options: a first player, or chance."""
    return Options(first_player=random.choice((None, random.randrange(seats))))


def recount(seats: int, events: Sequence[Event]) -> None:
    """Every share of every scream, again, from the events alone."""
    Recount(seats).follow(events)


ROOM = Room(
    ruleset=MEMESIO,
    draw_options=draw_options,
    conserved=conserved,
    recount=recount,
    most_versions=2_000,
)
