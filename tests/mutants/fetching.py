"""Mutants of fetching: followers and consumers, at both ends."""

from tests.mutants.mutant import Mutant, mutant

FETCHING: list[Mutant] = [
    mutant(
        "M25",
        "FET-9: a follower takes the leader's high watermark as it is",
        "kafka.replica.fetcher:Fetcher._take",
        "min(max(part.hw, replica.log.start), replica.log.leo)",
        "part.hw",
        killers="type_ok",
        scenarios="s10 s19-",
    ),
    mutant(
        "M26",
        "FET-8: a new high watermark releases a parked fetch",
        "kafka.replica.follower_session:FetchSession.hw_moved",
        "self._hw_news = append(self._hw_news, remote)",
        ("self._hw_news = append(self._hw_news, remote)\nself.leader_gone()"),
        scenarios="s01 s40",
    ),
    mutant(
        "M38",
        "ISR-1: out-of-sync followers are looked for at every fetch",
        "kafka.replica.follower_session:FetchSession._record",
        "maybe_expand(replica, remote)",
        (
            "from simengine.kafka.replica.isr_changes import maybe_shrink\nmaybe_shrink(replica)\n"
            "maybe_expand(replica, remote)"
        ),
        others="isr_shrink_guard",
        scenarios="s19-",
        tables="only_at_the_ticks",
    ),
    mutant(
        "M42",
        "TRUNC-3: truncates to its high watermark on a divergence",
        "kafka.replica.fetcher:Fetcher._reconcile",
        "min(target, log.leo)",
        "min(replica.hw, log.leo)",
        killers="trunc_terminates no_committed_truncation",
        scenarios="v09 v10 v11",
        tables="finds_the_fork",
    ),
    mutant(
        "M43",
        "TRUNC-3: only the leader's offset counts",
        "kafka.replica.fetcher:Fetcher._reconcile",
        "own_epoch == NO_EPOCH",
        "own_epoch >= NO_EPOCH",
        killers="trunc_terminates",
        scenarios="v14 v15",
        tables="finds_the_fork",
    ),
    mutant(
        "M44",
        "TRUNC-2: no test for divergence",
        "kafka.replica.follower_session:FetchSession._take_position",
        "epoch < position.last_epoch or end < position.offset",
        "epoch < -1",
        killers="log_matching",
        scenarios="s10 s16",
    ),
    mutant(
        "M45",
        "TRUNC-2: a diverging fetch counts as progress",
        "kafka.replica.follower_session:FetchSession._take_position",
        "return part",
        (
            "other = replica.remote(self.follower)\n"
            "if other is not None:\n"
            "    self._record(replica, other, position.offset, be, previous)\n"
            "return part"
        ),
        killers="recorded_leo_sound",
        scenarios="v11 v14",
        tables="diverging_fetch",
    ),
    mutant(
        "M48",
        "FET-4: epochs are not compared",
        "kafka.replica.follower_session:FetchSession._check",
        (
            "if position.epoch < replica.epoch:\n"
            "    return ERR_FENCED_LEADER_EPOCH\n"
            "if position.epoch > replica.epoch:\n"
            "    return ERR_UNKNOWN_LEADER_EPOCH"
        ),
        ("if position.epoch < -1:\n    return ERR_UNKNOWN_LEADER_EPOCH"),
        tables="fet_4",
    ),
    mutant(
        "M49",
        "FET-11: an answer to another request is used",
        "kafka.replica.fetcher:Fetcher.process",
        "replica.role != FOLLOWER or replica.epoch != part.epoch or replica.log.leo != part.offset",
        "replica.role != FOLLOWER",
        killers="fetch_matched",
        tables="old_answer or answer_of_another_epoch",
    ),
    mutant(
        "M50",
        "FET-5: progress counts when records are sent",
        "kafka.replica.follower_session:FetchSession._read",
        "return FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, log.start, batches)",
        (
            "part = FetchPart(replica.p, ERR_NONE, replica.epoch, remote.leo, replica.hw, log.start, batches)\n"
            "if batches:\n"
            "    remote.leo = batches[-1].end\n"
            "    replica.advance_hw()\n"
            "    self.leader.observer.fetched(replica, remote)\n"
            "return part"
        ),
        killers="recorded_leo_sound",
        others="hw_le_isr_leo",
        scenarios="s01",
    ),
    mutant(
        "M51",
        "FET-6: fetches of an older incarnation are admitted",
        "kafka.replica.follower_session:FetchSession._take_position",
        "self._is_outdated(be)",
        "be < -1",
        tables="fet_4",
    ),
    mutant(
        "M52a",
        "FET-12: no back-off",
        "kafka.replica.fetcher:Fetcher._delay",
        "self.broker.config.fetch_backoff_us",
        "1",
        scenarios="s08",
        tables="backs_off",
    ),
    mutant(
        "M52b",
        "FET-12: the back-off never ends",
        "kafka.replica.fetcher:Fetcher.backoff_over",
        ("replica.fetch_state = READY\nself._ready += 1\nself._mark_dirty(replica)"),
        "still.append(replica)",
        killers="isr_full",
        others="logs_converge",
        scenarios="s08 s12-",
    ),
    mutant(
        "M60",
        "CON-1: consumers read to the log end",
        "kafka.broker.consumer_fetch:read_part",
        ("if position.offset >= replica.hw:\n    return None\nbatches = log.read(position.offset, replica.hw, limit)"),
        ("if position.offset >= log.leo:\n    return None\nbatches = log.read(position.offset, log.leo, limit)"),
        killers="read_committed_only",
        scenarios="s10 s26 s04",
    ),
    mutant(
        "M62",
        "FFR-4: a follower serves beyond its own high watermark",
        "kafka.broker.consumer_fetch:read_part",
        ("if position.offset >= replica.hw:\n    return None\nbatches = log.read(position.offset, replica.hw, limit)"),
        (
            "end = replica.hw if replica.role == LEADER else log.leo\n"
            "if position.offset >= end:\n"
            "    return None\n"
            "batches = log.read(position.offset, end, limit)"
        ),
        killers="read_committed_only",
        scenarios="s40",
    ),
    mutant(
        "R02",
        "CON-2: a reader of an older epoch is served",
        "kafka.broker.consumer_fetch:check_reader",
        "position.epoch < replica.epoch",
        "position.epoch < -1",
        tables="as_con_2_says",
    ),
    mutant(
        "S26",
        "HW-7, CON-5: a reset by duration goes to records that are not committed",
        "kafka.broker.consumer_fetch:handle_offset",
        "replica.log.offset_at(request.timestamp, replica.hw)",
        "replica.log.offset_at(request.timestamp, replica.log.leo)",
        tables="first_committed_record",
    ),
    mutant(
        "S40",
        "FET-13: a log that ends where the leader's begins is dropped",
        "kafka.replica.fetcher:Fetcher._out_of_range",
        "leader_start > log.leo",
        "leader_start >= log.leo",
        tables="starts_over_or_tries",
    ),
    mutant(
        "T143",
        "FET-16: every fetcher of a process begins slowly",
        "kafka.replica.fetcher:Fetcher._warm_up",
        "broker.has_fetched = True",
        "pass",
        tables="first_fetch_alone",
    ),
    mutant(
        "T161",
        "FET-7: the high watermark moves before a joiner is proposed",
        "kafka.replica.follower_session:FetchSession._record",
        ("maybe_expand(replica, remote)\nif moved:\n    replica.advance_hw()"),
        ("if moved:\n    replica.advance_hw()\nmaybe_expand(replica, remote)"),
        tables="before_its_progress",
    ),
]
