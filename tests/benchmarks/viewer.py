"""A game of 1,000 events in the replay viewer: ``python -m tests.benchmarks.viewer``.

A real game at random of three seats, sealed, is opened in the machine's Chromium, stepped through
as fast as the page shows each version, and looked at in random places. What is measured is the
time from the key or the slider's move until the version stands there, with the next frame.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from domain.catalogue import CATALOGUE
from domain.players.playout import Playout
from service.store.embedded import Embedded
from service.store.store import Store
from tests.benchmarks.stored import keep
from tests.pages.conftest import browser
from tests.service.serving import Serving

RULESET = "stir-fry-eighteen"
GAME = "1" * 16
SEATS, TARGET = 3, 85  # a game at random to 85 points has about 1,000 events
FEWEST, MOST = 1_000, 1_050

# Acts, and tells how long it took until the page showed another version and drew it.
TIMED = """async (act) => {
  const place = document.getElementById("version");
  const before = place.dataset.version;
  const begun = performance.now();
  const shown = new Promise((done, late) => {
    setTimeout(() => late(new Error(`still at version ${before}`)), 10_000);
    const observer = new MutationObserver(() => {
      if (place.dataset.version === before) return;
      observer.disconnect();
      requestAnimationFrame(() => done(performance.now() - begun));
    });
    observer.observe(place, { attributes: true });
  });
  if (act === "next") {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  } else {
    const slider = document.getElementById("slider");
    slider.value = act;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return shown;
}"""
STEPS = f"""async (count) => {{
  const timed = {TIMED};
  const times = [];
  for (let step = 0; step < count; step += 1) {{
    times.push(await timed("next"));
  }}
  return times;
}}"""


def long_game() -> Playout:
    """Play a game of 1,000 events to its end."""
    rules = CATALOGUE[RULESET]
    options = msgspec.convert({"target": TARGET}, rules.options)
    for number in range(1_000):
        entropy = random.Random(number)
        playout = Playout(rules, time=1_800_000_000_000)
        seed = entropy.randbytes(32).hex()
        playout.open(game=GAME, seats=SEATS, seed=seed, options=options)
        while playout.step(entropy):
            playout.time += 1_000
        if FEWEST <= len(playout.records) <= MOST:
            return playout
    raise AssertionError("no game came out so long")


async def _keep(url: str, playout: Playout) -> None:
    store = await Store.open(url)
    await keep(store, playout, GAME)
    await store.close()


def _opened(page: Any, address: str) -> float:
    """Open the viewer in the middle of the game; give the seconds until all of it is there."""
    begun = time.perf_counter()
    page.goto(f"{address}/viewer/{GAME}")
    page.wait_for_selector("#version[data-version]")
    page.wait_for_selector(".happened [aria-current=step]")
    page.wait_for_selector(".curve path")
    return time.perf_counter() - begun


def measure(address: str, events: int) -> dict[str, list[float]]:
    """Open, step and jump; all in milliseconds."""
    found: dict[str, list[float]] = {"to open": []}
    with browser() as chromium:
        for _ in range(5):
            page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
            found["to open"].append(1_000 * _opened(page, address))
        found["a step, one after the other"] = page.evaluate(STEPS, events - 1)
        places = random.Random(3).sample(range(1, events), 60)
        fresh = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
        _opened(fresh, address)
        found["a jump to where nobody was"] = [fresh.evaluate(TIMED, each) for each in places]
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    playout = long_game()
    events = len(playout.records)
    print(f"{RULESET}, {SEATS} seats, {events:,} events; milliseconds")
    with tempfile.TemporaryDirectory() as folder, Embedded(Path(folder) / "store") as embedded:
        uvloop.run(_keep(embedded.url, playout))
        with Serving(Path(folder) / "service", redis_url=embedded.url) as serving:
            found = measure(serving.address, events)
    for name, times in found.items():
        times.sort()
        tail = times[min(len(times) - 1, int(len(times) * 0.99))]
        median = statistics.median(times)
        count = f"{len(times)} times"
        print(f"{name}: median {median:.0f}, 99 % {tail:.0f}, worst {times[-1]:.0f} ({count})")


if __name__ == "__main__":
    main()
