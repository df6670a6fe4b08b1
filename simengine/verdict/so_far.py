"""A topic's figures at a moment of the run, from the accounts of its partitions."""

from typing import final

from mypy_extensions import i64

from simengine.kafka.api import ACKS_ALL
from simengine.verdict.account import Account
from simengine.verdict.figures import TopicFigures
from simengine.verdict.outage import Outage
from simengine.verdict.records import SentAgain, of_sent_again
from simengine.verdict.standing import Standing
from simengine.verdict.write_path import LEADERLESS, OPEN


@final
class Worst:
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
            self.us = us
            self.p = p
            self.cause = outage.deciding(now)


@final
class Stops:
    """What among a topic's partitions was or is out, for acks=all, for acks=1 and for readers."""

    __slots__ = ("all_", "held", "one", "read", "stopped_1", "stopped_all", "waits_1_us", "waits_all_us")

    def __init__(self) -> None:
        self.all_: Worst = Worst()
        self.one: Worst = Worst()
        self.read: Worst = Worst()
        self.held: i64 = 0  # calls made while their own partition was out, as the topic is written, that nobody took
        self.stopped_all: i64 = 0
        self.stopped_1: i64 = 0
        self.waits_all_us: i64 = 0  # how long the longest of those that are going on has lasted
        self.waits_1_us: i64 = 0

    def look(self, account: Account, totals: TopicFigures, now: i64) -> None:
        """One more partition."""
        self.all_.look(account.p, account.out_all, now)
        self.one.look(account.p, account.out_1, now)
        self.read.look(account.p, account.reading.out, now)
        self.held += (account.out_all if totals.acks == ACKS_ALL else account.out_1).held(now)
        self.waits_all_us = max(self.waits_all_us, account.out_all.open_us(now))
        self.waits_1_us = max(self.waits_1_us, account.out_1.open_us(now))
        if account.state != OPEN:
            self.stopped_all += 1
        if account.state == LEADERLESS:
            self.stopped_1 += 1


def vanished_calls(account: Account, now: i64) -> i64:
    """Calls handed over with acks=0 that are not in the leader's log; without a leader nothing is known of them."""
    total: i64 = 0
    if account.leader() is not None:
        for calls in account.calls:
            total += calls.handed_over.vanished(now)
    return total


def records_sent_again(account: Account) -> list[SentAgain]:
    """What is told of records that the application sent again, for each producer that did so."""
    again = [calls for calls in account.calls if calls.again]
    if not again:
        return []
    standing = Standing(account, [])
    return [of_sent_again(calls, standing) for calls in again]


def figures_so_far(totals: TopicFigures, accounts: list[Account], now: i64) -> list[int]:
    """The figures of ``VerdictChanged`` behind the topic, in their order."""
    lost: i64 = 0
    duplicated: i64 = 0
    hidden: i64 = 0
    vanished: i64 = 0
    by_cause: dict[int, int] = {}
    copy_fact: i64 = 0
    most_copied: i64 = 0
    hides: i64 = 0
    most_hidden: i64 = 0
    by_application: i64 = 0
    recovered: i64 = 0
    lost_again: i64 = 0
    stops = Stops()
    for account in accounts:
        lost += account.losses.count
        for cause, count in account.losses.counts.items():
            by_cause[cause] = by_cause.get(cause, 0) + count
        if account.copies.found:
            account.copies.look(account.leader())
            duplicated += account.copies.count()
            if account.copies.most > most_copied:
                most_copied, copy_fact = account.copies.most, account.copies.most_fact
        for again in records_sent_again(account):
            by_application += again.by_application
            recovered += again.recovered
            lost_again += again.lost_again
        hidden_here = account.hidden_records(now)
        hidden += hidden_here
        if hidden_here > most_hidden:
            most_hidden, hides = hidden_here, account.hides()
        if totals.handed_over > 0:
            vanished += vanished_calls(account, now)
        stops.look(account, totals, now)
    all_, one, read = stops.all_, stops.one, stops.read
    out = all_.cause if totals.acks == ACKS_ALL else one.cause
    gravest, gravest_lost = gravest_of(by_cause)
    stop = hides if hidden > 0 else out if out > 0 else read.cause
    deciding = gravest if lost > 0 else copy_fact if duplicated > 0 else stop
    values = [totals.acked, lost, duplicated, hidden, totals.refused, totals.unknown, all_.us, one.us, read.us]
    values += [deciding, totals.rate.us_of(lost), stops.held, stops.stopped_all, stops.stopped_1]
    values += [totals.handed_over, vanished, by_application, recovered, lost_again]
    return [
        int(v)
        for v in [*values, all_.p, one.p, read.p, totals.acks, gravest_lost, stops.waits_all_us, stops.waits_1_us]
    ]


def gravest_of(by_cause: dict[int, int]) -> tuple[i64, i64]:
    """The fact by which most records were lost, the first of equals, and how many those are; 0 and 0 for none."""
    gravest: i64 = 0
    most: i64 = 0
    for cause in sorted(by_cause):
        if by_cause[cause] > most:
            gravest, most = cause, by_cause[cause]
    return gravest, most
