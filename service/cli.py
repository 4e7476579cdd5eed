"""The ``potluck`` command."""

import asyncio
import json
import random
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import click
import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel import recording
from domain.kernel.errors import Refusal
from domain.kernel.ruleset import Ruleset
from service import __version__, logs
from service.api.app import contract_bytes
from service.backup import BackupFailed, back_up
from service.operator import rebuild_lists, replace_token
from service.server import PortInUse, serve
from service.simulation import report, simulate
from service.store.embedded import Embedded, Fsync
from service.store.errors import StoreError
from service.store.folder import FolderInUse, ServerFailed
from service.texts import DEFAULT, Texts
from service.validation import HeadsUnreadable, heads_of, read_heads, validate_store

T = TypeVar("T")

DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="DATA_DIR",
    default=Path(".data"),
    show_default=True,
    help="Folder of the embedded store (variable DATA_DIR).",
)
REDIS_URL = click.option(
    "--redis-url",
    envvar="REDIS_URL",
    default=None,
    help="A Redis 7.0 or Valkey server to use in place of the embedded store, for example"
    " redis://localhost:6379/0 (variable REDIS_URL).",
)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with 'potluck serve' and open http://127.0.0.1:8000/. Each command has its own"
    " --help with examples.",
)
@click.version_option(__version__, prog_name="potluck")
def main() -> None:
    """Card games of hidden hands, played over HTTP from an event log."""


@main.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    envvar="PORT",
    default=8000,
    show_default=True,
    help="Port to listen on; 0 takes a free one (variable PORT).",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    envvar="WORKERS",
    default=1,
    show_default=True,
    help="Worker processes; any of them may serve any game (variable WORKERS).",
)
@click.option(
    "--fsync",
    type=click.Choice(["always", "everysec", "no"]),
    default="everysec",
    show_default=True,
    help="When the embedded store's log is on the disk: before an answer; within a second; when"
    " the system likes. docs/store.md says what each can lose.",
)
@DATA_DIR
@REDIS_URL
def serve_command(
    host: str, port: int, workers: int, fsync: str, data_dir: Path, redis_url: str | None
) -> None:
    """Run the service until Ctrl-C.

    Without a Redis URL it brings its own store, kept in the data folder. On an empty folder it
    also plays one short game between bundled players, so that there is something to look at.

    \b
    Examples:
      potluck serve
      potluck serve --port 9000 --data-dir /var/lib/potluck --workers 2
      REDIS_URL=redis://localhost:6379/0 potluck serve
    """
    logs.configure()
    try:
        serve(
            host=host,
            port=port,
            data_dir=data_dir,
            redis_url=redis_url or None,
            workers=workers,
            fsync=cast("Fsync", fsync),
        )
    except PortInUse as error:
        raise click.ClickException(f"{error}. Choose another with --port or PORT.") from error
    except FolderInUse as error:
        raise click.ClickException(
            f"{error} Choose another with --data-dir or DATA_DIR, or stop the other service."
        ) from error
    except ServerFailed as error:
        raise click.ClickException(str(error)) from error


def _ruleset(_: click.Context, __: click.Parameter, value: str) -> Ruleset[Any]:
    return CATALOGUE[value]


@main.command("simulate")
@click.argument("ruleset", type=click.Choice(list(CATALOGUE)), callback=_ruleset)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="How many to play."
)
@click.option(
    "--players", type=click.IntRange(2, 5), default=2, show_default=True, help="Seats at each game."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same games.")
@click.option(
    "--with",
    "names",
    multiple=True,
    help="A bundled player to seat; give it once for all seats or once for each seat in order.",
)
@click.option(
    "--rotate",
    is_flag=True,
    help="Let everyone move on by a seat after each game, so that no player keeps the better seat.",
)
@click.option("--options", default="{}", help="The game's options, as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate_command(
    ruleset: Ruleset[Any],
    games: int,
    players: int,
    seed: int,
    names: tuple[str, ...],
    options: str,
    *,
    rotate: bool,
    as_json: bool,
) -> None:
    """Play games between bundled players, without a service, and say how they went.

    Shares of games won come with 95 % intervals: for each player by name, its seats together, and
    for each seat.

    \b
    Examples:
      potluck simulate stir-fry-eighteen --games 1000 --players 3 --seed 7
      potluck simulate stir-fry-eighteen --with planning --with medium --rotate
      potluck simulate stir-fry-eighteen --options '{"target": 20}' --json
    """
    seated = _seated(ruleset, players, names)
    try:
        chosen = msgspec.json.decode(options, type=ruleset.options)
    except msgspec.MsgspecError as error:
        raise click.BadParameter(f"{error}", param_hint="--options") from error
    started = time.perf_counter()
    try:
        result = simulate(ruleset, games, seated, random.Random(seed), chosen, rotate=rotate)
    except Refusal as refusal:
        told = Texts().refusal(ruleset, DEFAULT, refusal.key, refusal.params)
        raise click.BadParameter(f"{told} ({refusal.rule})", param_hint="--options") from refusal
    seconds = time.perf_counter() - started
    if as_json:
        click.echo(json.dumps({**msgspec.to_builtins(result), "seconds": round(seconds, 3)}))
    else:
        click.echo(report(result, seconds))


def _seated(ruleset: Ruleset[Any], players: int, names: tuple[str, ...]) -> list[str]:
    least, most = ruleset.seats
    if not least <= players <= most:
        raise click.BadParameter(f"{ruleset.id} takes {least} to {most}", param_hint="--players")
    known = ruleset.bundled_players
    for name in names:
        if name not in known:
            raise click.BadParameter(f"there are: {', '.join(known)}", param_hint="--with")
    if len(names) not in (0, 1, players):
        raise click.BadParameter(f"give it once or {players} times", param_hint="--with")
    return list(names) * players if len(names) == 1 else list(names) or ["random"] * players


@main.command("verify")
@click.argument("file", type=click.File("rb"))
def verify_command(file: Any) -> None:
    """Check a recording offline: nothing missing, nothing altered, everything by the rules.

    FILE is a recording from GET /v1/games/{game}/recording; - reads standard input. Exit status:
    0 sealed and sound; 3 sound as far as can be told, but not sealed, so hidden parts cannot be
    checked yet; 1 a fault, with the first version at fault.

    \b
    Example:
      curl -s localhost:8000/v1/games/$GAME/recording | potluck verify -
    """
    verdict = recording.verify(file.read().split(b"\n"), CATALOGUE)
    click.echo(str(verdict))
    sys.exit(verdict.exit_code)


@contextmanager
def _store_url(data_dir: Path, redis_url: str | None) -> Iterator[str]:
    if redis_url:
        yield redis_url
        return
    if not data_dir.is_dir():
        raise click.ClickException(f"there is no data folder {data_dir}")
    try:
        with Embedded(data_dir) as embedded:
            yield embedded.url
    except FolderInUse:
        yield Embedded.join(data_dir)


@main.command("validate")
@DATA_DIR
@REDIS_URL
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game at fault.")
@click.option(
    "--heads",
    "heads_file",
    type=click.File("rb"),
    help="Heads noted earlier by 'potluck heads': name each log that went back or was altered.",
)
def validate_command(
    data_dir: Path, redis_url: str | None, heads_file: Any, *, as_json: bool
) -> None:
    """Fold every stored game again with this build and report what diverges.

    Checks each game's versions, chain, every command against the rules, and every outcome of
    chance. Works while the service runs. Exit status 1 if any game is at fault.

    \b
    Examples:
      potluck validate
      potluck validate --redis-url redis://localhost:6379/0
      potluck validate --heads heads.jsonl
    """
    logs.configure()
    try:
        heads = read_heads(heads_file) if heads_file is not None else None
    except HeadsUnreadable as error:
        raise click.BadParameter(str(error), param_hint="--heads") from error
    try:
        with _store_url(data_dir, redis_url) as url:
            faults, count = asyncio.run(validate_store(url, heads))
    except (StoreError, ServerFailed) as error:
        raise click.ClickException(str(error)) from error
    for game, fault in faults:
        click.echo(json.dumps({"game": game, "fault": fault}) if as_json else f"{game}: {fault}")
    if not as_json:
        click.echo(f"{count} games folded again, {len(faults)} at fault")
    sys.exit(1 if faults else 0)


@main.command("heads")
@DATA_DIR
@REDIS_URL
def heads_command(data_dir: Path, redis_url: str | None) -> None:
    """Print how far each game's log has come and its chain there, to be kept outside the store.

    Whoever can write to the store could rewrite a log as a whole. Held against heads that were
    noted earlier, 'potluck validate --heads' finds that. Notes of several days may be in one file.

    \b
    Example:
      potluck heads >> /somewhere/else/heads.jsonl
    """
    with _store_url(data_dir, redis_url) as url:
        heads = _run(heads_of(url))
    for head in heads:
        click.echo(msgspec.json.encode(head).decode())


@main.command("token")
@click.argument("player")
@DATA_DIR
@REDIS_URL
def token_command(player: str, data_dir: Path, redis_url: str | None) -> None:
    """Give a player who lost their token a new one, and void the old one.

    PLAYER is the player's id. That it was done is put on record in the store's operator log; the
    token is printed once and stored as a hash. Works while the service runs; a worker may take the
    old token for half a minute more.

    \b
    Example:
      potluck token 5k2m9x8w7v6t4s3r
    """
    with _store_url(data_dir, redis_url) as url:
        token = _run(replace_token(url, player))
    if token is None:
        raise click.ClickException(f"there is no player {player!r}")
    click.echo(token)


@main.command("rebuild")
@DATA_DIR
@REDIS_URL
def rebuild_command(data_dir: Path, redis_url: str | None) -> None:
    """Build the lists of games, players' games and deadlines anew from the logs.

    \b
    Example:
      potluck rebuild
    """
    with _store_url(data_dir, redis_url) as url:
        count = _run(rebuild_lists(url))
    click.echo(f"{count} games listed anew")


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run work on the store, with its errors told in words."""
    logs.configure()
    try:
        return asyncio.run(work)
    except (StoreError, ServerFailed) as error:
        raise click.ClickException(str(error)) from error


@main.command("backup")
@DATA_DIR
@click.argument("target", type=click.Path(file_okay=False, path_type=Path))
def backup_command(data_dir: Path, target: Path) -> None:
    """Copy the embedded store to TARGET, a new folder, while the service runs or not.

    TARGET is a data folder: check it with 'potluck validate', go on from it with 'potluck serve'.

    \b
    Example:
      potluck backup --data-dir /var/lib/potluck /backups/potluck-monday
      potluck validate --data-dir /backups/potluck-monday
    """
    try:
        size = back_up(data_dir, target)
    except (BackupFailed, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{size} bytes copied to {target}")


@main.command("openapi")
def openapi_command() -> None:
    """Print the contract: the OpenAPI 3.1 document of this build."""
    sys.stdout.buffer.write(contract_bytes())
