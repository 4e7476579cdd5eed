"""Rulesets: the games that are hosted, their rules, options and cards."""

from typing import Any

import msgspec

from domain.catalogue import CATALOGUE
from domain.kernel.ruleset import Ruleset
from service.api.game_shapes import union_of
from service.api.operation import Call, Operation, Reply
from service.api.problems import ApiError
from service.api.schemas import exact
from service.api.shapes import Label, Rule, RulesetDetail, RulesetList, RulesetSummary, SeatRange
from service.texts import Texts, negotiate

TERMS = ("tastes", "suits", "recipes", "specials", "ingredients", "flavours", "sounds", "events")
"""The sections of a game's texts that name what it has beside its cards."""


def _language(call: Call) -> str:
    return negotiate(call.headers.get("accept-language"))


def _localised(body: Any, language: str) -> Reply:
    return Reply(body, headers={"Content-Language": language, "Vary": "Accept-Language"})


def _ruleset(call: Call) -> Ruleset[Any]:
    name = call.path["ruleset"]
    if name not in CATALOGUE:
        known = ", ".join(CATALOGUE)
        raise ApiError("not-found", f"There is no ruleset {name[:40]!r}; there are: {known}.")
    return CATALOGUE[name]


async def _locate(call: Call) -> None:
    _ruleset(call)


def _summary(texts: Texts, ruleset: Ruleset[Any], language: str) -> RulesetSummary:
    return RulesetSummary(
        id=ruleset.id,
        version=ruleset.version,
        name=texts.of(ruleset, language, "game", "name") or ruleset.id,
        summary=texts.of(ruleset, language, "game", "summary") or "",
        seats=SeatRange(*ruleset.seats),
    )


async def list_rulesets(call: Call) -> Reply:
    """List the games."""
    language = _language(call)
    found = (_summary(call.service.texts, ruleset, language) for ruleset in CATALOGUE.values())
    return _localised(RulesetList(tuple(found)), language)


async def get_ruleset(call: Call) -> Reply:
    """Describe one game."""
    ruleset, language, texts = _ruleset(call), _language(call), call.service.texts
    summary = _summary(texts, ruleset, language)

    def labels(section: str) -> tuple[Label, ...]:
        found = texts.all_of(ruleset, language, section)
        if section == "events":  # some happen at every table
            found = {**texts.of_all_tables(language, section), **found}
        return tuple(Label(key, label) for key, label in found.items())

    _, components = msgspec.json.schema_components([ruleset.options], ref_template="#/$defs/{name}")
    name = ruleset.options.__name__
    definitions = {key: value for key, value in components.items() if key != name}
    body = RulesetDetail(
        id=summary.id,
        version=summary.version,
        name=summary.name,
        summary=summary.summary,
        seats=summary.seats,
        options_schema=exact(
            {**components[name], **({"$defs": definitions} if definitions else {})}, str
        ),
        options=labels("options"),
        actions=labels("actions"),
        decisions=labels("decisions"),
        terms={section: found for section in TERMS if (found := labels(section))},
        rules=tuple(
            Rule(rule, texts.of(ruleset, language, "rules", rule) or "") for rule in ruleset.rules
        ),
        bundled_players=tuple(ruleset.bundled_players),
        releases=tuple(Rule(release.rule, release.what) for release in ruleset.releases),
    )
    return _localised(body, language)


async def list_cards(call: Call) -> Reply:
    """List the cards of one game."""
    ruleset, language = _ruleset(call), _language(call)
    body = {
        "ruleset": ruleset.id,
        "cards": ruleset.cards,
        "names": call.service.texts.all_of(ruleset, language, "cards"),
    }
    return _localised(body, language)


OPERATIONS = (
    Operation(
        id="listRulesets",
        method="GET",
        path="/v1/rulesets",
        tag="rulesets",
        summary="List the games",
        description="Lists the games that are hosted here, named in the language asked for with"
        " Accept-Language (en, ru, de, fr).",
        handler=list_rulesets,
        response=RulesetList,
        stored=False,
        response_description="The games.",
        localised=True,
    ),
    Operation(
        id="getRuleset",
        method="GET",
        path="/v1/rulesets/{ruleset:str}",
        tag="rulesets",
        summary="Describe a game",
        description="Gives a game's rules with the ids that errors cite, its options as a JSON"
        " Schema, and the bundled players that can be seated.",
        handler=get_ruleset,
        locate=_locate,
        response=RulesetDetail,
        stored=False,
        response_description="The game.",
        localised=True,
        problems=("not-found",),
    ),
    Operation(
        id="listCards",
        method="GET",
        path="/v1/rulesets/{ruleset:str}/cards",
        tag="rulesets",
        summary="List a game's cards",
        description="Gives every kind of card of a game with the facts that the rules use.",
        handler=list_cards,
        locate=_locate,
        response=union_of("cards"),
        stored=False,
        response_description="The cards.",
        localised=True,
        problems=("not-found",),
    ),
)
