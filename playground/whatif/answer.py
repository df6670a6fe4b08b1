"""The answer of an experiment in plain sentences: what was found, how sure it is, and its price.

Figures come from `statistics.summary`. Configurations are told apart only where `pairing` calls their difference
clear: that one rule decides the title, the badge and what is bold in the table.
"""

from typing import Any, Final

import pyarrow as pa

from playground.whatif.pairing import between
from playground.whatif.pipeline.axes import varied
from playground.whatif.pipeline.fault import duration_words, lost_by
from playground.whatif.pipeline.plan import Plan
from playground.whatif.site_answer import with_sites
from playground.whatif.statistics import summary
from playground.whatif.why_none import why_none_lost
from simengine.scenario import load

Json = dict[str, Any]

FORMAT: Final = 2
"""Of a stored result: the page draws no other."""

NAMED_MAX: Final = 3
"""Configurations whose rates are told in the text one by one."""

SUCH_RUNS: Final = "Such runs have this fault, this window and this load: the share is no rate a year."


def compared(plan: Plan, baseline: str, rows: pa.Table, is_final: bool = True) -> Json:
    """What the page shows of the rows that are there: the summary, the best configuration and the answer."""
    result = summary(plan, baseline, rows, is_final)
    result["format"] = FORMAT
    result["best"] = best(result)
    losing = [v["letter"] for v in result["variants"] if v["losing"]]
    told = answer(result, when(plan), latency(plan), why_none_lost(plan, losing))
    result["answer"] = with_sites(told, result)
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


def least_losing(summary: Json) -> list[Json]:
    """The configuration with the smallest share of losing runs, and all that do not clearly lose more often."""
    order = ranked(summary["variants"])
    return [v for v in order if v is order[0] or not _is_clearly_more(summary, v, order[0], "loses")]


def best(summary: Json) -> str | None:
    """Letter of the configuration that clearly loses less often than each other one; else None."""
    least = least_losing(summary)
    return str(least[0]["letter"]) if len(least) == 1 < len(ranked(summary["variants"])) else None


def _is_clearly_more(summary: Json, one: Json, other: Json, column: str) -> bool:
    """Whether the first has clearly more of something than the second (losing runs, records lost, time)."""
    pair = between(summary["comparisons"], one["letter"], other["letter"])
    return pair is not None and pair[column]["is_clear"] and pair[column]["more"] > pair[column]["fewer"]


def when(plan: Plan) -> str:
    """What happened to the cluster in every configuration, if the experiment says so: "when az-a died"."""
    fault = plan.variants[0].settings.get("fault")
    if fault is None or fault["kind"] == "as-is" or "fault" in varied(plan):
        return ""
    return "while brokers failed at random" if fault["kind"] == "rates" else f"when {lost_by(fault)} died"


def latency(plan: Plan) -> str:
    """The one-way delay between nodes, as a clause: every time of a record rests on it. "" if clusters differ in it."""
    document = load(plan.document)
    parts = document.clusters.values() or [document]
    delays = list(dict.fromkeys(part.network.latency_us for part in parts))
    return f", with {duration_words(delays[0])} one way between nodes" if len(delays) == 1 else ""


def answer(summary: Json, when: str = "", latency: str = "", why_none: str = "") -> Json:
    """`title` and `text` of the page.

    `when`: what happened to the cluster ("when az-a died"); `latency`: the delay between nodes, in words; `why_none`:
    why no run could lose an acknowledged record, where that is so by rule.
    """
    told = _compared(summary, when, latency, why_none) if summary["is_final"] else _so_far(summary)
    silent = [v for v in summary["variants"] if v["runs"] and v["loses"][0] is None]
    if silent:
        who = _and([v["letter"] if len(silent) > 1 else full_name(v) for v in silent])
        their = "their" if len(silent) > 1 else "its"
        said = f"{who} acknowledged no record, so this counts no loss of {their} records"
        told["text"] = f"{told['text']} {said}{_vanished(silent)}.".strip()
    return told


def _vanished(silent: list[Json]) -> str:
    """What became of records that were handed over without waiting for a response (PROD-4)."""
    handed_over, gone = (sum(v[key] for v in silent) for key in ("handed_over", "vanished_in_all"))
    if not handed_over:
        return ""
    return f": of {handed_over:,} handed over with acks=0, {f'{gone:,}' if gone else 'none'} vanished"


def _so_far(summary: Json) -> Json:
    """The answer before the last run: counts, and no comparison."""
    order = ranked(summary["variants"])
    if not order:
        return {"title": _nothing_acknowledged(summary), "text": ""}
    counts = [f"{v['losing']:,} of {v['runs']:,} with {full_name(v)}" for v in order[:NAMED_MAX]]
    rest = f" and {len(order) - NAMED_MAX} more configurations" if len(order) > NAMED_MAX else ""
    title = f"Runs that lost acknowledged records: {'; '.join(counts)}{rest}."
    return {"title": title, "text": "Configurations are compared when all runs are finished."}


def _nothing_acknowledged(summary: Json) -> str:
    """The title where no configuration acknowledged a record."""
    return "No record was acknowledged." if any(v["runs"] for v in summary["variants"]) else "No run has finished."


def _compared(summary: Json, when: str, latency: str, why_none: str) -> Json:
    """The answer about the configurations that acknowledged records."""
    order = ranked(summary["variants"])
    tail = f" {when}" if when else ""
    if not order:
        return {"title": _nothing_acknowledged(summary), "text": ""}
    if len(order) == 1:
        none = why_none if order[0]["losing"] == 0 else ""
        return {"title": _alone(order[0], tail), "text": f"{_sureness(order[0], 'It')} {SUCH_RUNS} {none}".strip()}
    least = least_losing(summary)
    if len(least) == 1:
        title = _best_title(least[0], tail)
        text = f"{_sureness(least[0], 'It')} {SUCH_RUNS} {_price(summary, least[0], order, latency)}"
    elif all(v["losing"] == 0 for v in least):
        nobody = f"No configuration lost an acknowledged record{tail}."
        title = nobody if len(least) == len(order) else f"{_named(least)} lost nothing{tail}."
        text = f"{_clean(least)} {SUCH_RUNS} {why_none} {_times(summary, least)}"
    else:
        title = _tied_title(least, order, tail)
        rates = " ".join(_sureness(v) for v in least[:NAMED_MAX])
        text = f"{rates} {SUCH_RUNS} {_times(summary, least)}"
    return {"title": title, "text": text.replace("  ", " ").strip()}


def _alone(figures: Json, tail: str) -> str:
    if figures["losing"] == 0:
        return f"Nothing acknowledged was lost{tail}." if tail else f"{full_name(figures)} lost nothing."
    subject = "Acknowledged records were lost" if tail else f"{full_name(figures)} lost acknowledged records"
    return f"{subject} in {percent(figures['loses'][0])} of runs{tail}."


def _best_title(top: Json, tail: str) -> str:
    if top["losing"] == 0:
        return f"Only {full_name(top)} lost nothing{tail}."
    share = percent(top["loses"][0])
    return f"{full_name(top)} loses acknowledged records least often{tail}: in {share} of runs."


def _tied_title(least: list[Json], order: list[Json], tail: str) -> str:
    """Several configurations, none clearly better than the others of them."""
    seeds = f"with {least[0]['runs']:,} seeds"
    if len(least) == len(order):
        return f"{_named(least)} cannot be told apart {seeds}."
    return f"{_named(least)} lose acknowledged records least often{tail}. They cannot be told apart {seeds}."


def _clean(variants: list[Json]) -> str:
    """What is known of configurations that lost nothing, all with about as many runs."""
    return _sureness(min(variants, key=lambda v: int(v["runs"])), "Each")


def _sureness(figures: Json, subject: str = "") -> str:
    """What the runs tell of all such runs; the subject is the configuration's own name where none is given."""
    subject = subject or full_name(figures)
    runs, sure = f"{figures['runs']:,} runs", "(95\N{NO-BREAK SPACE}% confidence)"
    if figures["losing"] == 0:
        bound = f"{max(0.1, figures['loses'][2] * 100):.1f}\N{NO-BREAK SPACE}%"
        return f"{subject} lost no acknowledged record in {runs}: less than {bound} of all such runs lose some {sure}."
    low, high = (percent(end) for end in figures["loses"][1:])
    lost = f"{subject} lost acknowledged records in {figures['losing']:,} of {runs}"
    return f"{lost}: between {low} and {high} of all such runs lose some {sure}."


def _times(summary: Json, order: list[Json]) -> str:
    """Whose application waited shortest, where that is clear; else how long it waited in the middle run of each.

    Applications that move to another cluster stop waiting there: the RTO tells how long they stood still.
    """
    if any((v.get("sites") or {}).get("failovers") for v in order):
        return ""
    by_time = sorted(order, key=lambda v: (v["down"][0], v["letter"]))
    quick, slow = by_time[0], by_time[-1]
    if _is_clearly_more(summary, slow, quick, "down") and _seconds(slow["down"][0]) != _seconds(quick["down"][0]):
        shortest = (
            f"waited shortest with {quick['letter']}" if len(order) > 2 else f"waited less with {quick['letter']}"
        )
        times = f"{_seconds(quick['down'][0])} in the middle run, {_seconds(slow['down'][0])} with {slow['letter']}"
        return f"The application {shortest}: {times}."
    named = order if len(order) <= NAMED_MAX else (quick, slow)
    waits = [f"{_seconds(v['down'][0])} with {v['letter']}" for v in named]
    if len(dict.fromkeys(_seconds(v["down"][0]) for v in order)) == 1:
        return f"The application got no response for {_seconds(quick['down'][0])} in the middle run of each."
    times = _and(waits) if named is order else " to ".join(waits)
    return f"The application got no response for {times} in the middle run; that difference may be chance."


def _price(summary: Json, chosen: Json, order: list[Json], latency: str) -> str:
    """What the choice costs in time against another one, where it clearly costs any; "" where it does not."""
    others = [v for v in order if v["letter"] != chosen["letter"]]
    parts = []
    quicker = [v for v in others if _is_clearly_more(summary, chosen, v, "down")]
    if quicker:
        quick = min(quicker, key=lambda v: (v["down"][0], v["letter"]))
        parts.append(
            f"the application got no response for {_seconds(chosen['down'][0])} in the middle run"
            f"{_slowest(chosen)}, against {_seconds(quick['down'][0])}{_slowest(quick)} with {quick['letter']}"
        )
    later = _later(chosen, others, "latency_p50")
    if later:
        parts.append(f"records were acknowledged after {later} (median{latency})")
    elif not parts:
        later = _later(chosen, others, "latency_p99")
        parts += [f"the slowest 1\N{NO-BREAK SPACE}% of records waited at least {later}"] if later else []
    return f"The price is time: {', and '.join(parts)}." if parts else ""


def _later(chosen: Json, others: list[Json], key: str) -> str:
    """A latency beside that of the fastest other configuration; "" where none is clearly faster, or none is told."""
    mine = chosen[key]
    faster = [v for v in others if _lies_below(v[key], mine)]
    if not faster:
        return ""
    fast = min(faster, key=lambda v: (v[key][0], v["letter"]))
    return f"{_duration(mine[0])}, against {_duration(fast[key][0])} with {fast['letter']}"


def _lies_below(one: list[float | None], other: list[float | None]) -> bool:
    """Whether one interval ends before the other begins, in figures that are printed apart."""
    high, low = one[2], other[1]
    if high is None or low is None or one[0] is None or other[0] is None:
        return False
    return high < low and _duration(one[0]) != _duration(other[0])


def _slowest(figures: Json) -> str:
    """The 95th percentile of the application's time, where there are runs enough for one."""
    centre, low, _ = figures["down_p95"]
    return "" if low is None else f" and at least {_seconds(centre)} in the slowest 5\N{NO-BREAK SPACE}%"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s"


def _duration(ms: float) -> str:
    return f"{ms:.1f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def percent(share: float) -> str:
    """A share as it is printed: never 0 % of what happened, never 100 % of what failed once."""
    space = "\N{NO-BREAK SPACE}"
    if share in (0, 1):
        return f"{share * 100:.0f}{space}%"
    if share < 0.001:
        return f"<{space}0.1{space}%"
    return f">{space}99.9{space}%" if share > 0.999 else f"{share * 100:.1f}{space}%"


def _and(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
