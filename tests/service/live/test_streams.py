"""Streams of one game: the same as the pages, in order, once, and what stands beside the events."""

import asyncio
import json
import random
import threading
import time

import pytest

from tests.service.live import cuts
from tests.service.live.conftest import HEARTBEAT, steps
from tests.service.live.reader import Stream, versions
from tests.service.players import Player, Table
from tests.service.serving import Serving

STREAM = "text/event-stream"
SHORT = 15  # points at which a game ends


def table_of(serving: Serving, *names: str) -> Table:
    players = (Player(serving.address, name) for name in names or ("Ada", "Ben"))
    return Table(*players, target=SHORT)


def path_of(table: Table, query: str = "") -> str:
    return f"{table.path}/events{query}"


async def read(serving: Serving, table: Table, player: Player, query: str = "?wait=0") -> Stream:
    """Read a bounded stream to its end."""
    stream = await Stream.open(serving.port, path_of(table, query), player.token)
    await stream.rest()
    assert stream.over
    return stream


def page_of(table: Table, player: Player) -> bytes:
    """The events of all pages, as the bytes between their brackets."""
    found, query = [], "?limit=500"
    while True:
        body = player.get(path_of(table, query)).content
        head, _, rest = body.partition(b'"events":[')
        assert head
        found.append(rest[: rest.rindex(b'],"next":')])
        facts = json.loads(body)
        if not facts["more"]:
            return b",".join(found)
        query = f"?limit=500&after={facts['next']}"


def test_a_stream_has_the_bytes_of_the_pages(live: Serving, rng: random.Random):
    """For every viewer, in the middle of a game and after its end."""
    table = table_of(live, "Ada", "Ben", "Cas").started()
    viewers = [*table.players, Player(live.address), Player(live.address, None)]
    for _ in range(2):
        for viewer in viewers:
            stream = asyncio.run(read(live, table, viewer))
            data = ",".join(one.data or "" for one in stream.events)
            assert data.encode() == page_of(table, viewer)
            for one in stream.events:
                assert one.id == f"{one.json['version']}.{one.json['chain'][:8]}"
        table.played(rng)
    views = {page_of(table, viewer) for viewer in viewers}
    assert len(views) == 1  # sealed: everyone sees everything


def test_the_head_of_a_stream(live: Serving):
    table = table_of(live)
    stream = asyncio.run(read(live, table, table.host))
    assert stream.status == 200
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["x-accel-buffering"] == "no"
    assert {one.strip() for one in stream.headers["vary"].split(",")} == {"Authorization", "Accept"}
    assert stream.messages[0].retry == 2000
    vary = table.host.get(path_of(table)).headers["vary"]
    assert vary == stream.headers["vary"]


def test_head_does_not_wait(live: Serving):
    table = table_of(live)
    for accept in (STREAM, "*/*"):
        cursor = table.view()["cursor"]
        begun = time.monotonic()
        path = path_of(table, f"?wait=20&after={cursor}")
        answer = table.host.request("HEAD", path, headers={"Accept": accept})
        assert (answer.status_code, answer.content) == (200, b"")
        assert time.monotonic() - begun < 2
    assert table.host.request("HEAD", path, headers={"Accept": STREAM}).status_code == 200


@pytest.mark.parametrize(
    ("accept", "streams"),
    [
        ("text/event-stream", True),
        ("text/event-stream, application/json;q=0.9", True),
        ("text/event-stream;q=0.9, application/json", False),
        ("text/event-stream;q=0", False),
        ("application/json, text/event-stream", True),
        ("TEXT/event-stream; charset=utf-8", True),
        ("text/*", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_what_accept_asks_for(live: Serving, accept: str, streams: bool):
    table = table_of(live)
    answer = table.host.get(path_of(table, "?wait=0"), accept=accept)
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind == (STREAM if streams else "application/json")


def test_errors_come_as_problems(live: Serving):
    table = table_of(live)
    nobody = Player(live.address, None)
    for path, status in [
        (path_of(table, "?after=1"), 422),
        (path_of(table, "?wait=31"), 422),
        (path_of(table, "?wait=-1"), 422),
        (path_of(table, "?until=now"), 422),
        ("/v1/games/0000000000000000/events", 404),
    ]:
        answer = nobody.get(path, accept=STREAM)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
    answer = nobody.get(path_of(table), accept=STREAM, authorization="Bearer pt_none")
    assert answer.status_code == 401
    private = Table(Player(live.address), Player(live.address), public=False)
    assert nobody.get(path_of(private), accept=STREAM).status_code == 404


# Coming back.


def test_every_cursor_leads_to_what_comes_after_it(live: Serving, rng: random.Random):
    table = table_of(live).started()
    steps(table, rng, 30)
    whole = asyncio.run(read(live, table, table.host)).events

    async def check() -> None:
        for place, one in enumerate(whole[:-1]):
            for last, query in ((one.id, "?wait=0"), (None, f"?wait=0&after={one.id}")):
                stream = await Stream.open(
                    live.port, path_of(table, query), table.host.token, last=last
                )
                await stream.rest()
                assert stream.events == whole[place + 1 :]
                assert not stream.named("reset")

    asyncio.run(check())


def test_the_header_counts_before_the_query(live: Serving):
    table = table_of(live).started()
    first, second, *others = asyncio.run(read(live, table, table.host)).events

    async def both() -> Stream:
        path = path_of(table, f"?wait=0&after={first.id}")
        stream = await Stream.open(live.port, path, table.host.token, last=second.id)
        await stream.rest()
        return stream

    assert asyncio.run(both()).events == others


@pytest.mark.parametrize(
    "cursor",
    ["2.00000000", "9999.12345678", "999999.12345678", "7", "x", "0.00000000", "é", "-1.0"],
)
def test_a_cursor_that_makes_no_sense_is_reset(live: Serving, cursor: str):
    """By header; what follows begins at the start, and the reader forgets the cursor."""
    table = table_of(live).started()

    async def check() -> None:
        stream = await Stream.open(
            live.port, path_of(table, "?wait=0"), table.host.token, last=cursor
        )
        await stream.rest()
        assert stream.named("reset") == [{"from": 0}]
        reset = next(one for one in stream.messages if one.name == "reset")
        assert reset.id == ""
        assert stream.messages.index(reset) < stream.messages.index(stream.events[0])
        assert versions(stream) == list(range(1, len(stream.events) + 1))

    asyncio.run(check())


def test_a_cursor_by_query_is_reset_too(live: Serving):
    table = table_of(live).started()
    stream = asyncio.run(read(live, table, table.host, "?wait=0&after=2.00000000"))
    assert stream.named("reset") == [{"from": 0}]
    assert versions(stream)[0] == 1


def test_streams_cut_and_resumed(serve, rng: random.Random):
    """At any byte, on two workers, while games are played; `cuts` does more of it."""
    serving = serve("--workers", "2").start()
    count = asyncio.run(cuts.rounds(serving.address, 300, seed=rng.randrange(1000), pause=0.0))
    assert count.done >= 300
    assert count.fruitful > 50


# As it happens.


def test_two_hundred_streams_get_everything_in_order(live: Serving, rng: random.Random):
    tables = [table_of(live).started() for _ in range(2)]
    nobody = Player(live.address, None)

    async def watch() -> list[tuple[Table, Stream]]:
        streams = []
        for place in range(200):
            table = tables[place % 2]
            viewer = table.players[place // 2 % 2] if place < 8 else nobody
            stream = await Stream.open(live.port, path_of(table), viewer.token)
            streams.append((table, stream))
        playing = [
            threading.Thread(target=table.played, args=(random.Random(place),))
            for place, table in enumerate(tables)
        ]
        for thread in playing:
            thread.start()
        await asyncio.gather(*(stream.rest(60) for _, stream in streams))
        for thread in playing:
            thread.join()
        return streams

    for table, stream in asyncio.run(watch()):
        assert stream.over
        assert versions(stream) == list(range(1, table.view()["version"] + 1))
        assert stream.named("end") == [{"reason": "sealed"}]
        assert stream.messages[-1].name == "end"
        assert not stream.named("reset")


def test_a_stream_takes_part_in_what_its_viewer_becomes(live: Serving, rng: random.Random):
    """A spectator joins a seat and sees its hand from then on; once sealed, everything."""
    ada, ben, eve = (Player(live.address, name) for name in ("Ada", "Ben", "Eve"))
    table = Table(ada, ben)

    async def watch() -> tuple[Stream, Stream]:
        seated = await Stream.open(live.port, path_of(table), ben.token)
        looking = await Stream.open(live.port, path_of(table), eve.token)
        await seated.until(lambda _: seated.events)
        await asyncio.to_thread(table.started)
        await asyncio.to_thread(steps, table, rng, 12)
        version = (await asyncio.to_thread(table.view))["version"]
        await seated.until(lambda _: versions(seated)[-1:] == [version])
        await looking.until(lambda _: versions(looking)[-1:] == [version])
        return seated, looking

    seated, looking = asyncio.run(watch())
    assert ",".join(one.data or "" for one in seated.events).encode() == page_of(table, ben)
    assert ",".join(one.data or "" for one in looking.events).encode() == page_of(table, eve)
    assert b'"value":' in page_of(table, ben)
    assert b'"value":' not in page_of(table, eve)


def test_whoever_leaves_sees_the_seat_no_more(live: Serving, rng: random.Random):
    players = [Player(live.address, name) for name in ("Ada", "Ben", "Cas")]
    table = Table(*players).started()
    cas = players[2]

    async def watch() -> Stream:
        stream = await Stream.open(live.port, path_of(table), cas.token)
        await stream.until(lambda _: stream.events)
        await asyncio.to_thread(cas.delete, f"{table.path}/seats/2")
        await asyncio.to_thread(steps, table, rng, 10)
        view = await asyncio.to_thread(table.view)
        await stream.until(lambda _: versions(stream)[-1:] == [view["version"]])
        return stream

    stream = asyncio.run(watch())
    assert ",".join(one.data or "" for one in stream.events).encode() == page_of(table, cas)


def test_a_seat_that_is_handed_over(live: Serving, rng: random.Random):
    """Its former holder sees its hand no more, the new one from then on: as the pages have it."""
    ada, ben, cas, eve = (Player(live.address, name) for name in ("Ada", "Ben", "Cas", "Eve"))
    table = Table(ada, ben, cas).started()

    async def watch() -> list[Stream]:
        viewers = (cas, eve, ada)
        streams = [await Stream.open(live.port, path_of(table), each.token) for each in viewers]
        await asyncio.to_thread(steps, table, rng, 3)
        motion = {"motion": {"type": "hand_over", "seat": 2, "player": eve.id}}
        made = await asyncio.to_thread(ada.post, f"{table.path}/motions", motion)
        assert made.status_code == 200, made.text
        number = next(one["version"] for one in made.json()["events"])
        vote = f"{table.path}/motions/{number}/votes"
        for each in (ben, cas, eve):
            await asyncio.to_thread(each.post, vote, {"agree": True})
        view = await asyncio.to_thread(table.view)
        assert view["seats"][2]["player"] == eve.id, view
        table.players = (ada, ben, eve)
        await asyncio.to_thread(steps, table, rng, 12)
        version = (await asyncio.to_thread(table.view))["version"]
        for stream in streams:
            await stream.until(lambda _, s=stream: versions(s)[-1:] == [version])
        # Who is present goes with the seat: it is there with Eve's stream, not with Cas's.
        streams[1].cut()
        await streams[2].until(lambda _: streams[2].named("presence")[-1] == {"seats": [0]})
        return streams

    for stream, viewer in zip(asyncio.run(watch()), (cas, eve, ada), strict=True):
        data = ",".join(one.data or "" for one in stream.events)
        assert data.encode() == page_of(table, viewer)


def test_whoever_becomes_a_judge_looks_as_one_only_on_record(live: Serving, rng: random.Random):
    """The stream that was opened before ends; the next one is a look, and shows the hands."""
    ada, ben, judy = (Player(live.address, name) for name in ("Ada", "Ben", "Judy"))
    table = Table(ada, ben).seated()

    async def watch() -> tuple[Stream, Stream]:
        before = await Stream.open(live.port, path_of(table), judy.token)
        await before.until(lambda _: versions(before)[-1:] == [3])
        await asyncio.to_thread(ada.post, f"{table.path}/judges", {"judge": judy.id})
        await before.rest()
        assert not before.named("end")
        assert versions(before) == [1, 2, 3]
        last = before.events[-1].id
        after = await Stream.open(live.port, path_of(table), judy.token, last=last)
        await asyncio.to_thread(ada.post, f"{table.path}/start")
        await asyncio.to_thread(steps, table, rng, 4)
        version = (await asyncio.to_thread(table.view))["version"]
        await after.until(lambda _: versions(after)[-1:] == [version])
        return before, after

    before, after = asyncio.run(watch())
    looks = ada.get(f"{table.path}/looks").json()["looks"]
    assert [look["what"] for look in looks] == ["listEvents"]
    both = (*before.events, *after.events)
    assert ",".join(one.data or "" for one in both).encode() == page_of(table, judy)
    assert '"value":' in "".join(one.data or "" for one in after.events)


def test_heartbeats_in_silence(live: Serving):
    table = table_of(live)

    async def listen() -> Stream:
        stream = await Stream.open(live.port, path_of(table), table.host.token)
        begun = time.monotonic()
        await stream.until(lambda _: stream.comments >= 3)
        assert 2 * HEARTBEAT < time.monotonic() - begun < 12 * HEARTBEAT + 2
        return stream

    stream = asyncio.run(listen())
    assert versions(stream) == [1]


# Bounded streams and the end.


def test_a_bounded_stream_ends_once_it_is_caught_up(live: Serving):
    table = table_of(live).started()
    begun = time.monotonic()
    stream = asyncio.run(read(live, table, table.host, "?wait=20"))
    assert time.monotonic() - begun < 5
    assert versions(stream) == list(range(1, table.view()["version"] + 1))
    assert stream.named("end") == [{"reason": "caught-up"}]


def test_a_bounded_stream_ends_when_the_time_is_up(live: Serving):
    table = table_of(live).started()
    cursor = table.view()["cursor"]
    begun = time.monotonic()
    stream = asyncio.run(read(live, table, table.host, f"?wait=1&after={cursor}"))
    assert 0.9 < time.monotonic() - begun < 4
    assert stream.events == []
    assert stream.named("end") == [{"reason": "time"}]


def test_a_stream_with_a_limit(live: Serving):
    table = table_of(live).started()
    stream = asyncio.run(read(live, table, table.host, "?limit=3"))
    assert versions(stream) == [1, 2, 3]
    assert stream.named("end") == [{"reason": "limit"}]


def test_a_sealed_game_ends_its_streams_for_good(live: Serving, rng: random.Random):
    table = table_of(live).started().played(rng)
    stream = asyncio.run(read(live, table, table.host, ""))
    assert stream.named("end") == [{"reason": "sealed"}]
    assert stream.events[-1].json["event"]["type"] == "sealed"

    async def back(last: str | None) -> Stream:
        return await Stream.open(live.port, path_of(table), table.host.token, last=last)

    # A browser that comes back by itself is told to stay away; the one before last is not.
    assert asyncio.run(back(stream.events[-1].id)).status == 204
    assert asyncio.run(back(stream.events[-2].id)).status == 200


# Waiting for a page.


def test_a_waiting_request_is_answered_by_the_next_event(live: Serving, beside: Serving):
    """At the worker that takes the command, and at another."""
    for serving in (live, beside):
        table = table_of(live)
        cursor = table.view()["cursor"]
        waiting = Player(serving.address, None)
        joining = threading.Timer(0.5, lambda table=table: table.seated())
        joining.start()
        begun = time.monotonic()
        answer = waiting.get(path_of(table, f"?wait=20&after={cursor}"))
        assert 0.3 < time.monotonic() - begun < 5
        joining.join()
        body = answer.json()
        assert body["events"][0]["event"]["type"] == "joined"
        assert body["next"] != cursor


def test_a_waiting_request_ends_when_the_time_is_up(live: Serving):
    table = table_of(live)
    cursor = table.view()["cursor"]
    begun = time.monotonic()
    body = table.host.get(path_of(table, f"?wait=1&after={cursor}")).json()
    assert 0.9 < time.monotonic() - begun < 4
    assert (body["events"], body["next"], body["more"]) == ([], cursor, False)


def test_no_request_waits_when_there_is_something_or_can_be_nothing(
    live: Serving, rng: random.Random
):
    table = table_of(live).started()
    begun = time.monotonic()
    assert len(table.host.get(path_of(table, "?wait=20")).json()["events"]) > 2
    table.played(rng)
    cursor = table.view()["cursor"]
    answer = table.host.get(path_of(table, f"?wait=20&after={cursor}"))
    assert answer.json()["events"] == []
    assert table.host.get(path_of(table, "?wait=20&after=1.00000000")).status_code == 409
    assert time.monotonic() - begun < 15


def test_the_contract_describes_both(live: Serving):
    document = json.loads(live.request("GET", "/openapi.json")[2])
    operation = document["paths"]["/v1/games/{game}/events"]["get"]
    assert set(operation["responses"]["200"]["content"]) == {"application/json", STREAM}
    names = {one["name"] for one in operation["parameters"]}
    assert names == {"after", "limit", "wait", "perspective", "Last-Event-ID"}
