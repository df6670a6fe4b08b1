"""Timed tasks of the active controller: commits, fencing, elections (LIVE-2, PREF-1)."""

from typing import TYPE_CHECKING, Final, final

from simengine.kafka.controller.periodic_elections import PREFERRED_BATCH_MAX, elect_preferred, elect_unclean
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kafka.controller.control import ReplicationControlManager

# Each check is planned when the one before is over, so the checks drift: the eighth after an activation comes 9.01 to
# 9.17 s after it, in the median 9.02 s (9 activations), and is the first that finds a session over (QUO-4).
TICK_LATE_MEAN_US: Final = 4_000


class ControlTask(Task):
    """Something the active controller does at a time, unless it has lost the leadership by then."""

    __slots__ = ("control",)

    def __init__(self, control: "ReplicationControlManager") -> None:
        super().__init__(control.node)
        self.control = control

    def run(self) -> None:
        if not self.control.is_closed:
            self.act()

    def act(self) -> None:
        """Do it."""
        raise AssertionError("a task without effect")


@final
class CommitTask(ControlTask):
    """The quorum may have what was written."""

    __slots__ = ()

    def act(self) -> None:
        self.control.commit_due()


@final
class FencingCheck(ControlTask):
    """LIVE-3: every session/8, or in older versions as a session ends; again after 10 ms if somebody was fenced."""

    __slots__ = ()

    def act(self) -> None:
        config = self.control.config
        control = self.control
        if control.fence_one():
            control.sim.after(config.fence_again_us, self)
        elif config.fencing_by_ticks:
            control.sim.after(config.fence_check_us + control.ticks.exponential(TICK_LATE_MEAN_US), self)
        else:
            control.sim.at(control.tracker.next_end(control.sim.now) + 1, self)


@final
class PreferredTask(ControlTask):
    """PREF-1."""

    __slots__ = ()

    def act(self) -> None:
        control = self.control
        config = control.config
        records = elect_preferred(control.image, config)
        control.write(records, None)
        is_more = len(records) >= PREFERRED_BATCH_MAX
        control.sim.after(config.fence_again_us if is_more else config.preferred_interval_us, self)


@final
class UncleanTask(ControlTask):
    """UNC-2."""

    __slots__ = ()

    def act(self) -> None:
        control = self.control
        control.write(elect_unclean(control.image, control.config), None)
        control.sim.after(control.config.unclean_interval_us, self)
