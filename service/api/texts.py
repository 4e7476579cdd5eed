"""Free text of a game, such as the name of an invention: kept beside the log, and erasable."""

from typing import Any

from domain.kernel.event import Ruled
from service.api.games import PRIVATE
from service.api.operation import Call, Operation, Reply
from service.api.problems import ApiError
from service.api.shapes import Erased, FreeText, FreeTextList


async def list_texts(call: Call) -> Reply:
    """Give the words that the game's events refer to."""
    game = call.path["game"]
    found = await call.service.words.of(game)
    texts = tuple(FreeText(text, kept.words, kept.salt) for text, kept in sorted(found.items()))
    return Reply(FreeTextList(game, texts), headers=PRIVATE)


async def erase_text(call: Call) -> Reply:
    """Erase words, as the host or as who wrote them."""
    game, text = call.path["game"], call.path["text"]
    author = await _author(call, text)
    if call.caller.id not in (author, call.held.state.table.host):
        raise ApiError("forbidden", "Only the host and who wrote the words may erase them.")
    await call.service.words.erase(game, text)
    return Reply(Erased(game, text), headers=PRIVATE)


async def _locate(call: Call) -> None:
    text = call.path["text"]
    if await _author(call, text) is None:
        raise ApiError("not-found", f"No event of this game refers to a text {text[:40]!r}.")


async def _author(call: Call, text: str) -> str | None:
    """Name who wrote a text: the judge who ruled, or who held the seat of the event with it."""
    tenures = call.held.state.table.tenures
    for record in await call.service.tables.records(call.path["game"], 0):
        event: Any = record.event
        reference = getattr(event, "text", None)
        if reference is None or reference.id != text:
            continue
        if isinstance(event, Ruled):
            return record.actor.removeprefix("judge:")
        holders = (
            tenure.player
            for tenure in tenures
            if tenure.seat == event.seat
            and tenure.since <= record.version
            and (tenure.until is None or record.version < tenure.until)
        )
        return next(holders, "")
    return None


OPERATIONS = (
    Operation(
        id="listTexts",
        method="GET",
        path="/v1/games/{game:str}/texts",
        tag="events",
        summary="List free texts",
        description="Gives the words that players wrote in this game, such as the names of"
        " inventions. Events hold an id and a salted digest in their place, so words can be"
        " erased and the game still verifies.",
        handler=list_texts,
        access="optional",
        response=FreeTextList,
        response_description="The words that have not been erased.",
    ),
    Operation(
        id="eraseText",
        method="DELETE",
        path="/v1/games/{game:str}/texts/{text:str}",
        tag="events",
        summary="Erase a free text",
        description="Erases words and their salt for good, at any time. The host may, and who"
        " wrote them. Erasing what is erased already succeeds.",
        handler=erase_text,
        locate=_locate,
        access="player",
        response=Erased,
        response_description="The words are erased.",
        problems=("not-found", "forbidden"),
    ),
)
