"""Where what goes into a dessert comes from (ME-3, ME-10, ME-11)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.memesio.cards import CardName, Cards


class FromHand(Struct, frozen=True, tag_field="from", tag="hand", forbid_unknown_fields=True):
    """A card from one's own hand, as an ingredient."""

    card: CardName


class FromPantry(Struct, frozen=True, tag_field="from", tag="pantry", forbid_unknown_fields=True):
    """A card from the pantry: the top of its stack once the sources before it are taken."""

    card: CardName


class FromTable(Struct, frozen=True, tag_field="from", tag="table", forbid_unknown_fields=True):
    """A dessert on the table, one's own or somebody else's."""

    dessert: Annotated[int, Meta(ge=1, le=1_000_000)]


class FromPacket(Struct, frozen=True, tag_field="from", tag="packet", forbid_unknown_fields=True):
    """A Turtle Packet from one's own hand, in place of any basic ingredient (ME-10)."""

    card: CardName


Source = FromHand | FromPantry | FromTable | FromPacket
InventionSource = FromHand | FromPantry


def from_hand(sources: tuple[Source, ...]) -> Cards:
    """List the ingredients that come out of the hand, packets left out."""
    return tuple(source.card for source in sources if isinstance(source, FromHand))


def from_pantry(sources: tuple[Source, ...]) -> Cards:
    """List the cards that come out of the pantry, in the order taken."""
    return tuple(source.card for source in sources if isinstance(source, FromPantry))


def packets(sources: tuple[Source, ...]) -> Cards:
    """List the Turtle Packets that are used as such."""
    return tuple(source.card for source in sources if isinstance(source, FromPacket))
