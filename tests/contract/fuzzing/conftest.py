import pytest

from tests.contract.fuzzing.runs import Run
from tests.service.conftest import serving

__all__ = ["serving"]

RUNS = pytest.StashKey[dict[str, Run]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RUNS] = {}


@pytest.fixture(scope="session")
def finished(request: pytest.FixtureRequest) -> dict[str, Run]:
    """The runs so far, shown at the end."""
    return request.config.stash[RUNS]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for role, run in terminalreporter.config.stash[RUNS].items():
        terminalreporter.section(f"schemathesis as {role}")
        for line in run.phases():
            terminalreporter.write_line(line)
        terminalreporter.write_line(f"{'operation':44} {'all':>6} {'2xx':>6} {'share':>7}")
        for line in run.table():
            terminalreporter.write_line(line)
