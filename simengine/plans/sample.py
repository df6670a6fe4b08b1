"""A smaller document for plans, where all topics and all records would take minutes to run."""

from typing import Any, Final, NamedTuple

from simengine.plans.names import rename_clients
from simengine.scenario import Document, load, to_plain
from simengine.scenario.model import ClusterPart
from simengine.scenario.moves import original_name, remote_prefixes
from simengine.scenario.own_topics import is_own_topic

TOPICS_MAX: Final = 8
RECORDS_MAX: Final = 120_000  # of one run
S: Final = 1_000_000

Plain = dict[str, Any]


class Sample(NamedTuple):
    """A document to run, and what of the whole one it leaves out; "" where it is the whole one."""

    doc: Document
    words: str


def sampled(doc: Document, until_us: int) -> Sample:
    """At most ``TOPICS_MAX`` topics, spread over the list, at rates that make at most ``RECORDS_MAX`` records."""
    plain = to_plain(doc)
    names = _Names(doc)
    every = list(dict.fromkeys(name for part in doc.clusters.values() for name in names.of_applications(part)))
    step = max(1, -(-len(every) // TOPICS_MAX))
    kept = every[::step]
    if len(kept) < len(every):
        for part in plain["clusters"].values():
            names.keep(part, set(every) - set(kept))
    share = _slow_down(plain, until_us)
    words = [
        *([f"{len(kept)} of {len(every)} topics run"] if len(kept) < len(every) else []),
        *([f"producers write 1 of {round(1 / share)} of their records"] if share < 1 else []),
    ]
    if not words:
        return Sample(doc, "")
    text = " and ".join(words)
    kept_plain = {key: value for key, value in plain.items() if key not in ("timeline", "captions", "expect")}
    return Sample(load(kept_plain), f"{text[0].upper()}{text[1:]}, so that a plan takes seconds. Counts are of these.")


def _slow_down(plain: Plain, until_us: int) -> float:
    """Divide all rates by one number, where needed; returns the share that is left."""
    producers = [one for part in plain["clusters"].values() for one in part.get("producers", [])]
    records = sum(one.get("rate", 0) for one in producers) * until_us / S
    divisor = max(1, -(-int(records) // RECORDS_MAX))
    for one in producers if divisor > 1 else ():
        one["rate"] = round(one.get("rate", 0) / divisor, 3)
    return 1 / divisor


class _Names:
    """Tells topics of applications from those that Kafka and MirrorMaker keep for themselves."""

    def __init__(self, doc: Document) -> None:
        self._prefixes = remote_prefixes([doc])

    def of_applications(self, part: ClusterPart) -> list[str]:
        """The original names of the topics of applications."""
        originals = [self._original(topic.name) for topic in part.topics]
        return [name for name in originals if not is_own_topic(name)]

    def keep(self, part: Plain, dropped: set[str]) -> None:
        """Take topics, under all their names, out of one cluster, and the clients that use nothing else."""
        part["topics"] = [one for one in part.get("topics", []) if self._original(one["name"]) not in dropped]
        rename_clients(part, lambda name: "" if self._original(name) in dropped else name)

    def _original(self, name: str) -> str:
        return original_name(name, self._prefixes)
