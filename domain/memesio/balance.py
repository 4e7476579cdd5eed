"""How the deck plays: statistics of finished games, for a table in ``docs/memesio-deck.md``.

Give each game's events to :class:`Balance`, then read off the lines. Nothing is played here.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from domain.kernel.event import Ended, Event
from domain.kernel.ruleset import BalanceLine
from domain.memesio.cards import DECK, RECIPE, SPECIAL, Cards
from domain.memesio.deck import RECIPES, SPECIALS, SpecialName
from domain.memesio.events import (
    CoinTossed,
    Cooked,
    Dealt,
    Invented,
    PantryOpened,
    Stocked,
    TurnBegan,
)

# The aims of the rules page, by the number of players where that matters.
DECK_LEFT_MOST = 2
RECIPE_LEAST = 15
COMPLEX_LEAST = 30
COMPLEX_LEAST_RANDOM = 25
SEAT_MOST = 4
SPECIAL_MOST = 12
PLANNER_LEAST = {2: 95, 3: 90, 4: 85, 5: 85}


class Balance:
    """Gathers statistics of finished games, all of the same number of players.

    ``planners`` are the seats of planning players, the others play at random.
    """

    def __init__(self, players: int, planners: Collection[int]) -> None:
        self.players = players
        self.planners = frozenset(planners)
        self.games = 0
        self.plays: Counter[str] = Counter()
        self.cooked_in: Counter[str] = Counter()
        self.cooked: Counter[str] = Counter()
        self.heads = 0
        self.deck_left: list[int] = []
        self.turns = 0
        self.cards_held = 0
        self.screams = 0
        self.by_seat: dict[int, Fraction] = dict.fromkeys(range(players), Fraction())
        self.by_turn: dict[int, Fraction] = dict.fromkeys(range(players), Fraction())
        self.drew: Counter[SpecialName] = Counter()
        self.won_having_drawn = dict.fromkeys(SPECIALS, Fraction())
        self.won_without = dict.fromkeys(SPECIALS, Fraction())

    def add(self, events: Sequence[Event]) -> None:
        """Add one finished game. Raises ValueError if the game has not ended."""
        ended = next((event for event in reversed(events) if isinstance(event, Ended)), None)
        if ended is None:
            raise ValueError("the game has not ended")
        self.games += 1
        self._count_plays(events)
        drawn: list[Cards] = [()] * self.players
        for event in events:
            if isinstance(event, Dealt | TurnBegan):
                drawn[event.seat] += event.cards
        turns = [event for event in events if isinstance(event, TurnBegan)]
        opened = sum(len(event.cards) for event in events if isinstance(event, PantryOpened))
        self.turns += len(turns)
        self.deck_left.append(len(DECK) - opened - sum(map(len, drawn)))
        winners = ended.outcome.winners
        share = Fraction(1, len(winners))
        for seat in winners:
            self.by_seat[seat] += share
            self.by_turn[(seat - turns[0].seat) % self.players] += share
        self.screams += sum(ended.outcome.scores)
        for seat, cards in enumerate(drawn):
            for card in cards:
                if card in SPECIAL:
                    special = SPECIAL[card]
                    own = share if seat in winners else Fraction()
                    self.drew[special] += 1
                    self.won_having_drawn[special] += own
                    self.won_without[special] += 1 - own

    def _count_plays(self, events: Iterable[Event]) -> None:
        made: list[str] = []
        for event in events:
            self.plays[str(event.__struct_config__.tag)] += 1
            match event:
                case Cooked(card=card):
                    made.append(RECIPE[card].id)
                case Invented():
                    made.append("invention")
                case CoinTossed(heads=heads):
                    self.heads += heads
                case Stocked(screams=screams) if screams:
                    self.plays["new ingredient"] += 1
        self.cooked.update(made)
        self.cooked_in.update(set(made))

    # Reading off.

    def share_of_games(self, recipe: str) -> float:
        """The percentage of games in which a recipe was cooked."""
        return 100 * self.cooked_in[recipe] / self.games

    def complex_share(self) -> float:
        """The percentage of complex desserts among all that were cooked, inventions included."""
        elaborate = sum(self.cooked[recipe.id] for recipe in RECIPES if recipe.level > 1)
        return 100 * elaborate / max(1, self.cooked.total())

    def excess(self, wins: Mapping[int, Fraction]) -> float:
        """The most that a seat wins above its fair share, in points."""
        return 100 * float(max(wins.values()) / self.games - Fraction(1, self.players))

    def swing(self, special: SpecialName) -> float:
        """How many points more the drawer of one such card wins than each who did not draw it.

        Every card drawn counts once; where all seats are alike this is what drawing it is worth.
        """
        drew = max(1, self.drew[special])
        without = self.won_without[special] / (drew * (self.players - 1))
        return 100 * float(self.won_having_drawn[special] / drew - without)

    def wins_of_planners(self) -> float:
        """The percentage of games that planners win, shared wins by their share."""
        return 100 * float(sum(self.by_seat[seat] for seat in self.planners)) / self.games

    def median_deck_left(self) -> int:
        """The cards left in the deck at the end of the median game."""
        return sorted(self.deck_left)[self.games // 2]

    def lines(self) -> list[BalanceLine]:
        """Give the table's lines: those with an aim first."""
        lines: list[BalanceLine] = []
        if len(self.planners) == self.players:
            lines += self._lines_of_planners()
        elif self.planners:
            aim = PLANNER_LEAST[self.players]
            lines.append(
                _at_least("a planner among random players wins", self.wins_of_planners(), aim)
            )
        else:
            share = self.complex_share()
            lines.append(_at_least("complex of all cooked", share, COMPLEX_LEAST_RANDOM))
        return lines + self._lines_of_play()

    def _lines_of_planners(self) -> list[BalanceLine]:
        left = self.median_deck_left()
        rarest = min(RECIPES, key=lambda recipe: self.cooked_in[recipe.id])
        lines = [
            BalanceLine(
                "cards left in the deck, median game",
                str(left),
                f"≤ {DECK_LEFT_MOST}",
                left <= DECK_LEFT_MOST,
            ),
            _at_least(
                f"games with the rarest recipe ({rarest.id})",
                self.share_of_games(rarest.id),
                RECIPE_LEAST,
            ),
            _at_least("complex of all cooked", self.complex_share(), COMPLEX_LEAST),
            _at_most("best seat above its fair share", self.excess(self.by_seat), SEAT_MOST),
            _at_most("best place in turn above fair", self.excess(self.by_turn), SEAT_MOST),
        ]
        for special in SPECIALS:
            swing = self.swing(special)
            met = abs(swing) <= SPECIAL_MOST
            lines.append(
                BalanceLine(f"drawing {special}", f"{swing:+.1f} points", f"± {SPECIAL_MOST}", met)
            )
        return lines

    def _lines_of_play(self) -> list[BalanceLine]:
        per_game = {name: count / self.games for name, count in self.plays.items()}
        counted = {
            "turns a game": self.turns / self.games,
            "recipes cooked a game": per_game.get("cooked", 0),
            "inventions a game": per_game.get("invented", 0),
            "cards stocked a game": per_game.get("stocked", 0),
            "screams for stocking a game": per_game.get("new ingredient", 0),
            "memesio asked a game": per_game.get("memesio_asked", 0),
            "nyamonas asked a game": per_game.get("nyamonas_asked", 0),
            "maiti asked a game": per_game.get("maiti_asked", 0),
            "screams of a player": self.screams / 2 / self.games / self.players,
        }
        return [BalanceLine(what, f"{value:.1f}") for what, value in counted.items()] + [
            BalanceLine(f"games with {recipe.id}", f"{self.share_of_games(recipe.id):.0f} %")
            for recipe in RECIPES
        ]


def _at_least(what: str, value: float, least: int) -> BalanceLine:
    return BalanceLine(what, f"{value:.1f} %", f"≥ {least} %", value >= least)


def _at_most(what: str, value: float, most: int) -> BalanceLine:
    return BalanceLine(what, f"{value:.1f} points", f"≤ {most}", value <= most)
