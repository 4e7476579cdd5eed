"""Which operation a request is one of."""

import re

from service.api.app import OPERATIONS

_PATTERNS = [
    (each.method, re.compile(re.sub(r"{\w+:str}", "[^/]+", each.path)), each.id)
    for each in sorted(OPERATIONS, key=lambda each: each.path.count("{"))
]


def route_of(method: str, path: str) -> str:
    """Give the id of the operation that a request is one of."""
    return next(
        operation
        for known, pattern, operation in _PATTERNS
        if known == method and pattern.fullmatch(path)
    )
