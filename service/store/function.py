"""The server-side function that appends, and its name.

The name carries a digest of the text, so a new release brings a function of its own beside the old
one, which a process of the old release goes on calling.
"""

import hashlib
from importlib.resources import files
from typing import Final

__all__ = ["APPEND", "CLOCK", "LIBRARY", "SOURCE"]

_TEMPLATE: Final = files("service.store").joinpath("append.lua").read_text("utf-8")
_DIGEST: Final = hashlib.sha256(_TEMPLATE.encode()).hexdigest()[:16]

SOURCE: Final = _TEMPLATE.replace("@DIGEST@", _DIGEST)
"""The library as it is loaded."""

LIBRARY: Final = f"potluck_{_DIGEST}"
"""The library's name on the server."""

APPEND: Final = f"potluck_append_{_DIGEST}"
"""The function's name on the server."""

CLOCK: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. string.format('%.0f', now))
end
return {redis.call('GET', KEYS[1]), now}
"""
"""A script that gives the note and the server's clock (ms), having made a note if one is given."""
