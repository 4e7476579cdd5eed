"""The order of answers, pair by pair: a request that breaks two rules gets the earlier answer.

It is driven by the service's own table of operations. ``docs/api.md`` has the order in words.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

from service.api.app import OPERATIONS
from service.api.contract import implied_problems
from service.api.inbox import MAX_BODY
from service.api.operation import Operation
from tests.service.api.conftest import HAND_OVER, Past
from tests.service.players import RULESET, Player, Table

# What a test must know of an operation beyond its entry in the table: a body that fits.
BODIES: dict[str, Any] = {
    "createPlayer": {"name": "Eve"},
    "createGame": {"ruleset": RULESET, "seats": 2},
    "takeSeat": {"type": "join"},
    "pauseGame": {"pause": True},
    "nameJudge": {"judge": "0" * 16},
    "rule": {"ruling": {"type": "note"}, "reason": "To have it on record."},
    "previewRuling": {"ruling": {"type": "note"}, "reason": "To have it on record."},
    "makeMotion": {"motion": {"type": "undo", "to": 5}},
    "vote": {"agree": True},
    "useInvitation": {"game": "0" * 16, "secret": "0" * 32},
    "act": {"ruleset": RULESET, "decision": 1, "action": {"type": "pass"}},
}

NO_GAME = "00000000000000zz"
BY_ID = {operation.id: operation for operation in OPERATIONS}


@dataclass(frozen=True)
class Draft:
    """A request under construction."""

    method: str
    path: str
    token: str = ""
    content_type: str | None = None
    body: dict[str, Any] | None = None
    padding: int = 0
    garbage: str = ""
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, http: httpx.Client) -> httpx.Response:
        headers = dict(self.headers)
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.content_type is not None:
            headers["Content-Type"] = self.content_type
        text = "" if self.body is None else json.dumps(self.body, separators=(",", ":"))
        content = (text + self.garbage + " " * self.padding).encode()
        target = self.path + (f"?{self.query}" if self.query else "")
        return http.request(self.method, target, headers=headers, content=content or None)

    def with_header(self, name: str, value: str) -> "Draft":
        return replace(self, headers={**self.headers, name: value})


Break = Callable[[Draft], Draft]


@dataclass(frozen=True)
class Fault:
    """One way to break a rule: its place in the order, the code it is answered with."""

    place: int
    name: str
    code: str
    apply: Break


# The places of the order, as in docs/api.md.
ROUTE, METHOD, TOKEN, GAME, TYPE, SIZE, JSON, SCHEMA = range(8)


def sound(operation: Operation, past: Past) -> Draft:
    """A request of which everything fits up to the schema."""
    path = operation.path.replace(":str", "")
    path = path.format(game=past.table.id, seat=0, ruleset=RULESET, text="t", motion=past.motion)
    draft = Draft(operation.method, path)
    if operation.access == "player":
        draft = replace(draft, token=past.host.token)
    if operation.body is not None:
        draft = replace(draft, content_type="application/json", body=BODIES[operation.id])
    return draft


def faults(operation: Operation, private: Table) -> Iterator[Fault]:
    """Every way to break an operation's rules that needs to know nothing of what it does."""
    yield Fault(
        ROUTE,
        "no route",
        "route-not-found",
        lambda draft: replace(draft, path=draft.path + "/no/such/route"),
    )
    yield Fault(
        ROUTE, "slash", "route-not-found", lambda draft: replace(draft, path=draft.path + "/")
    )
    yield Fault(METHOD, "PATCH", "method-not-allowed", lambda draft: replace(draft, method="PATCH"))
    if operation.access != "open":
        yield Fault(
            TOKEN, "bad token", "unauthenticated", lambda draft: replace(draft, token="pt_none")
        )
    if operation.access == "player":
        yield Fault(TOKEN, "no token", "unauthenticated", lambda draft: replace(draft, token=""))
    yield from _faults_of_path(operation, private)
    if "{text" in operation.path:
        # None of the games here has free text, so nothing is asked of a request after this.
        yield Fault(GAME, "no text", "not-found", lambda draft: draft)
        return
    if operation.body is not None:
        yield Fault(
            TYPE,
            "text/plain",
            "unsupported-media-type",
            lambda draft: replace(draft, content_type="text/plain"),
        )
        yield Fault(
            TYPE,
            "no type",
            "unsupported-media-type",
            lambda draft: replace(draft, content_type=None),
        )
        yield Fault(
            JSON, "no JSON", "malformed-json", lambda draft: replace(draft, garbage="{nonsense")
        )
        yield Fault(
            SCHEMA,
            "unknown field",
            "invalid",
            lambda draft: replace(draft, body={**(draft.body or {}), "colour": "red"}),
        )
    if operation.method != "GET":
        yield Fault(
            SIZE, "large", "body-too-large", lambda draft: replace(draft, padding=MAX_BODY + 1)
        )
    if operation.body is None and operation.method != "GET":
        yield Fault(SCHEMA, "a body", "invalid", lambda draft: replace(draft, garbage="{}"))
    yield Fault(SCHEMA, "query", "invalid", lambda draft: replace(draft, query="colour=red"))
    if operation.keyed:
        yield Fault(
            SCHEMA, "bad key", "invalid", lambda draft: draft.with_header("Idempotency-Key", "a b")
        )
    if operation.conditional:
        yield Fault(SCHEMA, "bad tag", "invalid", lambda draft: draft.with_header("If-Match", "17"))


def _faults_of_path(operation: Operation, private: Table) -> Iterator[Fault]:
    if operation.of_game:
        for name, game in (("no game", NO_GAME), ("no id", "X"), ("private", private.id)):
            yield Fault(
                GAME,
                name,
                "game-not-found",
                lambda draft, game=game: replace(
                    draft, path=re.sub("/games/[^/]+", f"/games/{game}", draft.path, count=1)
                ),
            )
    if "{seat" in operation.path:
        yield Fault(
            GAME,
            "no seat",
            "not-found",
            lambda draft: replace(draft, path=draft.path.replace("/seats/0", "/seats/01")),
        )
    if "{ruleset" in operation.path:
        yield Fault(
            GAME,
            "no ruleset",
            "not-found",
            lambda draft: replace(draft, path=draft.path.replace(RULESET, "no-such-game")),
        )


def pairs(operation: Operation, private: Table) -> Iterator[tuple[Fault, Fault]]:
    """All pairs of faults of different places that one request can have."""
    every = list(faults(operation, private))
    for one, other in itertools.combinations(sorted(every, key=lambda each: each.place), 2):
        if one.place != other.place:
            yield one, other


@pytest.fixture(scope="module")
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=30) as client:
        yield client


def check(answer: httpx.Response, code: str, what: str) -> None:
    assert answer.headers["content-type"] == "application/problem+json", (what, answer.text)
    assert answer.json()["code"] == code, (what, answer.text)


def test_every_operation_with_a_body_has_one_here():
    assert set(BODIES) == {each.id for each in OPERATIONS if each.body is not None}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_each_fault_alone(operation: Operation, past: Past, private: Table, http: httpx.Client):
    """Whoever is not at the private table is told that there is none."""
    draft = sound(operation, past)
    answers = set()
    for fault in faults(operation, private):
        check(fault.apply(draft).send(http), fault.code, fault.name)
        answers.add(fault.code)
    assert {"route-not-found", "method-not-allowed"} < answers


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_of_two_faults_the_earlier_is_told(
    operation: Operation, past: Past, private: Table, http: httpx.Client
):
    draft = sound(operation, past)
    tested = 0
    for one, other in pairs(operation, private):
        for broken in (one.apply(other.apply(draft)), other.apply(one.apply(draft))):
            check(broken.send(http), one.code, f"{one.name} and {other.name}")
        tested += 1
    assert tested >= 4


# From the schema on an operation's own rules decide: the key, the role, If-Match, the state.


@dataclass(frozen=True)
class Late:
    """A command on a game that is over: how to break what comes after the schema.

    ``role`` makes a request of somebody who may not; ``reused`` one with a key that came with
    another body; ``replayed`` one that repeats a command done before. In all of them the state
    forbids the command as well.
    """

    state: str
    forbidden: Callable[[Draft, Past], Draft]
    replayed: Callable[[Draft, Past], Draft] | None = None
    reused: Callable[[Draft, Past], Draft] | None = None


def _by(draft: Draft, player: Player, **more: Any) -> Draft:
    return replace(draft, token=player.token, **more)


def _keyed(draft: Draft, past: Past) -> Draft:
    return draft.with_header("Idempotency-Key", past.key)


LATE: dict[str, Late] = {
    "takeSeat": Late(
        "game-started",
        lambda draft, past: _by(draft, past.stranger, body={"type": "bundled", "bundled": "x"}),
        lambda draft, past: _keyed(_by(draft, past.leaver, body={"type": "join", "seat": 1}), past),
        lambda draft, past: _keyed(
            _by(draft, past.leaver, body={"type": "bundled", "bundled": "random"}), past
        ),
    ),
    "leaveSeat": Late(
        "game-over",
        lambda draft, past: _by(draft, past.stranger),
        # The seat that this player left is theirs no longer.
        lambda draft, past: _keyed(
            _by(draft, past.leaver, path=draft.path.replace("/seats/0", "/seats/1")), past
        ),
    ),
    "startGame": Late(
        "game-started",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(draft, past),
    ),
    "pauseGame": Late(
        "game-over",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(_by(draft, past.leaver), past),
        lambda draft, past: _keyed(_by(draft, past.leaver, body={"pause": False}), past),
    ),
    "makeInvitation": Late(
        "game-over",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(draft, past),
    ),
    "makeMotion": Late(
        "game-over",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(_by(draft, past.leaver, body=HAND_OVER), past),
        lambda draft, past: _keyed(_by(draft, past.leaver), past),
    ),
    "vote": Late(
        "motion-closed",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(_by(draft, past.host, body={"agree": False}), past),
        lambda draft, past: _keyed(_by(draft, past.host), past),
    ),
    "act": Late(
        "game-over",
        lambda draft, past: _by(draft, past.stranger),
        lambda draft, past: _keyed(_by(draft, past.leaver, body=past.acted), past),
        lambda draft, past: _keyed(_by(draft, past.leaver), past),
    ),
}


def _stale(draft: Draft) -> Draft:
    return draft.with_header("If-Match", '"1.00000000.-"')


JUDGED = {"nameJudge", "rule"}  # on a table with a judge: see test_judges.py
LATE_PARAMETERS = pytest.mark.parametrize("name", LATE)


def test_every_command_on_a_game_is_here():
    here = set(LATE) | JUDGED
    assert here == {each.id for each in OPERATIONS if each.conditional}
    # A rematch changes nothing in the game it follows, so it has no version to match.
    assert here | {"rematch"} == {each.id for each in OPERATIONS if each.of_game and each.keyed}


@LATE_PARAMETERS
def test_403_412_409(name: str, past: Past, http: httpx.Client):
    """A request that breaks a rule of the game alone, with If-Match too, for want of a role too."""
    draft, late = sound(BY_ID[name], past), LATE[name]
    check(draft.send(http), late.state, "state")
    check(draft.with_header("If-Match", "*").send(http), late.state, "any version")
    check(_stale(draft).send(http), "stale-version", "state and If-Match")
    check(late.forbidden(draft, past).send(http), "forbidden", "state and role")
    check(_stale(late.forbidden(draft, past)).send(http), "forbidden", "If-Match and role")


@LATE_PARAMETERS
def test_the_schema_is_asked_before_key_role_version_and_state(
    name: str, past: Past, private: Table, http: httpx.Client
):
    draft, late = sound(BY_ID[name], past), LATE[name]
    ways = [lambda each: each, _stale, lambda each: late.forbidden(each, past)]
    if late.reused:
        ways.append(lambda each: late.reused(each, past))
    if late.replayed:
        ways.append(lambda each: late.replayed(each, past))
    for fault in faults(BY_ID[name], private):
        if fault.name in ("no token", "bad token") or fault.name == "no seat":
            continue  # each way has somebody's token, and a seat of its own
        for number, way in enumerate(ways):
            headers_clash = {"bad key", "bad tag"} & {fault.name} and number in (1, 3, 4)
            if not headers_clash:
                check(fault.apply(way(draft)).send(http), fault.code, f"{fault.name}, {number}")


@LATE_PARAMETERS
def test_a_known_key_is_answered_before_role_version_and_state(
    name: str, past: Past, http: httpx.Client
):
    late = LATE[name]
    draft = sound(BY_ID[name], past)
    assert late.replayed
    for broken in (late.replayed(draft, past), _stale(late.replayed(draft, past))):
        answer = broken.send(http)
        assert answer.status_code == 200, answer.text
        assert answer.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("name", [name for name, late in LATE.items() if late.reused])
def test_a_key_with_another_body_is_told_before_role_version_and_state(
    name: str, past: Past, http: httpx.Client
):
    """The player who left has no role any more; the stale tag and the state come on top."""
    late = LATE[name]
    assert late.reused
    draft = late.reused(sound(BY_ID[name], past), past)
    check(draft.send(http), "key-reused", name)
    check(_stale(draft).send(http), "key-reused", name)


def test_what_stands_in_the_query_is_looked_up_last(running: Table, ada: Player):
    """A version or cursor that is not there is told after all that is wrong with the request."""
    version = ada.get(f"{running.path}?version=999999")
    assert (version.status_code, version.json()["code"]) == (404, "version-not-found")
    both = ada.get(f"{running.path}?version=999999&colour=red")
    assert both.json()["code"] == "invalid"
    cursor = ada.get(f"{running.path}/events?after=1.00000000")
    assert (cursor.status_code, cursor.json()["code"]) == (409, "cursor-reset")
    assert ada.get(f"{running.path}/events?after=1.00000000&limit=0").json()["code"] == "invalid"


# Who may know of a game.


def _reads(table: Table) -> list[str]:
    """Every address below a game that can be read."""
    paths = [each.path for each in OPERATIONS if each.of_game and each.method == "GET"]
    return [path.replace("{game:str}", table.id) for path in paths]


def test_a_private_game_is_known_to_its_host_and_whoever_ever_sat(
    ada: Player, ben: Player, cleo: Player, nobody: Player
):
    table = Table(ada, ben, public=False)
    missing = {"type", "title", "status", "detail", "code", "request_id"}
    for path in _reads(table):
        for stranger in (ben, cleo, nobody):
            if stranger is nobody and path.endswith("/actions"):
                assert stranger.get(path).status_code == 401
                continue
            unknown = stranger.get(path.replace(table.id, NO_GAME))
            hidden = stranger.get(path)
            assert hidden.status_code == unknown.status_code == 404
            assert hidden.json().keys() == unknown.json().keys() == missing
            assert hidden.text.replace(table.id, NO_GAME)[:-20] == unknown.text[:-20]
        assert ada.get(path).status_code == 200, path
    assert cleo.post(f"{table.path}/seats", {"type": "join"}).json()["code"] == "game-not-found"
    listed = nobody.get("/v1/games?limit=100").json()["games"]
    assert table.id not in {game["id"] for game in listed}
    mine = ada.get("/v1/players/me/games").json()["games"]
    assert mine[0]["id"] == table.id


def test_the_contract_says_which_answers_an_operation_has():
    """Each code of the faults above is among the problems that the contract lists."""
    for operation in OPERATIONS:
        listed = {*implied_problems(operation), "route-not-found", "method-not-allowed"}
        if operation.access != "open":
            assert "unauthenticated" in listed
        if operation.of_game:
            assert "game-not-found" in listed
        if "{ruleset" in operation.path or "{seat" in operation.path:
            assert "not-found" in listed
        if operation.id in LATE:
            assert {"forbidden", "stale-version", LATE[operation.id].state} <= listed
