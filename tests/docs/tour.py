"""Shell sessions in Markdown: the blocks marked ``sh``, each with the answer printed below it."""

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MARK = "<<end of block>>"


@dataclass(frozen=True)
class Step:
    """A block of commands, and the answer that the page promises (None if it shows none)."""

    commands: str
    answer: str | None


def steps(page: Path) -> list[Step]:
    """Read the steps of a page, in order."""
    blocks = BLOCK.findall(page.read_text("utf-8"))
    found: list[Step] = []
    for place, (language, text) in enumerate(blocks):
        if language == "sh":
            follows = blocks[place + 1] if place + 1 < len(blocks) else ("", "")
            found.append(Step(text, follows[1] if follows[0] == "json" else None))
    return found


def script(found: list[Step]) -> str:
    """Join the commands of all steps, with a mark printed after each."""
    return "".join(f"{step.commands}\necho '{MARK}'\n" for step in found)


def matches(promised: str, given: str) -> bool:
    """Compare an answer with the promised one, in which … stands for anything."""
    pieces = (re.escape(piece) for piece in promised.strip().split("…"))
    return re.fullmatch(".*".join(pieces), given.strip(), re.DOTALL) is not None
