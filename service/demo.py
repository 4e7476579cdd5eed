"""Something to look at: a short game between bundled players on a store that has none."""

import structlog

from domain.kernel.decide import Create, SeatBundled, Start, player_actor
from domain.stir_fry_eighteen.options import Options
from domain.stir_fry_eighteen.ruleset import STIR_FRY_EIGHTEEN
from service.container import Service
from service.tables import Table

log = structlog.get_logger()

SEATS = 3
TARGET = 20  # a short game: Stir Fry Eighteen is played to 50


async def play_demo(service: Service) -> None:
    """Open and start a game between bundled players, unless there is a game already."""
    async for _ in service.store.game_ids():
        return
    host, _ = await service.accounts.create("Potluck")
    sources, tables = service.sources, service.tables
    game, actor = sources.new_id(), player_actor(host.id)
    command = Create(
        game=game,
        ruleset_version=STIR_FRY_EIGHTEEN.version,
        options=Options(target=TARGET, max_turns=60),
        seats=SEATS,
        host=host.id,
        public=True,
        seed=sources.random_bytes(32).hex(),
    )
    await tables.create(game, command, STIR_FRY_EIGHTEEN, actor)

    def seat(_: Table) -> tuple[SeatBundled, str]:
        return SeatBundled(player=host.id, bundled="random"), actor

    for _ in range(SEATS):
        await tables.execute(game, seat)
    await tables.execute(game, lambda _: (Start(player=host.id), actor))
    log.info("a game between bundled players is there to look at", game=game)
