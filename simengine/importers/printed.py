"""Reads partitions as programs print them: Java's ``TopicDescription``, ``PartitionInfo`` and metadata response, rows
of programs in Python, .NET or Rust, ``cat /image/topics/byName/orders/0`` of kafka-metadata-shell.sh, and what
state-change.log says that a controller sends.

Each row has the words partition, leader, replicas and isr in this order, with ids in brackets or as nodes:
``b1:9092 (id: 1 rack: az-a)``. In the shell the path has topic and partition, and the leader comes last. In the log
the ISR comes before the replicas, and of a partition the last line counts.
"""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final

from simengine.importers.fields import leader, topic_name
from simengine.importers.limits import BROKER_ID_MAX
from simengine.importers.model import (
    NO_LEADER,
    UNNAMED,
    PastedBroker,
    PastedCluster,
    PastedPartition,
    PasteResult,
    count,
)
from simengine.importers.noise import holds
from simengine.importers.row_checks import settled
from simengine.importers.text import Paste
from simengine.scenario.limits import PARTITION_NUMBER_MAX

KIND: Final = "metadata"
LABEL: Final = "a client program's own print-out"
_NODE: Final = r"[\w.-]{0,253}(?::\d{1,5})?\s?\(id: \d{1,10} rack: [^()\n]{1,300}\)"
_LIST: Final = rf"(?:\[[\d, ]{{0,400}}\]|\{{[\d, {{}}]{{0,400}}\}}|{_NODE}(?:, {_NODE}){{0,30}}|(?=[,)]))"
_IS: Final = r"s?\s{0,3}[:=]?\s{0,3}"
_AND: Final = r"[\s,]{1,9}"
_WORDS: Final = (
    "isr=",
    "isr =",
    "isrs: [",
    "isr: [",
    "Isr: [",
    "ISR: [",
    "Isr=",
    "ISR=",
    "isrNodes=",
    "isr_nodes=",
    "nSyncReplicas: [",
    ",ISR:",
)  # one of them in each row
_ROW = re.compile(
    rf"\bpartition(?:_?Index)?\s{{0,3}}[:=]?\s{{0,3}}(?P<number>\d{{1,9}})\b[\s,:-]{{1,9}}leader(?:_?Id)?{_IS}"
    rf"(?P<leader>none|null|-?\d{{1,10}}|{_NODE}){_AND}(?:leader_?Epoch=\d{{1,10}}{_AND})?"
    rf"replica(?:_?Node)?{_IS}(?P<replicas>{_LIST}){_AND}(?:isr(?:_?Node)?|InSyncReplica){_IS}(?P<isr>{_LIST})"
    rf"(?:{_AND}(?:elr|eligibleLeaderReplicas)=(?P<elr>{_LIST}))?(?:{_AND}lastKnownElr=(?P<last_known>{_LIST}))?"
    rf"(?:{_AND}offline_?Replicas\s?=\s?(?P<offline>{_LIST}))?",
    re.IGNORECASE,
)
_IN_SHELL = re.compile(
    rf"/topics/byName/(?P<topic>[\w.-]{{1,249}})/(?P<number>\d{{1,9}})\s{{1,9}}PartitionRegistration\("
    rf"replicas=(?P<replicas>{_LIST}), (?:directories=\[[^\]]{{0,4000}}\], )?isr=(?P<isr>{_LIST}), "
    rf"removingReplicas={_LIST}, addingReplicas={_LIST}, (?:elr=(?P<elr>{_LIST}), )?"
    rf"(?:lastKnownElr=(?P<last_known>{_LIST}), )?leader=(?P<leader>-?\d{{1,10}})"
)
_IN_LOG = re.compile(
    rf"PartitionState\(topicName='(?P<topic>[\w.-]{{1,249}})', partitionIndex=(?P<number>\d{{1,9}}), "
    rf"controllerEpoch=\d{{1,10}}, leader=(?P<leader>-?\d{{1,10}}), leaderEpoch=\d{{1,10}}, isr=(?P<isr>{_LIST}), "
    rf"(?:zkVersion|partitionEpoch)=\d{{1,10}}, replicas=(?P<replicas>{_LIST})"
    rf"(?:, offlineReplicas=(?P<offline>{_LIST}))?"
)
_BARE: Final = r"\[[\d, ]{0,400}\]|[\d,]{0,400}"  # before Kafka 2.2 without brackets
_IN_OLDER_LOG = re.compile(
    rf"PartitionState\(controllerEpoch=\d{{1,10}}, leader=(?P<leader>-?\d{{1,10}}), leaderEpoch=\d{{1,10}}, "
    rf"isr=(?P<isr>{_BARE}), zkVersion=\d{{1,10}}, replicas=(?P<replicas>{_BARE})"
    rf"(?:, offlineReplicas=(?P<offline>{_BARE}))?(?:, isNew=\w{{4,5}})?\) [^()\n]{{0,80}}?for partition "
    r"(?P<topic>[\w.-]{1,249})-(?P<number>\d{1,9})\b"
)
_IN_OLDEST_LOG = re.compile(
    r"\(Leader:(?P<leader>-?\d{1,10}),ISR:(?P<isr>[\d,]{0,400}),LeaderEpoch:\d{1,10},ControllerEpoch:\d{1,10}\),"
    r"ReplicationFactor:\d{1,3}\),AllReplicas:(?P<replicas>[\d,]{1,400})\) for partition "
    r"\[?(?P<topic>[\w.-]{1,249})[-,](?P<number>\d{1,9})\b"
)
_WITH_TOPIC: Final = (_IN_SHELL, _IN_LOG, _IN_OLDER_LOG, _IN_OLDEST_LOG)
_TOPIC = re.compile(
    r"\btopic\s{0,3}[:=]?\s{1,3}\"?([\w.-]{1,249})\"?(?=,|\s+with \d|\s{2}|\s+partition\b)|"
    r"\bname=[{']?([\w.-]{1,249})[}']?,? (?:internal|topicId|is_internal)=|"
    r"\"([\w.-]{1,249})\" with \d",
    re.IGNORECASE,
)
_ID_AND_RACK = re.compile(r"\(id: (\d{1,10}) rack: (\S{1,249}?)(?: isFenced: (\w{1,5}))?\)")

_BROKER = re.compile(r"\bnodeId=(\d{1,9}), host='[^'\n]{1,253}', port=\d{1,5}, rack=(?:null|'([^'\n]{1,249})')")


def read(paste: Paste) -> PasteResult | None:
    """The partitions of all rows, of each the last; None without one."""
    text = paste.joined()
    if not holds(text, _WORDS):
        return None
    rows = list(_ROW.finditer(text))
    with_topic = [one for form in _WITH_TOPIC for one in form.finditer(text)]
    if not rows and not with_topic:
        return None
    cluster = PastedCluster()
    reading = PasteResult(KIND, LABEL, cluster=cluster)
    starts = [0, *accumulate(len(line.text) + 1 for line in paste.lines)]
    topics = list(_TOPIC.finditer(text))
    named = [match.start() for match in topics]
    for match in rows:
        at = bisect_right(named, match.start()) - 1
        name = topics[at][1] or topics[at][2] or topics[at][3] if at >= 0 else UNNAMED
        _take(match, name, paste.lines[bisect_right(starts, match.start()) - 1].no, reading)
    for match in with_topic:
        _take(match, match["topic"], paste.lines[bisect_right(starts, match.start()) - 1].no, reading)
    for match in [*rows, *with_topic, *topics]:
        first, last = (bisect_right(starts, place) - 1 for place in match.span())
        cluster.evidence.lines_read += [line.no for line in paste.lines[first : last + 1]]
    for number, rack in _BROKER.findall(text):
        cluster.brokers[int(number)] = PastedBroker(int(number), rack or None, True, source=LABEL)
    if UNNAMED in cluster.topics:
        reading.warn(f"The rows name no legal topic: their partitions were taken for those of one topic, {UNNAMED}.")
    cluster.name_brokers()
    reading.facts = count(cluster)
    return reading


def _take(match: re.Match[str], topic: str, line: int, reading: PasteResult) -> None:
    cluster = reading.cluster
    assert cluster is not None
    number, replicas, isr = int(match["number"]), _ids(match["replicas"]), _ids(match["isr"])
    leads = next(iter(_ids(match["leader"])), NO_LEADER) if "(" in match["leader"] else leader(match["leader"])
    is_sound = replicas and leads is not None and number <= PARTITION_NUMBER_MAX and topic_name(topic)
    if not is_sound or max((*replicas, *isr)) > BROKER_ID_MAX:
        reading.leave_out(f"Line {line}: a row of {topic} that cannot be read is left out.")
        return
    assert leads is not None
    beside = match.groupdict()  # not every form has all lists
    row = PastedPartition(
        topic,
        number,
        leads,
        replicas,
        isr,
        None if beside.get("elr") is None else _ids(beside["elr"]),
        _ids(beside.get("last_known")),
        offline=_ids(beside.get("offline")),
        line=line,
    )
    cluster.put(settled(row, reading.warn))
    for broker, rack, fenced in _ID_AND_RACK.findall(match[0]):
        alive = {"true": False, "false": True}.get(fenced)
        told = None if rack in ("null", "None") else rack
        cluster.brokers[int(broker)] = PastedBroker(int(broker), told, alive, line, LABEL)


def _ids(written: str | None) -> tuple[int, ...]:
    """The ids in a list of them or of nodes."""
    found = _ID_AND_RACK.findall(written or "") or re.findall(r"(\d+)()()", written or "")
    return tuple(dict.fromkeys(int(broker) for broker, _, _ in found))
