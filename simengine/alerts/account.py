"""The account of a run's alerts: its sentence, each alert, incidents that none saw, and alerts without an incident."""

from typing import Any, Final

from simengine.alerts.incidents import ClusterIncident, IncidentLog
from simengine.alerts.watch import NEVER, RATE_SCRAPES, AlertSpan, AlertWatch
from simengine.scenario.alerts import plain_figure
from simengine.scenario.durations import format_duration
from simengine.scenario.metric_names import GROUP_LAG
from simengine.words.phrases import listed, plural, seconds

TOLD_MAX: Final = 100  # alerts, and incidents, that are told one by one
MINUTE_S: Final = 60
HOUR_S: Final = 3600
US_PER_S: Final = 1_000_000

Json = dict[str, Any]


def account_of(watch: AlertWatch, log: IncidentLog) -> Json:
    """The alerts up to now, as plain data; times in us, -1 for what has not come. Those that fired come first."""
    fired = watch.firings()
    told = sorted(watch.spans, key=lambda span: (span.firing_us == NEVER, span.pending_us))[:TOLD_MAX]
    missed = unseen(watch, log.incidents)
    idle = [span for span in fired if is_idle(span, watch, log.incidents)]
    return {
        "scrape_us": watch.scrape_us,
        "scrape": format_duration(watch.scrape_us),
        "sentence": sentence_of(watch, log),
        "rules": [_rule(watch, i) for i in range(len(watch.rules))],
        "spans": [_span(span) for span in told],
        "untold": len(watch.spans) - len(told) + watch.left_out,
        "unseen": [_incident(one) for one in missed[:TOLD_MAX]],
        "untold_unseen": max(0, len(missed) - TOLD_MAX),
        "idle": [_span(span) for span in idle[:TOLD_MAX]],
        "untold_idle": max(0, len(idle) - TOLD_MAX),
    }


def sentence_of(watch: AlertWatch, log: IncidentLog) -> str:
    """The sentence on the pager, seen from the first acknowledged record that was lost."""
    fired = watch.firings()
    if log.lost <= 0:
        return _without_loss(watch, fired)
    lost_us = log.first_lost_us
    before = [span for span in fired if span.firing_us <= lost_us]
    firing = [span for span in before if span.fires_at(lost_us)]
    if firing:
        name = watch.rules[firing[0].rule].name
        early = lost_us - firing[0].firing_us
        when = f"{time_words(early)} before" if early else "at the moment when"
        ended = "; earlier alerts had ended by then" if before[0].firing_us < firing[0].firing_us else ""
        return f"Your pager rang {when} the first record was lost: {name}{ended}."
    earlier = "earlier alerts had ended by then" if before else "nothing told you earlier"
    later = next((span for span in fired if span.firing_us > lost_us), None)
    if later is None:
        return f"Records were lost and your pager did not ring{'; ' + earlier if before else ''}."
    name = watch.rules[later.rule].name
    late = time_words(later.firing_us - lost_us)
    return f"Your pager rang {late} after the first record was lost: {name}; {earlier}."


def _without_loss(watch: AlertWatch, fired: list[AlertSpan]) -> str:
    if not watch.rules:
        return "This run has no alert rules."
    if not fired:
        return "Your pager did not ring."
    first_us = fired[0].firing_us
    first = dict.fromkeys(watch.rules[span.rule].name for span in fired if span.firing_us == first_us)
    later = dict.fromkeys(name for span in fired if (name := watch.rules[span.rule].name) not in first)
    told = f"Your pager rang first at {seconds(first_us)}, though no record was lost so far: {listed(list(first))}"
    return f"{told}; later {listed(list(later))}." if later else f"{told}."


def time_words(us: int) -> str:
    """A length of time as people say it: ``42.0 s``, ``5 min 12 s``, ``1 h``."""
    whole = round(us / US_PER_S)
    if whole < MINUTE_S:
        return seconds(us)
    if whole < HOUR_S:
        return f"{whole // MINUTE_S} min {whole % MINUTE_S} s".removesuffix(" 0 s")
    return f"{whole // HOUR_S} h {whole % HOUR_S // MINUTE_S} min".removesuffix(" 0 min")


def unseen(watch: AlertWatch, incidents: list[ClusterIncident]) -> list[ClusterIncident]:
    """The incidents in which no alert fired. A rate that is still above its figure just after the end saw it."""
    late_us = RATE_SCRAPES * watch.scrape_us
    fired = watch.firings()
    return [
        one
        for one in incidents
        if not any(one.overlaps(max(0, span.firing_us - late_us), span.ended_us) for span in fired)
    ]


def is_idle(span: AlertSpan, watch: AlertWatch, incidents: list[ClusterIncident]) -> bool:
    """True if the cluster was whole while the alert came up. A group's lag is of its consumers, and never idle."""
    since_us = max(0, span.pending_us - RATE_SCRAPES * watch.scrape_us)
    if watch.rules[span.rule].metric == GROUP_LAG:
        return False
    return not any(one.overlaps(since_us, span.firing_us) for one in incidents)


def alert_lines(account: Json) -> list[str]:
    """The account as lines of text."""
    lines = [f"alerts: {account['sentence']}"]
    for i, rule in enumerate(account["rules"]):
        spans = [span for span in account["spans"] if span["rule"] == i and span["firing_us"] != NEVER]
        lines += [f"  {rule['name']}: {span['series'] or 'all'} {_when(span)}" for span in spans]
    lines += _more(account["untold"], "alert", "alerts")
    lines += [f"  no alert saw {incident_words(one)}" for one in account["unseen"]]
    lines += _more(account["untold_unseen"], "incident that no alert saw", "incidents that no alert saw")
    for span in account["idle"]:
        name = account["rules"][span["rule"]]["name"]
        lines.append(f"  nothing was wrong in the cluster when {name} fired at {seconds(span['firing_us'])}")
    return [*lines, *_more(account["untold_idle"], "alert in a whole cluster", "alerts in a whole cluster")]


def _more(count: int, one: str, many: str) -> list[str]:
    return [f"  and {plural(count, f'more {one}', f'more {many}')}"] if count else []


def incident_words(one: Json) -> str:
    """An incident in words: its times, what was done, what was lost."""
    end = "the end" if one["to_us"] == NEVER else seconds(one["to_us"])
    text = f": {one['text']}" if one["text"] else ""
    lost = f" ({plural(one['lost'], 'record', 'records')} lost)" if one["lost"] else ""
    return f"{seconds(one['from_us'])} to {end}{text}{lost}"


def _when(span: Json) -> str:
    since = f"fires from {seconds(span['firing_us'])}"
    return since if span["ended_us"] == NEVER else f"{since} to {seconds(span['ended_us'])}"


def _rule(watch: AlertWatch, i: int) -> Json:
    rule = watch.rules[i]
    return {
        "name": rule.name,
        "metric": rule.metric,
        "of": rule.of,
        "comparison": rule.comparison,
        "figure": plain_figure(rule.figure_milli),
        "for": format_duration(rule.for_us) if rule.for_us else "",
        "words": rule.words,
        "state": watch.state(i),
    }


def _span(span: AlertSpan) -> Json:
    return {key: getattr(span, key) for key in ("rule", "series", "pending_us", "firing_us", "ended_us")}


def _incident(one: ClusterIncident) -> Json:
    return {"from_us": one.from_us, "to_us": one.to_us, "text": ", ".join(one.texts), "lost": max(0, one.lost)}
