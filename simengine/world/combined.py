"""Combined mode: a broker and its controllers are one process, which lives, stands still and ends as one.

A clean stop lets the broker leave first, by its controlled shutdown, and its controllers after it, as
``KafkaRaftServer.shutdown`` does. Left out: that both roles share one network interface; links are cut one by one.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED
from simengine.kafka.broker.broker_process import SharedProcess
from simengine.kafka.controller.quorum import Controller, Quorum
from simengine.world import controller_process


@final
class SharedControllers(SharedProcess):
    """The controllers in the process of one broker."""

    def __init__(self, quorum: Quorum, controllers: list[Controller]) -> None:
        self._quorum = quorum
        self.controllers = controllers

    def starts(self, boot_us: i64, cause: i64) -> None:
        """The controllers are up before the broker dials (``KafkaRaftServer.startup``)."""
        for node in self.controllers:
            controller_process.start(self._quorum, node, int(boot_us), int(cause))

    def changed(self, process: i64, has_left: bool, cause: i64) -> None:
        """The broker's process is in another state: so are its controllers."""
        for node in self.controllers:
            if process == PROCESS_DOWN:
                if has_left:
                    controller_process.leave(self._quorum, node, int(cause))
                else:
                    controller_process.kill(self._quorum, node, int(cause))
            elif process == PROCESS_PAUSED:
                if node.up and not node.paused:
                    controller_process.pause(self._quorum, node, int(cause))
            elif node.up and node.paused:
                controller_process.resume(self._quorum, node, int(cause))
