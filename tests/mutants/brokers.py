"""Mutants of a broker's process: its life, produce requests, groups, connections."""

from tests.mutants.mutant import Mutant, mutant

BEAT = """\
if self.state == REGISTERING:
    broker = self.broker
    channel.send(
        RegisterRequest(self._request_id, broker.id, broker.incarnation, broker.clean_be, broker.directory)
    )
else:
    channel.send(self._heartbeat())
"""

BROKERS: list[Mutant] = [
    mutant(
        "M30b",
        "ISR-6: the leader compares no broker epochs",
        "kafka.replica.replica_host:ReplicaHost.is_eligible",
        "remote.be == -1 or remote.be == self.image.broker_epoch(remote.broker)",
        "True",
        tables="isr_6_says",
    ),
    mutant(
        "M53",
        "PROD-6: acks=all is answered at the append",
        "kafka.broker.produce:handle_produce",
        "replica.hw < end",
        "replica.hw < 0",
        killers="ack_rule",
        scenarios="s11",
    ),
    mutant(
        "M55",
        "PROD-8: the records go with the request that times out",
        "kafka.replica.produce_purgatory:ProducePurgatory._time_out",
        ("if result.error == ERR_NONE:\n    result.error = ERR_REQUEST_TIMED_OUT"),
        ("replica.truncate(replica.hw, 0)\nif result.error == ERR_NONE:\n    result.error = ERR_REQUEST_TIMED_OUT"),
        others="no_trunc_on_restart",
        scenarios="s03",
    ),
    mutant(
        "M57",
        "PROD-11: a duplicate is acknowledged before the high watermark has passed it",
        "kafka.broker.produce:handle_produce",
        "result.error == ERR_NONE and request.acks == ACKS_ALL and (replica.hw < end)",
        (
            "result.error == ERR_NONE and request.acks == ACKS_ALL and (replica.hw < end)"
            " and (replica.log.batches[-1].time == broker.sim.now)"
        ),
        killers="ack_rule",
        scenarios="s06a",
    ),
    mutant(
        "M64",
        "LIVE-5: a fenced broker stops serving",
        "kafka.broker.produce:handle_produce",
        "replica is None or replica.role != LEADER",
        (
            "replica is None or replica.role != LEADER"
            " or not broker.listener.channels[0].controller.quorum.image.is_active(broker.id)"
        ),
        scenarios="s26 s27",
    ),
    mutant(
        "M68",
        "SHUT-1: a stopping broker leaves at once, leaderships and all",
        "kafka.broker.lifecycle:BrokerLifecycleManager.stop",
        "not broker.config.controlled_shutdown",
        "self.state >= 0",
        scenarios="s12-",
    ),
    mutant(
        "R04",
        "TCP-1: retransmissions at equal pauses",
        "kernel.retransmission:next_retransmission",
        "pause *= 2",
        "pause *= 1",
        tables="tcp_repeats",
    ),
    mutant(
        "R05",
        "LIVE-1: a heartbeat without answer is repeated after 2 s, not 4",
        "kafka.broker.lifecycle:BrokerLifecycleManager.beat_now",
        BEAT + "self._schedule(config.heartbeat_timeout_us + self._next_retry_us())",
        BEAT + "self._schedule(config.heartbeat_timeout_us)",
        tables="heartbeat_that_is_not_answered",
    ),
    mutant(
        "R07",
        "PC-12: a connection stands as soon as the kernel has accepted it",
        "kernel.connecting:Connected.run",
        "channel.greeting_us > 0",
        "channel.greeting_us < 0",
        tables="stands_only_when",
    ),
    mutant(
        "R09",
        "REG-1: a registered broker waits for its next heartbeat before it asks to be unfenced",
        "kafka.broker.lifecycle:BrokerLifecycleManager._beaten",
        "0 if self._is_caught_up() else 100000",
        "config.heartbeat_us",
        tables="asks_to_be_unfenced",
    ),
    mutant(
        "R62",
        "PREF-1: the task of preferred elections does not begin anew at a new controller",
        "kafka.cluster.cluster:Cluster.activate",
        "stream.between(1, config.preferred_interval_us) if first else config.preferred_interval_us",
        "stream.between(1, config.preferred_interval_us) if first else 1 << 50",
        killers="preferred_returns",
        scenarios="s37",
    ),
    mutant(
        "S06",
        "CON-6: a commit above the high watermark is told",
        "kafka.group.coordinator:GroupCoordinator._read_log",
        "batch.end > replica.hw",
        "batch.end < 0",
        tables="committed_itself or no_further",
    ),
    mutant(
        "S41",
        "MET-12: a write that timed out counts once, whatever its partitions",
        "kafka.replica.produce_purgatory:ProducePurgatory._time_out",
        "self.broker.metrics.expired_produces += 1",
        "self.broker.metrics.expired_produces += 1 if result is wait.results[0] else 0",
        tables="every_partition_of_a_write",
    ),
    mutant(
        "S43",
        "LIVE-7: metadata leave out brokers that are leaving",
        "kafka.broker.client_metadata:handle_metadata",
        "broker.image.is_unfenced",
        "broker.image.is_active",
        tables="name_all_brokers",
    ),
    mutant(
        "S45",
        "ELEC-9: a broker's port is open as soon as it is unfenced",
        "kafka.broker.lifecycle:BrokerLifecycleManager._beaten",
        "self._until_port_opens()",
        "0",
        tables="opens_its_port",
    ),
    mutant(
        "T10",
        "STATE-7: a new process goes on counting",
        "kafka.broker.broker:Broker._end_process",
        "self.metrics = Metrics()",
        "pass",
        tables="ends_with_it",
    ),
    mutant(
        "T148",
        "PROD-1: an unknown partition is one that is led elsewhere",
        "kafka.broker.produce:not_leading",
        ("if broker.image.partition(p) is None:\n    return ERR_UNKNOWN_TOPIC_OR_PARTITION"),
        "pass",
        tables="wrong_broker",
    ),
    mutant(
        "T173",
        "REG-5: a new process fetches with the epoch of the last one",
        "kafka.broker.broker:Broker._end_process",
        "self.be = -1",
        "pass",
        tables="has_no_epoch",
    ),
    mutant(
        "T315",
        "KIP-394: a client that joins again before it heard its id becomes a second member",
        "kafka.group.groups:Groups._join",
        "member = group.member_without_id(request.client, request.membership)",
        "pass",
        tables="before_it_heard_its_id",
    ),
]
