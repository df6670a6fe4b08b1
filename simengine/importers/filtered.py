"""What a listing that was made with a filter tells of the partitions that it leaves out, and of min.insync.replicas.

``--under-replicated-partitions`` lists each partition of its topics that is not in sync, so the others were in sync
then; ``--unavailable-partitions`` likewise for leaders. Nothing follows from an output that was cut or piped on.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from simengine.importers.describe_warnings import names
from simengine.importers.evidence import (
    FILTER_AT_MIN,
    FILTER_OFFLINE,
    FILTER_UNDER_MIN,
    FILTER_URP,
    Command,
    Evidence,
    MinIsr,
)
from simengine.importers.model import NO_LEADER, Cluster, Reading, Row
from simengine.importers.noise import is_ellipsis
from simengine.importers.text import Paste


def apply(
    paste: Paste, commands: Sequence[Command], rows: Sequence[Row], headers: Sequence[int], reading: Reading
) -> None:
    """Bring the partitions that filtered listings leave out up to date. ``headers``: numbers of the header lines."""
    assert reading.cluster is not None
    cluster, evidence = reading.cluster, reading.cluster.evidence
    lines = [row.line for row in rows]
    cuts = [line.no for line in paste.lines if is_ellipsis(line.text)]
    for command, after in zip(commands, [*commands[1:], None], strict=False):
        if not command.filter:
            continue
        end = after.line if after else 2**31
        next_header = headers[at] if (at := bisect_right(headers, command.end)) < len(headers) else end
        end = min(end, next_header)
        listed = rows[bisect_left(lines, command.end + 1) : bisect_left(lines, end)]
        if not listed:
            continue
        _prove_min_isr(command, listed, evidence)
        if not command.is_piped and bisect_left(cuts, command.end) == bisect_left(cuts, end):
            _update(command, listed, cluster, reading)


def _prove_min_isr(command: Command, listed: Sequence[Row], evidence: Evidence) -> None:
    is_exact = command.filter == FILTER_AT_MIN
    if not is_exact and command.filter != FILTER_UNDER_MIN:
        return
    for row in listed:
        value = len(row.isr) + (0 if is_exact else 1)
        if value:
            why = f"{row.topic}-{row.number} stands in a listing {command.filter} with an ISR of {len(row.isr)}"
            evidence.prove_min_isr(row.topic, MinIsr(value, is_exact, why, row.line))


def _update(command: Command, listed: Sequence[Row], cluster: Cluster, reading: Reading) -> None:
    """What is not listed did not fit the filter at that moment: it was in sync, or had a leader."""
    shown = {(row.topic, row.number) for row in listed}
    changed: list[str] = []
    for topic in cluster.topics.values():
        if command.topic not in ("", topic.name):
            continue
        for number, row in topic.rows.items():
            if row.line > command.line or (row.topic, number) in shown:
                continue
            fresh = _fresh(command, row, max(one.moment for one in listed))
            if fresh is not row:
                topic.rows[number] = fresh
                changed.append(f"{row.topic}-{number}")
    if changed:
        named = names(changed)
        what = "in sync" if command.filter == FILTER_URP else "with a leader"
        reading.warn(f"Line {command.line}: {command.filter} does not list {named} any more: taken for {what} since.")


def _fresh(command: Command, row: Row, moment: int) -> Row:
    leader = row.leader if row.leader != NO_LEADER else (row.isr or row.elr or row.replicas)[0]
    if command.filter == FILTER_URP and len(row.isr) < len(row.replicas) and not row.adding:
        elr = None if row.elr is None else ()
        fresh = replace(row, leader=leader, isr=row.replicas, elr=elr, last_known=(), offline=())
        return replace(fresh, line=command.line, moment=moment)
    if command.filter == FILTER_OFFLINE and row.leader == NO_LEADER:
        isr = row.isr or (leader,)
        fresh = replace(row, leader=leader, isr=isr, elr=None if row.elr is None else ())
        return replace(fresh, line=command.line, moment=moment)
    return row
