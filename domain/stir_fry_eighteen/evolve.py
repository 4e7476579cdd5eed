"""Folding: what each event makes of the state. No rule is asked here."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.kernel.decision import Order, answered, ask
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, SeatLeft
from domain.stir_fry_eighteen.cards import DECK, TOFU, Cards
from domain.stir_fry_eighteen.events import (
    Called,
    CardReplaced,
    Claimed,
    Cooked,
    Dealt,
    Drawn,
    DrawReason,
    FirstPlayerDrawn,
    Passed,
    Reduced,
    ReductionAsked,
    Reshuffled,
    Shuffled,
    TurnBegan,
    TurnEnded,
)
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.state import (
    PAIR,
    REDUCTION,
    TASTE_TEST,
    TURN,
    Claim,
    Game,
    Player,
    Turn,
    with_cards,
    without,
)


def new(seats: int, options: Options) -> Game:
    """Give the state before the set-up: all cards in the deck, nobody's turn yet.

    Raises Refusal if the first player's seat is not at this table (SF-1).
    """
    first = options.first_player or 0
    if first >= seats:
        raise Refusal(
            "no_such_first_player",
            rule="SF-1",
            code="invalid",
            pointer="/options/first_player",
            most=seats - 1,
        )
    return Game(options=options, players=(Player(),) * seats, deck=DECK, turn=Turn(first))


def evolve(game: Game, event: Event, version: int) -> Game:
    """Apply an event to the game."""
    return _EVOLVE[type(event)](game, event, version)


def _player(game: Game, seat: int, **changes: Any) -> tuple[Player, ...]:
    players = game.players
    changed = replace(players[seat], **changes)
    return (*players[:seat], changed, *players[seat + 1 :])


def _take(game: Game, seat: int, cards: Cards) -> dict[str, Any]:
    hand = with_cards(game.players[seat].hand, cards)
    return {"players": _player(game, seat, hand=hand), "deck": game.deck[len(cards) :]}


def _card_replaced(game: Game, event: CardReplaced, version: int) -> Game:
    return replace(game, deck=with_cards(without(game.deck, (event.card,)), (TOFU,)))


def _shuffled(game: Game, event: Shuffled, version: int) -> Game:
    return replace(game, deck=event.order, face_down=(), face_up=())


def _reshuffled(game: Game, event: Reshuffled, version: int) -> Game:
    return replace(game, deck=event.order)


def _dealt(game: Game, event: Dealt, version: int) -> Game:
    return replace(game, **_take(game, event.seat, event.cards))


def _first_player_drawn(game: Game, event: FirstPlayerDrawn, version: int) -> Game:
    return replace(game, turn=Turn(event.seat))


def _turn_began(game: Game, event: TurnBegan, version: int) -> Game:
    last = game.turn
    game = replace(game, **_take(game, event.seat, event.cards))
    return replace(
        game,
        players=_player(game, event.seat, owed=0),
        turn=Turn(event.seat, last.number + 1),
        dry_turns=0 if last.cooked or last.number == 0 else game.dry_turns + 1,
        last_turns=None if game.last_turns is None else game.last_turns - 1,
        decision=ask(TURN, version, event.awaits),
    )


def _claimed(game: Game, event: Claimed, version: int) -> Game:
    hand = without(game.players[event.seat].hand, event.laid)
    pair = event.declared == PAIR
    return replace(
        game,
        players=_player(game, event.seat, hand=hand),
        turn=replace(game.turn, pair=game.turn.pair or pair, protein=game.turn.protein or not pair),
        claim=Claim(event.seat, event.declared, event.laid),
        decision=ask(TASTE_TEST, version, event.awaits, Order.AT_ONCE),
    )


def _passed(game: Game, event: Passed, version: int) -> Game:
    claim = game.claim
    assert claim is not None
    return replace(
        game,
        claim=replace(claim, passed=(*claim.passed, event.seat)),
        decision=answered(game.decision, event.seat),
    )


def _called(game: Game, event: Called, version: int) -> Game:
    accuser = game.players[event.seat]
    return replace(
        game,
        players=_player(
            game,
            event.seat,
            hand=without(accuser.hand, event.lost),
            score=accuser.score - event.penalty,
            owed=accuser.owed + event.owed,
        ),
        face_up=with_cards(game.face_up, event.laid),
        face_down=with_cards(game.face_down, event.lost),
        turn=replace(game.turn, caught=game.turn.caught or not event.truthful),
        claim=None,
        decision=ask(TURN, version, event.awaits),
    )


def _drawn(game: Game, event: Drawn, version: int) -> Game:
    face_down = game.face_down
    if event.reason is DrawReason.CLAIM and game.claim is not None:
        face_down = with_cards(face_down, game.claim.laid)
    return replace(
        game,
        **_take(game, event.seat, event.cards),
        face_down=face_down,
        claim=None,
        decision=ask(TURN, version, event.awaits),
    )


def _cooked(game: Game, event: Cooked, version: int) -> Game:
    cook = game.players[event.seat]
    return replace(
        game,
        players=_player(
            game,
            event.seat,
            hand=without(cook.hand, event.dish),
            score=max(0, cook.score + event.points),
        ),
        face_up=with_cards(game.face_up, event.dish),
        turn=replace(game.turn, cooked=True),
        last_turns=len(game.players) if event.closing else game.last_turns,
        decision=None,
    )


def _turn_ended(game: Game, event: TurnEnded, version: int) -> Game:
    return replace(game, decision=None)


def _reduction_asked(game: Game, event: ReductionAsked, version: int) -> Game:
    return replace(game, decision=ask(REDUCTION, version, event.awaits))


def _reduced(game: Game, event: Reduced, version: int) -> Game:
    return replace(
        game,
        players=_player(game, event.seat, hand=without(game.players[event.seat].hand, event.cards)),
        face_down=with_cards(game.face_down, event.cards),
        decision=None,
    )


def _seat_left(game: Game, event: SeatLeft, version: int) -> Game:
    return replace(game, players=_player(game, event.seat, left=True, owed=0))


_EVOLVE: dict[type[Event], Callable[[Game, Any, int], Game]] = {
    CardReplaced: _card_replaced,
    Shuffled: _shuffled,
    Reshuffled: _reshuffled,
    Dealt: _dealt,
    FirstPlayerDrawn: _first_player_drawn,
    TurnBegan: _turn_began,
    Claimed: _claimed,
    Passed: _passed,
    Called: _called,
    Drawn: _drawn,
    Cooked: _cooked,
    TurnEnded: _turn_ended,
    ReductionAsked: _reduction_asked,
    Reduced: _reduced,
    SeatLeft: _seat_left,
}


def adjust(game: Game, seat: int, points: int) -> Game:
    """Change a seat's score by a ruling; none falls below 0 (SF-9)."""
    return replace(
        game, players=_player(game, seat, score=max(0, game.players[seat].score + points))
    )
