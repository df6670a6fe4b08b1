"""The state of a run as Kafka's tools print it: as the broker answers that has heard most of its controllers."""

from typing import TYPE_CHECKING, Any, Final

from simengine.importers.describe_text import describe_text
from simengine.scenario import Document
from simengine.scenario.parts import parts_of
from simengine.verdict.write_path import is_running, takes_calls
from simengine.world.cluster_facts import ClusterFacts
from simengine.world.world import World

if TYPE_CHECKING:
    from simengine.kafka.broker.broker import Broker
    from simengine.world.cluster_run import ClusterRun

OF_METADATA: Final = ("replicas", "leader", "isr", "elr", "last_known", "adding", "removing")

Json = dict[str, Any]


def listing(world: World, document: Document) -> str:
    """The output of kafka-topics.sh --describe; of several clusters one listing below its name for each."""
    view: Json = world.snapshot()
    notes: list[str] = []
    for run in world.cluster_runs:
        rows, note = as_told(run, view["partitions"])
        view = {**view, "partitions": rows}
        notes.append(note)
    if not world.is_named:
        return notes[0] + describe_text(view, document)
    facts = ClusterFacts(world)
    parts = enumerate(parts_of(document).items())
    return "".join(f"# {name}\n{notes[i]}{describe_text(facts.view(view, i), part)}" for i, (name, part) in parts)


def as_told(run: "ClusterRun", rows: list[Json]) -> tuple[list[Json], str]:
    """The rows of a view as a broker of the cluster tells them, and a line where the controllers' record differs."""
    broker = asked(run)
    if broker is None:
        return rows, "# No broker responds: this is the controllers' record.\n"
    found: list[Json] = []
    for p, row in enumerate(rows):
        one = broker.image.partition(p) if run.cluster.has_partition(p) else None
        told = {} if one is None else {key: value_of(getattr(one, key)) for key in OF_METADATA}
        found.append({**row, **told})
    if found == rows:
        return rows, ""
    called = run.cluster.site.called(broker.id)
    return found, f"# As broker {called} answers: it has not heard of all that the controllers have committed.\n"


def value_of(told: Any) -> Any:
    """A list of brokers, or one broker, in plain numbers."""
    return [int(one) for one in told] if isinstance(told, list) else int(told)


def asked(run: "ClusterRun") -> "Broker | None":
    """The broker that a tool asks here: of those that respond the one with the newest metadata; None: none responds."""
    able = [one for one in run.cluster.brokers if is_running(one) and takes_calls(one)]
    return max(able, key=lambda one: int(one.image.offset), default=None)
