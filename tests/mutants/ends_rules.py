"""Mutants of what begins and ends with a leadership, a process, a controller."""

from tests.mutants.mutant import Mutant, mutant

BEGINNINGS: list[Mutant] = [
    mutant(
        "T170",
        "QUO-9: a new process begins without a controller",
        "kafka.metadata_listener",
        "        self.leader = self._elected\n",
        "        self.leader = None\n",
        tables="disk_remembers",
    ),
    mutant(
        "T171",
        "LIVE-1: a broker that knows no controller looks for one every 10 s",
        "kafka.lifecycle",
        "        if channel is None:\n            self._schedule(100_000)\n            return",
        "        if channel is None:\n            self._schedule(10_000_000)\n            return",
        tables="beats_as_soon",
    ),
    mutant(
        "T172",
        "LIVE-1: a broker waits with its heartbeat to another controller",
        "kafka.lifecycle",
        "            channel.close()\n"
        "            self.channel = None\n"
        "            self._in_flight = False\n"
        "            self._schedule(0)",
        "            channel.close()\n"
        "            self.channel = None\n"
        "            self._in_flight = False\n"
        "            self._schedule(self.broker.config.heartbeat_us)",
        tables="beats_as_soon",
    ),
    mutant(
        "T173",
        "REG-5: a new process fetches with the epoch of the last one",
        "kafka.broker",
        "        self.die()\n        self.be = -1\n",
        "        self.die()\n",
        tables="has_no_epoch",
    ),
    mutant(
        "T174",
        "STATE-7: a new process knows who fetched from the last one",
        "kafka.broker",
        "        self.sessions = {}\n        self.due_sessions = []\n",
        "",
        tables="has_no_epoch",
    ),
    mutant(
        "T175",
        "CON-6: a new process knows the commits by heart",
        "kafka.broker",
        "        if self.coordinator is not None:\n"
        "            self.coordinator.process_ended()\n"
        "        self.state_process(PROCESS_DOWN",
        "        self.state_process(PROCESS_DOWN",
        tables="has_no_epoch",
    ),
    mutant(
        "T176",
        "STATE-6: a record that an answer has told already takes no proposal back",
        "kafka.roles",
        "    replica.isr = registration.isr\n    replica.pending = COMMITTED\n",
        "    replica.isr = registration.isr\n",
        tables="has_said_overtakes",
    ),
    mutant(
        "T177",
        "LOG-2: an epoch of the same leader has no start of its own",
        "kafka.roles",
        "    if new_epoch or not was_leader:\n"
        "        broker.fetchers.stop(replica)\n"
        "        replica.epoch_start = replica.log.leo",
        "    if not was_leader:\n        broker.fetchers.stop(replica)\n        replica.epoch_start = replica.log.leo",
        tables="leads_on",
    ),
    mutant(
        "T178",
        "STATE-3: a change of the ISR starts followers anew",
        "kafka.roles",
        "    if not new_epoch and replica.role == FOLLOWER and replica.leader == registration.leader:\n"
        "        return\n",
        "    if not new_epoch and replica.role == FOLLOWER and replica.pe < 0:\n        return\n",
        tables="does_not_disturb",
    ),
    mutant(
        "T179",
        "ISR-1: followers look for members that lag",
        "kafka.isr",
        "            if replica.role == LEADER:\n                maybe_shrink(replica)",
        "            maybe_shrink(replica)",
        tables="only_a_leader_looks",
    ),
    mutant(
        "T180",
        "QUO-2: a second loss of the active controller is timed from the first",
        "kafka.quorum_timers",
        "        self._is_lost = False\n\n    def lost",
        "        self._is_lost = self._is_lost\n\n    def lost",
        tables="timed_from_its_own",
    ),
    mutant(
        "T181",
        "QUO-2: a voter that comes back puts an election off",
        "kafka.quorum",
        "        if is_back and self._election_at > self.sim.now:\n            return\n",
        "",
        tables="put_off_an_election",
    ),
    mutant(
        "T182",
        "QUO-1: an older controller leads on beside a new one that it hears",
        "kafka.quorum",
        "            if voter is not winner and voter.control is not None and self._hears(voter, winner):\n"
        "                self.depose(voter)",
        "            if voter.control is None and voter is winner:\n                self.depose(voter)",
        tables="hears_of_it",
    ),
    mutant(
        "T183",
        "MET-9: a controller that is cut off has read nothing",
        "kafka.quorum",
        "        for voter in self.voters:\n"
        "            if self.follows(voter):\n"
        "                voter.held = len(self.log)\n",
        "",
        tables="cut_off",
    ),
    mutant(
        "T184",
        "HW-3: what a broker's minimum goes back to is the cluster's setting",
        "kafka.quorum",
        "        return facts[scope] if scope in facts else facts.get(CLUSTER_SETTINGS, 0)",
        "        return facts.get(CLUSTER_SETTINGS, 0)",
        tables="setting_that_holds",
    ),
    mutant(
        "T185",
        "QUO-1: writes are committed out of order",
        "kafka.control",
        "        if self._writes and self._writes[-1].due > due:\n            due = self._writes[-1].due\n",
        "",
        tables="needs_no_record",
    ),
    mutant(
        "T186",
        "AP-3: what needs no record is answered before those it rests on",
        "kafka.control",
        "        if self._writes:\n"
        "            self._writes[-1].replies.append(reply)\n"
        "        else:\n"
        "            reply.send()",
        "        reply.send()",
        tables="needs_no_record",
    ),
    mutant(
        "T187",
        "CON-6: partitions go to members that do not want their topic",
        "kafka.groups",
        "        takers = [member for member in members if name in [coordinator.topic_name(p) for p in member.wanted]]",
        "        takers = members",
        tables="who_want_their_topic",
    ),
    mutant(
        "T188",
        "CON-6: a rebalance that nobody joins is never over",
        "kafka.groups",
        "        if not group.members:\n            group.state = EMPTY\n            return\n        group.state",
        "        if not group.members:\n            return\n        group.state",
        tables="nobody_joins",
    ),
    mutant(
        "T189",
        "PC-7: a client looks for requests past their limit at once",
        "clients.network_client",
        "        return request.sent_at + limit + max(request.late_us, 0)",
        "        return request.sent_at + limit",
        tables="when_the_client_looks",
    ),
    mutant(
        "T190",
        "PC-13: an answer does not end a row of failed refreshes",
        "clients.metadata",
        "        self._is_stale = False\n        self._failures = 0\n        self._equivalent += 1",
        "        self._is_stale = False\n        self._equivalent += 1",
        tables="ends_a_row",
    ),
    mutant(
        "T191",
        "PC-6: of metadata of the same epoch nothing is taken",
        "clients.metadata",
        "epoch >= self.epochs[p] and (epoch > self.epochs[p] or leader != self.leaders[p]):",
        "epoch > self.epochs[p]:",
        tables="takes_what_is_not_older",
    ),
    mutant(
        "T192",
        "PC-11: of a batch that waits a crash says that it is not written",
        "clients.sender",
        "queue.completion.abandoned(batch, self.settings.acks, batch.may_be_written)",
        "queue.completion.abandoned(batch, self.settings.acks, False)",
        tables="crash_leaves_it_open",
    ),
    mutant(
        "T193",
        "IDEM-2: a batch goes out in the newest epoch of its producer",
        "clients.sender",
        "            epoch = queues[i].epoch if sequences.is_on else -1",
        "            epoch = sequences.epoch if sequences.is_on else -1",
        tables="its_partition_is_in",
    ),
    mutant(
        "T194",
        "IDEM-7: an answer that was overtaken takes the last sequence back",
        "clients.sequences",
        "queue.last_acked = max(queue.last_acked, batch.seq + batch.count - 1)",
        "queue.last_acked = batch.seq + batch.count - 1",
        tables="never_falls",
    ),
    mutant(
        "T195",
        "QUO-7: a call is made to whoever can carry it on",
        "kafka.admin",
        "        found = [broker for broker in self.cluster.brokers if broker.listening]",
        "        active = self.cluster.quorum.active\n"
        "        found = [b for b in self.cluster.brokers if b.listening and active and self._reaches(b, active)]",
        tables="waits_at_the_broker",
    ),
    mutant(
        "T196",
        "AP-5: what an error without a rule brings back is proposed anew",
        "kafka.isr",
        "            self._unanswered.append(submission)  # as it was, with the broker epochs of then",
        "            self.submit(replica)",
        tables="sent_again_at_once",
    ),
    mutant(
        "T197",
        "AP-1: a partition proposes again while it waits for an answer",
        "kafka.isr",
        "            if other.replica is replica:\n",
        "            if other is submission:\n",
        tables="overridden_meanwhile",
    ),
    mutant(
        "T198",
        "AP-1: who makes proposals follows the metadata log to another controller",
        "kafka.isr",
        "        if channel is not None and not self._is_lost:\n",
        "        if channel is not None and not self._is_lost and channel.controller is self.broker.listener.leader:\n",
        tables="silent_controller_keeps or refusal_names",
    ),
    mutant(
        "T199",
        "AP-3: a controller that steps down answers nobody",
        "kafka.control",
        "                    reply.refuse()",
        "                    pass",
        tables="steps_down_says_so",
    ),
    mutant(
        "T204",
        "QUO-3: a controller that was paused while another was elected leads on when it is cut off",
        "kafka.quorum",
        "        if voter is not self.active:\n            self.depose(voter)\n",
        "",
        tables="paused_while_another",
    ),
    mutant(
        "T205",
        "LOG-7: a log that is cut below its start begins where it began",
        "kafka.log",
        "            self.start = min(self.start, end)\n",
        "",
        tables="cut_below_its_start",
    ),
]
