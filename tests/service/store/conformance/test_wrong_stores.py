"""Each rule is there for a reason: a store that breaks it fails it, and no other rule."""

import pytest

from service.store.store import Store
from tests.service.store.conformance.case import Case
from tests.service.store.conformance.rules import RULES
from tests.service.store.conformance.wrong import WRONG

pytestmark = pytest.mark.anyio


async def failed_by(place: str, kind: type[Store]) -> list[str]:
    """The rules that a store fails."""
    failed = []
    for name, check in RULES.items():
        async with Case(place, kind) as case:
            try:
                await check(case)
            except (Exception, pytest.fail.Exception):
                failed.append(name)
    return failed


def test_there_is_a_wrong_store_for_each_rule() -> None:
    assert sorted(WRONG) == sorted(RULES)


@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_store_fails_its_rule_alone(place: str, name: str) -> None:
    assert await failed_by(place, WRONG[name]) == [name]


def test_every_rule_says_what_it_is_about() -> None:
    assert all(check.__doc__ for check in RULES.values())
