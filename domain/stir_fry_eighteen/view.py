"""What a viewer may see of the state, what a seat may do, and the audit of bluffs."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.event import Event
from domain.kernel.forms import Pick
from domain.kernel.viewer import SeenRecord, Sight
from domain.stir_fry_eighteen import actions
from domain.stir_fry_eighteen.actions import (
    CallForm,
    CookForm,
    DiscardPairForm,
    DiscardProteinForm,
    EndTurnForm,
    Form,
    PassForm,
    ReduceForm,
)
from domain.stir_fry_eighteen.cards import (
    DECLARABLE,
    DISH_LEAST,
    DISH_MOST,
    NOODLES,
    TOFU,
    Cards,
    Declared,
)
from domain.stir_fry_eighteen.decide import HAND_LIMIT, is_truthful
from domain.stir_fry_eighteen.events import (
    Called,
    Claimed,
    Cooked,
    Passed,
    Reduced,
    TurnEnded,
)
from domain.stir_fry_eighteen.state import PAIR, REDUCTION, TASTE_TEST, TURN, Game


class PlayerView(Struct, frozen=True):
    """A seat as the viewer sees it: ``hand`` is null where it is hidden (SF-15)."""

    seat: int
    score: int
    hand_count: int
    hand: Cards | None
    owed: int
    left: bool


class TurnView(Struct, frozen=True):
    """The turn being played: ``pair`` and ``protein`` say which claims have been made."""

    seat: int
    number: int
    pair: bool
    protein: bool
    caught: bool


class OpenClaimView(Struct, frozen=True):
    """The claim that may be tested now: ``laid`` is null where it is hidden (SF-15)."""

    seat: int
    declared: Declared
    count: int
    laid: Cards | None
    passed: tuple[int, ...]


class Board(Struct, frozen=True, tag_field="ruleset", tag="stir-fry-eighteen"):
    """The table of Stir Fry Eighteen as the viewer sees it.

    ``face_up`` are the cards that this turn laid open, ``face_down_count`` counts its other
    discards; ``last_turns`` counts the turns left once the kitchen closes, this one included;
    ``deck`` is shown once the game is sealed, top first.
    """

    turn: TurnView
    players: tuple[PlayerView, ...]
    deck_count: int
    deck: Cards | None
    face_down_count: int
    face_up: Cards
    claim: OpenClaimView | None
    dry_turns: int
    last_turns: int | None


def board(game: Game, sight: Sight) -> Board:
    """Redact the state for a viewer (SF-15)."""
    turn, claim = game.turn, game.claim
    return Board(
        turn=TurnView(turn.seat, turn.number, turn.pair, turn.protein, turn.caught),
        players=tuple(
            PlayerView(
                seat=seat,
                score=player.score,
                hand_count=len(player.hand),
                hand=player.hand if sight.sees(seat) else None,
                owed=player.owed,
                left=player.left,
            )
            for seat, player in enumerate(game.players)
        ),
        deck_count=len(game.deck),
        deck=game.deck if sight.sealed else None,
        face_down_count=len(game.face_down) + (len(claim.laid) if claim else 0),
        face_up=game.face_up,
        claim=None
        if claim is None
        else OpenClaimView(
            seat=claim.seat,
            declared=claim.declared,
            count=len(claim.laid),
            laid=claim.laid if sight.sees(claim.seat) else None,
            passed=claim.passed,
        ),
        dry_turns=game.dry_turns,
        last_turns=game.last_turns,
    )


def legal(game: Game, seat: int) -> tuple[Form, ...]:
    """List what a seat may do now, complete, in a fixed order."""
    decision = game.decision
    if decision is None or seat not in decision.asked:
        return ()
    if decision.kind == TASTE_TEST:
        return (CallForm(), PassForm())
    hand = game.players[seat].hand
    if decision.kind == REDUCTION:
        excess = len(hand) - HAND_LIMIT
        return (ReduceForm(Pick(hand, excess, excess)),)
    assert decision.kind == TURN
    return (*_claim_forms(game, hand), *_cook_forms(hand), EndTurnForm())


def _claim_forms(game: Game, hand: Cards) -> Iterable[Form]:
    turn = game.turn
    if turn.caught:
        return
    if not turn.pair and len(hand) >= 2:
        yield DiscardPairForm(Pick(hand, 2, 2))
    if not turn.protein and hand:
        for name in DECLARABLE:
            if name != TOFU or game.options.tofu:
                yield DiscardProteinForm(name, Pick(hand, 1, 1))


def _cook_forms(hand: Cards) -> Iterable[Form]:
    names = tuple(sorted(set(hand)))
    if NOODLES in names and len(names) >= DISH_LEAST:
        most = min(DISH_MOST, len(names))
        yield CookForm(Pick(names, DISH_LEAST, most, ((NOODLES,),)))


def action_of(event: Event) -> Struct | None:
    """Give the action that a command's first event carries."""
    match event:
        case Claimed(declared=declared, laid=laid):
            if declared == PAIR:
                return actions.DiscardPair(laid)
            return actions.DiscardProtein(declared, laid)
        case Passed():
            return actions.Pass()
        case Called():
            return actions.Call()
        case Cooked(dish=dish):
            return actions.Cook(dish)
        case TurnEnded():
            return actions.EndTurn()
        case Reduced(cards=cards):
            return actions.Reduce(cards)
        case _:
            return None


class ClaimView(Struct, frozen=True, kw_only=True):
    """One claim in the audit of bluffs.

    ``laid`` is null while the viewer may not see it; ``truthful`` likewise; ``caller`` is null
    where nobody demanded a taste test; ``settled`` is the version at which the claim was settled,
    null while its window is open. ``drew`` counts what the claimant drew, ``accuser_drew`` what
    the caller drew at once, ``accuser_lost`` the cards and ``penalty`` the points the caller lost.
    """

    seat: int
    version: int
    declared: Declared
    count: int
    laid: Cards | None
    truthful: bool | None
    passed: tuple[int, ...] = ()
    caller: int | None = None
    settled: int | None = None
    drew: int = 0
    accuser_drew: int = 0
    accuser_owed: int = 0
    accuser_lost: int = 0
    penalty: int = 0


def claims(records: Iterable[SeenRecord]) -> tuple[ClaimView, ...]:
    """Read the audit of bluffs off a viewer's events, oldest claim first."""
    found: list[ClaimView] = []
    for record in records:
        event = record.event
        match event["type"]:
            case "claimed":
                found.append(_new_claim(record.version, event))
            case "passed":
                found[-1] = replace(found[-1], passed=(*found[-1].passed, event["seat"]))
            case "called":
                found[-1] = _called(found[-1], record.version, event)
            case "drawn" if event["reason"] == "claim":
                settled = found[-1].settled or record.version
                found[-1] = replace(found[-1], drew=event["count"], settled=settled)
            case "drawn" if event["reason"] == "reward":
                found[-1] = replace(found[-1], accuser_drew=event["count"])
    return tuple(found)


def _new_claim(version: int, event: dict[str, Any]) -> ClaimView:
    laid = event["laid"].get("value")
    declared = event["declared"]
    return ClaimView(
        seat=event["seat"],
        version=version,
        declared=declared,
        count=event["count"],
        laid=None if laid is None else tuple(laid),
        truthful=None if laid is None else is_truthful(declared, tuple(laid)),
    )


def _called(claim: ClaimView, version: int, event: dict[str, Any]) -> ClaimView:
    return replace(
        claim,
        laid=tuple(event["laid"]),
        truthful=event["truthful"],
        caller=event["seat"],
        settled=version,
        accuser_owed=event["owed"],
        accuser_lost=event["lost_count"],
        penalty=event["penalty"],
    )
