"""Stir Fry Eighteen, as the test kit must know it."""

from collections import Counter
from random import Random

from domain.stir_fry_eighteen.cards import DECK
from domain.stir_fry_eighteen.options import AccuserReward, Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from domain.stir_fry_eighteen.state import Game
from tests.domain.kit import Room


def cards_of(game: Game) -> Counter[str]:
    """Count every card, wherever it lies."""
    places = [player.hand for player in game.players]
    places += [game.deck, game.face_down, game.face_up, game.claim.laid if game.claim else ()]
    return Counter(card for place in places for card in place)


def conserved(game: Game) -> None:
    """All 18 cards, always; where tofu is in play it stands for one of them."""
    cards = cards_of(game)
    assert cards.total() == 18
    if game.options.tofu and cards["tofu"]:
        assert cards["tofu"] == 1
        assert (Counter(DECK) - cards).total() == 1
    else:
        assert cards == Counter(DECK)


def draw_options(random: Random, seats: int) -> Options:
    """Draw options, the basic game's values more often than not."""

    def rarely(value: object, usual: object) -> object:
        return value if random.random() < 0.35 else usual

    return Options(
        first_player=rarely(random.randrange(seats), None),
        accuser_reward=rarely(AccuserReward.NEXT_TURN, AccuserReward.AT_ONCE),
        draw_after_cooking=rarely(True, False),
        target=rarely(random.choice((1, 5, 10, 25, 80)), 50),
        close_the_kitchen=rarely(True, False),
        tofu=rarely(True, False),
        max_turns=rarely(random.choice((1, 2, 7, 30, 100)), None),
    )


ROOM = Room(
    ruleset=STIR_FRY_EIGHTEEN,
    draw_options=draw_options,
    conserved=conserved,
    most_versions=20_000,
)
