"""Mutants of what the controller decides: elections, epochs, ELR, AlterPartition, registration, fencing, quorum."""

from tests.mutants.mutant import Mutant, mutant

ELECTION = "kafka.election"
CONTROL = "kafka.control"

ELECTIONS: list[Mutant] = [
    mutant(
        "M01",
        "ELEC-4: any active replica is a valid leader",
        ELECTION,
        "            return True\n        return not self.target_isr and broker in elr",
        "            return True\n        return True",
        killers="strong_isr",
        scenarios="s13 s30",
    ),
    mutant(
        "M02",
        "ELEC-3: candidates in the order of the ISR",
        ELECTION,
        "        for broker in self.replicas:\n            if self.is_valid(broker, elr):",
        "        for broker in self.target_isr + elr:\n            if self.is_valid(broker, elr):",
        killers="election_rule",
        scenarios="s23",
    ),
    mutant(
        "M03",
        "ELEC-4: a fenced broker may be elected",
        ELECTION,
        "        if not self.may_be_elected(broker):\n            return False\n        if broker in self.target_isr:",
        "        if broker < 0:\n            return False\n        if broker in self.target_isr:",
        killers="leader_active",
        scenarios="s09 s12b",
    ),
    mutant(
        "M04",
        "UNC-4: the longest log wins an unclean election",
        ELECTION,
        "            for broker in self.replicas:\n                if self.may_be_elected(broker) and",
        # no controller knows how long the logs are: the mutant looks for its own cluster's in the whole memory
        "            import gc\n"
        "            from simengine.kafka.control import ClusterControl\n"
        "            from simengine.kafka.replica import Replica\n"
        "            known = gc.get_objects()\n"
        "            mine = [c.quorum for c in known if isinstance(c, ClusterControl) and c.image is self._image]\n"
        "            ends = {r.broker.id: r.log.leo for r in known if isinstance(r, Replica) and r.p == self.base.p\n"
        "                    and r.broker.listener.channels[0].controller.quorum in mine}\n"
        "            for broker in sorted(self.replicas, key=lambda b: -ends.get(b, 0)):\n"
        "                if self.may_be_elected(broker) and",
        killers="election_rule",
        scenarios="s14",
        tables="won_by_the_first_active",
    ),
    mutant(
        "M05",
        "STATE-2: no new leader epoch to or from -1",
        ELECTION,
        "bump = self._leader != base.leader or",
        "bump = (self._leader != base.leader and self._leader >= 0 and base.leader >= 0) or",
        killers="one_leader_per_epoch",
        scenarios="s12b s13",
    ),
    mutant(
        "M06",
        "STATE-3: a new leader epoch with every change of the ISR",
        ELECTION,
        "bump = self._leader != base.leader or",
        "bump = self._leader != base.leader or isr != base.isr or",
        killers="epoch_monotonic",
        scenarios="s19- s20",
    ),
    mutant(
        "M07",
        "STATE-6: a lower partition epoch is applied",
        "kafka.roles",
        "    if registration.pe < replica.pe:\n        return",
        "    if registration.pe < 0:\n        return",
        killers="epoch_monotonic quorum_superset",
        scenarios="s19-",
        tables="older_partition_epoch",
    ),
    mutant(
        "M08",
        "ELEC-7: the ISR is emptied with ELR off",
        ELECTION,
        "isr = base.isr if base.isr else isr  #",
        "isr = []  #",
        killers="isr_nonempty",
        scenarios="s13- s12b-clean-stop-of-all.",
    ),
    mutant(
        "M09",
        "ELEC-6: no election when a broker is unfenced",
        CONTROL,
        "            if base is None or base.leader != -1:",
        "            if base is None or base.leader >= -1:",
        killers="leader_elected",
        scenarios="s12b",
    ),
    mutant(
        "M10",
        "PREF-2: only above 10 % imbalance",
        "kafka.periodic_elections",
        "        if base is None or base.leader == base.replicas[0]:",
        "        if base is None or base.leader == base.replicas[0] or 10 * sum("
        "r is not None and r.leader != r.replicas[0] == base.replicas[0] for r in image.partitions) <= sum("
        "r is not None and r.replicas[0] == base.replicas[0] for r in image.partitions):",
        scenarios="s29b",
        killers="preferred_returns",
    ),
    mutant(
        "M11",
        "UNC-1: unclean elections although the topic forbids them",
        ELECTION,
        "self._kind == ELECT_UNCLEAN or (self._kind == ELECT_ANY and self._image.unclean(self.base.topic))",
        "self._kind != ELECT_PREFERRED",
        scenarios="s13-",
        killers="no_acked_loss",
    ),
    mutant(
        "M12",
        "ELR-2: the ELR is kept when the ISR has M members",
        ELECTION,
        "        if not self._config.elr or len(self.target_isr) >= self._image.effective_min_insync(self.base.topic):",
        "        if not self._config.elr:",
        killers="elr_wellformed",
        scenarios="s04a s24-elr",
    ),
    mutant(
        "M13",
        "ELR-5: a broker that comes back unclean stays in the ELR",
        ELECTION,
        "broker in elr or broker == self.unclean_shutdown:",
        "broker in elr:",
        killers="strong_isr unclean_exclusion",
        scenarios="s12c",
    ),
    mutant(
        "M14",
        "ELR-4: ELR members are eligible while the ISR has members",
        ELECTION,
        "        return not self.target_isr and broker in elr",
        "        return broker in elr",
        tables="preferred_leader_in_the_elr or elr_while",
        killers="elr_wellformed",
    ),
    mutant(
        "M15",
        "ELR-6: the last known leader need not be active",
        ELECTION,
        "        return self.may_be_elected(last) or not self._config.last_known_must_be_active",
        "        return last >= 0",
        killers="leader_active",
        scenarios="s12c s13-elr",
    ),
    mutant(
        "M16",
        "ELR-7: a change of M keeps the ELR",
        "kafka.admin",
        "            cleared.elr = []",
        "            cleared.elr = base.elr",
        killers="elr_wellformed",
        scenarios="s34a s24-elr",
    ),
]

PROPOSALS: list[Mutant] = [
    mutant(
        "M30a",
        "AP-2: the controller compares no broker epochs",
        "kafka.alter_partition",
        "    return control.image.is_active(broker) and (be == -1 or be == control.image.broker_epoch(broker))",
        "    return control.image.is_active(broker)",
        tables="ap_2_says",
    ),
    mutant(
        "M30b",
        "ISR-6: the leader compares no broker epochs",
        "kafka.broker",
        "        return remote.be == -1 or remote.be == self.image.broker_epoch(remote.broker)",
        "        return True",
        tables="isr_6_says",
    ),
    mutant(
        "M31",
        "AP-2: no test of eligibility",
        "kafka.alter_partition",
        "        if not is_eligible(control, proposal.isr[i], proposal.bes[i]):",
        "        if proposal.isr[i] < 0:",
        killers="leader_active",
        scenarios="s27",
        tables="ap_2_says or not_active or fenced_broker_is_not_taken",
    ),
    mutant(
        "M32",
        "AP-2: no test of the partition epoch",
        "kafka.alter_partition",
        "    if proposal.pe < base.pe:",
        "    if proposal.pe < 0:",
        killers="quorum_superset",
        tables="ap_2_says or older_partition_epoch_is_refused",
    ),
    mutant(
        "M33",
        "AP-2: no test of the leader epoch",
        "kafka.alter_partition",
        "    if proposal.epoch < base.epoch:",
        "    if proposal.epoch < 0:",
        tables="ap_2_says",
    ),
    mutant(
        "M34",
        "AP-1: a change that is not answered is taken back",
        "kafka.isr",
        "        if self._is_away:\n            self._give_up_connection()",
        "        if self._is_away:\n            for given_up in self._in_flight:\n"
        "                withdraw(given_up.replica)\n            self._in_flight = []",
        killers="quorum_superset",
        scenarios="s27 s38",
        tables="answer_is_lost",
    ),
    mutant(
        "M35",
        "AP-5: a change is taken back on FENCED_LEADER_EPOCH and INVALID_UPDATE_VERSION",
        "kafka.isr",
        "        if error == ERR_INELIGIBLE_REPLICA or error == ERR_OPERATION_NOT_ATTEMPTED:",
        "        if error == ERR_INELIGIBLE_REPLICA or error == ERR_OPERATION_NOT_ATTEMPTED or is_final(error):",
        killers="quorum_superset",
        scenarios="s27",
        tables="final_error or answer_is_lost",
    ),
    mutant(
        "M36",
        "AP-4: an answer counts for a newer proposal too",
        "kafka.isr",
        " and replica.pending_id == submission.id",
        "",
        killers="quorum_superset",
        tables="older_proposal",
    ),
]

BROKERS: list[Mutant] = [
    mutant(
        "M40",
        "REG-4: a registration leaves the ISRs alone",
        CONTROL,
        "        if known_be >= 0:\n            records.extend(self._leave_all(broker, REASON_REGISTRATION",
        "        if known_be < -1:\n            records.extend(self._leave_all(broker, REASON_REGISTRATION",
        killers="one_leader_per_epoch unclean_exclusion",
        scenarios="s12c",
    ),
    mutant(
        "M63",
        "LIVE-3: all stale brokers are fenced at once",
        "kafka.control_tasks",
        "        if control.fence_one():",
        "        again = control.fence_one()\n"
        "        while again and control.fence_one():\n            again = True\n"
        "        if again:",
        scenarios="s09b s13",
        killers="detect",
    ),
    mutant(
        "M64",
        "LIVE-5: a fenced broker stops serving",
        "kafka.produce",
        "        if replica is None or replica.role != LEADER:",
        "        truth = broker.listener.channels[0].controller.quorum.image\n"
        "        if replica is None or replica.role != LEADER or not truth.is_active(broker.id):",
        scenarios="s26 s27",
    ),
    mutant(
        "M65",
        "REG-2: a broker registers anew while its old session is valid",
        CONTROL,
        "        if known is not None and self.tracker.has_valid_session(broker, now):",
        "        if known is not None and known.be < -1 and self.tracker.has_valid_session(broker, now):",
        scenarios="s39",
        killers="be_unique",
    ),
    mutant(
        "M66",
        "QUO-4: a new controller does not renew the sessions",
        CONTROL,
        "                self.tracker.touch(broker, self.image.broker_epoch(broker), now)",
        "                self.tracker.touch(broker, self.image.broker_epoch(broker), now - self.config.session_us)",
        killers="fencing_exact",
        scenarios="s37",
    ),
    mutant(
        "M67",
        "QUO-6: the controller commits without a quorum",
        CONTROL,
        "        if self._closed or not self._writes or not self.quorum.reaches_majority(self.node):",
        "        if self._closed or not self._writes:",
        scenarios="s38",
        killers="metadata_prefix",
    ),
    mutant(
        "M68",
        "SHUT-1: a stopping broker leaves at once, leaderships and all",
        "kafka.lifecycle",
        "        if not broker.config.controlled_shutdown:",
        "        if self.state >= 0:",
        scenarios="s12-",
    ),
]
