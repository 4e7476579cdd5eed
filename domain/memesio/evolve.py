"""Folding: what each event makes of the state. No rule is asked here."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.kernel.decision import ask
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, SeatLeft
from domain.memesio.actions import Alone, Hand
from domain.memesio.cards import DECK, HALF_SCREAMS, RECIPE, Cards
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
from domain.memesio.options import Options
from domain.memesio.sources import (
    FromPacket,
    FromTable,
    Source,
    from_hand,
    from_pantry,
    packets,
)
from domain.memesio.state import (
    TURN,
    Dessert,
    Game,
    Player,
    Turn,
    beneath,
    cards_of,
    nested_in,
    off_top,
    on_top,
    with_cards,
    without,
)

Players = tuple[Player, ...]


def new(seats: int, options: Options) -> Game:
    """Give the state before the set-up: all cards in the deck, nobody's turn yet.

    Raises a Refusal if the first player is none of the seats (ME-1).
    """
    first = options.first_player or 0
    if first >= seats:
        raise Refusal(
            "no_such_first_player",
            rule="ME-1",
            code="invalid",
            pointer="/options/first_player",
            most=seats - 1,
        )
    return Game(
        options=options, players=(Player(),) * seats, deck=DECK, turn=Turn(first), pantry={}
    )


def evolve(game: Game, event: Event, version: int) -> Game:
    """Apply an event to the game."""
    return _EVOLVE[type(event)](game, event, version)


def _changed(players: Players, seat: int, **changes: Any) -> Players:
    changed = replace(players[seat], **changes)
    return (*players[:seat], changed, *players[seat + 1 :])


def _scored(players: Players, seat: int, screams: int) -> Players:
    return _changed(players, seat, score=players[seat].score + screams)


def _drawn(game: Game, seat: int, cards: Cards) -> dict[str, Any]:
    hand = with_cards(game.players[seat].hand, cards)
    return {
        "players": _changed(game.players, seat, hand=hand),
        "deck": game.deck[len(cards) :],
    }


def _own(game: Game, seat: int, number: int) -> tuple[Dessert, tuple[Dessert, ...]]:
    """Give a seat's dessert with a number, and its others."""
    desserts = game.players[seat].desserts
    [dessert] = [dessert for dessert in desserts if dessert.number == number]
    return dessert, tuple(other for other in desserts if other is not dessert)


def _shuffled(game: Game, event: Shuffled, version: int) -> Game:
    return replace(game, deck=event.order)


def _dealt(game: Game, event: Dealt, version: int) -> Game:
    return replace(game, **_drawn(game, event.seat, event.cards))


def _pantry_opened(game: Game, event: PantryOpened, version: int) -> Game:
    return replace(
        game, pantry=on_top(game.pantry, event.cards), deck=game.deck[len(event.cards) :]
    )


def _first_player_drawn(game: Game, event: FirstPlayerDrawn, version: int) -> Game:
    return replace(game, turn=Turn(event.seat))


def _turn_began(game: Game, event: TurnBegan, version: int) -> Game:
    return replace(
        game,
        **_drawn(game, event.seat, event.cards),
        turn=Turn(event.seat, game.turn.number + 1),
        decision=ask(TURN, version, event.awaits),
    )


def _gathered(players: Players, sources: tuple[Source, ...]) -> tuple[Players, Any]:
    """Take the desserts that sources name off the table; give what lies under the new dessert."""
    parts: list[Any] = []
    for source in sources:
        if isinstance(source, FromTable):
            for seat, player in enumerate(players):
                rest = tuple(other for other in player.desserts if other.number != source.dessert)
                if len(rest) < len(player.desserts):
                    parts.extend(other for other in player.desserts if other not in rest)
                    players = _changed(players, seat, desserts=rest)
        elif not isinstance(source, FromPacket):
            parts.append(source.card)
    return players, tuple(parts)


def _cooked(game: Game, event: Cooked, version: int) -> Game:
    sources = event.sources
    players, parts = _gathered(game.players, sources)
    cook = players[event.seat]
    dessert = Dessert(event.dessert, RECIPE[event.card].id, event.card, parts, marked=event.marked)
    used = (event.card, *from_hand(sources), *packets(sources))
    players = _changed(
        players,
        event.seat,
        hand=without(cook.hand, used),
        desserts=(*cook.desserts, dessert),
        score=cook.score + event.screams,
    )
    for share in event.shares:
        players = _scored(players, share.seat, share.screams)
    pantry = off_top(game.pantry, from_pantry(sources))
    return replace(
        game,
        players=players,
        pantry=beneath(pantry, packets(sources)),
        made=event.dessert,
        decision=None,
    )


def _stocked(game: Game, event: Stocked, version: int) -> Game:
    player = game.players[event.seat]
    return replace(
        game,
        players=_changed(
            game.players,
            event.seat,
            hand=without(player.hand, (event.card,)),
            score=player.score + event.screams,
        ),
        pantry=on_top(game.pantry, (event.card,)),
        decision=None,
    )


def _memesio_asked(game: Game, event: MemesioAsked, version: int) -> Game:
    hand = without(game.players[event.seat].hand, (event.card,))
    return replace(
        game,
        players=_changed(game.players, event.seat, hand=with_cards(hand, (event.takes,))),
        pantry=beneath(off_top(game.pantry, (event.takes,)), (event.card,)),
        decision=ask(TURN, version, event.awaits),
    )


def _nyamonas_asked(game: Game, event: NyamonasAsked, version: int) -> Game:
    old, others = _own(game, event.seat, event.dessert)
    dessert = Dessert(event.made, RECIPE[event.takes].id, event.takes)
    pantry = on_top(off_top(game.pantry, (event.takes,)), cards_of(old))
    return replace(
        game,
        players=_changed(
            game.players,
            event.seat,
            hand=without(game.players[event.seat].hand, (event.card,)),
            desserts=(*others, dessert),
        ),
        pantry=beneath(pantry, (event.card,)),
        made=event.made,
        decision=ask(TURN, version, event.awaits),
    )


def _maiti_asked(game: Game, event: MaitiAsked, version: int) -> Game:
    dessert, desserts = _own(game, event.seat, event.dessert)
    hand = without(game.players[event.seat].hand, (event.card,))
    cards, keeps, made = cards_of(dessert), event.keeps, game.made
    if isinstance(keeps, Hand | Alone):
        kept = cards[keeps.place]
        rest = (*cards[: keeps.place], *cards[keeps.place + 1 :])
        if isinstance(keeps, Hand):
            hand = with_cards(hand, (kept,))
        else:
            assert event.made is not None
            made = event.made
            desserts = (*desserts, Dessert(made, RECIPE[kept].id, kept))
    else:
        [(place, nested)] = [
            (place, nested)
            for place, nested in nested_in(dessert)
            if nested.number == keeps.dessert
        ]
        rest = (*cards[:place], *cards[place + len(cards_of(nested)) :])
        desserts = (*desserts, nested)
    return replace(
        game,
        players=_changed(game.players, event.seat, hand=hand, desserts=desserts),
        pantry=beneath(on_top(game.pantry, rest), (event.card,)),
        made=made,
        decision=ask(TURN, version, event.awaits),
    )


def _invented(game: Game, event: Invented, version: int) -> Game:
    player = game.players[event.seat]
    _, parts = _gathered(game.players, event.sources)
    dessert = Dessert(event.dessert, None, None, parts, text=event.text)
    pantry = off_top(game.pantry, from_pantry(event.sources))
    return replace(
        game,
        players=_changed(
            game.players,
            event.seat,
            hand=without(player.hand, (event.card, *from_hand(event.sources))),
            desserts=(*player.desserts, dessert),
        ),
        pantry=beneath(pantry, (event.card,)),
        made=event.dessert,
        decision=None,
    )


def _coin_tossed(game: Game, event: CoinTossed, version: int) -> Game:
    game = replace(
        game,
        players=_scored(game.players, event.seat, event.screams),
        decision=ask(TURN, version, event.awaits),
    )
    if event.heads:
        return game
    dessert, others = _own(game, event.seat, event.dessert)
    return replace(
        game,
        players=_changed(game.players, event.seat, desserts=others),
        spoiled=with_cards(game.spoiled, cards_of(dessert)),
    )


def _cheered(game: Game, event: Cheered, version: int) -> Game:
    return game


def _seat_left(game: Game, event: SeatLeft, version: int) -> Game:
    return replace(game, players=_changed(game.players, event.seat, left=True))


_EVOLVE: dict[type[Event], Callable[[Game, Any, int], Game]] = {
    Shuffled: _shuffled,
    Dealt: _dealt,
    PantryOpened: _pantry_opened,
    FirstPlayerDrawn: _first_player_drawn,
    TurnBegan: _turn_began,
    Cooked: _cooked,
    Stocked: _stocked,
    MemesioAsked: _memesio_asked,
    NyamonasAsked: _nyamonas_asked,
    MaitiAsked: _maiti_asked,
    Invented: _invented,
    CoinTossed: _coin_tossed,
    Cheered: _cheered,
    SeatLeft: _seat_left,
}


def adjust(game: Game, seat: int, points: int) -> Game:
    """Change a seat's score by a ruling, in whole screams; none falls below 0."""
    score = max(0, game.players[seat].score + points * HALF_SCREAMS)
    return replace(game, players=_changed(game.players, seat, score=score))
