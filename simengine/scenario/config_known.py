"""Kafka configuration keys that exist but change nothing in the simulation, by the reason.

They are accepted, kept, and listed as ignored. Keys of older versions that people still have in their files
(ZooKeeper, controlled.shutdown.max.retries, …) stand here too.
"""

from typing import Final

OWN_PLACE: Final = "it has a place of its own in the document"
SECURITY: Final = "there are no keys, passwords and permissions: everybody is let in"
ADDRESSES: Final = "a process is reached by its id, over connections without limits"
METRICS: Final = "the page reads the metrics itself; no process reports them"
CODE: Final = "code of one's own (policies, filters, serializers) is not run"
TRANSACTIONS: Final = "nothing is written in transactions"
CLASSIC: Final = "groups use the classic protocol"
RANGE: Final = "partitions are assigned by range"
DYNAMIC_MEMBERS: Final = "members are dynamic: one that comes back is a new member"
OTHER_GROUPS: Final = "there are no share groups and no streams groups"
TIERED: Final = "there is no tiered storage"
COMPACTION: Final = "records are not compacted"
COMPRESSION: Final = "records are not compressed"
FILES: Final = "the files of a log are not simulated"
FLUSH_BY_NUMBER: Final = "a log is flushed by number of records only"
TIMESTAMPS: Final = "a record has the time at which it was sent"
METADATA_LOG: Final = "the metadata log is kept whole"
BUFFER: Final = "a producer's buffer has no end"
THREADS: Final = "the threads, queues and caches of a process have no limit"
BYTES: Final = "the size of records, requests and polls cannot be changed"
TOPICS: Final = "only the document and its actions create topics"
QUOTAS: Final = "there are no quotas"
DEFAULT: Final = "Kafka's default holds, whatever the key says"
GONE: Final = "Kafka 4 has no such setting"

_SECURITY_OF_ALL: Final = """
    sasl.client.callback.handler.class sasl.jaas.config sasl.kerberos.kinit.cmd sasl.kerberos.min.time.before.relogin
    sasl.kerberos.service.name sasl.kerberos.ticket.renew.jitter sasl.kerberos.ticket.renew.window.factor
    sasl.login.callback.handler.class sasl.login.class sasl.login.connect.timeout.ms sasl.login.read.timeout.ms
    sasl.login.refresh.buffer.seconds sasl.login.refresh.min.period.seconds sasl.login.refresh.window.factor
    sasl.login.refresh.window.jitter sasl.login.retry.backoff.max.ms sasl.login.retry.backoff.ms
    sasl.oauthbearer.assertion.algorithm sasl.oauthbearer.assertion.claim.aud
    sasl.oauthbearer.assertion.claim.exp.seconds sasl.oauthbearer.assertion.claim.iss
    sasl.oauthbearer.assertion.claim.jti.include sasl.oauthbearer.assertion.claim.nbf.seconds
    sasl.oauthbearer.assertion.claim.sub sasl.oauthbearer.assertion.file sasl.oauthbearer.assertion.private.key.file
    sasl.oauthbearer.assertion.private.key.passphrase sasl.oauthbearer.assertion.template.file
    sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.client.credentials.client.secret
    sasl.oauthbearer.clock.skew.seconds sasl.oauthbearer.expected.audience sasl.oauthbearer.expected.issuer
    sasl.oauthbearer.jwks.endpoint.refresh.ms sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms
    sasl.oauthbearer.jwks.endpoint.retry.backoff.ms sasl.oauthbearer.jwks.endpoint.url
    sasl.oauthbearer.jwt.retriever.class sasl.oauthbearer.jwt.validator.class sasl.oauthbearer.scope
    sasl.oauthbearer.scope.claim.name sasl.oauthbearer.sub.claim.name sasl.oauthbearer.token.endpoint.url
    security.providers ssl.cipher.suites ssl.enabled.protocols ssl.endpoint.identification.algorithm
    ssl.engine.factory.class ssl.key.password ssl.keymanager.algorithm ssl.keystore.certificate.chain ssl.keystore.key
    ssl.keystore.location ssl.keystore.password ssl.keystore.type ssl.protocol ssl.provider
    ssl.secure.random.implementation ssl.trustmanager.algorithm ssl.truststore.certificates ssl.truststore.location
    ssl.truststore.password ssl.truststore.type
"""

_BROKER: Final = {
    OWN_PLACE: """
        broker.id broker.rack controller.quorum.bootstrap.servers controller.quorum.voters default.replication.factor
        eligible.leader.replicas.enable eligible.leader.replicas.version node.id num.partitions
        offsets.topic.num.partitions process.roles
        """,
    SECURITY: _SECURITY_OF_ALL
    + """
        authorizer.class.name connection.failed.authentication.delay.ms connections.max.reauth.ms
        delegation.token.expiry.check.interval.ms delegation.token.expiry.time.ms delegation.token.master.key
        delegation.token.max.lifetime.ms delegation.token.secret.key early.start.listeners
        listener.security.protocol.map password.encoder.cipher.algorithm password.encoder.iterations
        password.encoder.key.length password.encoder.keyfactory.algorithm password.encoder.old.secret
        password.encoder.secret principal.builder.class sasl.enabled.mechanisms sasl.kerberos.principal.to.local.rules
        sasl.mechanism.controller.protocol sasl.mechanism.inter.broker.protocol sasl.server.callback.handler.class
        sasl.server.max.receive.size security.inter.broker.protocol ssl.allow.dn.changes ssl.allow.san.changes
        ssl.client.auth ssl.principal.mapping.rules
        """,
    ADDRESSES: """
        advertised.listeners connections.max.idle.ms controller.listener.names inter.broker.listener.name listeners
        max.connection.creation.rate max.connections max.connections.per.ip max.connections.per.ip.overrides
        replica.socket.receive.buffer.bytes socket.listen.backlog.size socket.receive.buffer.bytes
        socket.request.max.bytes socket.send.buffer.bytes
        """,
    METRICS: """
        auto.include.jmx.reporter controller.performance.always.log.threshold.ms controller.performance.sample.period.ms
        kafka.metrics.polling.interval.secs kafka.metrics.reporters metric.reporters metrics.num.samples
        metrics.recording.level metrics.sample.window.ms telemetry.max.bytes
        """,
    CODE: "alter.config.policy.class.name config.providers create.topic.policy.class.name",
    TRANSACTIONS: """
        add.partitions.to.txn.retry.backoff.max.ms add.partitions.to.txn.retry.backoff.ms
        transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
        transaction.partition.verification.enable transaction.remove.expired.transaction.cleanup.interval.ms
        transaction.state.log.load.buffer.size transaction.state.log.min.isr transaction.state.log.num.partitions
        transaction.state.log.replication.factor transaction.state.log.segment.bytes transaction.two.phase.commit.enable
        transactional.id.expiration.ms
        """,
    CLASSIC: """
        group.consumer.assignors group.consumer.heartbeat.interval.ms group.consumer.max.heartbeat.interval.ms
        group.consumer.max.session.timeout.ms group.consumer.max.size group.consumer.migration.policy
        group.consumer.min.heartbeat.interval.ms group.consumer.min.session.timeout.ms
        group.consumer.regex.refresh.interval.ms group.consumer.session.timeout.ms group.coordinator.new.enable
        group.coordinator.rebalance.protocols
        """,
    OTHER_GROUPS: """
        group.share.assignors group.share.delivery.count.limit group.share.enable group.share.heartbeat.interval.ms
        group.share.initialize.retry.interval.ms group.share.max.groups group.share.max.heartbeat.interval.ms
        group.share.max.partition.max.record.locks group.share.max.record.lock.duration.ms
        group.share.max.session.timeout.ms group.share.max.share.sessions group.share.max.size
        group.share.min.heartbeat.interval.ms group.share.min.record.lock.duration.ms group.share.min.session.timeout.ms
        group.share.partition.max.record.locks group.share.persister.class.name group.share.record.lock.duration.ms
        group.share.session.timeout.ms group.streams.heartbeat.interval.ms group.streams.initial.rebalance.delay.ms
        group.streams.max.heartbeat.interval.ms group.streams.max.session.timeout.ms group.streams.max.size
        group.streams.max.standby.replicas group.streams.min.heartbeat.interval.ms group.streams.min.session.timeout.ms
        group.streams.num.standby.replicas group.streams.session.timeout.ms share.coordinator.append.linger.ms
        share.coordinator.cold.partition.snapshot.interval.ms share.coordinator.load.buffer.size
        share.coordinator.snapshot.update.records.per.snapshot share.coordinator.state.topic.compression.codec
        share.coordinator.state.topic.min.isr share.coordinator.state.topic.num.partitions
        share.coordinator.state.topic.prune.interval.ms share.coordinator.state.topic.replication.factor
        share.coordinator.state.topic.segment.bytes share.coordinator.threads share.coordinator.write.timeout.ms
        share.fetch.max.fetch.records share.fetch.purgatory.purge.interval.requests
        """,
    TIERED: """
        log.local.retention.bytes log.local.retention.ms remote.fetch.max.wait.ms remote.list.offsets.request.timeout.ms
        remote.log.index.file.cache.total.size.bytes remote.log.manager.copier.thread.pool.size
        remote.log.manager.copy.max.bytes.per.second remote.log.manager.copy.quota.window.num
        remote.log.manager.copy.quota.window.size.seconds remote.log.manager.expiration.thread.pool.size
        remote.log.manager.fetch.max.bytes.per.second remote.log.manager.fetch.quota.window.num
        remote.log.manager.fetch.quota.window.size.seconds remote.log.manager.follower.thread.pool.size
        remote.log.manager.task.interval.ms remote.log.manager.task.retry.backoff.max.ms
        remote.log.manager.task.retry.backoff.ms remote.log.manager.task.retry.jitter
        remote.log.manager.thread.pool.size remote.log.metadata.custom.metadata.max.bytes
        remote.log.metadata.manager.class.name remote.log.metadata.manager.class.path
        remote.log.metadata.manager.impl.prefix remote.log.metadata.manager.listener.name
        remote.log.reader.max.pending.tasks remote.log.reader.threads remote.log.storage.manager.class.name
        remote.log.storage.manager.class.path remote.log.storage.manager.impl.prefix remote.log.storage.system.enable
        """,
    COMPACTION: """
        log.cleaner.backoff.ms log.cleaner.dedupe.buffer.size log.cleaner.delete.retention.ms log.cleaner.enable
        log.cleaner.io.buffer.load.factor log.cleaner.io.buffer.size log.cleaner.io.max.bytes.per.second
        log.cleaner.max.compaction.lag.ms log.cleaner.min.cleanable.ratio log.cleaner.min.compaction.lag.ms
        log.cleaner.threads
        """,
    COMPRESSION: """
        compression.gzip.level compression.lz4.level compression.type compression.zstd.level
        offsets.topic.compression.codec
        """,
    FILES: """
        log.dir log.dir.failure.timeout.ms log.dirs log.flush.offset.checkpoint.interval.ms
        log.flush.scheduler.interval.ms log.flush.start.offset.checkpoint.interval.ms log.index.interval.bytes
        log.index.size.max.bytes log.preallocate log.segment.delete.delay.ms metadata.log.dir
        offsets.topic.segment.bytes
        """,
    FLUSH_BY_NUMBER: "log.flush.interval.ms",
    TIMESTAMPS: """
        log.message.timestamp.after.max.ms log.message.timestamp.before.max.ms log.message.timestamp.type
        """,
    METADATA_LOG: """
        controller.quorum.auto.join.enable controller.quorum.fetch.snapshot.max.bytes
        internal.metadata.delete.delay.millis internal.metadata.log.segment.bytes
        internal.metadata.max.batch.size.in.bytes internal.metadata.max.fetch.size.in.bytes
        metadata.log.max.record.bytes.between.snapshots metadata.log.max.snapshot.interval.ms metadata.log.segment.bytes
        metadata.log.segment.min.bytes metadata.log.segment.ms metadata.max.retention.bytes metadata.max.retention.ms
        """,
    THREADS: """
        background.threads delete.records.purgatory.purge.interval.requests fetch.purgatory.purge.interval.requests
        group.coordinator.cached.buffer.max.bytes group.coordinator.threads max.incremental.fetch.session.cache.slots
        num.io.threads num.network.threads num.recovery.threads.per.data.dir num.replica.alter.log.dirs.threads
        offsets.load.buffer.size producer.purgatory.purge.interval.requests queued.max.request.bytes queued.max.requests
        """,
    BYTES: """
        fetch.max.bytes max.request.partition.size.limit message.max.bytes offset.metadata.max.bytes
        replica.fetch.max.bytes replica.fetch.min.bytes replica.fetch.response.max.bytes
        """,
    TOPICS: "auto.create.topics.enable",
    QUOTAS: """
        alter.log.dirs.replication.quota.window.num alter.log.dirs.replication.quota.window.size.seconds
        client.quota.callback.class controller.quota.window.num controller.quota.window.size.seconds quota.window.num
        quota.window.size.seconds replica.alter.log.dirs.io.max.bytes.per.second replication.quota.window.num
        replication.quota.window.size.seconds
        """,
    DEFAULT: """
        controller.quorum.election.backoff.max.ms controller.quorum.election.timeout.ms
        controller.quorum.request.timeout.ms controller.quorum.retry.backoff.ms delete.topic.enable
        group.coordinator.append.linger.ms group.max.session.timeout.ms group.max.size group.min.session.timeout.ms
        listener.name log.roll.jitter.hours log.roll.jitter.ms metadata.max.idle.interval.ms offsets.commit.timeout.ms
        producer.id.expiration.check.interval.ms producer.id.expiration.ms server.max.startup.time.ms
        socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms unstable.api.versions.enable
        unstable.feature.versions.enable
        """,
    GONE: """
        broker.id.generation.enable control.plane.listener.name controlled.shutdown.max.retries
        controlled.shutdown.retry.backoff.ms inter.broker.protocol.version
        internal.leader.imbalance.per.broker.percentage leader.imbalance.per.broker.percentage
        log.message.downconversion.enable log.message.format.version log.message.timestamp.difference.max.ms
        offsets.commit.required.acks reserved.broker.max.id unstable.metadata.versions.enable zookeeper.clientCnxnSocket
        zookeeper.connect zookeeper.connection.timeout.ms zookeeper.max.in.flight.requests
        zookeeper.metadata.migration.enable zookeeper.metadata.migration.min.batch.size zookeeper.session.timeout.ms
        zookeeper.set.acl zookeeper.ssl.cipher.suites zookeeper.ssl.client.enable zookeeper.ssl.crl.enable
        zookeeper.ssl.enabled.protocols zookeeper.ssl.endpoint.identification.algorithm zookeeper.ssl.keystore.location
        zookeeper.ssl.keystore.password zookeeper.ssl.keystore.type zookeeper.ssl.ocsp.enable zookeeper.ssl.protocol
        zookeeper.ssl.truststore.location zookeeper.ssl.truststore.password zookeeper.ssl.truststore.type
        """,
}

_TOPIC: Final = {
    OWN_PLACE: "confluent.placement.constraints",
    TIERED: """
        local.retention.bytes local.retention.ms remote.log.copy.disable remote.log.delete.on.disable
        remote.storage.enable
        """,
    COMPACTION: """
        delete.retention.ms max.compaction.lag.ms min.cleanable.dirty.ratio min.compaction.lag.ms
        """,
    COMPRESSION: """
        compression.gzip.level compression.lz4.level compression.type compression.zstd.level
        """,
    FILES: """
        file.delete.delay.ms index.interval.bytes internal.segment.bytes preallocate segment.index.bytes
        """,
    FLUSH_BY_NUMBER: "flush.ms",
    TIMESTAMPS: """
        message.timestamp.after.max.ms message.timestamp.before.max.ms message.timestamp.type
        """,
    BYTES: "max.message.bytes",
    DEFAULT: "segment.jitter.ms",
    GONE: "message.downconversion.enable message.format.version message.timestamp.difference.max.ms",
}

_CLIENT: Final = {
    SECURITY: _SECURITY_OF_ALL + " sasl.mechanism sasl.oauthbearer.header.urlencode security.protocol",
    ADDRESSES: "client.dns.lookup connections.max.idle.ms receive.buffer.bytes send.buffer.bytes",
    METRICS: """
        auto.include.jmx.reporter enable.metrics.push metric.reporters metrics.num.samples metrics.recording.level
        metrics.sample.window.ms
        """,
}

_PRODUCER: Final = {
    OWN_PLACE: "bootstrap.servers client.id",
    **_CLIENT,
    CODE: """
        config.providers interceptor.classes key.serializer partitioner.adaptive.partitioning.enable
        partitioner.availability.timeout.ms partitioner.class partitioner.ignore.keys value.serializer
        """,
    TRANSACTIONS: "transaction.timeout.ms transaction.two.phase.commit.enable transactional.id",
    COMPRESSION: """
        compression.gzip.level compression.lz4.level compression.type compression.zstd.level
        """,
    BUFFER: "buffer.memory",
    BYTES: "max.request.size",
    DEFAULT: """
        metadata.max.idle.ms metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy
        reconnect.backoff.max.ms reconnect.backoff.ms socket.connection.setup.timeout.max.ms
        socket.connection.setup.timeout.ms
        """,
}

_CONSUMER: Final = {
    OWN_PLACE: "bootstrap.servers client.id client.rack group.id",
    **_CLIENT,
    CODE: "config.providers interceptor.classes key.deserializer value.deserializer",
    CLASSIC: "group.protocol group.remote.assignor",
    RANGE: "partition.assignment.strategy",
    DYNAMIC_MEMBERS: "group.instance.id",
    OTHER_GROUPS: "share.acknowledgement.mode share.acquire.mode",
    BYTES: "fetch.max.bytes fetch.min.bytes max.partition.fetch.bytes max.poll.records",
    TOPICS: "allow.auto.create.topics",
    DEFAULT: """
        check.crcs default.api.timeout.ms exclude.internal.topics internal.throw.on.fetch.stable.offset.unsupported
        metadata.recovery.rebootstrap.trigger.ms metadata.recovery.strategy reconnect.backoff.max.ms
        reconnect.backoff.ms socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms
        """,
    GONE: "internal.leave.group.on.close",
}

_MIRROR: Final = {
    OWN_PLACE: "connector.class group.id name",
    SECURITY: "forwarding.admin.class sync.topic.acls.enabled sync.topic.acls.interval.seconds",
    ADDRESSES: "dedicated.mode.enable.internal.rest listeners",
    METRICS: "add.source.alias.to.metrics metric.reporters",
    CODE: """
        config.property.filter.class group.filter.class header.converter key.converter plugin.discovery plugin.path
        predicates topic.creation.groups topic.filter.class transforms value.converter
        """,
    TRANSACTIONS: """
        exactly.once.source.support exactly.once.support transaction.boundary transaction.boundary.interval.ms
        """,
    DEFAULT: """
        admin.timeout.ms config.action.reload config.storage.replication.factor config.storage.topic connect.protocol
        consumer.poll.timeout.ms errors.log.enable errors.log.include.messages errors.retry.delay.max.ms
        errors.retry.timeout errors.tolerance heartbeats.replication.enabled offset.storage.partitions
        offset.storage.topic rebalance.timeout.ms status.storage.partitions status.storage.replication.factor
        status.storage.topic tasks.max.enforce topic.creation.enable topic.tracking.allow.reset topic.tracking.enable
        use.defaults.from worker.sync.timeout.ms worker.unsync.backoff.ms
        """,
    GONE: "offsets.storage.topic use.incremental.alter.configs",
}


def _reasons(names_by_reason: dict[str, str]) -> dict[str, str]:
    """The reason of each name."""
    return {name: reason for reason, names in names_by_reason.items() for name in names.split()}


KNOWN: Final[dict[str, dict[str, str]]] = {
    "broker": _reasons(_BROKER),
    "topic": _reasons(_TOPIC),
    "producer": _reasons(_PRODUCER),
    "consumer": _reasons(_CONSUMER),
    "mirror": _reasons(_MIRROR),
}
"""The reason of each key without effect, by scope."""
