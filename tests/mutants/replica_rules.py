"""Mutants of what replicas do: high watermark, ISR, fetching, truncation, the log."""

from tests.mutants.mutant import Mutant, mutant

REPLICA = "kafka.replica"
ROLES = "kafka.roles"
CHANGES = "kafka.isr_changes"
SESSION = "kafka.follower_session"
FETCHER = "kafka.fetcher"
COUNTS = "            if remote.leo < candidate and (remote.in_maximal or self._may_join(remote)):"

HIGH_WATERMARK: list[Mutant] = [
    mutant(
        "M17",
        "HW-1: the committed ISR instead of the maximal one",
        REPLICA,
        COUNTS,
        "            if remote.leo < candidate and remote.broker in self.isr:",
        killers="strong_isr",
        tables="pending_joiner",
    ),
    mutant(
        "M18",
        "HW-1: the proposed ISR",
        REPLICA,
        COUNTS,
        "            counted = self.isr if self.pending == COMMITTED else self.pending_isr\n"
        "            if remote.leo < candidate and remote.broker in counted:",
        killers="ack_copies hw_le_isr_leo",
        scenarios="s19-",
    ),
    mutant(
        "M19",
        "HW-1: a majority of the replicas",
        REPLICA,
        f"        candidate = self.log.leo\n        for remote in self.remotes:\n{COUNTS}\n"
        "                candidate = remote.leo\n",
        "        ends = sorted([int(self.log.leo), *[int(remote.leo) for remote in self.remotes]])\n"
        "        candidate = ends[(len(ends) - 1) // 2]\n",
        killers="hw_le_isr_leo",
        others="hw_unknown_blocks",
        scenarios="s02",
    ),
    mutant(
        "M20",
        "HW-1: caught-up joiners do not count",
        REPLICA,
        "(remote.in_maximal or self._may_join(remote))",
        "remote.in_maximal",
        tables="caught_up_eligible",
    ),
    mutant(
        "M21",
        "HW-2: the high watermark moves below M",
        REPLICA,
        "        if len(self.isr) < self.min_isr:\n            return False\n        candidate",
        "        candidate",
        killers="strict_min_isr_hw strong_isr",
        scenarios="s02 s04",
    ),
    mutant(
        "M22",
        "HW-2: the maximal ISR is compared with M",
        REPLICA,
        "        if len(self.isr) < self.min_isr:\n            return False\n        candidate",
        "        if len(self.maximal) < self.min_isr:\n            return False\n        candidate",
        killers="strict_min_isr_hw",
        scenarios="s04 s24-elr",
    ),
    mutant(
        "M23",
        "HW-3: M is not capped by the number of replicas",
        REPLICA,
        "        wanted = m if m < n else n",
        "        wanted = m",
        scenarios="s02",
        tables="above_the_replication_factor",
    ),
    mutant(
        "M24",
        "HW-5: what followers had in an older leadership still counts",
        ROLES,
        "            if is_new_leader:\n                remote.leo = UNKNOWN\n",
        "            if is_new_leader:\n",
        killers="recorded_leo_sound",
        tables="leads_again or ping_pong",
    ),
    mutant(
        "M25",
        "FET-9: a follower takes the leader's high watermark as it is",
        FETCHER,
        "        hw = min(max(part.hw, replica.log.start), replica.log.leo)  # FET-9",
        "        hw = part.hw",
        killers="type_ok",
        scenarios="s10 s19-",
    ),
    mutant(
        "M26",
        "FET-8: a new high watermark releases a parked fetch",
        SESSION,
        "            self._hw_news = append(self._hw_news, remote)",
        "            self._hw_news = append(self._hw_news, remote)\n            self.leader_gone()",
        scenarios="s01 s40",
    ),
    mutant(
        "M27",
        "LOG-6: the high watermark survives a kill exactly",
        REPLICA,
        "        self.hw_saved = self.saved_hw()",
        "        self.hw_saved = self.hw",
        tables="last_checkpoint",
    ),
]

ISR: list[Mutant] = [
    mutant(
        "M28",
        "ISR-5: a joiner may be below the high watermark",
        CHANGES,
        "    if remote.leo < replica.hw or remote.leo < replica.epoch_start or not",
        "    if remote.leo < replica.epoch_start or not",
        killers="strong_isr isr_expand_guard",
        scenarios="s19-",
        tables="proposes_a_joiner",
    ),
    mutant(
        "M29",
        "ISR-5: a joiner may be below the start of the epoch",
        CHANGES,
        "    if remote.leo < replica.hw or remote.leo < replica.epoch_start or not",
        "    if remote.leo < replica.hw or not",
        killers="strong_isr",
        others="isr_expand_guard",
        tables="proposes_a_joiner or below_the_start_of_the_epoch",
    ),
    mutant(
        "M37",
        "ISR-2: a follower at the log end may be out of sync",
        REPLICA,
        "        if remote.leo == self.log.leo:\n            return False\n        return self.broker.sim.now",
        "        return self.broker.sim.now",
        killers="isr_shrink_guard",
        scenarios="s22",
    ),
    mutant(
        "M38",
        "ISR-1: out-of-sync followers are looked for at every fetch",
        SESSION,
        "        self.leader.observer.fetched(replica, remote)\n        maybe_expand(replica, remote)",
        "        self.leader.observer.fetched(replica, remote)\n"
        "        from simengine.kafka.isr_changes import maybe_shrink\n\n"
        "        maybe_shrink(replica)\n        maybe_expand(replica, remote)",
        scenarios="s19-",
        others="isr_shrink_guard",
        tables="only_at_the_ticks",
    ),
    mutant(
        "M39",
        "ISR-4: nobody has caught up yet in a new epoch",
        ROLES,
        "            remote.start_over()\n"
        "            remote.caught_up_at = now if member in registration.isr else NEVER",
        "            remote.start_over()\n            remote.caught_up_at = NEVER",
        scenarios="s08",
        tables="leads_again or elected_again",
        killers="isr_shrink_guard",
    ),
]

TRUNCATION: list[Mutant] = [
    mutant(
        "M41",
        "TRUNC-1: whoever becomes follower truncates to its high watermark",
        ROLES,
        "    if replica.broker.config.legacy:",
        "    if replica.broker.id >= 0:",
        killers="no_committed_truncation",
        scenarios="s18 s09b",
    ),
    mutant(
        "M42",
        "TRUNC-3: truncates to its high watermark on a divergence",
        FETCHER,
        "        replica.truncate(min(target, log.leo), ",
        "        replica.truncate(min(replica.hw, log.leo), ",
        killers="trunc_terminates no_committed_truncation",
        scenarios="v09 v10 v11",
        tables="finds_the_fork",
    ),
    mutant(
        "M43",
        "TRUNC-3: only the leader's offset counts",
        FETCHER,
        "        if own_epoch == NO_EPOCH:",
        "        if own_epoch >= NO_EPOCH:",
        scenarios="v14 v15",
        tables="finds_the_fork",
        killers="trunc_terminates",
    ),
    mutant(
        "M44",
        "TRUNC-2: no test for divergence",
        SESSION,
        "(epoch < position.last_epoch or end < position.offset):",
        "epoch < -1:",
        killers="log_matching",
        scenarios="s10 s16",
    ),
    mutant(
        "M45",
        "TRUNC-2: a diverging fetch counts as progress",
        SESSION,
        "                part.diverging_end = end\n",
        "                part.diverging_end = end\n                other = replica.remote(self.follower)\n"
        "                if other is not None:\n"
        "                    self._record(replica, other, position.offset, be, previous)\n",
        killers="recorded_leo_sound",
        scenarios="v11 v14",
        tables="diverging_fetch",
    ),
    mutant(
        "M46",
        "LOG-2: no epoch entry on becoming leader",
        ROLES,
        "        replica.log.cache.assign(registration.epoch, replica.log.leo)",
        "        replica.epoch_start = replica.log.leo",
        killers="logs_converge",
        others="epoch_cache_exact",
        scenarios="s10 s17 v04",
    ),
    mutant(
        "M47",
        "LOG-5: an entry that starts at the new log end is kept",
        "kafka.log",
        "        while self.starts and self.starts[-1] >= end:",
        "        while self.starts and self.starts[-1] > end:",
        scenarios="v04 v17",
        tables="finds_the_fork",
        killers="logs_converge",
        others="trunc_terminates",
    ),
    mutant(
        "M48",
        "FET-4: epochs are not compared",
        SESSION,
        "        if position.epoch < replica.epoch:\n            return ERR_FENCED_LEADER_EPOCH\n"
        "        if position.epoch > replica.epoch:",
        "        if position.epoch < -1:",
        tables="fet_4",
    ),
    mutant(
        "M49",
        "FET-11: an answer to another request is used",
        FETCHER,
        " or replica.epoch != part.epoch or replica.log.leo != part.offset:",
        ":",
        killers="fetch_matched",
        tables="old_answer or answer_of_another_epoch",
    ),
    mutant(
        "M50",
        "FET-5: progress counts when records are sent",
        SESSION,
        "        return FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, log.start, batches)",
        "        part = FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, log.start, batches)\n"
        "        if batches:\n            remote.leo = batches[-1].end\n            replica.advance_hw()\n"
        "            self.leader.observer.fetched(replica, remote)\n        return part",
        killers="recorded_leo_sound",
        others="hw_le_isr_leo",
        scenarios="s01",
    ),
    mutant(
        "M51",
        "FET-6: fetches of an older incarnation are admitted",
        SESSION,
        "        if self._is_outdated(be):",
        "        if be < -1:",
        tables="fet_4",
    ),
    mutant(
        "M52a",
        "FET-12: no back-off",
        FETCHER,
        "        replica.fetch_until = self.broker.sim.now + self.broker.config.fetch_backoff_us",
        "        replica.fetch_until = self.broker.sim.now + 1",
        scenarios="s08",
        tables="backs_off",
    ),
    mutant(
        "M52b",
        "FET-12: the back-off never ends",
        FETCHER,
        "            replica.fetch_state = READY\n            self._ready += 1\n            self._mark_dirty(replica)\n"
        "        self._delayed = still",
        "            still.append(replica)\n        self._delayed = still",
        killers="isr_full",
        others="logs_converge",
        scenarios="s08 s12-",
    ),
]
