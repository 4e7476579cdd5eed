"""Every rule has its tests, and every refusal a rule."""

import re
from importlib import resources

from domain.just_desserts.ruleset import JUST_DESSERTS

HERE = resources.files(__package__)


def test_every_rule_has_a_test_named_after_it():
    names = " ".join(
        name
        for file in HERE.iterdir()
        if file.name.startswith("test_")
        for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    )
    for rule in JUST_DESSERTS.rules:
        assert re.search(rf"_{rule.lower().replace('-', '_')}_", names), rule


def test_every_refusal_cites_a_rule_of_the_page():
    cited = set()
    for file in resources.files("domain.just_desserts").iterdir():
        if file.name.endswith(".py"):
            cited |= set(re.findall(r"JD-\d+", file.read_text("utf-8")))
    assert cited == set(JUST_DESSERTS.rules)
