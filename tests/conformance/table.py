"""The table behind the page "How true is this?": one row a recording, with its script as a document."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from simengine.form import engine_sources
from simengine.recordings.model import Details, RecordedAction, Recording
from simengine.recordings.processes import nodes_of
from simengine.recordings.script import ControllerAction, ControllerCut, cut_words, script_of, seconds
from simengine.scenario.limits import CAPTIONS_MAX
from tests.conformance.conform import MirrorVerdict, Verdict
from tests.conformance.known import KNOWN
from tests.conformance.told import told

CLIENT_VERBS: Final = ("rate", "send", "producer", "consumer", "close", "commit")  # not done to the cluster
OF_ONE_VERDICT: Final = ("assumed", "disagreements")  # what `conform` says and the page does not
OK: Final = "ok"  # how a request of an administrator ended well
QUESTIONS: Final = ("describe", "offsets", "brokers", "group-offsets")


def row(verdict: Verdict) -> dict[str, Any]:
    """One row: the verdict, what was done to the cluster, and the script to open."""
    return {
        **{key: value for key, value in verdict.plain().items() if key not in OF_ONE_VERDICT},
        "done": done_to_the_cluster(verdict.recording),
        **why_not(verdict),
        "document": document(verdict.recording),
    }


def why_not(verdict: Verdict | MirrorVerdict) -> dict[str, str]:
    """The first disagreement and what is known of its reason; "" for a recording that is explained."""
    found = verdict.comparison.disagreements
    return {"why_not": str(found[0]), "known": KNOWN.get(verdict.file, "")} if found else {"why_not": "", "known": ""}


def write(path: Path, rows: list[dict[str, Any]], mirror_rows: list[dict[str, Any]]) -> None:
    """Write the engine and the table as JSON, a line a row, so that a change of one recording is one line of a diff."""
    engine = json.dumps(engine_sources())
    path.write_text(
        f'{{"engine": {engine}, "rows": [\n{_lines(rows)}\n], "mirror_rows": [\n{_lines(mirror_rows)}\n]}}\n',
        encoding="utf-8",
    )


def _lines(rows: list[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def done_to_the_cluster(recording: Recording) -> str:
    """The faults and orders of the script in a few words, in their order: ``kill 0; elect unclean t-0``."""
    return "; ".join(words_of(action) for action in recording.actions if is_done_to_the_cluster(action)) or "nothing"


def is_done_to_the_cluster(action: RecordedAction) -> bool:
    """True if an action is neither a client's, nor a wait, nor a question; a client's crash is a fault, too."""
    if action.verb == "close":
        return bool(action.details.get("crash"))
    return action.verb not in (*CLIENT_VERBS, *QUESTIONS) and not action.verb.startswith("wait_")


def words_of(action: RecordedAction) -> str:
    """One action: its verb, what it was done to, and how a request of an administrator ended if it was refused."""
    details = action.details
    if nodes := nodes_of(action):
        return f"{action.verb} {', '.join(str(node) for node in nodes)}"
    if action.verb == "cut":
        sides = details.get("args")
        assert isinstance(sides, list)
        return "cut " + " | ".join(", ".join(str(node) for node in side) for side in sides)
    partition = f"{details['topic']}-{details['partition']}" if "partition" in details else details.get("topic")
    told: dict[str, Callable[[], str]] = {
        "config": lambda: _configured(details),
        "close": lambda: _ids(details["args"]),
        "wipe": lambda: f"{_ids(details['args'])} ({details['directory']} directory id)",
        "elect": lambda: f"{str(details['type']).lower()} {partition}",
        "reassign": lambda: f"{partition} {'cancel' if details['to'] is None else 'to ' + _ids(details['to'])}",
        "create": lambda: f"{details['topic']} on {' / '.join(_ids(ids) for ids in _list(details['assignment']))}",
        "create-auto": lambda: (
            f"{details['topic']} with {details['partitions']} partitions, {details['rf']} replicas each"
        ),
        "proxy": lambda: ", ".join(_intercepted(rule) for rule in _list(details["args"])),
    }
    words = told.get(action.verb)
    verb = "crash" if action.verb == "close" else action.verb.removesuffix("-auto")
    return verb if words is None else f"{verb} {words()}{_refused(details.get('result'))}"


def _refused(result: object) -> str:
    """The errors of a request, of all or by partition; "" if there is none."""
    ends = list(result.values()) if isinstance(result, dict) else [result]
    errors = dict.fromkeys(str(end) for end in ends if end and end != OK)
    return f" ({', '.join(errors)})" if errors else ""


def _configured(details: Details) -> str:
    """The topic or broker whose settings were changed, and the new values; None takes a setting away."""
    whose = details["topic"] if "topic" in details else f"broker {details['broker']}"
    values = (f"{key} off" if value is None else f"{key}={value}" for key, value in _map(details["set"]))
    return f"{whose} {', '.join(values)}"


def _intercepted(rule: dict[str, Any]) -> str:
    """The rule that was set or released for requests between a producer and its broker."""
    if "release" in rule:
        return f"release {rule['release']}"
    return f"{str(rule['do']).replace('_', '-')} {rule['rule']}"


def _map(value: object) -> Iterable[tuple[str, object]]:
    assert isinstance(value, dict)
    return value.items()


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


def _ids(value: object) -> str:
    return ", ".join(str(node) for node in _list(value))


def document(recording: Recording) -> dict[str, Any]:
    """The script as a document that tells, at their moments, what the real cluster did (captions of kind real)."""
    plain = _script_as_document(recording)
    zero = float(plain.pop("zero_s"))
    captions = [
        {"at": f"{zero + step.t:.3f}s", "kind": "real", "text": step.text} for step in told(recording)[:CAPTIONS_MAX]
    ]
    about = (
        f"The script of recording {recording.name}, which a real Kafka {recording.kafka} cluster went through. "
        f"Its time 0 is at {zero:g} s here. The timeline shows the real cluster's steps below the simulated ones."
    )
    return {**plain, "about": about, "captions": captions}


def _script_as_document(recording: Recording) -> dict[str, Any]:
    """The recording's script as a scenario document, controllers as recorded; ``zero_s``: the script's time 0 in it."""
    script = script_of(recording)
    entries = [(entry, _us(entry["at"])) for entry in script.document["timeline"]]
    for action in script.controller_actions:
        text = _as_recorded(action)
        entries.append(({"at": seconds(action.at_us), "do": text}, action.at_us))
    entries.sort(key=lambda entry: entry[1])
    return {**script.document, "timeline": [entry for entry, _ in entries], "zero_s": script.zero_us / 1_000_000}


def _us(at: str) -> int:
    return round(float(at.removesuffix("s")) * 1_000_000)


def _as_recorded(action: ControllerAction | ControllerCut) -> str:
    """The action on the controllers that the recording names."""
    if isinstance(action, ControllerCut):
        return cut_words(*action.sides)
    return f"{action.verb} {action.controller} {action.rest}".rstrip()
