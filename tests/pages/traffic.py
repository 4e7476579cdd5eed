"""What a browser was sent, read back from the bytes, and what of it a seat was not entitled to."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from domain.catalogue import CATALOGUE
from domain.kernel.canonical import part_salt
from tests.service.players import Player

# Parts of an event that are a seat's own business; all other hidden parts are nobody's.
OF_A_SEAT = ("cards", "laid", "lost", "desserts")
DECKS = ("deck", "guest_deck", "dessert_deck")


def documents(streams: Iterable[bytes]) -> Iterator[Any]:
    """Read every JSON document and every message of an event stream out of connections' bytes."""
    for stream in streams:
        for kind, body in _answers(bytes(stream)):
            if kind.startswith("text/event-stream"):
                lines = [line for line in body.split(b"\n") if line.startswith(b"data:")]
                yield from (json.loads(line[5:]) for line in lines if line[5:].strip())
            elif "json" in kind and body:
                yield json.loads(body)


def _answers(stream: bytes) -> Iterator[tuple[str, bytes]]:
    """Split what came over a connection into answers: their media type and body."""
    while b"\r\n\r\n" in stream:
        head, _, stream = stream.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:])
        kind = headers.get("content-type", "")
        assert "content-encoding" not in headers, "what is compressed would escape the search"
        if headers.get("transfer-encoding") == "chunked":
            body, stream = _unchunked(stream)
        else:
            length = int(headers.get("content-length", 0))
            body, stream = stream[:length], stream[length:]
            if len(body) < length:
                return  # cut off in the middle
        yield kind, body


def _unchunked(stream: bytes) -> tuple[bytes, bytes]:
    body = b""
    while b"\r\n" in stream:
        size, _, stream = stream.partition(b"\r\n")
        length = int(size, 16)
        body, stream = body + stream[:length], stream[length + 2 :]
        if length == 0:
            break
    return body, stream


def _objects(document: Any) -> Iterator[dict[str, Any]]:
    if isinstance(document, dict):
        yield document
    inner = document.values() if isinstance(document, dict) else document
    for value in inner if isinstance(document, dict | list) else ():
        yield from _objects(value)


class Truth:
    """A sealed game as it was: what lay where at each version, and what each event hid."""

    def __init__(self, reader: Player, game: str) -> None:
        self._reader = reader
        self._path = f"/v1/games/{game}"
        self._boards: dict[int, Any] = {}
        view = reader.get(self._path).json()
        assert view["status"] == "sealed"
        self.seed: str = view["seed"]
        self.cards = {card.id for card in CATALOGUE[view["ruleset"]].cards}
        self.records: list[dict[str, Any]] = []
        after = ""
        while len(self.records) < view["version"]:
            page = reader.get(f"{self._path}/events?limit=500{after}").json()
            self.records += page["events"]
            after = f"&after={page['next']}"

    def board(self, version: int) -> Any:
        if version not in self._boards:
            self._boards[version] = self._reader.get(f"{self._path}?version={version}").json()[
                "board"
            ]
        return self._boards[version]

    def open_to(self, seat: int, version: int) -> Counter[str]:
        """Count the cards that lay open to a seat: all but decks, others' hands and claims."""
        board = json.loads(json.dumps(self.board(version)))
        assert all(player["hand"] is not None for player in board["players"])
        for player in board["players"]:
            if player["seat"] != seat:
                player["hand"] = None
        for deck in DECKS:
            board.pop(deck, None)
        if (claim := board.get("claim")) and claim["seat"] != seat:
            claim["laid"] = None
        return self.count(board)

    def count(self, document: Any) -> Counter[str]:
        """Count the cards that a document names."""
        if isinstance(document, str):
            return Counter([document] if document in self.cards else [])
        inner = document.values() if isinstance(document, dict) else document
        found: Counter[str] = Counter()
        for value in inner if isinstance(document, dict | list) else ():
            found += self.count(value)
        return found

    def salts_kept_from(self, seat: int) -> Iterator[str]:
        """List the salts of all parts that a seat may not see before the seal."""
        for record in self.records:
            event = record["event"]
            for field, part in event.items():
                hidden = isinstance(part, dict) and "digest" in part and "id" not in part
                if hidden and not _entitled(event, field, seat):
                    yield part_salt(bytes.fromhex(self.seed), record["version"], field).hex()


def _entitled(event: dict[str, Any], field: str, seat: int) -> bool:
    return field in OF_A_SEAT and event.get("seat") == seat


def leaks(streams: Iterable[bytes], seat: int, truth: Truth) -> list[str]:
    """Name all that a seat was sent before the seal and may not know; and check that it read."""
    streams = [bytes(stream) for stream in streams]
    found: list[str] = []
    views = records = lists = 0
    for document in documents(streams):
        for thing in _objects(document):
            if "board" in thing and "you" in thing:
                views += 1
                found += _in_view(thing, seat, truth)
            elif "chain" in thing and "event" in thing:
                records += 1
                found += _in_record(thing, seat)
            elif "legal" in thing and "decision" in thing and thing["legal"]:
                lists += 1
                kept = set(truth.count(thing["legal"])) - set(truth.open_to(seat, thing["version"]))
                found += [f"legal at {thing['version']}: {card}" for card in kept - PROTEINS]
    raw = b"".join(streams)
    found += [f"salt {salt}" for salt in truth.salts_kept_from(seat) if salt.encode() in raw]
    found += ["the seed"] if truth.seed.encode() in raw else []
    # How long a game takes is chance's: who is asked twice only has two lists.
    assert min(views, records) > 5, "the search looked at next to nothing"
    assert lists > 1, "the search saw hardly a list of legal actions"
    return found


PROTEINS = {"shrimp", "pork", "chicken"}  # names that anybody may declare


def _in_view(view: dict[str, Any], seat: int, truth: Truth) -> list[str]:
    version, board = view["version"], view["board"]
    if view["seed"] is not None:
        return [f"seed at {version}"]
    if board is None:
        return []
    kept = truth.count(board) - truth.open_to(seat, version)
    hands = [player["seat"] for player in board["players"] if player["hand"] is not None]
    others = [f"hand of {holder} at {version}" for holder in hands if holder != seat]
    return others + [f"view at {version}: {card}" for card in kept]


def _in_record(record: dict[str, Any], seat: int) -> list[str]:
    event = record["event"]
    return [
        f"{event['type']} at {record['version']}: {field}"
        for field, part in event.items()
        if isinstance(part, dict) and ("value" in part or "salt" in part)
        if not _entitled(event, field, seat)
    ]
