"""The rows of the page "How true is this?" about two clusters with MirrorMaker, each with its script as a document."""

from collections.abc import Iterator
from typing import Any, Final

from simengine.recordings.mirror_model import KILL, MirrorRecording
from simengine.recordings.mirror_script import acts_as, mirror_script_of
from simengine.recordings.model import RecordedAction
from simengine.scenario.limits import CAPTIONS_MAX
from tests.conformance.conform import MirrorVerdict
from tests.conformance.table import is_done_to_the_cluster, why_not, words_of
from tests.conformance.told import Told, told

OF_ONE_VERDICT: Final = ("disagreements", "mirror_maker")  # what `conform` says and the page does not


def mirror_row(verdict: MirrorVerdict) -> dict[str, Any]:
    """One row: the verdict, what was done to the clusters and to MirrorMaker, and the script to open."""
    return {
        **{key: value for key, value in verdict.plain().items() if key not in OF_ONE_VERDICT},
        "done": done_to_the_clusters(verdict.recording),
        **why_not(verdict),
        "document": mirror_document(verdict.recording),
    }


def done_to_the_clusters(recording: MirrorRecording) -> str:
    """The faults and orders of the script in their order: ``east: kill 0; kill mirror-maker``.

    A script ends by killing MirrorMaker, which is no fault.
    """
    done = [(action.start, f"{name}: {words_of(action)}") for name, action in _in_clusters(recording)]
    stopped = recording.stopped_at()
    for action in recording.actions:
        if action.verb != KILL or action.start != stopped:
            done += [(action.start, text) for text in acts_as(action)]
    return "; ".join(text for _, text in sorted(done, key=lambda one: one[0])) or "nothing"


def _in_clusters(recording: MirrorRecording) -> Iterator[tuple[str, RecordedAction]]:
    for name, cluster in recording.clusters.items():
        for action in cluster.actions:
            if is_done_to_the_cluster(action):
                yield name, action


def mirror_document(recording: MirrorRecording) -> dict[str, Any]:
    """The script as a document that tells, at their moments, what the real clusters did (captions of kind real)."""
    script = mirror_script_of(recording)
    zero = script.zero_us / 1_000_000
    steps = [
        Told(step.t, f"{name} {step.text}") for name, cluster in recording.clusters.items() for step in told(cluster)
    ]
    steps.sort(key=lambda step: step.t)
    captions = [{"at": f"{zero + step.t:.3f}s", "kind": "real", "text": step.text} for step in steps[:CAPTIONS_MAX]]
    about = (
        f"The script of recording {recording.name}, which two real Kafka {recording.kafka} clusters and MirrorMaker "
        f"{recording.mirror_maker} went through. Its time 0 is at {zero:g} s here. The timeline shows the real steps "
        "below the simulated ones."
    )
    return {**script.document, "about": about, "captions": captions}
