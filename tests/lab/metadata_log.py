"""The metadata log of a cluster, folded into the rows of a recording: partitions and registrations of brokers."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from tests.lab.plain import Plain

FIELDS: Final = {  # a field of a partition record -> its name in a recording
    "replicas": "replicas",
    "isr": "isr",
    "eligibleLeaderReplicas": "elr",
    "lastKnownElr": "lastKnownElr",
    "addingReplicas": "adding",
    "removingReplicas": "removing",
}
NO_CHANGE: Final = -2  # of a leader, in a change record
REGISTRATIONS: Final = ("RegisterBrokerRecord", "BrokerRegistrationChangeRecord")
OF_BROKER: Final = ("brokerId", "brokerEpoch", "rack", "fenced", "inControlledShutdown")


def registrations(records: Iterable[Plain], zero_ms: int) -> list[list[Any]]:
    """Rows of `brokers`: time (s), kind, what was committed."""
    return [
        [
            seconds(record["at"], zero_ms),
            record["type"].removesuffix("Record"),
            {key: record["data"][key] for key in OF_BROKER if key in record["data"]},
        ]
        for record in records
        if record["type"] in REGISTRATIONS
    ]


def partitions(records: Iterable[Plain], zero_ms: int) -> list[list[Any]]:
    """Rows of `metadata`: time (s), partition, its first state, then its changes. Internal topics are left out."""
    rows: list[list[Any]] = []
    known: dict[str, Plain] = {}
    for t, partition, state in _states(records, zero_ms):
        before = known.get(partition, {})
        rows.append([t, partition, {key: value for key, value in state.items() if before.get(key, ...) != value}])
        known[partition] = state
    return rows


def last_leaders(rows: Iterable[list[Any]]) -> dict[str, int]:
    """The leader of each partition at the end of the rows of `partitions`."""
    return {partition: changes["leader"] for _, partition, changes in rows if "leader" in changes}


def seconds(at_ms: int, zero_ms: int) -> float:
    """A time on the machine's clock (ms) as seconds since time 0."""
    return round((at_ms - zero_ms) / 1000, 3)


def _states(records: Iterable[Plain], zero_ms: int) -> Iterator[tuple[float, str, Plain]]:
    """The state of a partition after each record of it."""
    names: dict[str, str] = {}  # topic id -> name
    states: dict[str, Plain] = {}
    for record in records:
        data = record["data"]
        if record["type"] == "TopicRecord":
            names[data["topicId"]] = data["name"]
        if record["type"] not in ("PartitionRecord", "PartitionChangeRecord") or names[data["topicId"]].startswith(
            "__"
        ):
            continue
        partition = f"{names[data['topicId']]}-{data['partitionId']}"
        whole = record["type"] == "PartitionRecord"
        states[partition] = _first(data) if whole else _changed(states[partition], data)
        yield seconds(record["at"], zero_ms), partition, states[partition]


def _first(data: Plain) -> Plain:
    return {
        **{name: data.get(field) or [] for field, name in FIELDS.items()},
        "leader": data["leader"],
        "epoch": data["leaderEpoch"],
        "partitionEpoch": data["partitionEpoch"],
        "recovery": data.get("leaderRecoveryState", 0),
    }


def _changed(state: Plain, data: Plain) -> Plain:
    """The state after a change record: a named leader begins a new leader epoch, even if it is the old leader."""
    changed = {**state, "partitionEpoch": state["partitionEpoch"] + 1}
    changed |= {name: data[field] for field, name in FIELDS.items() if data.get(field) is not None}
    if data.get("leader", NO_CHANGE) != NO_CHANGE:
        changed |= {"leader": data["leader"], "epoch": state["epoch"] + 1}
    if data.get("leaderRecoveryState", -1) >= 0:
        changed["recovery"] = data["leaderRecoveryState"]
    return changed
