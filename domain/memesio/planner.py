"""A bundled player that plans one turn ahead: what a move brings, and what it leaves in prospect.

It sees only what its seat may see, and reckons in half-screams.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.kernel.forms import Entropy
from domain.kernel.player import Scene
from domain.memesio.actions import (
    Action,
    Alone,
    AskMaiti,
    AskMaitiForm,
    AskMemesio,
    AskMemesioForm,
    AskNyamonas,
    AskNyamonasForm,
    Cook,
    CookForm,
    Hand,
    Invent,
    InventForm,
    Stock,
    StockForm,
)
from domain.memesio.cards import (
    HALF_SCREAMS,
    INGREDIENT,
    RECIPE,
    CardName,
)
from domain.memesio.choices import Mixture, Sources
from domain.memesio.deck import RecipeName
from domain.memesio.prospects import (
    CARD_IN_HAND,
    Prospect,
    Table,
    likely,
    outlook,
    position,
    prospect,
)
from domain.memesio.sources import (
    FromHand,
    FromPacket,
    FromPantry,
    FromTable,
    InventionSource,
    Source,
    from_hand,
    from_pantry,
    packets,
)
from domain.memesio.state import (
    Dessert,
    cards_of,
    nested_in,
    off_top,
    on_top,
    with_cards,
    without,
)
from domain.memesio.view import Board


def choose(scene: Scene, entropy: Entropy) -> dict[str, Any]:
    """Choose the action that brings and leaves most."""
    action: dict[str, Any] = msgspec.to_builtins(_Planner(scene, entropy).best())
    return action


class _Planner:
    """The planning of one decision."""

    def __init__(self, scene: Scene, entropy: Entropy) -> None:
        board: Board = scene.board
        self._seat = scene.seat
        self._legal = scene.legal
        self._entropy = entropy
        self._players = board.players
        own = board.players[scene.seat]
        self._desserts = {
            dessert.number: (player.seat, dessert)
            for player in board.players
            for dessert in player.desserts
        }
        self._envy = 1.0 / (len(board.players) - 1)
        self._now = Prospect(
            hand=own.hand or (),
            pantry={stack.ingredient: stack.cards for stack in board.pantry},
            table=_counted(dessert for _, dessert in self._desserts.values()),
            likely=likely(self._seen(board)),
            late=board.deck_count < 2 * len(board.players),
        )

    def best(self) -> Action:
        """Give the best special card worth playing, else the best play."""
        special = self._best_special()
        if special is not None:
            return special
        plays = [*self._cookings(), *self._stockings()]
        return max(plays, key=lambda play: play[0])[1]

    def _seen(self, board: Board) -> Iterable[CardName]:
        yield from board.players[self._seat].hand or ()
        yield from board.spoiled
        for stack in board.pantry:
            yield from stack.cards
        for _, dessert in self._desserts.values():
            yield from cards_of(dessert)

    # The play.

    def _cookings(self) -> Iterable[tuple[float, Action]]:
        for form in self._legal:
            if isinstance(form, CookForm):
                sources = self._gather(form.card, form.sources)
                yield self._cooking_worth(form, sources), Cook(form.card, sources)

    def _cooking_worth(self, form: CookForm, sources: tuple[Source, ...]) -> float:
        now = self._now
        used = [
            self._desserts[source.dessert] for source in sources if isinstance(source, FromTable)
        ]
        turtles = packets(sources)
        marked = any(dessert.marked for _, dessert in used)
        screams = 0 if turtles else form.sources.halved if marked else form.sources.full
        others = {seat for seat, _ in used} - {self._seat}
        gain = screams - self._envy * len(others) * (screams // 2)
        table = Counter(now.table)
        table[RECIPE[form.card].id] += 1
        table.subtract(dessert.recipe for _, dessert in used if dessert.recipe is not None)
        after = Prospect(
            hand=without(now.hand, (form.card, *from_hand(sources), *turtles)),
            pantry=off_top(now.pantry, from_pantry(sources)),
            table=table,
            likely=now.likely,
            late=now.late,
        )
        return gain + outlook(after)

    def _gather(self, card: CardName, sources: Sources) -> tuple[Source, ...]:
        """Choose sources: the pantry before the hand, own desserts before others'."""
        chosen: list[Source] = []
        for component in sources.components:
            fitting = [source for source in component.sources if sources.allows(chosen, source)]
            if not fitting:
                return sources.choose(self._entropy)
            chosen.append(min(fitting, key=self._reluctance))
        return tuple(chosen)

    def _reluctance(self, source: Source) -> float:
        match source:
            case FromPantry():
                return 0
            case FromHand(card=card):
                return 1 + prospect(card, self._now)
            case FromPacket():
                return 100
        seat, dessert = self._desserts[source.dessert]
        return 4 * dessert.marked + (
            0 if seat == self._seat else 1 + self._players[seat].score / 1000
        )

    def _stockings(self) -> Iterable[tuple[float, Action]]:
        now = self._now
        [form] = [form for form in self._legal if isinstance(form, StockForm)]
        cooks = any(isinstance(form, CookForm) for form in self._legal)
        for card in form.card.values:
            new = INGREDIENT[card] not in now.pantry and not cooks
            after = now._replace(
                hand=without(now.hand, (card,)), pantry=on_top(now.pantry, (card,))
            )
            yield HALF_SCREAMS * new + outlook(after), Stock(card)

    # Special cards.

    def _best_special(self) -> Action | None:
        least = position(self._now) - CARD_IN_HAND
        best: Action | None = None
        for form in self._legal:
            for worth, action in self._specials(form):
                if worth > least:
                    least, best = worth, action
        return best

    def _specials(self, form: msgspec.Struct) -> Iterable[tuple[float, Action]]:
        match form:
            case InventForm():
                yield self._inventing(form)
            case AskMemesioForm():
                for card in form.takes.values:
                    hand = with_cards(without(self._now.hand, (form.card,)), (card,))
                    after = self._now._replace(hand=hand, pantry=off_top(self._now.pantry, (card,)))
                    yield position(after), AskMemesio(form.card, card)
            case AskNyamonasForm():
                for number in form.dessert.values:
                    for card in form.takes.values:
                        yield self._swapping(form.card, number, card)
            case AskMaitiForm():
                yield from self._breaking(form)

    def _inventing(self, form: InventForm) -> tuple[float, Action]:
        """Invent from what is missed least: heads and tails together bring the base."""
        now = self._now
        sources = self._ingredients(form.sources)
        after = now._replace(
            hand=without(now.hand, (form.card, *from_hand(sources))),
            pantry=off_top(now.pantry, from_pantry(sources)),
        )
        name = form.name.choose(self._entropy)
        worth = HALF_SCREAMS * len(sources) + position(after)
        return worth, Invent(form.card, sources, name)

    def _ingredients(self, mixture: Mixture) -> tuple[InventionSource, ...]:
        now = self._now
        tops = [stack[0] for stack in mixture.stacks]
        worths = {card: outlook(now._replace(pantry=off_top(now.pantry, (card,)))) for card in tops}
        tops.sort(key=lambda card: -worths[card])
        chosen: list[InventionSource] = [FromPantry(card) for card in tops[: mixture.most]]
        if len(chosen) >= mixture.least:
            return tuple(chosen)
        return mixture.choose(self._entropy)

    def _swapping(self, card: CardName, number: int, takes: CardName) -> tuple[float, Action]:
        now = self._now
        _, old = self._desserts[number]
        after = now._replace(
            hand=without(now.hand, (card,)),
            pantry=on_top(off_top(now.pantry, (takes,)), cards_of(old)),
            table=self._table(old, RECIPE[takes].id),
        )
        return position(after), AskNyamonas(card, number, takes)

    def _table(self, gone: Dessert, come: RecipeName | None) -> Table:
        table = Counter(self._now.table)
        if gone.recipe is not None:
            table[gone.recipe] -= 1
        if come is not None:
            table[come] += 1
        return table

    def _breaking(self, form: AskMaitiForm) -> Iterable[tuple[float, Action]]:
        now = self._now
        _, dessert = self._desserts[form.dessert]
        cards = cards_of(dessert)
        nested = {other.number: (place, other) for place, other in nested_in(dessert)}
        for keeps in form.keeps.values:
            hand = without(now.hand, (form.card,))
            if isinstance(keeps, Hand | Alone):
                kept = cards[keeps.place]
                rest: Sequence[CardName] = (*cards[: keeps.place], *cards[keeps.place + 1 :])
                made = None if isinstance(keeps, Hand) else RECIPE[kept].id
                if isinstance(keeps, Hand):
                    hand = with_cards(hand, (kept,))
            else:
                place, other = nested[keeps.dessert]
                rest = (*cards[:place], *cards[place + len(cards_of(other)) :])
                made = other.recipe
            after = now._replace(
                hand=hand, pantry=on_top(now.pantry, rest), table=self._table(dessert, made)
            )
            yield position(after), AskMaiti(form.card, form.dessert, keeps)


def _counted(desserts: Iterable[Dessert]) -> Table:
    return Counter(dessert.recipe for dessert in desserts if dessert.recipe is not None)
