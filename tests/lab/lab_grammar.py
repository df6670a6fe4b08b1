"""The verbs of a laboratory script: those of a recording, and those that wait, look or choose a node at run time."""

from typing import Any, Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.grammar import GRAMMAR, check_step

NOT_HERE: Final = ("proxy",)  # the laboratory has no request-level proxy
WHOLE: Final = (int,)
SECONDS: Final = (int, float)
TEXT: Final = (str,)
# verb -> what its ``args`` are, in order; a trailing limit in seconds may be left out
OWN_VERBS: Final[dict[str, tuple[tuple[type, ...], ...]]] = {
    "wait_isr": (TEXT, WHOLE, SECONDS),  # topic, size
    "wait_leader": (TEXT, WHOLE, WHOLE, SECONDS),  # topic, partition, leader
    "wait_active": (SECONDS,),
    "sleep": (SECONDS,),
    "kill_active_controller": (),
    "stop_active_controller": (),
    "kill_controllers": (TEXT,),
    "kill_site": (TEXT,),
    "start_stopped": ((list,),),
    "start_dead": (TEXT, WHOLE, TEXT),  # topic, partition, in or out
    "describe": (),
    "offsets": (),
    "group-offsets": (),
    "brokers": (),
}
OPTIONAL_LAST: Final = ("wait_isr", "wait_leader", "wait_active", "start_stopped")
WORDS: Final = {  # the last argument of these verbs is one of these words
    "kill_controllers": ("active+1", "standbys"),
    "kill_site": ("active", "standby"),
    "start_dead": ("in", "out"),
}
NEEDED: Final = {
    "kill_site": ("sites", (list,)),
    "describe": ("topic", TEXT),
    "offsets": ("topic", TEXT),
    "group-offsets": ("group", TEXT),
}
RECORDED_AS: Final = {  # a verb that chooses its nodes at run time is recorded as the verb that names them
    "start_stopped": "start",
    "start_dead": "start",
    "kill_active_controller": "kill",
    "stop_active_controller": "stop",
    "kill_controllers": "kill",
    "kill_site": "kill",
}
VERBS_KNOWN: Final = tuple(verb for verb in (*GRAMMAR, *OWN_VERBS) if verb not in NOT_HERE)


def check_verb(
    path: str, verb: str, args: list[Any], details: dict[str, Any], nodes: list[int], clients: list[str]
) -> None:
    """Refuse a step that the laboratory cannot do. ``path``: such as ``timeline[3]``. Raises RecordingError."""
    if verb not in VERBS_KNOWN:
        raise RecordingError(path, "unknown verb", verb, ", ".join(VERBS_KNOWN))
    if verb in GRAMMAR:
        check_step(path, verb, {"args": args, **details} if args else details, nodes, clients)
        return
    _check_own_args(f"{path}.args", verb, args)
    if verb in NEEDED:
        key, kinds = NEEDED[verb]
        if not isinstance(details.get(key), kinds):
            raise RecordingError(f"{path}.{key}", f"{verb} needs it", details.get(key), kinds[0].__name__)


def _check_own_args(path: str, verb: str, args: list[Any]) -> None:
    kinds = OWN_VERBS[verb]
    least = len(kinds) - (verb in OPTIONAL_LAST)
    if not least <= len(args) <= len(kinds):
        raise RecordingError(path, f"{verb} takes another number of arguments", args, f"{least} to {len(kinds)}")
    for i, (value, wanted) in enumerate(zip(args, kinds, strict=False)):
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise RecordingError(f"{path}[{i}]", "wrong kind of value", value, " or ".join(k.__name__ for k in wanted))
    if verb in WORDS and args[-1] not in WORDS[verb]:
        raise RecordingError(f"{path}[{len(args) - 1}]", "unknown word", args[-1], ", ".join(WORDS[verb]))
