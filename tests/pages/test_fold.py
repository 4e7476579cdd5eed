"""The browser's fold against the service's: every board of whole games, from every seat."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.event import Record
from domain.kernel.viewer import JUDGE, SEALED, SPECTATOR, Sight, seen
from tests.domain.playouts import room_of
from tests.domain.rulings import Ruled, play_ruled

LEAST, MOST = 12, 400  # games among which some are chosen
RARE = {"stir-fry-eighteen": {"called penalty True"}}
FOLD = """async ({ruleset, records, sealed, perspective}) => {
  const { foldAll, viewOf } = await import("/static/fold.mjs");
  const { Client, loadTexts } = await import("/static/api.mjs");
  const fold = foldAll(records, ruleset, await loadTexts(new Client(), ruleset));
  fold.sealed = sealed;
  return JSON.stringify(records.map(({ version }) => viewOf(fold, version, perspective)));
}"""


def shown(records: Sequence[Record], view: Sight) -> list[Any]:
    """Events as somebody sees them all."""
    secret = bytes.fromhex(records[0].event.seed)
    return [msgspec.to_builtins(seen(record, view, secret)) for record in records]


def told(page: Any, ruleset: str, records: list[Any], **how: Any) -> list[Any]:
    """What the browser makes of events, version by version."""
    given = {"ruleset": ruleset, "records": records, **how}
    return json.loads(page.evaluate(FOLD, given))


def compare(views: list[Any], played: Ruled, view: Sight) -> None:
    """Hold every view against the service's own fold and redaction."""
    for mine, state in zip(views, played.states, strict=True):
        game = state.game
        if game is None:
            assert mine["board"] is None
            continue
        board = json.loads(msgspec.json.encode(played.ruleset.board(game, view)))
        assert mine["board"] == board, state.version
        asked = list(game.decision.asked) if game.decision else None
        assert (mine["decision"] and mine["decision"]["asked"]) == asked
        assert mine["outcome"] == json.loads(msgspec.json.encode(game.outcome))
        holders = [(seat.player, seat.bundled, seat.left) for seat in state.table.seats if seat]
        known = [(seat["player"], seat["bundled"], seat["left"]) for seat in mine["seats"]]
        assert known == holders


def features(records: Sequence[Record]) -> set[str]:
    """What a game has that another may lack: types of events, and what stands in them."""
    found = set()
    for record in records:
        fields = msgspec.to_builtins(record.event)
        kind = fields.pop("type")
        found.add(kind)
        for name, value in fields.items():
            if isinstance(value, bool) or name in ("reason", "penalty", "owed"):
                found.add(f"{kind} {name} {bool(value) if isinstance(value, int) else value}")
            elif name == "keeps":
                found.add(f"{kind} keeps {value['as']}")
            elif name == "sources":
                found |= {f"{kind} from {each['from']}" for each in value}
    return found


def varied(ruleset: str) -> list[Ruled]:
    """Random games with rulings that have between them all events, and what stands in them."""
    own = {event.__struct_config__.tag for event in CATALOGUE[ruleset].events}
    own |= RARE.get(ruleset, set())
    games: list[Ruled] = []
    missing: set[str] = set()
    while len(games) < LEAST or not own <= missing:
        games.append(play_ruled(room_of(ruleset), f"browser/{len(games)}"))
        missing |= features(games[-1].records)
        assert len(games) < MOST, f"no game saw {own - missing}"
    chosen = []
    while missing:
        best = max(games, key=lambda game: len(features(game.records) & missing))
        missing -= features(best.records)
        chosen.append(best)
    return chosen


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_the_browser_makes_of_events_what_the_service_makes_of_them(visit, ruleset: str):
    """Games with rulings and leaving, sealed and as one seat was shown them."""
    page = visit().go("/")
    rewinds = 0
    for played in varied(ruleset):
        records = played.records
        rewinds += sum(record.event.__struct_config__.tag == "rewound" for record in records)
        every = shown(records, SEALED)
        for perspective, view in (
            (None, SEALED),
            ("seat:1", Sight((1,))),
            ("spectator", SPECTATOR),
        ):
            views = told(page, ruleset, every, sealed=True, perspective=perspective)
            compare(views, played, view)
        for view in (Sight((0,)), JUDGE, SPECTATOR):
            views = told(page, ruleset, shown(records, view), sealed=False, perspective=None)
            compare(views, played, view)
    assert rewinds
