"""What the server's settings could cost."""

from typing import Any, Final

from service.store.client import Client
from service.store.errors import StoreUnavailable
from service.store.types import Finding, Severity

__all__ = ["look"]

_OK: Final = {
    "maxmemory-policy": ("noeviction",),
    "appendonly": ("yes",),
    "appendfsync": ("always", "everysec"),
    "aof-load-truncated": ("no",),
}


async def look(client: Client) -> list[Finding]:
    """Compare the settings that matter with what they should be; give what differs.

    On a cluster every primary is asked.
    """
    try:
        replies = await client.run_everywhere("CONFIG GET", *_OK)
    except StoreUnavailable as error:
        return [_unknown(setting, str(error)) for setting in _OK]
    results: list[Finding] = []
    for reply in replies:
        results += [finding for finding in _of_one(_pairs(reply)) if finding not in results]
    return results


def _of_one(found: dict[str, str]) -> list[Finding]:
    keeps_log = found.get("appendonly") != "no"
    results: list[Finding] = []
    for setting, wanted in _OK.items():
        if setting not in found:
            results.append(_unknown(setting, "the server does not name it"))
        elif found[setting] not in wanted and (
            keeps_log or not setting.startswith(("aof", "appendf"))
        ):
            results.append(_finding(setting, found[setting], " or ".join(wanted)))
    if found.get("appendfsync") == "everysec" and keeps_log:
        results.append(_finding("appendfsync", "everysec", "always"))
    return results


def _finding(setting: str, found: str, wanted: str) -> Finding:
    severity: Severity
    match setting, found:
        case "maxmemory-policy", _:
            severity, loss = "danger", "whole games, thrown out without a word when memory is short"
        case "appendonly", _:
            severity, loss = "danger", "everything since the last snapshot, if the server stops"
        case "appendfsync", "everysec":
            severity, loss = "note", "about the last second of moves, if the machine loses power"
        case "appendfsync", _:
            severity, loss = "warning", "what the kernel has not written yet, often half a minute"
        case _:
            severity, loss = (
                "note",
                "after a crash the server starts with a log cut at the first torn entry, whatever "
                "its length, and says so only in its own log",
            )
    return Finding(severity, setting, found, wanted, loss)


def _unknown(setting: str, why: str) -> Finding:
    wanted = " or ".join(_OK[setting])
    return Finding("unknown", setting, "", wanted, f"cannot be told: {why}")


def _pairs(reply: Any) -> dict[str, str]:
    if isinstance(reply, dict):
        return {_text(name): _text(value) for name, value in reply.items()}
    return {_text(n): _text(v) for n, v in zip(reply[::2], reply[1::2], strict=True)}


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
