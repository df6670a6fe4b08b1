"""The figures of a topic that the run states as it goes: those of ``VerdictChanged``, in their order."""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.api import ACKS_ALL
from simengine.verdict.latency import Histogram
from simengine.verdict.traffic import CallRate

SENTENCE: Final = "sentence"  # beside the figures in a view: what they come to, in words
DECIDING: Final = 9  # its place among ``FIGURES``
DOWN_ALL_P: Final = 17  # the place of the first that is no amount


@final
class TopicFigures:
    """Running totals of one topic, and the figures last stated."""

    __slots__ = ("acked", "acks", "handed_over", "latency", "rate", "refused", "said", "stated", "unknown")

    def __init__(self) -> None:
        self.acked: i64 = 0
        self.handed_over: i64 = 0
        self.refused: i64 = 0
        self.unknown: i64 = 0
        self.acks: i64 = ACKS_ALL  # the mode in which calls ended last
        self.rate: CallRate = CallRate()
        self.stated: list[int] = []
        self.said: str = ""
        self.latency: Histogram = Histogram()
