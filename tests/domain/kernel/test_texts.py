"""The table's own words in every language."""

from hatchling.builders.wheel import WheelBuilder

from domain.kernel.event import KERNEL_EVENTS
from tests.domain.texts import LANGUAGES, ROOT, check_events, check_languages, check_refusals


def test_all_languages_say_the_same():
    check_languages("kernel")


def test_every_refusal_has_words():
    check_refusals("kernel")


def test_every_event_is_told():
    check_events("kernel", KERNEL_EVENTS)


def test_the_wheel_holds_the_texts():
    files = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    for room in ("kernel", "stir_fry_eighteen"):
        for language in LANGUAGES:
            assert f"domain/{room}/texts/{language}.toml" in files
