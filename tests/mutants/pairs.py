"""Mutants of several places: guards come in layers, and one may cover for the other."""

from tests.mutants.mutant import Mutant, mutant, together

PAIRS: list[Mutant] = [
    together(
        "M30+M51",
        "AP-2, ISR-6 and FET-6: nobody compares broker epochs",
        mutant(
            "M30+M51, part 1",
            "AP-2, ISR-6 and FET-6: nobody compares broker epochs",
            "kafka.controller.alter_partition:is_eligible",
            "image.is_active(broker) and (be == -1 or be == image.broker_epoch(broker))",
            "image.is_active(broker)",
        ),
        mutant(
            "M30+M51, part 2",
            "AP-2, ISR-6 and FET-6: nobody compares broker epochs",
            "kafka.replica.replica_host:ReplicaHost.is_eligible",
            "remote.be == -1 or remote.be == self.image.broker_epoch(remote.broker)",
            "True",
        ),
        mutant(
            "M30+M51, part 3",
            "AP-2, ISR-6 and FET-6: nobody compares broker epochs",
            "kafka.replica.follower_session:FetchSession._take_position",
            "self._is_outdated(be)",
            "be < -1",
        ),
        tables="ap_2_says or isr_6_says or fet_4",
    ),
    together(
        "M32+M33",
        "AP-2: neither epoch of a proposal is compared",
        mutant(
            "M32+M33, part 1",
            "AP-2: neither epoch of a proposal is compared",
            "kafka.controller.alter_partition:check_proposal",
            "proposal.pe < base.pe",
            "proposal.pe < 0",
        ),
        mutant(
            "M32+M33, part 2",
            "AP-2: neither epoch of a proposal is compared",
            "kafka.controller.alter_partition:check_proposal",
            "proposal.epoch < base.epoch",
            "proposal.epoch < 0",
        ),
        killers="leader_completeness",
        tables="of_an_older_leadership",
    ),
    together(
        "M48+M49",
        "FET-4, FET-11: epochs are compared neither in requests nor in answers",
        mutant(
            "M48+M49, part 1",
            "FET-4, FET-11: epochs are compared neither in requests nor in answers",
            "kafka.replica.follower_session:FetchSession._check",
            (
                "if position.epoch < replica.epoch:\n"
                "    return ERR_FENCED_LEADER_EPOCH\n"
                "if position.epoch > replica.epoch:\n"
                "    return ERR_UNKNOWN_LEADER_EPOCH"
            ),
            ("if position.epoch < -1:\n    return ERR_UNKNOWN_LEADER_EPOCH"),
        ),
        mutant(
            "M48+M49, part 2",
            "FET-4, FET-11: epochs are compared neither in requests nor in answers",
            "kafka.replica.fetcher:Fetcher.process",
            "replica.role != FOLLOWER or replica.epoch != part.epoch or replica.log.leo != part.offset",
            "replica.role != FOLLOWER",
        ),
        tables="fet_4 or old_answer or answer_of_another_epoch",
    ),
    together(
        "M49+LOG-9",
        "FET-11, LOG-9: old answers are used, with batches of any epoch",
        mutant(
            "M49+LOG-9, part 1",
            "FET-11, LOG-9: old answers are used, with batches of any epoch",
            "kafka.replica.fetcher:Fetcher.process",
            "replica.role != FOLLOWER or replica.epoch != part.epoch or replica.log.leo != part.offset",
            "replica.role != FOLLOWER",
        ),
        mutant(
            "M49+LOG-9, part 2",
            "FET-11, LOG-9: old answers are used, with batches of any epoch",
            "kafka.replica.fetcher:Fetcher._take",
            "batch.epoch > part.epoch and self.broker.config.epoch_filter",
            "batch.epoch < 0",
        ),
        killers="no_committed_truncation",
        tables="another_position_cuts_nothing",
    ),
    together(
        "M58b",
        "PC-7: the death of a process is as silent as a cut, no reset tells of it",
        mutant(
            "M58b, part 1",
            "PC-7: the death of a process is as silent as a cut, no reset tells of it",
            "kernel.channel:Channel.end_died",
            "not self.silent(False) and (self.state == UP or self.is_greeting)",
            "self.state < -1",
        ),
        mutant(
            "M58b, part 2",
            "PC-7: the death of a process is as silent as a cut, no reset tells of it",
            "kernel.channel:Channel.refuse_dead",
            "self._break_later()",
            "self.busy = self.busy",
        ),
        scenarios="s08 s28",
    ),
    together(
        "M69",
        "MM-5: a position is translated by the newest sync at or after it",
        mutant(
            "M69, part 1",
            "MM-5: a position is translated by the newest sync at or after it",
            "mirror.sync_array:nearest",
            ("for sync in syncs:\n    if sync.upstream <= upstream:\n        return sync\nreturn syncs[SLOTS - 1]"),
            ("for sync in reversed(syncs):\n    if sync.upstream >= upstream:\n        return sync\nreturn syncs[0]"),
        ),
        mutant(
            "M69, part 2",
            "MM-5: a position is translated by the newest sync at or after it",
            "mirror.offset_sync_store:OffsetSyncStore.translate_downstream",
            ("if sync.upstream > upstream:\n    return TOO_OLD"),
            "pass",
        ),
        killers="mm_never_ahead",
        scenarios="s42",
        tables="translation_vector",
    ),
]
