"""Tables in every state, for requests that should find something there.

The hooks keep a world of their own beside what schemathesis makes: tables with free seats, full
ones, running ones and sealed ones, of every game in the catalogue, public and private.
"""

import random
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import httpx
import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel.forms import fill
from domain.kernel.ruleset import Ruleset
from service.api.game_shapes import union_of

_LEGAL = msgspec.json.Decoder(union_of("actions"))
RUNNING_AT_ONCE = 4


class Client:
    """A player with a token, or nobody."""

    def __init__(self, address: str, token: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=address, headers=headers, timeout=30)
        self.token = token
        self.id: str = self.done("GET", "/v1/players/me")["id"] if token else ""

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.http.request(method, path, **({} if body is None else {"json": body}))

    def done(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.is_success, answer.text
        return answer.json()


class World:
    """Tables of a host, two guests and a judge, whose tokens these are."""

    def __init__(self, address: str, tokens: list[str], rng: random.Random) -> None:
        self.rng = rng
        *self.players, self.judge = (Client(address, token) for token in tokens)
        self.host = self.players[0]
        self.running: deque[str] = deque()
        self.ruleset: dict[str, str] = {}
        self.sealed: list[str] = []
        self.known: set[str] = set()
        self._rulesets = deque(CATALOGUE.values())
        self._patient = self._worded = self.judged = self._lost = self._played = ""

    # Tables.

    def opened(self, seats: int = 3, *, public: bool = True, ruleset: Ruleset[Any] | None = None):
        """Open a table of the next game of the catalogue; the host is the first player."""
        if ruleset is None:
            ruleset = self._rulesets[0]
            self._rulesets.rotate(-1)
        least, most = ruleset.seats
        body = {
            "ruleset": ruleset.id,
            "seats": max(least, min(most, seats)),
            "public": public,
        }
        game = self.host.done("POST", "/v1/games", body)["game"]
        self.ruleset[game["id"]] = ruleset.id
        self.known.add(game["id"])
        return game

    def partly_seated(self) -> str:
        """A table where guests sit and the host does not; a seat or two are free."""
        game = self.opened(4)
        self.players[1].done("POST", f"/v1/games/{game['id']}/seats", {"type": "join"})
        return game["id"]

    def seated(self) -> str:
        """A table where the host sits on seat 0, not started."""
        game = self.opened(3)
        body = {"type": "join", "seat": 0}
        self.host.done("POST", f"/v1/games/{game['id']}/seats", body)
        return game["id"]

    def full(self, *, public: bool = True) -> str:
        """A table that can be started."""
        game = self.opened(self.rng.choice([2, 3]), public=public)
        path = f"/v1/games/{game['id']}/seats"
        for player, _ in zip(self.players, game["seats"], strict=False):
            if public or player is self.host:
                player.done("POST", path, {"type": "join"})
            else:
                self.host.done("POST", path, {"type": "bundled", "bundled": "random"})
        return game["id"]

    def started(self, *, public: bool = True) -> str:
        """A running game, the host on seat 0."""
        game = self.full(public=public)
        self.host.done("POST", f"/v1/games/{game}/start")
        return game

    def a_running_one(self) -> str:
        """One of a few running games, in turn; those that are known to have ended are replaced."""
        while len(self.running) < RUNNING_AT_ONCE:
            self.running.append(self.started(public=len(self.running) % 4 != 3))
        self.running.rotate(-1)
        return self.running[0]

    def a_sealed_one(self) -> str:
        """A game that was played to its end."""
        if not self.sealed:
            game = self.started()
            while (turn := self.turn(game)) is not None:
                player, body = turn
                player.ask("POST", f"/v1/games/{game}/actions", body)
            self.sealed.append(game)
        return self.rng.choice(self.sealed)

    def a_patient_one(self) -> str:
        """A running game whose host plays with bundled players, so that one vote pauses it."""
        if not self._patient:
            self._patient = self.started(public=False)
        return self._patient

    def a_worded_one(self) -> str:
        """A game in which somebody wrote something, if any game of the catalogue has that."""
        worded = [each for each in CATALOGUE.values() if each.free_text]
        if not worded:
            return self.any_game()
        while not self._worded or self.text(self._worded) is None:
            game = self.opened(2, ruleset=self.rng.choice(worded))
            path = f"/v1/games/{game['id']}"
            for player in self.players[:2]:
                player.done("POST", f"{path}/seats", {"type": "join"})
            self.host.done("POST", f"{path}/start")
            self._worded = game["id"]
            while self.text(self._worded) is None and (turn := self.turn(self._worded)):
                player, body = turn
                player.ask("POST", f"{path}/actions", body)
        return self._worded

    def a_judged_one(self) -> str:
        """A running game with a judge, named before its start."""
        if not self.judged or self.view(self.judged)["decision"] is None:
            self.judged = self._with_a_judge()
        return self.judged

    def _with_a_judge(self) -> str:
        game = self.full()
        self.host.done("POST", f"/v1/games/{game}/judges", {"judge": self.judge.id})
        self.host.done("POST", f"/v1/games/{game}/start")
        return game

    def any_judged_one(self) -> str:
        """A game of the judge: most often a running one, sometimes one that has ended unsealed."""
        if self.rng.random() < 0.8:
            return self.a_judged_one()
        if not self._lost:
            self._lost = self._with_a_judge()
            for number, seat in enumerate(self.view(self._lost)["seats"]):
                leaver = next((each for each in self.players if each.id == seat["player"]), None)
                if number and leaver is not None:
                    leaver.done("DELETE", f"/v1/games/{self._lost}/seats/{number}")
        return self._lost

    def a_judged_motion(self) -> str:
        """A running game with a judge, in which a guest has moved that a seat be handed over."""
        game = self._with_a_judge()
        motion = {"type": "hand_over", "seat": 0, "bundled": "random"}
        self.players[1].done("POST", f"/v1/games/{game}/motions", {"motion": motion})
        return game

    def one_that_the_judge_plays(self) -> str:
        """A running game in which the judge of the others sits, and nobody judges."""
        game = self.opened(2)["id"]
        for player in (self.host, self.judge):
            player.done("POST", f"/v1/games/{game}/seats", {"type": "join"})
        self.host.done("POST", f"/v1/games/{game}/start")
        return game

    def a_moved_one(self) -> str:
        """A running game in which a guest has made a motion."""
        game = self.started()
        motion = {"type": "call_judge", "judge": self.judge.id}
        self.players[1].done("POST", f"/v1/games/{game}/motions", {"motion": motion})
        return game

    def invitation(self) -> dict[str, str]:
        """An invitation of a guest to a private table of theirs, not yet used."""
        body = {"ruleset": next(iter(CATALOGUE)), "seats": 2, "public": False}
        guest = self.players[1]
        game = guest.done("POST", "/v1/games", body)["game"]["id"]
        made = guest.done("POST", f"/v1/games/{game}/invitations")
        return {"game": game, "secret": made["secret"]}

    def text(self, game: str) -> str | None:
        """The id of a free text of a game that was not erased; None if there is none."""
        texts = self.host.done("GET", f"/v1/games/{game}/texts")["texts"]
        return texts[0]["id"] if texts else None

    def any_game(self) -> str:
        """Any game that there is."""
        makers: list[Callable[[], str]] = [
            self.a_running_one,
            self.a_running_one,
            self.a_sealed_one,
            self.seated,
        ]
        return self.rng.choice(makers)()

    # What there is to do.

    def view(self, game: str) -> Any:
        return self.host.done("GET", f"/v1/games/{game}")

    def turn(self, game: str) -> tuple[Client, dict[str, Any]] | None:
        """Who is asked in a game, and a legal action of theirs; None if nobody is."""
        decision = self.view(game)["decision"]
        if decision is None:
            if game in self.running:
                self.running.remove(game)
                self.sealed.append(game)
            return None
        for player in self.rng.sample(self.players, len(self.players)):
            if (body := self.choice(player, game)) is not None:
                return player, body
        return None  # a bundled player thinks

    def choice(self, player: Client, game: str) -> dict[str, Any] | None:
        """A legal action of a player as the body of a request; None if there is none."""
        answer = player.ask("GET", f"/v1/games/{game}/actions")
        if not answer.is_success:
            return None
        listed = _LEGAL.decode(answer.content)
        if not listed.legal or listed.decision is None:
            return None
        worded = CATALOGUE[listed.__struct_config__.tag].free_text
        wordy = [form for form in listed.legal if form.__struct_config__.tag in worded]
        form = self.rng.choice(wordy or listed.legal)
        return {
            "ruleset": listed.__struct_config__.tag,
            "decision": listed.decision.id,
            "action": fill(form, self.rng),
        }

    def patient_choice(self, player: Client, game: str) -> dict[str, Any] | None:
        """The same, once bundled players have thought."""
        for _ in range(50):
            decision = player.ask("GET", f"/v1/games/{game}").json().get("decision")
            body = self.choice(player, game)
            if body is not None or decision is None:
                return body
            time.sleep(0.01)
        return None

    def tag(self, player: Client, game: str) -> str | None:
        """The entity tag of a player's view; None of a game that the player does not know."""
        return player.ask("GET", f"/v1/games/{game}").headers.get("etag")

    def cursor(self, game: str) -> str:
        """A place in a game's log."""
        events = self.host.done("GET", f"/v1/games/{game}/events?limit=500")["events"]
        record = self.rng.choice(events)
        return f"{record['version']}.{record['chain'][:8]}"
