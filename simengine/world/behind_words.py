"""The words beside a number of records that are in one cluster alone: the range over moments, and what is assumed."""

from typing import Final

from simengine.words.phrases import seconds
from simengine.world.failover_state import UnmirroredTopic

SHORT_US: Final = 1_000_000  # shorter times are told in ms


def range_words(us: list[int], source: str) -> str:
    """The lag of a flow at p50, p99 and the worst of the moments at which its process was there."""
    p50, p99, worst = (_short(one) for one in us)
    behind = f"While its process ran, the mirror was {p50} behind at p50, {p99} at p99, {worst} at worst"
    return f"{behind}. The time in which it copied what stood in {source} at its start is left out."


def assumed_words(topics: list[UnmirroredTopic]) -> str:
    """The number of their records in logs whose ends nobody told, in words; "" where all are told."""
    assumed = sum(topic.assumed for topic in topics)
    if not assumed:
        return ""
    every = assumed == sum(topic.records for topic in topics)
    are = "assumed" if every else f"{assumed:,} of them {'is' if assumed == 1 else 'are'} assumed"
    return f" ({are}: no listing tells where the log ends)"


def _short(us: int) -> str:
    return seconds(us) if us >= SHORT_US else f"{round(us / 1000)} ms"
