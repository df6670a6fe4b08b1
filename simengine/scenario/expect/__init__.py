"""The expectations of a document, and the judge that compares them with a run."""

from simengine.scenario.expect.judge import failures
from simengine.scenario.expect.language import Expectation, read_all, snapshot_times
from simengine.scenario.expect.observed import Observation

__all__ = ["Expectation", "Observation", "failures", "read_all", "snapshot_times"]
