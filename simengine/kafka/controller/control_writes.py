"""Records of the active controller that are not committed yet, and the responses that wait for them (AP-3)."""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import ERR_NOT_CONTROLLER
from simengine.kafka.shared.metadata import Record
from simengine.kafka.wire.controller_api import ControllerAnswer, ControllerChannel


@final
class Reply:
    """An answer that waits for a commit."""

    __slots__ = ("answer", "channel", "conn")

    def __init__(self, channel: ControllerChannel, answer: ControllerAnswer) -> None:
        self.channel = channel
        self.conn: i64 = channel.conn
        self.answer = answer

    def send(self) -> None:
        """Send it, if the connection it belongs to still stands."""
        if self.conn == self.channel.conn:
            self.channel.answer(self.answer)

    def refuse(self) -> None:
        """The controller is active no longer; what it was to answer will not be committed by it (AP-3)."""
        answer = self.answer
        answer.error = ERR_NOT_CONTROLLER
        answer.mark = ERR_NOT_CONTROLLER
        self.send()


@final
class Write:
    """Records that wait for the quorum, with the answers that wait for them."""

    __slots__ = ("due", "records", "replies")

    def __init__(self, records: list[Record], due: i64) -> None:
        self.records = records
        self.due: i64 = due
        self.replies: list[Reply] = []
