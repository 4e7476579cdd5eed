"""Health: whether the process is alive, and ready to serve."""

from msgspec import Struct

from service.api.operation import Call, Operation, Reply


class Health(Struct, frozen=True):
    """That the service answers."""

    status: str


async def healthz(call: Call) -> Reply:
    """Say that the process answers."""
    return Reply(Health("ok"), headers={"Cache-Control": "no-store"})


async def readyz(call: Call) -> Reply:
    """Say that the store answers and is heard too; 503 while not."""
    await call.service.store.ping()
    call.service.hub.check()
    return Reply(Health("ready"), headers={"Cache-Control": "no-store"})


OPERATIONS = (
    Operation(
        id="getHealth",
        method="GET",
        path="/healthz",
        tag="running",
        summary="Is it alive?",
        description="Answers as long as the process does. It says nothing of the store.",
        handler=healthz,
        response=Health,
        stored=False,
        response_description="The process answers.",
    ),
    Operation(
        id="getReadiness",
        method="GET",
        path="/readyz",
        tag="running",
        summary="Is it ready?",
        description="Answers once the store does and the live reader hears it; 503 while not.",
        handler=readyz,
        response=Health,
        response_description="The service is ready.",
    ),
)
