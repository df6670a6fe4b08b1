"""The assumed values that no paste tells and the verdict depends on, with their reasons, open to editing."""

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from simengine.importers import version
from simengine.importers.evidence import LogDirReplica
from simengine.importers.limits import BROKERS_MAX
from simengine.importers.model import PastedCluster
from simengine.scenario.invisible import spelled_out
from simengine.scenario.profiles import NEWEST_PROFILE, VERSIONS

ASSUMED: Final = "Assumed:\n"  # in the description of a pasted cluster: what follows no paste told
ACKS: Final = ("0", "1", "all")
RATE_DEFAULT: Final = 10.0  # records/s of a topic
RATE_TOTAL: Final = 200.0  # records/s of all topics together, where there are many
RATE_MAX: Final = 10_000.0
RECORDS_MAX: Final = 1_000_000
CONTROLLERS: Final = 3
CONTROLLERS_MAX: Final = 9
LATENCY_MS_MAX: Final = 500
LOG_GB: Final = 10.0
LOG_GB_MAX: Final = 100_000
COPY_MB_PER_S_MAX: Final = 100_000
REQUEST_TIMEOUT_MS: Final = 30_000  # Kafka's default, of producers and consumers
REQUEST_TIMEOUT_MS_MAX: Final = 300_000
DELIVERY_TIMEOUT_MS: Final = 120_000  # likewise, of producers; no less than the other and linger.ms together
MIN_ISR_MAX: Final = 100
TOPIC_PARTITIONS_MAX: Final = 1_000
LABELS: Final = {
    "records_per_s": "records/s",
    "acks": "acks",
    "profile": "version",
    "elr": "eligible leader replicas",
    "min_insync_replicas": "min.insync.replicas",
    "controllers": "controllers",
    "log_end": "records per log",
    "latency_ms": "latency, one way",
    "log_gb": "log of each partition",
    "copy_mb_per_s": "copying, each broker",
    "request_timeout_ms": "request.timeout.ms",
    "backlog": "backlog",
    "stay_out": "followers outside the ISR stay out",
    "neutral_names": "neutral topic names",
    "states": "states of brokers",
    "rates": "records/s by topic",
    "busy_records_per_s": "records/s of busy topics",
    "busy_share": "share of busy topics, %",
    "brokers": "brokers",
    "topic_partitions": "partitions of the topic",
    "topic_replicas": "replicas of the topic",
}  # what people read; the keys are what forms and --assume send


class AssumedError(ValueError):
    """Edited values are out of range: ``refused`` says of each key what is wrong, the message says all of it.

    A sentence names the value as people read it, what it is and what is allowed.
    """

    def __init__(self, refused: dict[str, str]) -> None:
        self.refused = {key: spelled_out(told) for key, told in refused.items()}
        super().__init__(" ".join(self.refused.values()))


class _Wrong(ValueError):
    """One value is out of range."""


@dataclass(frozen=True, slots=True)
class AssumedValues:
    """The assumed values. ``states``: brokers whose life the user set by hand (id -> running or down)."""

    records_per_s: float = RATE_DEFAULT
    acks: str = "all"
    profile: str = NEWEST_PROFILE
    elr: bool | None = None
    min_insync_replicas: int = 1
    controllers: int = CONTROLLERS
    log_end: int = 1_000
    backlog: int = 300
    stay_out: bool = True  # running followers outside the ISR copy nothing (FET-17)
    latency_ms: float = 1.0
    log_gb: float = LOG_GB
    copy_mb_per_s: int = 100
    request_timeout_ms: int = REQUEST_TIMEOUT_MS
    neutral_names: bool = False
    states: dict[int, str] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)  # topic -> records/s
    busy_records_per_s: float = RATE_DEFAULT  # of the share of topics that is busy
    busy_share: float = 0.0  # in percent of all topics
    brokers: int | None = None  # None: as the paste tells
    topic_partitions: int | None = None  # of the topic that stands for all, if the paste has none
    topic_replicas: int | None = None

    def edited(self, changes: dict[str, Any]) -> "AssumedValues":
        """A copy with some values changed, as they come from a form or from JSON. Raises AssumedError."""
        known = {entry.name for entry in fields(self)}
        values: dict[str, Any] = {}
        refused: dict[str, str] = {}
        for name, value in changes.items():
            if name not in known:
                refused[name] = f"There is no assumed value {name!r}; allowed: {', '.join(sorted(known))}."
                continue
            try:
                values[name] = _READERS[name](LABELS[name], value)
            except _Wrong as wrong:
                refused[name] = str(wrong)
        changed = replace(self, **values)
        if changed.backlog > changed.log_end and "backlog" not in refused:
            allowed = f"a whole number from 0 to {changed.log_end:,}, the records per log"
            refused["backlog"] = f"backlog is {changed.backlog:,}: allowed is {allowed}."
        if refused:
            raise AssumedError(refused)
        return changed


def timeouts(request_ms: int) -> dict[str, int]:
    """Configs of a producer with that request.timeout.ms, as far as they are not Kafka's own."""
    if request_ms == REQUEST_TIMEOUT_MS:
        return {}
    delivery = {} if request_ms < DELIVERY_TIMEOUT_MS else {"delivery.timeout.ms": request_ms + DELIVERY_TIMEOUT_MS}
    return {"request.timeout.ms": request_ms, **delivery}


def defaults(cluster: PastedCluster) -> AssumedValues:
    """The values to assume about a cluster, with hints from its listing."""
    topics = max(1, len(cluster.topics))
    rate = RATE_DEFAULT if topics * RATE_DEFAULT <= RATE_TOTAL else max(0.1, round(RATE_TOTAL / topics, 1))
    known = version.told(cluster)
    return AssumedValues(
        records_per_s=rate,
        controllers=min(len(cluster.controllers), CONTROLLERS_MAX) or CONTROLLERS,
        profile=known.profile,
        elr=known.elr,
        min_insync_replicas=_min_isr(cluster),
        log_gb=_log_gb(cluster),
    )


def _min_isr(cluster: PastedCluster) -> int:
    """The value that the paste gives for all brokers or for topics that it does not name; else Kafka's default."""
    said = cluster.evidence.min_isr_any or cluster.evidence.cluster_config("min.insync.replicas")
    value = said.value.strip() if said else ""
    return int(value) if value.isascii() and value.isdigit() and 1 <= int(value[:4]) <= MIN_ISR_MAX else 1


def sized(cluster: PastedCluster) -> list[LogDirReplica]:
    """The copies whose size an output tells, without those of internal topics where there are others."""
    told = [one for one in cluster.evidence.stored if one.topic in cluster.topics and one.size > 0]
    return [one for one in told if not one.topic.startswith("__")] or told


def _log_gb(cluster: PastedCluster) -> float:
    """The mean size of the copies, in three digits; else a usual one."""
    copies = sized(cluster)
    mean = sum(one.size for one in copies) / len(copies) / 1e9 if copies else LOG_GB
    return min(max(float(f"{mean:.3g}"), 0.001), LOG_GB_MAX)


def _number(low: float, high: float, whole: bool) -> Any:
    def read(label: str, value: Any) -> float | int:
        try:
            number = int(str(value)) if whole else float(str(value))
        except ValueError:
            number = low - 1
        if isinstance(value, bool) or not low <= number <= high:
            kind = "a whole number" if whole else "a number"
            raise _Wrong(f"{label} is {value}: allowed is {kind} from {low:,g} to {high:,.0f}.")
        return number

    return read


def _choice(*allowed: str) -> Any:
    def read(label: str, value: Any) -> str:
        if str(value) not in allowed:
            raise _Wrong(f"{label} is {value}: allowed are {', '.join(allowed)}.")
        return str(value)

    return read


def _flag(label: str, value: Any) -> bool:
    word = str(value).lower()
    if word not in ("true", "on", "false", "off"):
        raise _Wrong(f"{label} is {value}: allowed are on and off.")
    return word in ("true", "on")


def _elr(label: str, value: Any) -> bool | None:
    return None if value is None or value == "profile" else _flag(label, value)


def _states(label: str, value: Any) -> dict[int, str]:
    if not isinstance(value, dict):
        raise _Wrong(f"{label} is {value!r}: allowed is a map of broker ids to running or down.")
    found: dict[int, str] = {}
    for broker, state in value.items():
        if not re.fullmatch(r"[0-9]{1,10}", str(broker)) or state not in ("running", "down"):
            raise _Wrong(f"{label} has {broker!r}: {state!r}: allowed is a broker id with running or down.")
        found[int(broker)] = str(state)
    return found


def _rates(label: str, value: Any) -> dict[str, float]:
    """Topics with their rates: a map, or lines of a topic and a number."""
    pairs = value.items() if isinstance(value, dict) else (_parted(label, line) for line in str(value).split("\n"))
    one = _number(0, RATE_MAX, whole=False)
    return {str(topic).strip(): one(f"{label} of {topic}", rate) for topic, rate in pairs if str(topic).strip()}


def _parted(label: str, line: str) -> tuple[str, str]:
    words = re.split(r"[\s:=]+", line.strip())
    if len(words) > 2 or len(words) == 1 and words[0]:
        raise _Wrong(f"{label} has the line {line!r}: allowed is a topic with a number.")
    return words[0], words[-1]


_READERS: Final[dict[str, Any]] = {
    "records_per_s": _number(0, RATE_MAX, whole=False),
    "acks": _choice(*ACKS),
    "profile": _choice(*VERSIONS),
    "elr": _elr,
    "min_insync_replicas": _number(1, MIN_ISR_MAX, whole=True),
    "controllers": _number(1, CONTROLLERS_MAX, whole=True),
    "log_end": _number(0, RECORDS_MAX, whole=True),
    "backlog": _number(0, RECORDS_MAX, whole=True),
    "stay_out": _flag,
    "latency_ms": _number(0, LATENCY_MS_MAX, whole=False),
    "log_gb": _number(0, LOG_GB_MAX, whole=False),
    "copy_mb_per_s": _number(1, COPY_MB_PER_S_MAX, whole=True),
    "request_timeout_ms": _number(100, REQUEST_TIMEOUT_MS_MAX, whole=True),
    "neutral_names": _flag,
    "states": _states,
    "rates": _rates,
    "busy_records_per_s": _number(0, RATE_MAX, whole=False),
    "busy_share": _number(0, 100, whole=False),
    "brokers": _number(1, BROKERS_MAX, whole=True),
    "topic_partitions": _number(1, TOPIC_PARTITIONS_MAX, whole=True),
    "topic_replicas": _number(1, MIN_ISR_MAX, whole=True),
}


def read_value(name: str, value: Any) -> Any:
    """One assumed value as it comes from a form or from JSON. Raises AssumedError."""
    try:
        return _READERS[name](LABELS[name], value)
    except _Wrong as wrong:
        raise AssumedError({name: str(wrong)}) from None
