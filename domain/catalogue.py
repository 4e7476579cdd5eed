"""The games that the service hosts: one line each."""

from collections.abc import Mapping
from typing import Any

from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.kernel.ruleset import Ruleset
from domain.memesio.ruleset import MEMESIO
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN

CATALOGUE: Mapping[str, Ruleset[Any]] = {
    ruleset.id: ruleset for ruleset in (STIR_FRY_EIGHTEEN, JUST_DESSERTS, MEMESIO)
}
