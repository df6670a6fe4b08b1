"""The figures of runs of several clusters, for statistics, differences and the CSV: one table of them."""

from typing import Final, NamedTuple


class RunFigure(NamedTuple):
    """A figure: its column in a row, its unit, and what the CSV calls it."""

    column: str
    unit: float
    words: str


SITE_FIGURES: Final = {
    "rpo_records": RunFigure("rpo_records", 1, "RPO records, median"),
    "rpo": RunFigure("rpo_us", 1e6, "RPO s, median"),
    "rto": RunFigure("rto_us", 1e6, "RTO s, median of failovers that were over"),
    "not_mirrored": RunFigure("not_mirrored", 1, "records not mirrored, median"),
    "not_mirrored_s": RunFigure("not_mirrored_us", 1e6, "s of records not mirrored, median"),
    "mirrored_twice": RunFigure("mirrored_twice", 1, "records mirrored twice, median"),
    "left_out": RunFigure("left_out", 1, "records left out, median"),
    "disagree": RunFigure("disagree", 1, "copies of records that the source no longer has, median"),
    "group_skips": RunFigure("group_skips", 1, "records that groups skip, median"),
    "group_rereads": RunFigure("group_rereads", 1, "records that groups read again, median"),
    "groups_without_offset": RunFigure("groups_without_offset", 1, "partitions without a group's offset, median"),
}
"""By the name that a result has for it."""
