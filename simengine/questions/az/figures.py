"""The three figures of a cell (lost, not writable, not readable), each with its step on the one scale of severity."""

from dataclasses import dataclass
from typing import Any, Final

from simengine.questions.az.cell import AzCell
from simengine.questions.az.partition_outages import (
    BELOW_MIN,
    NO_ISR,
    NONE_LEFT,
    UNCLEAN,
    UNTIL_BACK,
    WHOLE,
    PartitionOutage,
    Place,
)
from simengine.questions.az.words import gigabytes, lasted
from simengine.verdict.whole import TOLD_MAX
from simengine.verdict.words import say_the_same
from simengine.words.phrases import plural, seconds

NOTHING: Final = 0
SECONDS: Final = 1  # or at risk
UNDER_TENTH: Final = 2  # until it is back ...
MORE: Final = 3
HALF: Final = 4
FOR_GOOD: Final = 5
WORDS: Final = (
    "nothing",
    "seconds, or at risk",
    "until it is back: under 10 %",
    "until it is back: more than 10 %",
    "until it is back: half or more",
    "lost for good",
)
LOST: Final = "lost"
WRITE: Final = "write"
READ: Final = "read"
LASTING: Final = "until_back"  # lists of facts, by their keys
PAUSING: Final = "seconds"
HIDDEN: Final = "hidden"
Json = dict[str, Any]


def outcome_of(verdict: Json) -> str:
    """The outcome of a run, as its page tells it: of few topics each one's sentence, the gravest first; else of all."""
    topics = verdict["topics"]
    if say_the_same(topics) or len(topics) > TOLD_MAX:
        return str(verdict["sentence"])
    return " ".join(f"{topic['topic']}: {topic['sentence']}" for topic in topics)


def step_of(count: int, total: int) -> int:
    """The step of so many of all being out until it is back."""
    if not count:
        return NOTHING
    if count * 2 >= total:
        return HALF
    return MORE if count * 10 >= total else UNDER_TENTH


@dataclass(frozen=True, slots=True)
class Tally:
    """The partitions that are out until it is back, those that are out for seconds, and the longest of these times."""

    until_back: int
    for_seconds: int
    us: int
    servers_us: int
    is_open: bool  # the longest had not ended with the run

    @property
    def seconds(self) -> str:
        """The longest time in words."""
        return lasted(self.us, self.is_open)


def writes(cell: AzCell) -> Tally:
    """The tally of partitions that cannot be written to, of topics that people make."""
    parts = [part for part in cell.parts if not part.is_internal]
    return _tally([(part.stops_us, part.write_servers_us, part.write_open) for part in parts])


def reads(cell: AzCell) -> Tally:
    """The tally of partitions that cannot be read, of the same topics."""
    parts = [part for part in cell.parts if not part.is_internal]
    return _tally([(part.unread_us, part.read_servers_us, part.read_open) for part in parts])


def groups(cell: AzCell) -> Tally:
    """Coordinators whose groups can neither join nor commit."""
    return _tally(
        [(part.unread_us, part.read_servers_us, part.read_open) for part in cell.parts if part.is_coordinator]
    )


def _tally(times: list[tuple[int, int, bool]]) -> Tally:
    ended = [(us, servers, is_open) for us, servers, is_open in times if us > 0]
    us, servers, is_open = max(ended, default=(0, 0, False))
    return Tally(sum(us == UNTIL_BACK for us, _, _ in times), len(ended), us, max(servers, 0), is_open)


def lost_records(cell: AzCell) -> int:
    """Records that were acknowledged in this run and are gone by rule.

    Not those of acks=1 that were at risk: another moment of the loss takes others, or none.
    """
    return sum(part.lost for part in cell.parts if not part.is_lost_by_chance)


def lost_before(cell: AzCell) -> int:
    """Records from before this run that an unclean election takes by rule: nobody knows with which acks they came."""
    return sum(part.lost_before for part in cell.parts if part.why == UNCLEAN and not part.log)


def lost_beside_logs(cell: AzCell) -> int:
    """Records of this run that are gone by rule from partitions of which a full copy is left."""
    return lost_records(cell) - sum(part.lost for part in gone_logs(cell))


def needs_disks(cell: AzCell) -> bool:
    """True if some partition has no copy in sync outside the loss, whose disks come back."""
    made = [part for part in cell.parts if not part.is_internal]
    return not cell.disks_gone and any(part.why in (NONE_LEFT, NO_ISR) for part in made)


def gone_logs(cell: AzCell) -> list[PartitionOutage]:
    """Partitions of which no full copy is left, where the disks are gone too."""
    return [part for part in cell.parts if part.log]


def hidden(cell: AzCell) -> list[PartitionOutage]:
    """Partitions that go on with acks=1 and hide what they acknowledge."""
    return [part for part in cell.parts if part.hides and not part.was_unread]


def may_hide(cell: AzCell) -> list[PartitionOutage]:
    """Partitions whose newest records of acks=all may be unreadable until it is back."""
    return [part for part in cell.parts if part.may_hide and not part.was_unread]


def most_at_risk(cell: AzCell) -> int:
    """The most records of acks=1 that another moment of the loss can take from one partition."""
    return max((part.risk for part in cell.parts), default=0)


def unsafe(cell: AzCell) -> list[PartitionOutage]:
    """Before 3.7: partitions that go on with acks=1 below min.insync.replicas, where consumers read all of it."""
    below = [part for part in cell.parts if part.why == BELOW_MIN and not part.is_internal]
    return below if cell.older else []


def is_by_luck(cell: AzCell) -> bool:
    """True if more acknowledged records could be lost at another moment, or in another order of events."""
    return bool(cell.beside) or any(part.by_luck for part in cell.parts)


def out_us(part: PartitionOutage) -> int:
    """The time (us) without writes to a partition, or of a coordinator's stop; 0 for other internal topics."""
    if part.is_coordinator:
        return part.unread_us
    return 0 if part.is_internal else part.stops_us


def figure(cell: AzCell, what: str, log_mb: int) -> Json:
    """One of the three figures as JSON: step, word, text, more, how long its list is, and the plain numbers."""
    found = {LOST: _lost, WRITE: _write, READ: _read}[what](cell, log_mb)
    count = len(listed(cell, what)) + (len(only_beside(cell)) if what == LOST else 0)
    return {**found, "word": WORDS[found["step"]], "list": count}


def listed(cell: AzCell, what: str) -> list[PartitionOutage]:
    """The partitions behind a figure of a cell or a fact of the answer."""
    if what == WRITE:
        return [part for part in cell.parts if part.stops_us and not part.is_internal]
    if what == READ:
        return [part for part in cell.parts if part.unread_us or part.may_hide and not part.was_unread]
    if what == LASTING:
        return [part for part in cell.parts if out_us(part) == UNTIL_BACK]
    if what == PAUSING:
        return [part for part in cell.parts if out_us(part) > 0]
    if what == HIDDEN:
        return unsafe(cell) or hidden(cell)
    return [part for part in cell.parts if is_at_stake(part)]


def only_beside(cell: AzCell) -> list[Place]:
    """Partitions of which records could be lost only because a broker beside is fenced; without internal topics."""
    named = {part.place: True for part in cell.parts if is_at_stake(part)}
    return [place for place in cell.beside if place not in named and not place[0].startswith("__")]


def is_at_stake(part: PartitionOutage) -> bool:
    """True if records of it are gone, doubled, or could be."""
    before = part.lost_before if part.why == UNCLEAN else 0
    return bool(part.lost or before or part.duplicated or part.risk or part.by_luck or part.log)


def _lost(cell: AzCell, log_mb: int) -> Json:
    before, logs = lost_before(cell), gone_logs(cell)
    lost = lost_records(cell) + before
    doubled = sum(part.duplicated for part in cell.parts)
    most = most_at_risk(cell)
    numbers = {
        "count": lost,
        "before": sum(part.lost_before for part in cell.parts),
        "duplicated": doubled,
        "logs": len(logs),
        "risk": most,
        "span_us": cell.span_us,
    }
    at_risk = f"0\u2013{most}"
    if logs:
        beside = lost_beside_logs(cell) + before
        more = _gone_words(logs, log_mb) + (f", {beside:,} of others" if beside else "")
        return {**numbers, "step": FOR_GOOD, "text": plural(len(logs), "log", "logs"), "more": more}
    if lost:
        more = f"{at_risk} more a partition at risk" if most else "in this run"
        more = f"{before:,} of them from before; {more}" if before else more
        return {**numbers, "step": FOR_GOOD, "text": f"{lost:,}", "more": more}
    if doubled:
        return {**numbers, "step": FOR_GOOD, "text": f"{doubled:,}", "more": "more than once in the log"}
    if most:
        more = "a partition, or more" if is_by_luck(cell) else "a partition at risk"
        return {**numbers, "step": SECONDS, "text": at_risk, "more": more}
    if is_by_luck(cell):
        return {**numbers, "step": SECONDS, "text": "0", "more": "by luck"}
    return {**numbers, "step": NOTHING, "text": "0", "more": "by rule"}


def _gone_words(logs: list[PartitionOutage], log_mb: int) -> str:
    """The amount of gone logs: the size of whole ones, the most records of those with an outdated copy."""
    made = [part for part in logs if not part.is_internal]
    whole = sum(part.log == WHOLE for part in made)
    newest = sum(part.lost + part.lost_before for part in made if part.log != WHOLE)
    words = [gigabytes(whole * log_mb)] if whole else []
    words += [f"up to {newest:,} records"] if newest else []
    return ", ".join([*words, *(["offsets"] if len(made) < len(logs) else [])])


def _write(cell: AzCell, _log_mb: int) -> Json:
    tally = writes(cell)
    before = sum(part.was_out and not part.is_internal for part in cell.parts)
    out = {
        "us": tally.us,
        "servers_us": tally.servers_us,
        "until_back": tally.until_back,
        "seconds": tally.for_seconds,
        "of": cell.users,
        "before": before,
    }
    if tally.until_back:
        others = f", others {tally.seconds} (servers {seconds(tally.servers_us)})" if tally.for_seconds else ""
        more = f"{tally.until_back:,} of {cell.users:,}{others}"
        return {**out, "step": step_of(tally.until_back, cell.users), "text": "until back", "more": more}
    if tally.for_seconds:
        more = f"this run (servers {seconds(tally.servers_us)})"
        return {**out, "step": SECONDS, "text": tally.seconds, "more": more}
    goes_on = _goes_on(cell) if not before else f"{before:,} out before"
    return {**out, "step": NOTHING, "text": "0 s", "more": goes_on}


def _goes_on(cell: AzCell) -> str:
    return "goes on in this run" if cell.fences_beside else "goes on"


def _read(cell: AzCell, _log_mb: int) -> Json:
    tally, stopped = reads(cell), groups(cell)
    out = {
        "us": max(tally.us, stopped.us),
        "servers_us": max(tally.servers_us, stopped.servers_us),
        "until_back": tally.until_back,
        "seconds": tally.for_seconds,
        "of": cell.users,
        "groups": stopped.until_back,
        "groups_us": stopped.us,
        "coordinators": cell.coordinators,
        "hidden": sum(part.hidden for part in cell.parts),
        "before": sum(part.was_unread for part in cell.parts),
    }
    newest = len(may_hide(cell))
    more = [f"newest of {newest:,} may hide"] if newest else []
    if tally.until_back or stopped.until_back:
        step = max(step_of(stopped.until_back, cell.coordinators), step_of(tally.until_back, cell.users))
        told = ", ".join([_stopped_words(cell, tally, stopped), *more])
        return {**out, "step": step, "text": "until back", "more": told}
    longest = max(tally, stopped, key=lambda one: one.us)
    if longest.us:
        told = ", ".join([f"this run (servers {seconds(longest.servers_us)})", *more])
        return {**out, "step": SECONDS, "text": longest.seconds, "more": told}
    return {**out, "step": SECONDS if newest else NOTHING, "text": "0 s", "more": ", ".join(more) or _goes_on(cell)}


def _stopped_words(cell: AzCell, tally: Tally, stopped: Tally) -> str:
    words = []
    if stopped.until_back:
        every = stopped.until_back == cell.coordinators
        words.append("all groups" if every else f"groups {stopped.until_back}/{cell.coordinators}")
    if tally.until_back:
        words.append(f"partitions {tally.until_back:,}/{cell.users:,}")
    return ", ".join(words)


def steps(cell: AzCell) -> list[int]:
    """The step of each figure."""
    return [int(figure(cell, what, 0)["step"]) for what in (LOST, WRITE, READ)]


def cell_json(cell: AzCell, log_mb: int) -> Json:
    """A cell as the page and the command show it."""
    found = {what: figure(cell, what, log_mb) for what in (LOST, WRITE, READ)}
    step = max(steps(cell))
    return {"row": cell.row, "acks": cell.acks, "step": step, "word": WORDS[step], **found, "outcome": cell.outcome}
