"""Messages: requests and answers under way on a channel."""

from typing import TYPE_CHECKING

from mypy_extensions import i64

from simengine.kernel.calendar import Event

if TYPE_CHECKING:
    from simengine.kernel.channel import Channel


class Message(Event):
    """A request or an answer under way. Subclasses say in ``arrive`` what the receiver makes of it."""

    __slots__ = (
        "channel",
        "conn",
        "count",
        "flight",
        "held",
        "incarnation",
        "mark",
        "msg",
        "p",
        "sent_at",
        "to_server",
    )

    def __init__(self, msg: i64, p: i64, count: i64, mark: i64) -> None:
        super().__init__()
        self.msg: i64 = msg
        self.p: i64 = p
        self.count: i64 = count
        self.mark: i64 = mark
        self.conn: i64 = 0
        self.incarnation: i64 = 0  # of the server's process to which the connection was made
        self.flight: i64 = 0
        self.sent_at: i64 = 0
        self.to_server: bool = True
        self.held: bool = False

    def fire(self) -> None:
        channel = self.channel
        if self.conn != channel.conn:
            channel.arrives_on_closed(self)
            return
        if self.held or channel.loses_in_flight(self.to_server):
            channel.hold(self)
            return
        node = channel.server if self.to_server else channel.client
        if not node.up or node.incarnation != (
            channel.server_incarnation if self.to_server else channel.client_incarnation
        ):
            channel.lost += 1
            if self.to_server:
                channel.refuse_dead()
            return
        if node.paused:
            node.inbox.append(self)
            return
        channel.delivered += 1
        if self.to_server:
            channel.receive(self)
        else:
            self.arrive()

    def writes(self) -> bool:
        """True for a request that is carried out though its client has closed the connection meanwhile (PROD-13)."""
        return False

    def is_answered(self) -> bool:
        """True for a request that its server answers."""
        return True

    def vanish(self) -> None:
        self.channel.lost += 1

    def comes_by_wire(self) -> bool:
        return True

    def arrive(self) -> None:
        """The receiver handles the message. ``self.channel`` is the connection it came on."""
        raise AssertionError("a message without effect")

    channel: "Channel"
