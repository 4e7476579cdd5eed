"""Makes the golden recordings: ``python -m tests.recordings.make``.

A recording that is there already is never made again: it must verify, and its game fold to the
same final state, with every build to come. New games add new files.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel import recording
from domain.kernel.viewer import SEALED, Sight, seen
from tests.domain.kit import CheckedGame
from tests.domain.playouts import room_of

FOLDER = Path(__file__).parent
INDEX = FOLDER / "index.json"


@dataclass(frozen=True)
class Golden:
    """A game to record: a random one, with these options.

    ``prefix`` ends the recording early, before the seal; it is then one that ``sight`` sees.
    """

    ruleset: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    leaving: float = 0.0
    lapsing: float = 0.0
    prefix: int | None = None
    sight: Sight = SEALED


SFE = "stir-fry-eighteen"
JD = "just-desserts"
ME = "memesio"

GOLDEN = {
    "sfe-2-basic": Golden(SFE, 2),
    "sfe-2-empty-handed": Golden(SFE, 2, {"target": 30, "first_player": 1}),
    "sfe-3-next-turn-and-a-card-after-cooking": Golden(
        SFE, 3, {"accuser_reward": "next_turn", "draw_after_cooking": True, "target": 35}
    ),
    "sfe-3-tofu": Golden(SFE, 3, {"tofu": True, "target": 35}),
    "sfe-4-close-the-kitchen": Golden(SFE, 4, {"close_the_kitchen": True, "target": 20}),
    "sfe-4-max-turns": Golden(SFE, 4, {"max_turns": 25}),
    "sfe-5-leaving-and-lapsing": Golden(SFE, 5, {"target": 25}, leaving=0.02, lapsing=0.1),
    "sfe-3-unsealed-seat-1": Golden(SFE, 3, {"tofu": True}, prefix=90, sight=Sight(seats=(1,))),
    "sfe-4-unsealed-judge": Golden(SFE, 4, prefix=60, sight=Sight(judge=True)),
    "jd-2-basic": Golden(JD, 2),
    "jd-4-everything": Golden(
        JD, 4, {"advanced": True, "just_coffee": True, "better_with_bacon": True}
    ),
    "jd-5-leaving-and-lapsing": Golden(JD, 5, {"advanced": True}, leaving=0.02, lapsing=0.1),
    "me-2-basic": Golden(ME, 2),
    "me-4-first-player": Golden(ME, 4, {"first_player": 3}),
    "me-3-leaving-and-lapsing": Golden(ME, 3, leaving=0.01, lapsing=0.1),
    "me-5-unsealed-seat-2": Golden(ME, 5, prefix=70, sight=Sight(seats=(2,))),
    "jd-3-unsealed-seat-0": Golden(JD, 3, {"poaching": True}, prefix=80, sight=Sight(seats=(0,))),
}


def play(name: str, golden: Golden) -> tuple[CheckedGame, int]:
    """Play a golden game; gives it and the number of its events that are recorded."""
    room = room_of(golden.ruleset)
    for attempt in range(1_000):
        random = Random(f"{name} {attempt}")
        game = CheckedGame(room, game=f"golden-{name}")
        options = msgspec.convert(dict(golden.options), room.ruleset.options)
        game.open(random, golden.seats, options)
        while game.step(random, golden.leaving, golden.lapsing):
            pass
        wanted = golden.prefix or len(game.records)
        left = sum(seat.left for seat in game.state.table.seats)
        if (left > 0) == (golden.leaving > 0) and len(game.records) >= wanted:
            return game, _command_end(game, wanted)
    raise AssertionError(f"no such game: {name}")


def _command_end(game: CheckedGame, wanted: int) -> int:
    """Give the version at which the command ends that reaches a version."""
    end = 0
    while end < wanted:
        end += game.records[end].count
    return end


def lines_of(game: CheckedGame, events: int, sight: Sight) -> Iterator[str]:
    """Record the first events of a game for a viewer."""
    seed = bytes.fromhex(game.state.table.seed)
    shown = [seen(record, sight, seed) for record in game.records[:events]]
    return recording.write(game.states[events - 1], shown)


def main(names: Sequence[str] = tuple(GOLDEN)) -> None:
    """Write every golden recording that is not there yet, and enter it in the index."""
    index = json.loads(INDEX.read_text()) if INDEX.exists() else {}
    for name in names:
        path = FOLDER / f"{name}.ndjson"
        if path.exists():
            continue
        golden = GOLDEN[name]
        game, events = play(name, golden)
        text = "".join(f"{line}\n" for line in lines_of(game, events, golden.sight))
        path.write_text(text, encoding="utf-8")
        verdict = recording.verify(text.encode().split(b"\n"), CATALOGUE)
        outcome = game.state.game.outcome if golden.prefix is None else None
        index[name] = {
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "exit_code": verdict.exit_code,
            "events": events,
            "state": recording.state_digest(game.states[events - 1]),
            "outcome": outcome and {"reason": outcome.reason, "scores": list(outcome.scores)},
        }
        print(f"{path.name}: {verdict}")
    INDEX.write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
