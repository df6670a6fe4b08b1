"""The figures of a cell, partition by partition, from the verdicts before the loss and at the end of its run."""

from dataclasses import dataclass
from typing import Any, Final

from simengine.verdict.whole import TOLD_MAX
from simengine.verdict.words import say_the_same

SLACK_US: Final = 1_500_000  # an outage that lasts to within this of the end is still going on

Place = tuple[str, int]  # topic and number of a partition
Places = dict[Place, dict[str, Any]]


def places_of(verdict: dict[str, Any], names: list[tuple[int, int]]) -> Places:
    """The verdict on each partition; ``names``: the topic and number behind its index in the run."""
    return {
        (str(topic["topic"]), int(names[partition["partition"]][1])): partition
        for topic in verdict["topics"]
        for partition in topic["partitions"]
    }


def outcome_of(verdict: dict[str, Any]) -> str:
    """What a run comes to, as its page tells it: of few topics each one's sentence, the gravest first; else of all."""
    topics = verdict["topics"]
    if say_the_same(topics) or len(topics) > TOLD_MAX:
        return str(verdict["sentence"])
    return " ".join(f"{topic['topic']}: {topic['sentence']}" for topic in topics)


def total(places: Places, key: str) -> int:
    """A count over all partitions."""
    return sum(int(figures[key]) for figures in places.values())


def _earlier(before: Places, place: Place, key: str) -> int:
    """A figure before the loss; the verdict leaves an internal topic out until somebody uses it."""
    return int(before[place][key]) if place in before else 0


def hidden(before: Places, after: Places) -> tuple[int, int]:
    """Acknowledged records that nobody can read at the end: of the loss, and of partitions that hid some before it."""
    earlier = {place: figures for place, figures in after.items() if _earlier(before, place, "hidden")}
    return total(after, "hidden") - total(earlier, "hidden"), total(earlier, "hidden")


@dataclass(frozen=True, slots=True)
class Outage:
    """How long partitions were out that the loss took out: the longest of those that came back, and how many did not.

    A time is the verdict's of that partition, as the sentence on the run tells it. So what it was out for a moment as
    the run began counts in both.
    """

    us: int
    partitions: int
    until_back: int
    before: int  # that were out all the time before the loss, and are left out here
    places: tuple[Place, ...]  # those that stay down

    @classmethod
    def between(cls, before: Places, after: Places, key: str, kill_us: int, end_us: int) -> "Outage":
        """What was down after the kill, without the partitions that were down all the time before it."""
        earlier = {place: _earlier(before, place, key) for place in after}
        out_before = [place for place, us in earlier.items() if us >= kill_us - SLACK_US]
        since = {place: int(figures[key]) - earlier[place] for place, figures in after.items()}
        out = [place for place, us in since.items() if us > 0 and place not in out_before]
        lasting = [place for place in out if since[place] >= end_us - kill_us - SLACK_US]
        longest = max((int(after[place][key]) for place in out if place not in lasting), default=0)
        return cls(longest, len(out), len(lasting), len(out_before), tuple(lasting))
