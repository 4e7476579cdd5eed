"""Pairs of histories with rulings that differ only in what a viewer may not know, of every game.

A judge rules in between: rewinds, with and without a new shuffle, adjustments, forfeits, notes.
The names that a viewer was never shown, on any branch, change places among themselves.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.catalogue import CATALOGUE
from domain.kernel.decide import Rule, Vacate, player_actor
from domain.kernel.errors import Refusal
from domain.kernel.event import Audience, Created, Event, Record
from domain.kernel.rulings import Adjust, Forfeit, Note, Rewind, Ruling
from domain.kernel.viewer import Sight, visible
from domain.players.playout import Playout
from tests.domain.just_desserts.twins import names_in
from tests.domain.kit import begun, ends_of, rechained
from tests.domain.memesio import scramble as memesio
from tests.domain.playouts import room_of
from tests.domain.stir_fry_eighteen import scramble as stir_fry

Scrambler = Callable[[list[Record], Sight, Random], list[Record]]


def random_ruling(play: Playout, random: Random) -> Ruling:
    """Draw a ruling, a rewind more often than not."""
    assert play.state is not None
    seat, ends = random.randrange(len(play.state.table.seats)), ends_of(play.records)
    if ends and random.random() < 0.7:
        return Rewind(random.choice(ends), random.choice((None, None, True, False)))
    return random.choice((Note(), Adjust(seat, random.randint(-5, 5)), Forfeit(seat)))


def ruled_history(
    name: str, random: Random, *, game: str, players: Sequence[str], judge: str
) -> Playout:
    """Play a random stretch of a game in which a judge rules now and then."""
    seats = len(players)
    options = room_of(name).draw_options(random, seats)
    play = begun(
        CATALOGUE[name], options, random, game=game, seats=seats, players=players, judge=judge
    )
    for _ in range(random.randrange(4, 50)):
        if random.random() < 0.2:
            with suppress(Refusal):
                ruling = random_ruling(play, random)
                play.command(Rule(judge=judge, ruling=ruling), f"judge:{judge}")
        elif random.random() < 0.01:
            with suppress(Refusal):
                leave = Vacate(player=players[0], seat=0)
                play.command(leave, player_actor(players[0]))
        else:
            play.step(random)
    return play


def renamed(records: list[Record], sight: Sight, random: Random) -> list[Record]:
    """Exchange all names that a viewer never read in an event; every card has a name of its own.

    Orders of decks are nobody's to know. An exchange is the same in the whole history, so that
    what is drawn, shuffled anew or taken back stays one story.
    """
    known: set[str] = set()
    orders: dict[str, tuple[str, ...]] = {}
    for record in records:
        fields = msgspec.to_builtins(record.event)
        if not isinstance(record.event, Created):
            shown = {
                field: value
                for field, value in fields.items()
                if field not in record.event.hidden or visible(record.event, field, sight)
            }
            known |= names_in(shown)
        for field, audience in record.event.hidden.items():
            if audience is Audience.NOBODY and field.endswith("_order"):
                orders.setdefault(field, fields[field])
    moved: dict[str, str] = {}
    for order in orders.values():
        free = [each for each in order if each not in known]
        moved.update(zip(free, random.sample(free, len(free)), strict=True))
    return rechained(records, lambda record: _with_names(record.event, moved))


def _with_names(event: Event, moved: dict[str, str]) -> Event:
    if isinstance(event, Created):
        return event
    for field, audience in event.hidden.items():
        names = tuple(moved.get(each, each) for each in getattr(event, field))
        if audience is not Audience.NOBODY:
            names = tuple(sorted(names))
        event = replace(event, **{field: names})
    return event


SCRAMBLERS: dict[str, Scrambler] = {
    "stir-fry-eighteen": stir_fry.scrambled,
    "just-desserts": renamed,
    "memesio": memesio.scrambled,
}


def ruled_pair(
    name: str, entropy: str, sight: Sight, **more: Any
) -> tuple[list[Record], list[Record]]:
    """Make two histories with rulings that must look alike to a viewer."""
    random = Random(entropy)
    records = ruled_history(name, random, **more).records
    return records, SCRAMBLERS[name](records, sight, random)
