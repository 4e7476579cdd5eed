"""The rules: what each action and each leaving brings about."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from domain.kernel.errors import Refusal
from domain.kernel.ruleset import Play
from domain.stir_fry_eighteen.actions import (
    Action,
    Call,
    Cook,
    DiscardPair,
    DiscardProtein,
    EndTurn,
    Pass,
    Reduce,
)
from domain.stir_fry_eighteen.cards import (
    BY_NAME,
    NOODLES,
    PROTEINS,
    TOFU,
    Cards,
    Declared,
    dish_points,
)
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
from domain.stir_fry_eighteen.options import AccuserReward
from domain.stir_fry_eighteen.state import PAIR, REDUCTION, TASTE_TEST, TURN, Game

DEALT = 3  # SF-1
PAIR_DRAWS = 3  # SF-3
PENALTY = 5  # SF-7, and the least score to call with an empty hand by SF-9
HAND_LIMIT = 3  # SF-12
STALL_ROUNDS = 20  # SF-18

Pen = Play[Game]


# The set-up (SF-1, SF-16).


def set_up(play: Pen) -> None:
    """Shuffle, deal, draw the first player and begin the first turn."""
    if play.game.options.tofu:
        _replace_card(play)
    _shuffle(play)
    for seat in range(len(play.game.players)):
        cards = _top(play.game, DEALT)
        play.write(Dealt(seat=seat, count=len(cards), cards=cards))
    first = play.game.options.first_player
    if first is None:
        number, first = play.chance.pick(len(play.game.players))
        play.write(FirstPlayerDrawn(chance=number, seat=first))
    _begin_turn(play, first)


def _replace_card(play: Pen) -> None:
    number, index = play.chance.pick(len(play.game.deck))
    play.write(CardReplaced(chance=number, card=sorted(play.game.deck)[index]))


def _shuffle(play: Pen) -> None:
    game = play.game
    number, order = play.chance.shuffle((*game.deck, *game.face_down, *game.face_up))
    play.write(Shuffled(chance=number, order=order))


def reshuffle(play: Pen) -> None:
    """Shuffle the deck anew: what nobody has seen, after a rewind."""
    number, order = play.chance.shuffle(play.game.deck)
    play.write(Reshuffled(chance=number, order=order))


def _top(game: Game, asked: int) -> Cards:
    """The cards that a draw of so many takes: what the deck lacks is lost (SF-13)."""
    return tuple(sorted(game.deck[:asked]))


# The course of turns (SF-2, SF-12, SF-14, SF-17, SF-18).


def _begin_turn(play: Pen, seat: int) -> None:
    """Begin turns until one asks its seat; those of seats that left are played by default."""
    while play.game.outcome is None:
        game = play.game
        asked = game.players[seat].owed + 1
        cards = _top(game, asked)
        left = game.players[seat].left
        awaits = () if left else (seat,)
        play.write(TurnBegan(seat=seat, asked=asked, count=len(cards), cards=cards, awaits=awaits))
        if not left:
            return
        _end_turn_of_absent(play)
        seat = (seat + 1) % len(game.players)


def _finish_turn(play: Pen) -> None:
    """Finish the active seat's turn: bonus card, reduction, and on to the next (SF-12)."""
    _meal_bonus(play)
    game = play.game
    seat = game.turn.seat
    excess = len(game.players[seat].hand) - HAND_LIMIT
    if excess > 0 and not game.players[seat].left:
        play.write(ReductionAsked(seat=seat, count=excess, awaits=(seat,)))
        return
    _reduce_at_random(play)
    _close_turn(play)
    if play.game.outcome is None:
        _begin_turn(play, _next_seat(play.game))


def _end_turn_of_absent(play: Pen) -> None:
    _reduce_at_random(play)
    _close_turn(play)


def _meal_bonus(play: Pen) -> None:
    game = play.game
    if game.turn.cooked and game.options.draw_after_cooking and not game.turn.caught:
        _shuffle(play)
        _draw(play, game.turn.seat, DrawReason.MEAL, 1)


def _reduce_at_random(play: Pen) -> None:
    """Reduce the active seat's hand by chance, if it holds too much (SF-17)."""
    seat = play.game.turn.seat
    hand = play.game.players[seat].hand
    excess = len(hand) - HAND_LIMIT
    if excess <= 0:
        return
    number, order = play.chance.shuffle(hand)
    cards = tuple(sorted(order[:excess]))
    play.write(Reduced(seat=seat, count=excess, cards=cards, chance=number))


def _close_turn(play: Pen) -> None:
    """Shuffle the turn's cards back in; then see whether the game ends (SF-14, SF-18)."""
    _shuffle(play)
    game = play.game
    seats = len(game.players)
    dry_turns = 0 if game.turn.cooked else game.dry_turns + 1
    if game.last_turns == 1:
        _end_by_score(play, "SF-14")
    elif dry_turns >= STALL_ROUNDS * seats or game.turn.number == game.options.max_turns:
        _end_by_score(play, "SF-18")


def _next_seat(game: Game) -> int:
    return (game.turn.seat + 1) % len(game.players)


def _end_by_score(play: Pen, rule: str) -> None:
    """End the game: the highest total among those who have not left wins, ties are shared."""
    scores = _scores(play.game)
    present = play.game.present()
    best = max(scores[seat] for seat in present)
    play.end(rule, (seat for seat in present if scores[seat] == best), scores)


def _scores(game: Game) -> tuple[int, ...]:
    return tuple(player.score for player in game.players)


def _draw(
    play: Pen, seat: int, reason: DrawReason, asked: int, awaits: tuple[int, ...] = ()
) -> None:
    cards = _top(play.game, asked)
    play.write(
        Drawn(seat=seat, reason=reason, asked=asked, count=len(cards), cards=cards, awaits=awaits)
    )


# Actions (SF-0, SF-3 to SF-11).


def decide(play: Pen, seat: int, action: Action) -> None:
    """Write what an action of a seat brings about, or refuse it."""
    kind, act = _DECIDE[type(action)]
    _check_asked(play.game, seat, kind, action)
    act(play, seat, action)


def _check_asked(game: Game, seat: int, kind: str, action: Action) -> None:
    decision = game.decision
    assert decision is not None
    if decision.kind != kind:
        raise Refusal("action_not_now", rule="SF-0", action=_tag(action), decision=decision.kind)
    if seat in decision.asked:
        return
    if kind != TASTE_TEST:
        raise Refusal("not_your_turn", rule="SF-0", seat=decision.asked[0])
    claim = game.claim
    assert claim is not None
    if seat == claim.seat:
        raise Refusal("own_claim", rule="SF-6")
    if seat in claim.passed:
        raise Refusal("pass_is_final", rule="SF-6")
    raise Refusal("may_not_call", rule="SF-9", least=PENALTY)


def _tag(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _check_held(game: Game, seat: int, cards: Cards) -> None:
    missing = Counter(cards) - Counter(game.players[seat].hand)
    if missing:
        card = min(missing)
        raise Refusal("card_not_held", rule="SF-0", pointer="/cards", card=card)


def _discard_pair(play: Pen, seat: int, action: DiscardPair) -> None:
    _check_may_claim(play.game)
    if play.game.turn.pair:
        raise Refusal("pair_done", rule="SF-3")
    _check_held(play.game, seat, action.cards)
    _claim(play, seat, PAIR, action.cards)


def _discard_protein(play: Pen, seat: int, action: DiscardProtein) -> None:
    _check_may_claim(play.game)
    if play.game.turn.protein:
        raise Refusal("protein_done", rule="SF-4")
    if action.declared == TOFU and not play.game.options.tofu:
        raise Refusal("no_tofu", rule="SF-16", pointer="/declared")
    _check_held(play.game, seat, action.cards)
    _claim(play, seat, action.declared, action.cards)


def _check_may_claim(game: Game) -> None:
    if game.turn.caught:
        raise Refusal("caught", rule="SF-8")


def _claim(play: Pen, seat: int, declared: Declared, cards: Cards) -> None:
    laid = tuple(sorted(cards))
    awaits = may_call(play.game, seat)
    play.write(Claimed(seat=seat, declared=declared, count=len(laid), laid=laid, awaits=awaits))
    if not awaits:
        _claim_stands(play)


def may_call(game: Game, claimant: int) -> tuple[int, ...]:
    """List the seats that may demand a taste test of a claim (SF-6, SF-9)."""
    return tuple(
        seat
        for seat in game.present()
        if seat != claimant and (game.players[seat].hand or game.players[seat].score >= PENALTY)
    )


def is_truthful(declared: Declared, laid: Cards) -> bool:
    """Judge a claim by exact names (SF-10); tofu may join any card but noodles and proteins."""
    if declared != PAIR:
        return laid == (declared,)
    one, other = laid
    if one == other:
        return True
    if TOFU not in laid:
        return False
    partner = other if one == TOFU else one
    return partner != NOODLES and partner not in PROTEINS


def _claim_stands(play: Pen, declared: Declared | None = None) -> None:
    """Draw for a claim that was not caught; the turn goes on."""
    game = play.game
    if declared is None:
        assert game.claim is not None
        declared = game.claim.declared
    asked = PAIR_DRAWS if declared == PAIR else BY_NAME[declared].draws
    _draw(play, game.turn.seat, DrawReason.CLAIM, asked, _resumes(game))
    _finish_if_absent(play)


def _resumes(game: Game) -> tuple[int, ...]:
    """Whom the turn asks once a claim is settled: nobody if its seat left meanwhile (SF-17)."""
    seat = game.turn.seat
    return () if game.players[seat].left else (seat,)


def _finish_if_absent(play: Pen) -> None:
    if play.game.players[play.game.turn.seat].left:
        _finish_turn(play)


def _pass(play: Pen, seat: int, action: Action | None = None) -> None:
    play.write(Passed(seat=seat))
    if play.game.decision is None:
        _claim_stands(play)


def _call(play: Pen, seat: int, action: Call) -> None:
    game = play.game
    claim = game.claim
    assert claim is not None
    truthful = is_truthful(claim.declared, claim.laid)
    hand = game.players[seat].hand
    at_once = game.options.accuser_reward is AccuserReward.AT_ONCE
    play.write(
        Called(
            seat=seat,
            claimant=claim.seat,
            truthful=truthful,
            laid=claim.laid,
            lost_count=len(hand) if truthful else 0,
            lost=hand if truthful else (),
            penalty=PENALTY if truthful and not hand else 0,
            owed=0 if truthful or at_once else 1,
            awaits=() if truthful or at_once else _resumes(game),
        )
    )
    if truthful:
        _claim_stands(play, claim.declared)
    elif at_once:
        _draw(play, seat, DrawReason.REWARD, 1, _resumes(game))
        _finish_if_absent(play)
    else:
        _finish_if_absent(play)


def _cook(play: Pen, seat: int, action: Cook) -> None:
    game = play.game
    cards = action.cards
    if len(set(cards)) < len(cards):
        raise Refusal("dish_repeats", rule="SF-11", pointer="/cards")
    if NOODLES not in cards:
        raise Refusal("dish_without_noodles", rule="SF-11", pointer="/cards")
    _check_held(game, seat, cards)
    points = dish_points(cards)
    reached = game.players[seat].score + points >= game.options.target
    closing = reached and game.options.close_the_kitchen and game.last_turns is None
    play.write(Cooked(seat=seat, dish=tuple(sorted(cards)), points=points, closing=closing))
    if reached and not game.options.close_the_kitchen:
        play.end("SF-14", (seat,), _scores(play.game))
    else:
        _finish_turn(play)


def _end_turn(play: Pen, seat: int, action: EndTurn | None = None) -> None:
    play.write(TurnEnded(seat=seat))
    _finish_turn(play)


def _reduce(play: Pen, seat: int, action: Reduce) -> None:
    hand = play.game.players[seat].hand
    excess = len(hand) - HAND_LIMIT
    _check_held(play.game, seat, action.cards)
    if len(action.cards) != excess:
        raise Refusal("reduce_to_three", rule="SF-12", pointer="/cards", count=excess)
    cards = tuple(sorted(action.cards))
    play.write(Reduced(seat=seat, count=excess, cards=cards, chance=None))
    _to_next_turn(play)


def _to_next_turn(play: Pen) -> None:
    _close_turn(play)
    if play.game.outcome is None:
        _begin_turn(play, _next_seat(play.game))


_DECIDE: dict[type[Action], tuple[str, Callable[[Pen, int, Any], None]]] = {
    DiscardPair: (TURN, _discard_pair),
    DiscardProtein: (TURN, _discard_protein),
    Cook: (TURN, _cook),
    EndTurn: (TURN, _end_turn),
    Call: (TASTE_TEST, _call),
    Pass: (TASTE_TEST, _pass),
    Reduce: (REDUCTION, _reduce),
}


# Leaving and defaults (SF-17).


def leave(play: Pen, seat: int) -> None:
    """Write what follows when a seat leaves for good: the last one wins, else defaults."""
    present = play.game.present()
    if len(present) == 1:
        play.end("SF-17", present, _scores(play.game))
        return
    decision = play.game.decision
    if decision is not None and seat in decision.asked:
        default(play, seat)


def default(play: Pen, seat: int) -> None:
    """Answer a seat's open decision by default: pass, end the turn, reduce at random."""
    decision = play.game.decision
    assert decision is not None
    if decision.kind == TASTE_TEST:
        _pass(play, seat)
    elif decision.kind == TURN:
        _end_turn(play, seat)
    else:
        _reduce_at_random(play)
        _to_next_turn(play)
