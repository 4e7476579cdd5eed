"""A second opinion on the bytes that hashes are taken over, by another JSON encoder."""

import hashlib
import json
from typing import Any

import msgspec

from domain.kernel.viewer import SeenRecord

PART_LABEL = b"potluck/part/1\n"


def canonical_again(value: Any) -> bytes:
    """Encode canonical JSON without the code under test."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def chain_again(previous: bytes, shown: SeenRecord) -> bytes:
    """Compute the chain's value from what any viewer was shown."""
    public = msgspec.to_builtins(shown)
    del public["chain"]
    for name, value in public["event"].items():
        if isinstance(value, dict) and "digest" in value and "id" not in value:
            public["event"][name] = {"digest": value["digest"]}
    return hashlib.sha256(previous + canonical_again(public)).digest()
