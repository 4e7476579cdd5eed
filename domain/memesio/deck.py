"""The deck of Memesio's Café, as data. Why it is as it is stands in ``docs/memesio-deck.md``.

Every number here was settled by simulation; after a change, run
``python -m tests.domain.memesio.balance`` and put its table in that page.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

IngredientName = Literal[
    "sugar",
    "eggs",
    "flour",
    "butter",
    "milk",
    "cream",
    "chocolate",
    "berries",
    "nuts",
    "honey",
    "apples",
    "lemon",
]
RecipeName = Literal[
    "marshmallow",
    "sponge",
    "custard",
    "meringue",
    "caramel",
    "shortbread",
    "ganache",
    "jam",
    "brittle",
    "ice_cream",
    "pancakes",
    "cake",
    "pavlova",
    "birds_milk",
    "apple_pie",
    "jam_roll",
    "sundae",
    "toffee_apple",
    "honey_cake",
    "pancake_tower",
    "smores",
    "truffles",
    "lemon_tart",
    "napoleon",
    "wedding_cake",
    "kubik_castle",
]
SpecialName = Literal["memesio", "nyamonas", "maiti", "packet", "ladle"]
ComponentName = IngredientName | RecipeName


class Recipe(Struct, frozen=True):
    """A recipe: what it is made of, in the order of its card, and the screams it brings.

    ``level`` is 1 for a simple recipe, 2 for one made with simple desserts, 3 for a show-piece.
    """

    id: RecipeName
    level: int
    components: tuple[ComponentName, ...]
    screams: int


INGREDIENTS: tuple[IngredientName, ...] = (
    "sugar",
    "eggs",
    "flour",
    "butter",
    "milk",
    "cream",
    "chocolate",
    "berries",
    "nuts",
    "honey",
    "apples",
    "lemon",
)

RECIPES: tuple[Recipe, ...] = (
    Recipe("marshmallow", 1, ("sugar", "eggs"), 2),
    Recipe("sponge", 1, ("flour", "eggs"), 2),
    Recipe("custard", 1, ("milk", "butter"), 2),
    Recipe("meringue", 1, ("eggs", "eggs", "sugar"), 3),
    Recipe("caramel", 1, ("sugar", "sugar", "butter"), 3),
    Recipe("shortbread", 1, ("flour", "butter"), 2),
    Recipe("ganache", 1, ("chocolate", "cream"), 2),
    Recipe("jam", 1, ("berries", "sugar"), 2),
    Recipe("brittle", 1, ("nuts", "honey"), 2),
    Recipe("ice_cream", 1, ("milk", "cream", "sugar"), 3),
    Recipe("pancakes", 1, ("flour", "milk", "eggs"), 3),
    Recipe("cake", 2, ("sponge", "custard"), 5),
    Recipe("pavlova", 2, ("meringue", "berries"), 5),
    Recipe("birds_milk", 2, ("marshmallow", "chocolate"), 4),
    Recipe("apple_pie", 2, ("shortbread", "apples"), 4),
    Recipe("jam_roll", 2, ("sponge", "jam"), 5),
    Recipe("sundae", 2, ("ice_cream", "nuts"), 5),
    Recipe("toffee_apple", 2, ("caramel", "apples"), 5),
    Recipe("honey_cake", 2, ("sponge", "honey", "cream"), 5),
    Recipe("pancake_tower", 2, ("pancakes", "jam"), 6),
    Recipe("smores", 2, ("marshmallow", "shortbread"), 6),
    Recipe("truffles", 2, ("ganache", "nuts"), 4),
    Recipe("lemon_tart", 2, ("shortbread", "lemon", "cream"), 5),
    Recipe("napoleon", 2, ("custard", "flour", "butter"), 5),
    Recipe("wedding_cake", 3, ("cake", "cream", "berries"), 9),
    Recipe("kubik_castle", 3, ("honey_cake", "brittle", "lemon"), 10),
)

# The ingredient half of each copy of a recipe's card.
HALVES: Mapping[RecipeName, tuple[IngredientName, ...]] = {
    "marshmallow": ("milk", "butter", "lemon"),
    "sponge": ("sugar", "cream", "butter", "milk"),
    "custard": ("sugar", "eggs", "flour"),
    "meringue": ("chocolate", "flour", "honey"),
    "caramel": ("eggs", "milk", "flour"),
    "shortbread": ("sugar", "eggs", "chocolate"),
    "ganache": ("sugar", "eggs"),
    "jam": ("apples", "eggs"),
    "brittle": ("lemon", "flour"),
    "ice_cream": ("nuts", "honey", "butter"),
    "pancakes": ("sugar", "butter", "cream"),
    "cake": ("milk", "eggs", "butter"),
    "pavlova": ("lemon", "honey", "eggs"),
    "birds_milk": ("cream", "butter", "berries"),
    "apple_pie": ("milk", "honey", "butter"),
    "jam_roll": ("cream", "lemon", "sugar"),
    "sundae": ("flour", "butter", "berries"),
    "toffee_apple": ("honey", "cream", "sugar"),
    "honey_cake": ("chocolate", "berries", "sugar"),
    "pancake_tower": ("apples", "cream", "eggs"),
    "smores": ("nuts", "eggs", "flour"),
    "truffles": ("apples", "milk", "berries"),
    "lemon_tart": ("nuts", "flour", "milk"),
    "napoleon": ("berries", "chocolate", "sugar"),
    "wedding_cake": ("sugar", "nuts", "chocolate"),
    "kubik_castle": ("eggs", "sugar", "apples"),
}

# The ingredient half of each copy of a special card.
SPECIALS: Mapping[SpecialName, tuple[IngredientName, ...]] = {
    "memesio": ("lemon", "nuts", "apples"),
    "nyamonas": ("sugar", "milk"),
    "maiti": ("berries", "honey"),
    "packet": ("eggs", "flour", "chocolate"),
    "ladle": ("butter", "cream"),
}
