"""Where a consumer is sent to read, and for how long (FFR-1..3), on states made by hand."""

from dataclasses import dataclass, field

import pytest

from simengine.clients.position import Position
from simengine.kafka.consumer_fetch import preferred_replica
from simengine.kafka.metadata import BrokerState
from simengine.kernel.facts import REG_FENCED, REG_SHUTTING_DOWN
from tests.engine.cluster import SECOND, copy_on, remote_of, world


@dataclass
class Case:
    """Broker 0 leads in zone a; 1 and 2 are in zone b, 1 is two records behind; somebody in b asks for offset 20."""

    name: str
    reader: str = "b"
    leader: str = "a"
    isr: list[int] = field(default_factory=lambda: [0, 1, 2])
    leo: dict[int, int] = field(default_factory=lambda: {1: 38, 2: 40})
    start: dict[int, int] = field(default_factory=dict)
    state: dict[int, int] = field(default_factory=dict)
    preferred: int = 2


CASES = [
    Case("the most caught-up of a zone"),
    Case("which may be another one", leo={1: 40, 2: 38}, preferred=1),
    Case("the leader for readers of its own zone", leader="b", preferred=-1),
    Case("the leader where the zone has no broker", reader="c", preferred=-1),
    Case("only members of the ISR", isr=[0, 1], preferred=1),
    Case("nobody who has not the offset yet", isr=[0, 1], leo={1: 19}, preferred=-1),
    Case("whoever is at the offset", isr=[0, 1], leo={1: 20}, preferred=1),
    Case("nobody whose log begins later", start={2: 21}, preferred=1),
    Case("whoever's log begins there", start={2: 20}),
    Case("nobody who is fenced", state={2: REG_FENCED}, preferred=1),
    Case("whoever is in shutdown", state={2: REG_SHUTTING_DOWN}),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_leader_sends_a_reader_to(case: Case) -> None:
    """FFR-1, FFR-2; of two as good ones see test_elections_directed.py."""
    brokers = [{"id": i, "rack": rack} for i, rack in enumerate("abb")]
    run = world(cluster={"brokers": brokers, "controllers": [100]})
    run.run(SECOND)
    leader = copy_on(run, 0)
    leader.broker.rack = case.leader
    leader.isr = case.isr
    for broker, leo in case.leo.items():
        remote_of(leader, broker).leo = leo
    for broker, start in case.start.items():
        remote_of(leader, broker).start = start
    image = leader.broker.image
    for broker, state in case.state.items():
        image.brokers[broker] = BrokerState(broker, image.broker_epoch(broker), state)
    assert preferred_replica(leader.broker, leader, 20, case.reader) == case.preferred


@pytest.mark.parametrize(("now", "source"), [(9, 2), (10, 0), (11, 0)])
def test_a_preferred_replica_is_read_from_for_a_time(now: int, source: int) -> None:
    """FFR-3: then the leader is asked again."""
    position = Position(0)
    position.leader, position.preferred, position.preferred_until = 0, 2, 10
    assert position.source(now) == source
    assert position.source(8) == source, "what has expired is not taken up again"
