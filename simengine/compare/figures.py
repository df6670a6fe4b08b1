"""The figures of a run that are set side by side: of the whole run, and of each topic.

Records are added up over topics. A time is that of the topic in which it was longest. ``__consumer_offsets`` and what
MirrorMaker has made for itself have figures of their own and count in neither. Of a run with MirrorMaker come figures
of all its flows besides.
"""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from simengine.verdict.words import read_down_us, write_down_us
from simengine.world.world import World

Json = dict[str, Any]
RECORDS: Final = "records"
SECONDS: Final = "s"
ONE: Final = Decimal(1)
TENTH: Final = Decimal("0.1")


class Figure(NamedTuple):
    """A figure: its key, its label, its unit, and how a topic of a verdict gives it (times in us)."""

    key: str
    label: str
    unit: str
    of: Callable[[Json], int]


def _amount(name: str) -> Callable[[Json], int]:
    return lambda topic: int(topic[name])


FIGURES: Final = (
    Figure("acknowledged", "Acknowledged", RECORDS, _amount("acked")),
    Figure("lost", "Lost", RECORDS, _amount("lost")),
    Figure("doubled", "Doubled", RECORDS, lambda topic: int(topic["duplicated"]) + int(topic["by_application"])),
    Figure("unreadable", "Not readable now", RECORDS, _amount("unreadable")),
    Figure("vanished", "Vanished (acks=0)", RECORDS, _amount("vanished")),
    Figure("refused", "Refused", RECORDS, _amount("refused")),
    Figure("unknown", "Outcome unknown", RECORDS, _amount("unknown")),
    Figure("writes_stopped_s", "Writes stood still", SECONDS, write_down_us),
    Figure("reads_stopped_s", "Reads stood still", SECONDS, read_down_us),
    Figure("not_writable_s", "Not writable (acks=all)", SECONDS, _amount("write_down_all_us")),
    Figure("not_writable_1_s", "Not writable (acks=1)", SECONDS, _amount("write_down_1_us")),
    Figure("not_readable_s", "Not readable", SECONDS, _amount("read_down_us")),
    Figure("longest_send_s", "Longest send()", SECONDS, _amount("longest_wait_us")),
    Figure("latency_p50_s", "Usual send() (median)", SECONDS, lambda topic: max(0, int(topic["latency_p50_us"]))),
)


OF_COPIES: Final = (  # of a flow's topic
    Figure("not_mirrored", "Not mirrored", RECORDS, _amount("not_mirrored")),
    Figure("copied_again", "Extra copies", RECORDS, _amount("doubled")),
    Figure("never_copied", "Passed over by a mirror", RECORDS, _amount("skipped")),
    Figure("not_in_source", "Copies of no record", RECORDS, _amount("disagree")),
)
OF_GROUPS: Final = (  # of a group of a flow, on a partition
    Figure("moved_again", "Read again if moved", RECORDS, _amount("rereads")),
    Figure("moved_skipped", "Skipped if moved", RECORDS, _amount("skips")),
)
OF_FLOWS: Final = (*OF_COPIES, *OF_GROUPS)


def figure_text(value: float, unit: str) -> str:
    """A figure as it is shown: ``1,234``, seconds with one decimal, or milliseconds below one second.

    An exact half is rounded up, as browsers do.
    """
    if unit == RECORDS:
        return f"{value:,}"
    if 0 < value < 1:
        return f"{Decimal(value * 1000).quantize(ONE, ROUND_HALF_UP)} ms"
    return f"{Decimal(value).quantize(TENTH, ROUND_HALF_UP):,} s"


def topics_of_people(world: World, topics: list[Json]) -> list[Json]:
    """The topics of a verdict without those that the clusters or MirrorMaker have made for themselves."""
    own = {f"{topic.site.prefix}{topic.title}": True for topic in world.catalog.topics if topic.is_made}
    return [topic for topic in topics if not topic["coordinators"] and topic["topic"] not in own]


def figures_of(topics: list[Json]) -> dict[str, int | float]:
    """Each figure over some topics of a verdict, by key: records, or seconds."""
    return {figure.key: _over(figure, [figure.of(topic) for topic in topics]) for figure in FIGURES}


def figures_of_flows(flows: list[Json]) -> dict[str, int]:
    """The figures of all flows of a verdict, by key: records. A group moves now, with the offsets that it has there."""
    parts = ((OF_COPIES, "topics"), (OF_GROUPS, "groups"))
    return {
        figure.key: sum(figure.of(one) for flow in flows for one in flow[key]) for kind, key in parts for figure in kind
    }


def _over(figure: Figure, values: list[int]) -> int | float:
    return sum(values) if figure.unit == RECORDS else max(values, default=0) / 1e6
