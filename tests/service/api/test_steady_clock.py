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
