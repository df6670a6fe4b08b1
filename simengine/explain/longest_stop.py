"""The longest stop that the application felt: its producers without a response, or its readers without a record.

It is cut into parts that add up to it: what the servers went through (`phases`), and the rest, which is the client's.
"""

from dataclasses import dataclass
from typing import Any, Final

from simengine.explain.fact_index import FactIndex
from simengine.explain.phases import BACK, DETECT, ELECT, ISR, NOBODY, SETTLE, PartitionPhases
from simengine.explain.sentences import Words
from simengine.facts.decisive import ControllerChanged, PartitionChanged
from simengine.facts.kinds import (
    REASON_ALTER_PARTITION,
    REASON_FENCED,
    REASON_REGISTRATION,
)
from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import THETA_US
from simengine.verdict.presence import Spans
from simengine.words.phrases import listed
from simengine.world.world import World

SLOW: Final = "slow"
CLIENT: Final = "client"
READER: Final = "reader"
NO_CONTROLLER: Final = "most of it without an active controller"
ALIKE: Final = 0.9  # the stop of another partition is alike from this share of the longest on
TITLES: Final = {  # of each part, with its Kafka key or rule
    DETECT: ("Detect", "until it was found out"),
    NOBODY: ("Nobody may lead", "no replica of the ISR or the ELR can be elected"),
    ELECT: ("Elect and tell", "controller, then brokers"),
    BACK: ("Back unnoticed", "it was there again before anybody noticed"),
    ISR: ("Too few in sync", "min.insync.replicas"),
    SETTLE: ("Settle", "acks=all waits for the high watermark"),
    SLOW: ("In sync, but slow", "replica.lag.time.max.ms"),
    CLIENT: ("Client", "finds the leader, sends again"),
    READER: ("Reader", "finds its position and a broker that serves it, then fetches"),
}
FOUND_OUT: Final = {  # what ends a detection, by the reason of the commit
    REASON_FENCED: "broker.session.timeout.ms",
    REASON_ALTER_PARTITION: "replica.lag.time.max.ms",
    REASON_REGISTRATION: "until its new process registered",
}
NOT_YET: Final = "nobody has found out yet"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartitionStop:
    """A time (us) in which one partition gave no response to producers, or no record to a reader."""

    p: int
    is_read: bool
    is_all: bool  # who waits needs the high watermark: readers, and producers with acks=all
    since_us: int
    until_us: int
    is_open: bool

    @property
    def us(self) -> int:
        """The length of the stop so far."""
        return self.until_us - self.since_us


def longest_stop(world: World, past: FactIndex) -> Json | None:
    """The longest stop of a run so far with its parts, and the partitions that stopped alike; None without any."""
    stops = [stop for account in world.book.accounts for stop in stops_of(account, world.now_us)]
    if not stops:
        return None
    longest = max(
        stops, key=lambda stop: stop.us - stop.is_read * THETA_US
    )  # writes, unless readers waited much longer
    words = Words(world.names())
    names = {words.partition(stop.p): None for stop in stops if stop.us >= longest.us * ALIKE and stop.p != longest.p}
    return {
        "topic": words.topic(words.topic_of(longest.p)),
        "partition": words.partition(longest.p),
        "is_read": longest.is_read,
        "from_us": longest.since_us,
        "until_us": longest.until_us,
        "us": longest.us,
        "is_open": longest.is_open,
        "alike": list(names),
        "parts": StopParts(world, past, longest).told(),
    }


def stops_of(account: PartitionCounters, now_us: int) -> list[PartitionStop]:
    """The stops of a partition's producers and of its readers."""
    p = int(account.p)
    found: list[PartitionStop] = []
    for mode in (mode for calls in account.calls for mode in calls.modes):
        is_all = mode.acks == ACKS_ALL
        found += [PartitionStop(p, False, is_all, since, until, False) for since, until in mode.out.intervals]
        if lasted := int(mode.open_us(now_us)):
            since = int(mode.out.since)
            found.append(PartitionStop(p, False, is_all, since, since + lasted, mode.waiting > 0))
    for out in (reader.out for reader in account.reading.readers):
        found += [PartitionStop(p, True, True, since, until, False) for since, until in out.intervals]
        if lasted := int(out.open_us(now_us)):
            found.append(PartitionStop(p, True, True, int(out.since), int(out.since) + lasted, True))
    return found + without_position(account, now_us)


def without_position(account: PartitionCounters, now_us: int) -> list[PartitionStop]:
    """The longest time in which each of a partition's readers had no position."""
    at = min(now_us, int(account.closing.us))
    found: list[PartitionStop] = []
    for want in account.reading.unread.wants:
        if lasted := int(want.us(at)):
            since = int(want.us_since(at))
            found.append(
                PartitionStop(int(account.p), True, True, since, since + lasted, bool(want.is_open_longest(at)))
            )
    return found


class StopParts:
    """The parts of one stop, by kind; each kind with its spans, which together are the whole stop."""

    def __init__(self, world: World, past: FactIndex, stop: PartitionStop) -> None:
        self._past = past
        self._stop = stop
        self._words = Words(world.names())
        phases = PartitionPhases(world.book.account(stop.p), past, world.now_us)
        self._phases = phases.of("all" if stop.is_all else "1", stop.since_us, stop.until_us)

    def told(self) -> list[Json]:
        """The parts in the order in which most of each came."""
        spans: dict[str, Spans] = {}
        for phase in self._phases:
            name = SLOW if phase.name == SETTLE and self._slow(phase[1:])[0] else phase.name
            spans.setdefault(name, []).append((phase.since, phase.until))
        for span in self._rest():
            name = SLOW if self._slow(span)[0] else READER if self._stop.is_read else CLIENT
            spans.setdefault(name, []).append(span)
        parts = [self._part(name, some) for name, some in spans.items()]
        return sorted(parts, key=lambda part: max(part["spans"], key=_length)[0])

    def _slow(self, span: tuple[int, int]) -> tuple[list[int], bool]:
        """Whom the high watermark waits for: slow members of the ISR, or (True) a leader that serves slowly."""
        if not self._stop.is_all or _length(span) <= THETA_US:
            return [], False
        before = self._past.after(span[0] + THETA_US)
        leader = self._past.leader(self._stop.p, before)
        if self._past.serves_slowly(leader, before) is not None:
            return [leader], True
        others = [member for member in self._past.isr(self._stop.p, before) if member != leader]
        return [member for member in others if self._is_slow(member, leader, before)], False

    def _is_slow(self, member: int, leader: int, before: int) -> bool:
        link = self._past.link(member, leader, before)
        return self._past.slowed(member, before) is not None or (link is not None and link.slow_us > 0)

    def _rest(self) -> Spans:
        """The spans that no phase of the servers covers."""
        found: Spans = []
        at = self._stop.since_us
        for _, since, until in self._phases:
            if since > at:
                found.append((at, since))
            at = max(at, until)
        return [*found, (at, self._stop.until_us)] if at < self._stop.until_us else found

    def _part(self, name: str, spans: Spans) -> Json:
        title, detail = TITLES[name]
        if name == DETECT:
            detail = self._found_out(spans, detail)
        elif name == SLOW:
            slow, is_leader = self._slow(max(spans, key=_length))
            how = "leads, and serves slowly" if is_leader else f"{'is' if len(slow) == 1 else 'are'} in sync, but slow"
            title = f"{listed([self._words.node(broker) for broker in slow])} {how}"
        return {
            "name": name,
            "title": title[0].upper() + title[1:],
            "detail": detail,
            "us": sum(until - since for since, until in spans),
            "spans": [list(span) for span in spans],
        }

    def _found_out(self, spans: Spans, otherwise: str) -> str:
        """The event that the longest detection waited for: a controller, if most of it had none, or a timeout."""
        since, until = max(spans, key=_length)
        without_us = self._without_controller_us(since, until)
        if without_us * 2 > until - since:
            return NO_CONTROLLER
        for fact in self._past.of(PartitionChanged):
            if fact.t == until and fact.p == self._stop.p:
                return FOUND_OUT.get(fact.reason, otherwise)
        return NOT_YET if self._stop.is_open and until >= self._stop.until_us else otherwise

    def _without_controller_us(self, since: int, until: int) -> int:
        """The time (us) without an active controller between two moments."""
        changes = self._past.of(ControllerChanged)
        ends = [*(fact.t for fact in changes[1:]), until]
        gone = ((fact.t, end) for fact, end in zip(changes, ends, strict=False) if fact.controller < 0)
        return sum(max(0, min(end, until) - max(start, since)) for start, end in gone)


def _length(span: tuple[int, int] | list[int]) -> int:
    return span[1] - span[0]
