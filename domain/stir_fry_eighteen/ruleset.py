"""Stir Fry Eighteen's entry in the catalogue."""

from domain.kernel.ruleset import Ruleset
from domain.stir_fry_eighteen.actions import ACTIONS, FORMS
from domain.stir_fry_eighteen.cards import CARDS
from domain.stir_fry_eighteen.decide import decide, default, leave, reshuffle, set_up
from domain.stir_fry_eighteen.events import EVENTS
from domain.stir_fry_eighteen.evolve import adjust, evolve, new
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.planner import choose
from domain.stir_fry_eighteen.state import Game
from domain.stir_fry_eighteen.styles import EASY, MEDIUM
from domain.stir_fry_eighteen.view import (
    Board,
    ClaimTally,
    ClaimView,
    action_of,
    board,
    claims,
    legal,
    tally,
)

STIR_FRY_EIGHTEEN = Ruleset(
    id="stir-fry-eighteen",
    version=1,
    seats=(2, 5),
    options=Options,
    rules=tuple(f"SF-{number}" for number in range(19)),
    cards=CARDS,
    releases=(),
    actions=ACTIONS,
    forms=FORMS,
    events=EVENTS,
    state=Game,
    view=Board,
    claim=ClaimView,
    tally=ClaimTally,
    new=new,
    set_up=set_up,
    decide=decide,
    leave=leave,
    default=default,
    evolve=evolve,
    reshuffle=reshuffle,
    adjust=adjust,
    legal=legal,
    board=board,
    claims=claims,
    tallies=tally,
    action_of=action_of,
    players={"easy": EASY, "medium": MEDIUM, "planning": choose},
)
