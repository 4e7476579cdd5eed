"""A toy game for the kernel's own tests: it asks, it is answered, it tosses a coin.

Its event ``coin_tossed`` has had three schemas: the side was a number, then a field ``face``.
"""

from typing import Any, ClassVar

import msgspec

from domain.kernel.decision import Order, answered, ask
from domain.kernel.errors import Refusal
from domain.kernel.event import Audience, Event, Hidden, SeatLeft, snake_case
from domain.kernel.ruleset import Play, Ruleset
from domain.kernel.state import GameState
from domain.kernel.viewer import SeenRecord, Sight


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int = 1_000


class Action(
    msgspec.Struct, frozen=True, tag_field="type", tag=snake_case, forbid_unknown_fields=True
):
    pass


class Ask(Action, frozen=True):
    order: Order
    seats: tuple[int, ...]


class Answer(Action, frozen=True):
    secret: str = ""


class Toss(Action, frozen=True):
    pass


class Finish(Action, frozen=True):
    pass


class Begun(Event, frozen=True):
    pass


class Asked(Event, frozen=True):
    order: Order
    seats: tuple[int, ...]


class Answered(Event, frozen=True):
    hidden: ClassVar[Hidden] = {"secret": Audience.SEAT, "other": Audience.NOBODY}

    seat: int
    secret: str
    other: str


class CoinTossed(Event, frozen=True):
    schema: ClassVar[int] = 3

    chance: int
    side: str


def from_1(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "face": ["heads", "tails"][fields["face"]]}


def from_2(fields: dict[str, Any]) -> dict[str, Any]:
    return {"side" if name == "face" else name: value for name, value in fields.items()}


class Game(GameState, frozen=True, kw_only=True):
    seats: int
    tossed: tuple[str, ...] = ()
    left: tuple[int, ...] = ()


class Board(msgspec.Struct, frozen=True):
    tossed: tuple[str, ...]


def new(seats: int, options: Options) -> Game:
    if options.rounds == 0:
        raise Refusal("no_rounds", code="invalid", pointer="/options/rounds")
    return Game(seats=seats)


def set_up(play: Play[Game]) -> None:
    play.write(Begun())


def decide(play: Play[Game], seat: int, action: Action) -> None:
    decision = play.game.decision
    assert decision is not None
    if seat not in decision.asked:
        raise Refusal("not_asked", rule="T-0")
    match action:
        case Ask():
            play.write(Asked(order=action.order, seats=action.seats))
        case Answer():
            play.write(Answered(seat=seat, secret=action.secret, other=action.secret))
            if play.game.decision is None:
                play.write(Begun())
        case Toss():
            number, side = play.chance.pick(2)
            play.write(CoinTossed(chance=number, side=["heads", "tails"][side]))
        case Finish():
            play.end("T-1", (seat,), (1,) * play.game.seats)


def leave(play: Play[Game], seat: int) -> None:
    pass


def default(play: Play[Game], seat: int) -> None:
    play.write(Answered(seat=seat, secret="", other=""))
    if play.game.decision is None:
        play.write(Begun())


def evolve(game: Game, event: Any, version: int) -> Game:
    replace = msgspec.structs.replace
    match event:
        case Begun():
            return replace(game, decision=ask("turn", version, (0,)))
        case Asked():
            return replace(game, decision=ask("question", version, event.seats, event.order))
        case Answered():
            return replace(game, decision=answered(game.decision, event.seat))
        case CoinTossed():
            tossed = (*game.tossed, event.side)
            return replace(game, tossed=tossed, decision=ask("turn", version, (0,)))
        case SeatLeft():
            return replace(game, left=(*game.left, event.seat))
    raise AssertionError(event)


def legal(game: Game, seat: int) -> list[Action]:
    return []


def board(game: Game, sight: Sight) -> Board:
    return Board(game.tossed)


def claims(records: Any) -> list[SeenRecord]:
    return []


def action_of(event: Any) -> Action | None:
    match event:
        case Asked():
            return Ask(event.order, event.seats)
        case Answered():
            return Answer(event.secret)
        case CoinTossed():
            return Toss()
    return None


TOY = Ruleset(
    id="toy",
    version=1,
    seats=(1, 4),
    options=Options,
    rules=("T-0", "T-1"),
    cards=(),
    releases=(),
    actions=(Ask, Answer, Toss, Finish),
    forms=(Ask, Answer, Toss, Finish),
    events=(Begun, Asked, Answered, CoinTossed),
    state=Game,
    view=Board,
    claim=None,
    new=new,
    set_up=set_up,
    decide=decide,
    leave=leave,
    default=default,
    evolve=evolve,
    reshuffle=lambda play: None,
    adjust=None,
    legal=legal,
    board=board,
    claims=claims,
    action_of=action_of,
    upcasters={("coin_tossed", 1): from_1, ("coin_tossed", 2): from_2},
)
