"""Second histories that differ from the first only in what one viewer may not know.

The desserts of one shuffle that a viewer has not seen since change places among themselves, in
hands and deck alike; so do the guests that have not been revealed since. The commands are then
decided anew, with chance bringing the changed orders: what a rule asks or writes because of a
hidden card shows as a difference.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any
from unittest import mock

import msgspec

from domain.kernel import decide as kernel_decide
from domain.kernel.chance import Chance
from domain.kernel.decide import Context, decide
from domain.kernel.event import Event, Record
from domain.kernel.fold import evolve
from domain.kernel.replay import command_of
from domain.kernel.ruleset import Ruleset
from domain.kernel.viewer import Sight

# What the rules hide (JD-12), said here once more: what the code under test declares does not
# count. A deck's order is hidden from everybody, drawn desserts from all but the seat.
ORDERS = {"desserts_shuffled": "dessert_order", "guests_shuffled": "guest_order"}
OWN = {"dealt": "desserts", "turn_began": "desserts", "drawn": "desserts"}


def tag_of(event: Event) -> str:
    """Give an event's type."""
    return str(event.__struct_config__.tag)


def order_of(event: Event) -> tuple[str, ...]:
    """Give the order of a shuffled deck; empty for other events."""
    return getattr(event, ORDERS.get(tag_of(event), ""), ())


def names_in(value: Any) -> set[str]:
    """Collect all strings in a JSON value."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(names_in, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(names_in, value))
    return set()


def shown_names(record: Record, sight: Sight) -> set[str]:
    """Collect the names that a viewer reads in an event."""
    event = record.event
    fields = msgspec.to_builtins(event)
    tag = tag_of(event)
    if tag == "created":
        return set()
    fields.pop(ORDERS.get(tag), None)
    if tag in OWN and not sight.sees(event.seat):
        fields.pop(OWN[tag])
    return names_in(fields)


def unseen(records: Sequence[Record], start: int, sight: Sight) -> list[str]:
    """List what was in the order shuffled at an index and has not been seen since."""
    seen: set[str] = set()
    for record in records[start + 1 :]:
        seen |= shown_names(record, sight)
    return [name for name in order_of(records[start].event) if name not in seen]


def changed_orders(
    records: Sequence[Record], sight: Sight, random: Random
) -> dict[int, tuple[str, ...]]:
    """Change what a viewer cannot know; give all shuffled orders by the number of their draw."""
    orders = {
        record.event.chance: order_of(record.event) for record in records if order_of(record.event)
    }
    for index, record in enumerate(records):
        if not order_of(record.event):
            continue
        free = unseen(records, index, sight)
        mixed = random.sample(free, len(free))
        moved = dict(zip(free, mixed, strict=True))
        order = orders[record.event.chance]
        orders[record.event.chance] = tuple(moved.get(name, name) for name in order)
    return orders


class ScriptedChance(Chance):
    """Chance whose shuffles bring known orders; all else is as the key has it."""

    orders: Mapping[int, tuple[str, ...]] = {}

    def shuffle(self, cards: Any) -> tuple[int, tuple[Any, ...]]:
        """Give the known order, which must be one of these cards."""
        number, drawn = super().shuffle(cards)
        order = self.orders.get(number, drawn)
        if sorted(order) != sorted(drawn):
            raise Diverged("a shuffle of other cards")
        return number, order


class Diverged(Exception):
    """The second history cannot go the way of the first."""


def twin(
    ruleset: Ruleset[Any], records: Sequence[Record], sight: Sight, random: Random
) -> list[Record]:
    """Make a second history by deciding the same commands in changed positions.

    Raises Diverged, or a Refusal, where the rules do not let it go the same way: as revealing as
    any difference.
    """
    orders = changed_orders(records, sight, random)
    made: list[Record] = []
    first = second = None

    def scripted(state: Any) -> Chance:
        chance = kernel_chance_of(state)
        other = ScriptedChance(chance._key, chance.number)
        other.orders = orders
        return other

    kernel_chance_of = kernel_decide.chance_of
    for record in records:
        if record.count:
            command = command_of(ruleset, first, record)
            assert command is not None
            with mock.patch.object(kernel_decide, "chance_of", scripted):
                added = decide(ruleset, second, command, Context(record.actor, record.time))
            if len(added) != record.count:
                raise Diverged(f"{command} has {len(added)} events instead of {record.count}")
            for other in added:
                made.append(other)
                second = evolve(ruleset, second, other)
        first = evolve(ruleset, first, record)
    return made


def differ_inside(one: Sequence[Record], other: Sequence[Record]) -> bool:
    """Whether two histories really differ in anything."""
    return [record.event for record in one] != [record.event for record in other]
