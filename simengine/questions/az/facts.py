"""The facts beside the headline, about the worst row: what stops, what is lost or at risk, and what its disks hold."""

from collections import Counter
from typing import Any, Final

from simengine.importers.assumed import REQUEST_TIMEOUT_MS as DEFAULT_MS
from simengine.questions.az import figures, one_az
from simengine.questions.az.cell import AzCell, AzLoss
from simengine.questions.az.copying import back_in_sync, log_mb
from simengine.questions.az.disks import on_disks
from simengine.questions.az.figures import FOR_GOOD, NOTHING, SECONDS, WORDS, groups, step_of, writes
from simengine.questions.az.next_loss import next_loss_words
from simengine.questions.az.partition_outages import OFFSETS, UNTIL_BACK, WHOLE, PartitionOutage
from simengine.questions.az.partition_states import allows_unclean
from simengine.questions.az.row import AzRow
from simengine.questions.az.run import request_timeout_ms
from simengine.questions.az.whys import ONLY_BY
from simengine.questions.az.words import UNFLUSHED, gigabytes, milliseconds, two_times, up_to
from simengine.scenario import Document
from simengine.scenario.not_simulated import CONTROLLER_DISK
from simengine.verdict.outage import THETA_US
from simengine.words.phrases import listed, plural, seconds

NAMED_MAX: Final = 3  # topics; more are counted
FACT_TOPICS_MAX: Final = 4
Json = dict[str, Any]


def stopped_topics(doc: Document, cell: AzCell) -> list[tuple[str, int, int]]:
    """Topics that take no acks=all writes until it is back: name, partitions that stop, of how many; worst first.

    Whole topics come before parts of some, so that a share in a list is said of one topic only.
    """
    counts: dict[str, int] = {}
    for part in cell.parts:
        if part.stops_us == UNTIL_BACK and not part.is_internal:
            counts[part.topic] = counts.get(part.topic, 0) + 1
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    found = ((name, counts[name], sizes[name]) for name in counts)
    return sorted(found, key=lambda one: (one[1] < one[2], -one[1], one[0]))


def share(name: str, count: int, size: int) -> str:
    """Some of a topic's partitions; all of them are the topic."""
    return name if count == size else f"{count:,} of {plural(size, 'partition', 'partitions')} of {name}"


def gone_words(doc: Document, gone: list[PartitionOutage]) -> str:
    """The words on the logs that are gone: few topics by name."""
    made = [part for part in gone if not part.is_internal]
    whole = [part for part in made if part.log == WHOLE]
    newest = [part for part in made if part.log != WHOLE]
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    names = [share(topic, count, sizes[topic]) for topic, count in Counter(part.topic for part in whole).items()]
    words = names if 0 < len(names) <= NAMED_MAX else [plural(len(whole), "log", "logs")] if whole else []
    if newest:
        places = [f"{part.topic}-{part.number}" for part in newest]
        where = listed(places) if len(places) <= NAMED_MAX else plural(len(places), "partition", "partitions")
        words = [*words, f"records of {where}, of which only outdated copies are left"]
    coordinators = sum(part.is_coordinator for part in gone)
    if coordinators:
        words = [*words, f"the committed offsets of {plural(coordinators, 'coordinator', 'coordinators')}"]
    return listed(words) or plural(len(gone), "internal log", "internal logs")


def facts_of(doc: Document, row: AzRow) -> list[Json]:
    """The facts of the worst row, in the order of the page."""
    found = [_until_back(doc, row), _hidden_fact(row), _seconds(doc, row), _beside(row), _next(doc, row)]
    found += [_lost(doc, row), _risk(row), _disks(doc, row), _one_az(doc)]
    return [fact for fact in found if fact]


def _fact(key: str, step: int, title: str, text: str, small: str = "") -> Json:
    return {"key": key, "step": step, "word": WORDS[step], "title": title, "text": text, "small": small}


def _until_back(doc: Document, row: AzRow) -> Json:
    cell, title = row.safe, f"Stops until {row.loss.place} is back"
    names = stopped_topics(doc, cell)
    words = [f"{name} {count:,} of {size:,}" for name, count, size in names[:FACT_TOPICS_MAX]]
    if len(names) > FACT_TOPICS_MAX:
        words.append(plural(len(names) - FACT_TOPICS_MAX, "more topic", "more topics"))
    stopped = groups(cell)
    if stopped.until_back:
        words.append(f"groups {stopped.until_back} of {cell.coordinators}")
    if not words:
        return _fact("until_back", NOTHING, title, "Nothing with acks=all." if row.only_fast.until_back else "Nothing.")
    tally = writes(cell)
    small = "partitions, acks=all"
    if stopped.until_back and not any(topic.name == OFFSETS for topic in doc.topics):
        small += "; __consumer_offsets is assumed, with one partition: the paste shows none"
    step = max(step_of(tally.until_back, max(cell.users, 1)), step_of(stopped.until_back, max(cell.coordinators, 1)))
    return _fact("until_back", step, title, ", ".join(words), small)


def _hidden_fact(row: AzRow) -> Json:
    fast = row.fast
    unsafe = len(figures.unsafe(fast))
    if unsafe:
        where = plural(unsafe, "partition", "partitions")
        text = f"With acks=1 new records of {where}: readers see them, and {ONLY_BY} would lose them"
        return _fact("hidden", SECONDS, "At risk till then", text, "3.6 or older")
    hidden = len(figures.hidden(fast))
    if not hidden:
        return {}
    why = "since Kafka 3.7; before, consumers read them"
    small = why if row.loss.has_quorum else "no ISR can shrink without controllers"
    text = f"With acks=1 new records of {plural(hidden, 'partition', 'partitions')}"
    return _fact("hidden", step_of(hidden, max(fast.users, 1)), "Hidden till then", text, small)


def _seconds(doc: Document, row: AzRow) -> Json:
    cell, title = row.safe, "Stops for seconds"
    tally, stopped, readers = writes(cell), groups(cell), row.reads
    if not tally.for_seconds and not stopped.for_seconds and not readers.for_seconds:
        return _fact("seconds", NOTHING, title, "Nothing with acks=all." if row.only_fast.us else "Nothing.")
    words = []
    if tally.for_seconds:
        others = "other " if tally.until_back else ""
        count = plural(tally.for_seconds, f"{others}partition", f"{others}partitions")
        most = "" if tally.is_open else "up to "
        words.append(f"{count}, {most}{two_times(tally.us, tally.servers_us, tally.is_open)}")
    if stopped.for_seconds:
        count = plural(stopped.for_seconds, "coordinator", "coordinators")
        words.append(f"the groups of {count}, up to {seconds(stopped.us)} by the servers")
    if readers.for_seconds:
        count = plural(readers.for_seconds, "partition", "partitions")
        words.append(f"readers of {count}, {up_to(readers.us, readers.is_open)}")
    small = f"acks=all, in this run{_timeout(doc, row, max(tally.us, readers.us))}"
    return _fact("seconds", SECONDS, title, "; ".join(words), small)


def _timeout(doc: Document, row: AzRow, us: int) -> str:
    """The setting that a time (us) comes from, where clients waited for brokers that went dark; else ""."""
    timeout_ms = request_timeout_ms(doc)
    if not row.loss.is_dark or us < timeout_ms * 1_000 - THETA_US:
        return ""
    default = ", Kafka\u2019s default" if timeout_ms == DEFAULT_MS else ""
    told = f"; a dark broker closes no connection, so a client waits for request.timeout.ms={timeout_ms}{default}"
    if us <= timeout_ms * 1_000 + THETA_US:
        return told
    return f"{told}; for longer where its next request goes to another dark broker"


def _next(doc: Document, row: AzRow) -> Json:
    """The writes that one more loss would stop before the AZ is back."""
    text = next_loss_words(doc, row.loss)
    return _fact("next", SECONDS, "The next loss", text, "by the ISR after this one") if text else {}


def _beside(row: AzRow) -> Json:
    """The fact on brokers that may be fenced although the loss does not touch them."""
    cell, place = row.safe, row.loss.place
    if not cell.fences_beside:
        return _beside_at_return(row)
    text = f"If the active controller is in {place}, a broker elsewhere may be fenced for a while"
    text += ": what it leads pauses too"
    if cell.stops_beside:
        text += f", at worst until {place} is back"
    if row.fast.beside:
        text += "; what it acknowledges with acks=1 meanwhile may be lost"
    small = "its requests wait at the dark controller for longer than its session"
    return _fact("beside", SECONDS, "By bad luck", text, small)


def _beside_at_return(row: AzRow) -> Json:
    """The fact on brokers that may be fenced when the controllers of the loss come back one after another."""
    if not row.fast.beside:
        return {}
    where = row.loss.place
    text = (
        f"If a controller is active again in {where} while another one there is still dark, a broker elsewhere may be"
    )
    text += " fenced for a while: what it acknowledged with acks=1 since the loss may be lost"
    small = "its requests wait at the dark controller for longer than its session"
    return _fact("beside", SECONDS, "By bad luck", text, small)


def _lost(doc: Document, row: AzRow) -> Json:
    gone, lost, before = figures.gone_logs(row.safe), figures.lost_records(row.safe), figures.lost_before(row.safe)
    if gone:
        records = sum(part.lost_before + part.lost for part in gone)
        most = "" if all(part.log == WHOLE for part in gone) else "up to "
        count = plural(records, "record", "records")
        told = f"{gone_words(doc, gone)}; here {most}{count}, those from before the run included"
        beside = figures.lost_beside_logs(row.safe) + before
        told += f"; of other partitions {plural(beside, 'record', 'records')}" if beside else ""
        return _fact("lost", FOR_GOOD, "Lost for good", told)
    if lost or before:
        parts = [plural(lost, "acknowledged record", "acknowledged records")] * bool(lost)
        parts += [f"{plural(before, 'record', 'records')} from before the run"] * bool(before)
        how = "acks=all; nobody knows with which acks records from before the run came" if before else "acks=all"
        return _fact("lost", FOR_GOOD, "Lost", listed(parts), how)
    if figures.is_by_luck(row.safe):
        return _fact(
            "lost",
            SECONDS,
            "Lost",
            "Nothing acknowledged with acks=all in this run, by luck",
            _luck_words(doc, row.safe),
        )
    back = f"its disks come back {UNFLUSHED}" if row.loss.is_dark else "its disks come back"
    kept = "a copy is left of every log" if row.safe.disks_gone else back
    return _fact("lost", NOTHING, "Lost", "Nothing acknowledged with acks=all, by rule", f"{kept}; {_unclean(doc)}")


def _luck_words(doc: Document, cell: AzCell) -> str:
    """The reason why another run of the same loss could lose acknowledged records of acks=all."""
    lucky = {part.topic for part in cell.parts if part.by_luck}
    if lucky:
        is_on = any(allows_unclean(doc, topic) for topic in doc.topics if topic.name in lucky)
        other = "another moment, or another order of return, could lose some"
        return f"unclean election is on, and {other}" if is_on else other
    if not cell.disks_gone:
        return "if a broker elsewhere is fenced too, an unclean election may find a copy that lacks records"
    return "if a broker elsewhere is fenced too, a copy that lacks records, or an empty one, may lead"


def _unclean(doc: Document) -> str:
    """The reason why no unclean election loses records, where none does."""
    allowed = [topic.name for topic in doc.topics if allows_unclean(doc, topic)]
    if not allowed:
        return "unclean election is off"
    where = (
        ""
        if len(allowed) == len(doc.topics)
        else f" for {listed(allowed) if len(allowed) <= NAMED_MAX else plural(len(allowed), 'topic', 'topics')}"
    )
    return f"unclean election is on{where}, and finds no copy to elect that lacks records"


def _one_az(doc: Document) -> Json:
    """The topics of which an acknowledged record may stand in one AZ only, by min.insync.replicas and placement."""
    if not one_az.has_azs(doc):
        return {}
    title, found = "In one AZ only", one_az.at_any_time(doc)
    if not found:
        text = "No acknowledged record: each is in two AZs or more"
        return _fact("one_az", NOTHING, title, text, "acks=all, by min.insync.replicas")
    told = [f"{one.name} {one.count:,} of {one.partitions:,} ({one.why})" for one in found[:FACT_TOPICS_MAX]]
    if len(found) > FACT_TOPICS_MAX:
        told.append(plural(len(found) - FACT_TOPICS_MAX, "more topic", "more topics"))
    text = f"An acknowledged record may stand in one AZ only: {', '.join(told)}"
    return _fact("one_az", SECONDS, title, text, "partitions, acks=all, when others have left the ISR")


def _risk(row: AzRow) -> Json:
    fast = row.fast
    most = figures.most_at_risk(fast)
    lost = figures.lost_beside_logs(fast)
    safe = "" if figures.is_by_luck(row.safe) else "acks=all: none"
    if not most and not lost and not figures.is_by_luck(fast):
        return _fact("risk", NOTHING, "Only at risk", "Nothing.")
    if not most and not lost:
        return _fact("risk", SECONDS, "Only at risk", "With acks=1 nothing in this run, by luck", safe)
    text = ""
    if most:
        others = "of other partitions " if lost or figures.gone_logs(fast) else ""
        text = f"With acks=1 {others}the last {milliseconds(fast.span_us)} before the loss"
        text += f", 0 to {plural(most, 'record', 'records')} a partition"
        text += "; more by bad luck" if figures.is_by_luck(fast) else ""
    if lost:
        gone = plural(lost, "is", "are").replace(",", "")
        return _fact("risk", FOR_GOOD, "Lost with acks=1", f"{gone} gone in this run", text)
    return _fact("risk", SECONDS, "Only at risk", text, safe)


def _disks(doc: Document, row: AzRow) -> Json:
    """The fact on lost logs and the time for copying, if the disks do not come back."""
    found, is_counted = on_disks(doc, row.loss), row.safe.disks_gone  # of lost logs the fact above tells then
    gone = [one.at.topic for one in found if one.is_gone]
    again = [one for one in found if not one.is_gone]
    newest = [f"{one.at.topic}-{one.at.number}" for one in again if one.loses_newest]
    words = [_gone_logs_words(doc, gone)] if gone and not is_counted else []
    if newest and not is_counted:
        where = listed(newest) if len(newest) <= NAMED_MAX else plural(len(newest), "partition", "partitions")
        words.append(f"lost: what the copies elsewhere lack of {where}")
    if again:
        other = "other " if gone else ""
        copied = plural(len(again), f"{other}partition", f"{other}partitions")
        words.append(f"{copied} {back_in_sync(doc, again) or 'back in sync within seconds'}")
    title = "When it is back" if is_counted else "If its disks are gone too"
    step = FOR_GOOD if (gone or newest) and not is_counted else SECONDS if again else NOTHING
    nothing = "Nothing to copy: no other copy is left." if gone else "No log of a partition is lost."
    return _fact("disks", step, title, "; ".join(words) or nothing, _controllers_words(row.loss))


def _controllers_words(loss: AzLoss) -> str:
    """The words on the disks of the controllers of a loss, which are taken to come back (QUO-10); "" without any."""
    if not loss.controllers:
        return ""
    told = f"not counting {plural(len(loss.controllers), 'controller', 'controllers')} there: {CONTROLLER_DISK}"
    return told if loss.has_quorum else f"{told}, and without the metadata logs of most voters nobody is elected again"


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
