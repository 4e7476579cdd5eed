"""docs/api.md is true: its tables are those of the code, its conversation is what happens."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.api import events, games, inbox
from service.api.problems import KINDS
from tests.service.players import Player

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"
TEXT = PAGE.read_text()
BLOCKS = re.findall(r"```http\n(.*?)```", TEXT, re.DOTALL)
ANYTHING = "…"


def problems() -> str:
    """The table of problems as the page must have it."""
    rows = ["| code | status | means | what helps |", "|---|---|---|---|"]
    rows += [
        f"| `{kind.code}` | {kind.status} | {kind.meaning} | {kind.remedy} |"
        for kind in sorted(KINDS.values(), key=lambda kind: (kind.status, kind.code))
    ]
    return "\n".join(rows)


def test_the_table_of_problems_is_that_of_the_code():
    """If it fails, put this table between the two comments."""
    _, _, rest = TEXT.partition("<!-- problems: checked against service/api/problems.py -->\n")
    table, _, _ = rest.partition("\n<!-- end of problems -->")
    assert table == problems()


def test_the_order_names_problems_that_there_are():
    table = TEXT.partition("## The order of answers")[2].partition("## Strict reading")[0]
    rows = re.findall(r"^\| (\d+) \| (.*?) \| ", table, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 13))
    named = [(int(status), code) for _, row in rows for status, code in
             re.findall(r"(\d{3}) (?:`[a-z-]+`, )*`([a-z-]+)`", row)]  # fmt: skip
    assert len(named) == 11
    assert all(KINDS[code].status == status for status, code in named)


def test_bounds_are_those_of_the_code():
    assert inbox.MAX_BODY == 64 * 1024
    assert "more than 64 KiB" in TEXT
    assert f"pages of {games.PAGE_USUAL} (`limit`: up to {games.PAGE_MOST})" in TEXT
    assert f"pages of {events.PAGE_USUAL} (`limit`: up to {events.PAGE_MOST})" in TEXT
    assert inbox.KEY.pattern.endswith("{1,255}")
    assert "1 to 255 visible ASCII characters" in TEXT


# The conversation.


def parts(block: str) -> tuple[str, dict[str, str], str]:
    head, _, body = block.partition("\n\n")
    first, *lines = head.strip().splitlines()
    return first, dict(line.split(": ", 1) for line in lines), body.strip()


def filled(text: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        text = text.replace("{" + name + "}", value)
    return text


def matches(shown: Any, got: Any, known: dict[str, str], where: str = "") -> None:
    """Compare a JSON value with the page's, and take from it what stands in braces."""
    if shown == ANYTHING:
        return
    if isinstance(shown, str) and (name := re.fullmatch(r"{(\w+)}", shown)):
        assert known.setdefault(name[1], got) == got, where
    elif isinstance(shown, dict):
        assert isinstance(got, dict), where
        if ANYTHING not in shown:
            assert shown.keys() == got.keys(), where
        for key in shown.keys() - {ANYTHING}:
            matches(shown[key], got[key], known, f"{where}/{key}")
    elif isinstance(shown, list):
        assert len(shown) == len(got), where
        for number, (one, other) in enumerate(zip(shown, got, strict=True)):
            matches(one, other, known, f"{where}/{number}")
    else:
        assert shown == got, where


def header_matches(shown: str, got: str | None, known: dict[str, str]) -> None:
    assert got is not None, shown
    pattern = re.escape(shown).replace(ANYTHING, ".*")
    for name in re.findall(r"\\{(\w+)\\}", pattern):
        piece = re.escape(known[name]) if name in known else f'(?P<{name}>[^/"]+)'
        pattern = pattern.replace(rf"\{{{name}\}}", piece)
    found = re.fullmatch(pattern, got)
    assert found, (shown, got)
    known.update(found.groupdict())


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    """What the answers so far have given."""
    return {}


def test_the_conversation_takes_place(address: str, known: dict[str, str]):
    nobody = Player(address, None)
    pairs = list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True))
    assert len(pairs) == 8
    for asked, answered in pairs:
        line, headers, body = parts(filled(asked, known))
        method, path = line.split()
        sent = nobody.request(method, path, headers=headers, content=body.encode() or None)
        status, shown, expected = parts(answered)
        assert f"{sent.status_code} {sent.reason_phrase}" in (status, _phrase(status)), sent.text
        for name, value in shown.items():
            header_matches(value, sent.headers.get(name), known)
        matches(json.loads(expected), sent.json(), known)


def _phrase(status: str) -> str:
    """A server may name 422 by its newer phrase."""
    return status.replace("Unprocessable Entity", "Unprocessable Content")
