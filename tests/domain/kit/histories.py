"""Histories of any game: begun, followed across rewinds, and written anew."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, ClassVar

import msgspec

from domain.kernel.canonical import chain_start
from domain.kernel.decide import Create, Join, NameJudge, SeatBundled, Start, player_actor
from domain.kernel.event import Created, Event, Record, Rewound, Started, chained
from domain.kernel.ruleset import Ruleset
from domain.players.playout import Playout
from tests.domain.kit.room import HOST


def begun(
    ruleset: Ruleset[Any],
    options: msgspec.Struct,
    random: Random,
    *,
    game: str,
    seats: int,
    players: Sequence[str] | None = None,
    judge: str | None = None,
) -> Playout:
    """Begin a game. Without ``players`` some seats are bundled players'."""
    play = Playout(ruleset, time=1_000)
    host = player_actor(HOST)
    create = Create(
        game=game,
        ruleset_version=ruleset.version,
        options=options,
        seats=seats,
        host=HOST,
        public=True,
        seed=random.randbytes(32).hex(),
    )
    play.command(create, host)
    if judge is not None:
        play.command(NameJudge(player=HOST, judge=judge), host)
    for seat in range(seats):
        if players is None and random.random() < 0.3:
            play.command(SeatBundled(player=HOST, bundled="random"), host)
            continue
        player = players[seat] if players else f"p{seat}"
        nonce = random.choice((None, random.randbytes(8).hex()))
        play.command(Join(player=player, nonce=nonce), player_actor(player))
    play.command(Start(player=HOST), host)
    return play


def ends_of(records: Sequence[Record]) -> list[int]:
    """List the versions that a game can be taken back to: where commands ended, since the start."""
    start = next(record.version for record in records if isinstance(record.event, Started))
    return [r.version - 1 for r in records if r.count and r.version - 1 > start]


class Follower:
    """Follows a history by attributes of its own; a rewind sets those in ``game`` back.

    What it gathers besides, of all that ever happened, stays.
    """

    game: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        self._moments: dict[int, Any] = {}

    def before(self, record: Record) -> None:
        """Go back to where a rewind goes back to, before anything else is made of it."""
        if isinstance(record.event, Rewound):
            for name, value in deepcopy(self._moments[record.event.to]).items():
                setattr(self, name, value)

    def after(self, record: Record) -> None:
        """Remember where the history stands after an event."""
        now = {name: getattr(self, name) for name in self.game}
        self._moments[record.version] = deepcopy(now)


def rechained(records: Sequence[Record], change: Callable[[Record], Event]) -> list[Record]:
    """Write a history anew with changed events, and chain it."""
    created = records[0].event
    assert isinstance(created, Created)
    chain, again = chain_start(created.game), []
    for record in records:
        made = chained(
            chain,
            change(record),
            version=record.version,
            parent=record.parent,
            time=record.time,
            actor=record.actor,
            count=record.count,
            seed=bytes.fromhex(created.seed),
        )
        again.append(made)
        chain = made.chain
    return again
