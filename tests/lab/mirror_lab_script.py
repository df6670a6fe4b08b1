"""A script of two clusters with MirrorMaker between them. Its steps name their cluster, or act on MirrorMaker."""

from dataclasses import dataclass
from typing import Any, Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.json_values import checked, config_of, get, rows_of
from simengine.recordings.mirror_model import VERBS
from simengine.recordings.model import Recording
from tests.lab.fault_script import (
    NUMBER,
    LabScript,
    LabStep,
    check_keys,
    check_lab_step,
    check_order,
    given_of,
    steps_of,
)
from tests.lab.plain import Plain

KEYS: Final = ("name", "title", "clusters", "mirror", "groups", "setup", "timeline", "warmup")
PART_KEYS: Final = ("cluster", "topics", "watch")
CONTROLLERS: Final = [100]
WAIT_END: Final = "wait_end"
WAIT_END_ARGS: Final = [str, str, int, int]
WARMUP_S: Final = 25.0  # MirrorMaker has made its topics by then
NAME_MAX: Final = 10  # characters of a cluster's name, which a network device has too


@dataclass(frozen=True)
class MirrorLabScript:
    """A checked script of two clusters."""

    name: str
    title: str
    clusters: dict[str, LabScript]  # each without its timeline
    timeline: tuple[tuple[str, LabStep], ...]  # the step's cluster, "" for MirrorMaker's own and for whole clusters
    config: dict[str, str]  # MirrorMaker's properties
    groups: tuple[str, ...]  # whose committed offsets are watched
    watch: dict[str, list[list[Any]]]  # cluster -> [topic, partition], whose end is watched
    warmup_s: float


def mirror_script_of_plain(whole: Plain, kafka: str) -> MirrorLabScript:
    """The script in the data of a file. Raises RecordingError with the place, the value and what is allowed."""
    check_keys(whole, "the script", KEYS)
    parts = checked(get(whole, "clusters", ""), "clusters", dict)
    if len(parts) != 2 or any(not name.isalpha() or len(name) > NAME_MAX for name in parts):
        raise RecordingError("clusters", "wrong names", list(parts), f"two names of at most {NAME_MAX} letters")
    setup = _owned(whole.get("setup", []), "setup", list(parts))
    timeline = _owned(get(whole, "timeline", ""), "timeline", list(parts))
    given = {name: _given(name, part, [*setup, *timeline], kafka) for name, part in parts.items()}
    for path, steps in (("setup", setup), ("timeline", timeline)):
        for i, (owner, step) in enumerate(steps):
            if owner:
                check_lab_step(f"{path}[{i}]", step, given[owner])
            else:
                _check_mirror_step(f"{path}[{i}]", step, list(parts))
    check_order(tuple(step for _, step in timeline))
    mirror = checked(whole.get("mirror", {}), "mirror", dict)
    check_keys(mirror, "mirror", ("config",))
    return MirrorLabScript(
        name=checked(whole.get("name", ""), "name", str),
        title=checked(whole.get("title", ""), "title", str),
        clusters={
            name: LabScript(given[name], tuple(step for owner, step in setup if owner == name), (), 0.0)
            for name in parts
        },
        timeline=tuple(timeline),
        config=config_of(mirror.get("config", {}), "mirror.config"),
        groups=tuple(checked(group, "groups", str) for group in checked(whole.get("groups", []), "groups", list)),
        watch={
            name: rows_of(part.get("watch", []), f"clusters.{name}.watch", (str, int)) for name, part in parts.items()
        },
        warmup_s=checked(whole.get("warmup", WARMUP_S), "warmup", *NUMBER),
    )


def _given(name: str, part: object, steps: list[tuple[str, LabStep]], kafka: str) -> Recording:
    path = f"clusters.{name}"
    data = dict(checked(part, path, dict))
    check_keys(data, path, PART_KEYS)
    cluster = {"controllers": CONTROLLERS, **checked(data.get("cluster", {}), f"{path}.cluster", dict)}
    try:
        return given_of({"topics": [], **data, "cluster": cluster}, [step for own, step in steps if own == name], kafka)
    except RecordingError as error:
        raise error.under(path) from None


def _owned(value: object, path: str, clusters: list[str]) -> list[tuple[str, LabStep]]:
    """The steps, each with its cluster."""
    owned: list[tuple[str, LabStep]] = []
    for i, step in enumerate(steps_of(value, path)):
        owner = step.details.pop("cluster", "")
        if owner not in ("", *clusters):
            raise RecordingError(f"{path}[{i}].cluster", "unknown cluster", owner, ", ".join(clusters))
        owned.append((owner, step))
    return owned


def _check_mirror_step(path: str, step: LabStep, clusters: list[str]) -> None:
    """Refuse a step on MirrorMaker or a whole cluster that cannot be done; MirrorMaker starts after the setup."""
    if path.startswith("setup"):
        raise RecordingError(
            f"{path}.cluster", "missing: a step of the setup names its cluster", allowed=", ".join(clusters)
        )
    if step.verb == WAIT_END:
        if [type(value) for value in step.args] != WAIT_END_ARGS:
            needs = f"{WAIT_END} takes a cluster, a topic, a partition and a number of records"
            raise RecordingError(f"{path}.args", needs, step.args)
        if step.args[0] not in clusters:
            raise RecordingError(f"{path}.args[0]", "unknown cluster", step.args[0], ", ".join(clusters))
        checked(step.details.get("limit", 0), f"{path}.limit", *NUMBER)
    elif step.verb not in VERBS:
        raise RecordingError(path, "unknown verb without a cluster", step.verb, ", ".join((*VERBS, WAIT_END)))
    elif VERBS[step.verb] and (not step.args or any(name not in clusters for name in step.args)):
        raise RecordingError(f"{path}.args", "names no cluster", step.args, ", ".join(clusters))
