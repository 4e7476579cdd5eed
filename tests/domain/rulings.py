"""Random games with random rulings: ``python -m tests.domain.rulings RULESET --games 10000``.

Judges take games back, adjust, forfeit, pause and hand over; seats make motions, leave and let
time run out. Everything is checked as ``tests.domain.judged`` checks it.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from domain.kernel.clock import DecisionClock, GameClock
from domain.kernel.decide import (
    SERVICE,
    Act,
    Create,
    Default,
    Join,
    MakeMotion,
    NameJudge,
    Pause,
    Rule,
    Seal,
    SeatBundled,
    Start,
    Vacate,
    Vote,
    player_actor,
    seat_actor,
)
from domain.kernel.errors import Refusal
from domain.kernel.forms import fill
from domain.kernel.replay import fault_of
from domain.kernel.rulings import (
    Adjust,
    CallJudge,
    Forfeit,
    Halt,
    HandOver,
    Note,
    ReplaceSeat,
    RestoreClock,
    Rewind,
    Ruling,
    SealNow,
    Undo,
)
from domain.kernel.state import SEAL_AFTER, decision_id, seat_deadline, status
from tests.domain.judged import JUDGE, Judged, empty, window
from tests.domain.kit import HOST, TEXT, Room, ends_of
from tests.domain.playouts import room_of

MOVES = (40, 90, 90, 250)


class Ruled(Judged):
    """One random game with rulings."""

    def __init__(self, room: Room, entropy: str) -> None:
        super().__init__(room)
        self.random = Random(entropy)
        self.newcomers = 0

    # The course of a game.

    def open(self) -> None:
        """Create a table, with a judge more often than not, fill it and start."""
        random = self.random
        least, most = self.ruleset.seats
        seats = random.randint(least, most)
        clock = random.choice((None, None, DecisionClock(60), GameClock(60, 2)))
        create = Create(
            game=f"ruled-{random.randrange(10**9)}",
            ruleset_version=self.ruleset.version,
            options=self.room.draw_options(random, seats),
            seats=seats,
            host=HOST,
            public=True,
            seed=random.randbytes(32).hex(),
            clock=clock,
        )
        self.command(create, player_actor(HOST))
        if random.random() < 0.8:
            self.command(NameJudge(player=HOST, judge=JUDGE), player_actor(HOST))
        for seat in range(seats):
            if random.random() < 0.75:
                nonce = random.choice((None, random.randbytes(8).hex()))
                join = Join(player=f"p{seat}", seat=seat, nonce=nonce)
                self.command(join, player_actor(f"p{seat}"))
            else:
                bundled = SeatBundled(player=HOST, bundled="random", seat=seat)
                self.command(bundled, player_actor(HOST))
        self.command(Start(player=HOST), player_actor(HOST))

    def play(self) -> None:
        """Play until the seal, or until it has been enough."""
        self.open()
        for _ in range(self.random.choice(MOVES)):
            if self.state.table.sealed:
                break
            self.step()
        if status(self.state) == "ended":
            self.now += SEAL_AFTER
            self.command(Seal(), SERVICE)
        if self.state.table.sealed:
            self.seen["sealed"] += 1
            self._check_closed()
        fault = fault_of(self.ruleset, self.records)
        assert fault is None, fault

    def _check_closed(self) -> None:
        """Nothing can be taken back after the seal."""
        for judge in self.state.table.judges:
            rewind = Rule(judge=judge, ruling=Rewind(self.state.version - 1))
            with pytest.raises(Refusal) as caught:
                self.command(rewind, f"judge:{judge}")
            assert caught.value.code == "game-over"

    def step(self) -> None:
        """Let something happen."""
        random, state = self.random, self.state
        if self.superseded is not None:
            self._answer_late()
        if state.table.timing.paused:
            self._go_on()
            return
        kind = random.random()
        if state.table.judges and kind < 0.16:
            self._rule(random.choice(state.table.judges))
        elif kind < 0.22:
            self._move()
        elif kind < 0.25:
            self._leave()
        elif kind < 0.27:
            self._pause(pause=True)
        elif state.game.outcome is not None:
            self._after_the_end()
        elif kind < 0.30:
            self._lapse()
        else:
            self._act()

    def _answer_late(self) -> None:
        """An answer to the undone line is on its way, and must come to nothing."""
        decision, self.superseded = self.superseded, None
        now = decision_id(self.state)
        game = self.state.game
        if decision is None or now is None or self.state.table.timing.paused or decision == now:
            return
        seat = game.decision.asked[0]
        form = self.ruleset.legal(game, seat)[0]
        action = msgspec.convert(
            msgspec.to_builtins(fill(form, self.random)), self.ruleset.action_type
        )
        with pytest.raises(Refusal) as caught:
            self.command(Act(seat=seat, decision=decision, action=action), seat_actor(seat))
        assert caught.value.code == "superseded"
        self.seen["superseded"] += 1

    def _act(self) -> None:
        game, random = self.state.game, self.random
        seat = random.choice(game.decision.asked)
        chosen = msgspec.to_builtins(fill(random.choice(self.ruleset.legal(game, seat)), random))
        action = msgspec.convert(chosen, self.ruleset.action_type)
        text = TEXT if chosen["type"] in self.ruleset.free_text else None
        decision = decision_id(self.state) or 0
        self.command(Act(seat=seat, decision=decision, action=action, text=text), seat_actor(seat))

    def _lapse(self) -> None:
        seat = self.random.choice(self.state.game.decision.asked)
        until = seat_deadline(self.state, seat)
        if until is not None:
            self.now = max(self.now, until)
        self.command(Default(seat=seat, decision=decision_id(self.state) or 0), SERVICE)
        self.seen["lapses"] += 1

    def _people(self) -> list[int]:
        return [
            number
            for number, seat in enumerate(self.state.table.seats)
            if seat is not None and seat.player is not None and not seat.left
        ]

    def _leave(self) -> None:
        people = self._people()
        if people and self.random.random() < 0.5:
            seat = self.random.choice(people)
            player = self.state.table.seats[seat].player
            self.attempt(Vacate(player=player or "", seat=seat), player_actor(player or ""))

    def _pause(self, *, pause: bool) -> None:
        for seat in self._people():
            if self.state.table.timing.paused is not pause:
                self.attempt(Pause(seat=seat, pause=pause), seat_actor(seat))

    def _go_on(self) -> None:
        self.now += self.random.randrange(100_000)
        self.seen["pauses"] += 1
        if self.state.table.judges and self.random.random() < 0.3:
            self._rule(self.state.table.judges[0])
        self._pause(pause=False)
        if self.state.table.timing.paused and self.state.table.judges:
            judge = self.state.table.judges[0]
            self.attempt(Rule(judge=judge, ruling=Halt(pause=False)), f"judge:{judge}")

    def _after_the_end(self) -> None:
        if self.random.random() < 0.3:
            self.now += SEAL_AFTER
            self.command(Seal(), SERVICE)

    # Rulings and motions.

    def _rule(self, judge: str) -> None:
        ruling = self._ruling()
        if ruling is not None:
            text = self.random.choice((None, TEXT))
            records = self.attempt(Rule(judge=judge, ruling=ruling, text=text), f"judge:{judge}")
            self.seen[f"ruled: {ruling.__struct_config__.tag}"] += bool(records)

    def _target(self) -> int | None:
        """Draw a version where a command ended: any, the last one, or one of a special kind."""
        ends = ends_of(self.records)
        if not ends:
            return None
        kind = self.random.random()
        if kind < 0.2:
            return ends[-1]
        special = [
            end
            for end in ends
            if (kind < 0.4 and window(self.states[end - 1]))
            or (0.4 <= kind < 0.5 and empty(self.states[end - 1]))
            or (0.5 <= kind < 0.6 and self.records[end].event.__struct_config__.tag == "ruled")
        ]
        return self.random.choice(special or ends)

    def _ruling(self) -> Ruling | None:
        random, seat = self.random, self.random.randrange(len(self.state.table.seats))
        kind = random.random()
        if kind < 0.6:
            to = self._target()
            return (
                None if to is None else Rewind(to, random.choice((None, None, None, True, False)))
            )
        if kind < 0.7:
            return Adjust(seat, random.randint(-9, 9))
        if kind < 0.74:
            return Forfeit(seat)
        if kind < 0.8:
            return Note()
        if kind < 0.86:
            return Halt(not self.state.table.timing.paused)
        if kind < 0.92:
            return RestoreClock(seat, random.randrange(100_000))
        return ReplaceSeat(seat, **self._newcomer())

    def _newcomer(self) -> dict[str, str]:
        if self.random.random() < 0.4:
            return {"bundled": "random"}
        self.newcomers += 1
        return {"player": f"n{self.newcomers}"}

    def _move(self) -> None:
        """Let a seat make a motion, and the others answer it, most of them with yes."""
        people, random = self._people(), self.random
        if not people:
            return
        seat, kind = random.choice(people), random.random()
        motion: Undo | HandOver | CallJudge | SealNow
        to = self._target()
        if self.state.game.outcome is not None and kind < 0.5:
            motion = SealNow()
        elif to is not None and kind < 0.7:
            motion = Undo(to)
        elif kind < 0.9:
            motion = HandOver(random.choice(people), **self._newcomer())
        else:
            motion = CallJudge(f"j{random.randrange(3)}")
        made = self.attempt(MakeMotion(seat=seat, motion=motion), seat_actor(seat))
        self.seen[f"moved: {motion.__struct_config__.tag}"] += bool(made)
        if not made or len(made) > 1:
            return
        votes = [(voter, None) for voter in people if voter != seat]
        votes += [(None, judge) for judge in self.state.table.judges]
        for voter, judge in votes:
            if not any(each.id == made[0].version for each in self.state.table.motions):
                break
            actor = f"judge:{judge}" if voter is None else seat_actor(voter)
            agree = random.random() < 0.9
            vote = Vote(motion=made[0].version, agree=agree, seat=voter, judge=judge)
            records = self.attempt(vote, actor)
            self.seen["motions carried"] += len(records) > 1


def play_ruled(room: Room, entropy: str) -> Ruled:
    """Play one random game with rulings; a failure names the entropy that makes it again."""
    game = Ruled(room, entropy)
    try:
        game.play()
    except BaseException as error:
        error.add_note(f"play_ruled(room_of({room.ruleset.id!r}), {entropy!r})")
        raise
    return game


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", help="id of the ruleset, as in the catalogue")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", default="1", help="makes the same games again")
    given = parser.parse_args(arguments)
    room, began = room_of(given.ruleset), time.perf_counter()
    seen: Counter[str] = Counter()
    events = 0
    for index in range(given.games):
        game = play_ruled(room, f"{given.seed}/{index}")
        seen.update(game.seen)
        events += len(game.records)
    seconds = time.perf_counter() - began
    print(f"{given.games} games, {events} events, all as the interpreter has them; {seconds:.0f} s")
    for name, number in sorted(seen.items()):
        print(f"  {name}: {number}")


if __name__ == "__main__":
    main()
