"""The numbers that sentences on some partitions must tell: from the recounts of logs, calls, reads and times.

A text that stands for a number is compared as it is printed, with one decimal.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from simengine.facts import kinds as f
from simengine.facts.decisive import ConfigChanged, ConsumerReset
from simengine.facts.traffic import Delivered, OffsetCommitted
from simengine.verdict.outage import THETA_US
from tests.recount.clocks import UP, Silence, long
from tests.recount.served import reader_us, serving
from tests.recount.times import Times

MODES: Final = {"all": -1, "0": 0, "1": 1}
ROUNDED_US: Final = 100_001  # two printed times of one decimal differ by up to so much

Spans = list[tuple[int, int]]


def printed(us: int) -> str:
    """A time as sentences print it."""
    return f"{us / 1e6:.1f}"


def common(one: Spans, other: Spans) -> int:
    """Microseconds that two lists of spans share; neither list overlaps itself."""
    return sum(max(0, min(end, last) - max(start, first)) for start, end in one for first, last in other)


class Told:
    """The recounted figures of some partitions at this moment."""

    def __init__(self, times: Times, partitions: list[int], facts: list[Any]) -> None:
        """``facts``: those of deliveries, resets and commits so far."""
        self._times, self._recount = times, times.recount
        self._world = times.world
        self._ps = partitions
        self._facts = facts
        self._now = int(times.world.now_us)

    def why(self) -> str:
        """The recounted numbers, for whoever reads of a difference."""
        return (
            f"recounted: gone {self.gone()}, before {self.lost_before()}, twice {self.twice()}, "
            f"failed {self.failed()}, "
            f"no response {printed(self.no_response_us())}, waits {self._open()}, "
            f"longest wait {printed(self.longest_wait_us())}, readers {self._readers()}, "
            f"vain {printed(self.vain_us())}, unread {self._times.unowned.open()}"
        )

    # -- records

    def _sum(self, name: str) -> int:
        return sum(self._recount.fates(p)[name] for p in self._ps)

    def _records(self, name: str) -> int:
        return sum(self._recount.records(p)[name] for p in self._ps)

    def lost(self) -> int:
        """Acknowledged calls that are lost."""
        return self._sum("acked absent")

    def undecided(self) -> int:
        """Acknowledged calls whose partition has no leader."""
        return self._sum("acked undetermined")

    def recovered(self) -> int:
        """Lost records that the application brought back."""
        return self._records("recovered")

    def gone(self) -> int:
        """Acknowledged records that are not there."""
        return self.lost() - self._records("lost again") - self.recovered()

    def lost_before(self) -> int:
        """Records from before the run that are not there."""
        return sum(self._times.lost_before(p) for p in self._ps)

    def twice(self) -> int:
        """Records that stand twice."""
        return self._records("twice")

    def by_application(self) -> int:
        """Of them those that the application sent again."""
        return self._records("by application")

    def handed_over(self) -> int:
        """Calls with acks=0."""
        return self._sum("handed over")

    def vanished(self) -> int:
        """Of them those that arrived nowhere."""
        return self._sum("handed over absent")

    def failed(self) -> int:
        """Calls that ended without success."""
        return self._sum("failed")

    def written(self) -> bool:
        """True if any call was made before now."""
        calls = (call for (_, p), calls in self._recount.calls.items() if p in self._ps for call in calls.values())
        return any(call.settled_us >= 0 or call.made_us < self._now for call in calls)

    def is_unreadable(self, count: int) -> bool:
        """True if so many acknowledged records cannot be read; of a partition that is out nobody was handed any."""
        found = 0
        for p in self._ps:
            hidden, oldest_us = self._times.hidden(p, self._now)
            out = self._times.read_out.get(p)
            is_out = out is not None and out.since >= 0 and self._now - out.since > THETA_US
            if not is_out or serving(self._times, p) >= 0:
                found += hidden if oldest_us >= THETA_US else 0
                continue
            late = (fact for fact in self._facts if isinstance(fact, Delivered) and fact.p == p)
            if any(fact.t > self._now - THETA_US for fact in late):
                return False
            expired = self._recount.expired.get(p, {})
            kept = self._times.acked[p] - self._times.lost[p]
            found += sum(1 for offset, epoch in kept if not any(one[0] == epoch for one in expired.get(offset, ())))
        return found == count

    # -- who leads

    def unled(self) -> int:
        """Partitions that nobody leads whose process runs."""
        return sum(not self._is_led(p) for p in self._ps)

    def _is_led(self, p: int) -> bool:
        leader = self._recount.leader(p)
        return leader >= 0 and self._recount.process.get(leader, f.PROCESS_RUNNING) in UP

    def _unled_spans(self, p: int) -> Spans:
        """Spans without a leader, in which no reader without a rack is served."""
        out = self._times.read_out.get(p)
        return long(out.all(self._now)) if out is not None else []

    def was_out(self, said: str) -> bool:
        """True if the longest time without a leader is as said, where the sentence says one."""
        if "no working leader for" not in said or any(self._times.selects.values()):
            return True
        us = max((sum(end - start for start, end in self._unled_spans(p)) for p in self._ps), default=0)
        return f"{printed(us)} s" in said

    # -- producers

    def _silences(self) -> Iterator[tuple[int, int, int, Silence]]:
        for (p, client, acks), silence in self._times.calls.silences.items():
            if p in self._ps:
                yield p, client, acks, silence

    def _open(self) -> list[str]:
        """Microseconds without a response of each waiting producer."""
        return [printed(us) for *_, us in self._waits()]

    def _waits(self) -> Iterator[tuple[int, int]]:
        for p, _, _, silence in self._silences():
            us = silence.open_us(self._now)
            if us >= 0 and (silence.waiting or self._now - silence.ended <= THETA_US):
                yield p, us

    def waiting(self) -> int:
        """Partitions in which a call waits."""
        return len({p for p, _ in self._waits()})

    def waits_for(self, text: str) -> bool:
        """True if a producer has had no response for so long now."""
        return any(printed(us) == text for _, us in self._waits())

    def no_response_us(self, mode: str = "") -> int:
        """The longest time of a producer without a response, in one mode or in all."""
        if not mode:
            return max((self._times.calls.no_response(p, self._now) for p in self._ps), default=0)
        return max((one.us(self._now) for *_, acks, one in self._silences() if acks == MODES[mode]), default=0)

    def stood_partitions(self) -> int:
        """Partitions in which some producer had no response for longer than theta."""
        return sum(self._times.calls.no_response(p, self._now) > 0 for p in self._ps)

    def served_not(self, text: str, servers: str | None) -> bool:
        """True if the servers were out for so long in a producer's time without a response."""
        if any(self._times.selects.values()):
            return True
        least = [common(self._stops(one), self._unled_spans(p)) for p, *_, one in self._longest(text)]
        if servers is None:
            return not least or min(least) == 0
        said = round(float(servers) * 1e6)
        return said <= float(text) * 1e6 + ROUNDED_US and (not least or said >= min(least) - ROUNDED_US)

    def _stops(self, silence: Silence) -> Spans:
        return [(start, end) for start, end in silence.all(self._now) if end - start > THETA_US]

    def a_stop_lasted(self, text: str) -> bool:
        """True if a producer had no response for so long in one go."""
        return any(printed(end - start) == text for *_, one in self._silences() for start, end in self._stops(one))

    def _longest(self, text: str) -> list[tuple[int, int, int, Silence]]:
        return [one for one in self._silences() if printed(one[3].us(self._now)) == text]

    def is_sum(self, text: str, is_told: bool) -> bool:
        """True if a producer's time without a response is several stops just if it is told so; of two modes it is."""
        found = [len(self._stops(one)) > 1 for *_, one in self._longest(text)]
        return is_told in found if found else is_told

    def longest_wait_us(self) -> int:
        """The longest that a call waited."""
        return max((self._times.calls.longest_wait(p, self._now) for p in self._ps), default=0)

    def vain_us(self) -> int:
        """The longest time in which all responses were of records that were lost already."""
        return max((self._times.calls.vain_us(p) for p in self._ps), default=0)

    # -- readers

    def _readers(self) -> list[tuple[int, int]]:
        """For how long each partition's readers had nothing, at least and at most."""
        return [reader_us(self._times, p, self._now) for p in self._ps]

    def reader_got_nothing(self, text: str) -> bool:
        """True if a reader had nothing for so long."""
        least, most = (max((one[i] for one in self._readers()), default=0) for i in (0, 1))
        return least - ROUNDED_US <= float(text) * 1e6 <= most + ROUNDED_US

    def reads_not_served(self, text: str, servers: str | None) -> bool:
        """True if the servers were out for no longer than a reader had nothing."""
        return servers is None or float(servers) <= float(text) + 0.11

    def longest_read_us(self) -> int:
        """The longest from an append to a delivery."""
        return max((self._times.longest_read(p) for p in self._ps), default=0)

    def nobody_waited(self) -> bool:
        """True if every producer had a response in time, and every reader its records."""
        return self.no_response_us() == 0 and max((least for least, _ in self._readers()), default=0) == 0

    def is_well(self) -> bool:
        """True if nothing is gone, stands twice or failed, and nobody waited."""
        harmed = self.lost() or self.lost_before() or self.twice() or self.failed() or self.vanished()
        waited = max(self.longest_wait_us(), self.longest_read_us()) > THETA_US
        return not harmed and not waited and self.nobody_waited()

    def has_no_position(self, who: str, since_us: int) -> bool:
        """True if a group or consumer has had no position since then."""
        return any(name == who and abs(us - since_us) <= 1_000 for name, us in self._times.unowned.open())

    def had_no_position(self, who: str, text: str) -> bool:
        """True if the longest time of a group or consumer without a position was so long."""
        return any(name == who and printed(us) == text for name, us in self._times.unowned.longest())

    def missed(self) -> int:
        """At most so many records: those of the final logs that lie below a group's position and were never read."""
        groups = {self._recount.group(i) for i, one in enumerate(self._recount.clients) if one["kind"] == "consumer"}
        return sum(self._recount.reads(group, p).get("skipped", 0) for group in groups for p in self._ps)

    def resets_are_told(self, said: str) -> bool:
        """True if each setting that a sentence names is one that some reader's position was reset by."""
        kinds = {fact.why for fact in self._facts if isinstance(fact, ConsumerReset) and fact.p in self._ps}
        words = {"reset=latest": f.RESET_LATEST, "by_duration": f.RESET_BY_DURATION, "offset kept": f.RESET_KEPT}
        return all(kind in kinds for text, kind in words.items() if text in said)

    # -- groups

    def has_committed(self, names: str | None) -> bool:
        """True if these are groups of the document."""
        groups = {str(one.group) for one in self._world.doc.consumers}
        groups |= {str(group) for group in getattr(self._world.doc, "groups", ())}
        return names is None or all(name in groups for name in names.replace(" and ", ", ").split(", "))

    def blocked(self) -> int:
        """Partitions in which nothing can be committed: nobody serves, or some of the ISR cannot or did not fetch."""
        return sum(self._is_blocked(p) for p in self._ps)

    def _is_blocked(self, p: int) -> bool:
        leader = serving(self._times, p)
        log = self._recount.log(p, leader)
        if leader < 0 or log.hw < log.start + len(log.records):
            return True
        isr = self._times.adopted[p, leader]
        topic, _ = self._world.cluster.partition_names[p]
        others = [broker for broker in isr if broker != leader]
        cut = any(link in self._times.cut for other in others for link in ((other, leader), (leader, other)))
        silent = any(self._recount.process.get(one, f.PROCESS_RUNNING) not in UP for one in isr)
        unheard = any(
            (p, one) not in self._times.follows or not self._times.has_fetched(p, one, leader) for one in others
        )
        return cut or silent or unheard or len(isr) < max(self._times.least.get(topic, 1), self._most_wanted())

    def _most_wanted(self) -> int:
        """The highest min.insync.replicas that was set while the cluster ran, for whatever."""
        changes = [fact.text for fact in self._world.trace.decisive if isinstance(fact, ConfigChanged)]
        values = [text.split("=", 1) for text in changes]
        return max((int(value) for key, value in values if key == "min.insync.replicas"), default=0)

    def commits_paused(self, text: str) -> bool:
        """True if offsets of some consumer stood still for as long as its group is said to have."""
        moments: dict[int, list[int]] = {}
        for fact in self._facts:
            if isinstance(fact, OffsetCommitted):
                moments.setdefault(fact.client, [0]).append(fact.t)
        pauses = [self._paused([*some, self._now]) for some in moments.values()]
        return float(text) * 1e6 <= max(pauses, default=self._now) + ROUNDED_US

    @staticmethod
    def _paused(moments: list[int]) -> int:
        return sum(max(0, later - earlier) for earlier, later in pairwise(moments))

    # -- topics and controllers

    def is_deleted(self) -> bool:
        """True if some of the partitions were deleted with their topic."""
        return any(p in self._recount.deleted for p in self._ps)

    def has_no_controller(self) -> bool:
        """True if a majority of the controllers is down, or some cannot speak to each other."""
        controllers = [int(one.id) for one in self._world.cluster.controllers]
        silent = [one for one in controllers if self._recount.process.get(one, f.PROCESS_RUNNING) not in UP]
        apart = [one for one in controllers if any(one in link for link in self._times.cut)]
        return len(set(silent + apart)) * 2 >= len(controllers)
