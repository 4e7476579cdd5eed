"""Runs of schemathesis against a running service, as somebody or nobody."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.service.players import Player

PHASES = ("examples", "coverage", "fuzzing", "stateful")
CONFIG = Path(__file__).with_name("schemathesis.toml")

# The one expectation that is added: with If-Match a command may come too late for what it meant.
CONDITIONAL = """
[[operations]]
include-operation-id = {operations}

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]
"""

# Links are followed from one operation to the next, more often than there are examples.
LONG_STORIES = """
[phases.stateful.generation]
max-examples = 300
"""

# Acting is what the service is for, so there is more of it.
ACTS = """
[[operations]]
include-operation-id = "act"

[operations.generation]
max-examples = 300
"""
ROOT = CONFIG.parents[3]


@dataclass
class Run:
    """A finished run.

    Its exit code, output and report, how often each operation was answered with each status, and
    which checks were on for each operation in each phase.
    """

    code: int
    output: str
    report: dict[str, Any]
    statuses: dict[str, dict[str, int]]
    checks: dict[str, list[str]]

    def answers(self, operation: str, first_digit: str) -> int:
        counts = self.statuses[operation].items()
        return sum(count for status, count in counts if status.startswith(first_digit))

    def phases(self) -> list[str]:
        """What schemathesis says of its phases."""
        lines = self.output.partition("API capabilities:")[2].partition("\n===")[0].splitlines()
        return [line for line in lines[4:] if line.strip()]

    def scenarios(self) -> int:
        """How many stories of several requests were told."""
        found = re.search(r"Scenarios: +(\d+)", self.output)
        return int(found[1]) if found else 0

    def table(self) -> list[str]:
        """One line for each operation: its requests, the share of 2xx, and all statuses."""
        lines = []
        for operation, counts in sorted(
            self.statuses.items(), key=lambda item: item[0].split()[::-1]
        ):
            total, good = sum(counts.values()), self.answers(operation, "2")
            rest = " ".join(f"{status}:{count}" for status, count in sorted(counts.items()))
            lines.append(f"{operation:44} {total:6} {good:6} {good / total:7.1%}   {rest}")
        return lines


def conditional(address: str) -> list[str]:
    """The operations that take If-Match."""
    document = Player(address, None).get("/openapi.json").json()
    return [
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
        and any(each["name"] == "If-Match" for each in operation.get("parameters", ()))
    ]


def run(
    address: str,
    folder: Path,
    *,
    players: list[Player],
    role: str,
    examples: int,
    seed: str = "",
    phases: tuple[str, ...] = PHASES,
) -> Run:
    """Run all checks and phases. ``role``: ``player``, ``judge``, ``stranger`` or ``nobody``.

    ``players`` are the world's: the host, whom a player's run acts as, two guests, and the judge,
    whom a judge's run acts as. A stranger is somebody else. Only a player is helped by the hooks to
    the tokens of others, where the turn is theirs.
    """
    folder.mkdir(parents=True)
    config = CONFIG.read_text() + CONDITIONAL.format(operations=json.dumps(conditional(address)))
    if role == "player":
        config += ACTS + LONG_STORIES
    if role != "nobody":
        names = {"host": players[0], "guest": players[1], "stranger": Player(address, "Stranger")}
        if role == "judge":
            names["judge"] = players[-1]
        users = [
            {
                "name": name,
                "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {p.token}"}],
            }
            for name, p in names.items()
        ]
        (folder / "users.json").write_text(json.dumps({"auth": users}))
        user = "host" if role == "player" else role
        config += f'\n[auth.wfc]\npath = "{folder}/users.json"\nuser = "{user}"\n'
        config += f"peers = {json.dumps(list(names))}\n"
    (folder / "schemathesis.toml").write_text(config)
    counts, report = folder / "counts.json", folder / "report.json"
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", folder / "schemathesis.toml"),
        *("run", f"{address}/openapi.json", "--checks", "all", "--no-color"),
        *("--phases", ",".join(phases), "--max-examples", str(examples)),
        *("--report", "json", "--report-json-path", report),
        *(("--seed", seed) if seed else ()),
    ]
    environment = {
        "POTLUCK_FUZZ_ADDRESS": address,
        "POTLUCK_FUZZ_TOKENS": " ".join(player.token for player in players),
        "POTLUCK_FUZZ_ROLE": role,
        "POTLUCK_FUZZ_COUNTS": str(counts),
    }
    done = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    counted = json.loads(counts.read_text()) if counts.exists() else {}
    return Run(
        done.returncode,
        done.stdout,
        json.loads(report.read_text()) if report.exists() else {},
        counted.get("statuses", {}),
        counted.get("checks", {}),
    )
