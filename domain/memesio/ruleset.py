"""Memesio's Café's entry in the catalogue."""

from domain.kernel.ruleset import Release, Ruleset
from domain.memesio.actions import ACTIONS, FORMS
from domain.memesio.balance import Balance
from domain.memesio.cards import CARDS
from domain.memesio.decide import decide, default, leave, reshuffle, set_up
from domain.memesio.events import EVENTS
from domain.memesio.evolve import adjust, evolve, new
from domain.memesio.options import Options
from domain.memesio.planner import choose
from domain.memesio.state import Game
from domain.memesio.view import Board, action_of, board, claims, legal

RELEASES = (
    Release("ME-5", "a scream for stocking comes, or fails to come, by what the hand could cook"),
    Release("ME-13", "the game ends, or goes on, by what could be cooked from all hidden cards"),
)

MEMESIO = Ruleset(
    id="memesio",
    version=1,
    seats=(2, 5),
    options=Options,
    rules=tuple(f"ME-{number}" for number in range(17)),
    cards=CARDS,
    releases=RELEASES,
    actions=ACTIONS,
    forms=FORMS,
    events=EVENTS,
    state=Game,
    view=Board,
    claim=None,
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
    action_of=action_of,
    players={"planning": choose},
    balance=Balance,
    free_text={"invent": "name"},
)
