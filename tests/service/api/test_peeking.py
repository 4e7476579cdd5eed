"""Nobody peeks by an undo, for all three games: asked for, read afterwards, or ruled after the end.

What a seat saw of a line that was undone must say nothing of what comes next; what is read of that
line later must be what the reader saw at the time; and the end of a game that can still be taken
back must show nothing that the rules do not show.
"""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.recording import verify
from tests.service.players import RULESET, Player, Table

# Ways for seat 0 to see a card that it could not see before. The first of them takes a moment.
REVEALS: dict[str, tuple[str, ...]] = {
    "stir-fry-eighteen": ("discard_pair", "pass", "pass"),
    "just-desserts": ("kitchen",),
    "memesio": ("stock", "stock", "stock"),
}
SEATS = 3
REASON = "The clock was not to be seen."
HERS: dict[str, Any] = {"motion": {"type": "undo"}, "reason": "I misread my hand."}


@pytest.fixture(scope="module")
def people(address: str) -> list[Player]:
    """Three who play, one who judges where a judge is named, one who has no part, and nobody."""
    names = ("Ann", "Bea", "Col", "Judy", "Stan", None)
    return [Player(address, name) for name in names]


@pytest.fixture
def judy(people: list[Player]) -> Player:
    return people[SEATS]


@pytest.fixture
def table(people: list[Player], request: pytest.FixtureRequest) -> Table:
    return Table(*people[:SEATS], ruleset=request.param, first_player=0).started()


@pytest.fixture
def judged(people: list[Player], judy: Player, request: pytest.FixtureRequest) -> Table:
    options = {"max_turns": 6} if request.param == RULESET else {}  # random players take long
    table = Table(*people[:SEATS], ruleset=request.param, first_player=0, **options)
    named = table.host.post(f"{table.path}/judges", {"judge": judy.id})
    assert named.status_code == 200, named.text
    return table.started()


every_game = pytest.mark.parametrize("table", REVEALS, indirect=True)
every_judged_game = pytest.mark.parametrize("judged", REVEALS, indirect=True)


def reveal(table: Table, rng: random.Random) -> None:
    """Let the seats act until seat 0 has seen something new."""
    for tag in REVEALS[table.ruleset]:
        table.step(rng, tag)


def undo(player: Player, table: Table, to: int) -> dict[str, Any]:
    body = {**HERS, "motion": {"type": "undo", "to": to}}
    made = player.post(f"{table.path}/motions", body)
    assert made.status_code == 200, made.text
    return made.json()


def vote(player: Player, table: Table, motion: int, *, agree: bool) -> dict[str, Any]:
    voted = player.post(f"{table.path}/motions/{motion}/votes", {"agree": agree})
    assert voted.status_code == 200, voted.text
    return voted.json()


def rule(judge: Player, table: Table, ruling: dict[str, Any], place: str = "rulings"):
    return judge.post(f"{table.path}/{place}", {"ruling": ruling, "reason": REASON})


def types(answer: dict[str, Any]) -> list[str]:
    return [event["event"]["type"] for event in answer["events"]]


def views(table: Table, people: Sequence[Player], version: int | None = None) -> list[Any]:
    """What everybody sees of the game, now or at a version."""
    query = "" if version is None else f"?version={version}"
    return [player.get(table.path + query).json() for player in people]


PASSING = ("version", "cursor", "time", "expires", "motions")  # what any event changes


def standing(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what any event changes."""
    return {name: value for name, value in view.items() if name not in PASSING}


def position(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what a rewind changes either: its decision has a new id and a new time."""
    left = standing(view)
    return {**left, "decision": {**left["decision"], "id": None, "since": None}}


def hand(view: dict[str, Any], seat: int) -> Any:
    return view["board"]["players"][seat]["hand"]


def parts(events: Sequence[dict[str, Any]]) -> list[tuple[int, int | None, str]]:
    """The hidden parts that a list of events shows: version, seat and field."""
    return [
        (event["version"], event["event"].get("seat"), name)
        for event in events
        for name, part in event["event"].items()
        if isinstance(part, dict) and "value" in part
    ]


def outlets(table: Table, player: Player) -> dict[str, Any]:
    """The log as a viewer gets it: in pages, as a stream, as a recording."""
    listed = table.events(player)
    after, paged = "", []
    while True:
        page = player.get(f"{table.path}/events?limit=7{after}").json()
        paged += page["events"]
        if not page["more"]:
            break
        after = f"&after={page['next']}"
    stream = player.get(f"{table.path}/events?wait=0", accept="text/event-stream").text
    sent = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
    recording = player.get(f"{table.path}/recording").text.splitlines()
    assert json.loads(recording[0])["sealed"] is False
    return {
        "list": listed,
        "pages": paged,
        "stream": [each for each in sent if "version" in each],
        "recording": [json.loads(line) for line in recording[1:-1]],
    }


# Asking for it.


@every_game
def test_an_undo_that_showed_something_is_not_had_without_the_others(
    table: Table, people: list[Player], rng: random.Random
):
    ann, bea, col = table.players
    before = views(table, people)
    reveal(table, rng)
    seen = views(table, people)
    assert hand(seen[0], 0) != hand(before[0], 0), "the seat has seen a card"
    asked = undo(ann, table, before[0]["version"])
    assert types(asked) == ["motion_made"], "and nothing is taken back for the asking"
    motion = asked["events"][0]["version"]
    assert types(vote(bea, table, motion, agree=False)) == ["motion_voted"]
    closed = col.post(f"{table.path}/motions/{motion}/votes", {"agree": True})
    assert closed.json()["code"] == "motion-closed", "one no ends it"
    assert [standing(each) for each in views(table, people)] == [standing(each) for each in seen]


@every_game
def test_what_was_seen_before_an_undo_says_nothing_of_what_comes(
    table: Table, people: list[Player], rng: random.Random
):
    ann, bea, col = table.players
    before = views(table, people)
    target = before[0]["version"]
    reveal(table, rng)
    declined = undo(ann, table, target)["events"][0]["version"]
    vote(bea, table, declined, agree=False)
    asked = undo(ann, table, target)["events"][0]["version"]
    assert types(vote(bea, table, asked, agree=True)) == ["motion_voted"], "all are needed"
    carried = vote(col, table, asked, agree=True)
    rewound = ["motion_voted", "rewound"]
    assert types(carried)[:2] == rewound
    assert all("shuffled" in name for name in types(carried)[2:])
    assert types(carried)[2:], "the cards that were still to come are others now"
    after = views(table, people)
    assert [position(each) for each in after] == [position(each) for each in before]
    assert after[0]["decision"]["id"] > target
    # What was drawn again can be told from the seed only, so look at it once that is out.
    for player in (bea, col):
        assert player.delete(f"{table.path}/seats/{table.players.index(player)}").is_success
    assert table.view()["status"] == "sealed"
    events = table.events()
    drawn = [event["event"].get("chance") for event in events]
    numbers = [number for number in drawn if number is not None]
    assert numbers == sorted(set(numbers)), "each draw of chance is used once"
    renewed = events[carried["events"][2]["version"] - 1]["event"]
    [order] = [part["value"] for part in renewed.values() if isinstance(part, dict)]
    deck = _deck(ann.get(f"{table.path}?version={target}").json()["board"])
    assert sorted(order) == sorted(deck), "all that nobody had seen is shuffled, and nothing else"
    recording = ann.get(f"{table.path}/recording").content
    assert verify(recording.split(b"\n"), CATALOGUE).exit_code == 0


def _deck(board: dict[str, Any]) -> list[str]:
    return board.get("dessert_deck") or board["deck"]


def test_who_called_for_a_taste_test_takes_it_back_with_the_others_only(
    people: list[Player], rng: random.Random
):
    """What lay there was shown to all, and who lost by it cannot have another try alone."""
    table = Table(*people[:SEATS], first_player=0).started()
    table.step(rng, "discard_pair")
    ann, bea, col = table.players
    before = views(table, people)
    called = table.act(bea, table.choice(bea, rng, "call"))
    assert called.status_code == 200, called.text
    motion = undo(bea, table, before[0]["version"])["events"][0]["version"]
    vote(ann, table, motion, agree=False)
    over = called.json()["game"]["version"]
    assert table.view()["version"] == over + 2, "asked and declined, and nothing else"
    motion = undo(bea, table, before[0]["version"])["events"][0]["version"]
    for player in (ann, col):
        carried = vote(player, table, motion, agree=True)
    assert types(carried) == ["motion_voted", "rewound", "reshuffled"]
    after = views(table, people)
    assert [position(each) for each in after] == [position(each) for each in before]
    assert after[0]["decision"]["asked"] == [1, 2], "it can be called anew, or let pass"


# Reading what was undone.


@every_judged_game
def test_the_undone_line_shows_what_it_showed_at_the_time(
    judged: Table, judy: Player, people: list[Player], rng: random.Random
):
    """By ``?version=``, on every branch, in pages, streams and recordings before the seal."""
    table, lookers = judged, [each for each in people if each is not judy]
    at_the_time: dict[int, list[Any]] = {}

    def note() -> None:
        for version in range(max(at_the_time, default=0) + 1, table.view()["version"] + 1):
            at_the_time[version] = views(table, lookers, version)

    note()
    target = max(at_the_time)
    for _ in range(2):
        reveal(table, rng)
        note()
        undone = max(at_the_time)
        for to in (target, undone, target):  # back, into the line that was undone, and back
            done = rule(judy, table, {"type": "rewind", "to": to})
            assert types(done.json())[:2] == ["ruled", "rewound"]
            note()
    for version, then in at_the_time.items():
        assert views(table, lookers, version) == then, f"version {version} shows something else"
        for seat, view in enumerate(then):
            if view["board"] is not None:
                _shows_no_more_than_its_own(view, seat)
    for seat, player in enumerate(lookers):
        found = outlets(table, player)
        assert all(each == found["list"] for each in found.values()), list(found)
        owners = {owner for _, owner, _ in parts(found["list"])}
        assert owners == ({seat} if seat < SEATS else set())


def _shows_no_more_than_its_own(view: dict[str, Any], seat: int) -> None:
    held = [number for number in range(SEATS) if hand(view, number) is not None]
    assert held == ([seat] if seat < SEATS else [])
    assert view["seed"] is None
    decks = [value for name, value in view["board"].items() if name.endswith("deck")]
    assert decks == [None] * len(decks)


@every_judged_game
def test_only_a_judge_is_shown_what_a_ruling_would_do(
    judged: Table, judy: Player, people: list[Player], rng: random.Random
):
    target = judged.view()["version"]
    reveal(judged, rng)
    rewind = {"type": "rewind", "to": target}
    version = judged.view()["version"]
    for player in people:
        told = rule(player, judged, rewind, "rulings/preview")
        if player is judy:
            assert told.status_code == 200
            assert parts(told.json()["events"]) == [], "no order of a deck, not for the judge"
            assert [hand(told.json()["game"], seat) for seat in range(SEATS)] == [None] * SEATS
        elif player.token:
            assert told.json()["code"] == "forbidden"
            assert told.json().keys().isdisjoint({"events", "game"})
        else:
            assert told.json()["code"] == "unauthenticated"
    assert judged.view()["version"] == version


@every_judged_game
def test_a_new_holder_reads_no_past_by_a_rewind(
    judged: Table, judy: Player, people: list[Player], rng: random.Random
):
    """A game taken back to before the seat was handed over opens no hand of that time."""
    table, new = judged, people[SEATS + 1]
    target = table.view()["version"]
    reveal(table, rng)
    given = {"type": "replace_seat", "seat": 0, "player": new.id}
    handed = rule(judy, table, given).json()["game"]["version"]
    assert rule(judy, table, {"type": "rewind", "to": target}).status_code == 200
    now = table.view()["version"]
    old, other = table.host, table.players[1]
    assert hand(other.get(f"{table.path}?version={target}").json(), 0) is None
    for version in range(target, now + 1):
        past = new.get(f"{table.path}?version={version}").json()
        assert (hand(past, 0) is not None) is (version >= handed)
        late = old.get(f"{table.path}?version={version}").json()
        assert (hand(late, 0) is not None) is (version < handed)
    assert all(version >= handed for version, _, _ in parts(table.events(new)))
    assert all(version < handed for version, _, _ in parts(table.events(old)))


# The end, and what it does not show.


def play_out(table: Table, rng: random.Random) -> None:
    """Play until seat 0 has lost, or won."""
    table.played(rng)
    assert table.view()["outcome"] is not None


def leave_alone(table: Table, _: random.Random) -> None:
    """The others leave, so that seat 0 has won."""
    for seat in range(1, SEATS):
        assert table.players[seat].delete(f"{table.path}/seats/{seat}").is_success


@every_judged_game
@pytest.mark.parametrize("end", [play_out, leave_alone])
def test_to_lose_read_the_seed_and_have_it_rewound_fails(
    judged: Table,
    judy: Player,
    people: list[Player],
    rng: random.Random,
    end: Callable[[Table, random.Random], None],
):
    table = judged
    end(table, rng)
    over = table.view()
    assert (over["status"], over["decision"]) == ("ended", None)
    _nothing_of_the_seed_is_out(table, people)
    last = max(event["version"] for event in table.events() if event["count"])
    undone = table.host.post(f"{table.path}/motions", {"motion": {"type": "undo", "to": last - 1}})
    assert undone.json()["code"] == "game-over", "the seats cannot go back behind the end"
    done = rule(judy, table, {"type": "rewind", "to": last - 1})
    assert done.status_code == 200, done.text
    if end is play_out:
        assert table.view()["status"] == "running", "a judge can"
        _nothing_of_the_seed_is_out(table, people)
        end(table, rng)
    assert table.view()["status"] == "ended"
    _nothing_of_the_seed_is_out(table, people)
    seal(table, judy)
    assert all(view["seed"] is not None for view in views(table, people))
    target = table.view()["version"] - 1
    for place in ("rulings", "rulings/preview"):
        assert rule(judy, table, {"type": "rewind", "to": last - 1}, place).json()["code"] == (
            "game-over"
        )
    late = table.host.post(f"{table.path}/motions", {"motion": {"type": "undo", "to": target}})
    assert late.json()["code"] in ("game-over", "forbidden")
    assert table.view()["status"] == "sealed"
    recording = table.host.get(f"{table.path}/recording").content
    assert verify(recording.split(b"\n"), CATALOGUE).exit_code == 0


def _nothing_of_the_seed_is_out(table: Table, people: Sequence[Player]) -> None:
    """Not for the seats, not for others, not for the judge: no seed, no deck, no other hand."""
    for seat, player in enumerate(people):
        judge = player is people[SEATS]
        view = player.get(table.path).json()
        assert view["seed"] is None
        assert [each for name, each in view["board"].items() if name.endswith("deck")] in (
            [None],
            [None, None],
        )
        hands = {number for number in range(SEATS) if hand(view, number) is not None}
        own = {seat} if seat < SEATS and not view["seats"][seat]["left"] else set()
        assert hands == (set(range(SEATS)) if judge else own)
        for name, events in outlets(table, player).items():
            assert events[0]["event"]["seed"].keys() == {"digest"}, name
            owners = {owner for _, owner, _ in parts(events)}
            mine = {seat} if seat < SEATS else set()
            assert owners <= (set(range(SEATS)) if judge else mine), name


def seal(table: Table, judge: Player) -> None:
    """Let all who are still there agree to the seal, and the judge."""
    left = [each["left"] for each in table.view()["seats"]]
    staying = [player for player, gone in zip(table.players, left, strict=True) if not gone]
    body = {"motion": {"type": "seal_now"}}
    made = staying[0].post(f"{table.path}/motions", body).json()
    motion = made["events"][0]["version"]
    for player in (*staying[1:], judge):
        assert table.view()["status"] == "ended"
        vote(player, table, motion, agree=True)
    assert table.view()["status"] == "sealed"


@every_game
def test_without_a_judge_the_end_is_the_seal(table: Table, people: list[Player]):
    """Nobody could take it back, so the seed is out at once."""
    leave_alone(table, random.Random())
    assert all(view["status"] == "sealed" and view["seed"] for view in views(table, people))
    undone = table.host.post(f"{table.path}/motions", {"motion": {"type": "undo", "to": 9}})
    assert undone.json()["code"] == "game-over"
