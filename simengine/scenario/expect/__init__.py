"""What a document says should happen, and the judge that compares it with what did."""

from simengine.scenario.expect.judge import failures
from simengine.scenario.expect.language import Expectation, read_all, snapshot_times
from simengine.scenario.expect.observed import Observed

__all__ = ["Expectation", "Observed", "failures", "read_all", "snapshot_times"]
