"""What is listed is what is accepted: on random positions, small hands through every subset."""

from itertools import combinations, product
from random import Random

import msgspec
import pytest

from domain.just_desserts import actions
from domain.just_desserts.cards import desserts_with, guests_with
from domain.just_desserts.options import Options
from domain.just_desserts.ruleset import JUST_DESSERTS
from domain.just_desserts.serving import pick
from domain.kernel.decide import Act, Context, decide, seat_actor
from domain.kernel.errors import Refusal
from domain.kernel.forms import fill, fits
from domain.kernel.state import decision_id
from tests.domain.just_desserts.facts import is_favourite, is_served
from tests.domain.just_desserts.room import ROOM
from tests.domain.kit import CheckedGame

FULL = Options(advanced=True, just_coffee=True, better_with_bacon=True)
LARGEST_HAND = 6


def everything(game, seat):
    """Every action that a seat can name: any guest, any set of own desserts, in any way."""
    hand = game.players[seat].hand
    sets = [chosen for size in range(len(hand) + 1) for chosen in combinations(hand, size)]
    guests = guests_with(game.options.boxes)
    near = [guest for player in game.players for guest in player.guests]
    near += [*game.centre, *game.guest_discards[:2], guests[0]]
    yield from (actions.End(), actions.Kitchen(), actions.LetGo())
    for chosen in sets:
        yield from (actions.Dump(chosen), actions.Block(chosen), actions.Buffet(chosen))
    for guest in guests:
        yield from (actions.ReturnGuest(guest), actions.DiscardGuest(guest))
    for guest, chosen in product(near, sets):
        yield actions.Serve(guest, chosen)
        for other in range(len(game.players) + 1):
            yield actions.Poach(other, guest, chosen)


def refusal_of(state, seat, action):
    """The rule by which an action is refused; None if it is accepted."""
    act = Act(seat=seat, decision=decision_id(state), action=action)
    try:
        decide(JUST_DESSERTS, state, act, Context(seat_actor(seat), state.time))
    except Refusal as refusal:
        return refusal.rule or "no rule"
    return None


@pytest.mark.parametrize("entropy", range(6))
def test_every_subset_of_small_hands(entropy):
    """Both ways: each action that a seat can name is accepted just if a listed form fits it."""
    random = Random(entropy)
    game = CheckedGame(ROOM)
    game.open(random, 2 + entropy % 3, msgspec.structs.replace(FULL, just_coffee=entropy % 2 == 0))
    checked = 0
    while game.step(random, lapsing=0.05):
        state = game.state
        if state.game.decision is None or random.random() < 0.6:
            continue
        for seat in range(len(state.game.players)):
            if len(state.game.players[seat].hand) > LARGEST_HAND:
                continue
            forms = JUST_DESSERTS.legal(state.game, seat)
            if not forms and random.random() < 0.9:
                continue
            for action in everything(state.game, seat):
                listed = any(fits(form, action) for form in forms)
                rule = refusal_of(state, seat, action)
                assert (rule is None) == listed, (seat, action)
                assert rule is None or rule in JUST_DESSERTS.rules
                checked += 1
    assert checked > 100


def test_a_first_event_carries_the_whole_action():
    """Whatever is done, in whichever order desserts are named, is read off the first event."""
    random = Random("first events")
    kinds = set()
    for number in range(40):
        game = CheckedGame(ROOM)
        game.open(random, 2 + number % 4, FULL)
        while (decision := game.state.game.decision) is not None:
            seat = decision.asked[0]
            form = random.choice(JUST_DESSERTS.legal(game.state.game, seat))
            action = msgspec.convert(fill(form, random), JUST_DESSERTS.action_type)
            if "desserts" in action.__struct_fields__:
                mixed = tuple(random.sample(action.desserts, len(action.desserts)))
                action = msgspec.structs.replace(action, desserts=mixed)
            first = game.act(seat, msgspec.to_builtins(action))[0].event
            if "desserts" in action.__struct_fields__:
                ordered = tuple(sorted(action.desserts))
                action = msgspec.structs.replace(action, desserts=ordered)
            assert JUST_DESSERTS.action_of(first) == action
            kinds.add(type(action))
        if kinds == set(actions.ACTIONS):
            return
    raise AssertionError(f"never done: {set(actions.ACTIONS) - kinds}")


def test_jd_4_a_form_says_all_that_satisfies():
    """For random hands of up to nine: the sets that fit a form are those that satisfy."""
    random = Random("forms")
    deck = desserts_with(FULL.boxes)
    for guest in guests_with(FULL.boxes):
        for _ in range(4):
            hand = tuple(sorted(random.sample(deck, random.randrange(10))))
            for favourite in (False, True):
                form = pick(guest, hand, favourite=favourite)
                for size in range(len(hand) + 1):
                    for chosen in combinations(hand, size):
                        expected = is_served(guest, chosen) and (
                            not favourite or any(is_favourite(guest, name) for name in chosen)
                        )
                        fitting = form is not None and form.accepts(chosen)
                        assert fitting == expected, (guest, chosen)


def test_a_form_takes_no_dessert_twice():
    form = pick("the-professor", ("fruit-salad", "pound-cake"), favourite=False)
    assert form is not None
    assert form.accepts(("pound-cake", "fruit-salad"))
    assert not form.accepts(("pound-cake", "fruit-salad", "fruit-salad"))
