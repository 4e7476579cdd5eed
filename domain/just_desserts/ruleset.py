"""Just Desserts' entry in the catalogue."""

from domain.just_desserts.actions import ACTIONS, FORMS
from domain.just_desserts.cards import CARDS
from domain.just_desserts.course import reshuffle, set_up
from domain.just_desserts.decide import decide, default, leave
from domain.just_desserts.events import EVENTS
from domain.just_desserts.evolve import evolve, new
from domain.just_desserts.options import Options
from domain.just_desserts.planner import choose
from domain.just_desserts.state import Game
from domain.just_desserts.view import Board, action_of, board, claims, legal
from domain.kernel.ruleset import Release, Ruleset

RULES = (
    *(f"JD-{number}" for number in range(13)),
    *(f"JD-{number}" for number in range(20, 26)),
    "JD-30",
    "JD-40",
    "JD-50",
    "JD-51",
)

JUST_DESSERTS = Ruleset(
    id="just-desserts",
    version=1,
    seats=(2, 5),
    options=Options,
    rules=RULES,
    cards=CARDS,
    releases=(
        Release("JD-2", "a guest that is revealed was the top one of the guest deck"),
        Release("JD-50", "the hand of a player who leaves is discarded open to all"),
    ),
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
    adjust=None,
    legal=legal,
    board=board,
    claims=claims,
    action_of=action_of,
    players={"planning": choose},
)
