"""Clients that play on whatever dies, and remember what they were promised."""

import http.client
import json
import random
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.kernel.forms import fill
from service.api.game_shapes import union_of

RULESET = "stir-fry-eighteen"
LEGAL = msgspec.json.Decoder(union_of("actions"))
PATIENCE = 60.0
PAUSE = 0.05


@dataclass(frozen=True)
class Promise:
    """A command that was answered with 200: where it stands, and what the answer was."""

    first: int
    last: int
    key: str | None
    seat: int
    body: bytes
    answer: bytes


@dataclass
class Game:
    """One game and what is known of it."""

    id: str
    commands: int = 0
    promises: list[Promise] = field(default_factory=list)


@dataclass
class Answer:
    """The answer that a request got in the end; ``lost`` counts the tries that got none."""

    status: int
    body: bytes
    replayed: bool
    lost: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Broken(AssertionError):
    """A promise was broken."""


class Driver(threading.Thread):
    """Plays games, both seats of each, one command after the other.

    Each command is sent until it is answered for good. With ``keyed`` it carries an idempotency
    key, and a refusal would be wrong. Without, one that lost an answer may be refused the second
    time: then it was carried out the first time.
    """

    def __init__(self, port: int, seed: int, *, keyed: bool) -> None:
        super().__init__(daemon=True)
        self.keyed = keyed
        self.games: list[Game] = []
        self.commands = self.lost = self.replayed = 0
        self.failure: BaseException | None = None
        self.going = threading.Event()
        self.resting = threading.Event()
        self.over = threading.Event()
        self._port = port
        self._rng = random.Random(seed)
        self._connection: http.client.HTTPConnection | None = None
        self._tokens: list[str] = []

    # Told from outside.

    def rest(self) -> None:
        """Stop between two commands, with nothing under way."""
        self.going.clear()
        while not self.resting.wait(0.1):
            if self.failure is not None:
                raise self.failure

    def go(self) -> None:
        self.resting.clear()
        self.going.set()

    def run(self) -> None:
        try:
            self._tokens = [self._player(name) for name in ("Ada", "Ben")]
            while not self.over.is_set():
                if not self.going.is_set():
                    self.resting.set()
                    self.going.wait(0.2)
                    continue
                self.step()
        except BaseException as error:
            self.failure = error
            self.resting.set()

    def step(self) -> None:
        """Send one command, in a game that is not over."""
        if not self.games:
            self._open()
        game = self.games[-1]
        path = f"/v1/games/{game.id}"
        decision = self.send("GET", path, 0).json["decision"]
        if decision is None:
            self._open()
            return
        seat = self._rng.choice(decision["asked"])
        listed = LEGAL.decode(self.send("GET", f"{path}/actions", seat).body)
        if listed.decision is None or not listed.legal:
            raise Broken(f"{game.id}: seat {seat} is asked and has nothing to do")
        action = fill(self._rng.choice(listed.legal), self._rng)
        body = msgspec.json.encode(
            {"ruleset": RULESET, "decision": listed.decision.id, "action": action}
        )
        key = secrets.token_hex(12) if self.keyed else None
        answer = self.send("POST", f"{path}/actions", seat, body, key)
        self.commands += 1
        game.commands += 1
        if answer.status == 200:
            events = [event["version"] for event in answer.json["events"]]
            promise = Promise(events[0], events[-1], key, seat, body, answer.body)
            game.promises.append(promise)
        elif self.keyed or not answer.lost:
            raise Broken(f"{game.id}: {answer.status} {answer.body!r} after {answer.lost} losses")

    def repeat(self, game: Game, promise: Promise) -> None:
        """Send a command that was answered again: the same answer, marked as a repeat."""
        assert promise.key is not None
        path = f"/v1/games/{game.id}/actions"
        again = self.send("POST", path, promise.seat, promise.body, promise.key)
        if (again.status, again.body, again.replayed) != (200, promise.answer, True):
            raise Broken(f"{game.id}: the repeat of version {promise.first} differs")

    def send(
        self, method: str, path: str, seat: int, body: bytes | None = None, key: str | None = None
    ) -> Answer:
        """Send a request until it is answered by something else than 503."""
        headers = {"Authorization": f"Bearer {self._tokens[seat]}"} if self._tokens else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        lost = 0
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                status, names, content = self._send(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                self._connection = None
            else:
                if status != 503:
                    replayed = "idempotency-replayed" in names
                    self.lost += lost
                    self.replayed += replayed
                    return Answer(status, content, replayed, lost)
                code = json.loads(content)["code"]
                if code != "store-unavailable":
                    raise Broken(f"{method} {path}: 503 {code}")
            lost += 1
            time.sleep(PAUSE)
        raise Broken(f"{method} {path}: no answer within {PATIENCE:.0f} s")

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, set[str], bytes]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=15)
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, {name.lower() for name, _ in answer.getheaders()}, answer.read()

    def _player(self, name: str) -> str:
        token: str = self.send("POST", "/v1/players", 0, b'{"name":"%s"}' % name.encode()).json[
            "token"
        ]
        return token

    def _open(self) -> None:
        """Open a game, sit down and start; what was done by a try that got no answer is done."""
        body = b'{"ruleset":"%s","seats":2,"options":{"target":3}}' % RULESET.encode()
        made = self.send("POST", "/v1/games", 0, body, secrets.token_hex(12))
        if made.status != 201:
            raise Broken(f"a game was not opened: {made.status} {made.body!r}")
        path = f"/v1/games/{made.json['game']['id']}"
        for seat in (0, 1):
            self._once("POST", f"{path}/seats", seat, b'{"type":"join"}')
        self._once("POST", f"{path}/start", 0)
        self.games.append(Game(made.json["game"]["id"]))

    def _once(self, method: str, path: str, seat: int, body: bytes | None = None) -> None:
        answer = self.send(method, path, seat, body)
        if answer.status != 200 and not (answer.lost and answer.status == 409):
            raise Broken(f"{method} {path}: {answer.status} {answer.body!r}")
