import random
from dataclasses import dataclass

import pytest

from tests.service.players import Player, Table
from tests.service.serving import Serving

HAND_OVER = {"motion": {"type": "hand_over", "seat": 0, "bundled": "random"}}


@pytest.fixture(scope="session")
def address(serving: Serving) -> str:
    return serving.address


@pytest.fixture(scope="session")
def nobody(address: str) -> Player:
    return Player(address, None)


@pytest.fixture(scope="session")
def ada(address: str) -> Player:
    return Player(address, "Ada")


@pytest.fixture(scope="session")
def ben(address: str) -> Player:
    return Player(address, "Ben")


@pytest.fixture(scope="session")
def cleo(address: str) -> Player:
    """Somebody who sits nowhere."""
    return Player(address, "Cleo")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


@pytest.fixture(scope="session")
def running(ada: Player, ben: Player) -> Table:
    """A running game that tests look at and leave as it is."""
    return Table(ada, ben).started()


@pytest.fixture(scope="session")
def private(ada: Player, ben: Player) -> Table:
    """A private game that only its host knows."""
    return Table(ada, ben, public=False)


@dataclass
class Past:
    """A game that is over, with a key that was used in it for each operation.

    ``host`` sat to the end. ``leaver`` sat, acted with a key and left the running game.
    """

    table: Table
    host: Player
    leaver: Player
    stranger: Player
    key: str
    acted: dict[str, object]
    motion: int


@pytest.fixture(scope="session")
def past(address: str) -> Past:
    """Each operation was carried out once with the key ``again``: by the host, or the leaver."""
    rng, key = random.Random("past"), "again"
    host, leaver, third, stranger = (Player(address, name) for name in ("Ann", "Bob", "Cy", "Dee"))
    table = Table(host, leaver, third, first_player=1, max_turns=2)
    for player, seat in ((host, 0), (leaver, 1), (third, 2)):
        taken = player.post(f"{table.path}/seats", {"type": "join", "seat": seat}, key=key)
        assert taken.status_code == 200, taken.text
    assert host.delete(f"{table.path}/seats/0", key=key).status_code == 200
    assert host.post(f"{table.path}/seats", {"type": "join", "seat": 0}).status_code == 200
    assert host.post(f"{table.path}/start", key=key).status_code == 200
    wish = leaver.post(f"{table.path}/pause", {"pause": True}, key=key)
    assert wish.status_code == 200, wish.text
    made = leaver.post(f"{table.path}/motions", HAND_OVER, key=key)
    assert made.status_code == 200, made.text
    motion = made.json()["events"][0]["version"]
    declined = host.post(f"{table.path}/motions/{motion}/votes", {"agree": False}, key=key)
    assert declined.status_code == 200, declined.text
    assert host.post(f"{table.path}/invitations", key=key).status_code == 200
    acted = {"ruleset": "stir-fry-eighteen", "decision": 0, "action": {"type": "end_turn"}}
    acted["decision"] = table.view()["decision"]["id"]
    assert table.act(leaver, acted, key=key).status_code == 200
    if table.asked() == [1]:
        table.step(rng)  # down to three cards
    assert leaver.delete(f"{table.path}/seats/1", key=key).status_code == 200
    table.played(rng)
    return Past(table, host, leaver, stranger, key, acted, motion)
