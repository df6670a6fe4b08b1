"""The table behind the page "How true is this?": one row a recording, with its script as a document."""

import json
from pathlib import Path
from typing import Any, Final

from simengine.form import plan
from simengine.recordings.conform import Verdict
from simengine.recordings.history import histories
from simengine.recordings.model import Recording
from simengine.recordings.processes import nodes_of
from simengine.recordings.rerun import plain_document

CLIENT_VERBS: Final = ("rate", "send", "producer", "consumer", "close", "commit")  # not done to the cluster


def row(verdict: Verdict) -> dict[str, Any]:
    """One row: the verdict, what was done to the cluster, and the script to open."""
    return {
        **{key: value for key, value in verdict.plain().items() if key != "disagreements"},
        "done": done_to_the_cluster(verdict.recording),
        "why_not": str(verdict.comparison.disagreements[0]) if verdict.comparison.disagreements else "",
        "document": document(verdict.recording),
    }


def write(path: Path, verdicts: list[Verdict]) -> None:
    """Write the engine and the table as JSON, a line a row, so that a change of one recording is one line of a diff."""
    lines = ",\n".join(json.dumps(row(verdict), ensure_ascii=False) for verdict in verdicts)
    engine = json.dumps(plan().folder.name)
    path.write_text(f'{{"engine": {engine}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def done_to_the_cluster(recording: Recording) -> str:
    """The faults and orders of the script in a few words, in their order: ``kill 0, start 0``."""
    words = []
    for action in recording.actions:
        verb = action.verb
        if (
            verb in CLIENT_VERBS
            or verb.startswith("wait_")
            or verb in ("describe", "offsets", "brokers", "group-offsets")
        ):
            continue
        if nodes := nodes_of(action):
            words.append(f"{verb} {', '.join(str(node) for node in nodes)}")
        elif verb == "cut":
            sides = action.details.get("args")
            assert isinstance(sides, list)
            words.append("cut " + " | ".join(", ".join(str(node) for node in side) for side in sides))
        else:
            words.append(verb)
    return "; ".join(words) or "nothing"


def document(recording: Recording) -> dict[str, Any]:
    """The script as a document that tells, at their moments, what the real cluster did (captions of kind real)."""
    plain = plain_document(recording)
    zero = float(plain.pop("zero_s"))
    captions = [
        {"at": f"{zero + step.first:.3f}s", "kind": "real", "text": f"{partition}: {step.state}"}
        for partition, history in histories(recording).items()
        for step in history.steps
    ]
    captions.sort(key=lambda caption: float(caption["at"].removesuffix("s")))
    about = (
        f"The script of recording {recording.name}, which a real Kafka {recording.kafka} cluster went through. "
        f"Its time 0 is at {zero:g} s here. The timeline shows the real cluster's steps below the simulated ones."
    )
    return {**plain, "about": about, "captions": captions[:1000]}
