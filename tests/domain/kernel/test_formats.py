"""The bytes: canonical JSON, parts, chain and chance, against another implementation."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel import canonical as code
from domain.kernel.chance import Chance, below, chance_key, words
from domain.kernel.event import Audience, Created, chained, hidden_digest, hidden_part
from domain.stir_fry_eighteen.cards import DECK
from tests.domain.kernel import formats

PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"
SEED = bytes(range(32))

always_alike = settings(deadline=None, derandomize=True)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcdefgh_", min_size=1, max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def example() -> dict:
    """The worked example of the formats page."""
    text = PAGE.read_text(encoding="utf-8")
    return json.loads(text.split("```json\n")[1].split("```")[0])


# Canonical JSON


@always_alike
@given(json_values)
def test_canonical_json_agrees_with_another_encoder(value):
    assert code.canonical(value) == formats.canonical(value)


def test_canonical_json_escapes_as_rfc_8785_does():
    text = '\b\t\n\f\r\x00\x1f\x7f"\\/é€😀\u2028'
    assert code.canonical(text) == '"\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\\"\\\\/é€😀\u2028"'.encode()


def test_canonical_json_sorts_members_and_those_of_structs():
    class Inner(msgspec.Struct):
        b: int
        a: int

    assert code.canonical({"z": Inner(1, 2), "Z": [], "_": None}) == (
        b'{"Z":[],"_":null,"z":{"a":2,"b":1}}'
    )


# The page's worked example, by the code and by the other implementation


def test_the_formats_pages_example_runs_in_the_code():
    page = example()
    seed = bytes.fromhex(page["seed"])
    created = Created(
        **{k: v for k, v in page["envelope"]["event"].items() if k not in ("type", "seed")},
        seed=page["seed"],
    )
    envelope = page["envelope"]
    start = code.chain_start(page["game"])
    assert start.hex() == page["chain_start"]
    record = chained(
        start,
        created,
        version=envelope["version"],
        parent=envelope["parent"],
        time=envelope["time"],
        actor=envelope["actor"],
        count=envelope["count"],
        seed=seed,
    )
    assert record.chain.hex() == page["chain_after"]
    part = hidden_part(created, 1, "seed", seed)
    assert part == {
        "digest": page["created_seed_digest"],
        "salt": page["created_seed_salt"],
        "value": page["seed"],
    }
    salt = code.part_salt(seed, 9, "cards")
    assert salt.hex() == page["hand_salt"]
    assert code.part_digest(salt, page["hand"]) == page["hand_digest"]
    key = chance_key(seed, page["game"], tuple(page["nonces"]))
    assert key.hex() == page["key"]
    stream = words(key, 0)
    assert [f"{next(stream):016x}" for _ in range(5)] == page["words"]
    chance = Chance(key, 0)
    assert chance.shuffle(page["cards"]) == (0, tuple(page["shuffled"]))
    assert [chance.pick(5) for _ in range(3)] == list(enumerate(page["pick"], start=1))


def test_the_formats_pages_example_runs_in_the_other_implementation():
    page = example()
    seed = bytes.fromhex(page["seed"])
    start = formats.start(page["game"])
    assert formats.follow(start, page["envelope"]).hex() == page["chain_after"]
    assert (
        formats.digest(formats.salt(seed, 1, "seed"), page["seed"])
        == (page["envelope"]["event"]["seed"]["digest"])
    )
    key = formats.key(seed, page["game"], page["nonces"])
    assert formats.shuffle(key, 0, page["cards"]) == page["shuffled"]


# Parts and the chain


def test_salts_are_all_different():
    """One per version and field; 1:1x and 11:x are no longer told apart without the colon."""
    salts = {
        code.part_salt(SEED, version, field)
        for version in range(1, 400)
        for field in ("cards", "order", "laid", "lost", "seed", "1", "11")
    }
    assert len(salts) == 399 * 7
    assert {len(salt) for salt in salts} == {16}
    assert code.part_salt(bytes(32), 1, "cards") not in salts


@always_alike
@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**6), json_values)
def test_part_digests_agree(seed, version, value):
    salt = code.part_salt(seed, version, "cards")
    assert salt == formats.salt(seed, version, "cards")
    assert code.part_digest(salt, value) == formats.digest(salt, value)


def test_the_chain_binds_the_game_and_everything_before():
    assert code.chain_start("g1") != code.chain_start("g2")
    one, other = code.chain_next(bytes(32), {"a": 1}), code.chain_next(bytes(32), {"a": 2})
    assert one != other
    assert code.chain_next(one, {"a": 1}) != code.chain_next(other, {"a": 1})


def created(**changes) -> Created:
    fields = {
        "game": "g1",
        "ruleset": "toy",
        "ruleset_version": 1,
        "options": {},
        "seats": 2,
        "host": "h",
        "public": True,
        "seed": SEED.hex(),
    }
    return Created(**{**fields, **changes})


def test_the_chain_covers_every_member_of_the_envelope():
    usual = {"version": 1, "parent": 0, "time": 5, "actor": "player:h", "count": 1}
    chains = {chained(bytes(32), created(), seed=SEED, **usual).chain}
    for change in (
        {"version": 2},
        {"parent": 1},
        {"time": 6},
        {"actor": "player:g"},
        {"count": 2},
    ):
        chains.add(chained(bytes(32), created(), seed=SEED, **{**usual, **change}).chain)
    for change in ({"game": "g2"}, {"host": "g"}, {"public": False}, {"options": {"a": 1}}):
        chains.add(chained(bytes(32), created(**change), seed=SEED, **usual).chain)
    assert len(chains) == 10


def test_the_commitment_binds_the_seed():
    """Another seed is another digest, under a salt that only the seed's holder can make."""
    digests = {
        hidden_digest(created(seed=bytes([number] * 32).hex()), 1, "seed", bytes([number] * 32))
        for number in range(50)
    }
    assert len(digests) == 50
    assert Created.hidden == {"seed": Audience.NOBODY}


# Chance


@always_alike
@given(
    st.binary(min_size=32, max_size=32),
    st.text("abcdef0123456789", min_size=1, max_size=20),
    st.lists(st.none() | st.text("0123456789abcdef", max_size=32), min_size=2, max_size=5),
    st.integers(0, 2**40),
    st.lists(st.sampled_from(DECK), max_size=18),
    st.integers(1, 2**64 - 1),
)
def test_shuffles_and_picks_agree_to_the_byte(seed, game, nonces, number, cards, bound):
    key = chance_key(seed, game, tuple(nonces))
    assert key == formats.key(seed, game, nonces)
    chance = Chance(key, number)
    assert chance.shuffle(cards) == (number, tuple(formats.shuffle(key, number, cards)))
    assert chance.pick(bound) == (number + 1, formats.pick(key, number + 1, bound))
    assert chance.number == number + 2


def test_a_fixed_shuffle_of_the_deck():
    """A vector for ever: if it changes, recordings made before cannot be verified any more."""
    key = chance_key(SEED, "g0001", (None, None, "ab"))
    assert Chance(key, 3).shuffle(DECK) == (3, tuple(FIXED.split()))


FIXED = """
green_onion mushrooms noodles noodles shrimp soy_sauce
green_onion noodles ginger ginger noodles soy_sauce
pork noodles soy_sauce mushrooms chicken mushrooms
"""


def test_a_shuffle_does_not_depend_on_how_the_cards_lay():
    key = chance_key(SEED, "g", ())
    cards = list(DECK)
    orders = set()
    for entropy in range(5):
        Random(entropy).shuffle(cards)
        orders.add(Chance(key, 0).shuffle(cards)[1])
    assert len(orders) == 1


def test_key_depends_on_seed_game_and_every_nonce():
    usual = (SEED, "g1", (None, "aa"))
    keys = {chance_key(*usual)}
    for change in (
        (bytes(32), "g1", (None, "aa")),
        (SEED, "g2", (None, "aa")),
        (SEED, "g1", ("aa", None)),
        (SEED, "g1", (None, "ab")),
        (SEED, "g1", (None, None)),
        (SEED, "g1", (None, "")),
        (SEED, "g1", (None, "aa", None)),
    ):
        keys.add(chance_key(*change))
    assert len(keys) == 8


def test_words_that_would_favour_small_numbers_are_rejected():
    """For a bound of 3, 2^64 - 1 is the one word above the greatest multiple."""
    assert below(iter([2**64 - 1, 5]), 3) == 2
    assert below(iter([2**64 - 2, 5]), 3) == (2**64 - 2) % 3
    assert below(iter([2**64 - 1]), 2**63) == 2**63 - 1
    high = 2**63 + 1
    assert below(iter([high, high + 7, 4]), high) == 4
    assert below(iter([0]), 1) == 0


def chi_square(counts: Counter, kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in counts) + expected * (
        kinds - len(counts)
    )


def test_chance_is_uniform():
    """Chi-square on a fixed seed, far beyond which a biased shuffle lies.

    The bounds are the 99.9 % points; swapping with any place, the usual mistake, gives hundreds.
    """
    key = chance_key(SEED, "uniform", ())
    chance = Chance(key, 0)
    shuffles = Counter(chance.shuffle("abcd")[1] for _ in range(24_000))
    assert set(shuffles) == set(permutations("abcd"))
    assert chi_square(shuffles, 24) < 49.7
    picks = Counter(chance.pick(5)[1] for _ in range(20_000))
    assert chi_square(picks, 5) < 18.5
    tops = Counter(chance.shuffle("abcdefghijklmnopqr")[1][0] for _ in range(9_000))
    assert chi_square(tops, 18) < 40.8


@pytest.mark.parametrize("number", [0, 1, 2**32])
def test_draws_are_independent_of_one_another(number):
    key = chance_key(SEED, "g", ())
    ones, others = words(key, number), words(key, number + 1)
    first, second = [next(ones) for _ in range(50)], [next(others) for _ in range(50)]
    assert len({*first, *second}) == 100
