"""A topic's figures at a moment of the run, from the accounts of its partitions."""

from typing import final

from mypy_extensions import i64

from simengine.facts.decisive import VerdictChanged
from simengine.kafka.shared.causes import Causes
from simengine.kafka.shared.standing import LEADERLESS, OPEN
from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.account import PartitionCounters
from simengine.verdict.figures import TopicFigures
from simengine.verdict.final_log import FinalLog
from simengine.verdict.lost_by import gravest_of
from simengine.verdict.outage import NEVER, THETA_US, Outage
from simengine.verdict.presence import length
from simengine.verdict.records import of_sent_again
from simengine.verdict.seen import ClientView
from simengine.verdict.silences import waits
from simengine.verdict.still import keep_share


@final
class LongestOutage:
    """The longest time out among some partitions: whose it is (-1: nobody's), and what began the longest stretch."""

    __slots__ = ("cause", "p", "us")

    def __init__(self) -> None:
        self.us: i64 = 0
        self.p: i64 = -1
        self.cause: i64 = 0

    def look(self, p: i64, outage: Outage, now: i64) -> None:
        """One more partition."""
        us = outage.us(now)
        if us > self.us:
            self.add(p, us, outage.deciding(now))

    def add(self, p: i64, us: i64, cause: i64) -> None:
        """One more partition: its time out, and what began its longest stretch."""
        if us > self.us:
            self.us = us
            self.p = p
            self.cause = cause


@final
class OldestOutage:
    """The cause of the oldest of some stops that are going on, 0 if there is none."""

    __slots__ = ("_since", "cause")

    def __init__(self) -> None:
        self._since: i64 = -1
        self.cause: i64 = 0

    def look(self, account: PartitionCounters, outage: Outage) -> None:
        """One more stop."""
        if outage.since >= 0 and (self._since < 0 or outage.since < self._since):
            self._since, self.cause = outage.since, account.keeps_out(outage)


@final
class Stops:
    """The past and present stops of a topic's partitions, for acks=all, for acks=1 and for readers."""

    __slots__ = (
        "all_",
        "held",
        "now_1",
        "now_all",
        "one",
        "read",
        "seen",
        "silent_us",
        "stopped_1",
        "stopped_all",
        "waiting",
        "waiting_1",
        "waits",
        "waits_1_us",
        "waits_all_us",
    )

    def __init__(self) -> None:
        self.all_: LongestOutage = LongestOutage()
        self.one: LongestOutage = LongestOutage()
        self.read: LongestOutage = LongestOutage()
        self.held: i64 = 0  # calls made while their producer had no response
        self.stopped_all: i64 = 0
        self.stopped_1: i64 = 0
        self.now_all: OldestOutage = OldestOutage()  # of the stops that are going on
        self.now_1: OldestOutage = OldestOutage()
        self.waits: OldestOutage = OldestOutage()  # of them those in which calls wait
        self.waits_all_us: i64 = 0  # how long the longest of those that are going on has lasted
        self.waits_1_us: i64 = 0
        self.waiting: i64 = 0  # partitions in which calls wait now because of the servers ...
        self.waiting_1: i64 = 0  # ... and of them those without a leader
        self.silent_us: i64 = 0  # for how long the producers of such a partition have had no response; 0 up to theta
        self.seen: ClientView = ClientView()

    def add(self, account: PartitionCounters) -> None:
        """One more partition, by its kept share."""
        share = account.share
        self.all_.add(account.p, share.all_us, share.all_cause)
        self.one.add(account.p, share.one_us, share.one_cause)
        self.read.add(account.p, share.read_us, share.read_cause)
        self.held += share.held
        self.seen.add(account, share)

    def look(self, account: PartitionCounters, now: i64) -> None:
        """One more partition."""
        self.all_.look(account.p, account.out_all, now)
        self.one.look(account.p, account.out_1, now)
        self.read.look(account.p, account.reading.out, now)
        for calls in account.calls:
            self.held += calls.held(now)
        self.waits_all_us = max(self.waits_all_us, account.out_all.open_us(now))
        self.waits_1_us = max(self.waits_1_us, account.out_1.open_us(now))
        self.seen.look(account, now)
        if account.state != OPEN:
            self._look_for_waits(account, now)
        if account.state != OPEN and not account.is_new:
            self.stopped_all += 1
            self.now_all.look(account, account.out_all)
        if account.state == LEADERLESS and not account.is_new:
            self.stopped_1 += 1
            self.now_1.look(account, account.out_1)

    def _look_for_waits(self, account: PartitionCounters, now: i64) -> None:
        """Calls that wait because the partition is out."""
        is_waiting = False
        for calls in account.calls:
            for mode in calls.modes:
                if waits(account, mode, now):
                    is_waiting = True
                    self.silent_us = max(self.silent_us, mode.open_us(now))
                    self.waits.look(account, account.out_all if mode.acks == ACKS_ALL else account.out_1)
        self.waiting += is_waiting
        self.waiting_1 += is_waiting and account.state == LEADERLESS


def vanished_calls(account: PartitionCounters, now: i64) -> i64:
    """Calls handed over with acks=0 that are not in the leader's log; without a leader, in no log at all."""
    total: i64 = 0
    is_led = account.leader() is not None
    for calls in account.calls:
        total += calls.handed_over.vanished(now) if is_led else length(account.nowhere(calls, now))
    return total


@final
class Fates:
    """The fates of a topic's records: those lost, doubled, hidden, vanished, and the facts that did most of it."""

    __slots__ = (
        "before",
        "by_application",
        "by_cause",
        "copy_fact",
        "duplicated",
        "emptied",
        "gone_fact",
        "groups_fact",
        "groups_lost",
        "hidden",
        "hides",
        "is_offsets",
        "lost",
        "lost_again",
        "lost_before",
        "most_copied",
        "most_unreadable",
        "recovered",
        "unled",
        "unled_fact",
        "unreadable",
        "vanished",
    )

    def __init__(self) -> None:
        self.lost: i64 = 0
        self.by_cause: dict[int, int] = {}  # fact -> records lost by it
        self.before: i64 = 0  # from before the run ...
        self.lost_before: i64 = 0  # ... and of them those lost
        self.gone_fact: i64 = 0  # the newest fact by which some of these went
        self.emptied: i64 = 0
        self.unreadable: i64 = 0
        self.unled: i64 = 0
        self.unled_fact: i64 = 0
        self.duplicated: i64 = 0
        self.most_copied: i64 = 0
        self.copy_fact: i64 = 0
        self.hidden: i64 = 0
        self.most_unreadable: i64 = 0
        self.hides: i64 = 0
        self.vanished: i64 = 0
        self.by_application: i64 = 0
        self.recovered: i64 = 0
        self.lost_again: i64 = 0
        self.is_offsets: bool = False
        self.groups_lost: i64 = 0
        self.groups_fact: i64 = 0  # the newest fact by which their offsets went

    def look(self, account: PartitionCounters, totals: TopicFigures, now: i64) -> None:
        """One more partition."""
        self.lost += account.losses.count
        if account.losses.counts:
            for cause, count in account.losses.counts.items():
                self.by_cause[cause] = self.by_cause.get(cause, 0) + count
        self.before += account.before.count
        if account.before.lost:
            self.lost_before += account.before.lost
            self.gone_fact = account.before.cause
        self.emptied += _is_emptied(account)
        if account.commits is not None:
            self.is_offsets = True
            if account.commits.lost:
                self.groups_lost += len(account.commits.lost)
                self.groups_fact = max(self.groups_fact, account.commits.cause())
        if account.copies.found:
            account.copies.look(account.leader())
            self.duplicated += account.copies.count()
            if account.copies.most > self.most_copied:
                self.most_copied, self.copy_fact = account.copies.most, account.copies.most_fact
        self._look_for_sent_again(account)
        hidden = account.hidden_records(now)
        self.hidden += hidden
        unreadable = _unreadable(account, hidden, now)
        self.unreadable += unreadable
        if account.unled_by:
            self.unled += 1
            self.unled_fact = account.unled_by
        if unreadable > self.most_unreadable:
            self.most_unreadable = unreadable
            self.hides = account.keeps_out(account.reading.out) if unreadable > hidden else account.hides()
        if totals.handed_over > 0:
            self.vanished += vanished_calls(account, now)

    def _look_for_sent_again(self, account: PartitionCounters) -> None:
        """Add the figures of records that the application sent again."""
        for calls in account.calls:
            if calls.again:
                again = of_sent_again(calls, FinalLog(account, []))
                self.by_application += again.by_application
                self.recovered += again.recovered
                self.lost_again += again.lost_again


def figures_so_far(topic: i64, totals: TopicFigures, accounts: list[PartitionCounters], now: i64) -> VerdictChanged:
    """The figures of a topic as a fact that is not stated yet; its severity and its sentence are still empty."""
    fates, stops = Fates(), Stops()
    is_all = totals.acks == ACKS_ALL
    for account in accounts:
        if account.share.is_kept:
            fates.before += account.share.before
            stops.add(account)
            continue
        fates.look(account, totals, now)
        stops.look(account, now)
        keep_share(account, now)
    all_, one, read, seen = stops.all_, stops.one, stops.read, stops.seen
    gravest, gravest_lost = (
        gravest_of(fates.by_cause, accounts[0].cluster.sim.trace.decisive) if fates.by_cause else (0, 0)
    )
    deciding = _deciding(fates, stops, gravest, is_all, accounts[0].cluster.causes)
    return VerdictChanged(
        deciding,
        topic=topic,
        acked=totals.acked,
        lost=fates.lost,
        duplicated=fates.duplicated,
        hidden=fates.hidden,
        refused=totals.refused,
        unknown=totals.unknown,
        write_down_all_us=all_.us,
        write_down_1_us=one.us,
        read_down_us=read.us,
        deciding=deciding,
        lost_traffic_us=totals.rate.us_of(fates.lost - fates.lost_again),
        held_back=stops.held,
        stopped_all=stops.stopped_all,
        stopped_1=stops.stopped_1,
        handed_over=totals.handed_over,
        vanished=fates.vanished,
        by_application=fates.by_application,
        recovered=fates.recovered,
        lost_again=fates.lost_again,
        down_all_p=all_.p,
        down_1_p=one.p,
        read_p=read.p,
        acks=totals.acks,
        deciding_lost=gravest_lost,
        waits_all_us=stops.waits_all_us,
        waits_1_us=stops.waits_1_us,
        write_down_client_us=seen.write_us,
        read_down_client_us=seen.read_us,
        write_same_us=seen.write_same_us,
        read_same_us=seen.read_same_us,
        vain_us=seen.vain_us,
        waiting=stops.waiting,
        waiting_1=stops.waiting_1,
        silent_us=stops.silent_us,
        stop_since_us=seen.longest.since,
        client_p=seen.write_p,
        reader_p=seen.read_p,
        client_waits_us=seen.waits_us if seen.waits_us > THETA_US else 0,
        read_waits_us=seen.read_waits_us,
        longest_wait_us=seen.longest_wait_us,
        longest_read_us=seen.longest_read_us,
        before=fates.before,
        lost_before=fates.lost_before,
        emptied=fates.emptied,
        unreadable=fates.unreadable,
        unled=fates.unled,
        groups_down_us=all_.us if fates.is_offsets else 0,
        groups_down=stops.stopped_all if fates.is_offsets else 0,
        coordinators=len(accounts) if fates.is_offsets else 0,
        groups_lost=fates.groups_lost,
        severity=0,
        sentence="",
    )


def _deciding(fates: Fates, stops: Stops, gravest: i64, is_all: bool, causes: Causes) -> i64:
    """The fact that the gravest figure goes back to, 0 for none; ``gravest``: by which most records were lost."""
    if fates.lost > 0:
        return gravest
    if fates.groups_lost:
        return fates.groups_fact
    if fates.lost_before:
        return fates.gone_fact
    if fates.unled:
        return fates.unled_fact
    if fates.duplicated:
        return fates.copy_fact
    if fates.hidden > 0 and fates.hides != 0:
        return causes.again(fates.hides)
    return _stop(stops, is_all, fates.is_offsets, causes)


def _stop(stops: Stops, is_all: bool, is_offsets: bool, causes: Causes) -> i64:
    """The cause of the gravest stop: of an open one, else of a client's longest, else of the servers' longest."""
    if stops.waiting > 0:
        return causes.again(stops.waits.cause)
    goes_on = stops.now_all.cause if is_all else stops.now_1.cause
    if goes_on > 0 and is_offsets:
        return causes.again(goes_on)
    if stops.seen.longest.account is not None:
        return stops.seen.cause()
    longest = stops.all_.cause if is_all else stops.one.cause
    return longest if longest > 0 else stops.read.cause


def _is_emptied(account: PartitionCounters) -> bool:
    """True if every record that the partition had at some time is gone: what is left was written later."""
    lost = account.losses.lost
    if account.before.lost < account.before.count or not (lost or account.before.lost):
        return False
    newest = account.before.newest_epoch()
    for run in lost:
        newest = max(newest, run.epoch)
    oldest = account.losses.kept.oldest_epoch()
    return oldest < 0 or oldest > newest


def _unreadable(account: PartitionCounters, hidden: i64, now: i64) -> i64:
    """Acknowledged records that nobody can read: those hidden, or all of them where nobody has served for theta."""
    if account.reading.out.open_us(now) == 0 or account.serving() is not None:
        return hidden
    count, _ = account.losses.kept.within(0, NEVER)
    return max(hidden, count)
