"""The answer: which AZ's loss is the worst, and the sentence on it; all from the table's cells."""

from dataclasses import dataclass
from typing import Any

from simengine.questions.az import figures
from simengine.questions.az.cell import AZ, AzCell
from simengine.questions.az.facts import NAMED_MAX, facts_of, gone_words, share, stopped_topics
from simengine.questions.az.figures import Tally, groups, writes
from simengine.questions.az.partition_outages import UNTIL_BACK
from simengine.questions.az.partition_states import NOBODY
from simengine.questions.az.row import AzRow
from simengine.questions.az.whys import ONLY_BY, voters
from simengine.questions.az.words import UNFLUSHED, up_to
from simengine.scenario import Document
from simengine.verdict.outage import THETA_US
from simengine.verdict.words import brokers
from simengine.words.phrases import listed, plural

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """The worst row of the AZs in words. ``is_same``: each does the same harm; ``order``: the AZs, the worst first."""

    headline: str
    worst: str
    is_same: bool
    facts: list[Json]
    order: tuple[str, ...] = ()

    def plain(self) -> Json:
        """As JSON."""
        told = {"headline": self.headline, "worst": self.worst, "same": self.is_same, "order": list(self.order)}
        return {**told, "facts": self.facts}


def answer(doc: Document, rows: list[AzRow]) -> Answer:
    """The answer from the rows that are known; without an AZ it says so."""
    zones = [row for row in rows if row.loss.kind == AZ]
    if not zones:
        return Answer("No broker that runs has an AZ, so none can go dark. Put the brokers into AZs.", "", False, [])
    worst = max(zones, key=lambda row: row.fine_rank)
    tied = [row for row in zones if row.harm == worst.harm]
    alike = [row for row in tied if _stops(doc, row) == _stops(doc, worst)]
    is_same = len(zones) > 1 and tied == zones and (alike == tied or not any(worst.rank))
    who = _who(worst, zones, tied, alike, are_all=len(zones) == len(_azs(doc)))
    said = " ".join([f"{who}: {_stops(doc, worst)}.", *_already(worst), _records(doc, worst)])
    order = tuple(row.loss.key for row in sorted(zones, key=lambda row: row.fine_rank, reverse=True))
    return Answer(said, worst.loss.key, is_same, facts_of(doc, worst), order)


def _azs(doc: Document) -> list[str]:
    """All AZs, also those of which nothing can be lost any more."""
    racks = [*(one.rack for one in doc.brokers), *(one.rack for one in doc.controllers)]
    return [rack for rack in dict.fromkeys(racks) if rack is not None]


def _who(worst: AzRow, zones: list[AzRow], tied: list[AzRow], alike: list[AzRow], are_all: bool) -> str:
    """The subject of the headline; ``tied``: AZs that do as much harm, ``alike``: those that the same words fit.

    ``are_all``: the cluster has no other AZs than ``zones``; else they are named.
    """
    loss = worst.loss
    disks = " and losing its disks" if worst.safe.disks_gone else ""
    names = [row.loss.place for row in zones]
    if len(zones) > 1 and alike == zones:
        any_one = "any one AZ" if are_all else _one_of(names)
        if not loss.is_dark:
            return f"Killing {any_one}{disks} is the same"
        return f"{'Any one AZ' if are_all else any_one} going dark{disks} is the same"
    if len(zones) > 1 and tied == zones and not any(worst.rank):
        lost = " and loses its disks" if worst.safe.disks_gone else ""
        which = "Whichever AZ" if are_all else f"Whichever of {listed(names)}"
        return f"{which} goes dark{lost}" if loss.is_dark else f"{which} is killed{lost}"
    places = _one_of([row.loss.place for row in alike])
    place = f"{loss.place}, which has the majority of controllers," if loss.has_majority else places
    event = f"{place} going dark{disks}" if loss.is_dark else f"Killing {place}{disks}"
    if len(zones) == 1:
        return event
    return f"{event} hurts most" if alike == tied else f"{event} hurts as much as any"


def _one_of(names: list[str]) -> str:
    """``az-a, az-b or az-c``."""
    return " or ".join(listed(names).rsplit(" and ", 1))


def _already(row: AzRow) -> list[str]:
    """Sentences on what is out before the loss: partitions without a leader, and those that take no acks=all writes."""
    out = [part for part in row.safe.parts if part.was_out and not part.is_internal]
    unled = sum(part.leader == NOBODY for part in out)
    of = plural(row.safe.users, "partition", "partitions")
    said = [f"{unled:,} of {of} {'has' if unled == 1 else 'have'} no leader already."] if unled else []
    if refusing := len(out) - unled:
        takes = f"{refusing:,} of {of} {'takes' if refusing == 1 else 'take'} no acks=all writes already"
        gone = row.only_fast.until_back
        them = f"{gone:,} of them " if gone < refusing else ""
        off = f", and {them}can neither be written nor read until it is back{_waits_too(row.fast)}" if gone else ""
        said.append(f"{takes}{off}.")
    if idle := sum(part.was_out and part.is_coordinator for part in row.safe.parts):
        every = idle == row.safe.coordinators
        of_some = f"The groups of {idle} of {row.safe.coordinators} coordinators can neither join nor commit already."
        said.append("No group can join or commit already." if every else of_some)
    return said


def _stops(doc: Document, row: AzRow) -> str:
    """The words on what stops until the AZ is back, else on how long it pauses."""
    tally, stopped = writes(row.safe), groups(row.safe)
    clauses: list[str] = []
    if not row.loss.has_quorum:
        clauses.append(f"nobody can elect ({voters(row.loss)})")
    if tally.until_back:
        names = stopped_topics(doc, row.safe)
        single = tally.until_back == 1 or len(names) == 1 and names[0][1] == names[0][2]  # a partition, a whole topic
        what = listed([share(*one) for one in names]) if len(names) <= NAMED_MAX else _many(row.safe, len(names))
        clauses.append(f"{what} {'stops' if single else 'stop'} taking acks=all writes")
    if stopped.until_back:
        clauses.append(_groups_words(row.safe, stopped))
    if tally.until_back or stopped.until_back:
        clauses[-1] += " until it is back"
    elif clauses:
        clauses.append("no acks=all writes stop" if row.only_fast.until_back else "nothing that runs stops")
    if clauses:
        return ", and ".join(clauses) if len(clauses) < 3 else f"{clauses[0]}, {clauses[1]}, and {clauses[2]}"
    writers = tally if tally.us else row.only_fast
    pauses = _pauses("all" if tally.us else "1", writers, stopped, row.reads)
    if pauses:
        go_on = "both go on" if len(pauses) > 1 else "go on" if writers.us or stopped.us else "goes on"
        return f"{listed(pauses)} in this run, and {go_on} before it is back"
    nothing = "no acks=all writes stop" if row.only_fast.until_back else "nothing stops"
    return f"{nothing} in this run" if row.safe.fences_beside else nothing


def _waits_too(cell: AzCell) -> str:
    """A bracket on what waits for members of its ELR too, which were away before the loss; "" where nothing does.

    acks=all was refused there before: what is below its minimum alone has an ELR (ELR-1).
    """
    parts = [part for part in cell.parts if part.waits_for and part.stops_us == UNTIL_BACK]
    if not parts:
        return ""
    ids = sorted({broker for part in parts for broker in part.waits_for})
    places = [f"{part.topic}-{part.number}" for part in parts]
    what = listed(places) if len(places) <= NAMED_MAX else plural(len(places), "partition", "partitions")
    few, its = ("waits", "its") if len(parts) == 1 else ("wait", "their")
    return f" ({what} {few} for {brokers(ids)} of {its} ELR too)"


def _pauses(acks: str, writers: Tally, stopped: Tally, readers: Tally) -> list[str]:
    """Clauses on what pauses: writes, else groups, and readers where one waits longer than these by more than θ."""
    longest = writers if writers.us else stopped
    what = f"acks={acks} writes pause" if writers.us else "groups pause"
    clauses = [f"{what} for {up_to(longest.us, longest.is_open)}"] if longest.us else []
    if readers.us > longest.us + THETA_US:
        clauses.append(f"a reader gets nothing for {up_to(readers.us, readers.is_open)}")
    return clauses


def _groups_words(cell: AzCell, stopped: Tally) -> str:
    if stopped.until_back == cell.coordinators:
        return "no group can join or commit"
    return f"the groups of {stopped.until_back} of {cell.coordinators} coordinators can neither join nor commit"


def _many(cell: AzCell, topics: int) -> str:
    return f"{writes(cell).until_back:,} of {cell.users:,} partitions, in {topics:,} topics,"


def _records(doc: Document, row: AzRow) -> str:
    """The words on the fate of acknowledged records."""
    safe, fast = row.safe, row.fast
    gone = figures.gone_logs(safe)
    lost, before = figures.lost_records(safe), figures.lost_before(safe)
    doubled = sum(part.duplicated for part in safe.parts)
    if gone:
        kept = f"Lost for good: {gone_words(doc, gone)}"
        beside = figures.lost_beside_logs(safe)
        kept += f". Of other partitions {_gone_words(beside, before)}" if beside or before else ""
    elif lost or before:
        kept = _gone_words(lost, before)
    elif doubled:
        kept = f"{plural(doubled, 'record stands', 'records stand')} more than once in this run with acks=all"
    elif figures.is_by_luck(safe):
        kept = "No acknowledged record of acks=all is lost in this run, by luck"
    else:
        kept = "No acknowledged record of acks=all is lost"
    if not gone and row.loss.is_dark and figures.needs_disks(safe):
        kept += f", if its disks come back {UNFLUSHED}"
    return ". ".join([kept, *_fast_words(row, fast)]) + "."


def _gone_words(lost: int, before: int) -> str:
    """The words on records that are gone: with acks=all those of this run; nobody knows the acks of earlier ones."""
    old = f"{plural(before, 'record', 'records')} from before the run"
    if not lost:
        return f"{old} {'is' if before == 1 else 'are'} gone in this run"
    are = f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone in this run with acks=all"
    return f"{are}, and with them {old}" if before else are


def _fast_words(row: AzRow, fast: AzCell) -> list[str]:
    """The words on the risk of acks=1, where it is more than the newest records."""
    parts = []
    lost = figures.lost_beside_logs(fast)
    hidden = len(figures.hidden(fast))
    if hidden:
        where = plural(hidden, "partition", "partitions")
        since = "" if not row.loss.has_quorum else " (on 3.7 or newer)"
        parts.append(f"new records of {where} cannot be read{since}")
    unsafe = len(figures.unsafe(fast))
    if unsafe:
        where = plural(unsafe, "partition", "partitions")
        parts.append(f"consumers read new records of {where} that {ONLY_BY} would lose")
    if lost:
        parts.append(f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone in this run")
    return [f"With acks=1 {listed(parts)}"] if parts else []
