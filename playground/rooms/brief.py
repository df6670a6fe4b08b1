"""The verdict of a run so far in one sentence, from what the engine has stated: no record is looked at for it."""

from simengine.verdict.words import gravity, headline, is_well
from simengine.world.cluster_run import ClusterRun
from simengine.world.world import World

CALLS = ("acked", "refused", "unknown", "handed_over")  # an internal topic is told of where clients wrote to it
ACKS_ALL = -1  # of a topic's strictest producer, as VerdictChanged says it


def stated_sentence(world: World) -> str:
    """The gravest topic's sentence, or the cluster's where its topics are many; "" before anything was stated.

    Of several clusters one sentence each, with the cluster's name.
    """
    said = [(run.site.name, _sentence(run)) for run in world.cluster_runs]
    return " ".join(f"{name}: {text}" if name else text for name, text in said if text)


def _sentence(run: ClusterRun) -> str:
    if run.book.said:
        return str(run.book.said)
    topics = [topic.name for topic in run.cluster.topics]
    stated = [
        {**figures, "topic": topics[int(index)], "acks": "all" if figures["acks"] == ACKS_ALL else str(figures["acks"])}
        for index, figures in run.book.figures().items()
    ]
    shown = [
        topic
        for topic in stated
        if not str(topic["topic"]).startswith("__") or any(map(topic.get, CALLS)) or not is_well(topic)
    ]
    return headline(sorted(shown, key=gravity), run.cluster, run.book.is_mirrored()) if shown else ""
