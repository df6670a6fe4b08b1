import pytest

from playground.scenarios import outside
from tests.scenarios_app.inside import Inside


@pytest.fixture(autouse=True)
def service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are read in this process."""
    monkeypatch.setattr(outside, "questions", Inside())
