"""The row of one run: what a variant under a seed came to. One schema for what tasks send, Parquet and the page.

Counts are summed over topics; times are those of the worst topic; `topics` has both of each topic. The verdict is not
kept: seed and document give it again, and `digest` says that it is the same run. Nothing in a row depends on the
machine or on the moment it was computed. docs/experiment-rows.md describes the columns.
"""

from typing import Final

import pyarrow as pa

COUNTS: Final = (
    "calls",
    "acked",
    "kept",
    "lost",
    "lost_all",
    "lost_1",
    "duplicated",
    "hidden",
    "refused",
    "unknown",
    "unknown_written",
    "handed_over",
    "vanished",
    "undetermined",
)
"""Verdict figures in records, summed over topics."""

TIMES: Final = (
    "write_down_client_us",
    "read_down_client_us",
    "write_down_all_us",
    "write_down_1_us",
    "read_down_us",
    "stalled_us",
    "refused_us",
    "leaderless_us",
)
"""Verdict figures in microseconds up to the horizon; of the worst topic. `*_client_us`: the application's time."""

MIRROR_COUNTS: Final = (
    "failovers",
    "not_mirrored",
    "mirrored_twice",
    "left_out",
    "disagree",
    "group_skips",
    "group_rereads",
    "groups_without_offset",
    "rpo_records",
)
"""Figures of MirrorMaker in records (`groups_without_offset`: partitions), summed over flows and groups; `failovers`:
from how many clusters to others clients moved."""

MIRROR_TIMES: Final = ("not_mirrored_us", "rpo_us", "rto_us")
"""Of the flow with the longest time; null in `rto_us`: the failover was not over at the horizon."""

LATENCIES: Final = ("latency_p50_us", "latency_p99_us")

PART: Final = [("kind", pa.string()), ("of", pa.string()), ("figure", pa.string()), ("value", pa.int64())]
"""A figure of one flow, one group of a flow, one cluster, or the topics of equal replication."""

TOPIC: Final = [("topic", pa.string()), *((name, pa.int64()) for name in (*COUNTS, *TIMES, *LATENCIES))]
"""The figures of one topic."""

ROW: Final = pa.schema(
    [
        pa.field("variant", pa.string(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("error", pa.string()),
        *(pa.field(name, pa.int64()) for name in COUNTS),
        *(pa.field(name, pa.int64()) for name in TIMES),
        pa.field("write_down_us", pa.int64()),
        *(pa.field(name, pa.int64()) for name in LATENCIES),
        *(pa.field(name, pa.int64()) for name in (*MIRROR_COUNTS, *MIRROR_TIMES)),
        pa.field("parts", pa.list_(pa.struct(PART))),
        pa.field("topics", pa.list_(pa.struct(TOPIC))),
        pa.field("deciding_us", pa.int64()),
        pa.field("lost_at_us", pa.int64()),
        pa.field("alerted_us", pa.int64()),
        pa.field("horizon_us", pa.int64()),
        pa.field("rest_us", pa.int64()),
        pa.field("end_us", pa.int64()),
        pa.field("events", pa.int64()),
        pa.field("settled", pa.bool_()),
        pa.field("balance_ok", pa.bool_()),
        pa.field("digest", pa.string()),
        pa.field("sentence", pa.string()),
        pa.field("ending", pa.list_(pa.string())),
    ]
)
"""`error` is the sentence of a run that failed (all figures are null then). `write_down_us`: not writable in the acks
mode of the topic's producers, by the state of the servers. `latency_*`: from a record's creation to its
acknowledgement, null if nothing was acknowledged, and beyond the seeds that run to the horizon (`plan.WHOLE_SEEDS`).
Figures of MirrorMaker and of a failover are null where there is none (`site_figures`); `parts` has those of MirrorMaker
by flow and by group, and some of each cluster and of topics in groups. `lost_at_us`, `alerted_us`: the first loss, and
the alert that told of it (`pager`). `ending`: the actions that closed the run, each as "<microseconds> <action>".
`rest_us`: when a run at rest was closed before its horizon, null where it was not (`early_end`); its counts are those
up to the horizon, its `end_us`, `events`, `digest` and `sentence` those of the run as it was closed. `settled`:
nothing was under way when the drain ended, or nothing had changed for 30 s."""

NAMES: Final = tuple(ROW.names)

FIGURES: Final = tuple(name for name in NAMES if name not in ("digest", "sentence", "ending", "topics"))
"""The columns that statistics read: all but the long ones. They are small enough to hold of every run."""

FIGURES_SCHEMA: Final = pa.schema([ROW.field(name) for name in FIGURES])
