"""The time for which clients of a partition have no response, and its cause."""

from mypy_extensions import i64

from simengine.kafka.shared.causes import ON_THE_WAY_US
from simengine.kafka.shared.standing import LEADERLESS, is_writable
from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.account import PartitionCounters
from simengine.verdict.no_response import NoResponse
from simengine.verdict.outage import THETA_US, common_us
from simengine.verdict.outcomes import CallOutcomes
from simengine.verdict.stall_causes import earlier, slows


def silence(account: PartitionCounters, calls: CallOutcomes, now: i64) -> i64:
    """Microseconds of a producer's stop in which the servers were out for its mode of acks."""
    total: i64 = 0
    for mode in calls.modes:
        out = account.out_all if mode.acks == ACKS_ALL else account.out_1
        if mode.us(now) > 0:
            total += common_us(mode.spans(now), out.spans(now))
    return total


def waits(account: PartitionCounters, mode: NoResponse, now: i64) -> bool:
    """True if calls of a mode wait now because of the state of the servers."""
    if is_writable(account.state, acks_all=mode.acks == ACKS_ALL) or not mode.is_waiting(now):
        return False
    return mode.open_us(now) > 0 or account.state != LEADERLESS or account.serving() is None


def has_waiting_calls(account: PartitionCounters, now: i64) -> bool:
    """True if calls to a partition wait now because of the servers; of coordinators, if they are out."""
    if account.commits is not None and account.out_all.since >= 0:
        return True
    for calls in account.calls:
        for mode in calls.modes:
            if waits(account, mode, now):
                return True
    return False


def silence_cause(account: PartitionCounters, client: i64, since: i64, is_open: bool) -> i64:
    """The cause of a client's silence for longer than theta since a moment; 0 if none is known.

    The fact that had stopped writes of its acks mode then (of a reader: acks=all), or the trouble between the
    client and the leader in which it began, whichever came first. Else what stopped writes within theta; while the
    silence lasts (``is_open``), what slows the ISR; the first trouble between the client and a broker with a copy.
    """
    registration = account.cluster.quorum.image.partition(account.p)
    if registration is None or since < 0:
        return 0
    is_leader_enough = _needs_leader_only(account, client)
    causes = account.cluster.causes
    unserved = causes.cause_of_no_response(_led_by(account, since), -1 - client, since)
    found = earlier(stopped_by(account, since + ON_THE_WAY_US, is_leader_enough), unserved)
    if found == 0:
        found = stopped_by(account, since + THETA_US, is_leader_enough)
    if found == 0 and is_open:
        found = slows(account.cluster, account.p, account.leader(), account.stands_since)
    if found == 0:
        for broker in registration.replicas:
            found = earlier(found, causes.cause_of_lag(broker, -1 - client, since))
    return found


def _led_by(account: PartitionCounters, at: i64) -> i64:
    """The broker that led at a moment, -1 if nobody had yet."""
    found: i64 = -1
    for since, broker in account.leaders:
        if since <= at:
            found = broker
    return found


def _needs_leader_only(account: PartitionCounters, client: i64) -> bool:
    """True if a client is a producer that made no calls with acks=all."""
    is_producer = False
    for calls in account.calls:
        for mode in calls.modes:
            if calls.client == client:
                is_producer = True
                if mode.acks == ACKS_ALL:
                    return False
    return is_producer


def stopped_by(account: PartitionCounters, at: i64, is_leader_enough: bool) -> i64:
    """The fact by which writes were stopped at a moment, 0 where they were not.

    A state in which a client had a success before then did not stop them: its leader had not heard of it.
    """
    found: i64 = 0
    for since, state, cause in account.states:
        if since > at:
            break
        served_at = account.served.get((since, not is_leader_enough), -1)
        if is_writable(state, acks_all=not is_leader_enough) or 0 <= served_at <= at:
            found = 0
        elif found == 0:
            found = cause  # of one stop after the other the first
    return found


def held_by(account: PartitionCounters, client: i64, since: i64, until: i64) -> i64:
    """The newest fact by which writes of a client's acks mode (of a reader: acks=all) were stopped in this time."""
    is_leader_enough = _needs_leader_only(account, client)
    found: i64 = 0
    for began, state, cause in account.states:
        if since < began < until and not is_writable(state, acks_all=not is_leader_enough):
            found = cause
    return found
