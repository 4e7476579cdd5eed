"""The `potluck` command: help that teaches, and errors that say what to do."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from domain.catalogue import CATALOGUE
from service import __version__
from service.api.app import contract_bytes
from service.cli import main
from tests.service.players import RULESET


def run(*arguments: str, **environment: str) -> Result:
    empty = {"PORT": None, "DATA_DIR": None, "REDIS_URL": None, "WORKERS": None}
    return CliRunner(env=empty | environment).invoke(main, arguments)


def said(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str, **environment: str) -> str:
    """Click's own code for a command line that cannot be: 2, with the usage."""
    result = run(*arguments, **environment)
    assert result.exit_code == 2, result.output
    assert result.output.startswith("Usage:")
    return result.output


def test_help_names_every_command_and_where_to_begin():
    text = said("--help")
    assert said("-h") == text
    for name, command in main.commands.items():
        assert f"  {name} " in text
        assert command.get_short_help_str() in " ".join(text.split()) or command.help
    assert "potluck serve" in text


@pytest.mark.parametrize("name", main.commands)
def test_each_command_explains_itself(name: str):
    text = said(name, "--help")
    assert text.startswith("Usage:")
    for parameter in main.commands[name].params:
        for option in parameter.opts if parameter.param_type_name == "option" else ():
            assert option in text
        if parameter.param_type_name == "option":
            assert getattr(parameter, "help", None), f"{parameter.name} is not explained"


def test_serve_explains_its_variables():
    text = said("serve", "--help")
    for word in ("PORT", "DATA_DIR", "REDIS_URL", "WORKERS", "8000", "127.0.0.1", "Examples:"):
        assert word in text


def test_version():
    assert said("--version") == f"potluck, version {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["cook"], "No such command 'cook'"),
        (["serve", "--port", "http"], "'http' is not a valid integer"),
        (["serve", "--port", "65536"], "65536 is not in the range 0<=x<=65535"),
        (["serve", "--workers", "0"], "0 is not in the range 1<=x<=64"),
        (["serve", "--fsync", "never"], "'never' is not one of"),
        (["serve", "--colour", "red"], "No such option"),
        (["simulate"], "Missing argument"),
        (["simulate", "chess"], RULESET),
        (["simulate", RULESET, "--games", "0"], "0 is not in the range"),
        (["simulate", RULESET, "--players", "6"], "6 is not in the range"),
        (["simulate", RULESET, "--seed", "x"], "'x' is not a valid integer"),
        (["simulate", RULESET, "--with", "shark"], "there are: random"),
        (["simulate", RULESET, "--players", "3", "--with", "random", "--with", "random"],
         "give it once or 3 times"),
        (["simulate", RULESET, "--options", "{"], "--options"),
        (["simulate", RULESET, "--options", '{"goal": 5}'], "goal"),
        (["simulate", RULESET, "--options", '{"target": "5"}'], "target"),
        (["openapi", "--yaml"], "No such option"),
    ],
)  # fmt: skip
def test_a_bad_option_is_named(arguments: list[str], told: str):
    assert told in refused(*arguments)


def test_a_bad_variable_is_named():
    assert "'http' is not a valid integer" in refused("serve", PORT="http")


def test_options_that_clash_are_told():
    text = refused("simulate", RULESET, "--games", "1", "--options", '{"first_player": 4}')
    assert "The first player must be one of the seats 0 to 1. (SF-1)" in text


# simulate.


def simulated(*arguments: str) -> dict[str, Any]:
    result = json.loads(said("simulate", *arguments, "--json"))
    seconds = result.pop("seconds")
    assert seconds > 0
    return result


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_simulate_does_the_same_for_the_same_seed(ruleset: str):
    players = str(max(2, CATALOGUE[ruleset].seats[0]))
    one = simulated(ruleset, "--games", "8", "--seed", "7", "--players", players)
    assert simulated(ruleset, "--games", "8", "--seed", "7", "--players", players) == one
    assert simulated(ruleset, "--games", "8", "--seed", "8", "--players", players) != one


def test_simulate_counts_what_it_played():
    result = simulated(RULESET, "--games", "12", "--players", "3", "--options", '{"target": 20}')
    assert (result["ruleset"], result["games"], len(result["seats"])) == (RULESET, 12, 3)
    assert sum(result["reasons"].values()) == 12
    assert set(result["reasons"]) <= set(CATALOGUE[RULESET].rules)
    assert sum(seat["won"] for seat in result["seats"]) == pytest.approx(12)
    for seat in result["seats"]:
        assert 0 <= seat["low"] <= seat["share"] <= seat["high"] <= 1
    assert result["events_most"] >= result["events_mean"] > 10


def test_simulate_says_it_in_words_too():
    text = said("simulate", RULESET, "--games", "3", "--seed", "2", "--with", "random")
    assert text.startswith(f"3 games of {RULESET} in ")
    assert "95 % interval" in text


def test_openapi_prints_the_contract():
    text = said("openapi")
    assert text.encode() == contract_bytes()
    assert json.loads(text)["openapi"].startswith("3.1")
