"""Mutants of a replica: high watermark, ISR, its roles, its log."""

from tests.mutants.mutant import Mutant, mutant

REPLICAS: list[Mutant] = [
    mutant(
        "M07",
        "STATE-6: a lower partition epoch is applied",
        "kafka.replica.roles:take_registration",
        "replica.pe",
        "0",
        killers="epoch_monotonic quorum_superset",
        scenarios="s19-",
        tables="older_partition_epoch",
    ),
    mutant(
        "M17",
        "HW-1: the committed ISR instead of the maximal one",
        "kafka.replica.replica:Partition.advance_hw",
        "remote.in_maximal_isr or self.may_join(remote)",
        "remote.broker in self.isr",
        killers="strong_isr",
        tables="pending_joiner",
    ),
    mutant(
        "M18",
        "HW-1: the proposed ISR",
        "kafka.replica.replica:Partition.advance_hw",
        ("if remote.leo < candidate and (remote.in_maximal_isr or self.may_join(remote)):\n    candidate = remote.leo"),
        (
            "counted = self.isr if self.pending == COMMITTED else self.pending_isr\n"
            "if remote.leo < candidate and remote.broker in counted:\n"
            "    candidate = remote.leo"
        ),
        killers="ack_copies hw_le_isr_leo",
        scenarios="s19-",
    ),
    mutant(
        "M19",
        "HW-1: a majority of the replicas",
        "kafka.replica.replica:Partition.advance_hw",
        (
            "candidate = self.log.leo\n"
            "for remote in self.remotes:\n"
            "    if remote.leo < candidate and (remote.in_maximal_isr or self.may_join(remote)):\n"
            "        candidate = remote.leo"
        ),
        (
            "ends = sorted([int(self.log.leo), *[int(remote.leo) for remote in self.remotes]])\n"
            "candidate = ends[(len(ends) - 1) // 2]"
        ),
        killers="hw_le_isr_leo",
        others="hw_unknown_blocks",
        scenarios="s02",
    ),
    mutant(
        "M20",
        "HW-1: caught-up joiners do not count",
        "kafka.replica.replica:Partition.advance_hw",
        "remote.in_maximal_isr or self.may_join(remote)",
        "remote.in_maximal_isr",
        tables="caught_up_eligible",
    ),
    mutant(
        "M21",
        "HW-2: the high watermark moves below M",
        "kafka.replica.replica:Partition.advance_hw",
        ("if is_below_min(len(self.isr), self.min_isr):\n    return False"),
        "pass",
        killers="strict_min_isr_hw strong_isr",
        scenarios="s02 s04",
    ),
    mutant(
        "M22",
        "HW-2: the maximal ISR is compared with M",
        "kafka.replica.replica:Partition.advance_hw",
        "self.isr",
        "self.maximal_isr",
        killers="strict_min_isr_hw",
        scenarios="s04 s24-elr",
    ),
    mutant(
        "M23",
        "HW-3: M is not capped by the number of replicas",
        "kafka.replica.replica:Partition.refresh_min_isr",
        "required_isr(m, len(registration.synced()))",
        "m",
        scenarios="s02",
        tables="above_the_replication_factor",
    ),
    mutant(
        "M24",
        "HW-5: what followers had in an older leadership still counts",
        "kafka.replica.roles:_set_remotes",
        "remote.leo = UNKNOWN",
        "pass",
        killers="recorded_leo_sound",
        tables="leads_again",
    ),
    mutant(
        "M27",
        "LOG-6: the high watermark survives a kill exactly",
        "kafka.replica.replica:Partition.stop",
        "self.saved_hw()",
        "self.hw",
        tables="last_checkpoint",
    ),
    mutant(
        "M28",
        "ISR-5: a joiner may be below the high watermark",
        "kafka.replica.isr_changes:maybe_expand",
        ("remote.leo < replica.hw or remote.leo < replica.epoch_start or (not replica.broker.is_eligible(remote))"),
        "remote.leo < replica.epoch_start or not replica.broker.is_eligible(remote)",
        killers="strong_isr isr_expand_guard",
        scenarios="s19-",
        tables="proposes_a_joiner",
    ),
    mutant(
        "M29",
        "ISR-5: a joiner may be below the start of the epoch",
        "kafka.replica.isr_changes:maybe_expand",
        ("remote.leo < replica.hw or remote.leo < replica.epoch_start or (not replica.broker.is_eligible(remote))"),
        "remote.leo < replica.hw or not replica.broker.is_eligible(remote)",
        killers="strong_isr",
        others="isr_expand_guard",
        tables="proposes_a_joiner or below_the_start_of_the_epoch",
    ),
    mutant(
        "M34",
        "AP-1: a change that is not answered is taken back",
        "kafka.broker.isr:AlterPartitionManager.timed_out",
        "self._give_up_connection()",
        ("for given_up in self._in_flight:\n    withdraw(given_up.replica)\nself._in_flight = []"),
        killers="quorum_superset",
        scenarios="s27 s38",
        tables="answer_is_lost",
    ),
    mutant(
        "M35",
        "AP-5: a change is taken back on FENCED_LEADER_EPOCH and INVALID_UPDATE_VERSION",
        "kafka.broker.isr:AlterPartitionManager._refused",
        "error == ERR_INELIGIBLE_REPLICA or error == ERR_OPERATION_NOT_ATTEMPTED",
        "error == ERR_INELIGIBLE_REPLICA or error == ERR_OPERATION_NOT_ATTEMPTED or is_final(error)",
        killers="quorum_superset",
        scenarios="s27",
        tables="final_error or answer_is_lost",
    ),
    mutant(
        "M36",
        "AP-4: an answer counts for a newer proposal too",
        "kafka.broker.isr:AlterPartitionManager._is_current",
        "replica.role == LEADER and replica.pending != COMMITTED and (replica.pending_id == submission.id)",
        "replica.role == LEADER and replica.pending != COMMITTED",
        killers="quorum_superset",
        tables="older_proposal",
    ),
    mutant(
        "M37",
        "ISR-2: a follower at the log end may be out of sync",
        "kafka.replica.replica:Partition.is_out_of_sync",
        ("if remote.leo == self.log.leo:\n    return False"),
        "pass",
        killers="isr_shrink_guard",
        scenarios="s22",
    ),
    mutant(
        "M39",
        "ISR-4: nobody has caught up yet in a new epoch",
        "kafka.replica.roles:_set_remotes",
        (
            "remote.caught_up_at = now if member in registration.isr else NEVER\n"
            "if is_new_leader:\n"
            "    remote.leo = UNKNOWN\n"
            "    remote.start = UNKNOWN\n"
            "    remote.last_leader_leo = UNKNOWN\n"
            "    remote.last_fetch_at = NEVER\n"
            "    remote.be = NOT_FETCHED\n"
            "else:\n"
            "    remote.last_leader_leo = replica.log.leo\n"
            "    remote.last_fetch_at = remote.caught_up_at"
        ),
        (
            "remote.caught_up_at = NEVER\n"
            "if is_new_leader:\n"
            "    remote.leo = UNKNOWN\n"
            "    remote.start = UNKNOWN\n"
            "    remote.last_leader_leo = UNKNOWN\n"
            "    remote.last_fetch_at = NEVER\n"
            "    remote.be = NOT_FETCHED\n"
            "else:\n"
            "    remote.last_leader_leo = replica.log.leo\n"
            "    remote.last_fetch_at = remote.caught_up_at"
        ),
        killers="isr_shrink_guard",
        scenarios="s08",
        tables="leads_again or elected_again",
    ),
    mutant(
        "M41",
        "TRUNC-1: whoever becomes follower truncates to its high watermark",
        "kafka.replica.roles:_prepare_to_follow",
        "replica.broker.config.legacy",
        "replica.broker.id >= 0",
        killers="no_committed_truncation",
        scenarios="s18 s09b",
    ),
    mutant(
        "M46",
        "LOG-2: no epoch entry on becoming leader",
        "kafka.replica.roles:_lead",
        "replica.log.cache.assign(registration.epoch, replica.log.leo)",
        "replica.epoch_start = replica.log.leo",
        killers="logs_converge",
        others="epoch_cache_exact",
        scenarios="s10 s17 v04",
    ),
    mutant(
        "M47",
        "LOG-5: an entry that starts at the new log end is kept",
        "kafka.log.log:EpochCache.truncate",
        "self.starts[-1] >= end",
        "self.starts[-1] > end",
        killers="logs_converge",
        others="trunc_terminates",
        scenarios="v04 v17",
        tables="finds_the_fork",
    ),
    mutant(
        "M54",
        "PROD-2: nothing is refused below M",
        "kafka.replica.replica:Partition.append",
        "self.min_isr",
        "0",
        scenarios="s02",
    ),
    mutant(
        "M56",
        "PROD-9: waiting requests are not failed when the leader steps down",
        "kafka.replica.roles:_follow",
        ("if was_leader:\n    replica.fail_waiters(ERR_NOT_LEADER_OR_FOLLOWER)"),
        ("if replica.role == LEADER:\n    replica.fail_waiters(ERR_NOT_LEADER_OR_FOLLOWER)"),
        killers="write_resolved",
        scenarios="s26",
        tables="steps_down",
    ),
    mutant(
        "M59a",
        "IDEM-3: one batch is remembered",
        "kafka.log.producer_state:ProducerStates.update",
        "len(batches) > BATCHES_KEPT",
        "len(batches) > 1",
        tables="last_five",
    ),
    mutant(
        "M59b",
        "IDEM-8: followers remember no producers",
        "kafka.replica.replica:Partition._append",
        "batch.pid >= 0",
        "batch.pid >= 0 and self.role == LEADER",
        killers="idem_no_dup",
        scenarios="s06",
        tables="rebuilds_the_producers",
    ),
    mutant(
        "R12",
        "HW-9: a lower M moves the high watermark at once",
        "kafka.replica.replica:Partition.refresh_min_isr",
        ("if is_other and self.role == LEADER:\n    broker.observer.isr_changed(self)"),
        (
            "if self.role == LEADER:\n"
            "    self.advance_hw()\n"
            "if is_other and self.role == LEADER:\n"
            "    broker.observer.isr_changed(self)"
        ),
        scenarios="s34c",
    ),
    mutant(
        "R15",
        "LOG-10: recovery enters no epochs",
        "kafka.log.log:Log.recover_epochs",
        "batch.epoch > last",
        "batch.epoch < -1",
        tables="newer_than_the_file",
    ),
    mutant(
        "S09",
        "HW-4: an accepted change of the ISR moves no high watermark",
        "kafka.replica.isr_changes:adopt",
        "replica.advance_hw()",
        "replica.broker.why = replica.broker.why",
        tables="as_soon_as_the_leader or grows_to_the_minimum",
    ),
    mutant(
        "S34",
        "MET-5: an outdated answer to a proposal is no failed update",
        "kafka.broker.isr:AlterPartitionManager._settle",
        "self.broker.metrics.failed_isr_updates += 1",
        "self.broker.metrics.failed_isr_updates += 0",
        tables="not_older_than",
    ),
    mutant(
        "T146",
        "LOG-8: records appended after a truncation count as flushed",
        "kafka.log.log:Log.truncate",
        "self.flushed = min(self.flushed, end)",
        "pass",
        tables="was_never_flushed",
    ),
    mutant(
        "T209",
        "ISR-3: the cause of an ISR shrink is the newest event, not the fault that still holds the follower back",
        "kafka.replica.isr_changes:why_it_leaves",
        (
            "trouble if trouble else "
            "max(beginning(replica.registration), broker.causes.between(broker.id, remote.broker))"
        ),
        "max(trouble, beginning(replica.registration), broker.causes.between(broker.id, remote.broker))",
        tables="what_befell_the_two_brokers",
    ),
    mutant(
        "T83",
        "AP-6: a member counts no longer as soon as its removal is proposed",
        "kafka.replica.replica:Partition.refresh_maximal_isr",
        ("if self.pending == PENDING_EXPAND and remote.broker in self.pending_isr:\n    counts = True"),
        (
            "if self.pending == PENDING_EXPAND and remote.broker in self.pending_isr:\n"
            "    counts = True\n"
            "elif self.pending != COMMITTED:\n"
            "    counts = remote.broker in self.pending_isr"
        ),
        tables="from_when_it_is_to_come",
    ),
    mutant(
        "T85",
        "PROD-5: requests wait in the wrong order",
        "kafka.replica.replica:Partition.wait_for_hw",
        "waiters[i - 1].end_of(self.p) > end",
        "waiters[i - 1].end_of(self.p) < end",
        tables="order_of_the_offsets",
    ),
]
