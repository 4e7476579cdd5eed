"""Names of types in JSON."""

import re


def snake_case(name: str) -> str:
    """Turn a class name into the tag of its JSON form: ``TurnBegan`` is ``turn_began``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
