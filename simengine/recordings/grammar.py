"""The grammar of a script: its verbs, and what each needs. A recording that says something else is refused here.

``wait_...`` and the other looks are no actions; they may say anything.
"""

from collections.abc import Mapping
from typing import Any, Final

from simengine.recordings.errors import RecordingError, names_of

LOOKING: Final = ("wait_", "describe", "offsets", "group-offsets", "brokers", "sleep")  # verbs that only wait and look

NODES: Final = "ids of nodes"
CLIENTS: Final = "ids of clients"
CLIENT_HOST: Final = "client"  # in a cut: the one host on which all clients run
SIDES: Final = f"two lists of node ids or {CLIENT_HOST}"
RULES: Final = "rules"
INTERCEPTIONS: Final = {  # what a rule of the proxy does, and the word for it in documents
    "hold_request": "hold-request",
    "drop_response": "drop-response",
    "delay_response": "delay-response",
}
# verb -> what its ``args`` are ("": it has none), and the other keys that it needs
GRAMMAR: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "kill": (NODES, ()),
    "stop": (NODES, ()),
    "start": (NODES, ()),
    "wipe": (NODES, ("directory",)),  # all data of a stopped broker is deleted
    "pause": (NODES, ()),
    "resume": (NODES, ()),
    "cut": (SIDES, ()),
    "heal": ("", ()),
    "rate": (CLIENTS, ("topic", "per_s")),
    "send": (CLIENTS, ("topic", "values")),
    "producer": (CLIENTS, ()),
    "consumer": (CLIENTS, ()),
    "close": (CLIENTS, ()),
    "commit": (CLIENTS, ("topic", "offset")),
    "config": ("", ("set",)),
    "elect": ("", ("topic", "type")),
    "reassign": ("", ("topic", "to")),
    "create": ("", ("topic", "assignment")),
    "create-auto": ("", ("topic", "rf", "partitions")),
    "delete": ("", ("topic",)),
    "proxy": (RULES, ()),
}
KINDS: Final[dict[str, tuple[type, ...]]] = {
    "topic": (str,),
    "directory": (str,),
    "per_s": (int, float),
    "values": (list,),
    "offset": (int,),
    "set": (dict,),
    "type": (str,),
    "to": (list, type(None)),
    "assignment": (list,),
    "rf": (int,),
    "partitions": (int,),
}
LEAST: Final = {"per_s": 0, "offset": 0, "rf": 1, "partitions": 1}
PER_S_MAX: Final = 10_000  # records/s of one producer
ELECTIONS: Final = ("PREFERRED", "UNCLEAN")
DISKS: Final = {"kept": "wiped", "new": "empty"}  # the directory id after a wipe, and the word for it in documents


def check_step(path: str, verb: str, details: Mapping[str, Any], nodes: list[int], clients: list[str]) -> None:
    """Refuse a step that nobody could do. ``path``: such as ``actions[3]``. Raises RecordingError."""
    if verb.startswith(LOOKING):
        return
    if verb not in GRAMMAR:
        raise RecordingError(f"{path}", "unknown verb", verb, ", ".join(GRAMMAR))
    args, needed = GRAMMAR[verb]
    if args and not (args == RULES and "args" not in details):  # a setup only says that there is a proxy
        _check_args(path, args, details.get("args"), nodes, clients)
    for key in needed:
        if key not in details:
            raise RecordingError(f"{path}.{key}", f"missing: {verb} needs {', '.join(needed)}")
        if not isinstance(details[key], KINDS[key]) or isinstance(details[key], bool):
            names = " or ".join(kind.__name__ for kind in KINDS[key])
            raise RecordingError(f"{path}.{key}", "wrong kind of value", details[key], names)
        if key in LEAST and details[key] < LEAST[key]:
            raise RecordingError(f"{path}.{key}", "too small a number", details[key], f"at least {LEAST[key]}")
    if verb == "rate" and details["per_s"] > PER_S_MAX:
        raise RecordingError(f"{path}.per_s", "too large a number", details["per_s"], f"at most {PER_S_MAX} a second")
    if verb == "wipe" and details["directory"] not in DISKS:
        raise RecordingError(f"{path}.directory", "unknown kind of disk", details["directory"], ", ".join(DISKS))
    if verb == "elect" and details["type"].upper() not in ELECTIONS:
        raise RecordingError(f"{path}.type", "unknown kind of election", details["type"], ", ".join(ELECTIONS))


def _check_args(path: str, wanted: str, args: Any, nodes: list[int], clients: list[str]) -> None:
    place = f"{path}.args"
    if not isinstance(args, list) or not args:
        raise RecordingError(place, f"here stand {wanted}", args)
    if wanted == SIDES:
        if len(args) != 2 or not all(isinstance(side, list) and side for side in args):
            raise RecordingError(place, f"here stand {wanted}", args)
        args = [node for side in args for node in side if node != CLIENT_HOST]
    if wanted in (NODES, SIDES):
        for node in args:
            if node not in nodes:
                raise RecordingError(place, "unknown node", node, ", ".join(map(str, nodes)))
    elif wanted == CLIENTS:
        for client in args:
            if client not in clients:
                raise RecordingError(place, "unknown client", client, names_of(clients))
    else:
        for i, rule in enumerate(args):
            _check_rule(f"{place}[{i}]", rule)


def _check_rule(place: str, rule: Any) -> None:
    """A rule of the proxy: ``{release: name}``, or ``{rule: name, match: text, do: what}`` with ``s`` for a delay."""
    if not isinstance(rule, dict):
        raise RecordingError(place, "here stands a rule", rule)
    if "release" in rule:
        return
    for key in ("rule", "match", "do"):
        if key not in rule:
            raise RecordingError(f"{place}.{key}", "missing: a rule has rule, match and do, or release")
    if rule["do"] not in INTERCEPTIONS:
        raise RecordingError(f"{place}.do", "a rule that nobody knows", rule["do"], ", ".join(INTERCEPTIONS))
    if "s" in rule and (isinstance(rule["s"], bool) or not isinstance(rule["s"], int | float)):
        raise RecordingError(f"{place}.s", "wrong kind of value", rule["s"], "seconds")
