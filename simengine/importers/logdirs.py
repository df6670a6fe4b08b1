"""Reads the JSON of ``kafka-log-dirs.sh --describe``: which broker stores which replica, its size and offsetLag.

Leader, ISR and the order of the replicas it does not tell; a future replica (a move between disks) is left out.
"""

import re
from typing import Any, Final

from simengine.importers.describe_warnings import names
from simengine.importers.evidence import LogDirReplica
from simengine.importers.jsontext import as_int, json_lines, json_values, loosened
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.text import Paste

KIND: Final = "logdirs"
LABEL: Final = "kafka-log-dirs.sh --describe"
_MARK = re.compile(r"\"logDirs\"\s*:(?!\s*\[\s*\")")  # a record of the metadata log has ids in it
_BROKER = re.compile(r"\"broker\"\s*:\s*(\d{1,10})")
_PLACE = re.compile(r"([A-Za-z0-9._-]{1,249})-(\d{1,7})")
_PARTITION = re.compile(r"\"partition\"\s*:\s*\"([^\"]+)-(\d+)\"")


def read(paste: Paste) -> PasteResult | None:
    """The brokers and partitions that the JSON names; None if it is no such JSON."""
    text = paste.joined()
    if not _MARK.search(text):
        return None
    brokers = dict.fromkeys(_BROKER.findall(text))
    partitions = dict.fromkeys(_PARTITION.findall(text))
    facts = PastedCounts(len(brokers), len(dict.fromkeys(name for name, _ in partitions)), len(partitions))
    reading = PasteResult(KIND, LABEL, facts=facts)
    values = [value for value in json_values(text, paste) if _is_whole(value)]
    loose = [] if values else [value for value in json_values(loosened(text), paste) if _is_whole(value)]
    if values or loose:
        line = paste.lines[text.count("\n", 0, text.find('"logDirs"'))].no
        reading.cluster = _cluster((values or loose)[-1], line)
        reading.cluster.evidence.lines_read = json_lines(paste, _is_whole)
        _warn_of_failed((values or loose)[-1], reading)
    if loose:
        reading.warn("Comments were written into the JSON; they are left out.")
    elif not values:
        is_cut = text.count("{") != text.count("}")
        why = "it is cut: its braces do not close" if is_cut else "no parser reads it as it stands"
        reading.rejected = f"This is the JSON of kafka-log-dirs.sh, but {why}. Paste it whole."
    return reading


def _is_whole(value: Any) -> bool:
    brokers = value.get("brokers") if isinstance(value, dict) else None
    if not isinstance(brokers, list) or not brokers:
        return False
    return all(isinstance(item, dict) and as_int(item.get("broker")) is not None for item in brokers)


def _warn_of_failed(value: Any, reading: PasteResult) -> None:
    """Log directories that a broker cannot read: what they hold is not listed."""
    failed = [
        f"{folder.get('logDir')} of broker {item['broker']}"
        for item in value["brokers"]
        for folder in (item.get("logDirs") if isinstance(item.get("logDirs"), list) else [])
        if isinstance(folder, dict) and folder.get("error")
    ]
    if failed:
        reading.warn(
            f"Log directories that failed: {names(failed)}. Failed disks are not simulated: such a broker is taken for "
            "one that works."
        )


def _cluster(value: Any, line: int) -> PastedCluster:
    """Each partition with the brokers that store it, by id."""
    cluster = PastedCluster()
    stored: dict[tuple[str, int], list[int]] = {}
    for item in value["brokers"]:
        broker = as_int(item["broker"])
        if broker is None or not 0 <= broker <= BROKER_ID_MAX:
            continue
        cluster.brokers[broker] = PastedBroker(broker, alive=True, line=line, why=f"it answers {LABEL}")
        for topic, number, entry in _places(item.get("logDirs")):
            stored.setdefault((topic, number), []).append(broker)
            size, lag = (max(0, as_int(entry.get(key)) or 0) for key in ("size", "offsetLag"))
            cluster.evidence.stored.append(LogDirReplica(topic, number, broker, size, lag, line))
    for (topic, number), brokers in stored.items():
        cluster.add_placed(topic, number, tuple(sorted(dict.fromkeys(brokers))), (), line)
    return cluster


def _places(folders: Any) -> list[tuple[str, int, dict[str, Any]]]:
    """The partitions in the log directories of one broker, each with its entry."""
    found: list[tuple[str, int, dict[str, Any]]] = []
    for folder in folders if isinstance(folders, list) else []:
        entries = folder.get("partitions") if isinstance(folder, dict) else None
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and not entry.get("isFuture"):
                match = _PLACE.fullmatch(str(entry.get("partition", "")))
                if match:
                    found.append((match.group(1), int(match.group(2)), entry))
    return found
