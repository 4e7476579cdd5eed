"""ME-13 by brute force: an independent second opinion on whether one more dessert can be cooked.

It knows nothing of counting: it tries every way to hand real cards to the components of every
recipe, one after the other.
"""

from collections.abc import Sequence

from domain.memesio.deck import INGREDIENTS, RECIPES
from domain.memesio.state import Game

COMPONENTS = {recipe.id: recipe.components for recipe in RECIPES}


def halves(card: str) -> tuple[str, str]:
    """Read what a card can do and its ingredient half off its id."""
    name, ingredient = card.split("-")
    return name, ingredient


def one_more_dessert(game: Game) -> bool:
    """Say whether from all remaining cards a further dessert can be cooked."""
    unseen = list(game.deck)
    for player in game.players:
        unseen.extend(player.hand)
    pantry = [card for stack in game.pantry.values() for card in stack]
    served = [
        dessert.recipe
        for player in game.players
        for dessert in player.desserts
        if dessert.recipe is not None
    ]
    names = [halves(card)[0] for card in unseen]
    if "ladle" in names and len(unseen) + len(pantry) - 1 >= 2:
        return True
    everything = [*unseen, *pantry]
    for place, card in enumerate(everything):
        recipe = halves(card)[0]
        if recipe not in COMPONENTS:
            continue
        if place >= len(unseen) and "memesio" not in names:
            continue
        left = [*everything[:place], *everything[place + 1 :]]
        packs = [
            halves(other)[0] == "packet" and index < len(unseen)
            for index, other in enumerate(everything)
        ]
        del packs[place]
        if _fill(list(COMPONENTS[recipe]), left, packs, list(served)):
            return True
    return False


def _fill(
    components: Sequence[str], cards: list[str], packs: list[bool], served: list[str]
) -> bool:
    """Fill the first component in every possible way, and the others after it."""
    if not components:
        return True
    first, *rest = components
    if first not in INGREDIENTS:
        if first not in served:
            return False
        others = list(served)
        others.remove(first)
        return _fill(rest, cards, packs, others)
    tried = set()
    for index, card in enumerate(cards):
        fits = halves(card)[1] == first or packs[index]
        if not fits or (card, packs[index]) in tried:
            continue
        tried.add((card, packs[index]))
        left = [*cards[:index], *cards[index + 1 :]]
        marks = [*packs[:index], *packs[index + 1 :]]
        if _fill(rest, left, marks, served):
            return True
    return False
