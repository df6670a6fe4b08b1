"""The longest stop that the application felt: its producers without a response, or its readers without a record.

It is cut into parts that add up to it: what the servers went through (`phases`), and the rest, which is the client's.
"""

from dataclasses import dataclass
from typing import Any, Final

from simengine.kernel.facts import PARTITION_CHANGED, REASON_ALTER_PARTITION, REASON_FENCED
from simengine.verdict.account import Account
from simengine.verdict.outage import THETA_US, Outage
from simengine.verdict.presence import Spans
from simengine.why.modes import Modes
from simengine.why.past import Past
from simengine.why.phases import BACK, DETECT, ELECT, ISR, NOBODY, SETTLE, Phases
from simengine.why.sentences import Words
from simengine.world import World

CLIENT: Final = "client"
READER: Final = "reader"
ALIKE: Final = 0.9  # the stop of another partition is alike from this share of the longest on
TITLES: Final = {  # of each part, with its Kafka key or rule
    DETECT: ("Detect", "nobody has found out yet"),
    NOBODY: ("Nobody may lead", "no replica of the ISR or the ELR is up"),
    ELECT: ("Elect and tell", "controller, then brokers"),
    BACK: ("Back unnoticed", "it was there again before anybody noticed"),
    ISR: ("Too few in sync", "min.insync.replicas"),
    SETTLE: ("Settle", "acks=all waits for the high watermark"),
    CLIENT: ("Client", "finds the leader, sends again"),
    READER: ("Reader", "waits for the high watermark, then fetches"),
}
FOUND_OUT: Final = {  # what ends a detection, by the reason of the commit
    REASON_FENCED: "broker.session.timeout.ms",
    REASON_ALTER_PARTITION: "replica.lag.time.max.ms",
}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """When one partition gave no response to producers, or no record to a reader, in us."""

    p: int
    is_read: bool
    since_us: int
    until_us: int
    is_open: bool

    @property
    def us(self) -> int:
        """How long it was, so far."""
        return self.until_us - self.since_us


def longest_stop(world: World, past: Past) -> Json | None:
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
        "parts": Parts(world, past, longest).told(),
    }


def stops_of(account: Account, now_us: int) -> list[Stop]:
    """The longest stop of a partition's producers, and the longest of its readers."""
    p = int(account.p)
    sides: list[tuple[bool, list[Outage]]] = [
        (False, [mode.out for calls in account.calls for mode in calls.modes]),
        (True, [reader.out for reader in account.reading.readers]),
    ]
    found: list[Stop] = []
    for is_read, outages in sides:
        spans = [(*span, False) for outage in outages for span in outage.intervals]
        spans += [(int(out.since), now_us, True) for out in outages if out.open_us(now_us) > 0]
        if spans:
            since, until, is_open = max(spans, key=lambda span: span[1] - span[0])
            found.append(Stop(p, is_read, since, until, is_open))
    return found


class Parts:
    """What one stop went into, by kind; each kind with its spans, which together are the whole stop."""

    def __init__(self, world: World, past: Past, stop: Stop) -> None:
        self._past = past
        self._stop = stop
        account = world.book.account(stop.p)
        phases = Phases(account, past, world.now_us)
        self._phases = phases.of(self._mode(account, Modes(world.doc, past)), stop.since_us, stop.until_us)

    def told(self) -> list[Json]:
        """The parts in the order in which most of each came."""
        spans: dict[str, Spans] = {}
        for phase in self._phases:
            spans.setdefault(phase.name, []).append((phase.since, phase.until))
        rest = self._rest()
        if rest:
            spans[READER if self._stop.is_read else CLIENT] = rest
        parts = [self._part(name, some) for name, some in spans.items()]
        return sorted(parts, key=lambda part: max(part["spans"], key=_length)[0])

    def _mode(self, account: Account, modes: Modes) -> str:
        """The strictest mode of those who waited. Readers wait for the high watermark, as acks=all does."""
        since = self._stop.since_us
        if self._stop.is_read or any(modes.at(int(calls.client), since) == "all" for calls in account.calls):
            return "all"
        return "1"

    def _rest(self) -> Spans:
        """What no phase of the servers covers."""
        found: Spans = []
        at = self._stop.since_us
        for _, since, until in self._phases:
            if since > at:
                found.append((at, since))
            at = max(at, until)
        return [*found, (at, self._stop.until_us)] if at < self._stop.until_us else found

    def _part(self, name: str, spans: Spans) -> Json:
        title, detail = TITLES[name]
        return {
            "name": name,
            "title": title,
            "detail": self._found_out(spans, detail) if name == DETECT else detail,
            "us": sum(until - since for since, until in spans),
            "spans": [list(span) for span in spans],
        }

    def _found_out(self, spans: Spans, otherwise: str) -> str:
        """Which timeout ended the longest detection."""
        _, until = max(spans, key=_length)
        for fact in self._past.of(PARTITION_CHANGED):
            if fact.t == until and fact.values[0] == self._stop.p:
                return FOUND_OUT.get(fact.values[4], otherwise)
        return otherwise


def _length(span: tuple[int, int] | list[int]) -> int:
    return span[1] - span[0]
