"""Players at tables, for tests: everything they know and do goes over HTTP."""

import random
import secrets
from typing import Any

import httpx
import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel.forms import fill
from domain.kernel.ruleset import Ruleset
from service.api.game_shapes import union_of

RULESET = "stir-fry-eighteen"
LEGAL = msgspec.json.Decoder(union_of("actions"))


class Player:
    """Somebody with a token, and their connection to a service. Without a token: nobody."""

    def __init__(self, address: str, name: str | None = "Ada") -> None:
        self.http = httpx.Client(base_url=address, timeout=30, verify=False)
        self.id = self.token = ""
        if name is not None:
            answer = self.post("/v1/players", {"name": name})
            assert answer.status_code == 201, answer.text
            self.id, self.token = answer.json()["id"], answer.json()["token"]

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", None) or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.http.request(method, path, headers=headers, **more)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.request("GET", path, headers=_named(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        json = {} if body is None else {"json": body}
        return self.request("POST", path, headers=_named(headers), **json)

    def delete(self, path: str, **headers: str) -> httpx.Response:
        return self.request("DELETE", path, headers=_named(headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    """Turn ``if_match`` into ``If-Match``; ``key`` is short for the idempotency key."""
    full = {"key": "idempotency_key"}
    return {full.get(name, name).replace("_", "-"): value for name, value in headers.items()}


class Table:
    """A game opened by the first of some players, in which they all sit."""

    def __init__(
        self,
        *players: Player,
        public: bool = True,
        ruleset: str = RULESET,
        clock: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.players = players
        self.host = players[0]
        self.ruleset = ruleset
        body = {"ruleset": ruleset, "seats": len(players), "public": public, "clock": clock}
        body["options"] = options
        answer = self.host.post("/v1/games", body)
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json()["game"]["id"]
        self.path = f"/v1/games/{self.id}"

    def seated(self) -> "Table":
        for player in self.players:
            path = f"{self.path}/seats"
            if not player.token:
                answer = self.host.post(path, {"type": "bundled", "bundled": "random"})
            else:
                answer = player.post(path, {"type": "join"})
            assert answer.status_code == 200, answer.text
        return self

    def started(self) -> "Table":
        self.seated()
        answer = self.host.post(f"{self.path}/start")
        assert answer.status_code == 200, answer.text
        return self

    def view(self, player: Player | None = None) -> dict[str, Any]:
        return (player or self.host).get(self.path).json()

    def asked(self) -> list[int]:
        decision = self.view()["decision"]
        return decision["asked"] if decision else []

    def actor(self) -> Player:
        """The first player who is asked now."""
        return self.players[self.asked()[0]]

    def choice(self, player: Player, rng: random.Random, tag: str | None = None) -> dict[str, Any]:
        """A random legal action of a player, of one type if it is given, as a request's body."""
        answer = player.get(f"{self.path}/actions")
        listed = LEGAL.decode(answer.content)
        forms = [form for form in listed.legal if tag in (None, form.__struct_config__.tag)]
        action = fill(rng.choice(forms), rng)
        return {"ruleset": self.ruleset, "decision": listed.decision.id, "action": action}

    def act(self, player: Player, body: dict[str, Any], **headers: str) -> httpx.Response:
        return player.post(f"{self.path}/actions", body, **headers)

    def step(self, rng: random.Random, tag: str | None = None) -> httpx.Response:
        """Let the first player who is asked act at random."""
        player = self.actor()
        answer = self.act(player, self.choice(player, rng, tag), key=secrets.token_hex(8))
        assert answer.status_code == 200, answer.text
        return answer

    def played(self, rng: random.Random) -> "Table":
        """Play it to its end."""
        while self.asked():
            self.step(rng)
        return self

    def events(self, player: Player | None = None) -> list[dict[str, Any]]:
        """All events as a player sees them, page by page."""
        found: list[dict[str, Any]] = []
        after = ""
        while True:
            page = (player or self.host).get(f"{self.path}/events?limit=500{after}").json()
            found += page["events"]
            if not page["more"]:
                return found
            after = f"&after={page['next']}"


def ruleset() -> Ruleset[Any]:
    return CATALOGUE[RULESET]
