"""Rounds of the matrix: a failure hits a part while visitors do one kind of thing each, or while an experiment runs."""

import time
from dataclasses import dataclass, field
from typing import Final

from tests.faults.matrix.experiments import Researcher
from tests.faults.matrix.failures import failing
from tests.faults.matrix.instance import Used
from tests.faults.matrix.small_disk import Disk
from tests.faults.matrix.visitors import LIGHT, Idler, Visitor

BEFORE_SECONDS: Final = 2.5
GOES_ON_SECONDS_MAX: Final = 60.0
EXPERIMENTS: Final = ("experiment at 10 %", "experiment at 90 %")
SITUATIONS: Final = (*(kind.situation for kind in LIGHT), *EXPERIMENTS)


@dataclass
class Cell:
    """The result of one failure of one part in one situation."""

    failure: str
    part: str
    situation: str
    wrong: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    unanswered: int = 0


class Rounds:
    """An instance on a small disk, and what is done to it."""

    def __init__(self, instance: Used, disk: Disk) -> None:
        self.instance = instance
        self.disk = disk
        self._researcher: Researcher | None = None

    @property
    def researcher(self) -> Researcher:
        """The visitor who makes experiments and knows the result of an undisturbed one."""
        if self._researcher is None:
            self._researcher = Researcher(self.instance)
            self._researcher.learn()
        return self._researcher

    def light(self, failure: str, part: str, *, is_short: bool = False) -> list[Cell]:
        """All kinds of visitors at once, each on runs of its own: one cell each.

        `is_short`: a full disk lasts until everybody who writes has been told of it.
        """
        visitors = [kind(self.instance) for kind in LIGHT]
        for visitor in visitors:
            visitor.start()
        time.sleep(BEFORE_SECONDS)

        def enough() -> bool:
            return all(visitor.was_told_of_full_disk() for visitor in visitors if not isinstance(visitor, Idler))

        with failing(failure, part, self.instance, self.disk, enough if is_short else None):
            over = time.monotonic()
        late = self._late(visitors, over)
        for visitor in visitors:
            visitor.stop()
        return [self._cell(failure, part, visitor, visitor in late) for visitor in visitors]

    def _late(self, visitors: list[Visitor], over: float) -> list[Visitor]:
        """Those who got nothing done after the failure was over."""
        while time.monotonic() < over + GOES_ON_SECONDS_MAX:
            if all(visitor.last_good > over for visitor in visitors):
                return []
            time.sleep(0.2)
        return [visitor for visitor in visitors if visitor.last_good <= over]

    def _cell(self, failure: str, part: str, visitor: Visitor, is_late: bool) -> Cell:
        cell = Cell(failure, part, visitor.situation, visitor.wrong, visitor.refused, visitor.unanswered)
        if is_late:
            cell.wrong.append(f"nothing was done in {GOES_ON_SECONDS_MAX:.0f} s afterwards")
        try:
            cell.wrong += visitor.lost()
        except Exception as error:  # noqa: BLE001  # it is a finding
            cell.wrong.append(f"{type(error).__name__}: {str(error)[:300]}")
        if not self.instance.is_there():
            cell.wrong.append(f"the instance has ended: {self.instance.words()}")
            self.instance.start()
        return cell

    def experiment(self, failure: str, part: str) -> list[Cell]:
        """An experiment hit at 10 %, then another one hit at 90 %, and a small one afterwards."""
        cells = [self._hit(failure, part, situation, at) for situation, at in zip(EXPERIMENTS, (10, 90), strict=True)]
        cells[-1].wrong += self.researcher.small_one_is_done()
        return cells

    def _hit(self, failure: str, part: str, situation: str, percent: int) -> Cell:
        cell = Cell(failure, part, situation)
        try:
            experiment = self.researcher.make()
            if not self.instance.part(part):  # an engine process is started by who looks at a run
                self.researcher.look()
            self.researcher.until_share(experiment, percent)
            with failing(failure, part, self.instance, self.disk):
                pass
            cell.wrong += self.researcher.wrong(experiment)
        except Exception as error:  # noqa: BLE001  # it is a finding
            cell.wrong.append(f"{type(error).__name__}: {str(error)[:300]}")
        if not self.instance.is_there():
            cell.wrong.append(f"the instance has ended: {self.instance.words()}")
            self.instance.start()
        return cell
