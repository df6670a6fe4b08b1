"""The values that the answer rests on besides the cluster as it was read: each with its source, open to editing."""

from typing import Any, Final

from simengine.importers import assumed
from simengine.importers.sources import ASSUMED_SO, DEFAULT, READ, YOURS
from simengine.questions.az import about
from simengine.questions.az.copying import copy_mb_per_s, log_mb
from simengine.questions.az.edits import BACK, COME_BACK, DARK, GONE, KILLED, OLDER, STAY_OUT, Edits
from simengine.questions.az.moments import is_sick
from simengine.questions.az.run import TIMEOUT, request_timeout_ms
from simengine.questions.az.words import UNFLUSHED
from simengine.scenario import Document
from simengine.scenario.model import NetworkEntry
from simengine.scenario.profiles import PROFILES, VERSIONS
from simengine.words.phrases import plural

DIES: Final = {DARK: "goes dark", KILLED: "is killed"}
HOW: Final = {
    DARK: "no connection is closed: what is under way waits for request.timeout.ms",
    KILLED: "its processes die, and their hosts close what was open",
}
TOPICS_MIN: Final = 2  # of one topic the rate of each is the same field
TOPICS_SHOWN_MAX: Final = 40  # of more topics the rates are not listed
DISKS: Final = {BACK: "come back", GONE: "are gone"}
OUTSIDE: Final = {STAY_OUT: "stay out", COME_BACK: "come back"}
CHOICES: Final = ("dies", "disks", "outside")
WHY: Final = {  # by where a value comes from
    "guessed": "guessed from the paste",
    "assumed": "nothing tells it",
    "default": "Kafka's default",
    "yours": "set by you",
    "read": "as the cluster has it",
}
Json = dict[str, Any]


def fields(doc: Document, edits: Edits) -> list[Json]:
    """The fields in the order of the page; ``doc``: with the edits made. What decides is not known yet."""
    found = [_racks(doc), _controllers(doc), *_choices(doc, edits), _version(doc), *_elr(doc), *_numbers(doc)]
    found += [*_records(doc), *_rates(doc)]
    for field in found:
        if field["key"] not in CHOICES:
            field["from"] = _source(doc, field["key"])
        field["why"] = WHY[field["from"]]
        if field["key"] == "dies":
            field["why"] = HOW[edits.dies]
        elif field["key"] == "disks" and edits.disks == BACK and edits.dies == DARK:
            field["why"] = f"{UNFLUSHED}: {field['why']}"
        field["decides"] = None
    return found


def _field(key: str, label: str, value: Any, said: str, **more: Any) -> Json:
    usual = {"unit": "", "choices": None, "min": None, "max": None, "step": None, "from": READ}
    return {"key": key, "label": label, "value": value, "said": said, **usual, **more}


def _source(doc: Document, key: str) -> str:
    told = doc.basis.sources.get(key) if doc.basis is not None else None
    if told is not None:
        return told
    configs = [*(one.config for one in doc.producers), *(one.config for one in doc.consumers)]
    is_usual = {
        "latency_ms": doc.network.latency_us == NetworkEntry().latency_us,
        "request_timeout_ms": not any(TIMEOUT in one for one in configs),
        "min_insync_replicas": "min.insync.replicas" not in doc.config,
    }
    if key in ("log_gb", "copy_mb_per_s", "log_end", "backlog"):
        return ASSUMED_SO
    return DEFAULT if is_usual.get(key, False) else READ


def _racks(doc: Document) -> Json:
    counts: dict[str, int] = {}
    for broker in doc.brokers:
        if broker.rack is not None:
            counts[broker.rack] = counts.get(broker.rack, 0) + 1
    each = "\u00b7".join(str(counts[rack]) for rack in sorted(counts))
    said = f"{plural(len(counts), 'AZ', 'AZs')}, {each}" if counts else "no AZs"
    return _field("racks", "Racks", {str(one.id): one.rack or "" for one in doc.brokers}, said)


def _controllers(doc: Document) -> Json:
    places = dict.fromkeys(one.rack for one in doc.controllers if one.rack is not None)
    said = f"{len(doc.controllers)} in {plural(len(places), 'AZ', 'AZs')}" if places else f"{len(doc.controllers)}"
    value = {str(one.id): one.rack or "" for one in doc.controllers}
    more = {"combined": {str(one.id): one.broker for one in doc.controllers if one.broker is not None}}
    return _field("controllers", "Controllers", value, said, max=assumed.CONTROLLERS_MAX, min=1, **more)


def _choices(doc: Document, edits: Edits) -> list[Json]:
    of_az = {"dies": (edits.dies, DIES, "How it is lost", DARK), "disks": (edits.disks, DISKS, "Its disks", BACK)}
    if is_sick(doc):
        of_az["outside"] = (edits.outside, OUTSIDE, "Followers outside the ISR", STAY_OUT)
    return [
        _field(
            key, label, value, words[value], choices=[[k, w] for k, w in words.items()], **{"from": _set(value, usual)}
        )
        for key, (value, words, label, usual) in of_az.items()
    ]


def _set(value: str, usual: str) -> str:
    return ASSUMED_SO if value == usual else YOURS


def _version(doc: Document) -> Json:
    value = OLDER if doc.basis is not None and doc.basis.older else doc.profile
    return _field("version", "Kafka version", value, value, choices=[[one, one] for one in (OLDER, *VERSIONS)])


def _elr(doc: Document) -> list[Json]:
    """The field of eligible leader replicas, if the version has them."""
    if not PROFILES[doc.profile].elr_possible:
        return []
    value = "on" if doc.elr else "off"
    return [_field("elr", "ELR", value, value, choices=[["on", "on"], ["off", "off"]])]


def _records(doc: Document) -> list[Json]:
    """The fields of log ends and backlogs at the start, for a cluster that begins in a state."""
    states = [state for topic in doc.topics for state in topic.initial.values() if not state.logs]
    lags = [lag for state in states for lag in state.lag.values()]
    counts = {"log_end": [state.leo for state in states], "backlog": lags}
    labels = {"log_end": "Records, each log", "backlog": "Outside the ISR"}
    units = {"log_end": "", "backlog": "behind"}
    found = []
    for key, values in counts.items():
        if not values:
            continue
        least, most = min(values), max(values)
        value = about.count_of(doc.about, key)
        value = value if value is not None else most if least == most else None
        said = f"{value:,}" if value is not None else f"{least:,} to {most:,}"
        more: Json = {"unit": units[key], "min": 0, "max": assumed.RECORDS_MAX, "step": 1}
        found.append(_field(key, labels[key], value, f"{said} {units[key]}".rstrip(), **more))
    return found


def _rates(doc: Document) -> list[Json]:
    """A line for each topic; no more than are read, and none where all have the same."""
    rates: dict[str, float] = {}
    for producer in doc.producers:
        rates[producer.topic] = rates.get(producer.topic, 0) + producer.rate_milli / 1000
    if len(rates) < TOPICS_MIN:
        return []
    each = list(dict.fromkeys(rates.values()))
    is_shown = len(each) > 1 and len(rates) <= TOPICS_SHOWN_MAX
    lines = "\n".join(f"{topic} {_plain(rate)}" for topic, rate in rates.items()) if is_shown else ""
    said = f"{_number(min(each))} to {_number(max(each))}/s" if len(each) > 1 else "all the same"
    return [_field("rates", "Records/s by topic", lines, said, lines=True, hint=f"{next(iter(rates))} 100")]


def _numbers(doc: Document) -> list[Json]:
    rates = [producer.rate_milli / 1000 for producer in doc.producers]
    same = len(dict.fromkeys(rates)) == 1
    rate_said = _number(rates[0]) if same else f"{_number(min(rates))} to {_number(max(rates))}" if rates else "none"
    timeout = request_timeout_ms(doc)
    least = int(doc.config.get("min.insync.replicas", 1))
    latency, log = doc.network.latency_us / 1000, log_mb(doc) / 1000
    return [
        _amount("latency_ms", "Latency, one way", latency, "ms", 0, assumed.LATENCY_MS_MAX),
        _field(
            "records_per_s",
            "Records, each topic",
            _plain(rates[0]) if same else None,
            f"{rate_said}/s",
            unit="/s",
            min=0,
            max=_plain(assumed.RATE_MAX),
            step=1,
        ),
        _amount("log_gb", "Log, each copy", log, "GB", 0, assumed.LOG_GB_MAX),
        _amount("copy_mb_per_s", "Copying, a broker", copy_mb_per_s(doc), "MB/s", 1, assumed.COPY_MB_PER_S_MAX),
        _amount("request_timeout_ms", "request.timeout.ms", timeout, "ms", 100, assumed.REQUEST_TIMEOUT_MS_MAX),
        _amount("min_insync_replicas", "min ISR, if not told", least, "", 1, assumed.MIN_ISR_MAX),
    ]


def _amount(key: str, label: str, value: float, unit: str, low: int, high: int) -> Json:
    said = f"{_number(value)} {unit}".rstrip()
    return _field(key, label, _plain(value), said, unit=unit, min=low, max=high, step=1)


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number


def _number(number: float) -> str:
    return f"{_plain(number):,}"
