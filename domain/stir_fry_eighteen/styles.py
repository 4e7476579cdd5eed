"""Simple ways to play: the levels below the planner, and four styles to measure players by.

A style goes by fixed frequencies and remembers nothing. In its turn it makes a true claim where it
has one (SF-3, SF-4), or bluffs as often as its style says; then it cooks or collects. It lays down
the cards that it misses least, and never lays a protein truthfully that it could cook now.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.forms import Entropy
from domain.kernel.player import Chooser, Scene
from domain.stir_fry_eighteen.cards import BY_NAME, NOODLES, CardName, ProteinName
from domain.stir_fry_eighteen.decide import HAND_LIMIT, is_truthful
from domain.stir_fry_eighteen.hands import (
    UNIT,
    Judge,
    best_dish,
    cards_of,
    count,
    keeping,
    kinds,
    parts,
    settling,
    units_of,
)
from domain.stir_fry_eighteen.state import PAIR
from domain.stir_fry_eighteen.view import Board

BLUFFED: ProteinName = "shrimp"  # draws most (SF-4)
LAID_TRULY: tuple[ProteinName, ...] = ("shrimp", "pork", "chicken")


class Style(Struct, frozen=True):
    """How often a style does what, in a hundred.

    ``bluffs`` where it has no true claim to make, or does not care to (``truths`` false);
    ``calls`` a claim of a pair and a claim of a protein; ``attentive`` ones always call a protein
    that they see elsewhere. ``settle`` and ``keep`` judge how to end a turn.
    """

    bluffs: tuple[int, int]
    calls: tuple[int, int]
    truths: bool = True
    attentive: bool = True
    settle: Judge = settling
    keep: Judge = keeping

    def chooser(self) -> Chooser:
        """Give the bundled player of this style."""

        def choose(scene: Scene, entropy: Entropy) -> dict[str, Any]:
            return _choose(self, scene, entropy)

        return choose


def _choose(style: Style, scene: Scene, entropy: Entropy) -> dict[str, Any]:
    board: Board = scene.board
    hand = count(board.players[scene.seat].hand or ())
    legal = {str(form.__struct_config__.tag) for form in scene.legal}
    if "pass" in legal:
        called = _calls(style, board, scene.seat, entropy)
        return {"type": "call" if called else "pass"}
    if "reduce" in legal:
        return {"type": "reduce", "cards": list(cards_of(hand - style.keep(hand)[1]))}
    for claim in _claims(style, hand, legal, entropy):
        return claim
    dish = style.settle(hand)[1]
    if dish:
        return {"type": "cook", "cards": list(cards_of(dish))}
    return {"type": "end_turn"}


def _calls(style: Style, board: Board, seat: int, entropy: Entropy) -> bool:
    claim = board.claim
    assert claim is not None
    known = (*(board.players[seat].hand or ()), *board.face_up)
    if style.attentive and claim.declared in known:
        return True
    return entropy.randrange(100) < style.calls[claim.declared != PAIR]


def _claims(style: Style, hand: int, legal: set[str], entropy: Entropy) -> Iterator[dict[str, Any]]:
    """Give the claims that a style cares to make, the first one first."""
    if "discard_pair" in legal:
        true, false = _split(style, hand, 2, lambda cards: is_truthful(PAIR, cards_of(cards)))
        if true and style.truths:
            yield {"type": "discard_pair", "cards": list(cards_of(true[0]))}
        elif false and entropy.randrange(100) < style.bluffs[0]:
            yield {"type": "discard_pair", "cards": list(cards_of(false[0]))}
    if "discard_protein" in legal:
        spare = hand - style.settle(hand)[1]
        for name in LAID_TRULY:
            if style.truths and spare & UNIT[name]:
                yield {"type": "discard_protein", "declared": name, "cards": [name]}
        _, false = _split(style, hand, 1, lambda cards: cards == UNIT[BLUFFED])
        if false and entropy.randrange(100) < style.bluffs[1]:
            laid = list(cards_of(false[0]))
            yield {"type": "discard_protein", "declared": BLUFFED, "cards": laid}


def _split(
    style: Style, hand: int, size: int, fits: Callable[[int], bool]
) -> tuple[Sequence[int], Sequence[int]]:
    """List what may be laid, missed least first: what fits the claim, and what does not."""
    ranked = sorted(parts(hand, size), key=lambda cards: (-style.settle(hand - cards)[0], cards))
    true = [cards for cards in ranked if fits(cards)]
    return true, [cards for cards in ranked if cards not in true]


# How a beginner ends a turn: cook at once what can be cooked, else keep what looks best alone.


def _plain_points(name: CardName) -> int:
    return HAND_LIMIT if name == NOODLES else BY_NAME[name].lines[0].points


def plain_keeping(hand: int) -> tuple[float, int]:
    """Keep different cards before doubles, by what each scores alone."""
    once = sorted(cards_of(kinds(hand)), key=_plain_points, reverse=True)
    kept = count(once[:HAND_LIMIT])
    doubles = units_of(hand - kinds(hand))[: HAND_LIMIT - len(once[:HAND_LIMIT])]
    return float(sum(_plain_points(name) for name in once[:HAND_LIMIT])), kept + sum(doubles)


def plain_settling(hand: int) -> tuple[float, int]:
    """Cook the best dish there is."""
    points, dish = best_dish(hand)
    return points + plain_keeping(hand - dish)[0], dish


EASY = Style(
    bluffs=(15, 15), calls=(15, 15), attentive=False, settle=plain_settling, keep=plain_keeping
).chooser()
MEDIUM = Style(bluffs=(25, 30), calls=(15, 45)).chooser()

STYLES: dict[str, Chooser] = {
    "always-calls": Style(bluffs=(50, 50), calls=(100, 100)).chooser(),
    "never-calls": Style(bluffs=(50, 50), calls=(0, 0), attentive=False).chooser(),
    "always-bluffs": Style(bluffs=(100, 100), calls=(33, 33), truths=False).chooser(),
    "never-bluffs": Style(bluffs=(0, 0), calls=(33, 33)).chooser(),
}
