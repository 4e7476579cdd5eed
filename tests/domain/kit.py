"""The test kit of every game: checked playouts, non-interference, planted leaks.

A game's tests describe it once as a :class:`Room` (by convention the constant ``ROOM`` of
``tests/domain/<game>/room.py``) and get from here:

``play_checked``   a whole random game, each command checked against every invariant there is;
``difference``     the first outlet on which two histories differ for a viewer;
``LEAKS``          faults to plant, one at a time, to see that ``difference`` finds them;
``confirmed``      the hidden parts that a viewer can confirm by trying candidates on digests.
"""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any, Union
from unittest import mock

import msgspec
from msgspec import inspect

from domain.kernel import event as kernel_event
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
from domain.kernel.event import Audience, Created, Event, Record, Rewound, TextRef
from domain.kernel.fold import evolve, fold
from domain.kernel.forms import fill, fits
from domain.kernel.replay import command_of
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, Table, decision_id, status
from domain.kernel.viewer import SEALED, SPECTATOR, SeenRecord, Sight

HOST = "host"
TEXT = TextRef("t0001", "ab" * 32)  # stands for the free text of any action

PART_LABEL = b"potluck/part/1\n"

to_json = msgspec.json.encode


@dataclass(frozen=True, kw_only=True)
class Room:
    """What the kit must know of a game.

    ``draw_options`` draws options for a table of so many seats; ``conserved`` asserts of a game's
    state that no card is lost, doubled or in two places; no game may need more than
    ``most_versions`` events. ``recount`` asserts of the events of a whole game what a bookkeeping
    of its own makes of them.
    """

    ruleset: Ruleset[Any]
    draw_options: Callable[[Random, int], msgspec.Struct]
    conserved: Callable[[Any], None]
    recount: Callable[[int, Sequence[Event]], None] | None = None
    most_versions: int = 10_000
    games_seen: list[Any] = field(default_factory=list, compare=False)

    @cached_property
    def observed(self) -> Ruleset[Any]:
        """The ruleset, noting the game that each command's pen arrived at."""

        def noting(rule: Callable[..., None]) -> Callable[..., None]:
            def noted(play: Any, *arguments: Any) -> None:
                rule(play, *arguments)
                self.games_seen.append(play.game)

            return noted

        rules = self.ruleset
        return replace(
            rules,
            set_up=noting(rules.set_up),
            decide=noting(rules.decide),
            leave=noting(rules.leave),
            default=noting(rules.default),
        )


def sights(seats: int) -> dict[str, Sight]:
    """Every viewer of an unsealed game by name."""
    own = {f"seat {seat}": Sight(seats=(seat,)) for seat in range(seats)}
    return {**own, "spectator": SPECTATOR, "judge": Sight(judge=True)}


# A second opinion on the bytes that hashes are taken over, by another JSON encoder.


def canonical_again(value: Any) -> bytes:
    """Encode canonical JSON without the code under test."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def chain_again(previous: bytes, shown: SeenRecord) -> bytes:
    """Compute the chain's value from what any viewer was shown."""
    public = msgspec.to_builtins(shown)
    del public["chain"]
    for name, value in public["event"].items():
        if isinstance(value, dict) and "digest" in value and "id" not in value:
            public["event"][name] = {"digest": value["digest"]}
    return hashlib.sha256(previous + canonical_again(public)).digest()


# Random values of any type, and actions that are near misses.


def random_value(kind: Any, random: Random) -> Any:
    """Draw a value that fits a type, as JSON."""
    match kind:
        case inspect.LiteralType(values=values):
            return random.choice(values)
        case inspect.EnumType(cls=cls):
            return random.choice(list(cls)).value
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.IntType(ge=least, le=most):
            low = 0 if least is None else least
            return random.randint(low, low + 20 if most is None else most)
        case inspect.StrType(min_length=least):
            return "x" * max(least or 0, random.randrange(1, 9))
        case inspect.UnionType(types=types):
            return random_value(random.choice(types), random)
        case inspect.TupleType(item_types=types):
            return [random_value(each, random) for each in types]
        case inspect.VarTupleType() | inspect.ListType():
            low = kind.min_length or 0
            high = min(low + 5, kind.max_length if kind.max_length is not None else low + 5)
            return [random_value(kind.item_type, random) for _ in range(random.randint(low, high))]
        case inspect.StructType(cls=cls):
            return random_struct(cls, random)
        case inspect.DictType():
            key, value = kind.key_type, kind.value_type
            return {random_value(key, random): random_value(value, random)}
    raise AssertionError(f"teach random_value about {kind!r}")


@lru_cache(maxsize=256)
def _described(cls: type[msgspec.Struct]) -> inspect.StructType:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return info


def random_struct(cls: type[msgspec.Struct], random: Random) -> dict[str, Any]:
    """Draw a struct's JSON value: for an action type, one that fits the schema at least."""
    info = _described(cls)
    drawn = {each.encode_name: random_value(each.type, random) for each in info.fields}
    return drawn if info.tag_field is None else {info.tag_field: info.tag, **drawn}


def near_miss(action: dict[str, Any], types: Sequence[type[Any]], random: Random) -> dict[str, Any]:
    """Change a legal action in one place; what comes out may still be legal, or no action."""
    cls = next(each for each in types if each.__struct_config__.tag == action["type"])
    other = random_struct(cls, random)
    changed = dict(action)
    names = [name for name in action if name != "type"]
    if not names:
        return changed
    name = random.choice(names)
    value = action[name]
    if not isinstance(value, list | tuple):
        changed[name] = other[name]
        return changed
    items = list(value)
    match random.randrange(5):
        case 0 if items:
            items.pop(random.randrange(len(items)))
        case 1 if items:
            items.append(random.choice(items))
        case 2 if items and other[name]:
            items[random.randrange(len(items))] = random.choice(other[name])
        case 3:
            items.extend(other[name][:1])
        case _:
            items = list(other[name])
    changed[name] = items
    return changed


# Playouts.


@dataclass
class Tally:
    """What a number of checked games came to."""

    games: int = 0
    commands: int = 0
    events: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    event_types: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.commands += other.commands
        self.events += other.events
        for name in ("attempts", "endings", "event_types", "refusals"):
            getattr(self, name).update(getattr(other, name))


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


# Non-interference.


def masked(value: Any) -> Any:
    """Blank out what is random by nature: digests and salts of hidden parts, and the chain."""
    if isinstance(value, dict):
        random = {"digest", "salt"} if "digest" in value and "id" not in value else set()
        return {
            name: "*" if name in random or name == "chain" else masked(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(inner) for inner in value]
    return value


Probe = tuple[int, msgspec.Struct]


def random_probes(ruleset: Ruleset[Any], seat: int, random: Random, number: int) -> list[Probe]:
    """Draw actions for a seat to try, out of the blue."""
    drawn: list[Probe] = []
    while len(drawn) < number:
        action = random_struct(random.choice(ruleset.actions), random)
        try:
            drawn.append((seat, msgspec.convert(action, ruleset.action_type)))
        except msgspec.ValidationError:
            continue
    return drawn


def answer(ruleset: Ruleset[Any], state: State, seat: int, action: msgspec.Struct) -> bytes:
    """Give what a seat is told when it tries an action: refused with which words, or accepted."""
    tag = str(action.__struct_config__.tag)
    text = TEXT if tag in ruleset.free_text else None
    act = Act(seat=seat, decision=decision_id(state) or 0, action=action, text=text)
    try:
        decide(ruleset, state, act, Context(seat_actor(seat), state.time))
    except Refusal as refusal:
        told = [refusal.rule, refusal.code, refusal.key, refusal.pointer, refusal.params]
        return to_json(["refused", str(refusal), *told])
    return to_json(["accepted"])


def outlets(
    ruleset: Ruleset[Any],
    records: Sequence[Record],
    view: Sight | Callable[[int], Sight],
    probes: Sequence[Probe] = (),
) -> Iterator[tuple[str, bytes]]:
    """Yield, by name, all that a viewer is given of a history, random bytes masked.

    ``view`` gives the sight of each version where it is not the same throughout.
    """
    state: State | None = None
    created = records[0].event
    assert isinstance(created, Created)
    seed = bytes.fromhex(created.seed)
    shown: list[SeenRecord] = []
    for record in records:
        sight = view if isinstance(view, Sight) else view(record.version)
        state = evolve(ruleset, state, record, records)
        event = kernel_viewer.seen(record, sight, seed)
        shown.append(event)
        yield f"event {record.version}", to_json(masked(msgspec.to_builtins(event)))
        asked = state.game.decision if state.game else None
        yield f"decision {record.version}", to_json([status(state), decision_id(state), asked])
        if state.game is None:
            continue
        board = masked(msgspec.to_builtins(ruleset.board(state.game, sight)))
        yield f"board {record.version}", to_json(board)
        for seat in sight.seats:
            listed = ruleset.legal(state.game, seat)
            yield f"legal {record.version}", to_json(listed)
    if ruleset.claim is not None:
        yield "claims", to_json(masked(msgspec.to_builtins(ruleset.claims(shown))))
    assert state is not None
    for line in recording.write(state, shown):
        yield "recording", to_json(masked(msgspec.json.decode(line)))
    if state.game is not None:
        for seat, action in probes:
            yield f"answer to {action}", answer(ruleset, state, seat, action)


def difference(
    ruleset: Ruleset[Any],
    one: Sequence[Record],
    other: Sequence[Record],
    sight: Sight | Callable[[int], Sight],
    probes: Sequence[Probe] = (),
) -> str | None:
    """Name the first outlet on which two histories differ for a viewer; None if there is none.

    ``probes`` are actions (with the seat that tries them, one of the viewer's own) for which
    the answers are compared, too.
    """
    ones, others = outlets(ruleset, one, sight, probes), outlets(ruleset, other, sight, probes)
    for (name, given), (other_name, other_given) in zip(ones, others, strict=True):
        if (name, given) != (other_name, other_given):
            return name
    return None


def confirmed(
    records: Sequence[Record], sight: Sight, candidates: Iterable[Any]
) -> list[tuple[int, str, Any]]:
    """Try candidates for every hidden part with all that a viewer received as salt.

    Gives what could be confirmed: version, field and value. ``candidates`` are JSON values.
    """
    created = records[0].event
    assert isinstance(created, Created)
    seed = bytes.fromhex(created.seed)
    salts: set[bytes] = {b""}
    hidden: dict[str, tuple[int, str]] = {}
    for record in records:
        shown = kernel_viewer.seen(record, sight, seed)
        _take_bytes(msgspec.to_builtins(shown), salts)
        for name in record.event.hidden:
            part = shown.event[name]
            if isinstance(part, dict) and "value" not in part:
                hidden[part["digest"]] = (record.version, name)
    found = []
    for value in candidates:
        written = canonical_again(value)
        for salt in salts:
            digest = hashlib.sha256(PART_LABEL + salt + written).hexdigest()
            place = hidden.get(digest)
            if place is not None:
                found.append((*place, value))
    return found


def _take_bytes(value: Any, found: set[bytes]) -> None:
    """Collect every hex string in a JSON value, whole and cut to a salt's length."""
    if isinstance(value, dict):
        for inner in value.values():
            _take_bytes(inner, found)
    elif isinstance(value, list | tuple):
        for inner in value:
            _take_bytes(inner, found)
    elif isinstance(value, str) and len(value) >= 32:
        try:
            raw = bytes.fromhex(value)
        except ValueError:
            return
        found.update((raw, raw[:16]))


# Leaks to plant, one at a time.


def secret_of(ruleset: Ruleset[Any], game: Any) -> int:
    """Give a number that depends on all that is hidden."""
    return zlib.crc32(to_json(ruleset.board(game, SEALED)))


@contextmanager
def leak_in_a_view(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """The board says something of the whole state."""

    def board(game: Any, sight: Sight) -> Any:
        return {"board": ruleset.board(game, sight), "order": secret_of(ruleset, game)}

    yield replace(ruleset, board=board)


@contextmanager
def leak_in_an_event(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """One type of event with a seat's cards does not declare them hidden."""
    kind = next(each for each in ruleset.events if Audience.SEAT in each.hidden.values())
    visible = kernel_viewer.visible

    def leaky(event: Any, name: str, sight: Sight) -> bool:
        return isinstance(event, kind) or visible(event, name, sight)

    with mock.patch.object(kernel_viewer, "visible", leaky):
        yield ruleset


@contextmanager
def leak_in_an_error(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """A refusal's text depends on what others hold."""

    def leaky(play: Any, seat: int, action: Any) -> None:
        try:
            ruleset.decide(play, seat, action)
        except Refusal as refusal:
            refusal.params["hint"] = secret_of(ruleset, play.game)
            raise

    yield replace(ruleset, decide=leaky)


@contextmanager
def leak_in_a_count(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """The list of legal actions is longer or shorter with what others hold."""

    def legal(game: Any, seat: int) -> Any:
        listed = tuple(ruleset.legal(game, seat))
        return listed + listed[:1] * (secret_of(ruleset, game) % 7)

    yield replace(ruleset, legal=legal)


@contextmanager
def leak_in_an_id(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """An event's id is a digest of the whole event, without a salt."""
    seen = kernel_viewer.seen

    def leaky(record: Record, sight: Sight, seed: bytes) -> SeenRecord:
        shown = seen(record, sight, seed)
        name = hashlib.sha256(to_json(record.event)).hexdigest()[:8]
        return msgspec.structs.replace(shown, actor=f"{shown.actor}.{name}")

    with mock.patch.object(kernel_viewer, "seen", leaky):
        yield ruleset


@contextmanager
def shared_salt(ruleset: Ruleset[Any]) -> Iterator[Ruleset[Any]]:
    """All hidden parts have one salt; :func:`confirmed` must find it, masks hide it."""
    salt = hashlib.sha256(b"the same for everyone").digest()[:16]
    digests = kernel_event._digest
    digests.cache_clear()
    with mock.patch.object(kernel_event, "part_salt", return_value=salt):
        yield ruleset
    digests.cache_clear()


# The leaks that ``difference`` must find; a shared salt is for ``confirmed`` to find.
LEAKS = {
    "a view": leak_in_a_view,
    "an event": leak_in_an_event,
    "an error text": leak_in_an_error,
    "a count": leak_in_a_count,
    "an id": leak_in_an_id,
}
