"""The facts that a filtered listing tells of the partitions that it leaves out, and of min.insync.replicas.

``--under-replicated-partitions`` lists each partition of its topics that is not in sync, so the others were in sync
then; ``--unavailable-partitions`` likewise for leaders, and ``--under-min-isr-partitions`` for too small an ISR. A
filter that prints nothing fits no partition. Nothing follows from an output that was cut or piped on.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from simengine.importers.commands_said import described
from simengine.importers.describe_warnings import names
from simengine.importers.evidence import (
    FILTER_AT_MIN,
    FILTER_OFFLINE,
    FILTER_UNDER_MIN,
    FILTER_URP,
    WHAT,
    DescribeCommand,
    MinIsr,
    PastedEvidence,
)
from simengine.importers.model import NO_LEADER, PastedCluster, PastedPartition, PastedTopic, PasteResult
from simengine.importers.noise import COMMAND, is_ellipsis, is_greeting, why_noise
from simengine.importers.text import Line, Paste

MIN_ISR: Final = "min.insync.replicas"
UPDATES_MAX: Final = 20  # filtered listings: each tells of all partitions that it leaves out
_SHELL = re.compile(
    r"\s*(?:\S{0,60}[$#%>\u276f\u279c]\s*)?(?:\S{0,200}kafka-topics|\.{0,2}/?bin/|kubectl|oc|docker|podman|ssh|sudo)\b"
)
_PROMPT = re.compile(r".{0,80}[$#%>\u276f\u279c]|\W{1,9}")


def apply(
    paste: Paste,
    commands: Sequence[DescribeCommand],
    rows: Sequence[PastedPartition],
    headers: Sequence[int],
    reading: PasteResult,
) -> None:
    """Bring the partitions that filtered listings leave out up to date. ``headers``: numbers of the header lines."""
    assert reading.cluster is not None
    cluster, evidence = reading.cluster, reading.cluster.evidence
    lines = [row.line for row in rows]
    cuts = [line.no for line in paste.lines if is_ellipsis(line.text)]
    filtered: dict[int, str] = {}  # line of a row -> the filter that listed it
    updates: list[tuple[DescribeCommand, Sequence[PastedPartition]]] = []
    for command, after in zip(commands, [*commands[1:], None], strict=False):
        if not command.filter:
            continue
        end = after.line if after else 2**31
        next_header = headers[at] if (at := bisect_right(headers, command.end)) < len(headers) else end
        end = min(end, next_header)
        listed = rows[bisect_left(lines, command.end + 1) : bisect_left(lines, end)]
        if not listed:
            continue
        filtered |= dict.fromkeys([row.line for row in listed], command.filter)
        evidence.lines_read += range(command.line, command.end + 1)
        _prove_min_isr(command, listed, evidence)
        if not command.is_piped and bisect_left(cuts, command.end) == bisect_left(cuts, end):
            updates.append((command, listed))
    if len(updates) > UPDATES_MAX:
        reading.warn(f"{len(updates)} listings have a filter: what the last {UPDATES_MAX} of them leave out is used.")
    for command, listed in updates[-UPDATES_MAX:]:
        _update(command, listed, max(row.moment for row in listed), reading)
    for topic in cluster.topics.values():
        if topic.declared is None and topic.rows and all(row.line in filtered for row in topic.rows.values()):
            topic.filter = next(filtered[row.line] for row in topic.rows.values())


def contribute(paste: Paste, reading: PasteResult) -> None:
    """Bring the partitions of all outputs up to date with the filters that printed nothing."""
    assert reading.cluster is not None
    cluster = reading.cluster
    moment = max((row.moment for row in cluster.rows()), default=0)
    for command in printed_nothing(paste):
        moment += 1
        cluster.evidence.lines_read += range(command.line, command.end + 1)
        if not _update(command, [], moment, reading):
            reading.notes.append(f"Line {command.line}: {command.filter} printed nothing: {nothing_fits(command)}.")


def nothing_fits(command: DescribeCommand) -> str:
    """The meaning of an empty output of a filter, as a clause."""
    where = f"of {command.topic} " if command.topic else ""
    return f"no partition {where}{WHAT[command.filter]}"


def printed_nothing(paste: Paste) -> list[DescribeCommand]:
    """The commands with a filter behind which nothing stands but another command, a prompt or the end of the paste.

    Of several with the same filter and topic the last comes back.
    """
    numbers = [line.no for line in paste.lines]
    found: dict[tuple[str, str], DescribeCommand] = {}
    for command in described(paste):
        if not command.filter or command.is_piped:
            continue
        is_typed = _SHELL.match(paste.lines[bisect_left(numbers, command.line)].text)
        if is_typed and _is_nothing(paste.lines, bisect_right(numbers, command.end)):
            found[command.filter, command.topic] = command
    return list(found.values())


def _is_nothing(lines: Sequence[Line], start: int) -> bool:
    for at in range(start, len(lines)):
        text = lines[at].text
        if text.strip() and not is_greeting(text):
            return why_noise(text) == COMMAND or _PROMPT.fullmatch(text.strip()) is not None
    return True


def _prove_min_isr(command: DescribeCommand, listed: Sequence[PastedPartition], evidence: PastedEvidence) -> None:
    is_exact = command.filter == FILTER_AT_MIN
    if not is_exact and command.filter != FILTER_UNDER_MIN:
        return
    for row in listed:
        value = len(row.isr) + (0 if is_exact else 1)
        if value:
            why = f"{row.topic}-{row.number} stands in a listing {command.filter} with an ISR of {len(row.isr)}"
            evidence.prove_min_isr(row.topic, MinIsr(value, is_exact, why, row.line))


def _update(command: DescribeCommand, listed: Sequence[PastedPartition], moment: int, reading: PasteResult) -> bool:
    """Note that partitions not listed did not fit the filter: in sync, or with a leader. True if that changes a row."""
    assert reading.cluster is not None
    cluster = reading.cluster
    shown = {(row.topic, row.number) for row in listed}
    changed: list[str] = []
    for topic in [cluster.topics.get(command.topic)] if command.topic else cluster.topics.values():
        if topic is None:
            continue
        least = _least(cluster, topic)
        for number, row in topic.rows.items():
            if row.line > command.line or (row.topic, number) in shown:
                continue
            fresh = topic.rows[number] = _fresh(command, row, moment, least)
            if (fresh.leader, fresh.isr) != (row.leader, row.isr):
                changed.append(f"{row.topic}-{number}")
    if changed:
        what = "in sync" if command.filter == FILTER_URP else "with a leader"
        said = f"does not list {names(changed)} any more:" if listed else f"printed nothing: {names(changed)}"
        cure = "" if listed else " If it did print rows, paste them too."
        reading.warn(f"Line {command.line}: {command.filter} {said} taken for {what} since.{cure}")
    return bool(changed)


def _least(cluster: PastedCluster, topic: PastedTopic) -> int:
    """The least that min.insync.replicas of a topic can be, as far as the paste tells."""
    proved = cluster.evidence.min_isr_of.get(topic.name)
    told = (topic.configs or {}).get(MIN_ISR, "")
    return max(proved.value if proved else 1, int(told) if told.isascii() and told.isdigit() else 1)


def _fresh(command: DescribeCommand, row: PastedPartition, moment: int, least: int) -> PastedPartition:
    """A row as it was when the filter did not list it; of that moment as far as the filter tells it."""
    leader = row.leader if row.leader != NO_LEADER else (row.isr or row.elr or row.replicas)[0]
    elr = None if row.elr is None else ()
    if command.filter == FILTER_URP and not row.adding:
        fresh = replace(row, line=command.line, moment=moment)
        if len(row.isr) == len(row.replicas) and row.leader != NO_LEADER:
            return fresh
        return replace(fresh, leader=leader, isr=row.replicas, elr=elr, last_known=(), offline=(), doubtful=())
    if command.filter == FILTER_OFFLINE and row.leader == NO_LEADER:
        return replace(row, leader=leader, isr=row.isr or (leader,), elr=elr, line=command.line)
    if command.filter == FILTER_UNDER_MIN and row.leader != NO_LEADER and len(row.isr) >= least:
        return replace(row, line=command.line, moment=moment)
    return row
