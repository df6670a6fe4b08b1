"""The fate of every call: outcome as the client knows it, against what stands in the leader's log (FATE-2, FATE-4).

*moved*: acknowledged and kept, but not at the acknowledged offset and epoch. A partition without leader leaves presence
*undetermined*, but what its last leader's log lacked stays lost, and what stood there twice stays doubled, until the
next leader shows otherwise. *stranded*: of these, on the log of no live broker, or of a zombie alone. *refused_written*
must be 0: a refused call was never appended (refused_absent). Calls without an answer are *open*. *unread*: handed over
and in the leader's log, but for longer than theta above its high watermark, where no consumer is served (as *hidden*).
"""

from typing import TYPE_CHECKING

from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.final_log import ABSENT, ONCE, TWICE, UNDETERMINED, FinalLog
from simengine.verdict.outcomes import ACKED, HANDED_OVER, OPEN_CALLS, REFUSED, UNKNOWN, CallOutcomes, CallRun

if TYPE_CHECKING:
    from simengine.verdict.final_log import Part

Counts = dict[str, int]

OUTCOME_NAMES = {
    ACKED: "acked",
    HANDED_OVER: "handed over",
    REFUSED: "refused",
    UNKNOWN: "unknown",
    OPEN_CALLS: "not answered yet",
}
PRESENCE_NAMES = {
    ACKED: ("lost", "kept", "duplicated", "undetermined"),
    HANDED_OVER: ("vanished", "arrived", "duplicated", "undetermined"),
    UNKNOWN: ("not written", "late success", "duplicated", "undetermined"),
    OPEN_CALLS: ("not written", "written", "duplicated", "undetermined"),
}
CALL_FATES = (
    "calls",
    "acked",
    "kept",
    "lost",
    "lost_all",
    "lost_1",
    "moved",
    "duplicated",
    "duplicated_acked",
    "undetermined",
    "stranded",
    "handed_over",
    "arrived",
    "vanished",
    "unread",
    "duplicated_handed_over",
    "undetermined_handed_over",
    "refused",
    "refused_written",
    "unknown",
    "unknown_written",
    "unknown_absent",
    "duplicated_unknown",
    "undetermined_unknown",
    "open",
    "open_written",
    "duplicated_open",
)

CELLS = {  # by outcome: its own column, then those of absent, once, twice and undetermined
    ACKED: ("acked", "lost", "kept", "duplicated_acked", "undetermined"),
    HANDED_OVER: ("handed_over", "vanished", "arrived", "duplicated_handed_over", "undetermined_handed_over"),
    REFUSED: ("refused", "", "refused_written", "refused_written", ""),
    UNKNOWN: ("unknown", "unknown_absent", "unknown_written", "duplicated_unknown", "undetermined_unknown"),
    OPEN_CALLS: ("open", "", "open_written", "duplicated_open", ""),
}


def call_fates(calls: CallOutcomes, final_log: FinalLog) -> Counts:
    """Every call of one producer to one partition in its cell."""
    counts: Counts = dict.fromkeys(CALL_FATES, 0)
    for run in [*calls.runs, *calls.open_runs()]:
        parts = final_log.parts(run)
        for _, count, stands in parts:
            put(counts, int(run.outcome), int(run.acks), stands, count)
        if run.outcome == ACKED:
            undetermined = in_state(parts, UNDETERMINED)
            counts["stranded"] += max(0, undetermined - final_log.held_by_live(run)) if undetermined else 0
            counts["moved"] += final_log.moved(run, in_state(parts, ONCE) + in_state(parts, TWICE))
        elif run.outcome == HANDED_OVER:
            counts["unread"] += final_log.unread(run)
    counts["calls"] = int(calls.made)
    return counts


def put(counts: Counts, outcome: int, acks: int, stands: int, count: int) -> None:
    """Put calls of one outcome that stand alike in their cell; a negative count takes them out."""
    counts["calls"] += count
    outcome_key, *cells = CELLS[outcome]
    counts[outcome_key] += count
    cell = cells[stands]
    if cell:
        counts[cell] += count
    if outcome == ACKED and stands == ABSENT:
        counts["lost_all" if acks == ACKS_ALL else "lost_1"] += count
    if stands == TWICE and outcome != REFUSED:
        counts["duplicated"] += count
    if stands == TWICE and outcome in (UNKNOWN, OPEN_CALLS):
        counts["unknown_written" if outcome == UNKNOWN else "open_written"] += count


def in_state(parts: "list[Part]", state: int) -> int:
    """Calls whose records stand so."""
    return sum(count for _, count, stands in parts if stands == state)


def is_balanced(counts: Counts) -> bool:
    """fate_total: every call has one outcome, the fates of each outcome sum to it, and so do deliveries."""
    c = counts
    return (
        c["acked"] + c["handed_over"] + c["refused"] + c["unknown"] + c["open"] == c["calls"]
        and c["kept"] + c["lost"] + c["duplicated_acked"] + c["undetermined"] == c["acked"]
        and c["lost_all"] + c["lost_1"] == c["lost"]
        and c["arrived"] + c["vanished"] + c["duplicated_handed_over"] + c["undetermined_handed_over"]
        == c["handed_over"]
        and c["unknown_written"] + c["unknown_absent"] + c["undetermined_unknown"] == c["unknown"]
        and c["duplicated_acked"] + c["duplicated_handed_over"] + c["duplicated_unknown"] + c["duplicated_open"]
        == c["duplicated"]
        and c["refused_written"] == 0
        and c["seen"] + c["phantoms"] + c["reread"] + c["reads_undetermined"] == c["delivered"]
    )


def fate_name(run: CallRun, stands: int) -> str:
    """The cell of FATE-4's table: the outcome as the client knows it, and what stands in the final log."""
    if run.outcome == REFUSED:
        return "refused, but written" if stands in (ONCE, TWICE) else "refused"
    return f"{OUTCOME_NAMES[int(run.outcome)]}, {PRESENCE_NAMES[int(run.outcome)][stands]}"


def record_fates(calls: CallOutcomes, final_log: FinalLog) -> list[dict[str, object]]:
    """The fate of every call of one producer to one partition, calls of equal fate side by side as one row.

    ``offset`` is that of the row's first record as acknowledged, -1 where there was no acknowledgement.
    """
    rows: list[dict[str, object]] = []
    for run in [*calls.runs, *calls.open_runs()]:
        for first, count, stands in final_log.parts(run):
            offset = int(run.offset) + first - int(run.n) if run.outcome == ACKED else -1
            mode = "" if run.outcome == OPEN_CALLS else "all" if run.acks < 0 else str(int(run.acks))
            fate = fate_name(run, stands)
            rows.append(
                {"call": first, "count": count, "fate": fate, "acks": mode, "offset": offset, "epoch": int(run.epoch)}
            )
    return rows
