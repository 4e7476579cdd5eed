"""Games in a position at which a judge rules, every command checked.

A game's ``given`` puts a table into a position that its log does not lead to, so no rewind could
go back to it. Here the log begins with the position: the ruleset's own set-up is left out.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import msgspec
import pytest

from domain.kernel.clock import Clock
from domain.kernel.decide import (
    SERVICE,
    Command,
    Create,
    Default,
    Join,
    MakeMotion,
    NameJudge,
    Rule,
    Seal,
    Start,
    Vote,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Event, Record
from domain.kernel.replay import fault_of
from domain.kernel.rulings import Rewind, Ruling, Undo
from domain.kernel.state import SEAL_AFTER, State, decision_id, seat_deadline, status
from tests.domain.judged import JUDGE, Judged
from tests.domain.kit import Room


def in_position(room: Room, game: Any) -> Room:
    """Give a room whose games begin in a position."""
    decision = msgspec.structs.replace(game.decision, opened=1)
    first = msgspec.structs.replace(game, decision=decision)
    ruleset = replace(room.ruleset, new=lambda seats, options: first, set_up=lambda play: None)
    return replace(room, ruleset=ruleset)


class AtAPosition:
    """Goes before a game's scenario table: that table, begun in a position, with a judge.

    ``events`` are those of the last command. ``when`` is what the state at the start must fulfil:
    seeds are tried until it does, so that chance falls as a scenario needs it.
    """

    room: ClassVar[Room]

    def __init__(
        self,
        position: Any,
        *,
        clock: Clock | None = None,
        when: Callable[[State], bool] = lambda state: True,
    ) -> None:
        self.ids = getattr(position, "ids", {})
        for number in range(100):
            self.checked = Judged(in_position(self.room, position.game))
            self._open(position.game, clock, f"{number:064x}")
            if when(self.checked.state):
                return
        raise AssertionError("no seed does it")

    def _open(self, game: Any, clock: Clock | None, seed: str) -> None:
        host, seats = player_actor("p0"), len(game.players)
        create = Create(
            game="g0001",
            ruleset_version=self.room.ruleset.version,
            options=game.options,
            seats=seats,
            host="p0",
            public=True,
            seed=seed,
            clock=clock,
        )
        self.command(create, host)
        self.command(NameJudge(player="p0", judge=JUDGE), host)
        for seat in range(seats):
            self.command(Join(player=f"p{seat}"), player_actor(f"p{seat}"))
        self.command(Start(player="p0"), host)

    def command(self, command: Command, actor: str) -> Any:
        """Do a command. Raises Refusal."""
        records = self.checked.command(command, actor)
        self.events: list[Event] = [record.event for record in records]
        fault = fault_of(self.checked.ruleset, self.checked.records)
        assert fault is None, fault
        return self

    @property
    def records(self) -> list[Record]:
        return self.checked.records

    @property
    def state(self) -> State:
        return self.checked.state

    @property
    def version(self) -> int:
        return self.state.version

    @property
    def tags(self) -> list[str]:
        """The types of the events of the last command."""
        return [str(event.__struct_config__.tag) for event in self.events]

    def at(self, version: int) -> State:
        """The state that the table was in at a version."""
        return self.checked.states[version - 1]

    def until(self, seat: int) -> int | None:
        """Until when a seat may answer, in ms after the last event."""
        until = seat_deadline(self.state, seat)
        return None if until is None else until - self.state.time

    # When.

    def rules(self, ruling: Ruling) -> Any:
        """Let the judge rule."""
        return self.command(Rule(judge=JUDGE, ruling=ruling), f"judge:{JUDGE}")

    def back_to(self, version: int, *, reshuffle: bool | None = None) -> Any:
        """Let the judge take the game back; what had been asked until then is asked no more."""
        old = decision_id(self.state)
        self.rules(Rewind(version, reshuffle))
        assert self.tags[:2] == ["ruled", "rewound"]
        assert old is None or decision_id(self.state) != old
        return self

    def undone_to(self, version: int, seat: int, *others: int) -> Any:
        """Let a seat ask for an undo, and the others agree."""
        self.command(MakeMotion(seat=seat, motion=Undo(version)), seat_actor(seat))
        motion = self.version
        for other in others:
            self.command(Vote(motion=motion, seat=other, agree=True), seat_actor(other))
        assert "rewound" in self.tags
        return self

    def runs_out(self, seat: int) -> Any:
        """Let a seat's time run out."""
        until = seat_deadline(self.state, seat)
        assert until is not None
        self.checked.now = until
        return self.command(Default(seat=seat, decision=decision_id(self.state) or 0), SERVICE)

    def sealed(self) -> Any:
        """Let the day pass after which nothing can be taken back."""
        assert status(self.state) == "ended"
        self.checked.now = self.state.time + SEAL_AFTER
        return self.command(Seal(), SERVICE)

    def refuses(self, code: str, act: Callable[[], Any]) -> None:
        """What is done here is refused with a code."""
        with pytest.raises(Refusal) as caught:
            act()
        assert caught.value.code == code
