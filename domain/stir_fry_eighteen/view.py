"""What a viewer may see of the state, what a seat may do, and the audit of bluffs."""

from collections.abc import Iterable, Sequence
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
    the caller drew at once, ``accuser_owed`` what later, ``accuser_lost`` the cards and
    ``penalty`` the points the caller lost. ``undone`` says that a rewind took the claim itself
    back, and ``rewinds`` are the versions of those that took it or its outcome back.
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
    undone: bool = False
    rewinds: tuple[int, ...] = ()


class ClaimTally(Struct, frozen=True, kw_only=True):
    """How a seat bluffed and called, over the claims that stand; shown once the game is sealed.

    Rates are null where there was nothing to count. Cards and points won and lost are those of
    calling: a caller wins cards from a bluff, and loses the hand or points to a true claim.
    """

    seat: int
    claims: int
    bluffs: int
    caught: int
    asked: int
    calls: int
    calls_right: int
    cards_won: int
    cards_lost: int
    points_lost: int
    bluff_rate: float | None
    caught_rate: float | None
    call_rate: float | None


def claims(records: Iterable[SeenRecord]) -> tuple[ClaimView, ...]:
    """Read the audit of bluffs off a viewer's events, oldest claim first.

    A rewind sets the claims back to how they stood at its version; those made since are undone.
    """
    found: tuple[ClaimView, ...] = ()
    at: list[tuple[ClaimView, ...]] = [()]
    for record in records:
        if record.event["type"] == "rewound":
            found = _taken_back(found, at[record.event["to"]], record.version)
        else:
            found = _after(found, record.version, record.event)
        at.append(found)
    return found


def _after(
    found: tuple[ClaimView, ...], version: int, event: dict[str, Any]
) -> tuple[ClaimView, ...]:
    if event["type"] == "claimed":
        return (*found, _new_claim(version, event))
    place = next((i for i in reversed(range(len(found))) if not found[i].undone), None)
    if place is None:
        return found
    claim = _changed(found[place], version, event)
    return (*found[:place], claim, *found[place + 1 :])


def _changed(claim: ClaimView, version: int, event: dict[str, Any]) -> ClaimView:
    match event["type"]:
        case "passed":
            return replace(claim, passed=(*claim.passed, event["seat"]))
        case "called":
            return _called(claim, version, event)
        case "drawn" if event["reason"] == "claim":
            return replace(claim, drew=event["count"], settled=claim.settled or version)
        case "drawn" if event["reason"] == "reward":
            return replace(claim, accuser_drew=event["count"])
        case _:
            return claim


def _taken_back(
    now: tuple[ClaimView, ...], then: tuple[ClaimView, ...], rewind: int
) -> tuple[ClaimView, ...]:
    before = {claim.version: claim for claim in then}
    return tuple(_set_back(claim, before.get(claim.version), rewind) for claim in now)


def _set_back(claim: ClaimView, then: ClaimView | None, rewind: int) -> ClaimView:
    rewinds = (*claim.rewinds, rewind)
    if then is None:
        return claim if claim.undone else replace(claim, undone=True, rewinds=rewinds)
    if replace(then, rewinds=claim.rewinds) == claim:
        return claim
    return replace(then, rewinds=rewinds)


def tally(found: Iterable[ClaimView], seats: int) -> tuple[ClaimTally, ...]:
    """Count each seat's bluffs and calls over the claims that stand, all of them known."""
    standing = [claim for claim in found if not claim.undone]
    return tuple(_tally_of(seat, standing) for seat in range(seats))


def _tally_of(seat: int, standing: Sequence[ClaimView]) -> ClaimTally:
    own = [claim for claim in standing if claim.seat == seat]
    bluffs = [claim for claim in own if claim.truthful is False]
    caught = [claim for claim in bluffs if claim.caller is not None]
    calls = [claim for claim in standing if claim.caller == seat]
    asked = len(calls) + sum(seat in claim.passed for claim in standing)
    return ClaimTally(
        seat=seat,
        claims=len(own),
        bluffs=len(bluffs),
        caught=len(caught),
        asked=asked,
        calls=len(calls),
        calls_right=sum(claim.truthful is False for claim in calls),
        cards_won=sum(claim.accuser_drew + claim.accuser_owed for claim in calls),
        cards_lost=sum(claim.accuser_lost for claim in calls),
        points_lost=sum(claim.penalty for claim in calls),
        bluff_rate=_rate(len(bluffs), len(own)),
        caught_rate=_rate(len(caught), len(bluffs)),
        call_rate=_rate(len(calls), asked),
    )


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


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
