"""The answer of an experiment in plain sentences: what was found, how sure it is, and its price.

Figures come from `statistics.summary`; nothing is claimed that the intervals do not carry: the best configuration is
named only when its interval does not overlap the next one's.
"""

from typing import Any, Final

import pyarrow as pa

from playground.whatif.pipeline.axes import varied
from playground.whatif.pipeline.plan import Plan
from playground.whatif.statistics import summary

Json = dict[str, Any]

SLOWER_SECONDS: Final = 0.05  # smaller differences of unavailability are not called a price
SLOWER_MS: Final = 0.05


def compared(plan: Plan, baseline: str, rows: pa.Table) -> Json:
    """What the page shows of the rows that are there: the summary, the best configuration and the answer."""
    result = summary(plan, baseline, rows)
    result["best"] = best(result["variants"])
    result["answer"] = answer(result, when(plan))
    return result


def full_name(figures: Json) -> str:
    """A configuration by all its settings."""
    return ", ".join(filter(None, (figures["name"], figures["detail"])))


def _named(variants: list[Json]) -> str:
    """Several configurations as the subject of a sentence: by their letters where a name holds a comma itself."""
    names = [full_name(v) for v in variants]
    return _and([v["letter"] for v in variants] if any("," in name for name in names) else names)


def ranked(variants: list[Json]) -> list[Json]:
    """Configurations that acknowledged records, from the smallest share of losing runs to the largest."""
    return sorted((v for v in variants if v["loses"][0] is not None), key=lambda v: (v["loses"][0], v["letter"]))


def best(variants: list[Json]) -> str | None:
    """Letter of the configuration that loses least, if its interval lies below the next one's; else None."""
    order = ranked(variants)
    if len(order) < 2 or order[0]["loses"][2] >= order[1]["loses"][1]:
        return None
    return str(order[0]["letter"])


def when(plan: Plan) -> str:
    """What happened to the cluster in every configuration, if the experiment says so: "when az-a died"."""
    fault = plan.variants[0].settings.get("fault")
    if fault is None or fault["kind"] == "as-is" or "fault" in varied(plan):
        return ""
    return f"when {fault['rack']} died" if fault["kind"] == "rack" else "while brokers failed at random"


def answer(summary: Json, when: str = "") -> Json:
    """`title` and `text`; `when` says what happened to the cluster ("when az-a died")."""
    told = _compared(summary, when)
    silent = [v for v in summary["variants"] if v["runs"] and v["loses"][0] is None]
    if silent:
        who = _and([v["letter"] if len(silent) > 1 else full_name(v) for v in silent])
        their = "their" if len(silent) > 1 else "its"
        said = f"{who} acknowledged no record, so this counts no loss of {their} records"
        told["text"] = f"{told['text']} {said}{_vanished(silent)}.".strip()
    return told


def _vanished(silent: list[Json]) -> str:
    """What became of records that were handed over without waiting for an answer (PROD-4)."""
    handed_over, gone = (sum(v[key] for v in silent) for key in ("handed_over", "vanished_in_all"))
    if not handed_over:
        return ""
    return f": of {handed_over:,} handed over with acks=0, {f'{gone:,}' if gone else 'none'} vanished"


def _compared(summary: Json, when: str) -> Json:
    """The answer about the configurations that acknowledged records."""
    order = ranked(summary["variants"])
    if not order:
        finished = any(v["runs"] for v in summary["variants"])
        return {"title": "No record was acknowledged." if finished else "No run has finished.", "text": ""}
    tail = f" {when}" if when else ""
    top = best(summary["variants"])
    clean = [v for v in order if v["losing"] == 0]
    if len(order) == 1:
        return {"title": _alone(order[0], tail), "text": _sureness(order[0], "It")}
    if len(clean) == len(order):
        title = f"No configuration lost an acknowledged record{tail}."
        text = f"{_clean(order)} {_undecided(order)} {_speed(order)}"
        return {"title": title, "text": text.strip()}
    if len(clean) > 1:
        title = f"{_named(clean)} lost nothing{tail}."
        return {"title": title, "text": f"{_clean(clean)} {_undecided(clean)} {_speed(clean)}"}
    if top is None:
        title = f"{_named(order[:2])} cannot be told apart with {order[0]['runs']:,} seeds."
        return {"title": title, "text": f"{_sureness(order[0])} {_sureness(order[1])} {_speed(order[:2])}"}
    if clean:
        title = f"Only {full_name(order[0])} lost nothing{tail}."
    else:
        title = f"{full_name(order[0])} loses acknowledged records least often{tail}: in {percent(order[0])} of runs."
    return {"title": title, "text": f"{_sureness(order[0], 'It')} {_price(order[0], order)}"}


def _alone(figures: Json, tail: str) -> str:
    if figures["losing"] == 0:
        return f"Nothing acknowledged was lost{tail}." if tail else f"{full_name(figures)} lost nothing."
    subject = "Acknowledged records were lost" if tail else f"{full_name(figures)} lost acknowledged records"
    return f"{subject} in {percent(figures)} of runs{tail}."


def _clean(variants: list[Json]) -> str:
    """What is known of configurations that lost nothing, all with about as many runs."""
    return _sureness(min(variants, key=lambda v: int(v["runs"])), "Each")


def _sureness(figures: Json, subject: str = "") -> str:
    """What is known of the true rate; the subject is the configuration's own name where none is given."""
    subject = subject or full_name(figures)
    low, high = figures["loses"][1] * 100, figures["loses"][2] * 100
    runs = f"{figures['runs']:,} runs"
    if figures["losing"] == 0:
        rate = f"its true loss rate is below {high:.1f}\N{NO-BREAK SPACE}% (95\N{NO-BREAK SPACE}% confidence)"
        return f"{subject} lost no acknowledged record in {runs}, so {rate}."
    rate = f"its true rate lies between {low:.1f} and {high:.1f}\N{NO-BREAK SPACE}% (95\N{NO-BREAK SPACE}% confidence)"
    return f"{subject} lost acknowledged records in {figures['losing']:,} of {runs}: {rate}."


def _undecided(order: list[Json]) -> str:
    letters = _and([v["letter"] for v in order])
    return f"By loss, {letters} cannot be told apart with {order[0]['runs']:,} seeds."


def _speed(order: list[Json]) -> str:
    """Who stopped writes shortest."""
    by_time = sorted(order, key=lambda v: (v["down"][0], v["letter"]))
    quick, slow = by_time[0], by_time[-1]
    if slow["down"][0] - quick["down"][0] < SLOWER_SECONDS or _shown(slow) == _shown(quick):
        return f"Writes stopped for {_shown(quick)} in the middle run of each."
    return (
        f"Of these, {quick['letter']} stopped writes shortest: {_shown(quick)} in the middle run, "
        f"{slow['letter']} {_shown(slow)}."
    )


def _shown(figures: Json) -> str:
    """The unavailability of the middle run as it is printed."""
    return f"{figures['down'][0]:.1f} s"


def _price(chosen: Json, order: list[Json]) -> str:
    """What the choice, which was just named, costs in time against the others."""
    others = [v for v in order if v["letter"] != chosen["letter"]]
    quick = min(others, key=lambda v: (v["down_p95"][0], v["letter"]))
    parts = []
    if chosen["down_p95"][0] - quick["down_p95"][0] > SLOWER_SECONDS:
        parts.append(
            f"writes stopped for {chosen['down'][0]:.1f} s in the middle run and {chosen['down_p95'][0]:.1f} s in the "
            f"slowest 5 %, against {quick['down'][0]:.1f} s and {quick['down_p95'][0]:.1f} s with {quick['letter']}"
        )
    fast = min((v for v in others if v["latency_p50"][0] is not None), key=lambda v: v["latency_p50"][0], default=None)
    mine = chosen["latency_p50"][0]
    if fast is not None and mine is not None and mine - fast["latency_p50"][0] > SLOWER_MS:
        parts.append(
            f"records were acknowledged after {_duration(mine)}, against {_duration(fast['latency_p50'][0])} "
            f"with {fast['letter']} (p50)"
        )
    if not parts:
        return "It costs no time: no other configuration was faster."
    return f"The price is time: {', and '.join(parts)}."


def _duration(ms: float) -> str:
    return f"{ms:.1f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def percent(figures: Json) -> str:
    """The share of losing runs."""
    return f"{figures['loses'][0] * 100:.1f} %"


def _and(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
