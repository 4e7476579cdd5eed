"""What a viewer may see of the state, and what a seat may do."""

from collections.abc import Iterable

from msgspec import Struct

from domain.kernel.event import Event
from domain.kernel.forms import OneOf
from domain.kernel.viewer import SeenRecord, Sight
from domain.memesio import actions
from domain.memesio.actions import (
    NAME_MOST,
    Alone,
    AskMaitiForm,
    AskMemesioForm,
    AskNyamonasForm,
    CookForm,
    Form,
    Hand,
    InventForm,
    Keeps,
    Nested,
    StockForm,
)
from domain.memesio.cards import HALF_SCREAMS, RECIPE, SPECIAL, Cards
from domain.memesio.choices import Mixture, Words
from domain.memesio.cooking import cookable
from domain.memesio.deck import INGREDIENTS, IngredientName
from domain.memesio.events import (
    Cooked,
    Invented,
    MaitiAsked,
    MemesioAsked,
    NyamonasAsked,
    Stocked,
)
from domain.memesio.state import Dessert, Game, Player, cards_of, nested_in, without

TRACK_CELLS = 20  # ME-12
INVENTION_LEAST, INVENTION_MOST = 2, 3  # ME-11


class Track(Struct, frozen=True):
    """A marker on the scream track: laps from 1, cells from 0, in half-cells (ME-12)."""

    lap: int
    half_cell: int


class PlayerView(Struct, frozen=True):
    """A seat as the viewer sees it: ``hand`` is null where it is hidden (ME-15).

    ``score`` is in half-screams. ``hat`` says that the seat has won the chef's hat (ME-14).
    """

    seat: int
    score: int
    track: Track
    hand_count: int
    hand: Cards | None
    desserts: tuple[Dessert, ...]
    left: bool
    hat: bool


class TurnView(Struct, frozen=True):
    """The turn being played."""

    seat: int
    number: int


class Stack(Struct, frozen=True):
    """One stack of the pantry, top card first."""

    ingredient: IngredientName
    cards: Cards


class Board(Struct, frozen=True, tag_field="ruleset", tag="memesio"):
    """The table of Memesio's Café as the viewer sees it.

    ``spoiled`` are the ingredients of failed inventions, out of the game; ``deck`` is shown once
    the game is sealed, top first.
    """

    turn: TurnView
    players: tuple[PlayerView, ...]
    pantry: tuple[Stack, ...]
    deck_count: int
    deck: Cards | None
    spoiled: Cards


def board(game: Game, sight: Sight) -> Board:
    """Redact the state for a viewer (ME-15)."""
    winners = game.outcome.winners if game.outcome else ()
    return Board(
        turn=TurnView(game.turn.seat, game.turn.number),
        players=tuple(
            PlayerView(
                seat=seat,
                score=player.score,
                track=track(player.score),
                hand_count=len(player.hand),
                hand=player.hand if sight.sees(seat) else None,
                desserts=player.desserts,
                left=player.left,
                hat=seat in winners,
            )
            for seat, player in enumerate(game.players)
        ),
        pantry=tuple(Stack(name, game.pantry[name]) for name in INGREDIENTS if name in game.pantry),
        deck_count=len(game.deck),
        deck=game.deck if sight.sealed else None,
        spoiled=game.spoiled,
    )


def track(score: int) -> Track:
    """Put a score in half-screams on the scream track (ME-12)."""
    laps, half_cell = divmod(score, TRACK_CELLS * HALF_SCREAMS)
    return Track(laps + 1, half_cell)


def legal(game: Game, seat: int) -> tuple[Form, ...]:
    """List what a seat may do now, complete, in a fixed order."""
    decision = game.decision
    if decision is None or seat not in decision.asked:
        return ()
    player = game.players[seat]
    cooking = (CookForm(card, sources) for card, sources in cookable(game, seat))
    kinds = tuple(dict.fromkeys(player.hand))
    return (*cooking, StockForm(OneOf(kinds)), *_special_forms(game, player, kinds))


def _special_forms(game: Game, player: Player, kinds: Cards) -> Iterable[Form]:
    tops = tuple(game.pantry[name][0] for name in INGREDIENTS if name in game.pantry)
    recipes = tuple(card for card in tops if card in RECIPE)
    for card in kinds:
        match SPECIAL.get(card):
            case "memesio" if recipes:
                yield AskMemesioForm(card, OneOf(recipes))
            case "nyamonas" if recipes and player.desserts:
                numbers = tuple(dessert.number for dessert in player.desserts)
                yield AskNyamonasForm(card, OneOf(numbers), OneOf(recipes))
            case "maiti":
                for dessert in player.desserts:
                    yield AskMaitiForm(card, dessert.number, OneOf(tuple(_keeps(dessert))))
            case "ladle":
                yield from _invent_forms(game, card, without(player.hand, (card,)))


def _keeps(dessert: Dessert) -> Iterable[Keeps]:
    cards = cards_of(dessert)
    for place, card in enumerate(cards):
        yield Hand(place)
        if card in RECIPE:
            yield Alone(place)
    for _, nested in nested_in(dessert):
        yield Nested(nested.number)


def _invent_forms(game: Game, card: str, hand: Cards) -> Iterable[Form]:
    stacks = tuple(
        game.pantry[name][:INVENTION_MOST] for name in INGREDIENTS if name in game.pantry
    )
    most = min(INVENTION_MOST, len(hand) + sum(map(len, stacks)))
    if most >= INVENTION_LEAST:
        mixture = Mixture(hand, stacks, INVENTION_LEAST, most)
        yield InventForm(card, mixture, Words(1, NAME_MOST))


def action_of(event: Event) -> Struct | None:
    """Give the action that a command's first event carries; an invention's name is left empty."""
    match event:
        case Cooked(card=card, sources=sources):
            return actions.Cook(card, sources)
        case Stocked(card=card, chance=None):
            return actions.Stock(card)
        case MemesioAsked(card=card, takes=takes):
            return actions.AskMemesio(card, takes)
        case NyamonasAsked(card=card, dessert=dessert, takes=takes):
            return actions.AskNyamonas(card, dessert, takes)
        case MaitiAsked(card=card, dessert=dessert, keeps=keeps):
            return actions.AskMaiti(card, dessert, keeps)
        case Invented(card=card, sources=sources):
            return actions.Invent(card, sources, "")
        case _:
            return None


def claims(records: Iterable[SeenRecord]) -> tuple[Struct, ...]:
    """Give the audit of bluffs: there are none in this game."""
    return ()
