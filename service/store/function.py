"""The server-side function that appends, and its name.

The name carries a digest of the text, so a new release brings a function of its own beside the old
one, which a process of the old release goes on calling.
"""

import hashlib
from importlib.resources import files
from typing import Final

__all__ = ["APPEND", "LIBRARY", "SOURCE"]

_TEMPLATE: Final = files("service.store").joinpath("append.lua").read_text("utf-8")
_DIGEST: Final = hashlib.sha256(_TEMPLATE.encode()).hexdigest()[:16]

SOURCE: Final = _TEMPLATE.replace("@DIGEST@", _DIGEST)
"""The library as it is loaded."""

LIBRARY: Final = f"potluck_{_DIGEST}"
"""The library's name on the server."""

APPEND: Final = f"potluck_append_{_DIGEST}"
"""The function's name on the server."""
