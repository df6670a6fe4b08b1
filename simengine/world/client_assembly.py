"""The producers and consumers of a cluster: made from a document, and those that join while the run is under way."""

from simengine.clients.consumer.consumer import Consumer
from simengine.clients.network.settings import (
    ASSIGNED,
    IDEMPOTENCE_DEFAULT,
    IDEMPOTENCE_OFF,
    IDEMPOTENCE_ON,
    SUBSCRIBED,
    ConsumerSettings,
    ProducerSettings,
)
from simengine.clients.producer.producer import Producer
from simengine.kafka.wire.api import BY_TIME, EARLIEST, LATEST, NO_RESET
from simengine.kernel.node import Node
from simengine.scenario import settings as resolved
from simengine.scenario.model import ConsumerEntry, ProducerEntry
from simengine.world.cluster_parts import ClusterParts

RESETS = {"earliest": EARLIEST, "latest": LATEST, "none": NO_RESET, "by_duration": BY_TIME}


def make_clients(parts: ClusterParts) -> list[Node]:
    """Producers and consumers, in document order; a client's index is its place among those of all clusters."""
    nodes: list[Node] = [make_producer(parts, model) for model in parts.doc.producers]
    nodes += [make_consumer(parts, model) for model in parts.doc.consumers]
    return nodes


def make_producer(parts: ClusterParts, model: ProducerEntry) -> Producer:
    """A producer, closed and without links."""
    profile = parts.settings.profile
    settings = producer_settings(resolved.producer_settings(profile, model.acks, model.config, model.record_bytes))
    if "enable.idempotence" not in model.config:
        settings.idempotence = IDEMPOTENCE_DEFAULT  # decided anew when acks change
    settings.notice_us = parts.doc.phases.request_timeout_us.get(model.id, -1)
    node = Producer(parts.net, model.id, model.rack or "", settings, parts.ledger, parts.site)
    node.resend = model.resend
    parts.producers.append(node)
    parts.clients[model.id] = node
    return node


def make_consumer(parts: ClusterParts, model: ConsumerEntry) -> Consumer:
    """A consumer, closed and without links."""
    profile = parts.settings.profile
    settings = consumer_settings(resolved.consumer_settings(profile, model.config, model.rack or ""), model.group or "")
    settings.sees_epochs = not profile.legacy
    settings.mode = SUBSCRIBED if model.group and model.topics else ASSIGNED
    settings.follows_topics = bool(model.topics)
    node = Consumer(parts.net, model.id, model.rack or "", settings, parts.ledger, parts.site)
    parts.consumers.append(node)
    parts.clients[model.id] = node
    return node


def open_clients(parts: ClusterParts) -> None:
    """Tell all clients of the document their partitions, and open those that are open at the start."""
    for producer, writes in zip(parts.producers, parts.doc.producers, strict=True):
        attach_producer(parts, producer, writes)
        if writes.state == "open":
            producer.open(0)
    for consumer, reads in zip(parts.consumers, parts.doc.consumers, strict=True):
        attach_consumer(parts, consumer, reads)
        if reads.state == "open":
            consumer.open(0)


def attach_producer(parts: ClusterParts, producer: Producer, model: ProducerEntry) -> None:
    """Name its brokers and partitions, and share its rate out over these."""
    producer.attach(parts.cluster.servers(), model.via)
    partitions = parts.topic_partitions(model.topic, model.partitions)
    if model.partitions is None:
        producer.spread = partitions
    share, rest = divmod(model.rate_milli, len(partitions))
    for k, p in enumerate(partitions):
        producer.calls_to(p).rate_milli = share + (1 if k < rest else 0)


def attach_consumer(parts: ClusterParts, consumer: Consumer, model: ConsumerEntry) -> None:
    """Name its brokers, its partitions, and its group's offsets partition."""
    assigned = [parts.partition_index[topic, number] for topic, number in model.partitions]
    for topic in model.topics:
        assigned.extend(parts.topic_partitions(topic, None))
    offsets_p = parts.offsets_partition() if model.group else -1
    consumer.attach(parts.cluster.servers(), model.via, assigned, offsets_p)


def producer_settings(model: resolved.ResolvedProducerSettings) -> ProducerSettings:
    """The engine's producer settings."""
    settings = ProducerSettings()
    settings.acks = model.acks
    settings.idempotence = IDEMPOTENCE_ON if model.idempotence else IDEMPOTENCE_OFF
    settings.linger_us = model.linger_us
    settings.batch_records = model.batch_records
    settings.max_in_flight = model.max_in_flight
    settings.retries = model.retries
    settings.retry_backoff_us = model.retry_backoff_us
    settings.retry_backoff_max_us = model.retry_backoff_max_us
    settings.request_timeout_us = model.request_timeout_us
    settings.delivery_timeout_us = model.delivery_timeout_us
    settings.metadata_max_age_us = model.metadata_max_age_us
    settings.max_block_us = model.max_block_us
    return settings


def consumer_settings(model: resolved.ResolvedConsumerSettings, group: str) -> ConsumerSettings:
    """The engine's consumer settings."""
    settings = ConsumerSettings()
    settings.group = group
    settings.reset = RESETS[model.reset]
    settings.reset_back_us = model.reset_back_us
    settings.rack = model.client_rack
    settings.max_wait_us = model.fetch_max_wait_us
    settings.request_timeout_us = model.request_timeout_us
    settings.auto_commit_us = model.auto_commit_interval_us if model.auto_commit and group else 0
    settings.session_timeout_us = model.session_timeout_us
    settings.heartbeat_us = model.heartbeat_interval_us
    settings.max_poll_us = model.max_poll_interval_us
    settings.retry_backoff_us = model.retry_backoff_us
    settings.retry_backoff_max_us = model.retry_backoff_max_us
    settings.metadata_max_age_us = model.metadata_max_age_us
    return settings
