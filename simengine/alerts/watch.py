"""Evaluates alert rules at every scrape, as Prometheus does, and remembers when each alert was pending and firing.

A series is pending while its rule's expression holds, and fires once it has held for ``for``. It ends at the first
scrape at which the expression is false or the process does not answer. Scrapes are at whole multiples of the interval.
A counter is compared by its rate: the increase per second between the oldest and the newest of the last four samples.
It begins anew where a process does, and lasts until the samples of a dead process are older than four intervals. Left
out: the time that a scrape takes, the phase of each target, and what Alertmanager waits before it notifies.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from simengine.alerts.readings import SeriesReading
from simengine.scenario.alerts import MILLI, AlertRule, Alerts
from simengine.scenario.limits import ALERT_SPANS_MAX
from simengine.scenario.metric_names import GROUP_LAG, METRICS, MIRRORS, TRAFFIC

RATE_SCRAPES: Final = 4  # samples between whose oldest and newest the rate of a counter is taken
NEVER: Final = -1
SECOND_US: Final = 1_000_000
COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    ">": lambda value, figure: value > figure,
    ">=": lambda value, figure: value >= figure,
    "<": lambda value, figure: value < figure,
    "<=": lambda value, figure: value <= figure,
    "==": lambda value, figure: value == figure,
    "!=": lambda value, figure: value != figure,
}


@dataclass(slots=True)
class AlertSpan:
    """One alert of one series, in us: pending from, firing from, over at; `NEVER` for what has not come."""

    rule: int
    series: str
    pending_us: int
    firing_us: int = NEVER
    ended_us: int = NEVER
    is_kept: bool = False

    def fires_at(self, at_us: int) -> bool:
        """True if it is firing at that moment."""
        return self.firing_us != NEVER and self.firing_us <= at_us and (self.ended_us == NEVER or at_us < self.ended_us)


class AlertWatch:
    """The alerts of one run. ``labels``: of each rule the label of a reading that its ``of`` names."""

    def __init__(self, alerts: Alerts, labels: list[str]) -> None:
        self.rules: list[AlertRule] = alerts.rules
        self._labels = labels
        self.scrape_us: int = alerts.scrape_us
        self.next_us: int = alerts.scrape_us if alerts.rules else NEVER
        self.spans: list[AlertSpan] = []
        self.left_out = 0  # alerts beyond the limits, which nobody is told of
        self._places = [
            ALERT_SPANS_MAX,
            ALERT_SPANS_MAX,
        ]  # left for alerts that become pending, and for those that fire
        self.metrics = {rule.metric for rule in alerts.rules}
        self._open: dict[tuple[int, str], AlertSpan] = {}
        self._samples: dict[tuple[int, str], list[tuple[int, int]]] = {}  # of counters: (time, value)

    @property
    def needs_copies(self) -> bool:
        """True if a rule reads what a broker says of each copy."""
        return any(name == "MaxLag" or METRICS[name].of_partitions for name in self.metrics - {GROUP_LAG, *MIRRORS})

    @property
    def needs_groups(self) -> bool:
        """True if a rule reads the lag of consumer groups."""
        return GROUP_LAG in self.metrics

    @property
    def needs_mirrors(self) -> bool:
        """True if a rule reads what MirrorMaker says."""
        return not self.metrics.isdisjoint(MIRRORS)

    def stays_quiet(self, greatest_lag: int) -> bool:
        """True if no rule changes its state in a run at rest in which no group's lag exceeds a number of records.

        A rule on traffic may, but for one on the lag of groups whose figure is not reached.
        """
        return all(rule.metric not in TRAFFIC or _is_above(rule, greatest_lag) for rule in self.rules)

    def scrape(self, found: list[SeriesReading]) -> None:
        """Evaluate all rules at the moment of the next scrape."""
        now = self.next_us
        self.next_us += self.scrape_us
        for i, rule in enumerate(self.rules):
            compared = COMPARED[rule.comparison]
            true = [series for series, milli in self.values(i, found, now) if compared(milli, rule.figure_milli)]
            self._update(i, rule, true, now)

    def rest_until(self, until_us: int, found: list[SeriesReading]) -> None:
        """Evaluate the scrapes up to ``until_us`` of a run at rest: each of them finds these readings.

        After ``RATE_SCRAPES`` scrapes the rates no longer change. From then on pending alerts fire, and nothing else
        happens.
        """
        for _ in range(RATE_SCRAPES + 1):
            if self.next_us == NEVER or self.next_us > until_us:
                return
            self.scrape(found)
        for (i, _), span in self._open.items():
            due_us = -(-(span.pending_us + self.rules[i].for_us) // self.scrape_us) * self.scrape_us
            if span.firing_us == NEVER and due_us <= until_us:
                span.firing_us = due_us
                self._keep(span, 1)
        self.next_us = (until_us // self.scrape_us + 1) * self.scrape_us

    def _is_of(self, i: int, one: SeriesReading) -> bool:
        return not self._labels[i] or getattr(one, self._labels[i]) == self.rules[i].of

    def values(self, i: int, found: list[SeriesReading], now: int) -> Iterable[tuple[str, int]]:
        """The value of each series of a rule in a scrape, in thousandths: of a counter its rate per second."""
        rule = self.rules[i]
        read = [one for one in found if one.metric == rule.metric and self._is_of(i, one)]
        metric = METRICS[rule.metric]
        if metric.is_summed:
            sums: dict[str, int] = {}
            for one in read:
                cluster = one.process.rpartition("/")[0]
                sums[cluster] = sums.get(cluster, 0) + one.value * MILLI
            return sums.items()
        if metric.is_counter:
            return self._rates(i, read, now)
        return [(one.series, one.value * MILLI) for one in read]

    def _rates(self, i: int, read: list[SeriesReading], now: int) -> list[tuple[str, int]]:
        """The rates of a rule's counters, in thousandths per second; none before a second sample."""
        for one in read:
            self._samples.setdefault((i, one.series), []).append((now, one.value))
        rates: list[tuple[str, int]] = []
        for (rule, series), samples in self._samples.items():
            if rule != i:
                continue
            while samples and samples[0][0] <= now - RATE_SCRAPES * self.scrape_us:
                samples.pop(0)
            if len(samples) > 1:
                increase = sum(new - old if new >= old else new for (_, old), (_, new) in pairwise(samples))
                rates.append((series, increase * MILLI * SECOND_US // (samples[-1][0] - samples[0][0])))
        return rates

    def _update(self, i: int, rule: AlertRule, true: list[str], now: int) -> None:
        for key in [key for key in self._open if key[0] == i and key[1] not in true]:
            self._open.pop(key).ended_us = now
        for series in true:
            span = self._open.get((i, series))
            if span is None:
                span = self._open[(i, series)] = AlertSpan(i, series, now)
                self.left_out += 1
                self._keep(span, 0)
            if span.firing_us == NEVER and now - span.pending_us >= rule.for_us:
                span.firing_us = now
                self._keep(span, 1)

    def _keep(self, span: AlertSpan, place: int) -> None:
        """Keep an alert while there is a place; those that fire have places of their own."""
        if not span.is_kept and self._places[place] > 0:
            self._places[place] -= 1
            self.left_out -= 1
            self.spans.append(span)
            span.is_kept = True

    def firings(self) -> list[AlertSpan]:
        """The alerts that fired, by the time at which they did."""
        return sorted((span for span in self.spans if span.firing_us != NEVER), key=lambda span: span.firing_us)

    def state(self, rule: int) -> str:
        """`inactive`, `pending` or `firing`: a rule over all its series at the last scrape."""
        spans = [span for (i, _), span in self._open.items() if i == rule]
        if any(span.firing_us != NEVER for span in spans):
            return "firing"
        return "pending" if spans else "inactive"

    def states(self, rule: int, now_us: int) -> list[tuple[int, str]]:
        """(time, inactive, pending or firing) of a rule over all its series: at the start, and at each change."""
        spans = [span for span in self.spans if span.rule == rule]
        times = sorted({us for span in spans for us in (span.pending_us, span.firing_us, span.ended_us) if us != NEVER})
        states = [(0, "inactive")]
        for at in times:
            state = _state_at(spans, at)
            if at <= now_us and state != states[-1][1]:
                states.append((at, state))
        return states


def _is_above(rule: AlertRule, lag: int) -> bool:
    """True if a rule waits for a greater lag of a group."""
    return rule.metric == GROUP_LAG and rule.comparison in (">", ">=") and rule.figure_milli > lag * MILLI


def _state_at(spans: list[AlertSpan], at_us: int) -> str:
    if any(span.fires_at(at_us) for span in spans):
        return "firing"
    is_pending = any(span.pending_us <= at_us and (span.ended_us == NEVER or at_us < span.ended_us) for span in spans)
    return "pending" if is_pending else "inactive"
