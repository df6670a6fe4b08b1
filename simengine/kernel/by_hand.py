"""A person's hand on one message: hold it, deliver it now, or lose it.

A message is named by the number of its Flight fact; once it has arrived nothing can be done to it any more. TCP keeps
the order of a connection (TCP-1): what was sent behind a held message waits with it, and what was sent before a
delivered one arrives first. TCP does not lose a single message either: to lose one, its connection has to break, so the
client gets a reset and repeats what it has to (PC-7). What a cut link drops anyway cannot be delivered. A fact says of
which message it was; ``cause`` is the fact of the action.
"""

from mypy_extensions import i64

from simengine.facts.decisive import MessageHandled
from simengine.facts.kinds import FLIGHT_DROPPED, HAND_DELIVERS, HAND_HOLDS, HAND_LOSES
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.network import Network

LOST: int = 0  # the flight of a message that a person lost: it has ended


def hold(net: Network, flight: i64, cause: i64) -> None:
    """Let a message wait where it is until it is delivered, or everything is healed."""
    message = _find(net, flight)
    if message is None or message in net.pinned:
        return
    _state(net, message, HAND_HOLDS, cause)
    _take(net, message)
    net.pinned.append(message)


def deliver(net: Network, flight: i64, cause: i64) -> None:
    """Let a message arrive now."""
    message = _find(net, flight)
    if message is None or message.channel.silent(message.to_server):
        return
    _state(net, message, HAND_DELIVERS, cause)
    channel = message.channel
    if not channel.holds(message):
        flying = _in_the_air(net, message)
        channel.take(flying[: flying.index(message) + 1])
    channel.hand_over(message)


def drop(net: Network, flight: i64, cause: i64) -> None:
    """Lose a message: the connection that it was sent on breaks."""
    message = _find(net, flight)
    if message is None:
        return
    _state(net, message, HAND_LOSES, cause)
    _take(net, message)
    net.end_flight(message, FLIGHT_DROPPED, -1)
    message.flight = LOST
    if message not in net.pinned:
        net.pinned.append(message)
    message.channel.hang_up()


def release_all(net: Network) -> None:
    """Nobody holds a message any more; what was lost stays lost."""
    net.pinned = [message for message in net.pinned if message.flight == LOST]
    net.healed()


def _state(net: Network, message: Message, how: i64, cause: i64) -> None:
    """State what is done to which message."""
    channel = message.channel
    src = channel.client if message.to_server else channel.server
    dst = channel.server if message.to_server else channel.client
    net.sim.trace.state(
        MessageHandled(cause, flight=message.flight, how=how, msg=message.msg, src=src.id, dst=dst.id, p=message.p)
    )


def _take(net: Network, message: Message) -> None:
    """Out of the air, with what was sent behind it on the same connection."""
    if not message.channel.holds(message):
        flying = _in_the_air(net, message)
        message.channel.take(flying[flying.index(message) :])


def is_under_way(net: Network, flight: i64) -> bool:
    """True if a message with this number has been sent and has not arrived."""
    return _find(net, flight) is not None


def _find(net: Network, flight: i64) -> Message | None:
    for event in net.sim.calendar.waiting():
        if isinstance(event, Message) and event.flight == flight and not event.held:
            return event if event.conn == event.channel.conn else None
    for node in net.nodes:
        for channel in node.channels:
            if channel.client is node and isinstance(channel, Channel):
                message = channel.waiting(flight)
                if message is not None:
                    return message
    return None


def _in_the_air(net: Network, message: Message) -> list[Message]:
    """The messages under way on the same connection in the same direction, in the order of their arrival."""
    return [
        event
        for event in net.sim.calendar.waiting()
        if isinstance(event, Message)
        and not event.held
        and event.channel is message.channel
        and event.conn == message.conn
        and event.to_server == message.to_server
    ]
