"""Mutants of the controllers: registrations, quorum, administrators' requests, what brokers learn."""

from tests.mutants.mutant import Mutant, mutant

CONTROLLERS: list[Mutant] = [
    mutant(
        "M09",
        "ELEC-6: no election when a broker is unfenced",
        "kafka.controller.control:ReplicationControlManager.unfence",
        "base.leader != -1",
        "base.leader >= -1",
        killers="leader_elected",
        scenarios="s12b",
    ),
    mutant(
        "M16",
        "ELR-7: a change of M keeps the ELR",
        "kafka.cluster.admin:Admin._clear_elrs",
        "cleared.elr = []",
        "cleared.elr = base.elr",
        killers="elr_wellformed",
        scenarios="s34a s24-elr",
    ),
    mutant(
        "M40",
        "REG-4: a registration leaves the ISRs alone",
        "kafka.controller.control:ReplicationControlManager._register",
        (
            "if known_be >= 0:\n"
            "    records.extend(self._leave_all(broker, REASON_REGISTRATION, not clean, self.causes.end_of(broker)))"
        ),
        (
            "if known_be < -1:\n"
            "    records.extend(self._leave_all(broker, REASON_REGISTRATION, not clean, self.causes.end_of(broker)))"
        ),
        killers="one_leader_per_epoch unclean_exclusion",
        scenarios="s12c",
    ),
    mutant(
        "M65",
        "REG-2: a broker registers anew while its old session is valid",
        "kafka.controller.control:ReplicationControlManager._register",
        "known is not None and self.tracker.has_valid_session(broker, now)",
        "known is not None and known.be < -1 and self.tracker.has_valid_session(broker, now)",
        killers="be_unique",
        scenarios="s39",
    ),
    mutant(
        "M66",
        "QUO-4: a new controller does not renew the sessions",
        "kafka.controller.control:ReplicationControlManager.begin",
        "self.tracker.touch(broker, self.image.broker_epoch(broker), now)",
        "self.tracker.touch(broker, self.image.broker_epoch(broker), now - self.config.session_us)",
        killers="fencing_exact",
        scenarios="s37",
    ),
    mutant(
        "M67",
        "QUO-6: the controller commits without a quorum",
        "kafka.controller.control:ReplicationControlManager.commit_due",
        "self._closed or not self._writes or (not self.quorum.reaches_majority(self.node))",
        "self._closed or not self._writes",
        killers="metadata_prefix",
        scenarios="s38",
    ),
    mutant(
        "R01",
        "SHUT-5: a broker that leaves goes on fetching",
        "kafka.broker.broker:Broker.sees_itself_leave",
        "self.lifecycle.state == PENDING_SHUTDOWN",
        "False",
        tables="copies_nothing_from_the_moment",
    ),
    mutant(
        "R06",
        "QUO-8: what waits for a controller waits for ever",
        "kafka.cluster.admin:Admin.submit",
        "self.cluster.sim.now + CALL_TIMEOUT_US",
        "self.cluster.sim.now + 1000 * CALL_TIMEOUT_US",
        tables="nobody_carries_for_a_minute",
    ),
    mutant(
        "S18",
        "QUO-1: half of the voters are a majority",
        "kafka.controller.quorum:Quorum.reaches_majority",
        "2 * count > len(self.voters)",
        "2 * count >= len(self.voters)",
        tables="more_than_half",
    ),
    mutant(
        "S19",
        "QUO-3: a leader without a majority gives up after one fetch timeout",
        "kafka.controller.quorum_timers:QuorumTimers.resignation_us",
        "self._longer_us * 3 // 2",
        "self._longer_us",
        tables="one_and_a_half",
    ),
    mutant(
        "S25",
        "SHUT-2: a new controller has a broker that is leaving wait for the others",
        "kafka.controller.control:ReplicationControlManager._advance_shutdown",
        (
            "if state == REG_ACTIVE or int(broker) not in self._shutdown_at:\n"
            "    leads = self._leads_any(broker)\n"
            "    records.extend(self._leave_all(broker, REASON_SHUTDOWN, False, cause))\n"
            "    if not leads:\n"
            "        records.append(self._restated(broker, REG_FENCED, cause))\n"
            "        return True\n"
            "    if state == REG_ACTIVE:\n"
            "        records.append(self._restated(broker, REG_SHUTTING_DOWN, cause))\n"
            "    self._shutdown_at[int(broker)] = int(self.next_broker_epoch()) + len(records) - 1\n"
            "    return False"
        ),
        (
            "self._shutdown_at.setdefault(int(broker), 0)\n"
            "if state == REG_ACTIVE:\n"
            "    leads = self._leads_any(broker)\n"
            "    records.extend(self._leave_all(broker, REASON_SHUTDOWN, False, cause))\n"
            "    if not leads:\n"
            "        records.append(self._restated(broker, REG_FENCED, cause))\n"
            "        return True\n"
            "    if state == REG_ACTIVE:\n"
            "        records.append(self._restated(broker, REG_SHUTTING_DOWN, cause))\n"
            "    self._shutdown_at[int(broker)] = int(self.next_broker_epoch()) + len(records) - 1\n"
            "    return False"
        ),
        tables="knows_of_no_shutdown",
    ),
    mutant(
        "S31",
        "REG-3: any marker is that of a clean stop",
        "kafka.controller.control:ReplicationControlManager._register",
        "known_be == request.clean_be",
        "request.clean_be >= 0",
        tables="names_the_last_registration",
    ),
    mutant(
        "S37",
        "QUO-5: brokers of 4.0 learn of a commit at once",
        "kafka.controller.metadata_polls:MetadataPolls.release",
        ("if not self._config.propagate_on_commit:\n    return"),
        "pass",
        tables="since_4_1",
    ),
    mutant(
        "S44",
        "QUO-4, UNC-2: only the first controller looks for unclean elections",
        "kafka.controller.control:ReplicationControlManager.begin",
        "config.periodic_unclean",
        "config.periodic_unclean and self.epoch == 1",
        tables="looks_for_unclean",
    ),
    mutant(
        "T04",
        "STATE-9: a broker epoch ignores records that are written and not committed",
        "kafka.controller.control:ReplicationControlManager.next_broker_epoch",
        ("for write in self._writes:\n    end += len(write.records)"),
        "pass",
        tables="offset_of_the_registration",
    ),
    mutant(
        "T13",
        "REA-1: a second reassignment ends the adding of replicas that it does not name",
        "kafka.cluster.admin:Admin.reassign",
        ("if adding:\n    change.adding = adding"),
        "change.adding = adding",
        tables="on_top_of_another",
    ),
    mutant(
        "T15",
        "REA-6: to cancel a reassignment that is not there is no error",
        "kafka.cluster.admin:Admin.cancel_reassignment",
        "base is None or not (base.adding or base.removing)",
        "base is None",
        tables="that_there_is_not",
    ),
    mutant(
        "T16",
        "PREF-3, UNC-3: the errors of the two elections are mixed up",
        "kafka.cluster.admin:Admin._elect_one",
        ("ERR_PREFERRED_LEADER_NOT_AVAILABLE if kind == ELECT_PREFERRED else ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE"),
        ("ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE if kind == ELECT_PREFERRED else ERR_PREFERRED_LEADER_NOT_AVAILABLE"),
        tables="or_says_why_not",
    ),
    mutant(
        "T165",
        "REA-4: a copy that is assigned elsewhere stays",
        "kafka.broker.metadata_publisher:_apply_partition",
        ("if replica is not None:\n    broker.drop(replica, record.cause)"),
        "pass",
        tables="assigned_elsewhere",
    ),
    mutant(
        "T186",
        "AP-3: a proposal that needs no record is answered before earlier records are committed",
        "kafka.controller.control:ReplicationControlManager._reply_after_pending",
        ("if self._writes:\n    self._writes[-1].replies.append(reply)\nelse:\n    reply.send()"),
        "reply.send()",
        tables="needs_no_record",
    ),
    mutant(
        "T195",
        "QUO-7: a request is sent to a broker that can forward it",
        "kafka.cluster.admin:Admin._choose",
        "found = [broker for broker in self.cluster.brokers if broker.listening]",
        (
            "active = self.cluster.quorum.active\n"
            "found = [b for b in self.cluster.brokers if b.listening and active and self._reaches(b, active)]"
        ),
        tables="waits_at_the_broker",
    ),
    mutant(
        "T211",
        "REA-2: the cause of a joining replica is its broker's last event, not the reassignment",
        "kafka.controller.quorum:Quorum._state",
        "r.adding_fact = r.fact",
        "r.adding_fact = 0",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T309",
        "combined mode: the controller lives on when its broker dies",
        "world.combined:SharedControllers.changed",
        "controller_process.kill(self._quorum, node, int(cause))",
        "pass",
        tables="end_at_once_whichever",
    ),
    mutant(
        "T97",
        "ELR-1: partition 0 of a topic is the one that came first in the batch",
        "kafka.shared.metadata:MetadataImage._first_seen",
        "self.first_of_topic[topic] < 0 or p < self.first_of_topic[topic]",
        "self.first_of_topic[topic] < 0",
        tables="lowest_number",
    ),
]
