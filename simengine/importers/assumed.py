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
PARTITIONS_MAX: Final = 1_000  # of the topic that stands for all where the paste has none


class AssumedError(ValueError):
    """Edited values are out of range: ``refused`` says of each key what is wrong, the message says all of it.

    A sentence names the value as people read it, what it is and what is allowed.
    """

    def __init__(self, refused: dict[str, str]) -> None:
        self.refused = {key: spelled_out(told) for key, told in refused.items()}
        super().__init__(" ".join(self.refused.values()))


class _Wrong(ValueError):
    """One value is out of range."""


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


def _told(label: str, read: Any) -> dict[str, Any]:
    """The name of a field that people read, and the reader of what forms and --assume send."""
    return {"label": label, "read": read}


def _assumed(label: str, read: Any, default: Any) -> Any:
    """A field with its default."""
    return field(default=default, metadata=_told(label, read))


@dataclass(frozen=True, slots=True)
class AssumedValues:
    """The assumed values. ``states``: brokers whose life the user set by hand (id -> running or down)."""

    records_per_s: float = _assumed("records/s", _number(0, RATE_MAX, whole=False), RATE_DEFAULT)
    acks: str = _assumed("acks", _choice(*ACKS), "all")
    profile: str = _assumed("version", _choice(*VERSIONS), NEWEST_PROFILE)
    elr: bool | None = _assumed("eligible leader replicas", _elr, None)
    min_insync_replicas: int = _assumed("min.insync.replicas", _number(1, MIN_ISR_MAX, whole=True), 1)
    controllers: int = _assumed("controllers", _number(1, CONTROLLERS_MAX, whole=True), CONTROLLERS)
    log_end: int = _assumed("records per log", _number(0, RECORDS_MAX, whole=True), 1_000)
    backlog: int = _assumed("backlog", _number(0, RECORDS_MAX, whole=True), 300)
    stay_out: bool = _assumed("followers outside the ISR stay out", _flag, True)  # they copy nothing (FET-17)
    latency_ms: float = _assumed("latency, one way", _number(0, LATENCY_MS_MAX, whole=False), 1.0)
    log_gb: float = _assumed("log of each partition", _number(0, LOG_GB_MAX, whole=False), LOG_GB)
    copy_mb_per_s: int = _assumed("copying, each broker", _number(1, COPY_MB_PER_S_MAX, whole=True), 100)
    request_timeout_ms: int = _assumed(
        "request.timeout.ms", _number(100, REQUEST_TIMEOUT_MS_MAX, whole=True), REQUEST_TIMEOUT_MS
    )
    neutral_names: bool = _assumed("neutral topic names", _flag, False)
    states: dict[int, str] = field(default_factory=dict, metadata=_told("states of brokers", _states))
    rates: dict[str, float] = field(default_factory=dict, metadata=_told("records/s by topic", _rates))  # by topic
    busy_records_per_s: float = _assumed("records/s of busy topics", _number(0, RATE_MAX, whole=False), RATE_DEFAULT)
    busy_share: float = _assumed("share of busy topics, %", _number(0, 100, whole=False), 0.0)
    brokers: int | None = _assumed("brokers", _number(1, BROKERS_MAX, whole=True), None)  # None: as the paste tells
    topic_partitions: int | None = _assumed("partitions of the topic", _number(1, PARTITIONS_MAX, whole=True), None)
    topic_replicas: int | None = _assumed("replicas of the topic", _number(1, MIN_ISR_MAX, whole=True), None)

    def edited(self, changes: dict[str, Any]) -> "AssumedValues":
        """A copy with some values changed, as they come from a form or from JSON. Raises AssumedError."""
        values: dict[str, Any] = {}
        refused: dict[str, str] = {}
        for name, value in changes.items():
            if name not in LABELS:
                refused[name] = f"There is no assumed value {name!r}; allowed: {', '.join(sorted(LABELS))}."
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


LABELS: Final[dict[str, str]] = {one.name: one.metadata["label"] for one in fields(AssumedValues)}  # what people read
_READERS: Final[dict[str, Any]] = {one.name: one.metadata["read"] for one in fields(AssumedValues)}


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


def read_value(name: str, value: Any) -> Any:
    """One assumed value as it comes from a form or from JSON. Raises AssumedError."""
    try:
        return _READERS[name](LABELS[name], value)
    except _Wrong as wrong:
        raise AssumedError({name: str(wrong)}) from None
