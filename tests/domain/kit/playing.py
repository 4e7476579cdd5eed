"""Whole games, each command checked against every invariant there is."""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Any, Union

import msgspec

from domain.kernel import recording
from domain.kernel import viewer as kernel_viewer
from domain.kernel.codec import codec_of, encode
from domain.kernel.decide import (
    SERVICE,
    Act,
    Command,
    Context,
    Create,
    Default,
    Join,
    SeatBundled,
    Start,
    Vacate,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import Audience, Record, Rewound
from domain.kernel.fold import evolve, fold
from domain.kernel.forms import fill, fits
from domain.kernel.replay import command_of
from domain.kernel.state import State, Table, decision_id, status
from domain.kernel.viewer import SEALED, SeenRecord
from tests.domain.kit.attempts import near_miss, random_struct
from tests.domain.kit.chain import chain_again
from tests.domain.kit.room import HOST, TEXT, Room, sights, to_json
from tests.domain.kit.tally import Tally


class CheckedGame:
    """A game that is checked against every invariant at every command.

    ``records`` is its log, ``states`` the state after each of them.
    """

    def __init__(self, room: Room, *, game: str = "g0001") -> None:
        self.room = room
        self.ruleset = room.observed
        self.game = game
        self.records: list[Record] = []
        self.states: list[State] = []
        self.tally = Tally(games=1)
        self._time = 1_000
        self._codec = codec_of(room.ruleset)
        self._forms: Any = Union[room.ruleset.forms]  # noqa: UP007 - built at run time
        self._action: Any = room.ruleset.action_type
        self._salts: set[str] = set()
        self._chains: dict[str, bytes] = {}

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    # Commands.

    def try_command(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Decide a command without applying it. Raises Refusal."""
        before = self.states[-1] if self.states else None
        bytes_before = to_json(before)
        try:
            return decide(self.ruleset, before, command, Context(actor, self._time))
        finally:
            assert to_json(before) == bytes_before, "deciding changed the state"

    def command(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Decide a command, check all that can be checked of it, and apply it."""
        self._time += 7
        before = self.states[-1] if self.states else None
        self.room.games_seen.clear()
        records = self.try_command(command, actor)
        drawn = list(self.room.games_seen)
        self._check_envelopes(before, records, actor)
        for record in records:
            self._apply(record)
        if drawn:
            assert drawn == [self.state.game], "the pen and the fold disagree about the game"
        self._check_again(before, command, records, actor)
        self._check_views()
        self.tally.commands += 1
        return records

    def _check_envelopes(self, before: State | None, records: Sequence[Record], actor: str) -> None:
        assert records, "a command without an event"
        version = before.version if before else 0
        for index, record in enumerate(records):
            assert record.version == version + 1 + index
            if not isinstance(record.event, Rewound):
                assert record.parent == record.version - 1
            assert record.count == (len(records) if index == 0 else 0)
            assert record.actor == actor
            assert record.schema == record.event.schema
            assert record.time == self._time
        assert len(self.records) + len(records) <= self.room.most_versions, "an endless game?"

    def _apply(self, record: Record) -> None:
        """Apply an event twice, both times from its stored bytes, and compare."""
        before = self.states[-1] if self.states else None
        bytes_before = to_json(before)
        stored = encode(record)
        decoded = self._codec.decode(record.version, stored, record.chain)
        assert decoded == record, "an event changes on its way through the store"
        assert encode(decoded) == stored
        history = [*self.records, record] if isinstance(record.event, Rewound) else ()
        after = evolve(self.ruleset, before, record, history)
        assert evolve(self.ruleset, before, decoded, history) == after, "evolve is not a function"
        assert to_json(before) == bytes_before, "evolve changed the state before"
        self._check_state(after)
        self.records.append(record)
        self.states.append(after)
        self.tally.events += 1
        self.tally.event_types[str(record.event.__struct_config__.tag)] += 1
        self._check_seen(record, after)

    def _check_state(self, state: State) -> None:
        table = msgspec.json.decode(to_json(state.table), type=Table)
        assert table == state.table, "a table changes on its way through JSON"
        game = state.game
        if game is None:
            return
        again = msgspec.json.decode(to_json(game), type=self.room.ruleset.state)
        assert again == game, "a game changes on its way through JSON"
        self.room.conserved(game)

    def _check_seen(self, record: Record, state: State) -> None:
        """Check what each viewer sees of an event: one event, hidden parts hidden, chain sound."""
        seed = bytes.fromhex(state.table.seed)
        for name, sight in {**sights(len(state.table.seats)), "sealed": SEALED}.items():
            shown = kernel_viewer.seen(record, sight, seed)
            assert shown.version == record.version
            assert shown.chain == record.chain.hex()
            for part, audience in record.event.hidden.items():
                may = sight.sealed or (
                    audience is Audience.SEAT and sight.sees(getattr(record.event, "seat", -1))
                )
                keys = {"digest", "salt", "value"} if may else {"digest"}
                assert set(shown.event[part]) == keys, f"{name} sees {part}"
                if name == "sealed":
                    salt = shown.event[part]["salt"]
                    assert salt not in self._salts, "a salt is used twice"
                    self._salts.add(salt)
            if name in ("spectator", "sealed"):
                written = to_json(shown)
                assert to_json(msgspec.json.decode(written, type=SeenRecord)) == written
                start = hashlib.sha256(b"potluck/chain/1\n" + self.game.encode()).digest()
                previous = self._chains.get(name) or start
                assert chain_again(previous, shown) == record.chain, f"{name}'s chain"
                self._chains[name] = record.chain

    def _check_again(
        self, before: State | None, command: Command, records: Sequence[Record], actor: str
    ) -> None:
        """A recording can be checked: the first event carries the whole command."""
        read = command_of(self.room.ruleset, before, records[0])
        assert read is not None, f"no command begins with {records[0].event}"
        again = decide(self.room.ruleset, before, read, Context(actor, records[0].time))
        assert again == tuple(records), f"{read} does not do the same as {command}"

    def _check_views(self) -> None:
        state, ruleset = self.state, self.room.ruleset
        game = state.game
        if game is None:
            return
        for sight in (*sights(len(state.table.seats)).values(), SEALED):
            board = ruleset.board(game, sight)
            assert to_json(msgspec.json.decode(to_json(board), type=ruleset.view)) == to_json(board)
        asked = () if game.decision is None else game.decision.asked
        assert (game.decision is None) == (game.outcome is not None)
        assert [seat for seat in asked if state.table.seats[seat].left] == []
        for seat in range(len(state.table.seats)):
            forms = ruleset.legal(game, seat)
            assert bool(forms) == (seat in asked), "a seat has something to do just if it is asked"
            for form in forms:
                assert msgspec.json.decode(to_json(form), type=self._forms) == form

    # Legal is what is accepted.

    def attempt(self, seat: int, action: dict[str, Any]) -> bool:
        """Try an action's JSON value: accepted just if it fits a listed form. It is not done."""
        ruleset, game = self.room.ruleset, self.state.game
        try:
            typed = msgspec.convert(action, self._action)
        except msgspec.ValidationError:
            self.tally.attempts["misshapen"] += 1
            return False
        fitting = any(fits(form, typed) for form in ruleset.legal(game, seat))
        text = TEXT if action["type"] in ruleset.free_text else None
        command = Act(seat=seat, decision=decision_id(self.state) or 0, action=typed, text=text)
        refusal = self._refusal(command, seat_actor(seat))
        if refusal is None:
            assert fitting, f"seat {seat}: {action} is accepted but not listed"
            self.tally.attempts["accepted"] += 1
            return True
        assert not fitting, f"seat {seat}: {action} is listed and refused: {refusal}"
        self._check_refusal(refusal, action)
        self.tally.attempts["refused"] += 1
        return False

    def _refusal(self, command: Command, actor: str) -> Refusal | None:
        try:
            self.try_command(command, actor)
        except Refusal as refusal:
            return refusal
        return None

    def _check_refusal(self, refusal: Refusal, action: dict[str, Any]) -> None:
        if refusal.code == "illegal-action":
            assert refusal.rule in self.room.ruleset.rules, f"{refusal} cites no rule"
        assert refusal.key
        to_json(refusal.params)
        if refusal.pointer is not None:
            assert refusal.pointer.split("/")[1] in (*action, "decision", "seat")
        self.tally.refusals[f"{refusal.rule} {refusal.key}"] += 1

    def probe(self, random: Random) -> None:
        """Try a form of each kind, near misses, and things out of the blue."""
        decision = self.state.game.decision
        if decision is None:
            return
        types = self.room.ruleset.actions
        for seat in range(len(self.state.table.seats)):
            forms = list(self.room.ruleset.legal(self.state.game, seat))
            if not forms:
                if random.random() < 0.3:
                    self.attempt(seat, random_struct(random.choice(types), random))
                continue
            for form in random.sample(forms, min(len(forms), 2)):
                action = fill(form, random)
                assert self.attempt(seat, msgspec.to_builtins(action))
                self.attempt(seat, near_miss(action, types, random))
            self.attempt(seat, random_struct(random.choice(types), random))

    # The course of a game.

    def open(self, random: Random, seats: int, options: msgspec.Struct) -> None:
        """Create the table, fill it with players and bundled players, and start."""
        self.command(
            Create(
                game=self.game,
                ruleset_version=self.ruleset.version,
                options=options,
                seats=seats,
                host=HOST,
                public=True,
                seed=random.randbytes(32).hex(),
            ),
            player_actor(HOST),
        )
        for seat in random.sample(range(seats), seats):
            if random.random() < 0.7:
                nonce = random.choice((None, random.randbytes(16).hex()))
                join = Join(player=f"p{seat}", seat=seat, nonce=nonce)
                self.command(join, player_actor(f"p{seat}"))
            else:
                bundled = SeatBundled(player=HOST, bundled="random", seat=seat)
                self.command(bundled, player_actor(HOST))
        self.command(Start(player=HOST), player_actor(HOST))

    def act(self, seat: int, action: dict[str, Any]) -> tuple[Record, ...]:
        """Let a seat answer the open decision."""
        typed = msgspec.convert(action, self._action)
        text = TEXT if action["type"] in self.room.ruleset.free_text else None
        decision = decision_id(self.state) or 0
        act = Act(seat=seat, decision=decision, action=typed, text=text)
        return self.command(act, seat_actor(seat))

    def leave(self, seat: int) -> None:
        """Let the player of a seat leave for good."""
        holder = self.state.table.seats[seat]
        assert holder is not None
        assert holder.player is not None
        self.command(Vacate(player=holder.player, seat=seat), player_actor(holder.player))

    def step(self, random: Random, leaving: float = 0.0, lapsing: float = 0.0) -> bool:
        """Let something happen; False once the game has ended."""
        game = self.state.game
        if game.decision is None:
            assert game.outcome is not None, "nobody is asked, and the game goes on"
            return False
        staying = [
            number
            for number, seat in enumerate(self.state.table.seats)
            if seat.player is not None and not seat.left
        ]
        seat = random.choice(game.decision.asked)
        if staying and random.random() < leaving:
            self.leave(random.choice(staying))
        elif random.random() < lapsing:
            decision = decision_id(self.state) or 0
            self.command(Default(seat=seat, decision=decision), SERVICE)
        else:
            form = random.choice(self.room.ruleset.legal(game, seat))
            self.act(seat, msgspec.to_builtins(fill(form, random)))
        return True

    def finish(self) -> None:
        """Check what only a whole game can show."""
        assert status(self.state) == "sealed"
        assert fold(self.room.ruleset, self.records) == self.state
        outcome = self.state.game.outcome
        assert outcome.reason in self.room.ruleset.rules
        assert len(outcome.scores) == len(self.state.table.seats)
        assert set(outcome.winners) <= set(range(len(outcome.scores)))
        self.tally.endings[outcome.reason] += 1
        seed = bytes.fromhex(self.state.table.seed)
        shown = [kernel_viewer.seen(record, SEALED, seed) for record in self.records]
        lines = [line.encode() for line in recording.write(self.state, shown)]
        verdict = recording.verify(lines, {self.room.ruleset.id: self.room.ruleset})
        assert verdict.exit_code == 0, verdict
        if self.room.ruleset.claim is not None:
            for claim in self.room.ruleset.claims(shown):
                again = msgspec.json.decode(to_json(claim), type=self.room.ruleset.claim)
                assert again == claim


def play_checked(
    room: Room,
    entropy: int | str,
    *,
    seats: int | None = None,
    options: msgspec.Struct | None = None,
    leaving: float | None = None,
    lapsing: float | None = None,
    probes: float = 0.3,
) -> CheckedGame:
    """Play a whole random game with every check; ``probes`` is the share of versions probed."""
    random = Random(entropy)
    least, most = room.ruleset.seats
    seats = random.randint(least, most) if seats is None else seats
    options = room.draw_options(random, seats) if options is None else options
    leaving = random.choice((0.0, 0.0, 0.002, 0.02)) if leaving is None else leaving
    lapsing = random.choice((0.0, 0.02)) if lapsing is None else lapsing
    game = CheckedGame(room)
    game.open(random, seats, options)
    while True:
        if random.random() < probes:
            game.probe(random)
        if not game.step(random, leaving, lapsing):
            break
    game.finish()
    if room.recount is not None:
        room.recount(seats, [record.event for record in game.records])
    return game
