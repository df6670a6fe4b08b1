"""message_conservation: nothing on the wire comes twice, early, or goes without a word.

Held against the whole state, not at every event: what was sent was delivered, or lost, or is under way; what is under
way in one direction of one connection arrives in the order in which it was sent; a broker has one AlterPartition under
way at most (AP-4). Not for runs in which a person takes messages out of the air.
"""

from typing import Final

from simengine.facts.kinds import MSG_ALTER_PARTITION
from simengine.kernel.calendar import Event
from simengine.kernel.channel import Channel
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from tests.invariants.violation import demand

NAME: Final = "message_conservation"


def message_conservation(net: Network) -> None:
    """All channels, against what the calendar, paused processes and cut links hold."""
    proposals: dict[int, int] = {}  # by broker
    under_way = messages_under_way(net)
    for channel in channels_of(net):
        messages = under_way.get(id(channel), [])
        check_channel(channel, messages)
        asked = [m for m in messages if m.msg == MSG_ALTER_PARTITION and m.conn == channel.conn]
        proposals[int(channel.client.id)] = proposals.get(int(channel.client.id), 0) + len(asked)
    for node, count in proposals.items():
        demand(count <= 1, NAME, f"broker {node}", f"{count} AlterPartition requests are under way")


def channels_of(net: Network) -> list[Channel]:
    """Every channel once."""
    every = [channel for node in net.nodes for channel in node.channels if channel.client is node]
    return [channel for channel in every if isinstance(channel, Channel)]


def messages_under_way(net: Network) -> dict[int, list[Message]]:
    """By channel, in order of arrival: those that wait for a paused process, those in the air, those held by a cut.

    With them come those of closed connections that a kernel still repeats (PROD-13).
    """
    events: list[Event] = [event for node in net.nodes for event in node.inbox]
    events += net.sim.calendar.waiting()
    for channel in channels_of(net):
        events += [*channel.held(), *channel._orphaned]
    found: dict[int, list[Message]] = {}
    for event in events:
        if isinstance(event, Message):
            found.setdefault(id(event.channel), []).append(event)
    return found


def check_channel(channel: Channel, messages: list[Message]) -> None:
    """The sums of one channel, and the order of what is under way on its connection."""
    where = f"from {channel.client.name} to {channel.server.name}"
    gone = channel.delivered + channel.lost
    story = f"{int(channel.sent)} sent, {int(gone)} delivered or lost, {len(messages)} under way"
    demand(channel.sent == gone + len(messages), NAME, where, story)
    for to_server in (True, False):
        mine = [m for m in messages if m.to_server == to_server and m.conn == channel.conn]
        flying = [int(m.flight) for m in mine if not m.held]
        caught = [int(m.flight) for m in mine if m.held]  # in the air when a cut came, or held back since
        held = [int(m.flight) for m in channel.held() if m.to_server == to_server]
        ok = flying == sorted(set(flying)) and held == sorted(set(held)) and len(caught) == len(set(caught))
        ok = ok and (not flying or not caught or flying[-1] < min(caught))
        demand(ok, NAME, where, f"out of order: {flying} in the air, {caught} met a cut, {held} held")
