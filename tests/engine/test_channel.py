"""Channels: what a connection attempt comes to when a cut swallows its answer, and how a long queue is worked off."""

from simengine.facts.traffic import Appended
from simengine.kernel.channel import Channel
from simengine.kernel.connecting import CONNECTING, DOWN, UP
from simengine.kernel.message import Message
from simengine.kernel.network import Network
from simengine.kernel.node import Node
from simengine.kernel.sim import Sim
from tests.engine.cluster import SECOND, facts, world


def test_a_connection_stands_only_when_a_paused_process_has_answered_the_first_request() -> None:
    """PC-12: the kernel of a paused process accepts; a client that greets waits for the process."""
    for greeting_us in (0, 30_000_000):
        sim = Sim(1)
        client, server = Node(sim, 0, "client", ""), Node(sim, 1, "server", "")
        channel = Channel(Network(sim, [client, server], 1_000, 0), client, server)
        channel.greeting_us = greeting_us
        server.listening = True
        server.pause()
        channel.connect()
        sim.run(1_000_000, 1_000)
        assert channel.state == (CONNECTING if greeting_us else UP)
        server.resume()
        sim.run(1_100_000, 1_000)
        assert channel.state == UP


def test_a_refusal_that_nobody_hears_leaves_the_attempt_alive() -> None:
    """TCP-1: the cut falls between a SYN and the reset that answers it; the SYN is repeated after the heal."""
    sim = Sim(1)
    client, server = Node(sim, 0, "client", ""), Node(sim, 1, "server", "")
    net = Network(sim, [client, server], 1_000, 0)
    channel = Channel(net, client, server)
    server.listening = False
    channel.connect()
    sim.run(1_500, 1_000)
    net.cut(server, client)
    sim.run(500_000, 1_000)
    net.heal(server, client)
    server.listening = True
    sim.run(3_000_000, 1_000)
    assert channel.state == UP


def test_the_sockets_of_a_killed_process_take_what_is_sent_until_they_are_closed() -> None:
    """FLT-3: a client sees the reset 10 ms after the kill or later. A process that ends in order resets at once."""
    for was_killed in (True, False):
        sim = Sim(1)
        client, server = Node(sim, 0, "client", ""), Node(sim, 1, "server", "")
        channel = Channel(Network(sim, [client, server], 1_000, 0), client, server)
        channel.connect()
        sim.run(1_000_000, 1_000)
        if was_killed:
            server.close_sockets_late()
        server.die()
        sim.run(1_005_000, 1_000)
        assert channel.state == (UP if was_killed else DOWN)
        if was_killed:
            channel.send(Message(0, -1, 1, 0))
        sim.run(1_010_900, 1_000)
        assert channel.state == (UP if was_killed else DOWN), "the dead host refuses nothing yet"
        sim.run(2_000_000, 1_000)
        assert channel.state == DOWN
        assert (channel.sent, channel.delivered) == (int(was_killed), 0)


def test_records_of_acks_0_vanish_while_a_killed_leader_has_open_sockets() -> None:
    """FLT-3, PC-9: at 200 records a second at least one is sent in the 10 ms before the sockets close (w015, f419)."""
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 200, "acks": "0", "config": {"enable.idempotence": False}}],
        timeline=[{"at": "5s", "do": "kill 0"}],
        network={"latency": "10us", "jitter": "0us"},
    )
    run.run(40 * SECOND)
    vanished = run.only.book.figures()["0"]["vanished"]
    assert isinstance(vanished, int) and 1 <= vanished <= 40


def test_a_slow_server_works_off_thousands_of_requests_that_need_no_answer() -> None:
    """PROD-12: after a resume they lie in its socket, and are taken up one after the other."""
    each_alone = {"batch.size": 1, "linger.ms": 0, "enable.idempotence": False}
    run = world(
        producers=[{"id": "P", "topic": "t", "rate": 1000, "acks": "0", "config": each_alone}],
        timeline=[{"at": "5s", "do": "pause 0"}, {"at": "9s", "do": "resume 0 slow"}],
    )
    run.run(12 * SECOND)
    appended = [fact for fact in facts(run, Appended) if fact.broker == 0]
    assert sum(fact.count for fact in appended) > 11_900
