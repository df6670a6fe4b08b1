"""The interface to the logic of an active controller, as the quorum knows it."""

from mypy_extensions import i64

from simengine.kafka.wire.controller_api import ControllerChannel, ControllerRequest


class ActiveControl:
    """The work of a controller while it believes that it is active; ``epoch`` is that of its leadership."""

    __slots__ = ("epoch",)

    def __init__(self, epoch: i64) -> None:
        self.epoch: i64 = epoch

    def handle(self, channel: ControllerChannel, request: ControllerRequest) -> None:
        """Handle a request of a broker."""

    def retry_commits(self) -> None:
        """The majority is back: what waits for it commits."""

    def close(self) -> None:
        """Lose the leadership: nothing that is not committed will be."""
