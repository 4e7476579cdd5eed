"""Examples of the contract, written down from games that are really played.

    python -m tests.contract.examples          write service/api/examples.json anew

The real application plays on a real store; ids, tokens, shuffles and times come from a seed, so
that the same build always writes the same file. `make openapi` does this before it writes the
document. For each operation the first request and answer under a name are kept; of an answer that
all games give alike only the first game's.
"""

import asyncio
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import httpx
import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel.forms import fill
from domain.kernel.ruleset import Ruleset
from service.api.app import OPERATIONS
from service.api.game_shapes import union
from service.api.inbox import MAX_BODY
from service.store.embedded import Embedded
from tests.contract.routes import route_of
from tests.service import inprocess

FILE = Path(__file__).parents[2] / "service" / "api" / "examples.json"
SEED = 18
LONGEST = 12_000  # bytes: a longer answer is shown of the first game only


class Book:
    """What was asked and answered, by operation and name; and problems by code."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.operations: dict[str, dict[str, dict[str, Any]]] = {each.id: {} for each in OPERATIONS}
        self.problems: dict[str, Any] = {}

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str = "",
        name: str | None = "played",
        **headers: str,
    ) -> httpx.Response:
        """Ask, and keep request and answer under a name."""
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        json_body = {} if body is None else {"json": body}
        if isinstance(body, bytes):
            json_body = {"content": body}
        answer = await self.http.request(method, path, headers=sent, **json_body)
        if answer.is_error:
            problem = answer.json()
            self.problems.setdefault(problem["code"], problem)
        elif name is not None and answer.status_code in (200, 201):
            self._keep(route_of(method, answer.url.path), name, body, answer)
        return answer

    async def done(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """Ask for something that must succeed."""
        answer = await self.ask(method, path, body, **more)
        assert answer.is_success, answer.text
        return answer.text if _is_text(answer) else answer.json()

    def _keep(self, operation: str, name: str, body: Any, answer: httpx.Response) -> None:
        kept = self.operations[operation]
        if body is not None:
            kept.setdefault("requests", {}).setdefault(name, body)
        responses = kept.setdefault("responses", {})
        if not responses or len(answer.content) <= LONGEST:
            responses.setdefault(name, answer.text if _is_text(answer) else answer.json())


def _is_text(answer: httpx.Response) -> bool:
    return answer.headers["content-type"] != "application/json"


async def play(book: Book) -> None:
    """Play what the examples show."""
    for name, path in (("alive", "/healthz"), ("ready", "/readyz")):
        await book.done("GET", path, name=name)
    await book.done("GET", "/v1/rulesets")
    people = [
        await book.done("POST", "/v1/players", {"name": name})
        for name in ("Ada", "Ben", "Cleo", "Dora")
    ]
    await book.done("GET", "/v1/players/me", token=people[0]["token"])
    for ruleset in CATALOGUE.values():
        await _game(book, ruleset, people)
    first = next(iter(CATALOGUE.values()))
    await _around_the_table(book, first, people)
    await _judged(book, first, people)
    await _lobby(book, first, people)
    await _words(book, people)
    metrics = await book.done("GET", "/metrics", name=None)
    names = [line for line in metrics.splitlines(keepends=True) if line.startswith("# ")]
    book.operations["getMetrics"]["responses"] = {"names": "".join(names)}
    for path in ("/v1/games?limit=2", "/v1/players/me/games?limit=2"):
        await book.done("GET", path, token=people[0]["token"])
    await _problems(book, first, people)


async def _game(book: Book, ruleset: Ruleset[Any], people: list[Any]) -> None:
    """Two people begin a game."""
    name = ruleset.id
    host, guest = people[0]["token"], people[1]["token"]
    await book.done("GET", f"/v1/rulesets/{ruleset.id}", name=name)
    await book.done("GET", f"/v1/rulesets/{ruleset.id}/cards", name=name)
    body = {"ruleset": ruleset.id, "seats": 2}
    opened = await book.done("POST", "/v1/games", body, token=host, name=name)
    path = f"/v1/games/{opened['game']['id']}"
    await book.done("GET", f"{path}/recording", name="open-table")
    join = {"type": "join", "nonce": "00112233445566778899aabbccddeeff"}
    await book.done("POST", f"{path}/seats", join, token=host, name="join")
    await book.done("POST", f"{path}/seats", {"type": "join"}, token=guest, name=None)
    await book.done("POST", f"{path}/start", token=host, name=name)
    rng = random.Random(SEED)
    for _ in range(3):
        who, act = await _choice(book, path, rng, host, guest, name)
        await book.done("POST", f"{path}/actions", act, token=who, name=name)
    await book.done("GET", path, token=host, name=name)
    await book.done("GET", f"{path}/events?limit=2", name=name)
    await book.done("GET", f"{path}/claims", token=guest, name=name)
    await book.done("GET", f"{path}/texts", name="no-words")
    await book.done("GET", f"{path}/players", name="names")
    await book.done("POST", f"{path}/pause", {"pause": True}, token=host, name="pause")


async def _choice(
    book: Book, path: str, rng: random.Random, *tokens: str, wordy: bool = False
) -> tuple[str, Any]:
    """Who is asked, and something that they may do."""
    for token in tokens:
        listed = await book.done("GET", f"{path}/actions", token=token, name=None)
        if listed["legal"]:
            ruleset = CATALOGUE[listed["ruleset"]]
            forms = [_form(ruleset, each) for each in listed["legal"]]
            worded = [form for form in forms if form.__struct_config__.tag in ruleset.free_text]
            form = rng.choice(worded if wordy and worded else forms)
            await book.done("GET", f"{path}/actions", token=token, name=ruleset.id)
            act = {"ruleset": ruleset.id, "decision": listed["decision"]["id"]}
            return token, {**act, "action": fill(form, rng)}
    raise AssertionError("nobody is asked")


def _form(ruleset: Ruleset[Any], listed: Any) -> Any:
    return msgspec.convert(listed, union(ruleset.forms))


async def _table(book: Book, ruleset: Ruleset[Any], *tokens: str, **options: Any) -> str:
    """A table at which some people sit, not started."""
    body = {"ruleset": ruleset.id, "seats": 2, "options": options}
    game = await book.done("POST", "/v1/games", body, token=tokens[0], name=None)
    path = f"/v1/games/{game['game']['id']}"
    for token in tokens:
        await book.done("POST", f"{path}/seats", {"type": "join"}, token=token, name=None)
    return path


async def _around_the_table(book: Book, ruleset: Ruleset[Any], people: list[Any]) -> None:
    """Leave a table, and play with a bundled player."""
    host = people[0]["token"]
    path = await _table(book, ruleset, host)
    await book.done("DELETE", f"{path}/seats/0", token=host, name="before-the-start")
    bundled = {"type": "bundled", "bundled": "random"}
    await book.done("POST", f"{path}/seats", bundled, token=host, name="bundled")


async def _judged(book: Book, ruleset: Ruleset[Any], people: list[Any]) -> None:
    """A judge is named, looks, previews and rules; a seat moves and another agrees."""
    host, guest, judge = (person["token"] for person in people[:3])
    path = await _table(book, ruleset, host, guest)
    await book.done("POST", f"{path}/judges", {"judge": people[2]["id"]}, token=host, name="judge")
    await book.done("POST", f"{path}/start", token=host, name=None)
    await book.done("GET", path, token=judge, name=None)
    await book.done("GET", f"{path}/looks", name="looks")
    ruling = {
        "ruling": {"type": "adjust", "seat": 1, "points": 2},
        "reason": "A card was counted twice.",
    }
    await book.done("POST", f"{path}/rulings/preview", ruling, token=judge, name="adjust")
    await book.done("POST", f"{path}/rulings", ruling, token=judge, name="adjust")
    await book.done("GET", f"{path}/rulings", name="adjust")
    other = await _table(book, ruleset, host, guest)
    await book.done("POST", f"{other}/start", token=host, name=None)
    motion = {
        "motion": {"type": "call_judge", "judge": people[2]["id"]},
        "reason": "We cannot agree on what was declared.",
    }
    made = await book.done("POST", f"{other}/motions", motion, token=host, name="call-a-judge")
    number = made["game"]["motions"][0]["id"]
    votes = f"{other}/motions/{number}/votes"
    await book.done("POST", votes, {"agree": True}, token=guest, name="agree")


async def _lobby(book: Book, ruleset: Ruleset[Any], people: list[Any]) -> None:
    """Somebody is invited to a private table; after a game, another one is opened."""
    host, guest, third = (person["token"] for person in people[:3])
    body = {"ruleset": ruleset.id, "seats": 2, "public": False}
    private = await book.done("POST", "/v1/games", body, token=host, name="private")
    path = f"/v1/games/{private['game']['id']}"
    made = await book.done("POST", f"{path}/invitations", token=host, name="invitation")
    use = {"game": made["game"], "secret": made["secret"]}
    await book.done("POST", "/v1/invitations/uses", use, token=guest, name="invitation")
    for token in (third, guest):
        await book.ask("POST", "/v1/invitations/uses", use, token=token)
    await book.ask("POST", f"{path}/rematch", token=host)
    for token in (host, guest):
        await book.done("POST", f"{path}/seats", {"type": "join"}, token=token, name=None)
    await book.done("POST", f"{path}/start", token=host, name=None)
    await book.ask("POST", f"{path}/rematch", token=host)
    await book.done("DELETE", f"{path}/seats/1", token=guest, name=None)
    await book.done("POST", f"{path}/rematch", token=host, name="rematch")


async def _words(book: Book, people: list[Any]) -> None:
    """Words that belong to a game: of an invention where a game has those, else of a motion."""
    host, guest = people[0]["token"], people[1]["token"]
    ruleset = next(iter(CATALOGUE.values()))
    path = await _table(book, ruleset, host, guest)
    await book.done("POST", f"{path}/start", token=host, name=None)
    motion = {"motion": {"type": "call_judge", "judge": people[2]["id"]}, "reason": "Who is right?"}
    await book.done("POST", f"{path}/motions", motion, token=host, name=None)
    texts = await book.done("GET", f"{path}/texts", name="words")
    await book.done("DELETE", f"{path}/texts/{texts['texts'][0]['id']}", token=host, name="erased")


async def _problems(book: Book, ruleset: Ruleset[Any], people: list[Any]) -> None:
    """Be refused in every way that a well-kept service can be made to refuse."""
    host, guest, stranger = (person["token"] for person in people[:3])
    new = {"ruleset": ruleset.id, "seats": 2}
    join = {"type": "join"}
    await book.ask("GET", "/v1/nothing")
    await book.ask("PATCH", "/v1/games")
    await book.ask("GET", "/v1/players/me")
    await book.ask("GET", "/v1/games/0000000000000000")
    await book.ask("GET", "/v1/rulesets/chess")
    await book.ask("POST", "/v1/games", b"seats=2", token=host, content_type="text/plain")
    for body in (b" " * (MAX_BODY + 1), b"{"):
        await book.ask("POST", "/v1/games", body, token=host, content_type="application/json")
    await book.ask("POST", "/v1/games", {**new, "seats": "two"}, token=host)
    clash = {**new, "options": {"first_player": 4}}
    await book.ask("POST", "/v1/games", clash, token=host)
    table = await _table(book, ruleset, host, first_player=0)
    await book.ask("GET", f"{table}?version=9")
    await book.ask("GET", f"{table}/events?after=1.00000000")
    for body in (join, {"type": "bundled", "bundled": "nobody"}, {"type": "join", "seat": 0}):
        await book.ask("POST", f"{table}/seats", body, token=host, idempotency_key="once")
    await book.ask("POST", f"{table}/seats", {"type": "join", "seat": 0}, token=guest)
    await book.ask("DELETE", f"{table}/seats/1", token=host)
    await book.ask("POST", f"{table}/start", token=guest)
    await book.ask("POST", f"{table}/start", token=host)
    await book.ask("POST", f"{table}/pause", {"pause": True}, token=host)
    act = {"ruleset": ruleset.id, "decision": 1, "action": {"type": "end_turn"}}
    key = {"idempotency_key": "twice"}
    await book.ask("POST", f"{table}/seats", join, token=guest, name=None, **key)
    await book.ask("POST", f"{table}/seats", {**join, "seat": 1}, token=guest, **key)
    await book.ask("POST", f"{table}/judges", {"judge": people[1]["id"]}, token=host)
    await book.done("POST", f"{table}/start", token=host, name=None)
    await book.ask("POST", f"{table}/seats", join, token=stranger)
    await book.ask("POST", f"{table}/actions", act, token=host)
    other = next((each for each in CATALOGUE.values() if each is not ruleset), ruleset)
    for action in other.actions[:20]:
        if not action.__struct_fields__:
            wrong = {"ruleset": other.id, "action": {"type": action.__struct_config__.tag}}
            await book.ask("POST", f"{table}/actions", {**act, **wrong}, token=host)
    current = await book.done("GET", f"{table}/actions", token=host, name=None)
    act["decision"] = current["decision"]["id"]
    await book.ask("POST", f"{table}/actions", act, token=host, if_match='"1.00000000.-"')
    await book.ask("POST", f"{table}/actions", {**act, "action": {"type": "pass"}}, token=host)
    far = {"motion": {"type": "undo", "to": 999}}
    call = {"motion": {"type": "call_judge", "judge": people[2]["id"]}}
    await book.ask("POST", f"{table}/motions", far, token=host)
    made = await book.done("POST", f"{table}/motions", call, token=host, name=None)
    await book.ask("POST", f"{table}/motions", call, token=host)
    votes = f"{table}/motions/{made['game']['motions'][0]['id']}/votes"
    await book.ask("POST", votes, {"agree": True}, token=host)
    for _ in range(2):
        await book.ask("POST", votes, {"agree": True}, token=guest, name=None)
    version = (await book.done("GET", table, name=None))["version"]
    await book.done("POST", f"{table}/actions", act, token=host, name=None)
    rewind = {"ruling": {"type": "rewind", "to": version}, "reason": "It was not meant."}
    await book.done("POST", f"{table}/rulings", rewind, token=stranger, name=None)
    await book.ask("POST", f"{table}/actions", act, token=host)
    for token in (host, guest):
        await book.ask("POST", f"{table}/pause", {"pause": True}, token=token, name=None)
    act["decision"] = (await book.done("GET", table, name=None))["decision"]["id"]
    await book.ask("POST", f"{table}/actions", act, token=host)
    over = await _table(book, ruleset, host, guest)
    await book.done("POST", f"{over}/start", token=host, name=None)
    await book.done("DELETE", f"{over}/seats/1", token=guest, name=None)
    await book.ask("POST", f"{over}/actions", act, token=host)


async def write(folder: Path) -> bytes:
    """Play on a store in an empty folder, and give the file."""
    embedded = Embedded(folder)
    embedded.start()
    try:
        async with inprocess.world(embedded.url, SEED) as world:
            book = Book(world.http)
            await play(book)
    finally:
        embedded.stop()
    file = {"operations": book.operations, "problems": dict(sorted(book.problems.items()))}
    return json.dumps(file, indent=1, ensure_ascii=False).encode() + b"\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        FILE.write_bytes(asyncio.run(write(Path(place))))
