"""The test kit of every game: checked playouts, non-interference, planted leaks.

A game's tests describe it once as a :class:`Room` (by convention the constant ``ROOM`` of
``tests/domain/<game>/room.py``) and get from here:

``play_checked``   a whole random game, each command checked against every invariant there is;
``difference``     the first outlet on which two histories differ for a viewer;
``LEAKS``          faults to plant, one at a time, to see that ``difference`` finds them;
``confirmed``      the hidden parts that a viewer can confirm by trying candidates on digests;
``Follower``       a bookkeeping of one's own that follows a history across rewinds.
"""

from tests.domain.kit.chain import canonical_again, chain_again
from tests.domain.kit.histories import Follower, begun, ends_of, rechained
from tests.domain.kit.interference import (
    Probe,
    answer,
    confirmed,
    difference,
    masked,
    random_probes,
)
from tests.domain.kit.leaks import LEAKS, secret_of, shared_salt
from tests.domain.kit.playing import CheckedGame, play_checked
from tests.domain.kit.room import HOST, TEXT, Room, sights
from tests.domain.kit.tally import Tally

__all__ = [
    "HOST",
    "LEAKS",
    "TEXT",
    "CheckedGame",
    "Follower",
    "Probe",
    "Room",
    "Tally",
    "answer",
    "begun",
    "canonical_again",
    "chain_again",
    "confirmed",
    "difference",
    "ends_of",
    "masked",
    "play_checked",
    "random_probes",
    "rechained",
    "secret_of",
    "shared_salt",
    "sights",
]
