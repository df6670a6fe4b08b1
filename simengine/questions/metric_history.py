"""A metric over a run: its value in every process and partition that reports it, and the alert rules that read it."""

from typing import Any, Final

from simengine.alerts.watch import AlertWatch
from simengine.scenario import Document
from simengine.scenario.alerts import MILLI, AlertRule, plain_figure
from simengine.scenario.metric_names import METRICS
from simengine.scenario.naming import names_of
from simengine.world.scraping import scraped
from simengine.world.world import build

SAMPLES: Final = 240
SERIES_MAX: Final = 10  # told, those that vary most

Json = dict[str, Any]


def metric_history(document: Document, metric: str, of: str, until_us: int) -> Json:
    """The values of a metric from 0 to a moment, read off the engine at even distances.

    ``of``: the process, topic, partition or group that it is read of, as in an alert rule; "": all of them. ``t_us``:
    the times. ``series``: of each series its name and values, None where nobody responds; a counter as its rate per
    second over four scrapes or four samples, whichever is longer. ``left_out``: series beyond SERIES_MAX.
    ``rules``: the alert rules of that metric.
    """
    rule = AlertRule.model_validate({"name": metric, "metric": metric, "of": of or None})
    label = names_of(document).alert_subjects().label(metric, of) if of else ""
    scrape_us = max(document.alerts.scrape_us, until_us // SAMPLES)
    watch = AlertWatch(document.alerts.model_copy(update={"rules": [rule], "scrape_us": scrape_us}), [label])
    world = build(document)
    times = [until_us * i // SAMPLES for i in range(1, SAMPLES + 1)] if until_us >= SAMPLES else []
    values: dict[str, list[float | None]] = {}
    for place, at_us in enumerate(times):
        world.run(at_us)
        for series, milli in watch.values(0, scraped(world.cluster_runs, world.mirrors, watch), at_us):
            values.setdefault(series, [None] * len(times))[place] = milli / MILLI
    told = sorted(values, key=lambda series: -_range(values[series]))[:SERIES_MAX]
    return {
        "t_us": times,
        "series": [{"name": series or "all together", "values": values[series]} for series in values if series in told],
        "left_out": len(values) - len(told),
        "is_rate": METRICS[metric].is_counter,
        "rules": [
            {"words": one.words, "name": one.name, "figure": plain_figure(one.figure_milli)}
            for one in document.alerts.rules
            if one.metric == metric and (not of or one.of in (None, of))
        ],
    }


def _range(values: list[float | None]) -> float:
    known = [value for value in values if value is not None]
    return max(known) - min(known)
