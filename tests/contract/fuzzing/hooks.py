"""Hooks: ids that exist, tokens of seats that are asked, actions that are legal.

Schemathesis makes the requests. A part that it broke on purpose stays broken; of the others some
are pointed at a table where they can succeed, so that a run sees more than refusals. Nothing is
filtered, and no answer is touched.
"""

import atexit
import json
import os
import random
import secrets
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies
from schemathesis.checks import CHECKS
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from tests.contract.fuzzing.world import Client, World

ADDRESS = os.environ["POTLUCK_FUZZ_ADDRESS"]
TOKENS = os.environ["POTLUCK_FUZZ_TOKENS"].split()
ROLE = os.environ["POTLUCK_FUZZ_ROLE"]
HELPED = ROLE == "player"
COUNTS = Path(os.environ["POTLUCK_FUZZ_COUNTS"])

ENTITY_TAG = strategies.from_regex(r'(W/)?"[!#-~]{0,20}"', fullmatch=True)
schemathesis.openapi.format(
    "entity-tags",
    strategies.just("*") | strategies.lists(ENTITY_TAG, min_size=1, max_size=3).map(", ".join),
)

rng = random.Random(18)
world = World(ADDRESS, TOKENS, rng)
nobody = Client(ADDRESS)
statuses: dict[str, Counter[int]] = {}
checks: dict[str, list[str]] = {}


def broken(case: Any, location: ParameterLocation) -> bool:
    """Whether a part of a request was broken on purpose, or may have been."""
    modes = [info.mode for info in case.meta.components.values()]
    if case.meta.generation.mode.is_negative and not any(mode.is_negative for mode in modes):
        return True  # it does not say which
    return case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Point a request at what exists."""
    if case.meta is None or case.method.upper() != case.operation.method.upper():
        return
    if broken(case, ParameterLocation.PATH):
        return
    # What was drawn may be drawn again: then it must be found as it was, and be dealt with alike.
    stateful = case.meta.phase.name is TestPhase.STATEFUL
    if stateful:
        rng.seed(repr((case.operation.label, case.query, case.body, sorted(case.headers))))
    case.path_parameters = dict(case.path_parameters or {})
    case.query = dict(case.query or {})
    if isinstance(case.body, dict):
        case.body = dict(case.body)
    name = case.operation.definition.raw["operationId"]
    if "game" in (case.path_parameters or {}):
        game = str(case.path_parameters["game"])
        linked = "game" in getattr(case._override, "path_parameters", {})
        if not linked and (stateful or rng.random() < 0.95):
            game = case.path_parameters["game"] = GAMES.get(name, ANY_GAME)()
        if game in world.known:
            FILL.get(name, lambda case, game: None)(case, game)
            _headers(case)
    else:
        if name == "useInvitation" and not broken(case, ParameterLocation.BODY) and HELPED:
            case.body = world.invitation()
        _headers(case)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Count answers, note the checks that are on, and remember games that were opened."""
    phase = case.meta.phase.name.value if case.meta else None
    if (place := f"{case.operation.label} {phase}") not in checks:
        config = case.operation.schema.config
        chosen = config.checks_config_for(operation=case.operation, phase=phase)
        names = [*CHECKS.get_all_names(), "max_response_time"]
        checks[place] = sorted(name for name in names if chosen.get_by_name(name=name).enabled)
    if case.method.upper() != case.operation.method.upper():
        return
    statuses.setdefault(case.operation.label, Counter())[response.status_code] += 1
    if case.operation.definition.raw["operationId"] == "createGame" and response.status_code == 201:
        world.known.add(response.json()["game"]["id"])


@atexit.register
def _write_counts() -> None:
    COUNTS.write_text(json.dumps({"statuses": statuses, "checks": checks}))


# What a request needs to succeed, by operation.

GAMES = {
    "takeSeat": world.partly_seated,
    "leaveSeat": world.seated,
    "startGame": world.full,
    "pauseGame": world.a_patient_one,
    "eraseText": world.a_worded_one,
    "nameJudge": world.seated,
    "rule": world.a_judged_one,
    "previewRuling": world.a_judged_one,
    "makeMotion": world.started,
    "vote": world.a_moved_one,
    "makeInvitation": world.seated,
    "rematch": world.a_sealed_one,
    "listActions": world.a_running_one,
    "act": world.a_running_one,
}
ANY_GAME = world.any_game
if ROLE == "judge":
    ANY_GAME = world.any_judged_one
    judging = ("startGame", "pauseGame", "eraseText", "rule", "previewRuling")
    GAMES |= dict.fromkeys((*judging, "listActions", "act"), ANY_GAME)
    GAMES |= {"vote": world.a_judged_motion, "makeMotion": world.one_that_the_judge_plays}


def _act(case: Any, game: str) -> None:
    """Fill in a legal action, and the token of the seat that is asked."""
    caller = _caller(case)
    if caller is None:
        return
    if game in world.running and HELPED and not broken(case, ParameterLocation.HEADER):
        turn = world.turn(game)
        if turn is None:
            return
        player, body = turn
        case.headers["Authorization"] = f"Bearer {player.token}"
    elif ROLE == "judge":
        # What a seat could do, now and then: the judge cannot, and these are many requests.
        turn = world.turn(game) if rng.random() < 0.1 else None
        player, body = caller, turn and turn[1]
    else:
        player, body = caller, world.patient_choice(caller, game)
    if body is not None and not broken(case, ParameterLocation.BODY) and rng.random() < 0.85:
        case.body = body
    if not broken(case, ParameterLocation.HEADER):
        _if_match(case, player, game)


def _take_seat(case: Any, game: str) -> None:
    if broken(case, ParameterLocation.BODY) or not isinstance(case.body, dict):
        return
    if "bundled" in case.body and rng.random() < 0.8:
        case.body["bundled"] = "random"
    if rng.random() < 0.6:
        case.body.pop("seat", None)
    _conditional(case, game)


def _pause(case: Any, game: str) -> None:
    if not broken(case, ParameterLocation.BODY) and rng.random() < 0.9:
        case.body["pause"] = not world.view(game)["paused"]
    _conditional(case, game)


def _erase_text(case: Any, game: str) -> None:
    if (text := world.text(game)) is not None and rng.random() < 0.9:
        case.path_parameters["text"] = text


def _name_judge(case: Any, game: str) -> None:
    if not broken(case, ParameterLocation.BODY) and rng.random() < 0.9:
        case.body["judge"] = world.judge.id
    _conditional(case, game)


def _rule(case: Any, game: str) -> None:
    """Rule as the judge: whatever can be ruled, most often what is possible."""
    judged = HELPED and game == world.judged
    if judged and _caller(case) and not broken(case, ParameterLocation.HEADER):
        case.headers["Authorization"] = f"Bearer {world.judge.token}"
    if not broken(case, ParameterLocation.HEADER) and _caller(case) is world.judge:
        _if_match(case, world.judge, game)
    if not broken(case, ParameterLocation.BODY) and rng.random() < 0.7:
        stateful = case.meta.phase.name is TestPhase.STATEFUL
        case.body["ruling"] = {"type": "note"} if stateful else rng.choice(_rulings(game))


def _rulings(game: str) -> list[dict[str, Any]]:
    """One of each ruling, as it would be possible now if the game were running."""
    view = world.view(game)
    seat = rng.randrange(len(view["seats"]))
    return [
        {"type": "note"},
        {"type": "rewind", "to": rng.randint(view["version"] - 2, view["version"] - 1)},
        {"type": "adjust", "seat": seat, "points": rng.randint(-3, 3)},
        {"type": "restore_clock", "seat": seat, "milliseconds": 60_000},
        {"type": "halt", "pause": not view["paused"]},
        {"type": "replace_seat", "seat": seat, "bundled": "random"},
        {"type": "forfeit", "seat": seat},
    ]


def _make_motion(case: Any, game: str) -> None:
    if not broken(case, ParameterLocation.BODY) and rng.random() < 0.7:
        call = {"type": "call_judge", "judge": world.judge.id}
        replace = {"type": "hand_over", "seat": 0, "bundled": "random"}
        case.body["motion"] = replace if ROLE == "judge" else call
    _conditional(case, game)


def _vote(case: Any, game: str) -> None:
    motions = world.view(game)["motions"]
    if motions and rng.random() < 0.9:
        case.path_parameters["motion"] = motions[0]["id"]
    _conditional(case, game)


def _leave_seat(case: Any, game: str) -> None:
    if rng.random() < 0.9:
        case.path_parameters["seat"] = 0
    _conditional(case, game)


def _conditional(case: Any, game: str) -> None:
    caller = _caller(case)
    if caller is not None and not broken(case, ParameterLocation.HEADER):
        _if_match(case, caller, game)


def _list_events(case: Any, game: str) -> None:
    query = case.query or {}
    if rng.random() < 0.5:
        # As a stream, which is read to its end: so it must have one, with `wait` or `limit`.
        case.headers["Accept"] = "text/event-stream"
        if "wait" not in query and query.get("limit") not in (1, "1"):
            query["wait"] = 0
            case.query = query
    if broken(case, ParameterLocation.QUERY):
        return
    if "after" in query and rng.random() < 0.8:
        query["after"] = world.cursor(game)
    if str(query.get("wait", 0)) not in ("0", "1"):
        query.pop("after", None)  # from the beginning there is something, and no time is lost


def _get_game(case: Any, game: str) -> None:
    query = case.query or {}
    if not broken(case, ParameterLocation.QUERY) and "version" in query and rng.random() < 0.8:
        query["version"] = rng.randint(1, world.view(game)["version"])
    if not broken(case, ParameterLocation.HEADER) and "If-None-Match" in case.headers:
        tag = world.tag(_caller(case) or nobody, game)
        if tag is not None and rng.random() < 0.5:
            case.headers["If-None-Match"] = tag


FILL = {
    "act": _act,
    "takeSeat": _take_seat,
    "leaveSeat": _leave_seat,
    "startGame": _conditional,
    "pauseGame": _pause,
    "eraseText": _erase_text,
    "nameJudge": _name_judge,
    "rule": _rule,
    "previewRuling": _rule,
    "makeMotion": _make_motion,
    "vote": _vote,
    "makeInvitation": _conditional,
    "listEvents": _list_events,
    "getGame": _get_game,
}


def _caller(case: Any) -> Client | None:
    """Whose token a request carries, if it is one of the world's players or the judge."""
    given, all_of_them = case.headers.get("Authorization"), (*world.players, world.judge)
    return next((each for each in all_of_them if given == f"Bearer {each.token}"), None)


def _if_match(case: Any, player: Client, game: str) -> None:
    """Often leave If-Match out, often name the present view, sometimes keep what was made up."""
    if "If-Match" not in case.headers:
        return
    chance = rng.random()
    if chance < 0.4:
        del case.headers["If-Match"]
    elif chance < 0.8 and (tag := world.tag(player, game)) is not None:
        case.headers["If-Match"] = tag


def _headers(case: Any) -> None:
    """Mostly take a fresh key, so that a repeated one does not stand for another command."""
    keyed = not broken(case, ParameterLocation.HEADER) and "Idempotency-Key" in case.headers
    if keyed and (case.meta.phase.name is TestPhase.STATEFUL or rng.random() < 0.8):
        case.headers["Idempotency-Key"] = secrets.token_hex(8)
