"""Every rule holds on the server that the runner chose."""

import pytest

from tests.service.store.conformance.case import Case
from tests.service.store.conformance.rules import RULES

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", RULES)
async def test_rule(place: str, name: str) -> None:
    async with Case(place) as case:
        await RULES[name](case)
