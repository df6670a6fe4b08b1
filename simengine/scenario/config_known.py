"""Kafka configuration keys that exist but change nothing in the simulation: sizes, security, quotas, compaction, …

They are accepted, kept, and listed as ignored. Keys of older versions that people still have in their files
(ZooKeeper, controlled.shutdown.max.retries, …) stand here too.
"""

from typing import Final


def _names(text: str) -> tuple[str, ...]:
    """The words of `text`."""
    return tuple(text.split())


_BROKER: Final = _names(
    """
    add.partitions.to.txn.retry.backoff.max.ms add.partitions.to.txn.retry.backoff.ms advertised.listeners
    alter.config.policy.class.name alter.log.dirs.replication.quota.window.num
    alter.log.dirs.replication.quota.window.size.seconds authorizer.class.name auto.create.topics.enable
    auto.include.jmx.reporter background.threads broker.id broker.id.generation.enable broker.rack
    client.quota.callback.class compression.gzip.level compression.lz4.level compression.type compression.zstd.level
    config.providers connection.failed.authentication.delay.ms connections.max.idle.ms connections.max.reauth.ms
    control.plane.listener.name controlled.shutdown.max.retries controlled.shutdown.retry.backoff.ms
    controller.listener.names controller.performance.always.log.threshold.ms controller.performance.sample.period.ms
    controller.quorum.auto.join.enable controller.quorum.bootstrap.servers controller.quorum.election.backoff.max.ms
    controller.quorum.election.timeout.ms controller.quorum.fetch.snapshot.max.bytes
    controller.quorum.request.timeout.ms controller.quorum.retry.backoff.ms controller.quorum.voters
    controller.quota.window.num controller.quota.window.size.seconds create.topic.policy.class.name
    default.replication.factor delegation.token.expiry.check.interval.ms delegation.token.expiry.time.ms
    delegation.token.master.key delegation.token.max.lifetime.ms delegation.token.secret.key
    delete.records.purgatory.purge.interval.requests delete.topic.enable early.start.listeners
    eligible.leader.replicas.version fetch.max.bytes fetch.purgatory.purge.interval.requests
    follower.replication.throttled.rate group.consumer.assignors group.consumer.heartbeat.interval.ms
    group.consumer.max.heartbeat.interval.ms group.consumer.max.session.timeout.ms group.consumer.max.size
    group.consumer.migration.policy group.consumer.min.heartbeat.interval.ms group.consumer.min.session.timeout.ms
    group.consumer.regex.refresh.interval.ms group.consumer.session.timeout.ms group.coordinator.append.linger.ms
    group.coordinator.cached.buffer.max.bytes group.coordinator.new.enable group.coordinator.rebalance.protocols
    group.coordinator.threads group.max.session.timeout.ms group.max.size
    group.min.session.timeout.ms group.share.assignors group.share.delivery.count.limit group.share.enable
    group.share.heartbeat.interval.ms group.share.max.groups group.share.max.heartbeat.interval.ms
    group.share.max.partition.max.record.locks group.share.max.record.lock.duration.ms
    group.share.max.session.timeout.ms group.share.max.share.sessions group.share.max.size
    group.share.min.heartbeat.interval.ms group.share.min.record.lock.duration.ms group.share.min.session.timeout.ms
    group.share.partition.max.record.locks group.share.persister.class.name group.share.record.lock.duration.ms
    group.share.session.timeout.ms group.streams.heartbeat.interval.ms group.streams.max.size
    group.streams.num.standby.replicas group.streams.session.timeout.ms inter.broker.listener.name
    inter.broker.protocol.version internal.leader.imbalance.per.broker.percentage kafka.metrics.polling.interval.secs
    kafka.metrics.reporters leader.imbalance.per.broker.percentage leader.replication.throttled.rate listener.name
    listener.security.protocol.map listeners log.cleaner.backoff.ms log.cleaner.dedupe.buffer.size
    log.cleaner.delete.retention.ms log.cleaner.enable log.cleaner.io.buffer.load.factor log.cleaner.io.buffer.size
    log.cleaner.io.max.bytes.per.second log.cleaner.max.compaction.lag.ms log.cleaner.min.cleanable.ratio
    log.cleaner.min.compaction.lag.ms log.cleaner.threads log.dir log.dir.failure.timeout.ms log.dirs
    log.flush.interval.ms log.flush.offset.checkpoint.interval.ms log.flush.scheduler.interval.ms
    log.flush.start.offset.checkpoint.interval.ms log.index.interval.bytes log.index.size.max.bytes
    log.local.retention.bytes log.local.retention.ms log.message.downconversion.enable
    log.message.format.version log.message.timestamp.after.max.ms log.message.timestamp.before.max.ms
    log.message.timestamp.difference.max.ms log.message.timestamp.type log.preallocate
    log.roll.jitter.hours log.roll.jitter.ms log.segment.delete.delay.ms
    max.connection.creation.rate max.connections max.connections.per.ip max.connections.per.ip.overrides
    max.incremental.fetch.session.cache.slots max.request.partition.size.limit message.max.bytes metadata.log.dir
    metadata.log.max.record.bytes.between.snapshots metadata.log.max.snapshot.interval.ms metadata.log.segment.bytes
    metadata.log.segment.min.bytes metadata.log.segment.ms metadata.max.idle.interval.ms metadata.max.retention.bytes
    metadata.max.retention.ms metric.reporters metrics.num.samples metrics.recording.level metrics.sample.window.ms
    node.id num.io.threads num.network.threads num.partitions num.recovery.threads.per.data.dir
    num.replica.alter.log.dirs.threads offset.metadata.max.bytes offsets.commit.required.acks offsets.commit.timeout.ms
    offsets.load.buffer.size offsets.topic.compression.codec offsets.topic.num.partitions offsets.topic.segment.bytes
    password.encoder.secret
    principal.builder.class process.roles producer.id.expiration.check.interval.ms producer.id.expiration.ms
    producer.purgatory.purge.interval.requests queued.max.request.bytes queued.max.requests quota.window.num
    quota.window.size.seconds remote.fetch.max.wait.ms remote.log.index.file.cache.total.size.bytes
    remote.log.manager.copier.thread.pool.size remote.log.manager.copy.max.bytes.per.second
    remote.log.manager.expiration.thread.pool.size remote.log.manager.fetch.max.bytes.per.second
    remote.log.manager.task.interval.ms remote.log.manager.thread.pool.size remote.log.metadata.manager.class.name
    remote.log.metadata.manager.listener.name remote.log.reader.threads remote.log.storage.manager.class.name
    remote.log.storage.system.enable replica.alter.log.dirs.io.max.bytes.per.second replica.fetch.max.bytes
    replica.fetch.min.bytes replica.fetch.response.max.bytes replica.socket.receive.buffer.bytes
    replication.quota.window.num replication.quota.window.size.seconds reserved.broker.max.id sasl.enabled.mechanisms
    sasl.jaas.config sasl.kerberos.service.name sasl.mechanism.controller.protocol sasl.mechanism.inter.broker.protocol
    security.inter.broker.protocol security.providers server.max.startup.time.ms share.coordinator.append.linger.ms
    share.coordinator.load.buffer.size share.coordinator.snapshot.update.records.per.snapshot
    share.coordinator.state.topic.min.isr share.coordinator.state.topic.num.partitions
    share.coordinator.state.topic.replication.factor share.coordinator.threads socket.connection.setup.timeout.max.ms
    socket.connection.setup.timeout.ms socket.listen.backlog.size socket.receive.buffer.bytes socket.request.max.bytes
    socket.send.buffer.bytes ssl.cipher.suites ssl.client.auth ssl.enabled.protocols
    ssl.endpoint.identification.algorithm ssl.key.password ssl.keystore.location ssl.keystore.password ssl.keystore.type
    ssl.protocol ssl.truststore.location ssl.truststore.password ssl.truststore.type telemetry.max.bytes
    transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
    transaction.partition.verification.enable transaction.remove.expired.transaction.cleanup.interval.ms
    transaction.state.log.load.buffer.size transaction.state.log.min.isr transaction.state.log.num.partitions
    transaction.state.log.replication.factor transaction.state.log.segment.bytes transaction.two.phase.commit.enable
    transactional.id.expiration.ms unstable.api.versions.enable unstable.feature.versions.enable zookeeper.connect
    zookeeper.connection.timeout.ms zookeeper.session.timeout.ms
    """
)

_TOPIC: Final = _names(
    """
    compression.gzip.level compression.lz4.level compression.type compression.zstd.level
    confluent.placement.constraints delete.retention.ms file.delete.delay.ms flush.ms
    follower.replication.throttled.replicas index.interval.bytes internal.segment.bytes
    leader.replication.throttled.replicas local.retention.bytes local.retention.ms max.compaction.lag.ms
    max.message.bytes message.downconversion.enable message.format.version message.timestamp.after.max.ms
    message.timestamp.before.max.ms message.timestamp.difference.max.ms message.timestamp.type
    min.cleanable.dirty.ratio min.compaction.lag.ms preallocate remote.log.copy.disable remote.log.delete.on.disable
    remote.storage.enable segment.index.bytes segment.jitter.ms
    """
)

_PRODUCER: Final = _names(
    """
    auto.include.jmx.reporter bootstrap.servers buffer.memory client.dns.lookup client.id compression.gzip.level
    compression.lz4.level compression.type compression.zstd.level config.providers connections.max.idle.ms
    enable.metrics.push interceptor.classes key.serializer max.request.size metadata.max.idle.ms
    metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy metric.reporters metrics.num.samples
    metrics.recording.level metrics.sample.window.ms partitioner.adaptive.partitioning.enable
    partitioner.availability.timeout.ms partitioner.class partitioner.ignore.keys receive.buffer.bytes
    reconnect.backoff.max.ms reconnect.backoff.ms sasl.client.callback.handler.class sasl.jaas.config
    sasl.kerberos.service.name sasl.login.callback.handler.class sasl.mechanism security.protocol security.providers
    send.buffer.bytes socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms ssl.cipher.suites
    ssl.enabled.protocols ssl.endpoint.identification.algorithm ssl.key.password ssl.keystore.location
    ssl.keystore.password ssl.keystore.type ssl.protocol ssl.truststore.location ssl.truststore.password
    ssl.truststore.type transaction.timeout.ms transaction.two.phase.commit.enable transactional.id value.serializer
    """
)

_CONSUMER: Final = _names(
    """
    allow.auto.create.topics auto.include.jmx.reporter bootstrap.servers check.crcs client.dns.lookup client.id
    client.rack config.providers connections.max.idle.ms default.api.timeout.ms enable.metrics.push
    exclude.internal.topics fetch.max.bytes fetch.min.bytes group.id group.instance.id group.protocol
    group.remote.assignor interceptor.classes key.deserializer max.partition.fetch.bytes max.poll.records
    metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy metric.reporters metrics.num.samples
    metrics.recording.level metrics.sample.window.ms partition.assignment.strategy receive.buffer.bytes
    reconnect.backoff.max.ms reconnect.backoff.ms sasl.client.callback.handler.class sasl.jaas.config
    sasl.kerberos.service.name sasl.login.callback.handler.class sasl.mechanism security.protocol security.providers
    send.buffer.bytes share.acknowledgement.mode share.acquire.mode socket.connection.setup.timeout.max.ms
    socket.connection.setup.timeout.ms ssl.cipher.suites ssl.enabled.protocols ssl.endpoint.identification.algorithm
    ssl.key.password ssl.keystore.location ssl.keystore.password ssl.keystore.type ssl.protocol
    ssl.truststore.location ssl.truststore.password ssl.truststore.type value.deserializer
    """
)

_MIRROR: Final = _names(
    """
    add.source.alias.to.metrics admin.timeout.ms config.action.reload config.property.filter.class
    config.storage.replication.factor config.storage.topic connect.protocol connector.class consumer.poll.timeout.ms
    dedicated.mode.enable.internal.rest errors.log.enable
    errors.log.include.messages errors.retry.delay.max.ms errors.retry.timeout errors.tolerance
    exactly.once.source.support exactly.once.support forwarding.admin.class group.filter.class group.id
    header.converter heartbeats.replication.enabled key.converter listeners metric.reporters name
    offset.storage.partitions offset.storage.topic offsets.storage.topic plugin.discovery
    plugin.path predicates rebalance.timeout.ms
    status.storage.partitions status.storage.replication.factor
    status.storage.topic sync.topic.acls.enabled sync.topic.acls.interval.seconds
    tasks.max.enforce topic.creation.enable topic.creation.groups topic.filter.class topic.tracking.allow.reset
    topic.tracking.enable transaction.boundary transaction.boundary.interval.ms transforms
    use.defaults.from use.incremental.alter.configs value.converter worker.sync.timeout.ms
    worker.unsync.backoff.ms
    """
)

KNOWN: Final[dict[str, tuple[str, ...]]] = {
    "broker": _BROKER,
    "topic": _TOPIC,
    "producer": _PRODUCER,
    "consumer": _CONSUMER,
    "mirror": _MIRROR,
}
