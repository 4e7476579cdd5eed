"""The pen for a state: what rules write with, and the chance they draw from."""

from typing import Any

from domain.kernel.chance import Chance, chance_key
from domain.kernel.event import TextRef
from domain.kernel.ruleset import Play, Ruleset
from domain.kernel.state import State


def chance_of(state: State) -> Chance:
    """Give the draws of chance that a state goes on with."""
    table = state.table
    key = chance_key(bytes.fromhex(table.seed), table.game, table.nonces)
    return Chance(key, table.draws)


def pen_of(ruleset: Ruleset[Any], state: State, text: TextRef | None = None) -> Play[Any]:
    """Give the pen with which the next events of a running game are written."""
    return Play(ruleset, state.game, state.version, chance_of(state), text)
