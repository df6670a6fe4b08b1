"""A broker's metadata responses to clients: leaders, new partitions, deleted partitions (LIVE-7).

A client asks for its topics by name and learns of all their partitions. Here it asks for the partitions that it knows;
the answer names those of the same topics that it does not know yet.
"""

from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.wire.api import ClientChannel, FoundPartition, MetadataAnswer, MetadataRequest


def handle_metadata(broker: ReplicaHost, channel: ClientChannel, request: MetadataRequest) -> None:
    """LIVE-7: leaders and epochs as this broker knows them."""
    leaders: list[int] = []
    epochs: list[int] = []
    for p in request.partitions:
        registration = broker.image.partition(p)
        leaders.append(-1 if registration is None else int(registration.leader))
        epochs.append(-1 if registration is None else int(registration.epoch))
    alive = [broker_id for broker_id in sorted(broker.image.brokers) if broker.image.is_unfenced(broker_id)]
    answer = MetadataAnswer(request.partitions, leaders, epochs, alive)
    if request.wants_racks:
        answer.racks = [",".join(broker.racks_of(p)) for p in request.partitions]
    if broker.image.has_changed:
        _tell_changes(broker, answer)
    channel.answer(answer)


def _tell_changes(broker: ReplicaHost, answer: MetadataAnswer) -> None:
    """Add the deleted partitions, and the partitions that the client does not know yet, to the response."""
    first_of: dict[str, int] = {}  # by topic name: a partition of the newest topic of that name that was asked for
    at_place: dict[tuple[str, int], int] = {}  # by topic name and number: the newest that was asked for
    asked: dict[int, bool] = {}
    gone: list[int] = []
    for p in answer.partitions:
        topic, number = broker.partition_names[p]
        name = broker.topics[topic].name
        asked[p] = True
        if name not in first_of or broker.partition_names[first_of[name]][0] < topic:
            first_of[name] = p
        at_place[name, number] = max(p, at_place.get((name, number), -1))
        if topic in broker.image.removed:
            gone.append(p)
    found: list[FoundPartition] = []
    live: dict[str, bool] = {}
    for r in broker.image.partitions:
        if r is None:
            continue
        name = broker.topics[r.topic].name
        live[name] = True
        if name in first_of and int(r.p) not in asked and broker.partition_names[first_of[name]][0] <= int(r.topic):
            number = broker.partition_names[r.p][1]
            found.append(FoundPartition(r.p, r.leader, r.epoch, at_place.get((name, number), -1), first_of[name]))
    answer.gone = gone
    answer.ended = [p for p in gone if broker.topics[broker.partition_names[p][0]].name in live]
    answer.found = found
