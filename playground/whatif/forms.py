"""Reads the builder's request into a plan; every problem names its field, what it got and what is allowed."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from playground.whatif import limits
from playground.whatif.experiment_title import TITLE_MAX, title_of
from playground.whatif.pipeline.alike import folded
from playground.whatif.pipeline.axes import MIRROR_KEYS, at_us, document_of, removed, varied, words
from playground.whatif.pipeline.document_clusters import broker_names, racks_of, topics_of
from playground.whatif.pipeline.fault import loss_us
from playground.whatif.pipeline.outages import ANY, OUTAGES, timeline_of
from playground.whatif.pipeline.plan import AS_IS, AXES, ExperimentPlan, Json, Variant, grid, lettered
from simengine.scenario import DocumentError, Problem, load
from simengine.scenario.config_keys import MIRROR, SIMULATED
from simengine.scenario.durations import duration_words, format_duration, parse_duration
from simengine.scenario.invisible import made_visible
from simengine.scenario.limits import LATENCY_US_MAX
from simengine.scenario.problems import shown
from simengine.scenario.profiles import PROFILES

ACKS: Final = ("0", "1", "all")
VALUES_MAX: Final = 8
FAULTS: Final = ("as-is", "rates", "rack", "broker", "roll", "site")
LAG_MS_MAX: Final = 10 * 60 * 1000
LOAD_MIN: Final = 0.01
LOAD_MAX: Final = 10_000
RATES_MAX: Final = 4
OFFSETS_MAX: Final = 2**31 - 1
DURATION: Final = "a number and a unit, such as 500ms, 12s or 5m"
SEPARATED: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")  # a number as pages print it: 2,000


def must_be_text(body: Json) -> None:
    """Raises FieldProblem for a request with a character that no database holds: NUL, or half of a surrogate pair."""
    text = json.dumps(body, ensure_ascii=False)
    if "\\u0000" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise FieldProblem("request", "The request holds a character that no text may hold (NUL, half of a pair).")


class FieldProblem(Exception):
    """One field that cannot be used: a sentence, and as plain data its place, the value and what is allowed."""

    def __init__(self, where: str, message: str, value: Any = "", allowed: str = "") -> None:
        super().__init__(message)
        self.plain: dict[str, str] = Problem(where, shown(value), message, allowed)._asdict()


@dataclass
class ExperimentDraft:
    """The request as far as it could be read: the plan, or the problems that keep it from being one."""

    plan: ExperimentPlan | None = None
    baseline: str = "A"
    note: str = ""  # what became of the chosen baseline
    title: str = ""
    problems: list[dict[str, str]] = field(default_factory=list)


def read(body: Json, document: Json) -> ExperimentDraft:
    """The draft of an experiment on `document` (canonical plain data)."""
    try:
        return _read(body, document)
    except FieldProblem as problem:
        return ExperimentDraft(problems=[problem.plain])


def _read(body: Json, document: Json) -> ExperimentDraft:
    names = [name for name, _ in topics_of(document)]
    topics = _some_of(body.get("topics") or names, "topics", names)
    seeds = _whole(body.get("seeds"), "seeds", limits.SEEDS_MIN, limits.SEEDS_MAX)
    first_seed = _whole(body.get("first_seed", 1), "first seed", 0, 2**40)
    horizon_us = _duration(body.get("horizon"), "horizon", limits.HORIZON_US_MIN, limits.HORIZON_US_MAX)
    document = _with_latency(document, body.get("latency"))
    axes = _axes(body.get("axes") or {}, document, topics, horizon_us)
    left_out = _left_out(body.get("left_out") or [])
    chosen = [s for s in grid(axes) if json.dumps(s, sort_keys=True) not in left_out]
    plan = ExperimentPlan(document, _variants(chosen), tuple(topics), first_seed, seeds, horizon_us)
    problems = _impossible(plan) or _too_late(plan)
    plan = plan if problems else folded(plan)
    title = made_visible(str(body.get("title") or "").strip() or title_of(plan))[:TITLE_MAX]
    baseline, note = _baseline(plan, body.get("baseline"))
    return ExperimentDraft(plan, baseline, note, title, problems)


def _left_out(raw: Any) -> list[str]:
    """The settings of configurations that were taken away, each as text."""
    if not isinstance(raw, list):
        allowed = "a list of settings of configurations"
        raise FieldProblem("left_out", f"left_out is {str(raw)[:60]!r}; allowed is {allowed}.", raw, allowed)
    return [json.dumps(settings, sort_keys=True) for settings in raw]


def _with_latency(document: Json, value: Any) -> Json:
    """The document with this one-way latency between nodes; links that have their own keep it. None: as it is."""
    if value is None:
        return document
    if document.get("clusters"):
        raise FieldProblem(
            "latency", "This run has several clusters, each with a latency of its own. Vary WAN latency."
        )
    latency_us = _duration(value, "latency between nodes", 1, LATENCY_US_MAX)
    network = {**(document.get("network") or {}), "latency": format_duration(latency_us)}
    return {**document, "network": network}


def _baseline(plan: ExperimentPlan, chosen: Any) -> tuple[str, str]:
    """Letter of the configuration that has the chosen settings, whatever axes came or went; a note where none has.

    An unvaried fault is what is done to all of them and tells no configuration from another.
    """
    if chosen is None:
        return plan.variants[0].letter, ""
    if not isinstance(chosen, dict):
        allowed = "the settings of a configuration"
        raise FieldProblem("baseline", f"baseline is {str(chosen)[:60]!r}; allowed are {allowed}.", chosen, allowed)
    wanted = {name: value for name, value in chosen.items() if name != "fault" or name in varied(plan)}

    def agreeing(variant: Variant) -> int:
        return max(sum(1 for name, value in wanted.items() if one.get(name) == value) for one in _ways(variant))

    best = max(plan.variants, key=lambda variant: (agreeing(variant), chosen in _ways(variant)))
    if agreeing(best) == len(wanted):
        return best.letter, ""
    name = ", ".join(filter(None, words(plan, best)))
    gone = "The baseline that was chosen is no longer among the configurations"
    return best.letter, f"{gone}: it is now {best.letter}, {name}."


def _ways(variant: Variant) -> tuple[Json, ...]:
    return (variant.settings, *variant.also)


def _variants(chosen: list[Json]) -> tuple[Variant, ...]:
    if not chosen:
        raise FieldProblem("axes", "Every configuration was taken away. Leave at least one.")
    try:
        return lettered(chosen)
    except ValueError as error:
        raise FieldProblem("axes", str(error)) from error


def _impossible(plan: ExperimentPlan) -> list[dict[str, str]]:
    """Configurations that are no valid document."""
    problems = []
    for variant in plan.variants:
        try:
            load(document_of(plan, variant, plan.first_seed))
        except DocumentError as error:
            first = error.problems[0]
            message = f"Configuration {variant.letter} is not possible: {first.path}: {first.message}."
            problems.append(FieldProblem("axes", message).plain)
    return problems


def _too_late(plan: ExperimentPlan) -> list[dict[str, str]]:
    """Losses of a cluster after which there is no time for what follows them in the timeline."""
    for variant in plan.variants:
        fault = variant.settings.get("fault") or {"kind": "as-is"}
        lost_us = loss_us(plan.document, fault)
        if lost_us is None:
            continue
        gone = removed(plan, variant)
        moments = [at_us(entry) for entry in plan.document["timeline"] if entry not in gone]
        last_us = max(moments, default=0) - lost_us + fault["to_us"]
        if last_us >= plan.horizon_us:
            message = (
                f"What follows the loss of {fault['site']} in the timeline would end at {duration_words(last_us)}. "
                f"Take a longer simulated time than {duration_words(plan.horizon_us)}, or an earlier loss."
            )
            return [FieldProblem("fault", message).plain]
    return []


def _axes(raw: Any, document: Json, topics: list[str], horizon_us: int) -> dict[str, list[Any]]:
    """The values of each axis, checked; an axis without values is not varied."""
    if not isinstance(raw, dict):
        allowed = "a map of axes to lists of values"
        raise FieldProblem("axes", f"axes is {str(raw)[:60]!r}; allowed is {allowed}.", raw, allowed)
    unknown = [name for name in raw if name not in AXES]
    if unknown:
        allowed = ", ".join(AXES)
        raise FieldProblem("axes", f"There is no axis {unknown[0]!r}. Axes: {allowed}.", unknown[0], allowed)
    axes: dict[str, list[Any]] = {}
    for name in AXES:
        values = raw.get(name) or []
        if not isinstance(values, list) or len(values) > VALUES_MAX:
            allowed = f"a list of at most {VALUES_MAX} values"
            raise FieldProblem(name, f"{name} takes {allowed}.", values, allowed)
        checked = [_value(name, value, document, topics, horizon_us) for value in values]
        axes[name] = [value for i, value in enumerate(checked) if value not in checked[:i]]
    return axes


def _value(name: str, value: Any, document: Json, topics: list[str], horizon_us: int) -> Any:
    if value == AS_IS and name != "fault":
        return AS_IS
    if name == "acks":
        return _one_of(str(value), "acks", ACKS)
    if name == "unclean":
        return _one_of(value, "unclean election", (False, True))
    if name == "kafka":
        return _one_of(str(value), "Kafka version", tuple(PROFILES))
    if name == "lag_ms":
        return _milliseconds(value, "replica.lag.time.max.ms", LAG_MS_MAX)
    if name == "load":
        return _factor(value)
    if name == "fault":
        return _fault(value, document, horizon_us)
    if name == "wan_us" or name in MIRROR_KEYS:
        return _of_mirrors(name, value, document)
    most = largest_rf(document, topics)
    return _whole(value, "min.insync.replicas" if name == "min_isr" else "replication factor", 1, most)


def _milliseconds(value: Any, name: str, most: int) -> int:
    """Milliseconds, written as Kafka's key has them or as a duration."""
    if isinstance(value, str) and value.strip().endswith(("s", "m", "h")):
        return _duration(value.strip(), name, 1_000, most * 1_000) // 1_000
    return _whole(value, name, 1, most)


def _factor(value: Any) -> float:
    """The factor of a load: how many times that of the run."""
    allowed = f"a number from {LOAD_MIN:g} to {LOAD_MAX:,}"
    try:
        factor = float(str(value).lstrip("\N{MULTIPLICATION SIGN}x").replace(",", ""))
    except ValueError:
        raise FieldProblem("load", f"load is {value!r}; {allowed} is needed, such as 10.", value, allowed) from None
    if not LOAD_MIN <= factor <= LOAD_MAX:
        raise FieldProblem("load", f"load is {factor:g}; {allowed} is needed, such as 10.", value, allowed)
    return factor


def _of_mirrors(name: str, value: Any, document: Json) -> int:
    """The value of an axis that only documents with MirrorMaker have."""
    if not document.get("mirrors"):
        raise FieldProblem(name, "MirrorMaker copies nothing in this run, so none of its settings can be varied.")
    if name == "wan_us":
        return _duration(value, "WAN latency", 1, LATENCY_US_MAX)
    key = SIMULATED[MIRROR][MIRROR_KEYS[name]]
    return _whole(value, key.name, key.low, min(key.high, OFFSETS_MAX))


def largest_rf(document: Json, topics: list[str]) -> int:
    """Most replicas that a partition of the topics has."""
    lists = [replicas for name, topic in topics_of(document) if name in topics for replicas in topic["assignment"]]
    return max((len(replicas) for replicas in lists), default=1)


def _fault(raw: Any, document: Json, horizon_us: int) -> Json:
    if not isinstance(raw, dict | None):
        allowed = f"a map with kind {', '.join(FAULTS)}"
        raise FieldProblem("fault", f"The fault is {str(raw)[:60]!r}; allowed is {allowed}.", raw, allowed)
    raw = raw or {}
    kind = _one_of(raw.get("kind"), "fault", FAULTS)
    if kind == "as-is":
        return {"kind": kind}
    if kind == "rates":
        mttf = _duration(raw.get("mttf"), "MTTF", 1_000_000, 24 * 3_600_000_000)
        return {"kind": kind, "mttf_us": mttf, "mttr_us": _duration(raw.get("mttr"), "MTTR", 1_000, 3_600_000_000)}
    if kind == "site":
        clusters = list(document.get("clusters") or {})
        if not clusters:
            raise FieldProblem("site", "This run has one cluster. Let one of its racks die.")
        return {"kind": kind, "site": _one_of(raw.get("site"), "cluster", clusters), **_moment(kind, raw, horizon_us)}
    if kind == "roll":
        return _roll(raw, document, horizon_us)
    if kind == "rack" and not racks_of(document):
        raise FieldProblem("rack", "No broker of this run names a rack, so none can die. Give the brokers racks first.")
    return _outage(kind, raw, document, horizon_us)


def _outage(kind: str, raw: Json, document: Json, horizon_us: int) -> Json:
    """A failure of a rack or a broker, of several with commas, or of any."""
    known = racks_of(document) if kind == "rack" else broker_names(document)
    some = [_one_of(one, kind, [*known, ANY]) for one in (str(raw[kind]).split(",") if raw.get(kind) else [None])]
    if len(set(some)) < len(some) or (ANY in some and len(some) > 1):
        raise FieldProblem(kind, f"{kind} is {raw[kind]!r}; name each once, or {ANY} alone.")
    how = _one_of(raw.get("how") or "kill", "how", [name for name, one in OUTAGES.items() if kind in one.kinds])
    if how == "disk-lost" and not raw.get("back"):
        raise FieldProblem(
            kind, "A broker that loses its disk needs a time after which it comes back with an empty one."
        )
    if how == "cut" and len(some) > 1:
        raise FieldProblem(kind, f"One {kind} at a time can be cut off.")
    named = {"kind": kind, kind: ",".join(some), **_moment(kind, raw, horizon_us)}
    return named if how == "kill" else named | {"how": how}


def _roll(raw: Json, document: Json, horizon_us: int) -> Json:
    """A rolling restart, which ends before the horizon."""
    found = {"kind": "roll", **_moment("roll", raw, horizon_us)}
    if found["back_us"] is None:
        raise FieldProblem("roll", "A rolling restart needs the time for which each broker is down.")
    last_us = max(at_us(entry) for entry in timeline_of(found, document, found["to_us"]))
    if last_us >= horizon_us:
        raise FieldProblem(
            "roll",
            f"The last broker would be back at {duration_words(last_us)}. Take a longer simulated time than "
            f"{duration_words(horizon_us)}, or a shorter restart.",
        )
    return found


def _moment(kind: str, raw: Json, horizon_us: int) -> Json:
    """The moments between which a failure begins, and the time until it is over."""
    what = "cluster" if kind == "site" else kind
    start = _duration(raw.get("from"), f"moment of the {what}'s failure", 0, horizon_us - 1)
    end = _duration(raw.get("to") or raw.get("from"), f"last moment of the {what}'s failure", start, horizon_us - 1)
    back = None
    if raw.get("back"):
        back = _duration(raw["back"], f"time until the {what} comes back", 1_000, limits.HORIZON_US_MAX)
    return {"from_us": start, "to_us": end, "back_us": back}


def _whole(value: Any, name: str, low: int, high: int) -> int:
    allowed = f"a whole number from {low:,} to {high:,}"
    if value is None or value == "":
        raise FieldProblem(name, f"{name} is missing; {allowed} is needed.", value, allowed)
    try:
        text = str(value)
        number = int(text.replace(",", "") if SEPARATED.fullmatch(text) else text)
    except ValueError:
        raise FieldProblem(name, f"{name} is {value!r}; {allowed} is needed.", value, allowed) from None
    if not low <= number <= high:
        raise FieldProblem(name, f"{name} is {number:,}; allowed is {low:,} to {high:,}.", value, allowed)
    return number


def _duration(value: Any, name: str, low: int, high: int) -> int:
    if value is None or value == "":
        raise FieldProblem(name, f"{name} is missing; write {DURATION}.", value, DURATION)
    try:
        number = parse_duration(value)
    except ValueError:
        raise FieldProblem(name, f"{name} is {value!r}; write {DURATION}.", value, DURATION) from None
    if not low <= number <= high:
        least, most = duration_words(low), duration_words(high)
        below = f"less than {duration_words(high + 1)}"  # a bound that lies a microsecond before another moment
        allowed = f"{least} or more, {below}" if (high + 1) % 1_000 == 0 else f"{least} to {most}"
        raise FieldProblem(name, f"{name} is {duration_words(number)}; allowed is {allowed}.", value, allowed)
    return number


def _one_of(value: Any, name: str, allowed: Any) -> Any:
    if value not in allowed:
        choices = ", ".join(str(choice) for choice in allowed)
        what = "missing" if value is None else repr(value)
        raise FieldProblem(name, f"{name} is {what}; allowed is {choices}.", value, choices)
    return value


def _some_of(values: Any, name: str, allowed: list[str]) -> list[str]:
    if not allowed:
        raise FieldProblem(name, "This run has no topic, so there is nothing to lose. Add a topic first.")
    if not isinstance(values, list):
        choices = f"a list of {', '.join(allowed)}"
        raise FieldProblem(name, f"{name} takes {choices}.", values, choices)
    return [name for name in allowed if name in [_one_of(value, "topic", allowed) for value in values]]
