"""A client is generated from the document, and plays with the service."""

import importlib
import random
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import msgspec
import pytest

from domain.catalogue import CATALOGUE
from domain.kernel.forms import fill
from service.api.game_shapes import union
from tests.contract.document import FILE, operations
from tests.service.serving import Serving

NAME = "potluck_generated_client"
# The generator has no word for newline-delimited JSON; the operation is there, untyped.
UNTYPED = "application/x-ndjson"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    folder = tmp_path_factory.mktemp("client")
    configuration = folder / "configuration.yaml"
    configuration.write_text("post_hooks: []\n")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate"),
            *("--path", FILE, "--output-path", folder / NAME, "--meta", "none"),
            *("--config", configuration),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    warnings = [line for line in done.stdout.splitlines() if line.startswith("WARNING")]
    assert all("/recording" in line for line in warnings), done.stdout
    assert ("Cannot parse" in done.stdout) is (UNTYPED in done.stdout)
    sys.path.insert(0, str(folder))
    yield importlib.import_module(NAME)
    sys.path.remove(str(folder))


def function(tag: str, operation: str) -> Any:
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in operation)
    return importlib.import_module(f"{NAME}.api.{tag}.{snake}")


def test_every_operation_is_generated(generated: ModuleType):
    for *_, operation in operations():
        module = function(operation["tags"][0], operation["operationId"])
        assert callable(module.sync_detailed)


def test_a_generated_client_plays(generated: ModuleType, serving: Serving):
    models: Any = importlib.import_module(f"{NAME}.models")
    people = []
    for name in ("Ada", "Ben"):
        nobody = generated.Client(base_url=serving.address)
        person = function("players", "createPlayer").sync(
            client=nobody, body=models.NewPlayer(name=name)
        )
        people.append(generated.AuthenticatedClient(base_url=serving.address, token=person.token))
    host = people[0]
    table = function("games", "createGame").sync(
        client=host, body=models.StirFryEighteenNewGame(ruleset="stir-fry-eighteen", seats=2)
    )
    assert isinstance(table, models.StirFryEighteenCommandResult)
    game = table.game.id
    for person in people:
        function("seats", "takeSeat").sync(game, client=person, body=models.Join(type_="join"))
    started = function("seats", "startGame").sync(game, client=host)
    assert started.game.status == models.GameStatus.RUNNING
    ruleset = CATALOGUE["stir-fry-eighteen"]
    rng = random.Random("client")
    for _ in range(10):
        seat = function("games", "getGame").sync(game, client=host).decision.asked[0]
        listed = function("actions", "listActions").sync(game, client=people[seat])
        form = msgspec.convert(rng.choice(listed.legal).to_dict(), union(ruleset.forms))
        kind = type(form).__name__.removesuffix("Form")
        action = getattr(models, f"StirFryEighteen{kind}").from_dict(fill(form, rng))
        body = models.StirFryEighteenAct(
            ruleset="stir-fry-eighteen", decision=listed.decision.id, action=action
        )
        answer = function("actions", "act").sync_detailed(game, client=people[seat], body=body)
        assert answer.status_code == 200, answer.content
