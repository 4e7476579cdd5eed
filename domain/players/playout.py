"""Whole games between bundled players, without a service: for simulations and tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.decide import (
    Act,
    Command,
    Context,
    Create,
    NameJudge,
    SeatBundled,
    Start,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.event import Record
from domain.kernel.fold import evolve, fold
from domain.kernel.forms import Entropy
from domain.kernel.player import Chooser, choose_at_random
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, decision_id
from domain.kernel.viewer import SeenRecord, Sight, seen
from domain.players.bundled import scene

HOST = "simulation"


class Playout:
    """A game that grows command by command. ``records`` is its log, ``state`` its state."""

    def __init__(self, ruleset: Ruleset[Any], time: int = 1) -> None:
        self.ruleset = ruleset
        self.records: list[Record] = []
        self.state: State | None = None
        self.time = time
        self._action_type = ruleset.action_type
        self._seen: dict[int, list[SeenRecord]] = {}

    def command(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Decide a command, apply it and give its records. Raises Refusal."""
        self.time += 1
        context = Context(actor, self.time)
        records = decide(self.ruleset, self.state, command, context, self.records)
        for record in records:
            self.records.append(record)
            self.state = evolve(self.ruleset, self.state, record, self.records)
        return records

    def open(
        self,
        *,
        game: str,
        seats: int,
        seed: str,
        options: msgspec.Struct,
        judge: str | None = None,
    ) -> None:
        """Create a table, with a judge if one is named, seat bundled players and start."""
        host = player_actor(HOST)
        self.command(
            Create(
                game=game,
                ruleset_version=self.ruleset.version,
                options=options,
                seats=seats,
                host=HOST,
                public=True,
                seed=seed,
            ),
            host,
        )
        if judge is not None:
            self.command(NameJudge(player=HOST, judge=judge), host)
        for _ in range(seats):
            self.command(SeatBundled(player=HOST, bundled="random"), host)
        self.command(Start(player=HOST), host)

    def resume(self, records: Sequence[Record]) -> None:
        """Go on from a log that was begun elsewhere."""
        self.records = list(records)
        self._seen = {}
        self.state = fold(self.ruleset, records)
        self.time = self.state.time

    def act(self, seat: int, action: msgspec.Struct) -> tuple[Record, ...]:
        """Let a seat answer the open decision."""
        assert self.state is not None
        decision = decision_id(self.state) or 0
        return self.command(Act(seat=seat, decision=decision, action=action), seat_actor(seat))

    def step(self, entropy: Entropy, choosers: Mapping[int, Chooser] | None = None) -> bool:
        """Let one of the seats that are asked act; False once the game has ended."""
        assert self.state is not None
        game = self.state.game
        if game.decision is None:
            return False
        asked = game.decision.asked
        seat = asked[entropy.randrange(len(asked))]
        chooser = (choosers or {}).get(seat, choose_at_random)
        options = msgspec.convert(self.state.table.options, self.ruleset.options)
        shown = scene(self.ruleset, game, options, seat, lambda: self.seen_by(seat))
        self.act(seat, msgspec.convert(chooser(shown, entropy), self._action_type))
        return True

    def seen_by(self, seat: int) -> Sequence[SeenRecord]:
        """Give the log so far as a seat sees it; what it has seen is kept."""
        assert self.state is not None
        secret, view = bytes.fromhex(self.state.table.seed), Sight(seats=(seat,))
        known = self._seen.setdefault(seat, [])
        known += [seen(record, view, secret) for record in self.records[len(known) :]]
        return known
