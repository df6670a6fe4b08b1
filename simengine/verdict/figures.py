"""The figures of a topic that the run states as it goes: those of ``VerdictChanged``, in their order."""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.decisive import VerdictChanged
from simengine.kafka.wire.api import ACKS_ALL
from simengine.verdict.addend import Addend
from simengine.verdict.latency import Histogram
from simengine.verdict.traffic import CallRate

SENTENCE: Final = "sentence"  # beside the figures in a view: what they come to, in words
NOBODY: Final = -2  # no mode of acks


@final
class TopicFigures:
    """Running totals of one topic, and the figures last stated."""

    __slots__ = (
        "_mode",
        "_modes",
        "_writer",
        "acked",
        "acks",
        "addend",
        "handed_over",
        "is_read",
        "latency",
        "rate",
        "refused",
        "stated",
        "unknown",
    )

    def __init__(self) -> None:
        self.acked: i64 = 0
        self.handed_over: i64 = 0
        self.refused: i64 = 0
        self.unknown: i64 = 0
        self.acks: i64 = ACKS_ALL  # how the topic is written: the strictest of the modes of its producers
        self.rate: CallRate = CallRate()
        self.is_read: bool = False  # a consumer that is to read it has begun
        self.stated: VerdictChanged | None = None
        self.addend: Addend | None = None  # what the figures last stated add to those of all topics
        self.latency: Histogram = Histogram()
        self._modes: dict[int, int] = {}  # client -> the mode in which its calls ended last
        self._writer: i64 = 0  # whose calls ended last ...
        self._mode: i64 = NOBODY  # ... and how

    def written(self, client: i64, acks: i64) -> None:
        """A producer's calls ended in this mode."""
        if client == self._writer and acks == self._mode:
            return
        self._writer, self._mode = client, acks
        self._modes[client] = int(acks)
        modes = self._modes.values()
        self.acks = ACKS_ALL if ACKS_ALL in modes else max(modes)
