"""The figures of runs of several clusters, for statistics, differences and the CSV: one table of them."""

from typing import Final, NamedTuple


class SiteFigure(NamedTuple):
    """A figure: its column in a row, its unit, and what the CSV calls it."""

    column: str
    unit: float
    words: str


SITE_FIGURES: Final = {
    "rpo_records": SiteFigure("rpo_records", 1, "RPO records, median"),
    "rpo": SiteFigure("rpo_us", 1e6, "RPO s, median"),
    "rto": SiteFigure("rto_us", 1e6, "RTO s, median of failovers that were over"),
    "not_mirrored": SiteFigure("not_mirrored", 1, "records not mirrored, median"),
    "not_mirrored_s": SiteFigure("not_mirrored_us", 1e6, "s of records not mirrored, median"),
    "mirrored_twice": SiteFigure("mirrored_twice", 1, "records mirrored twice, median"),
    "left_out": SiteFigure("left_out", 1, "records left out, median"),
    "disagree": SiteFigure("disagree", 1, "copies of records that the source no longer has, median"),
    "group_skips": SiteFigure("group_skips", 1, "records that groups skip, median"),
    "group_rereads": SiteFigure("group_rereads", 1, "records that groups read again, median"),
    "groups_without_offset": SiteFigure("groups_without_offset", 1, "partitions without a group's offset, median"),
}
"""By the name that a result has for it."""
