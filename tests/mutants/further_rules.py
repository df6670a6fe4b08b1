"""Mutants of rules that the list of invariants has none for, mostly those that measurement added."""

from tests.mutants.mutant import Mutant, mutant

CHANNEL = "kernel.channel"
LIFECYCLE = "kafka.lifecycle"

FURTHER: list[Mutant] = [
    mutant(
        "R01",
        "SHUT-5: a broker that leaves goes on fetching",
        "kafka.metadata_publisher",
        "    if changed == broker.id and state != REG_ACTIVE and broker.lifecycle.state == PENDING_SHUTDOWN:",
        "    if changed == broker.id and state < -1:",
        tables="copies_nothing_from_the_moment",
    ),
    mutant(
        "R02",
        "CON-2: a reader of an older epoch is served",
        "kafka.consumer_fetch",
        "        if position.epoch < replica.epoch:",
        "        if position.epoch < -1:",
        tables="as_con_2_says",
    ),
    mutant(
        "R03",
        "CON-5: a follower's OFFSET_OUT_OF_RANGE resets the position",
        "clients.reader",
        "            if position.preferred == connection.broker.id and position.leader != connection.broker.id:",
        "            if position.preferred < -1:",
        tables="only_the_leader_says",
    ),
    mutant(
        "R04",
        "TCP-1: retransmissions at equal pauses",
        "kernel.retransmission",
        "        pause *= 2",
        "        pause *= 1",
        tables="tcp_repeats",
    ),
    mutant(
        "R05",
        "LIVE-1: a heartbeat without answer is repeated after 2 s, not 4",
        LIFECYCLE,
        "        self._schedule(config.heartbeat_timeout_us + self._next_retry_us())",
        "        self._schedule(config.heartbeat_timeout_us)",
        tables="heartbeat_that_is_not_answered",
    ),
    mutant(
        "R06",
        "QUO-8: what waits for a controller waits for ever",
        "kafka.admin",
        "        call.deadline = self.cluster.sim.now + CALL_TIMEOUT_US",
        "        call.deadline = self.cluster.sim.now + 1000 * CALL_TIMEOUT_US",
        tables="nobody_carries_for_a_minute",
    ),
    mutant(
        "R07",
        "PC-12: a connection stands as soon as the kernel has accepted it",
        "kernel.connecting",
        "        if channel.greeting_us > 0 and channel.server.paused:",
        "        if channel.greeting_us < 0 and channel.server.paused:",
        tables="stands_only_when",
    ),
    mutant(
        "R08",
        "PC-13: the next refresh follows a failed one at once",
        "clients.metadata",
        "        self._allowed_at = self._client.sim.now + self._backoff(self._failures)",
        "        self._allowed_at = self._client.sim.now",
        tables="refreshes_that_fail",
    ),
    mutant(
        "R09",
        "REG-1: a registered broker waits for its next heartbeat before it asks to be unfenced",
        LIFECYCLE,
        "                self._schedule(0 if self._is_caught_up() else 100_000)\n",
        "                self._schedule(config.heartbeat_us)\n",
        tables="asks_to_be_unfenced",
    ),
    mutant(
        "R10",
        "PROD-12: a broker handles all requests of a connection at once",
        CHANNEL,
        "        if self.busy:\n            self._queue.append(message)",
        "        if self.busy and self.conn < 0:\n            self._queue.append(message)",
        tables="holds_up_the_next",
    ),
    mutant(
        "R11",
        "IDEM-7: an expired batch bumps the epoch although a later one was acknowledged",
        "clients.sequences",
        "            elif queue.last_acked + 1 == queue.next_seq:",
        "            elif queue.next_seq < 0:",
        tables="without_state_a_later",
    ),
    mutant(
        "R12",
        "HW-9: a lower M moves the high watermark at once",
        "kafka.replica",
        "        self.min_isr = wanted",
        "        self.min_isr = wanted\n        if self.role == LEADER:\n            self.advance_hw()",
        scenarios="s34c",
    ),
    mutant(
        "R13",
        "FLT-7: a resumed process reads its sockets before it looks at its clock",
        "kernel.node",
        "            if not event.comes_by_wire():\n                event.fire()\n        for event in due:\n"
        "            if event.comes_by_wire():",
        "            if event.comes_by_wire():\n                event.fire()\n        for event in due:\n"
        "            if not event.comes_by_wire():",
        tables="paused_for_longer",
    ),
    mutant(
        "R14",
        "LOG-9: batches above the epoch of the fetch are appended",
        "kafka.fetcher",
        "            if batch.epoch > part.epoch and self.broker.config.epoch_filter:",
        "            if batch.epoch < 0:",
        tables="above_the_epoch",
    ),
    mutant(
        "R15",
        "LOG-10: recovery enters no epochs",
        "kafka.log",
        "            if batch.epoch > last:",
        "            if batch.epoch < -1:",
        tables="newer_than_the_file",
    ),
    mutant(
        "R16",
        "time_total_order: events of one moment come in the order of their places",
        "kernel.calendar",
        "orders[places[right]] < orders[places[child]])",
        "places[right] < places[child])",
        others="time_total_order",
        scenarios="s01",
    ),
    mutant(
        "R17",
        "PC-5: REQUEST_TIMED_OUT asks for metadata too",
        "clients.produce_errors",
        "        error == ERR_NOT_LEADER_OR_FOLLOWER\n        or error == ERR_NETWORK_EXCEPTION\n"
        "        or error == ERR_UNKNOWN_TOPIC_OR_PARTITION",
        "        error == ERR_NOT_LEADER_OR_FOLLOWER\n        or error == ERR_NETWORK_EXCEPTION\n"
        "        or error == ERR_REQUEST_TIMED_OUT\n        or error == ERR_UNKNOWN_TOPIC_OR_PARTITION",
        scenarios="s26b",
    ),
    mutant(
        "R18",
        "CON-1: a waiting fetch is not answered when the high watermark moves",
        "kafka.replica",
        "        self._settle_waiters()\n        if self.readers:",
        "        self._settle_waiters()\n        if self.readers and self.hw < 0:",
        scenarios="s01",
    ),
]
