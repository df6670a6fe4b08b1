"""Reads ``kafka-topics.sh --describe`` of every version from 0.8 to 4.x.

A row needs partition, replicas and ISR, or it is listed as unread. Of each partition the last row counts (listing.py).
A filtered or cut listing keeps what it lists; the rest is never invented, the difference to ``PartitionCount`` is told.
Leaves out: what the configs mean (document.py) and which brokers are alive (liveness.py).
"""

import re
from typing import Any

from simengine.importers import commands_said, cut_rows, fields, filtered, limits
from simengine.importers.configs import parse_configs, without_cut_mark
from simengine.importers.describe_warnings import warn_about_listing
from simengine.importers.fields import LabelledValues
from simengine.importers.listing import Listings
from simengine.importers.model import UNNAMED, PastedPartition, PastedTopic, PasteResult, UnreadLine, count
from simengine.importers.noise import LOG_LINE
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.importers.unwrap import Logical, logical_lines
from simengine.importers.whole_row import FIELDS_WITH_ELR, WholeRow
from simengine.importers.wrong_values import why_wrong

KIND = "describe"
LABEL = "kafka-topics.sh --describe"
LAST_CHARS = 30  # of configs that break off, to say where
_IDS_THEN_PROSE = re.compile(r"(\d+(?:,\s?\d+)*)\s+[^\d\s,]")
_MEMBERS = ("isr", "elr", "last_known", "adding", "removing", "offline", "observers")
_MARKS_IN_FRONT = " \t>|#*-"
_NO_LABEL = "no label"


def read(paste: Paste, reader: "DescribeReader") -> PasteResult | None:
    """The listing as a cluster; None if the paste holds neither a header nor a row. ``reader``: of ``taken``."""
    if not reader.found:
        return None
    reading = reader.reading
    reading.cluster = reader.listings.cluster()
    reading.cluster.is_described = bool(reader.rows)
    reading.cluster.evidence.elr_columns = reader.elr_columns
    reading.cluster.evidence.elr_kept = any(row.elr or row.last_known for row in reader.rows)
    reading.cluster.name_brokers()
    reading.facts = count(reading.cluster)
    if limits.is_too_big(reading.facts.brokers, reading.facts.partitions):
        return reading  # refused: nothing of it is looked at any more
    filtered.apply(paste, commands_said.described(paste), reader.rows, reader.headers, reading)
    reading.cluster.name_brokers()
    reading.facts = count(reading.cluster)
    warn_about_listing(paste, reader.listings, reading)
    return reading


def unreadable(reader: "DescribeReader") -> PasteResult | None:
    """The rejection of a listing whose rows are known as such but cannot be read; None where there is no such row."""
    if not reader.failed:
        return None
    reading = reader.reading
    reading.rejected = (
        f"This looks like {LABEL}, but none of its rows can be read. The reasons stand below, line by line."
    )
    return reading


def taken(paste: Paste) -> "DescribeReader":
    """The listing as far as it can be read; every other line with the reason."""
    if not fields.may_hold(paste.joined()):
        return DescribeReader([], 0)
    data, rest = logical_lines(paste.lines)
    reader = DescribeReader([line.no for line, reason in rest if reason != LOG_LINE], paste.lines[-1].no)
    for logical in data:
        reader.take(logical)
    cut_rows.mend(reader.rows, reader.behind_isr, reader.listings, reader.last, reader.reading.warn)
    unread = reader.reading.unread
    for line, reason in rest:
        unread.append(UnreadLine(line.no, line.text, reason, noise=not reason.startswith(_NO_LABEL)))
    unread.sort(key=lambda one: one.line)
    return reader


class DescribeReader:
    """Turns records into headers and rows, and says of each that fails why."""

    def __init__(self, breaks: list[int], last: int) -> None:
        self.reading = PasteResult(KIND, LABEL, lists_unread=True)
        self.last = last  # number of the line without an end, blank where the paste ends in a line end
        self.listings = Listings(breaks)
        self.rows: list[PastedPartition] = []  # in the order of the paste, also those that a later one replaces
        self.behind_isr: list[str] = []  # of each of them: "elr" for Elr columns, "other" for others, "" for none
        self.headers: list[int] = []  # line numbers
        self.found = 0
        self.elr_columns = False  # in any row, also one that is left out or that a later one replaces
        self.failed = 0  # rows with all their labels and a value that cannot be read
        self.above: str | None = None  # topic of the header above, for rows that name none

    def take(self, logical: Logical) -> None:
        if logical.row is not None:
            self._add_whole(logical.row, logical.no)
            return
        records = logical.records if logical.records is not None else fields.records(logical.text)
        reasons: list[str] = []
        for record in records:
            record.line = logical.no
            reason = self._take_record(record)
            if reason:
                reasons.append(reason)
        if not records:
            reasons.append(f"{_NO_LABEL} of kafka-topics.sh --describe in this line")
        for reason in reasons:
            self.reading.unread.append(UnreadLine(logical.no, logical.text, reason))

    def _add_whole(self, whole: WholeRow, line: int) -> None:
        self.elr_columns = self.elr_columns or whole.members.elr is not None
        self._add(whole.row(line), cut_rows.ELR if whole.members.fields == FIELDS_WITH_ELR else "")

    def _add(self, row: PastedPartition, behind_isr: str) -> None:
        self.rows.append(self.listings.row(row))
        self.behind_isr.append(behind_isr)
        self.found += 1

    def _take_record(self, record: LabelledValues) -> str | None:
        """Use one record; the reason why not, if it cannot be used."""
        if record.is_header:
            return self._take_header(record)
        if "partition" not in record.values:
            return "a topic without PartitionCount, Configs or a partition: no header and no row"
        return self._take_row(record)

    def _take_header(self, record: LabelledValues) -> str | None:
        name = fields.topic_name(record.values["topic"])
        if name is None:
            return f"{record.values['topic']!r} is no legal topic name"
        if len(written := record.values.get("configs", "")) > limits.CONFIGS_CHARS_MAX:
            return f"the configs of {name} have {len(written):,} characters; the limit is {limits.CONFIGS_CHARS_MAX:,}"
        declared = fields.whole_number(record.values.get("count", ""))
        shown = without_cut_mark(written)
        is_whole = "configs" in record.values and shown == written
        if shown != written:
            self.reading.warn(
                f"Line {record.line}: the configs of {name} break off behind {shown[-LAST_CHARS:]!r}. "
                "What follows is not known."
            )
        topic = PastedTopic(name, declared, parse_configs(shown), line=record.line, tells_configs=is_whole)
        topic.factor = fields.whole_number(record.values.get("rf", ""))
        self.listings.header(topic, record.values.get("topic_id", ""))
        self.headers.append(record.line)
        self.above = name
        self.found += 1
        self._note_deletion(record, name)
        return None

    def _note_deletion(self, record: LabelledValues, name: str) -> None:
        """A topic that is being deleted is listed until its replicas are gone; nothing here deletes topics."""
        if record.values.get("marked", "").strip().lower().startswith("true"):
            self.reading.note(f"{name} is marked for deletion; it is built as it is listed, and is not deleted.")

    def _take_row(self, record: LabelledValues) -> str | None:
        values = record.values
        if "elr" in values and not fields.is_not_available(values["elr"]):
            self.elr_columns = True
        fields.invalid(record)
        if record.sound is not None:
            name = fields.topic_name(values["topic"])
            assert name is not None, "a sound record names its topic"
            self._add_whole(WholeRow(name, int(values["partition"]), record.sound), record.line)
            return None
        missing = [name for name in ("replicas", "isr") if name not in values]
        if missing:
            return self._cut(record, f"the row breaks off: no {' and no '.join(map(_title, missing))}")
        self._loosen(record)
        bad = [name for name in fields.invalid(record) if name in ("topic", "partition", "leader", "replicas", "isr")]
        if bad == ["isr"] and _is_cut_in_an_id(values):
            bad = []
        if bad:
            self.failed += 1
            value = values[bad[0]]
            why = why_wrong(bad[0], value)
            return self._cut(record, f"{_title(bad[0])} is {value!r}, which cannot be read: {why}")
        replicas = fields.id_list(values["replicas"])
        if not replicas:
            return self._cut(record, "Replicas is empty")
        row = self._row(record, self._topic_of(record), replicas)
        is_open = self._is_open(row, values["isr"])
        row = settled(cut_rows.taken_whole(row, self.reading.warn) if is_open else row, self.reading.warn)
        row = cut_rows.taken_whole(row, self.reading.warn) if row.doubtful else row
        others = any(name in values for name in _MEMBERS[1:])
        self._add(row, cut_rows.ELR if "elr" in values else cut_rows.OTHER if others else "")
        self._note_deletion(record, row.topic)
        return None

    def _is_open(self, row: PastedPartition, isr: str) -> bool:
        """True if its ISR breaks off: behind an id or a comma, or in front of its leader at the end of the paste."""
        if _ends_open(isr):
            return True
        return row.line == self.last and row.leader in row.replicas and row.leader not in row.isr

    def _loosen(self, record: LabelledValues) -> None:
        """Leave out prose that stands behind an id list, apart from it and not beginning with a digit."""
        for name in ("replicas", "isr"):
            value = record.values[name]
            match = _IDS_THEN_PROSE.match(value) if " " in value or "\t" in value else None
            if match and fields.id_list(value) is None:
                self.reading.warn(f"Line {record.line}: the text behind the ids of {_title(name)} is not used.")
                record.values[name] = match.group(1)
                record.bad = None

    def _cut(self, record: LabelledValues, reason: str) -> str:
        """A row that is lost makes a warning, for the counts are then too low; prose with labels does not."""
        is_prose = "topic" not in record.values and record.before.strip(_MARKS_IN_FRONT)
        if record.is_row and not is_prose and fields.whole_number(record.values["partition"]) is not None:
            self.found += fields.id_list(record.values.get("replicas", "?")) is not None
            self.reading.leave_out(f"Line {record.line}: {reason}. This row is left out.")
        return reason

    def _topic_of(self, record: LabelledValues) -> str:
        """The topic of a row: as its label says, else a name that stands alone in front, else the header above."""
        if "topic" in record.values:
            name = fields.topic_name(record.values["topic"])
            assert name is not None, "checked by the caller"
            return name
        name = fields.bare_name(record.before)
        if name is not None and self.above in (None, name):
            self.reading.warn(f"The label Topic: is missing: the word in front of the rows is taken for it ({name}).")
            return name
        if self.above is not None:
            self.reading.warn(f"Rows without a topic name were taken for rows of the header above them: {self.above}.")
            return self.above
        self.reading.warn(f"Rows name no topic and stand under no header: taken for one topic, {UNNAMED}.")
        return UNNAMED

    def _row(self, record: LabelledValues, name: str, replicas: tuple[int, ...]) -> PastedPartition:
        values = record.values
        number = fields.whole_number(values["partition"])
        leader = fields.leader(values.get("leader", ""))
        assert number is not None and leader is not None, "checked by the caller"
        if "leader" not in values:
            self.reading.warn(f"Line {record.line}: no Leader column; taken for no leader.")
        has_elr = "elr" in values and not fields.is_not_available(values["elr"])
        ids: dict[str, Any] = {name: self._ids(record, name) for name in _MEMBERS if values.get(name)}
        if "elr" in values and "last_known" not in values and len(ids.get("isr", ())) < len(replicas):
            self.reading.warn(f"Line {record.line}: the row breaks off in its Elr ({values['elr']!r} is left of it).")
        return PastedPartition(
            topic=name,
            number=number,
            leader=leader,
            replicas=replicas,
            line=record.line,
            **{"isr": (), **ids, "elr": ids.get("elr", ()) if has_elr else None},
        )

    def _ids(self, record: LabelledValues, name: str) -> tuple[int, ...]:
        """The ids of a column; a value that is cut off gives a warning and what is whole of it."""
        value = record.values[name]
        ids = fields.id_list(value, may_repeat_last=name == "isr")
        if ids is None or _ends_open(value) and name != "isr":
            self.reading.warn(f"Line {record.line}: the value of {_title(name)} is cut off ({value!r}).")
        return ids or ()


def _ends_open(value: str) -> bool:
    """True if a list of ids breaks off behind one of them."""
    return cut_rows.ends_open(fields.tail_of_ids(value))


def _is_cut_in_an_id(values: dict[str, str]) -> bool:
    """True if the last id of an ISR is there already, and begins a replica that is not."""
    ids = fields.id_list(values["isr"], may_repeat_last=True)
    if not ids:
        return False
    rest = [broker for broker in fields.id_list(values["replicas"]) or () if broker not in ids]
    return any(str(broker).startswith(str(ids[-1])) for broker in rest)


def _title(name: str) -> str:
    titles = {"last_known": "LastKnownElr", "adding": "Adding Replicas", "removing": "Removing Replicas"}
    return titles.get(name, name.capitalize())
