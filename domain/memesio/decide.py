"""The rules: what each action and each leaving brings about."""

from collections.abc import Callable
from typing import Any

from domain.kernel.errors import Refusal
from domain.kernel.ruleset import Play
from domain.memesio.actions import (
    Action,
    Alone,
    AskMaiti,
    AskMemesio,
    AskNyamonas,
    Cook,
    Hand,
    Invent,
    Nested,
    Stock,
)
from domain.memesio.cards import (
    HALF_SCREAMS,
    INGREDIENT,
    RECIPE,
    SPECIAL,
    CardName,
    Cards,
)
from domain.memesio.cheers import cheers
from domain.memesio.cooking import check_invention, check_sources, cooks_something, success
from domain.memesio.deck import SpecialName
from domain.memesio.ending import can_go_on
from domain.memesio.events import (
    Cheered,
    CoinTossed,
    Cooked,
    Dealt,
    FirstPlayerDrawn,
    Invented,
    MaitiAsked,
    MemesioAsked,
    NyamonasAsked,
    PantryOpened,
    Shuffled,
    Stocked,
    TurnBegan,
)
from domain.memesio.state import Dessert, Game, cards_of, nested_in

DEALT = 4  # ME-1
OPENED = 4  # ME-1
NEW_INGREDIENT = 1 * HALF_SCREAMS  # ME-5
HEADS_FACTOR = 2  # ME-11

Pen = Play[Game]


# The set-up (ME-1).


def reshuffle(play: Pen) -> None:
    """Shuffle the deck anew: what nobody has seen, after a rewind."""
    number, order = play.chance.shuffle(play.game.deck)
    play.write(Shuffled(chance=number, order=order))


def set_up(play: Pen) -> None:
    """Shuffle, deal, open the pantry, draw the first player and begin the first turn."""
    seats = len(play.game.players)
    number, order = play.chance.shuffle(play.game.deck)
    play.write(Shuffled(chance=number, order=order))
    for seat in range(seats):
        cards = tuple(sorted(play.game.deck[:DEALT]))
        play.write(Dealt(seat=seat, count=len(cards), cards=cards))
    play.write(PantryOpened(cards=play.game.deck[:OPENED]))
    first = play.game.options.first_player
    if first is None:
        number, first = play.chance.pick(seats)
        play.write(FirstPlayerDrawn(chance=number, seat=first))
    if not _end(play):
        _begin_turn(play, first)


# The course of turns (ME-2, ME-13, ME-14, ME-16).


def _begin_turn(play: Pen, seat: int) -> None:
    """Begin turns until one asks its seat, or the game ends.

    A seat without a card has no play; those of seats that left are played by default.
    """
    while True:
        game = play.game
        cards = game.deck[:1]
        player = game.players[seat]
        awaits = () if player.left or not (player.hand or cards) else (seat,)
        play.write(TurnBegan(seat=seat, count=len(cards), cards=cards, awaits=awaits))
        if awaits:
            return
        if play.game.players[seat].hand:
            _stock_at_random(play, seat)
        if _end(play):
            return
        seat = _next_seat(play.game)


def _finish_turn(play: Pen) -> None:
    if not _end(play):
        _begin_turn(play, _next_seat(play.game))


def _next_seat(game: Game) -> int:
    return (game.turn.seat + 1) % len(game.players)


def _end(play: Pen) -> bool:
    """End the game if nothing more can be cooked (ME-13); say whether it did."""
    if can_go_on(play.game):
        return False
    play.end("ME-13", winners(play.game), _scores(play.game))
    return True


def winners(game: Game) -> tuple[int, ...]:
    """Find who wins: most screams, then most desserts on the table, then shared (ME-14)."""
    ranks = {
        seat: (game.players[seat].score, len(game.players[seat].desserts))
        for seat in game.present()
    }
    best = max(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


def _scores(game: Game) -> tuple[int, ...]:
    return tuple(player.score for player in game.players)


# Checks that several actions share (ME-0, ME-6).


def decide(play: Pen, seat: int, action: Action) -> None:
    """Write what an action of a seat brings about, or refuse it."""
    decision = play.game.decision
    assert decision is not None
    if seat not in decision.asked:
        raise Refusal("not_your_turn", rule="ME-0", seat=decision.asked[0])
    _DECIDE[type(action)](play, seat, action)


def _check_held(game: Game, seat: int, card: CardName) -> None:
    if card not in game.players[seat].hand:
        raise Refusal("card_not_held", rule="ME-0", pointer="/card", card=card)


def _check_special(game: Game, seat: int, card: CardName, special: SpecialName, rule: str) -> None:
    if SPECIAL.get(card) != special:
        raise Refusal("wrong_special", rule=rule, pointer="/card", card=card)
    _check_held(game, seat, card)


def _check_on_top(game: Game, card: CardName, rule: str) -> None:
    """Check that a card is on top of its stack and has a recipe (ME-7, ME-8)."""
    name = INGREDIENT.get(card)
    if name is None or game.pantry.get(name, ())[:1] != (card,):
        raise Refusal("not_on_top", rule=rule, pointer="/takes", card=card)
    if card not in RECIPE:
        raise Refusal("special_has_no_recipe", rule=rule, pointer="/takes", card=card)


def _check_own(game: Game, seat: int, number: int, rule: str) -> Dessert:
    """Check that a dessert is on the table, before its seat (ME-8, ME-9)."""
    found = game.find(number)
    if found is None:
        raise Refusal("no_such_dessert", rule="ME-0", pointer="/dessert", dessert=number)
    author, dessert = found
    if author != seat:
        raise Refusal("not_your_dessert", rule=rule, pointer="/dessert", seat=author)
    return dessert


# The play that ends a turn (ME-3 to ME-5, ME-12).


def _cook(play: Pen, seat: int, action: Cook) -> None:
    game = play.game
    _check_held(game, seat, action.card)
    recipe = RECIPE.get(action.card)
    if recipe is None:
        raise Refusal("special_has_no_recipe", rule="ME-3", pointer="/card", card=action.card)
    check_sources(game, seat, action.card, recipe, action.sources)
    screams, shares, marked = success(game, seat, recipe, action.sources)
    dessert = game.made + 1
    play.write(
        Cooked(
            seat=seat,
            card=action.card,
            sources=action.sources,
            dessert=dessert,
            marked=marked,
            screams=screams,
            shares=shares,
        )
    )
    _cheer(play, seat, screams, _opponents(game, seat), dessert)
    for share in shares:
        _cheer(play, share.seat, share.screams, (seat,), dessert)
    _finish_turn(play)


def _opponents(game: Game, seat: int) -> tuple[int, ...]:
    """List the others who are still there, in seat order from the seat after this one."""
    seats = len(game.players)
    around = ((seat + step) % seats for step in range(1, seats))
    return tuple(other for other in around if not game.players[other].left)


def _cheer(play: Pen, seat: int, screams: int, by: tuple[int, ...], dessert: int) -> None:
    sounds = cheers(screams, by, dessert)
    if sounds:
        play.write(Cheered(seat=seat, sounds=sounds))


def _stock(play: Pen, seat: int, action: Stock) -> None:
    game = play.game
    _check_held(game, seat, action.card)
    new = INGREDIENT[action.card] not in game.pantry
    screams = NEW_INGREDIENT if new and not cooks_something(game, seat) else 0
    play.write(Stocked(seat=seat, card=action.card, screams=screams, chance=None))
    _finish_turn(play)


def _stock_at_random(play: Pen, seat: int) -> None:
    """Stock a card that chance chooses; it earns nothing (ME-16)."""
    hand = play.game.players[seat].hand
    number, index = play.chance.pick(len(hand))
    play.write(Stocked(seat=seat, card=hand[index], screams=0, chance=number))


# Special cards, before the play (ME-6 to ME-11).


def _still_plays(seat: int, hand: Cards, used: int = 1, gained: int = 0) -> tuple[int, ...]:
    """Whom the turn asks after a special card: nobody if no card is left in hand (ME-2)."""
    return (seat,) if len(hand) - used + gained > 0 else ()


def _go_on(play: Pen) -> None:
    if play.game.decision is None:
        _finish_turn(play)


def _ask_memesio(play: Pen, seat: int, action: AskMemesio) -> None:
    _check_special(play.game, seat, action.card, "memesio", "ME-7")
    _check_on_top(play.game, action.takes, "ME-7")
    play.write(MemesioAsked(seat=seat, card=action.card, takes=action.takes, awaits=(seat,)))


def _ask_nyamonas(play: Pen, seat: int, action: AskNyamonas) -> None:
    game = play.game
    _check_special(game, seat, action.card, "nyamonas", "ME-8")
    _check_own(game, seat, action.dessert, "ME-8")
    _check_on_top(game, action.takes, "ME-8")
    play.write(
        NyamonasAsked(
            seat=seat,
            card=action.card,
            dessert=action.dessert,
            takes=action.takes,
            made=game.made + 1,
            awaits=_still_plays(seat, game.players[seat].hand),
        )
    )
    _go_on(play)


def _ask_maiti(play: Pen, seat: int, action: AskMaiti) -> None:
    game = play.game
    _check_special(game, seat, action.card, "maiti", "ME-9")
    dessert = _check_own(game, seat, action.dessert, "ME-9")
    keeps = action.keeps
    _check_keeps(dessert, keeps)
    gained = 1 if isinstance(keeps, Hand) else 0
    play.write(
        MaitiAsked(
            seat=seat,
            card=action.card,
            dessert=action.dessert,
            keeps=keeps,
            made=game.made + 1 if isinstance(keeps, Alone) else None,
            awaits=_still_plays(seat, game.players[seat].hand, gained=gained),
        )
    )
    _go_on(play)


def _check_keeps(dessert: Dessert, keeps: Hand | Alone | Nested) -> None:
    if isinstance(keeps, Nested):
        if all(nested.number != keeps.dessert for _, nested in nested_in(dessert)):
            raise Refusal(
                "not_nested", rule="ME-9", pointer="/keeps/dessert", dessert=keeps.dessert
            )
        return
    cards = cards_of(dessert)
    if keeps.place >= len(cards):
        raise Refusal("no_such_place", rule="ME-9", pointer="/keeps/place", most=len(cards) - 1)
    if isinstance(keeps, Alone) and cards[keeps.place] not in RECIPE:
        raise Refusal(
            "special_has_no_recipe",
            rule="ME-9",
            pointer="/keeps/place",
            card=cards[keeps.place],
        )


def _invent(play: Pen, seat: int, action: Invent) -> None:
    game = play.game
    _check_special(game, seat, action.card, "ladle", "ME-11")
    check_invention(game, seat, action.card, action.sources)
    dessert = game.made + 1
    play.write(
        Invented(
            seat=seat,
            card=action.card,
            sources=action.sources,
            dessert=dessert,
            text=play.text,
        )
    )
    number, side = play.chance.pick(2)
    heads = side == 0
    screams = len(action.sources) * HALF_SCREAMS * HEADS_FACTOR if heads else 0
    awaits = _still_plays(seat, play.game.players[seat].hand, used=0)
    play.write(
        CoinTossed(
            chance=number,
            seat=seat,
            dessert=dessert,
            heads=heads,
            screams=screams,
            awaits=awaits,
        )
    )
    _cheer(play, seat, screams, _opponents(game, seat), dessert)
    _go_on(play)


_DECIDE: dict[type[Action], Callable[[Pen, int, Any], None]] = {
    Cook: _cook,
    Stock: _stock,
    AskMemesio: _ask_memesio,
    AskNyamonas: _ask_nyamonas,
    AskMaiti: _ask_maiti,
    Invent: _invent,
}


# Leaving and defaults (ME-16).


def leave(play: Pen, seat: int) -> None:
    """Write what follows when a seat leaves for good: the last one wins, else defaults."""
    present = play.game.present()
    if len(present) == 1:
        play.end("ME-16", present, _scores(play.game))
        return
    decision = play.game.decision
    if decision is not None and seat in decision.asked:
        default(play, seat)


def default(play: Pen, seat: int) -> None:
    """Answer a seat's open decision by default: stock a random card."""
    _stock_at_random(play, seat)
    _finish_turn(play)
