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
    "baked_apples",
    "brittle",
    "lemon_curd",
    "ice_cream",
    "pancakes",
    "cake",
    "pavlova",
    "birds_milk",
    "apple_pie",
    "lemon_tart",
    "sundae",
    "honey_cake",
    "pancake_tower",
    "smores",
    "truffles",
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
    Recipe("baked_apples", 1, ("apples", "honey"), 2),
    Recipe("brittle", 1, ("nuts", "honey"), 2),
    Recipe("lemon_curd", 1, ("lemon", "eggs", "butter"), 3),
    Recipe("ice_cream", 1, ("milk", "cream", "sugar"), 3),
    Recipe("pancakes", 1, ("flour", "milk", "eggs"), 3),
    Recipe("cake", 2, ("sponge", "custard"), 6),
    Recipe("pavlova", 2, ("meringue", "berries", "cream"), 6),
    Recipe("birds_milk", 2, ("marshmallow", "chocolate"), 4),
    Recipe("apple_pie", 2, ("shortbread", "apples"), 4),
    Recipe("lemon_tart", 2, ("shortbread", "lemon_curd"), 7),
    Recipe("sundae", 2, ("ice_cream", "caramel", "nuts"), 9),
    Recipe("honey_cake", 2, ("sponge", "honey", "cream"), 5),
    Recipe("pancake_tower", 2, ("pancakes", "jam"), 7),
    Recipe("smores", 2, ("marshmallow", "shortbread", "chocolate"), 7),
    Recipe("truffles", 2, ("ganache", "nuts"), 4),
    Recipe("wedding_cake", 3, ("cake", "meringue", "berries"), 13),
    Recipe("kubik_castle", 3, ("honey_cake", "brittle", "lemon"), 12),
)

# The ingredient half of each copy of a recipe's card.
HALVES: Mapping[RecipeName, tuple[IngredientName, ...]] = {
    "marshmallow": ("butter", "milk", "flour"),
    "sponge": ("sugar", "cream", "butter"),
    "custard": ("sugar", "eggs", "flour"),
    "meringue": ("chocolate", "berries", "flour"),
    "caramel": ("eggs", "milk"),
    "shortbread": ("sugar", "eggs", "chocolate"),
    "ganache": ("nuts", "sugar", "eggs"),
    "jam": ("apples", "eggs", "butter"),
    "baked_apples": ("cream", "sugar"),
    "brittle": ("lemon", "flour", "eggs"),
    "lemon_curd": ("sugar", "flour"),
    "ice_cream": ("nuts", "berries", "honey"),
    "pancakes": ("sugar", "butter", "berries"),
    "cake": ("milk", "eggs", "butter"),
    "pavlova": ("lemon", "honey"),
    "birds_milk": ("cream", "butter"),
    "apple_pie": ("milk", "honey"),
    "lemon_tart": ("honey", "cream"),
    "sundae": ("flour", "butter"),
    "honey_cake": ("chocolate", "berries", "sugar"),
    "pancake_tower": ("apples", "cream"),
    "smores": ("nuts", "eggs"),
    "truffles": ("apples", "milk"),
    "wedding_cake": ("sugar", "flour"),
    "kubik_castle": ("eggs", "sugar"),
}

# The ingredient half of each copy of a special card.
SPECIALS: Mapping[SpecialName, tuple[IngredientName, ...]] = {
    "memesio": ("sugar", "chocolate", "eggs"),
    "nyamonas": ("milk", "lemon"),
    "maiti": ("cream", "berries"),
    "packet": ("honey", "nuts", "flour"),
    "ladle": ("butter", "apples"),
}
