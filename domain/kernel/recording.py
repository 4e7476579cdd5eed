"""Recordings: whole games in a file that anybody can check, without the service.

A recording is lines of JSON: a header, every event as one viewer sees it, a footer. Byte by byte
in ``docs/formats.md``. One of a sealed game proves that every event follows from its command by
the rules and from the seed that was committed to; one of an unsealed game proves less, since most
of its hidden parts are digests still.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel.canonical import (
    canonical,
    chain_next,
    chain_start,
    part_digest,
    part_salt,
    sha256,
)
from domain.kernel.codec import codec_of
from domain.kernel.decide import (
    SERVICE,
    Act,
    Command,
    Context,
    Create,
    Default,
    Expire,
    Invite,
    Join,
    MakeMotion,
    NameJudge,
    Pause,
    Rule,
    Seal,
    SeatBundled,
    Start,
    UseInvitation,
    Vacate,
    Vote,
    decide,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.event import (
    KERNEL_EVENTS,
    BundledSeated,
    Created,
    Event,
    Expired,
    InvitationMade,
    InvitationUsed,
    Joined,
    JudgeNamed,
    MotionMade,
    MotionVoted,
    PauseVoted,
    Record,
    Ruled,
    Sealed,
    SeatFreed,
    SeatLeft,
    Started,
    chained,
)
from domain.kernel.fold import evolve
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State, Table, decision_id
from domain.kernel.viewer import SeenRecord

FORMAT: Literal[1] = 1

S = TypeVar("S", bound=msgspec.Struct)

_encode = msgspec.json.encode


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    potluck: Literal["recording"]
    format: Literal[1]
    game: str
    ruleset: str
    ruleset_version: int
    sealed: bool


class Footer(msgspec.Struct, frozen=True):
    """The last line: how many events there are, the chain's end, and the game's final state.

    ``state`` is a digest of the state, null unless the game is sealed.
    """

    events: int
    chain: str
    state: str | None


# Writing.


def write(state: State, events: Iterable[SeenRecord]) -> Iterator[str]:
    """Give the lines of a recording of a table, from all its events as a viewer sees them."""
    table = state.table
    header = Header(
        "recording", FORMAT, table.game, table.ruleset, table.ruleset_version, table.sealed
    )
    yield _encode(header).decode()
    for event in events:
        yield _encode(event).decode()
    final = state_digest(state) if table.sealed else None
    yield _encode(Footer(state.version, state.chain.hex(), final)).decode()


def state_digest(state: State) -> str:
    """Give the digest of a game's state, hex."""
    return sha256(canonical(state.game)).hex()


# Verifying.


class Verdict(msgspec.Struct, frozen=True):
    """What a recording proves.

    ``fault`` says in words what is wrong, at ``version``: the first version at fault, 0 where it
    is the header.
    """

    game: str | None = None
    events: int = 0
    sealed: bool = False
    fault: str | None = None
    version: int | None = None

    @property
    def exit_code(self) -> int:
        """0: sealed and sound; 3: sound as far as can be told, but not sealed; 1: a fault."""
        if self.fault is not None:
            return 1
        return 0 if self.sealed else 3

    def __str__(self) -> str:
        if self.fault is not None:
            return f"fault at version {self.version}: {self.fault}"
        what = f"game {self.game}, {self.events} events"
        if self.sealed:
            return f"sealed and sound: {what}; chain, chance and every move checked"
        return (
            f"sound, not sealed: {what}; the chain and all parts shown were checked,"
            " what is hidden, chance and the rules can be checked once the game is sealed"
        )


class _Fault(Exception):
    """Where a recording is wrong, and why."""

    def __init__(self, version: int, why: str) -> None:
        super().__init__(why)
        self.version = version
        self.why = why


def verify(lines: Iterable[bytes], rulesets: Mapping[str, Ruleset[Any]]) -> Verdict:
    """Check a recording. Whatever the lines hold, the answer is a verdict, never an error."""
    try:
        return _verify(list(lines), rulesets)
    except _Fault as fault:
        return Verdict(fault=fault.why, version=fault.version)


def _verify(lines: list[bytes], rulesets: Mapping[str, Ruleset[Any]]) -> Verdict:
    if lines and lines[-1] == b"":
        lines.pop()  # what follows the last line's end
    if not lines:
        raise _Fault(0, "there is nothing in it")
    header = _read(lines[0], Header, 0, "the header")
    shown = [
        _read(line, SeenRecord, version, "the event")
        for version, line in enumerate(lines[1:-1], start=1)
    ]
    end = len(shown) + 1
    footer = _read(lines[-1], Footer, end, "the footer") if len(lines) > 1 else None
    _check_chain(header, shown)
    if footer is None or footer.events != len(shown):
        raise _Fault(end, "the events end before the recording does")
    if not shown or footer.chain != shown[-1].chain:
        raise _Fault(max(1, len(shown)), "the footer ends on another chain")
    _check_header(header, shown)
    if header.sealed:
        _check_sealed(header, footer, shown, rulesets)
    elif footer.state is not None:
        raise _Fault(len(shown), "the footer tells the state of a game that is not sealed")
    return Verdict(game=header.game, events=len(shown), sealed=header.sealed)


def _read(line: bytes, kind: type[S], version: int, what: str) -> S:
    """Read a line, which must be written just as this build writes it."""
    try:
        value = msgspec.json.decode(line, type=kind)
        again = _encode(value)
    except Exception as error:  # whatever a decoder makes of garbage
        raise _Fault(version, f"{what} cannot be read: {error}") from error
    if again != line:
        raise _Fault(version, f"{what} is not written in the form of a recording")
    return value


def _check_chain(header: Header, shown: Sequence[SeenRecord]) -> None:
    """Check what every viewer can: order, times, counts, parts shown and the chain."""
    chain, time, open_events = chain_start(header.game), 0, 0
    for version, record in enumerate(shown, start=1):
        if record.version != version:
            raise _Fault(version, f"version {record.version} stands in its place")
        _check_parent(record)
        if record.time < time:
            raise _Fault(version, "it happened before the one before")
        if (record.count == 0) != (open_events > 0) or record.count < 0:
            raise _Fault(version, "it does not fit the count of its command's events")
        chain = chain_next(chain, _public(record))
        if record.chain != chain.hex():
            raise _Fault(version, "the chain breaks")
        open_events = (open_events or record.count) - 1
        time = record.time
    if open_events:
        raise _Fault(len(shown) + 1, "the events of a command are missing")


def _check_parent(record: SeenRecord) -> None:
    wanted = record.version - 1
    if record.event.get("type") == "rewound":
        wanted = record.event.get("to", 0)
        if type(wanted) is not int or not 0 < wanted < record.version:
            raise _Fault(record.version, "it goes back to a version that is not there")
    if record.parent != wanted:
        raise _Fault(record.version, f"it goes on from version {record.parent}")


DIGEST_ONLY = {"digest"}
REVEALED = {"digest", "salt", "value"}


def _parts(record: SeenRecord) -> dict[str, dict[str, Any]]:
    """Give the hidden parts of an event: objects of a digest, or of digest, salt and value."""
    return {
        name: value
        for name, value in record.event.items()
        if isinstance(value, dict) and value.keys() in (DIGEST_ONLY, REVEALED)
    }


def _public(record: SeenRecord) -> dict[str, Any]:
    """Give what the chain is taken over; on the way each part shown is checked."""
    event = dict(record.event)
    for name, part in _parts(record).items():
        if "value" in part and part["digest"] != _digest_of(part):
            raise _Fault(record.version, f"what is shown of {name} does not match its digest")
        event[name] = {"digest": part["digest"]}
    public: dict[str, Any] = msgspec.to_builtins(record)
    del public["chain"]
    return {**public, "event": event}


def _digest_of(part: dict[str, Any]) -> str | None:
    try:
        salt = bytes.fromhex(part["salt"])
    except (TypeError, ValueError):
        return None
    return part_digest(salt, part["value"]) if salt.hex() == part["salt"] else None


def _check_header(header: Header, shown: Sequence[SeenRecord]) -> None:
    created = shown[0].event
    told = (header.game, header.ruleset, header.ruleset_version)
    if (created.get("game"), created.get("ruleset"), created.get("ruleset_version")) != told:
        raise _Fault(1, "the header tells of another game")
    for record in shown[:-1]:
        if record.event.get("type") == "sealed":
            raise _Fault(record.version + 1, "something follows the seal")
    if header.sealed != (shown[-1].event.get("type") == "sealed"):
        raise _Fault(len(shown), "the header is wrong about the seal")


def _check_sealed(
    header: Header,
    footer: Footer,
    shown: Sequence[SeenRecord],
    rulesets: Mapping[str, Ruleset[Any]],
) -> None:
    """Check what a seal allows: commitment, salts, every command by the rules, the final state."""
    ruleset = rulesets.get(header.ruleset)
    if ruleset is None or ruleset.version != header.ruleset_version:
        known = f"{header.ruleset} in version {header.ruleset_version}"
        raise _Fault(1, f"the rules of {known} are not known here")
    seed = _seed_of(shown[-1])
    records = [_unsealed(ruleset, record, seed) for record in shown]
    first, last = records[0].event, records[-1].event
    if not isinstance(first, Created) or not isinstance(last, Sealed) or first.seed != last.seed:
        raise _Fault(1, "the seed is not the one that was committed to")
    state = _replay(ruleset, records)
    if footer.state != state_digest(state):
        raise _Fault(len(shown), "the game ends in another state")


def _seed_of(record: SeenRecord) -> bytes:
    try:
        return bytes.fromhex(record.event["seed"])
    except Exception as error:  # no seed, or no hex
        raise _Fault(record.version, f"the seal gives no seed: {error}") from error


def _unsealed(ruleset: Ruleset[Any], record: SeenRecord, seed: bytes) -> Record:
    """Turn a sealed game's event, all of it shown, back into what was stored."""
    fields = dict(record.event)
    for name, part in _parts(record).items():
        if "value" not in part:
            raise _Fault(record.version, f"{name} is not shown though the game is sealed")
        if part["salt"] != part_salt(seed, record.version, name).hex():
            raise _Fault(record.version, f"the salt of {name} does not come from the seed")
        fields[name] = part["value"]
    try:
        event = codec_of(ruleset).lift(fields, record.schema)
    except Exception as error:  # whatever no event makes of it
        raise _Fault(record.version, f"it is no event of {ruleset.id}: {error}") from error
    if record.schema == event.schema and set(event.hidden) != set(_parts(record)):
        raise _Fault(record.version, "the wrong parts of it are hidden")
    return Record(
        record.version,
        record.parent,
        record.time,
        record.actor,
        record.schema,
        record.count,
        event,
        bytes.fromhex(record.chain),
    )


def fault_of(ruleset: Ruleset[Any], records: Sequence[Record]) -> str | None:
    """Check a stored history against this build: the chain, and every command by the rules.

    Gives the first fault in words, None if there is none.
    """
    try:
        _check_stored_chain(records)
        _replay(ruleset, records)
    except _Fault as fault:
        return f"version {fault.version}: {fault.why}"
    return None


def _check_stored_chain(records: Sequence[Record]) -> None:
    created = records[0].event if records else None
    if not isinstance(created, Created):
        raise _Fault(1, "a history begins with the creation of its table")
    seed, chain = bytes.fromhex(created.seed), chain_start(created.game)
    for record in records:
        if record.schema == record.event.schema:  # else it was chained in its older form
            again = chained(
                chain,
                record.event,
                version=record.version,
                parent=record.parent,
                time=record.time,
                actor=record.actor,
                count=record.count,
                seed=seed,
            )
            if again.chain != record.chain:
                raise _Fault(record.version, "the chain breaks")
        chain = record.chain


def _replay(ruleset: Ruleset[Any], records: Sequence[Record]) -> State:
    """Decide every command of a history again; what comes out must be the very same events."""
    state: State | None = None
    start = 0
    while start < len(records):
        first = records[start]
        command = records[start : start + max(1, first.count)]
        try:
            _check_command(ruleset, state, command, records[:start])
            for record in command:
                state = evolve(ruleset, state, record, records)
        except _Fault:
            raise
        except Exception as error:  # an impossible history may break any rule's expectations
            raise _Fault(first.version, f"the rules break on it: {error!r}") from error
        start += len(command)
    if state is None:
        raise _Fault(1, "there is no event")
    return state


def _check_command(
    ruleset: Ruleset[Any],
    state: State | None,
    records: Sequence[Record],
    history: Sequence[Record],
) -> None:
    first = records[0]
    command = command_of(ruleset, state, first)
    if command is None:
        tag = first.event.__struct_config__.tag
        raise _Fault(first.version, f"no command of {first.actor} begins with {tag}")
    try:
        context = Context(first.actor, first.time)
        decided = decide(ruleset, state, command, context, history)
    except Refusal as refusal:
        raise _Fault(first.version, f"the rules refuse it: {refusal}") from refusal
    for made, found in zip_longest(decided, records):
        if made is None:
            raise _Fault(found.version, f"version {first.version} does not bring it about")
        if found is None:
            raise _Fault(made.version, f"an event that version {first.version} brings is missing")
        if _comparable(made) != _comparable(found):
            raise _Fault(
                found.version, f"it is not what the rules make of the command in {first.version}"
            )


def _comparable(record: Record) -> Record:
    """Leave out what the form of an older schema changes; the chain is checked by itself."""
    return replace(record, chain=b"", schema=record.event.schema)


# Commands read off their first events.


def command_of(ruleset: Ruleset[Any], state: State | None, record: Record) -> Command | None:
    """Read the command off its first event, in the state before it.

    None if no command of this actor begins with such an event.
    """
    event, actor = record.event, record.actor
    if isinstance(event, Created):
        return _create_of(ruleset, event, actor)
    if state is None:
        return None
    table = state.table
    match event:
        case Joined() if actor == player_actor(event.player):
            return Join(player=event.player, seat=event.seat, nonce=event.nonce)
        case BundledSeated() if actor == player_actor(table.host):
            return SeatBundled(player=table.host, bundled=event.bundled, seat=event.seat)
        case SeatFreed() | SeatLeft():
            player = _vacating(table, event.seat, actor)
            return None if player is None else Vacate(player=player, seat=event.seat)
        case Started() if actor == player_actor(table.host):
            return Start(player=table.host)
        case PauseVoted() if actor == seat_actor(event.seat):
            return Pause(seat=event.seat, pause=event.pause)
        case InvitationMade() if actor == player_actor(table.host):
            return Invite(player=table.host, digest=event.digest)
        case InvitationUsed() if actor == player_actor(event.player):
            made = {each.id: each.digest for each in table.invitations}
            return UseInvitation(player=event.player, digest=made.get(event.invitation, ""))
        case Expired() if actor == SERVICE:
            return Expire()
        case _ if type(event) in KERNEL_EVENTS:
            return _judging_command_of(table, event, actor)
    return _game_command_of(ruleset, state, record)


def _judging_command_of(table: Table, event: Event, actor: str) -> Command | None:
    """Read a ruling, a motion, a vote or a seal off its event."""
    judge = actor.removeprefix("judge:") if actor.startswith("judge:") else None
    match event:
        case Sealed() if actor == SERVICE:
            return Seal()
        case JudgeNamed() if actor == player_actor(table.host):
            return NameJudge(player=table.host, judge=event.judge)
        case Ruled() if judge is not None:
            return Rule(judge=judge, ruling=event.ruling, text=event.text)
        case MotionMade() if actor == seat_actor(event.seat):
            return MakeMotion(seat=event.seat, motion=event.motion, text=event.text)
        case MotionVoted() if event.seat is not None and actor == seat_actor(event.seat):
            return Vote(motion=event.motion, agree=event.agree, seat=event.seat)
        case MotionVoted() if event.seat is None and judge is not None:
            return Vote(motion=event.motion, agree=event.agree, judge=judge)
        case _:
            return None


def _create_of(ruleset: Ruleset[Any], event: Created, actor: str) -> Command | None:
    if actor != player_actor(event.host):
        return None
    return Create(
        game=event.game,
        ruleset_version=event.ruleset_version,
        options=msgspec.convert(event.options, ruleset.options),
        seats=event.seats,
        host=event.host,
        public=event.public,
        seed=event.seed,
        clock=event.clock,
        expires=event.expires,
        rematch_of=event.rematch_of,
        invited=event.invited,
    )


def _vacating(table: Table, seat: int, actor: str) -> str | None:
    """Name the player who vacates a seat: its holder, as player or as seat, or the host."""
    holder = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if holder is not None and actor == seat_actor(seat):
        return holder.player
    prefix = player_actor("")
    return actor.removeprefix(prefix) if actor.startswith(prefix) else None


def _game_command_of(ruleset: Ruleset[Any], state: State, record: Record) -> Command | None:
    event, actor = record.event, record.actor
    decision = decision_id(state)
    if decision is None:
        return None
    if actor == SERVICE:
        seat = getattr(event, "seat", None)
        return None if seat is None else Default(seat=seat, decision=decision)
    action, seat = ruleset.action_of(event), _acting_seat(actor)
    if action is None or seat is None:
        return None
    text = getattr(event, "text", None)
    return Act(seat=seat, decision=decision, action=action, text=text)


def _acting_seat(actor: str) -> int | None:
    digits = actor.rpartition(":")[2]
    return (
        int(digits)
        if digits.isdecimal() and len(digits) < 3 and seat_actor(int(digits)) == actor
        else None
    )
