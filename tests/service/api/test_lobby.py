"""The lobby: invitations that work once, rematches, a token replaced, lists built anew."""

import asyncio
import random

from service.operator import rebuild_lists, replace_token
from service.store.store import Store
from tests.service.players import Player, Table
from tests.service.serving import Serving


def test_an_invitation_makes_a_private_game_known_once(ada: Player, ben: Player, cleo: Player):
    table = Table(ada, ben, public=False)
    assert ben.get(table.path).status_code == 404
    made = ada.post(f"{table.path}/invitations", key="for-ben")
    assert made.status_code == 200, made.text
    again = ada.post(f"{table.path}/invitations", key="for-ben")
    assert again.json() == made.json()
    invitation = made.json()
    assert invitation["link"] == f"/play/{table.id}#{invitation['secret']}"
    wrong = {"game": table.id, "secret": "0" * 32}
    nowhere = {"game": "0" * 16, "secret": "0" * 32}
    refused = [ben.post("/v1/invitations/uses", body).json() for body in (wrong, nowhere)]
    assert {each["code"] for each in refused} == {"game-not-found"}
    use = {"game": table.id, "secret": invitation["secret"]}
    assert ben.post("/v1/invitations/uses", use).status_code == 200
    assert ben.get(table.path).status_code == 200
    assert table.id in {each["id"] for each in ben.get("/v1/players/me/games").json()["games"]}
    assert ben.post(f"{table.path}/seats", {"type": "join"}).status_code == 200
    assert cleo.post("/v1/invitations/uses", use).json()["code"] == "game-not-found"
    assert ben.post("/v1/invitations/uses", use).json()["code"] == "invitation-spent"
    events = ada.get(f"{table.path}/events").text
    assert invitation["secret"] not in events


def test_only_the_host_invites(ada: Player, ben: Player):
    table = Table(ada, ben).seated()
    assert ben.post(f"{table.path}/invitations").json()["code"] == "forbidden"


def test_a_rematch_is_a_new_game_that_everybody_finds(ada: Player, ben: Player, cleo: Player):
    table = Table(ada, ben, max_turns=2).started()
    assert ben.post(f"{table.path}/rematch").json()["code"] == "game-running"
    table.played(random.Random(3))
    made = ben.post(f"{table.path}/rematch", key="again")
    assert made.status_code == 201, made.text
    game = made.json()["game"]
    assert (game["rematch_of"], game["host"]) == (table.id, ben.id)
    assert game["options"]["max_turns"] == 2
    assert ben.post(f"{table.path}/rematch", key="again").json() == made.json()
    assert ada.get(f"/v1/games/{game['id']}").status_code == 200
    assert game["id"] in {each["id"] for each in ada.get("/v1/players/me/games").json()["games"]}
    assert cleo.post(f"{table.path}/rematch").json()["code"] == "forbidden"


def test_lists_tell_how_many_there_are_and_whose_turn_it_is(ada: Player, ben: Player):
    table = Table(ada, ben).started()
    running = ada.get("/v1/games?status=running&limit=1").json()
    assert running["count"] >= 1
    mine = ada.get("/v1/players/me/games?limit=1").json()
    assert (mine["games"][0]["id"], mine["count"]) == (table.id, None)
    assert mine["games"][0]["decision"]["asked"] == ada.get(table.path).json()["decision"]["asked"]


def test_a_lost_token_is_replaced_and_that_is_on_record(serving: Serving, address: str):
    eve = Player(address, "Eve")
    url = f"unix://{serving.store_socket()}"
    token = asyncio.run(replace_token(url, eve.id))
    assert token
    assert token != eve.token
    fresh = Player(address, None)
    fresh.token = token
    assert asyncio.run(replace_token(url, "0" * 16)) is None

    async def noted() -> bytes:
        store = await Store.open(url)
        try:
            return (await store.operations())[-1]
        finally:
            await store.close()

    entry = asyncio.run(noted())
    assert eve.id.encode() in entry
    assert token.encode() not in entry


def test_lists_are_built_anew_from_the_logs(serving: Serving, ada: Player, ben: Player):
    table = Table(ada, ben).started()
    url = f"unix://{serving.store_socket()}"

    async def lose_and_rebuild() -> int:
        store = await Store.open(url)
        try:
            await store.relist(table.id, listing=None, created=1, players=(), due=None)
        finally:
            await store.close()
        return await rebuild_lists(url)

    assert asyncio.run(lose_and_rebuild()) >= 1
    running = ada.get("/v1/games?status=running&limit=100").json()["games"]
    assert table.id in {each["id"] for each in running}
