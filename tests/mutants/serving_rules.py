"""Mutants of how brokers serve clients, and of the clients themselves."""

from tests.mutants.mutant import Mutant, Patch, mutant

PRODUCE = "kafka.produce"
REPLICA = "kafka.replica"
READ = "kafka.consumer_fetch"

PRODUCING: list[Mutant] = [
    mutant(
        "M53",
        "PROD-6: acks=all is answered at the append",
        PRODUCE,
        "request.acks == ACKS_ALL and replica.hw < end:",
        "request.acks == ACKS_ALL and replica.hw < 0:",
        killers="ack_rule",
        scenarios="s11",
    ),
    mutant(
        "M54",
        "PROD-2: nothing is refused below M",
        REPLICA,
        "        if acks == ACKS_ALL and len(self.isr) < self.min_isr:",
        "        if acks == ACKS_ALL and len(self.isr) < 0:",
        scenarios="s02",
    ),
    mutant(
        "M55",
        "PROD-8: the records go with the request that times out",
        "kafka.produce_wait",
        "                broker.metrics.expired_produces += 1",
        "                broker.metrics.expired_produces += 1\n                replica.truncate(replica.hw, 0)",
        others="no_trunc_on_restart",
        scenarios="s03",
    ),
    mutant(
        "M56",
        "PROD-9: waiting requests are not failed when the leader steps down",
        "kafka.roles",
        "    if was_leader:\n        replica.fail_waiters(",
        "    if replica.role == LEADER:\n        replica.fail_waiters(",
        killers="write_resolved",
        scenarios="s26",
        tables="steps_down",
    ),
    mutant(
        "M57",
        "PROD-11: a duplicate is acknowledged before the high watermark has passed it",
        PRODUCE,
        "request.acks == ACKS_ALL and replica.hw < end:",
        "request.acks == ACKS_ALL and replica.hw < end and replica.log.batches[-1].time == broker.sim.now:",
        killers="ack_rule",
        scenarios="s06a",
    ),
    mutant(
        "M58a",
        "PC-4: a newer leader does not end the back-off",
        "clients.readiness",
        "            if self._metadata.epochs[queue.p] > head.leader_epoch:",
        "            if self._metadata.epochs[queue.p] > 1 << 40:",
        tables="ends_the_back_off",
    ),
    Mutant(
        "M58b",
        "PC-7: the death of a process is as silent as a cut, no reset tells of it",
        (
            Patch(
                "simengine.kernel.channel",
                "        elif not self.silent(False) and (self.state == UP or self.is_greeting):",
                "        elif self.state < -1:",
            ),
            Patch(
                "simengine.kernel.channel",
                'gone: a reset comes back."""\n        self._break_later()',
                'gone: a reset comes back."""\n        self.busy = self.busy',
            ),
        ),
        scenarios=("s08", "s28"),
    ),
    mutant(
        "M59a",
        "IDEM-3: one batch is remembered",
        "kafka.producer_state",
        "        if len(batches) > BATCHES_KEPT:",
        "        if len(batches) > 1:",
        tables="last_five",
    ),
    mutant(
        "M59b",
        "IDEM-8: followers remember no producers",
        REPLICA,
        "        if batch.pid >= 0:\n            self.producers.update(batch)",
        "        if batch.pid >= 0 and self.role == LEADER:\n            self.producers.update(batch)",
        killers="idem_no_dup",
        scenarios="s06",
        tables="rebuilds_the_producers",
    ),
]

CONSUMING: list[Mutant] = [
    mutant(
        "M60",
        "CON-1: consumers read to the log end",
        READ,
        "    if position.offset >= replica.hw:\n        return None\n"
        "    batches = log.read(position.offset, replica.hw,",
        "    if position.offset >= log.leo:\n        return None\n    batches = log.read(position.offset, log.leo,",
        killers="read_committed_only",
        scenarios="s10 s26 s04",
    ),
    mutant(
        "M61",
        "CON-4: a truncated position goes back to the beginning",
        "clients.finder",
        "        position.seek(answer.offset, answer.epoch)",
        "        position.seek(0, -1)",
        killers="poll_order",
        scenarios="s14 s10",
    ),
    mutant(
        "M62",
        "FFR-4: a follower serves beyond its own high watermark",
        READ,
        "    if position.offset >= replica.hw:\n        return None\n"
        "    batches = log.read(position.offset, replica.hw,",
        "    end = replica.hw if replica.role == LEADER else log.leo\n    if position.offset >= end:\n"
        "        return None\n    batches = log.read(position.offset, end,",
        killers="read_committed_only",
        scenarios="s40",
    ),
]
