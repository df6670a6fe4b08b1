"""Shared by all tests: their order, no skips, a Valkey, and the site on a real port."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import hypothesis
import pytest

from playground import valkey
from tests.long_form import is_long

# These come last, in this order: whole instances, sockets, Spark, a browser (Playwright leaves a running loop behind).
ORDER = ("setup", "rooms", "whatif", "bench", "browser")

hypothesis.settings.register_profile("highwater", deadline=None, derandomize=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "highwater"))


def _rank(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    return ORDER.index(folder) if folder in ORDER else -1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort the folders into ORDER; inside a folder the order of the files stays. Leave out what only LONG=1 runs."""
    left_out = [] if is_long() else [item for item in items if item.get_closest_marker("only_long")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = sorted((item for item in items if item not in left_out), key=_rank)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skipped test is a failed run: what a machine lacks is installed or said, never passed over."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Valkey at the address that the test settings name."""
    from django.conf import settings

    url = str(settings.REDIS_URL)
    server = valkey.Server(urlsplit(url).port or 0, password="")
    process = subprocess.Popen(valkey.command(), stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(valkey.configuration(server, tmp_path_factory.mktemp("valkey")))
    process.stdin.close()
    try:
        assert valkey.wait_until_it_answers(url), "the embedded Valkey did not start"
        yield url
    finally:
        process.terminate()
        process.wait(10)
