"""The end: whether from all remaining cards one more dessert can be cooked (ME-13)."""

from domain.memesio.cards import RECIPE, SPECIAL
from domain.memesio.cooking import suffices, supplies, turtles_in
from domain.memesio.state import Game

LADLE_NEEDS = 2


def can_go_on(game: Game) -> bool:
    """Say whether a further dessert can still be cooked, by anybody, in any order of play.

    One level deep is exact: of several desserts that are missing for another, the innermost is a
    new one itself. Runs after every turn, so it counts instead of searching: the recipes in
    the pantry too where there is a Memesio, which may fill a component itself afterwards.
    """
    unseen = [*game.deck, *(card for player in game.players for card in player.hand)]
    there = supplies(unseen, game)
    turtles = turtles_in(unseen)
    kinds = set(unseen)
    specials = {SPECIAL[card] for card in kinds if card in SPECIAL}
    # The Ladle itself is among the cards counted.
    if "ladle" in specials and sum(there.basics.values()) > LADLE_NEEDS:
        return True
    if "memesio" in specials:
        kinds.update(card for stack in game.pantry.values() for card in stack)
    return any(card in RECIPE and suffices(card, there, turtles) for card in kinds)
