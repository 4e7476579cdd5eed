"""A table at which kernel commands and hand-made rewinds happen."""

from typing import Any

import msgspec
import pytest

from domain.kernel.decide import (
    Act,
    Command,
    Context,
    Create,
    Join,
    Start,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Record, Rewound, chained
from domain.kernel.fold import evolve, fold
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, decision_id

SEED = bytes(range(32)).hex()


class Table:
    """A game of any ruleset, with all its records and the state after each of them."""

    def __init__(self, ruleset: Ruleset[Any], seats: int = 3, **options: Any) -> None:
        self.ruleset, self.seats = ruleset, seats
        self.records: list[Record] = []
        self.states: list[State | None] = [None]
        self.now = 1_000
        self.options = ruleset.options(**options)

    @property
    def state(self) -> State:
        state = self.states[-1]
        assert state is not None
        return state

    @property
    def decision(self) -> int | None:
        return decision_id(self.state)

    def add(self, *records: Record) -> tuple[Record, ...]:
        for record in records:
            self.records.append(record)
            state = evolve(self.ruleset, self.states[-1], record, self.records)
            self.states.append(state)
        assert fold(self.ruleset, self.records) == self.state
        return records

    def command(self, command: Command, actor: str) -> tuple[Record, ...]:
        self.now += 10
        context = Context(actor, self.now)
        records = decide(self.ruleset, self.states[-1], command, context, self.records)
        return self.add(*records)

    def create(self, **changes: Any) -> "Table":
        fields: dict[str, Any] = {
            "game": "g0001",
            "ruleset_version": self.ruleset.version,
            "options": self.options,
            "seats": self.seats,
            "host": "host",
            "public": True,
            "seed": SEED,
            **changes,
        }
        self.command(Create(**fields), player_actor("host"))
        return self

    def join(self, *players: str, nonce: str | None = None) -> "Table":
        for player in players:
            self.command(Join(player=player, nonce=nonce), player_actor(player))
        return self

    def start(self) -> "Table":
        """Create, fill every seat and start, as far as that has not happened."""
        if not self.records:
            self.create()
        for seat, holder in enumerate(self.state.table.seats):
            if holder is None:
                self.join(f"p{seat}")
        self.command(Start(player="host"), player_actor("host"))
        return self

    def act(
        self, seat: int, action: msgspec.Struct, decision: int | None = None
    ) -> tuple[Record, ...]:
        number = self.decision or 0 if decision is None else decision
        return self.command(Act(seat=seat, decision=number, action=action), seat_actor(seat))

    def rewind(self, to: int) -> Record:
        """Write the event of a ruling by hand; its command comes with another issue."""
        self.now += 10
        record = chained(
            self.state.chain,
            Rewound(to=to),
            version=self.state.version + 1,
            parent=to,
            time=self.now,
            actor="judge:j1",
            count=1,
            seed=bytes.fromhex(self.state.table.seed),
        )
        self.add(record)
        return record


def refusal(call: Any, *arguments: Any, **named: Any) -> Refusal:
    """Give the refusal that a call must raise."""
    with pytest.raises(Refusal) as caught:
        call(*arguments, **named)
    return caught.value
