"""Recordings: whole games in a file that anybody can check, without the service.

A recording is lines of JSON: a header, every event as one viewer sees it, a footer. Byte by byte
in ``docs/formats.md``. One of a sealed game proves that every event follows from its command by
the rules and from the seed that was committed to; one of an unsealed game proves less, since most
of its hidden parts are digests still.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from domain.kernel.canonical import (
    canonical,
    chain_next,
    chain_start,
    part_digest,
    part_salt,
    sha256,
)
from domain.kernel.codec import codec_of
from domain.kernel.event import (
    Created,
    Record,
    Sealed,
)
from domain.kernel.replay import Fault, replay
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State
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


def verify(lines: Iterable[bytes], rulesets: Mapping[str, Ruleset[Any]]) -> Verdict:
    """Check a recording. Whatever the lines hold, the answer is a verdict, never an error."""
    try:
        return _verify(list(lines), rulesets)
    except Fault as fault:
        return Verdict(fault=fault.why, version=fault.version)


def _verify(lines: list[bytes], rulesets: Mapping[str, Ruleset[Any]]) -> Verdict:
    if lines and lines[-1] == b"":
        lines.pop()  # what follows the last line's end
    if not lines:
        raise Fault(0, "there is nothing in it")
    header = _read(lines[0], Header, 0, "the header")
    shown = [
        _read(line, SeenRecord, version, "the event")
        for version, line in enumerate(lines[1:-1], start=1)
    ]
    end = len(shown) + 1
    footer = _read(lines[-1], Footer, end, "the footer") if len(lines) > 1 else None
    _check_chain(header, shown)
    if footer is None or footer.events != len(shown):
        raise Fault(end, "the events end before the recording does")
    if not shown or footer.chain != shown[-1].chain:
        raise Fault(max(1, len(shown)), "the footer ends on another chain")
    _check_header(header, shown)
    if header.sealed:
        _check_sealed(header, footer, shown, rulesets)
    elif footer.state is not None:
        raise Fault(len(shown), "the footer tells the state of a game that is not sealed")
    return Verdict(game=header.game, events=len(shown), sealed=header.sealed)


def _read(line: bytes, kind: type[S], version: int, what: str) -> S:
    """Read a line, which must be written just as this build writes it."""
    try:
        value = msgspec.json.decode(line, type=kind)
        again = _encode(value)
    except Exception as error:  # whatever a decoder makes of garbage
        raise Fault(version, f"{what} cannot be read: {error}") from error
    if again != line:
        raise Fault(version, f"{what} is not written in the form of a recording")
    return value


def _check_chain(header: Header, shown: Sequence[SeenRecord]) -> None:
    """Check what every viewer can: order, times, counts, parts shown and the chain."""
    chain, time, open_events = chain_start(header.game), 0, 0
    for version, record in enumerate(shown, start=1):
        if record.version != version:
            raise Fault(version, f"version {record.version} stands in its place")
        _check_parent(record)
        if record.time < time:
            raise Fault(version, "it happened before the one before")
        if (record.count == 0) != (open_events > 0) or record.count < 0:
            raise Fault(version, "it does not fit the count of its command's events")
        chain = chain_next(chain, _public(record))
        if record.chain != chain.hex():
            raise Fault(version, "the chain breaks")
        open_events = (open_events or record.count) - 1
        time = record.time
    if open_events:
        raise Fault(len(shown) + 1, "the events of a command are missing")


def _check_parent(record: SeenRecord) -> None:
    wanted = record.version - 1
    if record.event.get("type") == "rewound":
        wanted = record.event.get("to", 0)
        if type(wanted) is not int or not 0 < wanted < record.version:
            raise Fault(record.version, "it goes back to a version that is not there")
    if record.parent != wanted:
        raise Fault(record.version, f"it goes on from version {record.parent}")


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
            raise Fault(record.version, f"what is shown of {name} does not match its digest")
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
        raise Fault(1, "the header tells of another game")
    for record in shown[:-1]:
        if record.event.get("type") == "sealed":
            raise Fault(record.version + 1, "something follows the seal")
    if header.sealed != (shown[-1].event.get("type") == "sealed"):
        raise Fault(len(shown), "the header is wrong about the seal")


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
        raise Fault(1, f"the rules of {known} are not known here")
    seed = _seed_of(shown[-1])
    records = [_unsealed(ruleset, record, seed) for record in shown]
    first, last = records[0].event, records[-1].event
    if not isinstance(first, Created) or not isinstance(last, Sealed) or first.seed != last.seed:
        raise Fault(1, "the seed is not the one that was committed to")
    state = replay(ruleset, records)
    if footer.state != state_digest(state):
        raise Fault(len(shown), "the game ends in another state")


def _seed_of(record: SeenRecord) -> bytes:
    try:
        return bytes.fromhex(record.event["seed"])
    except Exception as error:  # no seed, or no hex
        raise Fault(record.version, f"the seal gives no seed: {error}") from error


def _unsealed(ruleset: Ruleset[Any], record: SeenRecord, seed: bytes) -> Record:
    """Turn a sealed game's event, all of it shown, back into what was stored."""
    fields = dict(record.event)
    for name, part in _parts(record).items():
        if "value" not in part:
            raise Fault(record.version, f"{name} is not shown though the game is sealed")
        if part["salt"] != part_salt(seed, record.version, name).hex():
            raise Fault(record.version, f"the salt of {name} does not come from the seed")
        fields[name] = part["value"]
    try:
        event = codec_of(ruleset).lift(fields, record.schema)
    except Exception as error:  # whatever no event makes of it
        raise Fault(record.version, f"it is no event of {ruleset.id}: {error}") from error
    if record.schema == event.schema and set(event.hidden) != set(_parts(record)):
        raise Fault(record.version, "the wrong parts of it are hidden")
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
