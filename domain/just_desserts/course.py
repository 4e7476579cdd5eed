"""The course of a game: set-up, turns, decks, the clearing of the centre, and how it ends."""

from domain.just_desserts.cards import Desserts, duplicates, points, wins
from domain.just_desserts.events import (
    ClearingAsked,
    Dealt,
    DessertsReshuffled,
    DessertsShuffled,
    Drawn,
    DrawReason,
    FirstPlayerDrawn,
    GuestDiscarded,
    GuestRevealed,
    GuestsReshuffled,
    GuestsShuffled,
    TurnBegan,
)
from domain.just_desserts.state import Game
from domain.kernel.ruleset import Play

DEALT = 3  # JD-1: desserts to each hand
REVEALED = 3  # JD-1: guests to the centre
IDLE_ROUNDS, DRY_ROUNDS = 3, 20  # JD-51

Pen = Play[Game]


# The set-up (JD-1).


def set_up(play: Pen) -> None:
    """Shuffle both decks, deal, reveal, draw the first player and begin the first turn."""
    _shuffle_desserts(play)
    number, guests = play.chance.shuffle(play.game.guest_deck)
    play.write(GuestsShuffled(chance=number, doorway=None, guest_order=guests))
    for seat in range(len(play.game.players)):
        desserts = _top(play.game, DEALT)
        play.write(Dealt(seat=seat, count=len(desserts), desserts=desserts))
    for _ in range(REVEALED):
        _reveal(play)
    first = play.game.options.first_player
    if first is None:
        number, first = play.chance.pick(len(play.game.players))
        play.write(FirstPlayerDrawn(chance=number, seat=first))
    _begin_turn(play, first)


# The two decks (JD-8, JD-9).


def _shuffle_desserts(play: Pen) -> None:
    game = play.game
    number, order = play.chance.shuffle((*game.dessert_deck, *game.dessert_discards))
    play.write(DessertsShuffled(chance=number, dessert_order=order))


def _renew_desserts(play: Pen) -> None:
    """Make a new deck of the discarded desserts if the deck is empty (JD-8)."""
    if not play.game.dessert_deck and play.game.dessert_discards:
        _shuffle_desserts(play)


def _renew_guests(play: Pen) -> None:
    """Make a new deck of the guests under the doorway if the deck is empty (JD-9)."""
    doorway, under = play.game.guest_discards[:1], play.game.guest_discards[1:]
    if not play.game.guest_deck and under:
        number, order = play.chance.shuffle(under)
        play.write(GuestsShuffled(chance=number, doorway=doorway[0], guest_order=order))


def reshuffle(play: Pen) -> None:
    """Shuffle both decks anew: what nobody has seen, after a rewind."""
    number, desserts = play.chance.shuffle(play.game.dessert_deck)
    play.write(DessertsReshuffled(chance=number, dessert_order=desserts))
    number, guests = play.chance.shuffle(play.game.guest_deck)
    play.write(GuestsReshuffled(chance=number, guest_order=guests))


def _top(game: Game, asked: int) -> Desserts:
    return tuple(sorted(game.dessert_deck[:asked]))


def draw(play: Pen, seat: int, reason: DrawReason, asked: int) -> None:
    """Draw desserts for a seat, across a new deck if need be; what is lacking is lost (JD-8)."""
    rest = asked
    while True:
        _renew_desserts(play)
        desserts = _top(play.game, rest)
        count = len(desserts)
        play.write(Drawn(seat=seat, reason=reason, asked=rest, count=count, desserts=desserts))
        rest -= count
        _renew_desserts(play)
        if not rest or not play.game.dessert_deck:
            return


def _reveal(play: Pen) -> None:
    """Reveal a guest, if there is one (JD-2, JD-9)."""
    _renew_guests(play)
    if play.game.guest_deck:
        play.write(GuestRevealed(guest=play.game.guest_deck[0]))
        _renew_guests(play)


def _is_idle(game: Game) -> bool:
    """Say whether there is nothing to draw or reveal (JD-51)."""
    drawable = game.dessert_deck or game.dessert_discards
    revealable = game.guest_deck or len(game.guest_discards) > 1
    return not drawable and not revealable


# Turns (JD-2, JD-7, JD-50, JD-51).


def _begin_turn(play: Pen, seat: int) -> None:
    """Begin turns until one asks its seat; those of seats that left only reveal and clear."""
    while True:
        left = play.game.players[seat].left
        idle_turns, dry_turns = _fruitless_turns(play.game)
        idle = _is_idle(play.game)
        asked = 0 if left else 1
        if asked:
            _renew_desserts(play)
        desserts = _top(play.game, asked)
        play.write(
            TurnBegan(
                seat=seat,
                asked=asked,
                count=len(desserts),
                desserts=desserts,
                idle=idle,
                idle_turns=idle_turns,
                dry_turns=dry_turns,
                awaits=() if left else (seat,),
            )
        )
        if asked:
            _renew_desserts(play)
        _reveal(play)
        if not left:
            return
        _clear_at_random(play)
        if _ends_by_stall(play):
            return
        seat = _next_seat(play.game)


def finish_turn(play: Pen) -> None:
    """Clear the centre at the end of a turn, by choice or by chance, and go on (JD-7, JD-50)."""
    game = play.game
    seat = game.turn.seat
    if game.players[seat].left:
        _clear_at_random(play)
    elif duplicates(game.centre):
        play.write(ClearingAsked(seat=seat, awaits=(seat,)))
        return
    to_next_turn(play)


def to_next_turn(play: Pen) -> None:
    """Go on to the next turn, unless nothing happens any more (JD-51)."""
    if not _ends_by_stall(play):
        _begin_turn(play, _next_seat(play.game))


def discard_at_random(play: Pen) -> None:
    """Let chance discard one of the guests that share a suit (JD-50)."""
    centre = play.game.centre
    candidates = duplicates(centre)
    number, index = play.chance.pick(len(candidates))
    guest = candidates[index]
    seat = play.game.turn.seat
    more = duplicates(other for other in centre if other != guest)
    left = play.game.players[seat].left
    awaits = (seat,) if more and not left else ()
    play.write(GuestDiscarded(seat=seat, guest=guest, chance=number, awaits=awaits))


def _clear_at_random(play: Pen) -> None:
    while duplicates(play.game.centre):
        discard_at_random(play)


def _next_seat(game: Game) -> int:
    return (game.turn.seat + 1) % len(game.players)


def _fruitless_turns(game: Game) -> tuple[int, int]:
    """Count turns in a row, the present one included: idle ones, and without a guest gained."""
    turn = game.turn
    if turn.served or not turn.number:
        return 0, 0
    return game.idle_turns + 1 if turn.idle else 0, game.dry_turns + 1


def _ends_by_stall(play: Pen) -> bool:
    """End the game if it no longer gets anywhere (JD-51); say whether it has ended."""
    seats = len(play.game.players)
    idle_turns, dry_turns = _fruitless_turns(play.game)
    if idle_turns < IDLE_ROUNDS * seats and dry_turns < DRY_ROUNDS * seats:
        return False
    _end_by_points(play, "JD-51")
    return True


# Gains and ends (JD-10, JD-11).


def after_gain(play: Pen, seat: int) -> None:
    """See whether a gained guest ends the game; else finish the turn if it asks nothing more."""
    game = play.game
    if wins(game.players[seat].guests):
        play.end("JD-10", (seat,), scores(game))
    elif not (game.guest_deck or game.guest_discards or game.centre):
        _end_by_points(play, "JD-11")
    elif game.decision is None:
        finish_turn(play)


def scores(game: Game) -> tuple[int, ...]:
    """Score all seats (JD-11)."""
    return tuple(points(player.guests) for player in game.players)


def _end_by_points(play: Pen, rule: str) -> None:
    """End the game: most points, then most desserts in hand, then shared (JD-11).

    Those who left cannot win (JD-50).
    """
    game = play.game
    totals = scores(game)
    ranks = {seat: (totals[seat], len(game.players[seat].hand)) for seat in game.present()}
    best = max(ranks.values())
    play.end(rule, (seat for seat, rank in ranks.items() if rank == best), totals)
