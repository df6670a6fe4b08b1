"""The topics of an experiment in groups of equal replication: RF, min ISR and the racks that hold the copies."""

from typing import Final

from playground.whatif.pipeline.plan import Json
from playground.whatif.pipeline.site_figures import of_topics, part_of
from simengine.questions.az.partition_states import min_isr
from simengine.scenario import Document
from simengine.scenario.model import TopicEntry
from simengine.scenario.parts import written_parts
from simengine.words.phrases import plural

TOPICS: Final = "topics"
FIGURES: Final = ("lost", "write_down_client_us", "latency_p50_us")
"""The figures of a group in a row: records lost, the longest wait of an application, the slowest topic's latency."""


def topic_groups(document: Document, topics: tuple[str, ...]) -> dict[str, list[str]]:
    """The names of these topics by what they have in common, as the run has it: "RF 3, min ISR 2, in 3 racks"."""
    found: dict[str, list[str]] = {}
    for prefix, part in parts(document):
        for topic in part.topics:
            if prefix + topic.name in topics:
                found.setdefault(f"{prefix}{_label(part, topic)}", []).append(prefix + topic.name)
    return found


def parts(document: Document) -> list[tuple[str, Document]]:
    """Each cluster after what stands before the names of its topics: "", or ``east/``."""
    if not document.clusters:
        return [("", document)]
    return [(f"{name}/", part) for name, part in written_parts(document).items()]


def _label(document: Document, topic: TopicEntry) -> str:
    sizes = sorted({len(replicas) for replicas in topic.assignment})
    copies = f"RF {' to '.join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))}"
    racks = {broker.id: broker.rack for broker in document.brokers}
    named = [{racks.get(broker) for broker in replicas} for replicas in topic.assignment]
    if any(None in of_one for of_one in named):
        return f"{copies}, min ISR {min_isr(document, topic)}"
    numbers = sorted({len(of_one) for of_one in named})
    ends = " to ".join(map(str, dict.fromkeys((numbers[0], numbers[-1]))))
    where = f"in {ends} racks" if numbers[-1] > 1 else "in 1 rack"
    return f"{copies}, min ISR {min_isr(document, topic)}, {where}"


def group_words(names: list[str], most: int = 3) -> str:
    """The topics of a group: by name, or their number and the first names."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{plural(len(names), 'topic', 'topics')}: {', '.join(names[:most])} and {len(names) - most:,} more"


def group_parts(groups: dict[str, list[str]], topics: list[Json]) -> list[Json]:
    """The figures of each group as `parts` of a row, of topics that an application writes; none where all are alike."""
    written = {
        label: [topic for topic in topics if topic["topic"] in names and topic["calls"]]
        for label, names in groups.items()
    }
    if sum(map(bool, written.values())) < 2:
        return []
    return [
        part_of(TOPICS, label, figure, of_topics(values, figure))
        for label, of_group in written.items()
        for figure in FIGURES
        if (values := [topic for topic in of_group if topic[figure] is not None])
    ]
