"""The place of a running experiment: a worker process has few, and experiments take turns in them.

An experiment that ranks behind a waiting one (`turns.successor`) gives its place to it after some seconds of computing.
One that waits for its first turn waits less. Runs under way are lost with the place: an experiment of long runs keeps
its place for some of them, except before one that has not begun, which happens once for each such.
"""

import time
from typing import Final

from playground.whatif import turns
from playground.whatif.limits import NEWCOMER_SECONDS, PLACE_RUNS, PLACE_SECONDS
from playground.whatif.models import Experiment

LOOKS: Final = 2
"""Looks in a row at which another one must be waiting: at the first it may be about to take a free place."""


class ExperimentPlace:
    """The place of one experiment, from its claim on."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._computes_from: float | None = None  # monotonic
        self._looks = 0  # in a row, that found another experiment to have the place

    def begin(self) -> None:
        """The experiment computes from now on."""
        self._computes_from = self._computes_from or time.monotonic()

    def must_be_left(self) -> bool:
        """True if another experiment is to have the place. To be asked once a second."""
        self._looks = self._looks + 1 if self._is_due() else 0
        return self._looks >= LOOKS

    def _is_due(self) -> bool:
        if self._computes_from is None:
            return False
        computed = time.monotonic() - self._computes_from
        if computed < NEWCOMER_SECONDS or (next_one := turns.successor(self.experiment.pk)) is None:
            return False
        return not next_one.turn or computed >= max(PLACE_SECONDS, PLACE_RUNS * self.experiment.seconds_per_run)
