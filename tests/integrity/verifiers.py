"""Both verifiers side by side: the service's own, and the one in JavaScript."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from domain.catalogue import CATALOGUE
from domain.kernel import recording
from domain.kernel.state import State
from domain.kernel.viewer import SEALED, Sight, seen
from domain.players.playout import Playout
from tests.domain.playouts import room_of
from tests.domain.rulings import Ruled, play_ruled

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "service" / "static" / "verify.mjs"
GOLDEN = ROOT / "tests" / "recordings"

BATCH = 60


@dataclass(frozen=True)
class Told:
    """What a verifier says: its exit status, and the first version at fault."""

    exit: int
    version: int | None
    words: str


def by_python(data: bytes) -> Told:
    """Ask the service's own verifier."""
    verdict = recording.verify(data.split(b"\n"), CATALOGUE)
    return Told(verdict.exit_code, verdict.version, str(verdict))


def by_javascript(texts: Sequence[bytes]) -> Iterator[Told]:
    """Ask the verifier in JavaScript, many recordings to a process."""
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        with TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{index}.ndjson" for index in range(len(batch))]
            for path, data in zip(paths, batch, strict=True):
                path.write_bytes(data)
            done = subprocess.run(
                ["node", SCRIPT, "--json", *paths], capture_output=True, text=True, check=False
            )
        lines = done.stdout.splitlines()
        assert len(lines) == len(batch), f"the verifier broke off: {done.stderr}"
        for line in lines:
            verdict = json.loads(line)
            yield Told(verdict["exit"], verdict["version"], line)


def golden() -> dict[str, bytes]:
    """Give the golden recordings by name."""
    return {path.stem: path.read_bytes() for path in sorted(GOLDEN.glob("*.ndjson"))}


@cache
def fresh() -> dict[str, bytes]:
    """Record a game of every ruleset: whole, half as a seat sees it, and one full of rulings."""
    found = {}
    for name, ruleset in CATALOGUE.items():
        playout, random = Playout(ruleset), Random(name)
        playout.open(
            game=f"integrity-{name}",
            seats=ruleset.seats[0],
            seed=random.randbytes(32).hex(),
            options=ruleset.options(),
        )
        half = None
        while playout.step(random):
            if half is None and playout.state is not None and playout.state.version > 60:
                half = recorded(playout, Sight(seats=(0,)))
        found[f"{name}, sealed"] = recorded(playout, SEALED)
        if half is not None:
            found[f"{name}, a seat's"] = half
        room = room_of(name)
        games = (play_ruled(room, f"recorded {number}") for number in count())
        game = next(game for game in games if ready(game.state, game.seen))
        found[f"{name}, with rulings, sealed"] = recorded(game, SEALED)
    return found


def ready(state: State, seen: Mapping[str, int]) -> bool:
    """Say whether a game is one to record: sealed after many rewinds, and not too long."""
    return state.table.sealed and seen["rewinds"] > 3 and state.version < 500


def recorded(playout: Playout | Ruled, sight: Sight) -> bytes:
    """Record a game as far as it has come."""
    assert playout.state is not None
    seed = bytes.fromhex(playout.state.table.seed)
    shown = [seen(record, sight, seed) for record in playout.records]
    return "".join(f"{line}\n" for line in recording.write(playout.state, shown)).encode()
