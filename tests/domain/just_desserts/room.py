"""Just Desserts, as the test kit must know it."""

from collections import Counter
from random import Random

from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.state import Game
from tests.domain.just_desserts.facts import desserts_in_play, guests_in_play
from tests.domain.kit import Room


def desserts_of(game: Game) -> list[str]:
    """List every dessert, wherever it lies; offered ones are still in a hand."""
    places = [player.hand for player in game.players]
    places += [game.dessert_deck, game.dessert_discards]
    return sorted(dessert for place in places for dessert in place)


def guests_of(game: Game) -> list[str]:
    """List every guest, wherever it stands."""
    places = [player.guests for player in game.players]
    places += [game.guest_deck, game.guest_discards, game.centre]
    return sorted(guest for place in places for guest in place)


def conserved(game: Game) -> None:
    """Each dessert and each guest of the game is in exactly one place, always."""
    assert desserts_of(game) == desserts_in_play(game.options)
    assert guests_of(game) == guests_in_play(game.options)
    for player in game.players:
        assert list(player.hand) == sorted(player.hand), "a hand's order tells something"
    if game.offer is not None:
        hand = game.players[game.offer.seat].hand
        assert not Counter(game.offer.desserts) - Counter(hand), "an offer out of another's hand"
        assert game.offer.guest in game.players[game.offer.owner].guests


def draw_options(random: Random, seats: int) -> Options:
    """Draw options, each combination now and then."""
    return Options(
        first_player=random.choice((None, None, random.randrange(seats))),
        advanced=random.random() < 0.6,
        poaching=random.choice((None, None, True, False)),
        buffet=random.choice((None, None, True, False)),
        just_coffee=random.random() < 0.4,
        better_with_bacon=random.random() < 0.4,
    )


ROOM = Room(
    ruleset=JUST_DESSERTS,
    draw_options=draw_options,
    conserved=conserved,
    most_versions=5_000,
)
