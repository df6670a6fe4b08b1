"""Reads the metadata listing of ``kcat -L`` (once kafkacat), as text; ``kcat_json.py`` reads ``kcat -L -J``.

What it cannot tell: configs. And before Kafka 0.10 the replicas came in no order, so the first of them need not be
the preferred leader. Every line may carry a prefix (``node-a: ``), as ``dsh`` and ``docker compose logs`` write it.
"""

import re
from heapq import heappush
from typing import Final, NamedTuple

from simengine.importers import fields, limits
from simengine.importers.cut_rows import ends_open, taken_whole
from simengine.importers.describe_warnings import is_cut_out, names
from simengine.importers.jsontext import straightened
from simengine.importers.listing import drop_beyond
from simengine.importers.model import (
    NO_LEADER,
    UNNAMED,
    PastedBroker,
    PastedCluster,
    PastedPartition,
    PastedTopic,
    PasteResult,
    UnreadLine,
    count,
)
from simengine.importers.noise import COMMAND, is_continued, why_noise
from simengine.importers.row_checks import settled
from simengine.importers.text import Line, Paste
from simengine.importers.wrong_values import why_wrong

KIND: Final = "kcat"
LABEL: Final = "kcat -L"
MIN_ISR: Final = "min.insync.replicas"


class _Marked(NamedTuple):
    """A pattern, and a word without which it matches nothing: most lines are told apart by the word alone."""

    word: str
    pattern: re.Pattern[str]

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.word in text else None

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text) if self.word in text else None


_HEAD = _Marked("Metadata for ", re.compile(r"\bMetadata for .{0,300}\(from broker -?\d{1,10}:"))
_BROKERS = _Marked("brokers:", re.compile(r"(?:^|[\s:|>])(\d{1,9}) brokers:\s*$"))
_TOPICS = _Marked("topics:", re.compile(r"(?:^|[\s:|>])(\d{1,9}) topics:\s*$"))
_BROKER = _Marked("broker ", re.compile(r"\bbroker (\d{1,10}) at (\S+)"))
_LISTED = _Marked(
    "broker ",
    re.compile(
        r"^(.{0,120}?)\bbroker (\d{1,10}) at (?!\d\d:\d\d)(\S{1,300}:\d{1,5})(?: \(controller\))?[\s\"',\\n\u2026\]]*$"
    ),
)  # prose such as "restarted broker 1 at 14:49:20" is no line of the list
_FRONT = " \t\"'[|>:\u2502"  # what may stand in front of an entry; a prefix of another tool ends in one of ``:|]``
_TOPIC = _Marked(
    "topic ",
    re.compile(
        r"\btopic (?:[\"']([^\"']{0,249})[\"'] with (\d{1,9}) partitions?|"
        r"([\w.-]{1,249}) with (\d{1,9}) partitions?(?=:))(.*)$"
    ),
)  # a shell or a wiki may have taken the quote marks away
_ERROR = re.compile(r"\b(?:Broker|Local): .*")  # as librdkafka words its errors; other text is a comment
_PARTITION = _Marked(
    "partition ",
    re.compile(
        r"\bpartition (\d{1,9}), leader (-?\d{1,10}), replicas: ?((?:[\d, ]*\d)?)"
        r"(?:,\s*isrs: ?((?:[\d, ]*\d)?))?(?:,? ([A-Z][^\d].*)|([\s\"',.\\n\u2026\]]*))$"
    ),
)
_WHOLE_PARTITION = re.compile(
    r"\s*partition \d{1,9}, leader -?\d{1,10}, replicas: [\d,]*\d, isrs: (?:[\d,]*\d)?\s*", re.ASCII
)
_ENTRY = re.compile(
    r"\bbroker \d+ at |\btopic \"[^\"\n]{0,249}\" with |\bpartition \d+, leader |\b\d+ (?:brokers|topics):"
)
_SPLIT = re.compile(
    r"(?:\\n)?(?<=\S)\s{0,20}(?=(?<![\w,.-])(?:broker \d+ at \S+:\d|topic \"[^\"\n]{0,249}\" with \d|"
    r"partition \d+, leader |\d+ (?:brokers|topics):))"
)
_ENTRY_WORDS = ("broker ", 'topic "', "partition ", "brokers:", "topics:")
_OPEN_ENTRY = re.compile(
    r"\bpartition \d+,|\b(?:broker \d+(?: at)?|topic \"[^\"\n]{0,249}\"(?: with(?: \d+)?)?|partition(?: \d+)?)\s*$"
)
_CUT_PARTITION = _Marked("partition ", re.compile(r"\bpartition \d+(?:,|$)"))
_LONE_IDS = re.compile(r"\s*\d[\d, ]*+\s*+$")
_MARKS = re.compile(
    r"Metadata for .{0,300}from broker|\bpartition \d+, leader -?\d+, replicas:|"
    r"\btopic \"[^\"\n]{0,249}\" with \d+ partition"
)
_MARK_WORDS = ("Metadata for ", "partition ", 'topic "')  # a text without any of them has no mark
_LIST_HEAD = re.compile(r"(?:^|[\s:|>])\d{1,9} brokers:\s*$", re.MULTILINE)


def read(paste: Paste) -> PasteResult | None:
    """The listing as a cluster; None if nothing in the paste looks like one."""
    if not is_in(paste.joined()):
        return None
    reader = _Reader(paste.lines[-1].no)
    for line in _unwrapped(paste.lines):
        reader.take(line)
    return reader.finish(paste)


def is_in(text: str) -> bool:
    """True if the text has a line of such a listing; a line of a broker is one only in a list of brokers."""
    if any(word in text for word in _MARK_WORDS) and _MARKS.search(text):
        return True
    return "brokers:" in text and bool(_LIST_HEAD.search(text) and re.search(r"\bbroker \d+ at \S+:\d", text))


def _unwrapped(lines: list[Line]) -> list[Line]:
    """One line for each entry: joined ones split, and a wrapped tail put behind the entry that it belongs to."""
    out: list[Line] = []
    columns = _wrapped_at(lines)
    above = ""  # the line above as it was pasted
    for line in lines:
        if _WHOLE_PARTITION.fullmatch(line.text):
            above = line.text
            out.append(line)
            continue
        text = straightened(line.text.replace('\\"', '"'))
        parts = _SPLIT.split(text) if any(word in text for word in _ENTRY_WORDS) else [text]
        is_full, above = len(above) == columns, line.text
        if len(parts) > 1:
            out += [Line(line.no, part) for part in parts if _ENTRY.search(part) or _HEAD.search(part)]
            continue
        before, body = (out[-1].text if out else ""), parts[0].strip()
        if out and is_full and _is_tail(before, line.text):
            out[-1] = Line(out[-1].no, before + line.text)
            continue
        if _OPEN_ENTRY.search(before) and _continues(before, body):
            spaced = f"{before.rstrip()} {body}"
            is_whole = _PARTITION.search(spaced) or _BROKER.search(spaced) or _TOPIC.search(spaced)
            out[-1] = Line(out[-1].no, spaced if is_whole else before + body)
        else:
            out.append(Line(line.no, parts[0]))
    return out


def _wrapped_at(lines: list[Line]) -> int:
    """The width that a terminal broke the lines at: that of several lines as wide as the paste gets; 0 for none."""
    widths = [len(line.text) for line in lines]
    widest = max(widths, default=0)
    return widest if widths.count(widest) > 1 else 0


def _is_tail(before: str, text: str) -> bool:
    """True if a line behind a full one is the rest of the entry above it."""
    kinds = (_HEAD, _PARTITION, _BROKER, _TOPIC)
    if _LONE_IDS.match(text) and not _fits_replicas(before + text):
        return False
    return bool(text.strip()) and not _ENTRY.search(text) and any(kind.search(before + text) for kind in kinds)


def _continues(before: str, body: str) -> bool:
    """True if a line is the rest of the entry above it: a label, ids, or the second half of a label."""
    if re.match(r"(?:leader|replicas:|isrs:|at |with |,)", body):
        return True
    if not re.search(r"\bpartition \d+,", before):
        return bool(body) and not _ENTRY.search(body)
    if _LONE_IDS.match(body) and not (_fits_replicas(before + body) or _fits_replicas(f"{before.rstrip()} {body}")):
        return False
    is_open = not re.search(r"isrs: ?[\d, ]*$", before) or before.rstrip().endswith((",", ":"))
    return is_open and bool(re.match(r"[\d,][\d, ]*(?:,? ?isrs:.*)?$|[a-z]{0,8}:? ?[\d,]+.*$", body))


def _fits_replicas(entry: str) -> bool:
    """True if a partition that got digits from the next line is whole: led, and its ISR among its replicas.

    Digits that do not fit are a count or an exit status behind the listing.
    """
    match = _PARTITION.search(entry)
    if match is None or match.group(4) is None:
        return True
    replicas, isr = fields.id_list(match.group(3)) or (), fields.id_list(match.group(4))
    return isr is not None and int(match.group(2)) >= 0 and all(broker in replicas for broker in isr)


class _Reader:
    def __init__(self, last: int) -> None:
        self.reading = PasteResult(KIND, LABEL, lists_unread=True)
        self.last = last  # number of the line without an end, blank where the paste ends in a line end
        self.cluster = PastedCluster()
        self.topic: PastedTopic | None = None
        self.brokers_said: int | None = None
        self.topics_said: int | None = None
        self.topics_seen = 0
        self.topics_listed = 0  # under the last ``N topics:``
        self.lists = 1  # of brokers
        self.replaced: dict[str, int] = {}
        self.numbers: dict[str, list[int]] = {}  # topic -> a heap of its partition numbers, negative
        self.in_command = False
        self.first_line = self.last_line = 0  # of what was read

    def take(self, line: Line) -> None:
        text = line.text.rstrip()
        if not text.strip():
            return
        reason = self._take_counts(line, text)
        if reason is None:
            reason = self._take_entity(line, text)
        if reason == "":
            self.in_command = False
            self.first_line, self.last_line = self.first_line or line.no, line.no
            return
        noise = COMMAND if self.in_command else why_noise(text)
        self.in_command = bool(noise) and is_continued(text)
        self.reading.unread.append(UnreadLine(line.no, line.text, reason or noise or "no line of kcat -L", bool(noise)))

    def _take_counts(self, line: Line, text: str) -> str | None:
        """Head lines: "" if taken, None if the line is none of them."""
        if _HEAD.search(text):
            return ""
        brokers, topics = _BROKERS.search(text), _TOPICS.search(text)
        if brokers:
            self.brokers_said = int(brokers.group(1))
            self._begin_list(line)
        elif topics:
            self.topics_said = int(topics.group(1))
            self.topics_listed = 0
        return "" if brokers or topics else None

    def _begin_list(self, line: Line) -> None:
        """A list of brokers: of several the last counts, and who is no longer in it is down."""
        if any(broker.alive for broker in self.cluster.brokers.values()):
            self.lists += 1
        for broker in self.cluster.brokers.values():
            broker.alive, broker.is_unlisted = False, True
            broker.why = f"the list of brokers at line {line.no}, the last one, does not name it"

    def _take_entity(self, line: Line, text: str) -> str | None:
        """Broker, topic and partition lines: "" if taken, a reason if broken, None if the line is none of them."""
        partition = _PARTITION.search(text)
        if partition:
            return self._take_partition(line, partition)
        topic = _TOPIC.search(text)
        if topic:
            return self._take_topic(line, topic)
        broker = _LISTED.match(text)
        if broker and _stands_alone(broker.group(1)):
            number = int(broker.group(2))
            if number > limits.BROKER_ID_MAX:
                return why_wrong("leader", broker.group(2))
            self.cluster.brokers[number] = PastedBroker(number, alive=True, line=line.no)
            return ""
        if _CUT_PARTITION.search(text):
            self.reading.leave_out(f"Line {line.no}: this partition is cut off. It is left out.")
            return "the partition is cut off"
        return None

    def _take_topic(self, line: Line, match: re.Match[str]) -> str:
        name, said = match.group(3) or match.group(1), int(match.group(4) or match.group(2))
        found = _ERROR.search(match.group(5))
        error = found.group().strip(" ,\"'\\") if found else ""
        self.topic = None
        self.topics_seen += 1
        self.topics_listed += 1
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,249}", name):
            self.reading.warn(
                f"Line {line.no}: topic {name!r} has no legal name ({error or 'no reason given'}). It is left out."
            )
            return f"topic {name!r} has no legal name"
        if name in self.cluster.topics:
            self.replaced[name] = self.replaced.get(name, 1) + 1
        kept = self.cluster.topics[name].rows if name in self.replaced else {}
        drop_beyond(kept, self.numbers.setdefault(name, []), said)
        self.topic = self.cluster.topics[name] = PastedTopic(name, declared=said, rows=kept, line=line.no)
        if error:
            self.reading.warn(f"{name}: the listing gives an error for it: {error}.")
        return ""

    def _take_partition(self, line: Line, match: re.Match[str]) -> str:
        if self.topic is None and self.topics_seen:
            self.reading.leave_out(f"Line {line.no}: a partition without a topic above it. It is left out.")
            return "no topic stands above this partition"
        if match.group(4) is None:
            self.reading.leave_out(f"Line {line.no}: this partition has no isrs. It is left out.")
            return "the partition is cut off: no isrs"
        replicas, isr = fields.id_list(match.group(3)), fields.id_list(match.group(4))
        number, leader = int(match.group(1)), max(int(match.group(2)), NO_LEADER)
        if replicas is None or isr is None or leader > limits.BROKER_ID_MAX:
            wrong = _wrong(match, replicas, isr)
            self.reading.leave_out(f"Line {line.no}: {wrong}. This row is left out.")
            return wrong
        if not replicas:
            return "the partition lists no replica"
        self.topic = self.topic or self._unnamed(line)
        if number in self.topic.rows and self.topic.rows[number].line >= self.topic.line:
            self.reading.warn(f"Line {line.no}: {self.topic.name}-{number} is said twice; the last row counts.")
        row = PastedPartition(self.topic.name, number, leader, replicas, isr, line=line.no)
        is_last = line.no == self.last and leader in replicas and leader not in isr
        if is_last or ends_open((match.group(6) or "").lstrip()) or leader != NO_LEADER and not isr:
            row = taken_whole(row, self.reading.warn)
        if number not in self.topic.rows:
            heappush(self.numbers.setdefault(self.topic.name, []), -number)
        self.topic.rows[number] = settled(row, self.reading.warn)
        return ""

    def _unnamed(self, line: Line) -> PastedTopic:
        """The topic of partitions at the head of a listing that was cut off in front of its name."""
        self.reading.warn(f"Rows name no topic and stand under no header: taken for one topic, {UNNAMED}.")
        return self.cluster.topics.setdefault(UNNAMED, PastedTopic(UNNAMED, line=line.no))

    def finish(self, paste: Paste) -> PasteResult:
        self.cluster.name_brokers()
        self.reading.cluster = self.cluster
        self.reading.facts = count(self.cluster)
        listed = sum(broker.alive is True for broker in self.cluster.brokers.values())
        self._warn_counts(listed)
        if is_cut_out(paste, self.first_line, self.last_line):
            self.reading.warn("Lines were cut out of this listing (an ellipsis stands in it).")
        return self.reading

    def _warn_counts(self, listed: int) -> None:
        if self.brokers_said is not None and self.brokers_said != listed:
            self.reading.warn(f"{listed} of {self.brokers_said} brokers are listed.")
        if self.topics_said is not None and self.topics_said != self.topics_listed:
            self.reading.warn(f"{self.topics_listed} of {self.topics_said} topics are listed.")
        for name, times in self.replaced.items():
            self.reading.warn(f"{name} is listed {times} times: of each partition the last row counts.")


def _stands_alone(front: str) -> bool:
    """True if nothing but blanks, marks or the prefix of another tool is in front of an entry."""
    return not front.strip(_FRONT) or front.rstrip().endswith((":", "|", "]"))


def _wrong(match: re.Match[str], replicas: tuple[int, ...] | None, isr: tuple[int, ...] | None) -> str:
    """The error in the ids of a partition, in words."""
    if replicas is None:
        return f"its replicas cannot be read: {why_wrong('replicas', match.group(3))}"
    if isr is None:
        return f"its isrs cannot be read: {why_wrong('isr', match.group(4))}"
    return f"its leader cannot be read: {why_wrong('leader', match.group(2))}"


def warn_about_metadata(reading: PasteResult) -> None:
    """The doubts that any metadata listing leaves, text or JSON, once what other outputs tell is in its cluster."""
    cluster = reading.cluster
    assert cluster is not None
    if not reading.facts.partitions and not cluster.evidence.declared:
        reading.warn("No partition is listed: one topic stands for all.")
    if not any(broker.line or broker.alive for broker in cluster.brokers.values()):
        reading.warn("The list of brokers is missing; the brokers are those that the partitions name.")
    if reading.facts.leader_not_first:
        reading.warn(
            "Old brokers list replicas in no order: a leader that is not the first may still be the preferred one."
        )
    untold = [topic.name for topic in cluster.topics.values() if MIN_ISR not in (topic.configs or {})]
    if untold:
        which = "every topic" if len(untold) == len(cluster.topics) else names(untold)
        reading.note(f"kcat tells no configs: min.insync.replicas is the assumed one for {which}.")
