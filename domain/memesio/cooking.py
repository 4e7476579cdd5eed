"""Cooking: what can be cooked, from which sources, and what it brings (ME-3, ME-4, ME-10)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from domain.kernel.errors import Refusal
from domain.memesio.cards import (
    BASICS,
    HALF_SCREAMS,
    INGREDIENT,
    NEEDS,
    RECIPE,
    SPECIAL,
    CardName,
    Cards,
)
from domain.memesio.choices import Component, Serving, Sources
from domain.memesio.deck import ComponentName, IngredientName, Recipe, RecipeName
from domain.memesio.events import Share
from domain.memesio.sources import (
    FromHand,
    FromPacket,
    FromPantry,
    FromTable,
    InventionSource,
    Source,
    packets,
)
from domain.memesio.state import Dessert, Game, without


class Supplies(NamedTuple):
    """What there is to cook from, counted: ingredients, and desserts on the table by recipe."""

    basics: Mapping[IngredientName, int]
    desserts: Mapping[RecipeName, int]


def supplies(cards: Iterable[CardName], game: Game) -> Supplies:
    """Count some cards and the whole pantry as ingredients, and all desserts on the table."""
    basics = Counter(INGREDIENT[card] for card in cards)
    for name, stack in game.pantry.items():
        basics[name] += len(stack)
    desserts = Counter(
        dessert.recipe
        for player in game.players
        for dessert in player.desserts
        if dessert.recipe is not None
    )
    return Supplies(basics, desserts)


def suffices(
    card: CardName, there: Supplies, turtles: Mapping[IngredientName, int] | None = None
) -> bool:
    """Say whether a recipe card, counted as an ingredient in the supplies, can be cooked.

    ``turtles`` are Turtle Packets, by their ingredient halves, that are in the supplies as
    ingredients and may be used as packets instead. Only a packet whose ingredient is to spare
    helps: any other leaves a hole where it fills one. So counting is exact.
    """
    needs = NEEDS[RECIPE[card].id]
    for recipe, count in needs.desserts:
        if there.desserts.get(recipe, 0) < count:
            return False
    own = INGREDIENT[card]
    short = 0
    for name, count in needs.basics:
        left = there.basics.get(name, 0) - count - (name == own)
        if left < 0:
            if not turtles:
                return False
            short -= left
    if not short:
        return True
    assert turtles is not None
    wanted = dict(needs.basics)
    helpful = 0
    for name, packs in turtles.items():
        spare = there.basics[name] - wanted.get(name, 0) - (name == own)
        helpful += max(0, min(packs, spare))
    return short <= helpful


def turtles_in(cards: Iterable[CardName]) -> Counter[IngredientName]:
    """Count the Turtle Packets among cards by their ingredient halves."""
    return Counter(INGREDIENT[card] for card in cards if SPECIAL.get(card) == "packet")


def cooks_something(game: Game, seat: int) -> bool:
    """Say whether a recipe in a seat's hand could be cooked, Turtle Packets not counted (ME-5)."""
    hand = game.players[seat].hand
    there = supplies(hand, game)
    return any(card in RECIPE and suffices(card, there) for card in hand)


# The sources of a recipe, as a client wants them listed.


def cookable(game: Game, seat: int) -> Iterable[tuple[CardName, Sources]]:
    """List the recipe cards of a seat that can be cooked now, Turtle Packets counted."""
    hand = game.players[seat].hand
    there = supplies(hand, game)
    turtles = turtles_in(hand)
    for card in dict.fromkeys(hand):
        if card in RECIPE and suffices(card, there, turtles):
            yield card, sources_for(game, without(hand, (card,)), RECIPE[card])


def sources_for(game: Game, hand: Cards, recipe: Recipe) -> Sources:
    """List what can fill each component of a recipe, with the given cards left in hand."""
    kinds = tuple(dict.fromkeys(hand))
    turtles = tuple(FromPacket(card) for card in kinds if SPECIAL.get(card) == "packet")
    met: Counter[ComponentName] = Counter()
    components: list[Component] = []
    servings: dict[int, Serving] = {}
    for name in recipe.components:
        met[name] += 1
        if name not in BASICS:
            served = tuple(_served(game, name))
            servings.update({serving.dessert: serving for serving in served})
            found: tuple[Source, ...] = tuple(FromTable(serving.dessert) for serving in served)
        else:
            stack = _stack(game, name)[: met[name]]
            found = (
                *(FromHand(card) for card in kinds if INGREDIENT[card] == name),
                *(FromPantry(card) for card in dict.fromkeys(stack)),
                *turtles,
            )
        components.append(Component(name, found))
    stacks = (_stack(game, name)[:count] for name, count in met.items() if name in BASICS)
    return Sources(
        components=tuple(components),
        hand=hand,
        stacks=tuple(stack for stack in stacks if stack),
        servings=tuple(servings.values()),
        full=recipe.screams * HALF_SCREAMS,
        halved=recipe.screams * HALF_SCREAMS // 2,
    )


def _stack(game: Game, name: ComponentName) -> Cards:
    for ingredient, stack in game.pantry.items():
        if ingredient == name:
            return stack
    return ()


def _served(game: Game, name: ComponentName) -> Iterable[Serving]:
    for seat, player in enumerate(game.players):
        for dessert in player.desserts:
            if dessert.recipe == name:
                yield Serving(dessert.number, seat, dessert.marked)


# Checking the sources that an action names.


def check_sources(
    game: Game, seat: int, card: CardName, recipe: Recipe, sources: tuple[Source, ...]
) -> None:
    """Check that sources fill a recipe's components one by one, each used once (ME-3)."""
    if len(sources) != len(recipe.components):
        count = len(recipe.components)
        raise Refusal("component_count", rule="ME-3", pointer="/sources", count=count)
    reach = _Reach(game, seat, card)
    for index, (name, source) in enumerate(zip(recipe.components, sources, strict=True)):
        pointer = f"/sources/{index}"
        match source:
            case FromTable():
                dessert = reach.dessert(source.dessert, pointer)
                _check_dessert(dessert, name, pointer)
            case FromPacket():
                _check_packet(source.card, name, pointer)
                reach.hand_card(source.card, pointer)
            case FromHand():
                _check_ingredient(source.card, name, pointer)
                reach.hand_card(source.card, pointer)
            case FromPantry():
                _check_ingredient(source.card, name, pointer)
                reach.pantry_card(source.card, pointer)


def check_invention(
    game: Game, seat: int, card: CardName, sources: tuple[InventionSource, ...]
) -> None:
    """Check that the ingredients of an invention lie where they are said to (ME-11)."""
    reach = _Reach(game, seat, card)
    for index, source in enumerate(sources):
        pointer = f"/sources/{index}"
        if isinstance(source, FromHand):
            reach.hand_card(source.card, pointer)
        else:
            reach.pantry_card(source.card, pointer)


class _Reach:
    """What a seat can still reach for while its sources are checked one after the other."""

    def __init__(self, game: Game, seat: int, card: CardName) -> None:
        self._game = game
        self._held = Counter(game.players[seat].hand)
        self._hand = self._held - Counter((card,))
        self._taken: Counter[IngredientName] = Counter()
        self._desserts: set[int] = set()

    def hand_card(self, card: CardName, pointer: str) -> None:
        """Take a card out of the hand."""
        if not self._held[card]:
            raise Refusal("card_not_held", rule="ME-0", pointer=pointer, card=card)
        if not self._hand[card]:
            raise Refusal("named_twice", rule="ME-0", pointer=pointer, card=card)
        self._hand[card] -= 1

    def pantry_card(self, card: CardName, pointer: str) -> None:
        """Take a card off the top of its stack."""
        name = INGREDIENT.get(card)
        stack = () if name is None else self._game.pantry.get(name, ())
        if name is None or stack[self._taken[name] :][:1] != (card,):
            raise Refusal("not_on_top", rule="ME-3", pointer=pointer, card=card)
        self._taken[name] += 1

    def dessert(self, number: int, pointer: str) -> Dessert:
        """Take a dessert off the table."""
        found = self._game.find(number)
        if found is None:
            raise Refusal("no_such_dessert", rule="ME-0", pointer=pointer, dessert=number)
        if number in self._desserts:
            raise Refusal("dessert_named_twice", rule="ME-0", pointer=pointer, dessert=number)
        self._desserts.add(number)
        return found[1]


def _check_ingredient(card: CardName, name: ComponentName, pointer: str) -> None:
    if INGREDIENT.get(card) != name:
        raise Refusal("wrong_component", rule="ME-3", pointer=pointer, component=name)


def _check_dessert(dessert: Dessert, name: ComponentName, pointer: str) -> None:
    if dessert.recipe is None:
        raise Refusal("invention_is_no_component", rule="ME-11", pointer=pointer)
    if dessert.recipe != name:
        raise Refusal("wrong_component", rule="ME-3", pointer=pointer, component=name)


def _check_packet(card: CardName, name: ComponentName, pointer: str) -> None:
    if SPECIAL.get(card) != "packet":
        raise Refusal("no_packet", rule="ME-10", pointer=pointer, card=card)
    if name not in BASICS:
        raise Refusal("packet_for_a_dessert", rule="ME-10", pointer=pointer, component=name)


# What a dessert brings.


class Success(NamedTuple):
    """What cooking brings: half-screams to the cook, shares to authors, a mark."""

    screams: int
    shares: tuple[Share, ...]
    marked: bool


def success(game: Game, seat: int, recipe: Recipe, sources: tuple[Source, ...]) -> Success:
    """Reckon what a seat's cooking brings (ME-4, ME-10)."""
    marked = bool(packets(sources))
    authors: set[int] = set()
    halved = False
    for source in sources:
        if isinstance(source, FromTable):
            found = game.find(source.dessert)
            assert found is not None
            author, dessert = found
            authors.add(author)
            halved = halved or dessert.marked
    screams = 0 if marked else recipe.screams * HALF_SCREAMS // (2 if halved else 1)
    half = screams // 2
    others = sorted(authors - {seat}) if half else ()
    return Success(screams, tuple(Share(author, half) for author in others), marked)
