"""Commands decided and folded in process, beside boardgame.io from npm on an equal game."""

import random
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from domain.catalogue import CATALOGUE
from domain.kernel.decide import Command, Context, decide
from domain.kernel.event import Record
from domain.kernel.fold import evolve
from domain.kernel.ruleset import Ruleset
from domain.kernel.state import State
from domain.players.playout import Playout
from tests.benchmarks.lines import Line, line

RULESET = "stir-fry-eighteen"
HERE = Path(__file__).parent / "boardgame"
BUILT = Path("build/boardgame")
GAMES = 40
ROUNDS = 5
AIM = 2.0  # seconds a measurement takes, about
FAIR = (
    "Both play whole random games of two, moves chosen before, through the library's own reducer:"
    " the same rules, turn by turn, with its checks, its shuffles and its state, in memory. Ours"
    " also makes events of what happened, with digests of hidden parts, salts and a chain; theirs"
    " keeps a log of moves and a state that each move copies where it changes."
)

Told = tuple[Command, Context]


class Recorded(Playout):
    """A game that remembers what it was told."""

    told: list[Told]

    def command(self, command: Command, actor: str) -> tuple[Record, ...]:
        """Do as any game does, and remember the command."""
        records = super().command(command, actor)
        self.told = [*getattr(self, "told", ()), (command, Context(actor, self.time))]
        return records


def prepare(seed: int) -> tuple[State, list[Told], State | None]:
    """Play a game; give the state at its start, the commands since, and the state at its end."""
    rules = CATALOGUE[RULESET]
    entropy = random.Random(seed)
    game = Recorded(rules)
    options = rules.options()
    game.open(game="g", seats=2, seed=entropy.randbytes(32).hex(), options=options)
    start, told = game.state, len(game.told)
    assert start is not None
    while game.step(entropy):
        pass
    return start, game.told[told:], game.state


def again(rules: Ruleset, start: State, told: list[Told], end: State | None) -> int:  # type: ignore[type-arg]
    """Decide and fold all commands of a game; it must come to the same end."""
    state = start
    for command, context in told:
        for record in decide(rules, state, command, context):
            state = evolve(rules, state, record)
    assert state == end
    return len(told)


def _ours(games: list[tuple[State, list[Told], State | None]]) -> float:
    rules = CATALOGUE[RULESET]
    done = 0
    began = time.perf_counter()
    while time.perf_counter() - began < AIM:
        done += sum(again(rules, *game) for game in games)
    return done / (time.perf_counter() - began)


def _theirs() -> subprocess.Popen[str]:
    """Install what the lock names, and start what measures it."""
    BUILT.mkdir(parents=True, exist_ok=True)
    for path in HERE.iterdir():
        shutil.copy(path, BUILT)
    install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(install, cwd=BUILT, check=True)
    return subprocess.Popen(
        ["node", "measure.js"],
        cwd=BUILT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _ask(process: subprocess.Popen[str]) -> float:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{AIM}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def measure() -> list[Line]:
    """Measure; without Node there is nothing to stand beside, and that is said."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("no line beside boardgame.io: it needs node and npm, and they are not here")
        return []
    games = [prepare(seed) for seed in range(GAMES)]
    with _theirs() as process:
        _ours(games)
        _ask(process)  # the first round of each warms up
        pairs = [(_ours(games), _ask(process)) for _ in range(ROUNDS)]
        assert process.stdin
        process.stdin.close()
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    spread = statistics.pstdev(one / other for one, other in pairs)
    name = (
        f"commands/s decided and folded in process, {RULESET}, beside boardgame.io's moves/s"
        f" (median of {ROUNDS}, ratio ± {spread:.2f})"
    )
    return [line(name, *pairs[len(pairs) // 2], goal=10.0, fair=FAIR)]
