"""The answer of an experiment in plain sentences: what differs, how sure it is, and its price.

The title tells the first of these that clearly differs: a loss that a rule excludes, the share of losing runs, the
number of lost records, the wait of the application, the latency. The title and the badge follow one order (`ranking`),
what is bold in the table its test (`pairing`), and every figure of a sentence stands in a table with its interval.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pyarrow as pa

from playground.whatif.alert_answer import alert_sentence
from playground.whatif.circumstances import Circumstances, circumstances
from playground.whatif.figure_words import called, duration, full_name, letters, named, percent, seconds, short
from playground.whatif.pairing import between
from playground.whatif.pipeline.plan import ExperimentPlan
from playground.whatif.ranking import Ranking, by_rule, is_clearly_more, may_differ, ranking
from playground.whatif.site_answer import with_sites
from playground.whatif.statistics import summary
from playground.whatif.told import Told
from simengine.words.phrases import listed, plural

Json = dict[str, Any]

FORMAT: Final = 3
"""Of a stored result: the page draws no other."""

NAMED_MAX: Final = 3
"""Configurations whose rates are told in the text one by one."""


class Level(NamedTuple):
    """A compared figure in words: superlative, comparative, the begin and end of a sentence, what the median is of."""

    column: str  # of a comparison
    key: str  # of a configuration's figures
    digits: int
    most: str
    more: str
    begin: str
    end: str
    of: str
    words: Callable[[float], str]

    def value(self, figures: Json) -> float:
        """The median of a configuration as it is printed."""
        return float(round(figures[self.key][0] or 0, self.digits))

    def said(self, figures: Json) -> str:
        """The median of a configuration in words."""
        return self.words(self.value(figures))


LOST: Final = Level(
    "lost",
    "lost_median",
    0,
    "the fewest acknowledged records were lost",
    "fewer acknowledged records were lost",
    "The middle losing run lost",
    "",
    " in the middle losing run",
    lambda lost: f"{lost:,.0f}",
)
WAITED: Final = Level(
    "down",
    "down",
    1,
    "the application waited shortest",
    "the application waited less",
    "The application got no response for",
    " in the middle run",
    " in the middle run",
    seconds,
)
LATER: Final = Level(
    "latency_p50",
    "latency_p50",
    1,
    "records were acknowledged soonest",
    "records were acknowledged sooner",
    "Records were acknowledged after",
    " (median in the slowest topic)",
    " (median in the slowest topic)",
    duration,
)


def compared(plan: ExperimentPlan, baseline: str, rows: pa.Table, is_final: bool = True) -> Json:
    """The comparison of the rows that are there, for the page: the summary, the best configuration and the answer."""
    result = summary(plan, baseline, rows, is_final)
    result["format"] = FORMAT
    about = circumstances(plan, [v["letter"] for v in result["variants"] if v["losing"]])
    result["best"] = best(result, about)
    result["basis"] = about.basis
    result["answer"] = with_sites(_answer(result, about), result)
    return result


def ranked(variants: list[Json]) -> list[Json]:
    """Configurations that acknowledged records, from the smallest share of losing runs to the largest."""
    return sorted((v for v in variants if v["loses"][0] is not None), key=lambda v: (v["loses"][0], v["letter"]))


def best(summary: Json, about: Circumstances | None = None) -> str | None:
    """Letter of the configuration that clearly loses less often than each other one; else None."""
    shares = _by_share(summary, ranked(summary["variants"]), about or Circumstances())
    is_alone = len(shares.least) == 1 and shares.more and not shares.unclear
    return str(shares.least[0]["letter"]) if is_alone else None


def _by_share(summary: Json, order: list[Json], about: Circumstances) -> Ranking:
    """The configurations by a rule that excludes the loss, else by their shares of losing runs."""
    ruled = by_rule(order, about.lossless) if summary["is_final"] else None
    return ruled or ranking(summary["comparisons"], order, "loses", lambda v: float(v["loses"][0]))


def answer(summary: Json, about: Circumstances | None = None) -> Json:
    """`title` and `text` of the page of runs of one cluster."""
    return _answer(summary, about or Circumstances()).whole()


def _answer(summary: Json, about: Circumstances) -> Told:
    told = _compared(summary, about) if summary["is_final"] else _so_far(summary)
    silent = [v for v in summary["variants"] if v["runs"] and v["loses"][0] is None]
    if silent:
        who = letters(silent) if len(silent) > 1 else called(silent[0])
        their = "their" if len(silent) > 1 else "its"
        said = f"{who} acknowledged no record, so this counts no loss of {their} records"
        told.sentences.append(f"{said}{_vanished(silent)}.")
    return told


def _vanished(silent: list[Json]) -> str:
    """The clause on records that were handed over without waiting for a response: how many vanished (PROD-4)."""
    handed_over, gone = (sum(v[key] for v in silent) for key in ("handed_over", "vanished_in_all"))
    if not handed_over:
        return ""
    return f": of {handed_over:,} handed over with acks=0, {f'{gone:,}' if gone else 'none'} vanished"


def _so_far(summary: Json) -> Told:
    """The answer before the last run: counts, and no comparison."""
    order = ranked(summary["variants"])
    if not order:
        return _told(_nothing_acknowledged(summary))
    counts = [f"{v['losing']:,} of {v['runs']:,} with {full_name(v)}" for v in order[:NAMED_MAX]]
    more = len(order) - NAMED_MAX
    rest = f" and {plural(more, 'more configuration', 'more configurations')}" if more > 0 else ""
    title = f"Runs that lost acknowledged records: {'; '.join(counts)}{rest}."
    return _told(title, "Configurations are compared when all runs are finished.")


def _nothing_acknowledged(summary: Json) -> str:
    """The title where no configuration acknowledged a record."""
    return "No record was acknowledged." if any(v["runs"] for v in summary["variants"]) else "No run has finished."


def _compared(summary: Json, about: Circumstances) -> Told:
    """The answer about the configurations that acknowledged records."""
    order = ranked(summary["variants"])
    if not order:
        return _told(_nothing_acknowledged(summary))
    if len(order) == 1:
        none = about.why_none if order[0]["losing"] == 0 else ""
        sure, alerts = _sureness(order[0], "It"), alert_sentence(order)
        return _told(_alone(order[0], about.tail), sure, alerts, about.such_runs, about.moment, none)
    shares, tied = _by_share(summary, order, about), list[str]()
    if len(shares.least) == 1 and shares.is_by_rule:
        title = f"{_ruled(shares, about.tail)}."
    elif shares.unclear and not shares.is_by_rule:
        title = _partial_title(shares, about.tail)
    elif len(shares.least) == 1:
        title = _best_title(shares.least[0], about.tail)
    else:
        title, tied = _tied_title(summary, shares, about)
    ends = [*about.ends, *([about.why_none] if not shares.least[0]["losing"] else [])]
    wait = _wait(summary, shares.least[0], order, about) if shares.is_by_rule else ""
    rest = tied or [wait, _price(summary, shares.least[0], order, about)]
    rates = _named_rates(shares.more) if shares.is_by_rule else _rates(shares.least)
    return _told(title, rates, alert_sentence(order), *ends, *_by_topics(order), *rest)


def _told(title: str, *sentences: str) -> Told:
    return Told(title, [one for one in sentences if one])


def _alone(figures: Json, tail: str) -> str:
    if figures["losing"] == 0:
        return f"Nothing acknowledged was lost{tail}." if tail else f"{called(figures)} lost nothing."
    subject = "Acknowledged records were lost" if tail else f"{called(figures)} lost acknowledged records"
    return f"{subject} in {percent(figures['loses'][0])} of runs{tail}."


def _best_title(top: Json, tail: str) -> str:
    if top["losing"] == 0:
        return f"Only {called(top)} lost nothing{tail}."
    return f"{called(top)} loses acknowledged records least often{tail}: in {percent(top['loses'][0])} of runs."


def _partial_title(shares: Ranking, tail: str) -> str:
    """One configuration that clearly loses less often than some others, but not than all."""
    share = percent(shares.least[0]["loses"][0])
    less = f"{called(shares.least[0])} loses acknowledged records less often than {named(shares.more)}{tail}"
    return f"{less}: in {share} of runs."


def _ruled(shares: Ranking, tail: str) -> str:
    """The clauses on configurations that lose nothing by rule, and on those that lost records."""
    verb = "loses" if len(shares.least) == 1 else "lose"
    return f"{named(shares.least)} {verb} none by rule; {_counts(shares.more)}{tail}"


def _counts(some: list[Json]) -> str:
    """The clause on the losing runs of some configurations; of many the least and the greatest number."""
    least, *more = ranked(some)
    if len(some) > NAMED_MAX:
        return f"{letters(some)} lost acknowledged records in {_losing(least)} to {_losing(more[-1])} runs"
    first = f"{called(least)} lost acknowledged records in {_losing(least)} runs"
    return listed([first, *(f"{called(v)} in {_losing(v)}" for v in more)])


def _losing(figures: Json) -> str:
    number = f"{figures['losing']:,}" if figures["losing"] else "none"
    return f"{number} of {figures['runs']:,}"


def _tied_title(summary: Json, shares: Ranking, about: Circumstances) -> tuple[str, list[str]]:
    """Of several configurations, none clearly better by its share: what differs else, and the sentences on the rest."""
    group, is_whole = shares.least, not shares.more
    levels = [level for level in (LOST, WAITED, LATER) if _is_compared(level, group)]
    rankings = [(level, ranking(summary["comparisons"], group, level.column, level.value)) for level in levels]
    first = next((one for one in rankings if one[1].more), None)
    sentences = [_sentence(summary, level, found) for level, found in rankings]
    clause = _clause(*first, named if is_whole else letters) if first else ""
    if first and first[0] is not LOST and is_whole and len({one["losing"] for one in group}) > 1:
        return f"{_open_loss(summary, group, about.tail)}; {clause}.", sentences
    if not is_whole:
        best = first[1].least[0] if first else group[0]
        price = _price(summary, best, [best, *shares.more], about, f" with {best['letter']}")
        sentences.insert(len([level for level in levels if level is not LATER]), price)
    if shares.is_by_rule:
        clause = clause and f"; of {letters(group)} {clause}"
        return f"{_ruled(shares, about.tail)}{clause}.", sentences
    return f"{_tie(summary, group, is_whole, about.tail, clause)}.", sentences


def _tie(summary: Json, group: list[Json], is_whole: bool, tail: str, clause: str) -> str:
    """The title of configurations that tie in the share of losing runs; `clause`: what tells them apart, or ""."""
    head = _head(group, is_whole, tail)
    if head and clause:
        return f"{head}; {'' if is_whole else 'of them '}{clause}"
    if head and _are_clean(group):
        return head
    if not clause:
        return _undecided(summary, group, head, tail)
    return _begun(f"{tail.strip()}, {clause}" if tail else clause)


def _open_loss(summary: Json, group: list[Json], tail: str) -> str:
    """The clause on losses that do not clearly differ: it stands before any wait and any price."""
    unsure = "; more seeds may make that difference clear" if may_differ(summary["comparisons"], group) else ""
    return f"{_counts(group)}{tail}{unsure}"


def _undecided(summary: Json, group: list[Json], head: str, tail: str) -> str:
    """The title where no figure clearly differs: an interval of shares that excludes 0 is more than no difference."""
    if may_differ(summary["comparisons"], group):
        counts = _counts(group)
        return f"{head}; of them {counts}" if head else _open_loss(summary, group, tail)
    apart = f"cannot be told apart with {group[0]['runs']:,} seeds"
    return f"{head}. They {apart}" if head else f"{named(group)} {apart}"


def _head(group: list[Json], is_whole: bool, tail: str) -> str:
    """The clause on the configurations that tie in the share of losing runs; "" where the shares say nothing."""
    if _are_clean(group):
        return (
            f"No configuration lost an acknowledged record{tail}" if is_whole else f"{named(group)} lost nothing{tail}"
        )
    return "" if is_whole else f"{named(group)} lose acknowledged records least often{tail}"


def _are_clean(group: list[Json]) -> bool:
    return not any(v["losing"] for v in group)


def _is_compared(level: Level, group: list[Json]) -> bool:
    """False for a figure that some have not. Where clients move to another cluster the RTO tells how long they wait."""
    if level is LOST:
        return all(v["losing"] for v in group)
    if level is WAITED:
        return not any((v.get("sites") or {}).get("failovers") for v in group)
    return all(v[level.column][0] is not None for v in group)


def _clause(level: Level, found: Ranking, who: Callable[[list[Json]], str]) -> str:
    """The clause on configurations that clearly have less of a figure than others; `who`: how these are named."""
    values = f"{_span(level, found.least)}{level.of}, against {_span(level, found.more)}"
    if found.unclear or len(found.least) + len(found.more) == 2:
        return f"{level.more} with {who(found.least)} than with {who(found.more)}: {values}"
    return f"{level.most} with {who(found.least)}: {values} with {letters(found.more)}"


def _span(level: Level, some: list[Json]) -> str:
    """The medians of some configurations, from the least to the greatest."""
    order = sorted(some, key=level.value)
    return " to ".join(dict.fromkeys((level.said(order[0]), level.said(order[-1]))))


def _wait(summary: Json, chosen: Json, order: list[Json], about: Circumstances) -> str:
    """The sentence on the wait where it is no part of the price of a choice; "" where it is."""
    if not _is_compared(WAITED, order) or _costs(summary, WAITED, chosen, about.peers(chosen, order)):
        return ""
    return _sentence(summary, WAITED, ranking(summary["comparisons"], order, WAITED.column, WAITED.value))


def _sentence(summary: Json, level: Level, found: Ranking) -> str:
    """The sentence of the text on a figure: the medians of the configurations, and how clear their difference is."""
    order = sorted((*found.least, *found.more, *found.unclear), key=lambda v: (level.value(v), v["letter"]))
    if len({level.said(v) for v in order}) == 1:
        return "" if level is LATER else f"{level.begin} {level.said(order[0])}{level.end} with each."
    texts = [f"{level.said(v)}{_interval(level, v)} with {v['letter']}" for v in order]
    told = listed(texts) if len(texts) <= NAMED_MAX else f"{texts[0]} to {texts[-1]}"
    return f"{level.begin} {told}{level.end}; {_sure(summary, level, found)}."


def _interval(level: Level, figures: Json) -> str:
    _, low, high = figures[level.key]
    return "" if low is None else f" ({level.words(low)} to {level.words(high)})"


def _sure(summary: Json, level: Level, found: Ranking) -> str:
    """The clause on the differences of a figure that are clear; of two configurations with the numbers of seeds."""
    if not found.more:
        return "that difference may be chance"
    if len(found.least) + len(found.more) + len(found.unclear) > 2:
        return f"{letters(found.least)} clearly less than {letters(found.more)}"
    least, more = found.least[0], found.more[0]
    pair = between(summary["comparisons"], more["letter"], least["letter"])
    assert pair is not None, "each two configurations are compared"
    seeds = pair[level.column]
    return f"less with {least['letter']} in {seeds['more']:,} seeds, more in {seeds['fewer']:,}"


def _rates(group: list[Json]) -> str:
    """The sentences on the shares of losing runs; of those that lost nothing one, all have about as many runs."""
    if len(group) > 1 and _are_clean(group):
        return _sureness(min(group, key=lambda v: int(v["runs"])), "Each")
    return _sureness(group[0], "It") if len(group) == 1 else _named_rates(group)


def _named_rates(group: list[Json]) -> str:
    return " ".join(_sureness(v) for v in group[:NAMED_MAX])


def _sureness(figures: Json, subject: str = "") -> str:
    """The sentence on the share of runs that lose records; without a subject it names the configuration."""
    subject = subject or called(figures)
    runs, sure = f"{figures['runs']:,} runs", "(95\N{NO-BREAK SPACE}% confidence)"
    if figures["losing"] == 0:
        bound = f"{max(0.1, figures['loses'][2] * 100):.1f}\N{NO-BREAK SPACE}%"
        return f"{subject} lost no acknowledged record in {runs}: less than {bound} of all such runs lose some {sure}."
    low, high = (percent(end) for end in figures["loses"][1:])
    lost = f"{subject} lost acknowledged records in {figures['losing']:,} of {runs}"
    return f"{lost}: between {low} and {high} of all such runs lose some {sure}."


def _price(summary: Json, chosen: Json, order: list[Json], about: Circumstances, which: str = "") -> str:
    """The sentence on the time that the choice costs against another one; "" where it does not clearly cost any."""
    order = about.peers(chosen, order)
    waits = _costs(summary, WAITED, chosen, order) if _is_compared(WAITED, order) else ""
    if waits:
        waits = f"the application got no response for {waits}"
    later = _costs(summary, LATER, chosen, order) or ""
    if later:
        runs = f"median in the slowest topic, of {plural(chosen['whole_runs'], 'whole run', 'whole runs')} each"
        later = f"records were acknowledged after {later} ({runs}{about.latency})"
    parts = [part for part in (waits, later) if part]
    return f"The price{which} is time: {', and '.join(parts)}." if parts else ""


def _costs(summary: Json, level: Level, chosen: Json, order: list[Json]) -> str:
    """A figure of the choice beside that of the least other one which clearly has less; "" without such."""
    less = [
        other
        for other in order
        if is_clearly_more(summary["comparisons"], chosen, other, level.column)
        and level.value(chosen) > level.value(other)
    ]
    if not less:
        return ""
    least = min(less, key=lambda v: (level.value(v), v["letter"]))
    mine, theirs = ("", "") if level is LATER else (level.of + _slowest(chosen), _slowest(least))
    return f"{level.said(chosen)}{mine}, against {level.said(least)}{theirs} with {short(least)}"


def _by_topics(order: list[Json]) -> list[str]:
    """The sentence where the wait of a configuration is that of some topics only: their intervals lie apart."""
    told = []
    for figures in order[:NAMED_MAX]:
        by_wait = sorted(figures.get("topics") or [], key=lambda group: group["down"][0])
        if by_wait and (by_wait[-1]["down"][1] or 0) > (by_wait[0]["down"][2] or 0):
            most, least = (f"{seconds(one['down'][0])} ({one['of']})" for one in (by_wait[-1], by_wait[0]))
            told.append(f"{figures['letter']} {most}, against {least}")
    return [f"The wait is not that of all topics, in the middle run: {'; '.join(told)}."] if told else []


def _slowest(figures: Json) -> str:
    """The 95th percentile of the application's time, where there are runs enough for one and it is printed longer."""
    centre, low, _ = figures["down_p95"]
    return (
        ""
        if low is None or seconds(centre) == WAITED.said(figures)
        else f" and at least {seconds(centre)} in the slowest 5\N{NO-BREAK SPACE}%"
    )


def _begun(clause: str) -> str:
    """A clause as the begin of a sentence."""
    return clause[:1].upper() + clause[1:]
