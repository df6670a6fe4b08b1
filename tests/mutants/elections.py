"""Mutants of elections and of changes of the ISR at the controller."""

from tests.mutants.mutant import Mutant, mutant

ELECTIONS: list[Mutant] = [
    mutant(
        "M01",
        "ELEC-4: any active replica is a valid leader",
        "kafka.shared.standing:clean_candidates",
        "broker in members",
        "True",
        killers="strong_isr",
        scenarios="s13 s30",
    ),
    mutant(
        "M02",
        "ELEC-3: candidates in the order of the ISR",
        "kafka.shared.standing:clean_candidates",
        "[broker for broker in of.replicas if broker in members and broker in able]",
        "[broker for broker in members if broker in able]",
        killers="election_rule",
        scenarios="s23",
    ),
    mutant(
        "M03",
        "ELEC-4: a fenced broker may be elected",
        "kafka.shared.standing:clean_candidates",
        "broker in able",
        "True",
        killers="leader_active",
        scenarios="s09 s12b",
    ),
    mutant(
        "M03b",
        "DIR-1: a copy on a replaced disk may be elected before it is assigned to the new directory",
        "kafka.controller.election:PartitionChange.may_be_elected",
        "self._image.has_online_dir(broker, self.base)",
        "True",
        killers="election_rule",
        scenarios="s45",
        tables="not_elected_when_it_is_unfenced",
    ),
    mutant(
        "M04",
        "UNC-4: the longest log wins an unclean election",
        "kafka.controller.election:PartitionChange._elect",
        "winner = found.brokers[0]",
        (
            "import gc\n"
            "from simengine.kafka.controller.control import ReplicationControlManager\n"
            "from simengine.kafka.replica.replica import Partition\n"
            "known = gc.get_objects()\n"
            "mine = [c.quorum for c in known if isinstance(c, ReplicationControlManager) and c.image is self._image]\n"
            "logs = [r for r in known if isinstance(r, Partition) and r.p == self.base.p]\n"
            "logs = [r for r in logs if r.broker.listener.channels[0].controller.quorum in mine]\n"
            "ends = {r.broker.id: r.log.leo for r in logs}\n"
            "winner = found.brokers[0] if found.is_clean else max(found.brokers, key=lambda b: ends.get(b, 0))"
        ),
        killers="election_rule",
        scenarios="s14",
        tables="won_by_the_first_active",
    ),
    mutant(
        "M05",
        "STATE-2: no new leader epoch to or from -1",
        "kafka.controller.election:PartitionChange._record",
        "self._leader != base.leader",
        "self._leader != base.leader and self._leader >= 0 and (base.leader >= 0)",
        killers="one_leader_per_epoch",
        scenarios="s12b s13",
    ),
    mutant(
        "M06",
        "STATE-3: a new leader epoch with every change of the ISR",
        "kafka.controller.election:PartitionChange._record",
        "self._leader != base.leader or self._unclean or self._drops_replica()",
        "self._leader != base.leader or isr != base.isr or self._unclean or self._drops_replica()",
        killers="epoch_monotonic",
        scenarios="s19- s20",
    ),
    mutant(
        "M08",
        "ELEC-7: the ISR is emptied with ELR off",
        "kafka.controller.election:PartitionChange.build",
        "base.isr if base.isr else isr",
        "[]",
        killers="isr_nonempty",
        scenarios="s13- s12b-clean-stop-of-all.",
    ),
    mutant(
        "M10",
        "PREF-2: only above 10 % imbalance",
        "kafka.controller.periodic_elections:elect_preferred",
        "base is None or base.leader == base.replicas[0]",
        (
            "base is None or base.leader == base.replicas[0] or"
            " 10 * sum((r is not None and r.leader != r.replicas[0] == base.replicas[0] for r in image.partitions))"
            " <= sum((r is not None and r.replicas[0] == base.replicas[0] for r in image.partitions))"
        ),
        killers="preferred_returns",
        scenarios="s29b",
    ),
    mutant(
        "M11",
        "UNC-1: unclean elections although the topic forbids them",
        "kafka.controller.election:PartitionChange._may_be_unclean",
        "self._kind == ELECT_UNCLEAN or (self._kind == ELECT_ANY and self._image.unclean(self.base.topic))",
        "self._kind != ELECT_PREFERRED",
        killers="no_acked_loss",
        scenarios="s13-",
    ),
    mutant(
        "M12",
        "ELR-2: the ELR is kept when the ISR has M members",
        "kafka.controller.election:PartitionChange._target_elr",
        "not self._config.elr or not is_below_min(len(self.target_isr), required)",
        "not self._config.elr",
        killers="elr_wellformed",
        scenarios="s04a s24-elr",
    ),
    mutant(
        "M13",
        "ELR-5: a broker that comes back unclean stays in the ELR",
        "kafka.controller.election:PartitionChange._target_elr",
        "broker not in self.target_isr and broker not in elr and broker != self.unclean_shutdown",
        "broker not in self.target_isr and broker not in elr",
        killers="strong_isr unclean_exclusion",
        scenarios="s12c",
    ),
    mutant(
        "M14",
        "ELR-4: ELR members are eligible while the ISR has members",
        "kafka.shared.standing:clean_candidates",
        "of.isr or of.elr",
        "of.isr + of.elr",
        killers="elr_wellformed",
        tables="preferred_leader_in_the_elr or elr_while",
    ),
    mutant(
        "M15",
        "ELR-6: the last known leader need not be active",
        "kafka.shared.standing:last_known_leader",
        "last in able or allows_silent",
        "last >= 0",
        killers="leader_active",
        scenarios="s12c s13-elr",
    ),
    mutant(
        "R64",
        "REA-3: since 4.3 a kept replica that is out of sync still holds up a move",
        "kafka.controller.election:PartitionChange._waits_for_all",
        "self._config.all_targets_in_sync and (lowers or not self._config.kept_may_be_out)",
        "self._config.all_targets_in_sync",
        scenarios="s36d",
        tables="that_its_version_waits_for",
    ),
    mutant(
        "R65",
        "ELR-2: a member that a reassignment takes out of the replicas leaves the ELR",
        "kafka.controller.election:PartitionChange._target_elr",
        "broker not in self.target_isr and broker not in elr and broker != self.unclean_shutdown",
        "broker not in self.target_isr and broker not in elr and broker != self.unclean_shutdown "
        "and broker in self.replicas",
        tables="a_removed_replica_stays_eligible",
    ),
    mutant(
        "M30a",
        "AP-2: the controller compares no broker epochs",
        "kafka.controller.alter_partition:is_eligible",
        "image.is_active(broker) and (be == -1 or be == image.broker_epoch(broker))",
        "image.is_active(broker)",
        tables="ap_2_says",
    ),
    mutant(
        "M31",
        "AP-2: no test of eligibility",
        "kafka.controller.alter_partition:check_proposal",
        "not is_eligible(image, proposal.isr[i], proposal.bes[i])",
        "proposal.isr[i] < 0",
        killers="leader_active",
        scenarios="s27",
        tables="ap_2_says or not_active or fenced_broker_is_not_taken",
    ),
    mutant(
        "M32",
        "AP-2: no test of the partition epoch",
        "kafka.controller.alter_partition:check_proposal",
        "proposal.pe < base.pe",
        "proposal.pe < 0",
        killers="quorum_superset",
        tables="ap_2_says or older_partition_epoch_is_refused",
    ),
    mutant(
        "M33",
        "AP-2: no test of the leader epoch",
        "kafka.controller.alter_partition:check_proposal",
        "proposal.epoch < base.epoch",
        "proposal.epoch < 0",
        tables="ap_2_says",
    ),
    mutant(
        "M63",
        "LIVE-3: all stale brokers are fenced at once",
        "kafka.controller.control_tasks:FencingCheck.act",
        (
            "if control.fence_one():\n"
            "    control.sim.after(config.fence_again_us, self)\n"
            "elif config.fencing_by_ticks:\n"
            "    control.sim.after(config.fence_check_us + control.ticks.exponential(TICK_LATE_MEAN_US), self)\n"
            "else:\n"
            "    control.sim.at(control.tracker.next_end(control.sim.now) + 1, self)"
        ),
        (
            "again = control.fence_one()\n"
            "while again and control.fence_one():\n"
            "    again = True\n"
            "if again:\n"
            "    control.sim.after(config.fence_again_us, self)\n"
            "elif config.fencing_by_ticks:\n"
            "    control.sim.after(config.fence_check_us + control.ticks.exponential(TICK_LATE_MEAN_US), self)\n"
            "else:\n"
            "    control.sim.at(control.tracker.next_end(control.sim.now) + 1, self)"
        ),
        killers="detect",
        scenarios="s09b s13",
    ),
    mutant(
        "T151",
        "ISR-9: older versions store the ISR in ascending order too",
        "kafka.controller.alter_partition:decide_proposals",
        "sorted(proposal.isr) if config.isr_sorted else proposal.isr",
        "sorted(proposal.isr)",
        tables="ascending_order",
    ),
    mutant(
        "T152",
        "ELEC-5: the leader's recovery state in a proposal is ignored",
        "kafka.controller.alter_partition:decide_proposals",
        "change.recovered = proposal.recovered",
        "pass",
        tables="ascending_order",
    ),
]
