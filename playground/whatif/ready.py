"""Experiments on the sandbox that are ready to run: the list of experiments links to each."""

from math import prod
from typing import Any, Final, NamedTuple

Json = dict[str, Any]


class Ready(NamedTuple):
    """A question and the axes that answer it."""

    key: str
    title: str
    text: str
    axes: Json
    seeds: int = 100

    @property
    def configurations(self) -> int:
        """The number of configurations: each value of each axis with each of the others."""
        return prod(map(len, self.axes.values()))


WINDOW: Final = {"from_us": 5_000_000, "to_us": 25_000_000, "back_us": None}
POWER_LOSS: Final = {"kind": "rack", "rack": "any", "how": "power", **WINDOW}
DISK_LOST: Final = {"kind": "broker", "broker": "any", "how": "disk-lost", **WINDOW, "back_us": 10_000_000}

READY: Final = {
    one.key: one
    for one in (
        Ready(
            "acks",
            "acks=1 or acks=all, when a rack loses power",
            "What does acks=1 lose, and how much later are records acknowledged with acks=all?",
            {"acks": ["1", "all"], "fault": [POWER_LOSS]},
        ),
        Ready(
            "replicas",
            "Two or three replicas, when a broker loses its disk",
            "Which records does a third replica save, with acks=1 and with acks=all?",
            {"acks": ["1", "all"], "rf": [2, 3], "fault": [DISK_LOST]},
        ),
        Ready(
            "election",
            "Unclean election on or off, while brokers fail at random",
            "How many records does an unclean election lose, and how much waiting does it save?",
            {
                "acks": ["all"],
                "unclean": [False, True],
                "fault": [{"kind": "rates", "mttf_us": 20_000_000, "mttr_us": 10_000_000}],
            },
        ),
    )
}


def chosen(ready: Ready, start: Json) -> Json:
    """The fields of the builder; `start`: what it needs of the run (`work.started`)."""
    return {
        "axes": ready.axes,
        "topics": start["topics"],
        "seeds": ready.seeds,
        "horizon": start["horizon"],
        "baseline": None,
        "title": "",
    }
