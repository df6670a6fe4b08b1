"""Reads the output of ``kafka-metadata-quorum.sh describe``: voters (controllers) and observers (brokers).

A status that names voters and no observer is that of a cluster in combined mode: its brokers are the voters. A node
that runs fetches the metadata twice a second: one whose last fetch is ``SILENT_MS`` older than the leader's is down,
any other runs, whatever ISR it is in.

A node that is listed as a voter and as an observer is a controller whose disk was replaced: the voter has the old
directory id and is gone, the observer does not vote (KIP-853).
"""

import itertools
import re
from typing import Final

from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import ControllerRead, PastedBroker, PastedCluster, PastedCounts, PasteResult
from simengine.importers.noise import is_ellipsis
from simengine.importers.text import Paste
from simengine.words.phrases import seconds

KIND: Final = "quorum"
LABEL: Final = "kafka-metadata-quorum.sh describe"
_MARK = re.compile(r"\bCurrentVoters\s{0,30}:|\b(?:Node|Replica)Id\s.{0,200}\bLogEndOffset\b|\bMaxFollowerLag\s{0,30}:")
_WORDS: Final = ("CurrentVoters", "LogEndOffset", "MaxFollowerLag")  # a text without any of them has no mark
_FIELD = re.compile(r"\b(CurrentVoters|CurrentObservers)\s{0,30}:\s{0,30}\[")
_FIELDS_MAX: Final = 100
_LIST_END = re.compile(r"\](?=\s*(?:#.*)?$|\s*[A-Z]\w+:)", re.MULTILINE)
_ID = re.compile(r"\"id\"\s*:\s*(\d{1,10})")
_PLAIN_IDS = re.compile(r"^\s*(?:\d{1,10}\s*,\s*)*\d{1,10}\s*$")
_ROW = re.compile(
    r"^\s*(\d{1,10})\s.*?(?:\s(\d{1,19})( ms ago)?\s+-?\d{1,19}(?: ms ago)?\s+)?\b(Leader|Follower|Observer)\b\s*$"
)
SILENT_MS: Final = 10_000
OBSERVERS: Final = ("CurrentObservers", "Observer")
REPLACED: Final = "it is a voter with one directory and an observer with another: its disk was replaced"
_NUMBER = re.compile(r"\b(HighWatermark|MaxFollowerLag)\s*:\s*(\d{1,19})")


def read(paste: Paste) -> PasteResult | None:
    """Voters and observers that are named; elided ones are not made up. None if it is no such output."""
    text = paste.joined()
    if not any(word in text for word in _WORDS) or not _MARK.search(text):
        return None
    reading = PasteResult(KIND, LABEL)
    nodes: dict[int, str] = {}
    places: dict[int, int] = {}
    used: list[int] = []
    replaced: dict[int, str] = {}  # controllers with a new disk, with the words for that
    ago: dict[int, int] = {}  # node -> when it last fetched, in ms before now, negative
    fetched: dict[int, int] = {}  # node -> the same by the clock
    for match in itertools.islice(_FIELD.finditer(text), _FIELDS_MAX):
        end = _LIST_END.search(text, match.end())
        if end is not None:
            ids = _take_members(text[match.end() : end.start()], match.group(1), nodes, reading)
            replaced |= {one: REPLACED for one in ids if match.group(1) in OBSERVERS and nodes[one] not in OBSERVERS}
            first, last = (text.count("\n", 0, place) for place in (match.start(), end.start()))
            line = paste.lines[first].no
            used += [one.no for one in paste.lines[first : last + 1]]
            places.update((node, places.get(node, line)) for node in nodes)
    for line_ in paste.lines:
        row = _ROW.match(line_.text)
        if row:
            node = int(row.group(1))
            if nodes.setdefault(node, row.group(4)) not in OBSERVERS and row.group(4) in OBSERVERS:
                replaced[node] = REPLACED
            elif row.group(2):
                if row.group(3):
                    ago[node] = -int(row.group(2))
                else:
                    fetched[node] = int(row.group(2))
            places.setdefault(node, line_.no)
            used.append(line_.no)
    silent = _silent(ago) | _silent(fetched) | replaced
    reading.cluster = _cluster(nodes, places, silent, [node for node in ago | fetched if node not in silent])
    reading.cluster.evidence.lines_read = used
    reading.facts = PastedCounts(brokers=len(nodes))
    if not nodes:
        reading.rejected = "This is a quorum status, but no voter and no observer of it can be read."
    _warn(text, paste, reading)
    for node in replaced:
        reading.warn(
            f"Node {node}: {REPLACED}. It does not vote before the old voter is removed and it is added. "
            "It is taken for a node that is down."
        )
    return reading


def _silent(fetched: dict[int, int]) -> dict[int, str]:
    """The nodes that are down, with the observation that says so."""
    newest = max(fetched.values(), default=0)
    return {
        node: f"it has fetched no metadata for {seconds((newest - at) * 1000)}"
        for node, at in fetched.items()
        if newest - at > SILENT_MS
    }


def _cluster(nodes: dict[int, str], places: dict[int, int], silent: dict[int, str], fresh: list[int]) -> PastedCluster:
    """The voters as controllers, the observers as brokers."""
    cluster = PastedCluster()
    for node, role in sorted(nodes.items()):
        if node > BROKER_ID_MAX:
            continue
        if role in OBSERVERS:
            why = silent.get(node, "it fetches the metadata" if node in fresh else "")
            alive = (node not in silent) if why else None
            cluster.brokers[node] = PastedBroker(node, alive=alive, line=places.get(node, 0), why=why)
        else:
            down = silent.get(node, "")
            cluster.controllers[node] = ControllerRead(node, line=places.get(node, 0), source=LABEL, down=down)
    cluster.evidence.is_combined = not cluster.brokers
    return cluster


def _take_members(body: str, field: str, nodes: dict[int, str], reading: PasteResult) -> list[int]:
    """Note the nodes of a list, unless they are known. Returns their ids."""
    ids = [int(number) for number in (re.findall(r"\d+", body) if _PLAIN_IDS.match(body) else _ID.findall(body))]
    for number in ids:
        nodes.setdefault(number, field)
    if "..." in body or "\u2026" in body:
        reading.warn(f"{field} was shortened by hand (...): only the ids that are written are taken.")
    return ids


def _warn(text: str, paste: Paste, reading: PasteResult) -> None:
    numbers = {name: int(value) for name, value in _NUMBER.findall(text)}
    if numbers.get("MaxFollowerLag", 0) > numbers.get("HighWatermark", 0) > 0:
        reading.warn("MaxFollowerLag is above HighWatermark: the leader has not heard of one of the voters yet.")
    if any(is_ellipsis(line.text) for line in paste.lines):
        reading.alone.append("Lines were cut out of it (an ellipsis stands in it).")
