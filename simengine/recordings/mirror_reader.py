"""Reads a recording of two clusters with MirrorMaker 2 from its JSON text; each cluster as a recording of one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from simengine.recordings.errors import RecordingError
from simengine.recordings.json_values import (
    NUMBER,
    checked,
    config_of,
    get,
    json_object,
    read_file,
    rows_of,
    table,
    text_of,
)
from simengine.recordings.mirror_model import VERBS, End, MirrorRecording, RecordedCheckpoint, RecordedOffsets, Sync
from simengine.recordings.model import FORMAT, Details, RecordedAction, Recording
from simengine.recordings.reader import recording_of

_SYNC: Final = (NUMBER, str, str, int, str, int, int)
_CHECKPOINT: Final = (NUMBER, str, str, int, str, str, int, int)


def read(path: str | Path) -> MirrorRecording:
    """The recording in a file. Raises RecordingError, naming the file."""
    return read_file(path, parse)


def tells_of_mirror(path: Path) -> bool:
    """True if a file is a recording of two clusters with MirrorMaker. Raises RecordingError."""
    return "clusters" in read_file(path, json_object)


def parse(text: str) -> MirrorRecording:
    """The recording in a JSON text. Raises RecordingError."""
    whole = json_object(text)
    if whole.get("format") != FORMAT:
        raise RecordingError("format", "unknown format", whole.get("format"), str(FORMAT))
    kafka = text_of(whole, "kafka", "")
    parts = checked(get(whole, "clusters", ""), "clusters", dict)
    clusters = {name: _cluster(name, part, kafka) for name, part in parts.items()}
    mirror = checked(get(whole, "mirror", ""), "mirror", dict)
    return MirrorRecording(
        name=checked(whole.get("name", ""), "name", str),
        title=checked(whole.get("title", ""), "title", str),
        kafka=kafka,
        mirror_maker=checked(whole.get("mirror_maker", ""), "mirror_maker", str),
        clusters=clusters,
        actions=tuple(_actions(get(whole, "actions", ""), clusters)),
        config=config_of(get(mirror, "config", "mirror"), "mirror.config"),
        groups=tuple(checked(name, "groups", str) for name in checked(whole.get("groups", []), "groups", list)),
        syncs=tuple(Sync(t, at, p, up, down) for t, at, _, _, p, up, down in _rows(mirror, "syncs", _SYNC, clusters)),
        checkpoints=tuple(
            RecordedCheckpoint(t, at, group, p, up, down)
            for t, at, _, _, group, p, up, down in _rows(mirror, "checkpoints", _CHECKPOINT, clusters)
        ),
        positions=tuple(_positions(mirror, clusters)),
        ends=tuple(End(*row) for row in _rows(mirror, "ends", (NUMBER, str, str, int), clusters)),
    )


def _cluster(name: str, part: object, kafka: str) -> Recording:
    path = f"clusters.{name}"
    data = checked(part, path, dict)
    try:
        return recording_of({"format": FORMAT, "kafka": kafka, **data})
    except RecordingError as error:
        raise error.under(path) from None


def _actions(value: object, clusters: dict[str, Recording]) -> Iterator[RecordedAction]:
    for i, (start, end, verb, details) in enumerate(rows_of(value, "actions", (NUMBER, NUMBER, str, dict))):
        if verb not in VERBS:
            raise RecordingError(f"actions[{i}][2]", "unknown verb", verb, ", ".join(VERBS))
        named = details.get("args", [])
        if VERBS[verb] and (not isinstance(named, list) or not named or any(name not in clusters for name in named)):
            raise RecordingError(f"actions[{i}][3].args", "names no cluster", named, ", ".join(clusters))
        yield RecordedAction(start, end, verb, details)


def _rows(mirror: Details, key: str, types: tuple[Any, ...], clusters: dict[str, Recording]) -> list[list[Any]]:
    """A table of `mirror`, whose second column is a cluster."""
    rows = table(mirror, key, types, "mirror")
    for i, row in enumerate(rows):
        if row[1] not in clusters:
            raise RecordingError(f"mirror.{key}[{i}][1]", "unknown cluster", row[1], ", ".join(clusters))
    return rows


def _positions(mirror: Details, clusters: dict[str, Recording]) -> Iterator[RecordedOffsets]:
    for i, row in enumerate(_rows(mirror, "positions", (NUMBER, str, str, dict), clusters)):
        t, cluster, group, offsets = row
        path = f"mirror.positions[{i}][3]"
        known = {partition: checked(offset, f"{path}.{partition}", int) for partition, offset in offsets.items()}
        yield RecordedOffsets(t, cluster, group, known)
