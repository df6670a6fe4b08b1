"""The state of a run as Kafka's tools print it."""

from simengine.cluster_facts import ClusterFacts
from simengine.importers.describe_text import describe_text
from simengine.scenario import Document
from simengine.scenario.parts import parts_of
from simengine.world import World


def listing(world: World, document: Document) -> str:
    """What kafka-topics.sh --describe prints; of several clusters one listing below its name for each."""
    if not world.is_named:
        return describe_text(world.snapshot(), document)
    facts, view = ClusterFacts(world), world.snapshot()
    parts = enumerate(parts_of(document).items())
    return "".join(f"# {name}\n{describe_text(facts.view(view, i), part)}" for i, (name, part) in parts)
