"""Changes to a recording, one at a time, and what each verifier says to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from tests.integrity.verifiers import Told, by_javascript, by_python


@dataclass(frozen=True)
class Tampered:
    """A recording that was changed at one place.

    ``versions`` are those that may be named as the first at fault. ``state`` says that it is the
    digest of the final state that was changed, and into another digest: to find that takes rules.
    """

    kind: str
    source: str
    data: bytes
    versions: frozenset[int]
    state: bool = False


def _at(lines: int, index: int) -> frozenset[int]:
    """Say what may be named for a change in a line.

    The header has no version of its own: what it tells is held against the first event and the
    last. The footer's chain is held against the last event's.
    """
    events = lines - 2
    if index == 0:
        return frozenset({0, 1, events})
    if index == lines - 1:
        return frozenset({events, events + 1})
    return frozenset({index})


Change = tuple[bytes, frozenset[int]]


def _place(data: bytes, at: int) -> frozenset[int]:
    return _at(data.count(b"\n"), data.count(b"\n", 0, at))


def _joint(data: bytes, at: int) -> frozenset[int]:
    """Say what may be named where the change may have been to a line's end."""
    return _place(data, at) | _place(data, min(at + 1, len(data) - 1))


def flip_a_bit(data: bytes, random: Random) -> Change:
    at = random.randrange(len(data))
    flipped = data[at] ^ (1 << random.randrange(8))
    return data[:at] + bytes([flipped]) + data[at + 1 :], _joint(data, at)


def drop_a_byte(data: bytes, random: Random) -> Change:
    at = random.randrange(len(data) - 1)  # the last line may end without a line feed
    return data[:at] + data[at + 1 :], _joint(data, at)


def insert_a_byte(data: bytes, random: Random) -> Change:
    at = random.randrange(len(data) + 1)
    byte = bytes([random.randrange(256)])
    before = max(0, at - 1)
    named = _joint(data, before) | _place(data, min(at, len(data) - 1))
    return data[:at] + byte + data[at:], named


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def _text(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def drop_an_event(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    index = random.randrange(1, len(lines) - 1)
    return _text(lines[:index] + lines[index + 1 :]), frozenset({index})


def drop_the_header(data: bytes, random: Random) -> Change:
    return _text(_lines(data)[1:]), frozenset({0})


def drop_the_last_line(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    return _text(lines[:-1]), frozenset({len(lines) - 2})


def cut_off_the_end(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    end = random.randrange(0, len(lines))
    return _text(lines[:end]), frozenset({end if end < 2 else end - 1})


def drop_the_last_event(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    return _text([*lines[:-2], lines[-1]]), frozenset({len(lines) - 2})


def swap_two_events(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    one, other = sorted(random.sample(range(1, len(lines) - 1), 2))
    lines[one], lines[other] = lines[other], lines[one]
    return _text(lines), frozenset({one})


def swap_neighbours(data: bytes, random: Random) -> Change:
    lines = _lines(data)
    one = random.randrange(1, len(lines) - 2)
    lines[one], lines[one + 1] = lines[one + 1], lines[one]
    return _text(lines), frozenset({one})


def insert_an_event(data: bytes, random: Random) -> Change:
    """Put any event, copied, in any place; behind itself or behind the last one too."""
    lines = _lines(data)
    copied = lines[random.randrange(1, len(lines) - 1)]
    index = random.randrange(1, len(lines))
    named = {index, index + 1} if copied == lines[index] else {index}
    return _text([*lines[:index], copied, *lines[index:]]), frozenset(named)


KINDS: dict[str, Callable[[bytes, Random], Change]] = {
    "a bit flipped": flip_a_bit,
    "a byte dropped": drop_a_byte,
    "a byte inserted": insert_a_byte,
    "an event dropped": drop_an_event,
    "the last event dropped": drop_the_last_event,
    "the header dropped": drop_the_header,
    "the last line dropped": drop_the_last_line,
    "the end cut off": cut_off_the_end,
    "two events swapped": swap_two_events,
    "neighbours swapped": swap_neighbours,
    "an event inserted": insert_an_event,
}


def tampered(sources: Mapping[str, bytes], rounds: int, random: Random) -> list[Tampered]:
    """Tamper with recordings, by each kind in turn."""
    names, kinds = list(sources), list(KINDS)
    found = []
    for number in range(rounds):
        kind, source = kinds[number % len(kinds)], random.choice(names)
        whole = sources[source]
        data, versions = KINDS[kind](whole, random)
        assert data != whole
        found.append(Tampered(kind, source, data, versions, _only_state(whole, data)))
    return found


def _only_state(whole: bytes, data: bytes) -> bool:
    """Say whether nothing but the digest of the final state is another one."""
    start = whole.rindex(b'"state":') + 9
    before, after = data[:start], data[start + 64 :]
    digits = data[start : start + 64]
    return (
        len(data) == len(whole)
        and whole.endswith(b'"}\n')
        and (before, after) == (whole[:start], b'"}\n')
        and all(digit in b"0123456789abcdef" for digit in digits)
    )


@dataclass
class Row:
    """What became of the changes of one kind: how many each verifier found, and named rightly."""

    rounds: int = 0
    python: int = 0
    javascript: int = 0
    not_its_part: int = 0
    missed: list[str] = field(default_factory=list)


def try_all(changes: list[Tampered]) -> dict[str, Row]:
    """Show every change to both verifiers."""
    rows: dict[str, Row] = {}
    answers = by_javascript([change.data for change in changes])
    for change, javascript in zip(changes, answers, strict=True):
        row = rows.setdefault(change.kind, Row())
        row.rounds += 1
        python = by_python(change.data)
        row.python += _named(row, change, "python", python)
        if change.state:
            row.not_its_part += 1
            if javascript.exit != 0:
                row.missed.append(f"{change.source}: found what it cannot: {javascript.words}")
        else:
            row.javascript += _named(row, change, "javascript", javascript)
    return rows


def _named(row: Row, change: Tampered, who: str, told: Told) -> bool:
    if told.exit == 1 and told.version in change.versions:
        return True
    wanted = sorted(change.versions)
    row.missed.append(f"{change.source}: {who} did not name one of {wanted}: {told.words}")
    return False
