"""The clock of a worker: small corrections are followed, jumps are not."""

from service.sources import SteadyClock

HOUR = 3_600_000


class Times:
    def __init__(self) -> None:
        self.wall, self.steady = 1_800_000_000_000, 5_000

    def pass_by(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds


def test_a_jump_of_an_hour_changes_nothing_either_way():
    for jump in (HOUR, -HOUR):
        times = Times()
        clock = SteadyClock(lambda times=times: times.wall, lambda times=times: times.steady)
        begun = clock()
        times.wall += jump
        times.pass_by(1_000)
        assert clock() - begun == 1_000


def test_small_corrections_are_followed():
    times = Times()
    clock = SteadyClock(lambda: times.wall, lambda: times.steady)
    begun = clock()
    times.wall += 20
    assert clock() - begun == 20


def test_small_corrections_are_followed_after_a_jump_too():
    times = Times()
    clock = SteadyClock(lambda: times.wall, lambda: times.steady)
    times.wall += HOUR
    begun = clock()
    times.wall += 20
    assert clock() - begun == 20
    clock.set(begun + 5)
    times.wall -= 10
    assert clock() == begun - 5
    assert clock.ahead() == begun - 5 - times.wall


def test_what_was_not_read_at_once_is_not_compared():
    """Whoever is held up between two clocks would take the pause for a correction."""
    times = Times()
    pauses = [0, 80, 0, 0]

    def wall() -> int:
        now = times.wall
        times.pass_by(pauses.pop(0))
        return now

    clock = SteadyClock(wall, lambda: times.steady)
    begun = clock()
    assert begun == times.wall
    assert clock() == times.wall
