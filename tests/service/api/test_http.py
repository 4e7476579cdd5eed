"""What holds of every answer: problems, HEAD, OPTIONS, Allow, caching, request ids."""

import html
import json
import re
from typing import Any

import httpx
import pytest

from service.api.app import OPERATIONS
from service.api.problems import KINDS
from tests.service.api.conftest import HAND_OVER, Past
from tests.service.players import RULESET, Player, Table
from tests.service.serving import Serving
from tests.service.store.servers import wait_until

GETS = [operation for operation in OPERATIONS if operation.method == "GET"]
PAGES = ("/", "/docs", "/docs/problems/invalid", "/openapi.json")
PATHS = sorted({operation.path for operation in OPERATIONS})


def address_of(path: str, table: Table) -> str:
    return path.replace(":str", "").format(
        game=table.id, ruleset=RULESET, seat=0, text="t", motion=1
    )


def methods_of(path: str) -> set[str]:
    own = {operation.method for operation in OPERATIONS if operation.path == path}
    return own | {"OPTIONS"} | ({"HEAD"} if "GET" in own else set())


def allow(answer: httpx.Response) -> list[str]:
    return answer.headers["allow"].split(", ")


# Problems.


@pytest.fixture(scope="module")
def problems(past: Past, running: Table, ada: Player, nobody: Player) -> list[httpx.Response]:
    """One answer for each kind of problem that can be had without breaking anything."""
    host, path = past.host, past.table.path
    guest = Player(str(ada.http.base_url))
    fresh = Table(ada, guest)
    act = {"ruleset": RULESET, "decision": 1, "action": {"type": "pass"}}
    stale = {"if_match": '"1.00000000.-"'}
    tried = Table(ada, guest).seated()
    stopped = Table(ada, guest).started()
    for player in (ada, guest):
        assert player.post(f"{stopped.path}/pause", {"pause": True}).status_code == 200
    assert ada.post(f"{stopped.path}/motions", HAND_OVER).status_code == 200
    return [
        nobody.get("/v1/nothing"),
        nobody.post("/v1/rulesets"),
        nobody.get("/v1/players/me"),
        nobody.get("/v1/games/0000000000000000"),
        nobody.get("/v1/rulesets/chess"),
        nobody.get(f"{path}?version=99999"),
        nobody.request("POST", "/v1/players", content=b"{}", headers={"Content-Type": "text/x"}),
        nobody.post("/v1/players", {"name": "x" * 70_000}),
        nobody.request(
            "POST", "/v1/players", content=b"{", headers={"Content-Type": "application/json"}
        ),
        nobody.post("/v1/players", {}),
        past.leaver.post(f"{path}/seats", {"type": "join"}, key=past.key),
        past.stranger.post(f"{path}/start"),
        host.post(f"{path}/start", **stale),
        host.post(f"{path}/start"),
        host.post(f"{path}/actions", act),
        nobody.get(f"{path}/events?after=1.00000000"),
        running.act(ada, act),
        ada.post(f"{fresh.path}/start"),
        ada.post(f"{fresh.path}/seats", {"type": "bundled", "bundled": "shark"}),
        ada.delete(f"{fresh.path}/seats/1"),
        ada.post(f"{tried.path}/seats", {"type": "join"}),
        ada.post(f"{tried.path}/seats", {"type": "bundled", "bundled": "random"}),
        running.act(running.actor(), _impossible(running)),
        tried.act(ada, act),
        stopped.act(ada, act),
        ada.post(f"{stopped.path}/pause", {"pause": True}),
        ada.post("/v1/invitations/uses", {"game": tried.id, "secret": "0" * 32}),
        ada.post(f"{tried.path}/rematch"),
        ada.post(f"{tried.path}/judges", {"judge": guest.id}),
        guest.post(f"{stopped.path}/motions", {"motion": {"type": "seal_now"}}),
        ada.post(f"{stopped.path}/motions/1/votes", {"agree": True}),
        ada.post(f"{stopped.path}/motions", HAND_OVER),
        ada.post("/v1/games", {"ruleset": RULESET, "seats": 2, "options": {"first_player": 4}}),
    ]


def _impossible(table: Table) -> dict[str, Any]:
    return {
        "ruleset": RULESET,
        "decision": table.view()["decision"]["id"],
        "action": {"type": "cook", "cards": ["ginger", "pork", "soy_sauce"]},
    }


# Those need a broken store, a judge, many streams, or a fault of our own; others test them.
ELSEWHERE = {
    "store-unavailable",
    "log-damaged",
    "superseded",
    "wrong-ruleset",
    "internal",
    "too-many-streams",
}


def test_every_kind_of_problem_is_met(problems: list[httpx.Response]):
    assert {answer.json()["code"] for answer in problems} == set(KINDS) - ELSEWHERE


def test_problems_are_problem_details(problems: list[httpx.Response]):
    known = {"type", "title", "status", "detail", "code", "request_id",
             "rule", "message", "pointer", "errors", "legal", "current"}  # fmt: skip
    for answer in problems:
        body = answer.json()
        kind = KINDS[body["code"]]
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["cache-control"] == "no-store"
        assert (answer.status_code, body["status"]) == (kind.status, kind.status)
        assert (body["title"], body["type"]) == (kind.title, f"/docs/problems/{kind.code}")
        assert body["detail"]
        assert body["request_id"] == answer.headers["x-request-id"]
        assert body.keys() <= known
        assert not re.search(
            r"Traceback|msgspec|redis|litestar|service\.|0x[0-9a-f]{6}", body["detail"]
        )


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.code)
def test_the_type_of_a_problem_leads_to_its_page(nobody: Player, kind: Any):
    page = nobody.get(f"/docs/problems/{kind.code}")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert html.escape(kind.title) in page.text
    assert html.escape(kind.meaning) in page.text
    assert html.escape(kind.remedy) in page.text
    assert f"href='/docs/problems/{kind.code}'" in nobody.get("/docs").text


def test_a_page_for_no_kind_of_problem(nobody: Player):
    assert nobody.get("/docs/problems/none").json()["code"] == "not-found"


def test_an_illegal_action_cites_its_rule_and_says_what_would_be_legal(running: Table):
    actor = running.actor()
    body = running.act(actor, _impossible(running)).json()
    assert (body["rule"], body["message"], body["pointer"]) == (
        "SF-11",
        "dish_without_noodles",
        "/action/cards",
    )
    assert body["current"] == running.view()["decision"]["id"]
    assert body["legal"] == actor.get(f"{running.path}/actions").json()["legal"]


def test_refusals_speak_the_language_that_was_asked_for(running: Table):
    answer = running.act(running.actor(), _impossible(running), accept_language="en, de;q=0.5")
    assert answer.headers["content-language"] == "en"
    assert answer.headers["vary"] == "Authorization, Accept-Language"


# Methods.


@pytest.mark.parametrize("operation", GETS, ids=lambda operation: operation.id)
def test_head_is_get_without_the_body(operation: Any, ada: Player, past: Past):
    _same_as_get(past.host if operation.of_game else ada, address_of(operation.path, past.table))


@pytest.mark.parametrize("path", PAGES)
def test_head_of_pages(path: str, nobody: Player):
    _same_as_get(nobody, path)


def test_head_of_problems(nobody: Player, running: Table):
    for path in ("/v1/nothing", "/v1/games/0000000000000000", f"{running.path}/actions",
                 f"{running.path}?x=1"):  # fmt: skip
        _same_as_get(nobody, path)


def _same_as_get(player: Player, path: str) -> None:
    """Games may go on meanwhile, and metrics always do: what changes has no length to compare."""
    for _ in range(8):
        got, headed, again = (player.request(each, path) for each in ("GET", "HEAD", "GET"))
        if len(got.content) == len(again.content):
            break
    varying = {"date", "x-request-id"}
    if len(got.content) == len(again.content):
        assert int(headed.headers["content-length"]) == len(got.content) > 0
    else:
        assert path.startswith("/metrics")
        varying.add("content-length")
    assert headed.status_code == got.status_code
    assert headed.content == b""
    assert {name: value for name, value in headed.headers.items() if name not in varying} == {
        name: value for name, value in got.headers.items() if name not in varying
    }


def test_a_connection_goes_on_after_head(ada: Player):
    for _ in range(3):
        assert ada.request("HEAD", "/v1/rulesets").status_code == 200
        assert ada.get("/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize("path", PATHS)
def test_options_and_allow(path: str, nobody: Player, running: Table):
    address = address_of(path, running)
    options = nobody.request("OPTIONS", address)
    assert (options.status_code, options.content) == (204, b"")
    assert allow(options) == sorted(methods_of(path))
    assert "content-length" not in options.headers
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - methods_of(path):
        answer = nobody.request(method, address)
        assert answer.status_code == 405
        assert allow(answer) == sorted(methods_of(path))
        if method != "HEAD":
            assert answer.json()["detail"].startswith(f"{method} is not taken here")


def test_options_of_no_route(nobody: Player):
    assert nobody.request("OPTIONS", "/v1/nothing").json()["code"] == "route-not-found"


# Headers of every answer.


def test_every_answer_has_a_request_id_of_its_own_and_fixed_headers(
    problems: list[httpx.Response], nobody: Player, ada: Player, running: Table
):
    answers = [*problems, *(nobody.get(path) for path in PAGES)]
    answers += [nobody.request("OPTIONS", "/v1/games"), ada.get(running.path)]
    answers += [nobody.request("HEAD", "/v1/games")]
    assert len({answer.headers["x-request-id"] for answer in answers}) == len(answers)
    for answer in answers:
        assert re.fullmatch("[0-9a-z]{16}", answer.headers["x-request-id"])
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
        assert len(answer.headers.get_list("content-type")) <= 1


def test_pages_run_no_scripts_but_the_front_page_its_own(nobody: Player):
    for path in PAGES[:3]:
        answer = nobody.get(path)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        own = "<script type='module' src='/static/home.mjs'></script>" if path == "/" else ""
        assert "<script" not in answer.text.replace(own, "")
        assert ("script-src 'self';" in policy) == (path == "/")
        assert policy.count("script-src") == (path == "/")


def test_files_for_browsers_have_types_and_tags_and_shells_hold_no_script(nobody: Player):
    for name, kind in (("play.mjs", "text/javascript"), ("potluck.css", "text/css")):
        answer = nobody.get(f"/static/{name}")
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
        again = nobody.get(f"/static/{name}", if_none_match=answer.headers["etag"])
        assert again.status_code == 304
    assert nobody.get("/static/vendor/LICENSE.htm").status_code == 404
    for page in ("play", "viewer", "judge"):
        shell = nobody.get(f"/{page}/5k2m9x8w7v6t4s3r")
        assert "unsafe" not in shell.headers["content-security-policy"]
        assert "<script>" not in shell.text
        for script in re.findall(r'src="([^"]+)"', shell.text):
            assert nobody.get(script).status_code == 200, script


def test_the_request_id_is_in_the_log_and_a_callers_own_is_not_taken(
    nobody: Player, serving: Serving
):
    answer = nobody.get("/v1/nothing", x_request_id="mine")
    assert answer.headers["x-request-id"] != "mine"

    def logged() -> list[tuple[str, str, int]]:
        ours = [e for e in serving.events if e.get("request_id") == answer.headers["x-request-id"]]
        return [(e["method"], e["path"], e["status"]) for e in ours]

    # A request is logged once its answer is out.
    wait_until(lambda: logged() == [("GET", "/v1/nothing", 404)])


# Caching.


def test_private_answers_are_not_stored(ada: Player, past: Past):
    for operation in GETS:
        if operation.access == "open":
            continue
        answer = past.host.get(address_of(operation.path, past.table))
        assert answer.status_code == 200, operation.id
        assert answer.headers["cache-control"] == "no-store", operation.id
        assert "Authorization" in answer.headers["vary"].split(", "), operation.id
    made = ada.post("/v1/players", {"name": "Token"})
    assert made.headers["cache-control"] == "no-store"
    opened = ada.post("/v1/games", {"ruleset": RULESET, "seats": 2})
    assert opened.headers["cache-control"] == "no-store"


def test_texts_vary_by_language(nobody: Player):
    for path in ("/v1/rulesets", f"/v1/rulesets/{RULESET}", f"/v1/rulesets/{RULESET}/cards"):
        answer = nobody.get(path, accept_language="xx")
        assert answer.headers["content-language"] == "en"
        assert answer.headers["vary"] == "Accept-Language"


def test_the_entity_tag_is_of_the_version_and_the_viewer(
    ada: Player, ben: Player, cleo: Player, nobody: Player
):
    table = Table(ada, ben).started()
    tags = {name: player.get(table.path).headers["etag"] for name, player in
            {"ada": ada, "ben": ben, "cleo": cleo, "nobody": nobody}.items()}  # fmt: skip
    assert tags["cleo"] == tags["nobody"], "both see what a spectator sees"
    assert len(set(tags.values())) == 3
    assert all(re.fullmatch(r'"\d+\.[0-9a-f]{8}\.[a-z0-9-]+"', tag) for tag in tags.values())
    assert ada.get(f"{table.path}/actions").headers["etag"] == tags["ada"]
    version = table.view()["version"]
    assert ada.get(f"{table.path}?version={version}").headers["etag"] == tags["ada"]
    assert ada.get(f"{table.path}?version={version - 1}").headers["etag"] != tags["ada"]
    actor = table.actor()
    moved = table.act(actor, _end_turn(table))
    assert moved.headers["etag"] == actor.get(table.path).headers["etag"]
    assert ada.get(table.path).headers["etag"] != tags["ada"]


def _end_turn(table: Table) -> dict[str, Any]:
    decision = table.view()["decision"]["id"]
    return {"ruleset": RULESET, "decision": decision, "action": {"type": "end_turn"}}


def test_if_none_match(ada: Player, ben: Player, running: Table):
    full = ada.get(running.path)
    tag = full.headers["etag"]
    for value in (tag, f'"x", {tag}', f"W/{tag}", "*"):
        answer = ada.get(running.path, if_none_match=value)
        assert (answer.status_code, answer.content) == (304, b""), value
        assert answer.headers["etag"] == tag
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["vary"] == "Authorization"
        assert "content-length" not in answer.headers
        assert "content-type" not in answer.headers
    assert ada.request("HEAD", running.path, headers={"If-None-Match": tag}).status_code == 304
    other = ben.get(running.path, if_none_match=tag)
    assert other.status_code == 200, "another viewer's tag"
    assert ada.get(running.path, if_none_match='"x"').json() == full.json()


def test_if_match_makes_a_command_strict(ada: Player, ben: Player):
    table = Table(ada, ben).started()
    actor, body = table.actor(), _end_turn(table)
    tag = actor.get(table.path).headers["etag"]
    other = (ben if actor is ada else ada).get(table.path).headers["etag"]
    for value in (other, f"W/{tag}", '"x"'):
        answer = table.act(actor, body, if_match=value)
        assert (answer.status_code, answer.json()["code"]) == (412, "stale-version")
        assert answer.json()["current"] == table.view()["version"]
    assert table.act(actor, body, if_match=f'"x", {tag}').status_code == 200
    assert table.act(actor, body, if_match=tag).json()["code"] == "stale-version"


# Pages of events.


def test_pages_of_events(past: Past, nobody: Player):
    path, every = f"{past.table.path}/events", past.table.events(nobody)
    assert [event["version"] for event in every] == list(range(1, len(every) + 1))
    for limit in (1, 7, 500):
        found, after, more = [], "", True
        while more:
            page = nobody.get(f"{path}?limit={limit}{after}").json()
            found += page["events"]
            assert len(page["events"]) <= limit
            assert page["next"] == f"{found[-1]['version']}.{found[-1]['chain'][:8]}"
            after, more = f"&after={page['next']}", page["more"]
        assert found == every
    end = nobody.get(f"{path}?after={page['next']}").json()
    assert (end["events"], end["next"], end["more"]) == ([], page["next"], False)


def test_a_cursor_of_another_log_is_reset(past: Past, running: Table, nobody: Player):
    first = past.table.events(nobody)[0]
    for cursor in (f"1.{'0' * 8}", f"1.{first['chain'][:8]}", "999.00000000", "1000000.00000000"):
        answer = nobody.get(f"{running.path}/events?after={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (409, "cursor-reset"), cursor
        assert answer.headers["cache-control"] == "no-store"


def test_a_cursor_stays_good_while_the_game_goes_on(ada: Player, ben: Player, rng: Any):
    table = Table(ada, ben).started()
    page = ada.get(f"{table.path}/events?limit=3").json()
    rest = ada.get(f"{table.path}/events?after={page['next']}").json()
    table.step(rng)
    later = ada.get(f"{table.path}/events?after={page['next']}").json()
    assert later["events"][: len(rest["events"])] == rest["events"]
    assert len(later["events"]) > len(rest["events"])
    news = ada.get(f"{table.path}/events?after={rest['next']}").json()["events"]
    assert rest["events"] + news == later["events"]


# Lists of games.


def pages(player: Player, path: str, limit: int) -> list[list[dict[str, Any]]]:
    found, cursor = [], ""
    while True:
        page = player.get(f"{path}?limit={limit}{cursor}").json()
        found.append(page["games"])
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_lists_of_more_than_a_hundred_games(address: str, nobody: Player):
    """They are spread over many partitions; a page is merged from all of them."""
    host = Player(address, "Host")
    made = []
    for number in range(105):
        body = {"ruleset": RULESET, "seats": 2, "public": number % 3 != 0}
        made.append(host.post("/v1/games", body).json()["game"]["id"])
    for limit in (100, 31):
        mine = pages(host, "/v1/players/me/games", limit)
        assert [len(page) for page in mine[:-1]] == [limit] * (len(mine) - 1)
        ids = [game["id"] for page in mine for game in page]
        assert len(ids) == len(set(ids)) == 105
        assert set(ids) == set(made)
        times = [game["created"] for page in mine for game in page]
        assert times == sorted(times, reverse=True)
    public = [game["id"] for page in pages(nobody, "/v1/games", 50) for game in page]
    assert len(public) == len(set(public))
    assert [game for game in public if game in made] == [
        game for game in ids if made.index(game) % 3
    ]


def test_new_games_move_no_page(address: str, nobody: Player):
    host = Player(address, "Host")
    body = {"ruleset": RULESET, "seats": 2}
    old = [host.post("/v1/games", body).json()["game"]["id"] for _ in range(6)]
    first = host.get("/v1/players/me/games?limit=3").json()
    new = host.post("/v1/games", body).json()["game"]["id"]
    second = host.get(f"/v1/players/me/games?limit=3&cursor={first['next']}").json()
    ids = [game["id"] for game in first["games"] + second["games"]]
    assert ids == old[::-1]
    assert second["next"] is None
    assert host.get("/v1/players/me/games?limit=1").json()["games"][0]["id"] == new


def test_lists_by_status(past: Past, running: Table, ada: Player, ben: Player, nobody: Player):
    waiting = Table(ada, ben)
    where = {"open": waiting.id, "running": running.id, "ended": past.table.id}
    for status, game in where.items():
        listed = [g for page in pages(nobody, "/v1/games", 100) for g in page]
        entry = next(each for each in listed if each["id"] == game)
        assert entry["status"] == {"ended": "sealed"}.get(status, status)
        found = nobody.get(f"/v1/games?status={status}&limit=100").json()["games"]
        assert game in {each["id"] for each in found}
        assert not {each["id"] for each in found} & (set(where.values()) - {game})


def test_my_games_are_those_i_host_sit_in_or_sat_in(past: Past):
    for player in (past.host, past.leaver):
        found = player.get("/v1/players/me/games").json()["games"]
        assert past.table.id in {game["id"] for game in found}
    assert past.stranger.get("/v1/players/me/games").json()["games"] == []


def test_an_entry_of_a_list_is_what_anybody_may_know(past: Past, nobody: Player):
    listed = nobody.get("/v1/games?status=ended&limit=100").json()["games"]
    entry = next(game for game in listed if game["id"] == past.table.id)
    shown = nobody.get(past.table.path).json()
    for name in (
        "id",
        "ruleset",
        "version",
        "status",
        "public",
        "time",
        "host",
        "seats",
        "outcome",
    ):
        assert entry[name] == shown[name], name
    assert json.dumps(entry).count("hand") == 0
