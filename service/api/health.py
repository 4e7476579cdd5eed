"""Health: whether the process is alive, and ready to serve; and what it counts."""

import asyncio

from msgspec import Struct

from service import metrics
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


async def get_metrics(call: Call) -> Reply:
    """Give what all workers count."""
    text = await asyncio.to_thread(metrics.exposition)
    return Reply(text, media_type=metrics.MEDIA_TYPE, headers={"Cache-Control": "no-store"})


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
    Operation(
        id="getMetrics",
        method="GET",
        path="/metrics",
        tag="running",
        summary="Metrics",
        description="Gives what the workers count, in the text form of Prometheus: requests,"
        " commands by result, append time, open streams and their lag, store errors. No secret and"
        " no id is among it; still, whoever runs the service may want to keep it to themselves.",
        handler=get_metrics,
        response=str,
        response_description="The metrics.",
        media_type="text/plain",
        stored=False,
    ),
)
