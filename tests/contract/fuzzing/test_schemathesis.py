"""schemathesis, with all its checks and phases, against the running service."""

from pathlib import Path

import pytest

from domain.catalogue import CATALOGUE
from tests.contract.fuzzing.runs import PHASES, Run, run
from tests.service.players import Player
from tests.service.serving import Serving

ALL_CHECKS = {
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
    "missing_required_header",
    "unsupported_method",
    "allow_header_conformance",
    "use_after_free",
    "ensure_resource_availability",
    "ignored_auth",
    "object_level_authorization",
    "max_response_time",
}
STORIES = 200


@pytest.fixture(scope="module")
def players(serving: Serving) -> list[Player]:
    return [Player(serving.address, name) for name in ("Ada", "Ben", "Cleo", "Dora")]


def is_clean(serving: Serving, done: Run, phases: tuple[str, ...] = PHASES) -> None:
    """Nothing failed, nothing was left out, and the service met no fault of its own."""
    assert done.code == 0, done.output
    assert done.report["failures"] == done.report["errors"] == []
    assert done.report["complete"]
    operations = done.report["operations"]
    assert operations["selected"] == operations["total"]
    assert phases != PHASES or operations["tested"] == operations["total"]
    assert {name: done.report["phases"][name]["status"] for name in phases} == dict.fromkeys(
        phases, "success"
    )
    assert all(set(names) == ALL_CHECKS for names in done.checks.values()), done.checks
    assert {place.rpartition(" ")[2] for place in done.checks} == {*phases}
    assert [event for event in serving.events if event["event"] == "a fault"] == []


@pytest.mark.timeout(500)
def test_as_a_player(
    serving: Serving, players: list[Player], finished: dict[str, Run], tmp_path: Path
):
    done = run(serving.address, tmp_path / "run", players=players, role="player", examples=50)
    finished["a player"] = done
    is_clean(serving, done)
    without = {operation for operation in done.statuses if done.answers(operation, "2") == 0}
    worded = any(ruleset.free_text for ruleset in CATALOGUE.values())
    assert without == (set() if worded else {"DELETE /v1/games/{game}/texts/{text}"})
    assert len(done.statuses) == done.report["operations"]["total"]
    assert done.answers("POST /v1/games/{game}/actions", "2") >= 300
    # A run's stories end early, and say nothing of it, when the same beginning goes on otherwise:
    # games that others moved on meanwhile are enough. Then there are more runs.
    stories = done.scenarios()
    for seed in ("1", "2", "3", "4"):
        if stories < STORIES:
            more = run(
                serving.address,
                tmp_path / seed,
                players=players,
                role="player",
                examples=1,
                seed=seed,
                phases=("stateful",),
            )
            is_clean(serving, more, ("stateful",))
            stories += more.scenarios()
    assert stories >= STORIES


# What a judge does: rule, look and vote in the games they judge, and move in one where they sit.
JUDGING = {
    "POST /v1/games/{game}/rulings",
    "POST /v1/games/{game}/rulings/preview",
    "GET /v1/games/{game}/rulings",
    "GET /v1/games/{game}/looks",
    "POST /v1/games/{game}/motions/{motion}/votes",
    "POST /v1/games/{game}/motions",
    "GET /v1/games/{game}",
    "GET /v1/games/{game}/events",
    "GET /v1/games/{game}/claims",
    "GET /v1/games/{game}/recording",
    "GET /v1/games/{game}/texts",
}


@pytest.mark.timeout(300)
def test_as_a_judge(
    serving: Serving, players: list[Player], finished: dict[str, Run], tmp_path: Path
):
    done = run(serving.address, tmp_path / "run", players=players, role="judge", examples=5)
    finished["a judge"] = done
    is_clean(serving, done)
    assert {operation for operation in JUDGING if done.answers(operation, "2") == 0} == set()
    # The game goes on without the judge, who neither acts in it nor starts it.
    for operation in ("actions", "start", "pause"):
        assert done.answers(f"POST /v1/games/{{game}}/{operation}", "2") == 0


@pytest.mark.timeout(300)
@pytest.mark.parametrize("role", ["nobody", "stranger"])
def test_as_somebody_else(
    serving: Serving,
    players: list[Player],
    finished: dict[str, Run],
    tmp_path: Path,
    role: str,
):
    done = run(serving.address, tmp_path / "run", players=players, role=role, examples=5)
    finished[role] = done
    is_clean(serving, done)
    # The hooks point requests at games of others, and nothing can be done there.
    assert done.answers("POST /v1/games/{game}/actions", "2") == 0
    assert done.answers("GET /v1/games/{game}", "2") > 0
