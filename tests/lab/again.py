"""A recording of one cluster, read as the script that makes it again: on another version, or to see what repeats."""

from simengine.recordings.json_values import checked, get
from tests.lab.export import opens
from tests.lab.plain import Plain

COPIED = ("name", "title", "cluster", "topics")
BESIDE = ("id", "kind", "config")  # of a client: what its step says in another form


def script_of_recording(recording: Plain) -> Plain:
    """The script as plain data. Raises RecordingError.

    Each step follows the one before it after the same rest. So a step that waited waits again, for as long as it needs.
    A step that chose a node names the node that it chose then.
    """
    clients = {client["id"]: _opening(client) for client in recording.get("clients", [])}
    timeline: list[Plain] = []
    last_s = 0.0
    for begun_s, ended_s, verb, details in checked(get(recording, "actions", ""), "actions", list):
        asked = {key: value for key, value in details.items() if key != "result"}
        opening = clients.pop(asked["args"][0]) if opens(verb) else {}
        timeline.append({"do": verb, "after": round(max(0.0, begun_s - last_s), 3), **asked, **opening})
        last_s = ended_s
    setup = [*clients.values(), *recording.get("setup", [])]
    return {**{key: recording[key] for key in COPIED if key in recording}, "setup": setup, "timeline": timeline}


def _opening(client: Plain) -> Plain:
    beside = {key: value for key, value in client.items() if key not in BESIDE}
    return {"do": client["kind"], "args": [client["id"]], **client["config"], **beside}
