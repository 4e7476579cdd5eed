"""Assertions in the kit explain themselves like those in tests."""

import pytest

pytest.register_assert_rewrite("tests.domain.kit")
