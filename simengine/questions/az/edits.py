"""The changes that somebody makes to a cluster before the loss of its AZs is asked, and the cluster so changed."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from simengine.importers.assumed import CONTROLLERS_MAX, LABELS, AssumedError, read_value, timeouts
from simengine.importers.clients import told_ends
from simengine.importers.named_azs import WrongName, az_by_id
from simengine.importers.sources import YOURS
from simengine.questions.az import about
from simengine.scenario import Document, DocumentError, load, to_plain
from simengine.scenario.model import default_controllers
from simengine.scenario.profiles import PROFILES

DARK: Final = "dark"  # no connection is closed: who waits for an answer waits for request.timeout.ms
KILLED: Final = "killed"  # the processes die, and their hosts close what they had open
BACK: Final = "back"  # the disks come back with the AZ
GONE: Final = "gone"
STAY_OUT: Final = "out"  # followers outside the ISR copy nothing: the loss comes now, as the document states it
COME_BACK: Final = "back"  # they are in sync before the loss comes
OLDER: Final = "3.6 or older"  # than what is simulated
OLDEST: Final = "3.7"
VALUES: Final = (
    "version",
    "latency_ms",
    "records_per_s",
    "log_gb",
    "copy_mb_per_s",
    "request_timeout_ms",
    "controllers",
    "min_insync_replicas",
    "elr",
    "log_end",
    "backlog",
    "rates",
)  # in the order in which they are set: a version decides whether there is ELR, a rate of all topics comes first
Plain = dict[str, Any]


class EditsError(ValueError):
    """Edits cannot be made: ``refused`` says of each what is wrong, the message all of it."""

    def __init__(self, refused: dict[str, str]) -> None:
        super().__init__(" ".join(refused.values()))
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Edits:
    """Changes to a cluster. ``racks``: broker -> AZ ("" none); ``controllers``: all of them, None for as they are."""

    racks: dict[int, str] = field(default_factory=dict)
    controllers: dict[int, str] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    dies: str = DARK
    disks: str = BACK
    outside: str = STAY_OUT


def read(sent: Plain) -> Edits:
    """The edits as JSON gives them. Raises EditsError."""
    refused: dict[str, str] = {}
    racks, controllers = _placed(sent, "racks", "broker", refused), None
    if sent.get("controllers") is not None:
        controllers = _placed(sent, "controllers", "controller", refused)
        if not 1 <= len(controllers) <= CONTROLLERS_MAX and "controllers" not in refused:
            refused["controllers"] = f"{len(controllers)} controllers: allowed are 1 to {CONTROLLERS_MAX}."
    values = _values(sent.get("assumed", {}), refused)
    words = {"dies": (DARK, KILLED), "disks": (BACK, GONE), "outside": (STAY_OUT, COME_BACK)}
    for key, allowed in words.items():
        if sent.get(key, allowed[0]) not in allowed:
            refused[key] = f"{key} is {sent[key]!r}: allowed are {' and '.join(allowed)}."
    if refused:
        raise EditsError(refused)
    chosen = {key: str(sent.get(key, allowed[0])) for key, allowed in words.items()}
    return Edits(racks, controllers, values, **chosen)


def _placed(sent: Plain, key: str, node: str, refused: dict[str, str]) -> dict[int, str]:
    given = sent.get(key) or {}
    try:
        if not isinstance(given, dict):
            raise WrongName(f"{key} is a map of {node} ids to names of AZs.")
        return az_by_id(key, node, given)
    except WrongName as wrong:
        refused[key] = str(wrong)
        return {}


def _values(given: Any, refused: dict[str, str]) -> dict[str, Any]:
    if not isinstance(given, dict):
        refused["assumed"] = "assumed is a map of values."
        return {}
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in VALUES:
            refused[key] = f"There is no value {key!r}; allowed: {', '.join(VALUES)}."
        elif key == "version" and value == OLDER:
            found[key] = OLDER
        else:
            try:
                found[key] = read_value("profile" if key == "version" else key, value)
            except AssumedError as wrong:
                refused[key] = str(wrong)
    return found


def edited(doc: Document, edits: Edits) -> Document:
    """The cluster with its edits. Raises EditsError."""
    if not (edits.racks or edits.controllers is not None or edits.values):
        return doc
    plain = to_plain(doc)
    plain["cluster"] = {key: _as_maps(part) for key, part in plain["cluster"].items()}
    names = _homes(plain)
    _place_brokers(plain, edits.racks)
    _place_controllers(plain, edits)
    _rename(plain, names)
    values: Plain = {key: edits.values[key] for key in VALUES if key in edits.values}
    for key, value in values.items():
        _SETTERS[key](plain, value)
    plain["about"] = about.edited(plain.get("about", ""), values)
    basis = plain.setdefault("basis", {})
    touched = [*edits.values, *(["racks"] if edits.racks else []), *(["controllers"] if edits.controllers else [])]
    basis["from"] = {**basis.get("from", {}), **dict.fromkeys(touched, YOURS)}
    try:
        return load(plain)
    except DocumentError as wrong:
        raise EditsError({"document": str(wrong)}) from None


def _as_maps(part: Any) -> Any:
    return [{"id": node} if isinstance(node, int) else node for node in part] if isinstance(part, list) else part


def _homes(plain: Plain) -> dict[tuple[str, int], str]:
    """The AZ of each node."""
    return {
        (kind, node["id"]): str(node["rack"])
        for kind in ("brokers", "controllers")
        for node in plain["cluster"].get(kind, [])
        if "rack" in node
    }


def _put(node: Plain, rack: str | None) -> None:
    node.pop("rack", None)
    if rack:
        node["rack"] = rack


def _place_brokers(plain: Plain, racks: dict[int, str]) -> None:
    brokers = {broker["id"]: broker for broker in plain["cluster"]["brokers"]}
    unknown = [str(broker) for broker in racks if broker not in brokers]
    if unknown:
        there = ", ".join(map(str, brokers))
        raise EditsError({"racks": f"There is no broker {', '.join(unknown)}; brokers: {there}."})
    for broker, rack in racks.items():
        _put(brokers[broker], rack)


def _place_controllers(plain: Plain, edits: Edits) -> None:
    """Place the controllers; one in a broker's process stands where the broker does."""
    cluster = plain["cluster"]
    homes = {broker["id"]: broker.get("rack") for broker in cluster["brokers"]}
    known = {node["id"]: node for node in cluster.setdefault("controllers", _as_maps(default_controllers(list(homes))))}
    if edits.controllers is not None:
        taken = [str(node) for node in edits.controllers if node in homes]
        if taken:
            raise EditsError({"controllers": f"{', '.join(taken)} is the id of a broker: a controller has its own."})
        cluster["controllers"] = [known.get(node, {"id": node}) for node in sorted(edits.controllers)]
        for node in cluster["controllers"]:
            _put(node, edits.controllers[node["id"]])
        _forget_controllers(plain)
    for node in cluster["controllers"]:
        if "broker" in node:
            _put(node, homes[node["broker"]])


def _forget_controllers(plain: Plain) -> None:
    """Nothing names a controller that is no more."""
    left = [node["id"] for node in plain["cluster"]["controllers"]]
    if plain["cluster"].get("active") not in left:
        plain["cluster"].pop("active", None)


def _rename(plain: Plain, before: dict[tuple[str, int], str]) -> None:
    """An AZ whose nodes all go by one new name is that AZ, wherever else its old name stands."""
    after = _homes(plain)
    new: dict[str, list[str]] = {}
    for node, rack in before.items():
        new.setdefault(rack, []).append(after.get(node, ""))
    kept = dict.fromkeys(after.values(), True)
    names = {rack: to[0] for rack, to in new.items() if rack not in kept and len(dict.fromkeys(to)) == 1 and to[0]}
    for link in plain.get("network", {}).get("links", []):
        link["between"] = [names.get(str(end), end) for end in link["between"]]
    for client in [*plain.get("producers", []), *plain.get("consumers", [])]:
        if client.get("rack") in names:
            client["rack"] = names[client["rack"]]


def _set_version(plain: Plain, version: str) -> None:
    profile = OLDEST if version == OLDER else version
    plain["profile"] = profile
    plain.setdefault("basis", {})["older"] = version == OLDER
    if PROFILES[profile].elr_possible:
        return
    plain["elr"] = False
    _without_elr(plain)


def _without_elr(plain: Plain) -> None:
    """Takes the ELRs out of the state at the start; without them an ISR is never empty."""
    for topic in plain.get("topics", []):
        numbers = topic.get("partitions", range(len(topic["assignment"])))
        replicas = dict(zip(numbers, topic["assignment"], strict=True))
        for number, state in topic.get("initial", {}).items():
            able, last = state.pop("elr", []), state.pop("last_known", [])
            able = [broker for broker in able if broker in replicas[int(number)]]
            state["isr"] = state["isr"] or able or last or replicas[int(number)][:1]


def _set_latency(plain: Plain, latency_ms: float) -> None:
    latency = round(latency_ms * 1000)
    plain["network"] = {**plain.get("network", {}), "latency": f"{latency}us", "jitter": f"{latency // 5}us"}


def _set_rate(plain: Plain, rate: float) -> None:
    """Of each topic; where several producers write to it they share it."""
    writers: dict[str, int] = {}
    for producer in plain.get("producers", []):
        writers[producer["topic"]] = writers.get(producer["topic"], 0) + 1
    for producer in plain.get("producers", []):
        producer["rate"] = round(rate / writers[producer["topic"]], 3)


def _set_timeout(plain: Plain, timeout_ms: int) -> None:
    for producer in plain.get("producers", []):
        producer["config"] = {**producer.get("config", {}), "request.timeout.ms": timeout_ms, **timeouts(timeout_ms)}
    for consumer in plain.get("consumers", []):
        consumer["config"] = {**consumer.get("config", {}), "request.timeout.ms": timeout_ms}


def _set_rates(plain: Plain, rates: dict[str, float]) -> None:
    """Of some topics; where several producers write to one they share it."""
    written = dict.fromkeys(producer["topic"] for producer in plain.get("producers", []))
    unknown = [topic for topic in rates if topic not in written]
    if unknown:
        there = ", ".join(written)
        raise EditsError({"rates": f"No producer writes to {', '.join(unknown)}; topics: {there}."})
    for topic, rate in rates.items():
        writers = [producer for producer in plain["producers"] if producer["topic"] == topic]
        for producer in writers:
            producer["rate"] = round(rate / len(writers), 3)


def _set_elr(plain: Plain, is_on: bool) -> None:
    """A version without ELR has none, whatever is set."""
    if not PROFILES[plain["profile"]].elr_possible:
        return
    plain["elr"] = is_on
    if not is_on:
        _without_elr(plain)


def _states(plain: Plain, but: Collection[tuple[str, str]] = ()) -> list[Plain]:
    """The states at the start whose logs are not written out record by record; without those of some partitions."""
    return [
        state
        for topic in plain.get("topics", [])
        for number, state in topic.get("initial", {}).items()
        if not state.get("logs") and (topic["name"], str(number)) not in but
    ]


def _set_log_end(plain: Plain, records: int) -> None:
    """Of the logs that hold what was assumed; whose length an output tells keep theirs."""
    before = about.count_of(plain.get("about", ""), "log_end")
    backlog = about.count_of(plain.get("about", ""), "backlog")
    for state in _states(plain, told_ends(plain)):
        held = state.get("leo", 0)
        if before is not None and held != before:
            continue
        state["leo"] = records
        for broker, lag in state.get("lag", {}).items():
            behind = backlog if backlog is not None and lag == min(backlog, held) else lag
            state["lag"][broker] = min(behind, records)


def _set_backlog(plain: Plain, records: int) -> None:
    """Of the copies that are behind by what was assumed."""
    before = about.count_of(plain.get("about", ""), "backlog")
    longest = max((state.get("leo", 0) for state in _states(plain)), default=0)
    if records > longest:
        allowed = f"a whole number from 0 to {longest:,}, the records per log"
        raise EditsError({"backlog": f"{LABELS['backlog']} is {records:,}: allowed is {allowed}."})
    for state in _states(plain):
        held = state.get("leo", 0)
        for broker, lag in state.get("lag", {}).items():
            if before is None or lag == min(before, held):
                state["lag"][broker] = min(records, held)


def _set_controllers(plain: Plain, count: int) -> None:
    cluster = plain["cluster"]
    first = default_controllers([broker["id"] for broker in cluster["brokers"]])[0]
    homes = sorted(dict.fromkeys(str(broker["rack"]) for broker in cluster["brokers"] if "rack" in broker))
    cluster["controllers"] = [
        {"id": first + index, **({"rack": homes[index % len(homes)]} if homes else {})} for index in range(count)
    ]
    _forget_controllers(plain)


def _set_min_isr(plain: Plain, least: int) -> None:
    plain["cluster"]["config"] = {**plain["cluster"].get("config", {}), "min.insync.replicas": least}


def _set_log(plain: Plain, gigabytes: float) -> None:
    plain.setdefault("basis", {})["log_mb"] = round(gigabytes * 1000)


def _set_copying(plain: Plain, speed: int) -> None:
    plain.setdefault("basis", {})["copy_mb_per_s"] = speed


_SETTERS: Final[dict[str, Any]] = {
    "version": _set_version,
    "latency_ms": _set_latency,
    "records_per_s": _set_rate,
    "log_gb": _set_log,
    "copy_mb_per_s": _set_copying,
    "request_timeout_ms": _set_timeout,
    "controllers": _set_controllers,
    "min_insync_replicas": _set_min_isr,
    "elr": _set_elr,
    "log_end": _set_log_end,
    "backlog": _set_backlog,
    "rates": _set_rates,
}
