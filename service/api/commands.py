"""Carrying out a command for a caller, and saying why not."""

from typing import Any

import msgspec

from domain.kernel.errors import Refusal
from domain.kernel.state import State, decision_id
from service.api.operation import Call
from service.api.problems import ApiError, key_reused
from service.api.views import entity_tag, sight_of
from service.tables import Done, KeyReused, Maker, StaleVersion, Table
from service.texts import negotiate


async def carry_out(call: Call, make: Maker) -> Done:
    """Carry out a command on the game of the path; refusals become problems."""
    game = call.path["game"]
    aside = call.request_id.encode()

    def expected(state: State) -> bool:
        assert call.if_match is not None
        view = sight_of(Table(call.held.ruleset, state), call.player, state.version)
        return call.if_match.matches(entity_tag(state, call.player, view))

    try:
        return await call.service.tables.execute(
            game,
            make,
            key=call.key,
            expected=expected if call.if_match else None,
            aside=aside,
        )
    except KeyReused:
        raise key_reused() from None
    except StaleVersion:
        raise _stale(call) from None
    except Refusal as refusal:
        raise refused(call, refusal) from refusal


def _stale(call: Call) -> ApiError:
    table = call.service.tables.cached(call.path["game"]) or call.held
    version = table.state.version
    return ApiError(
        "stale-version",
        f"If-Match names another view than yours of the current version, {version}.",
        extra={"current": version},
    )


def refused(call: Call, refusal: Refusal) -> ApiError:
    """Turn a refusal into a problem, in the caller's language.

    What would have been legal is added for whoever is asked; it is the caller's own list.
    """
    table = call.service.tables.cached(call.path["game"]) or call.held
    language = negotiate(call.headers.get("accept-language"))
    detail = call.service.texts.refusal(table.ruleset, language, refusal.key, refusal.params)
    extra: dict[str, Any] = {"rule": refusal.rule, "message": refusal.key}
    if refusal.pointer is not None:
        inside = "/action" if refusal.code == "illegal-action" else ""
        extra["pointer"] = inside + refusal.pointer
    if refusal.code in ("illegal-action", "decision-closed", "superseded"):
        extra["current"] = decision_id(table.state)
        seat = table.state.table.seat_of(call.player.id) if call.player else None
        if seat is not None:
            extra["legal"] = msgspec.to_builtins(table.ruleset.legal(table.state.game, seat))
    return ApiError(
        refusal.code,
        detail,
        headers={"Content-Language": language, "Vary": "Authorization, Accept-Language"},
        extra=extra,
    )
