"""The answer: which AZ's loss is the worst, the sentence on it, and at most six facts; all from the table's cells."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from simengine.questions.az import figures
from simengine.questions.az.cell import AZ, Cell, Loss
from simengine.questions.az.disks import on_disks
from simengine.questions.az.figures import FOR_GOOD, NOTHING, SECONDS, WORDS, Tally, groups, reads, step_of, writes
from simengine.questions.az.parts import OFFSETS, UNTIL_BACK, Part
from simengine.questions.az.whys import voters
from simengine.questions.az.words import gigabytes, milliseconds, roughly, two_times
from simengine.scenario import Document
from simengine.verdict.sentence import listed, plural, seconds

NAMED_MAX: Final = 3  # topics; more are counted
FACT_TOPICS_MAX: Final = 4
LOG_MB: Final = 10_000  # of each copy, where nothing tells
COPY_MB_PER_S: Final = 100
MB_PER_S: Final = "MB/s a broker"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """A loss with both of its cells."""

    loss: Loss
    safe: Cell  # acks=all
    fast: Cell  # acks=1

    @property
    def rank(self) -> tuple[int, ...]:
        """How bad: lost (acks=all, then acks=1), offline, not writable, groups stopped, not readable, no quorum."""
        safe, fast = self.safe, self.fast
        doubled = sum(part.duplicated for part in safe.parts)
        return (
            figures.lost_records(safe) + doubled,
            len(figures.gone_logs(safe)),
            figures.lost_records(fast),
            writes(fast).until_back,
            writes(safe).until_back,
            groups(safe).until_back,
            max(reads(fast).until_back, reads(safe).until_back),
            int(not self.loss.has_quorum),
        )

    @property
    def fine_rank(self) -> tuple[int, ...]:
        """Likewise; where nothing lasts, the longer stop is the worse."""
        if any(self.rank):
            return self.rank
        return (*self.rank, max(writes(self.safe).us, groups(self.safe).us))


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


def answer(doc: Document, rows: list[Row]) -> Answer:
    """The answer from the rows that are known; without an AZ it says so."""
    zones = [row for row in rows if row.loss.kind == AZ]
    if not zones:
        return Answer("No broker that runs has an AZ, so none can go dark. Put the brokers into AZs.", "", False, [])
    worst = max(zones, key=lambda row: row.fine_rank)
    tied = [row for row in zones if row.rank == worst.rank]
    alike = [row for row in tied if _stops(doc, row) == _stops(doc, worst)]
    is_same = len(zones) > 1 and tied == zones and (alike == tied or not any(worst.rank))
    said = f"{_who(worst, zones, tied, alike)}: {_stops(doc, worst)}. {_records(worst)}"
    order = tuple(row.loss.key for row in sorted(zones, key=lambda row: row.fine_rank, reverse=True))
    return Answer(said, worst.loss.key, is_same, _facts(doc, worst), order)


def _who(worst: Row, zones: list[Row], tied: list[Row], alike: list[Row]) -> str:
    """Which AZ it is; ``tied``: those that do as much harm, ``alike``: those of them that the same words fit."""
    loss = worst.loss
    disks = " and losing its disks" if worst.safe.disks_gone else ""
    if len(zones) > 1 and alike == zones:
        return f"Any one AZ going dark{disks} is the same" if loss.is_dark else f"Killing any one AZ{disks} is the same"
    if len(zones) > 1 and tied == zones and not any(worst.rank):
        lost = " and loses its disks" if worst.safe.disks_gone else ""
        return f"Whichever AZ goes dark{lost}" if loss.is_dark else f"Whichever AZ is killed{lost}"
    places = listed([row.loss.place for row in alike]).replace(" and ", " or ")
    place = f"{loss.place}, which has the majority of controllers," if loss.has_majority else places
    event = f"{place} going dark{disks}" if loss.is_dark else f"Killing {place}{disks}"
    if len(zones) == 1:
        return event
    return f"{event} hurts most" if alike == tied else f"{event} hurts as much as any"


def _stops(doc: Document, row: Row) -> str:
    """What stops until it is back, else for how long."""
    tally, stopped = writes(row.safe), groups(row.safe)
    clauses = []
    if not row.loss.has_quorum:
        clauses.append(f"nobody can elect ({voters(row.loss)})")
    if tally.until_back:
        names = stopped_topics(doc, row.safe)
        single = tally.until_back == 1 or len(names) == 1 and names[0][1] == names[0][2]  # a partition, a whole topic
        what = listed([_share(*one) for one in names]) if len(names) <= NAMED_MAX else _many(row.safe, len(names))
        clauses.append(f"{what} {'stops' if single else 'stop'} taking acks=all writes")
    if stopped.until_back:
        clauses.append(_groups_words(row.safe, stopped))
    if tally.until_back or stopped.until_back:
        clauses[-1] += " until it is back"
    elif clauses:
        clauses.append("nothing that runs stops")
    if clauses:
        return ", and ".join(clauses) if len(clauses) < 3 else f"{clauses[0]}, {clauses[1]}, and {clauses[2]}"
    if tally.us or stopped.us:
        return f"{_pause(tally, stopped)}, nothing stops for longer"
    return "nothing stops"


def _pause(tally: Tally, stopped: Tally) -> str:
    if tally.us:
        return f"acks=all writes pause for up to {seconds(tally.us)}"
    return f"groups pause for up to {seconds(stopped.us)}"


def _groups_words(cell: Cell, stopped: Tally) -> str:
    if stopped.until_back == cell.coordinators:
        return "no group can join or commit"
    return f"the groups of {stopped.until_back} of {cell.coordinators} coordinators can neither join nor commit"


def stopped_topics(doc: Document, cell: Cell) -> list[tuple[str, int, int]]:
    """Topics that take no acks=all writes until it is back: name, partitions that stop, of how many; worst first."""
    counts: dict[str, int] = {}
    for part in cell.parts:
        if part.stops_us == UNTIL_BACK and not part.is_internal:
            counts[part.topic] = counts.get(part.topic, 0) + 1
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    return sorted(((name, counts[name], sizes[name]) for name in counts), key=lambda one: (-one[1], one[0]))


def _share(name: str, count: int, size: int) -> str:
    return name if count == size else f"{count:,} of {plural(size, 'partition', 'partitions')} of {name}"


def _many(cell: Cell, topics: int) -> str:
    return f"{writes(cell).until_back:,} of {cell.users:,} partitions, in {topics:,} topics,"


def _records(row: Row) -> str:
    """What becomes of acknowledged records."""
    safe, fast = row.safe, row.fast
    gone = figures.gone_logs(safe)
    lost, doubled = figures.lost_records(safe), sum(part.duplicated for part in safe.parts)
    if gone:
        kept = f"Lost for good: {_gone_words(gone)}"
    elif lost:
        kept = f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone in this run with acks=all"
    elif doubled:
        kept = f"{plural(doubled, 'record stands', 'records stand')} twice in this run with acks=all"
    elif any(part.by_luck for part in safe.parts):
        kept = "No acknowledged record of acks=all is lost in this run, by luck"
    else:
        kept = "No acknowledged record of acks=all is lost"
    return ". ".join([kept, *_fast_words(row, fast)]) + "."


def _fast_words(row: Row, fast: Cell) -> list[str]:
    """What acks=1 risks, where it is more than the newest records."""
    parts = []
    lost = figures.lost_records(fast)
    hidden = len(figures.hidden(fast))
    if hidden:
        where = plural(hidden, "partition", "partitions")
        since = "" if not row.loss.has_quorum else " (on 3.7 or newer)"
        parts.append(f"new records of {where} cannot be read{since}")
    unsafe = len(figures.unsafe(fast))
    if unsafe:
        where = plural(unsafe, "partition", "partitions")
        parts.append(f"consumers read new records of {where} that an election would lose")
    if lost:
        parts.append(f"{plural(lost, 'acknowledged record is', 'acknowledged records are')} gone in this run")
    return [f"With acks=1 {listed(parts)}"] if parts else []


def _gone_words(gone: list[Part]) -> str:
    """Which logs are gone: few topics by name."""
    made = [part for part in gone if not part.is_internal]
    names = list(dict.fromkeys(part.topic for part in made))
    words = names if 0 < len(names) <= NAMED_MAX else [plural(len(made), "log", "logs")] if made else []
    coordinators = sum(part.is_coordinator for part in gone)
    if coordinators:
        words = [*words, f"the committed offsets of {plural(coordinators, 'coordinator', 'coordinators')}"]
    return listed(words) or plural(len(gone), "internal log", "internal logs")


def _facts(doc: Document, row: Row) -> list[Json]:
    found = [_until_back(doc, row), _hidden_fact(row), _seconds(row), _lost(row), _risk(row), _disks(doc, row)]
    return [fact for fact in found if fact]


def _fact(key: str, step: int, title: str, text: str, small: str = "") -> Json:
    return {"key": key, "step": step, "word": WORDS[step], "title": title, "text": text, "small": small}


def _until_back(doc: Document, row: Row) -> Json:
    cell, title = row.safe, f"Stops until {row.loss.place} is back"
    names = stopped_topics(doc, cell)
    words = [f"{name} {count:,} of {size:,}" for name, count, size in names[:FACT_TOPICS_MAX]]
    if len(names) > FACT_TOPICS_MAX:
        words.append(plural(len(names) - FACT_TOPICS_MAX, "more topic", "more topics"))
    stopped = groups(cell)
    if stopped.until_back:
        words.append(f"groups {stopped.until_back} of {cell.coordinators}")
    if not words:
        return _fact("until_back", NOTHING, title, "Nothing.")
    tally = writes(cell)
    small = "partitions, acks=all"
    if stopped.until_back and not any(topic.name == OFFSETS for topic in doc.topics):
        small += "; __consumer_offsets is assumed, with one partition: the paste shows none"
    step = max(step_of(tally.until_back, max(cell.users, 1)), step_of(stopped.until_back, max(cell.coordinators, 1)))
    return _fact("until_back", step, title, ", ".join(words), small)


def _hidden_fact(row: Row) -> Json:
    fast = row.fast
    unsafe = len(figures.unsafe(fast))
    if unsafe:
        where = plural(unsafe, "partition", "partitions")
        text = f"With acks=1 new records of {where}: readers see them, and an election would lose them"
        return _fact("hidden", SECONDS, "At risk till then", text, "3.6 or older")
    hidden = len(figures.hidden(fast))
    if not hidden:
        return {}
    why = "since Kafka 3.7; before, consumers would read them, and an election would lose them"
    small = why if row.loss.has_quorum else "no ISR can shrink without controllers"
    text = f"With acks=1 new records of {plural(hidden, 'partition', 'partitions')}"
    return _fact("hidden", step_of(hidden, max(fast.users, 1)), "Hidden till then", text, small)


def _seconds(row: Row) -> Json:
    cell, title = row.safe, "Stops for seconds"
    tally, stopped = writes(cell), groups(cell)
    if not tally.for_seconds and not stopped.for_seconds:
        return _fact("seconds", NOTHING, title, "Nothing.")
    words = []
    if tally.for_seconds:
        others = "other " if tally.until_back else ""
        count = plural(tally.for_seconds, f"{others}partition", f"{others}partitions")
        words.append(f"{count}, up to {two_times(tally.us, tally.servers_us)}")
    if stopped.for_seconds:
        count = plural(stopped.for_seconds, "coordinator", "coordinators")
        words.append(f"the groups of {count}, up to {seconds(stopped.us)} by the servers")
    return _fact("seconds", SECONDS, title, "; ".join(words), "acks=all")


def _lost(row: Row) -> Json:
    gone, lost = figures.gone_logs(row.safe), figures.lost_records(row.safe)
    if gone:
        records = sum(part.lost_before + part.lost for part in gone)
        told = f"{_gone_words(gone)}; here {plural(records, 'record', 'records')}, those from before the run included"
        return _fact("lost", FOR_GOOD, "Lost for good", told)
    if lost:
        return _fact("lost", FOR_GOOD, "Lost", plural(lost, "acknowledged record", "acknowledged records"), "acks=all")
    if any(part.by_luck for part in row.safe.parts):
        why = "unclean election is on, and another moment could lose some"
        return _fact("lost", SECONDS, "Lost", "Nothing acknowledged in this run, by luck", why)
    why = "a copy is left of every log" if row.safe.disks_gone else "its disks come back"
    return _fact(
        "lost", NOTHING, "Lost", "Nothing acknowledged with acks=all, by rule", f"{why}; unclean election is off"
    )


def _risk(row: Row) -> Json:
    fast = row.fast
    most, lost = max((part.risk for part in fast.parts), default=0), figures.lost_records(fast)
    if not most and not lost:
        return _fact("risk", NOTHING, "Only at risk", "Nothing.")
    text = f"With acks=1 the last {milliseconds(fast.span_us)} before the loss"
    text += f", 0 to {plural(max(most, 1), 'record', 'records')} a partition"
    if lost:
        gone = plural(lost, "is", "are").replace(",", "")
        return _fact("risk", FOR_GOOD, "Lost with acks=1", f"{gone} gone in this run", text)
    return _fact("risk", SECONDS, "Only at risk", text, "acks=all: none")


def log_mb(doc: Document) -> int:
    """The size of each copy."""
    told = doc.basis.log_mb if doc.basis is not None else None
    return LOG_MB if told is None else told


def copy_mb_per_s(doc: Document) -> int:
    """How fast a broker copies logs."""
    told = doc.basis.copy_mb_per_s if doc.basis is not None else None
    return COPY_MB_PER_S if told is None else told


def _disks(doc: Document, row: Row) -> Json:
    """What is lost, and how long copying takes, where the disks do not come back."""
    found, is_counted = on_disks(doc, row.loss), row.safe.disks_gone  # of lost logs the fact above tells then
    gone = [one.at.topic for one in found if one.is_gone]
    again = [one for one in found if not one.is_gone]
    words = [_gone_logs_words(doc, gone)] if gone and not is_counted else []
    if again:
        copies = Counter(broker for one in again for broker in one.there)
        most, speed = max(copies.values()) * log_mb(doc), copy_mb_per_s(doc)
        logs = plural(len(again), "other log", "other logs") if gone else plural(len(again), "log", "logs")
        back = f"back in sync after {roughly(most // speed)} ({gigabytes(most)} at {speed:,} {MB_PER_S})"
        words.append(f"{logs} {back}")
    title = "When it is back" if is_counted else "If its disks are gone too"
    step = FOR_GOOD if gone and not is_counted else SECONDS if again else NOTHING
    return _fact("disks", step, title, "; ".join(words) or "No log is lost.", "a run copies small logs in seconds")


def _gone_logs_words(doc: Document, gone: list[str]) -> str:
    """Logs without another copy, given the topic of each."""
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    made = Counter(topic for topic in gone if not topic.startswith("__"))
    logs = f"{plural(made.total(), 'log', 'logs')}, {gigabytes(made.total() * log_mb(doc))}"
    words = []
    if made and len(made) <= NAMED_MAX:
        whole = all(count == sizes[topic] for topic, count in made.items())
        parts = [f"{count} of {sizes[topic]} partitions of {topic}" for topic, count in made.items()]
        words = [f"{listed(list(made))} as a whole, {logs}" if whole else f"{listed(parts)}, {logs}"]
    elif made:
        words = [logs]
    offsets = gone.count(OFFSETS)
    others = len(gone) - made.total() - offsets
    more = [f"the committed offsets of {plural(offsets, 'coordinator', 'coordinators')}"] if offsets else []
    more += [plural(others, "other internal log", "other internal logs")] if others else []
    return "lost: " + " and ".join(words + more)
