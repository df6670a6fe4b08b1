"""A broker applies committed metadata: first all new leaders, then the followers; then it releases what waits.

Implements STATE-6, REA-4, SHUT-5. A deleted topic goes by its index, as by its id in Kafka: the log of an old topic
is never taken for one of the new topic of that name (``LogManager.isStrayReplica``).
"""

from simengine.facts.kinds import REG_ACTIVE
from simengine.kafka.broker.broker_process import BrokerProcess
from simengine.kafka.replica import retention
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.shared.metadata import REMOVE_TOPIC_RECORD, Record


def apply_metadata(broker: BrokerProcess, records: list[Record]) -> None:
    """Apply a batch of the metadata log, in the order of its kinds (ORD-1, ORD-2)."""
    changed: list[Record] = []
    for record in records:
        broker.image.apply(record)
        if record.partition is not None:
            changed.append(record)
    leads = [r for r in changed if r.partition is not None and r.partition.leader == broker.id]
    for record in leads:
        _apply_partition(broker, record)
    for record in changed:
        if record.partition is not None and record.partition.leader != broker.id:
            _apply_partition(broker, record)
    for record in records:
        if record.kind == REMOVE_TOPIC_RECORD:
            _drop_topic(broker, record)
        if record.settings is not None:
            _refresh_settings(broker)
        if record.broker is not None:
            if record.broker.broker == broker.id and record.broker.state != REG_ACTIVE:
                broker.sees_itself_leave()
    broker.observer.metadata_applied(broker, records)
    broker.metadata_published()
    broker.flush()


def _apply_partition(broker: BrokerProcess, record: Record) -> None:
    registration = record.partition
    assert registration is not None, "a partition record without a partition"
    known = broker.image.partition(registration.p)
    if known is not registration:
        return  # a later record of the same batch says more
    replica = broker.replica(registration.p)
    if broker.id not in registration.replicas:
        if replica is not None:
            broker.drop(replica, record.cause)
        return
    if replica is None:
        replica = broker.host(registration.p)
    take_registration(replica, registration, registration.fact)


def _drop_topic(broker: BrokerProcess, record: Record) -> None:
    """A topic was deleted: so are its logs here, also those that a broker brings with it that was down meanwhile."""
    for replica in list(broker.hosted):
        if replica.topic() == record.topic:
            broker.drop(replica, record.fact)


def _refresh_settings(broker: BrokerProcess) -> None:
    for replica in broker.hosted:
        replica.refresh_min_isr()
        retention.refresh(replica)
