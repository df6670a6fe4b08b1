"""Alert rules as Prometheus has them: a metric, a comparison with a figure, and for how long it must hold.

A document without ``alerts`` has the rules of `default_alerts`. They read what a run does and change nothing in it.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from simengine.scenario import limits
from simengine.scenario.durations import MINUTE, SECOND, format_duration, parse_duration
from simengine.scenario.fields import TimeUs, VisibleText, reads
from simengine.scenario.metric_names import GROUP_LAG, METRICS
from simengine.scenario.near import nearest
from simengine.scenario.part import Part
from simengine.scenario.problems import FieldError

SCRAPE_US_DEFAULT: Final = 15 * SECOND  # as in the prometheus.yml that comes with Prometheus
MILLI: Final = 1000  # figures are kept as thousandths
_SCRAPE_ALLOWED: Final = "1s to 10m"


def _metric(value: object) -> str:
    if value not in METRICS:
        raise FieldError("no metric has this name", value, ", ".join(METRICS), nearest(str(value), list(METRICS)))
    return str(value)


def _figure(value: object) -> int:
    allowed = f"a number from 0 to {limits.ALERT_FIGURE_MAX}, with at most 3 decimals"
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= limits.ALERT_FIGURE_MAX:
        raise FieldError("not a figure to compare with", value, allowed)
    milli = round(value * MILLI)
    if abs(milli - value * MILLI) > 1e-6:
        raise FieldError("finer than a thousandth", value, allowed)
    return milli


def plain_figure(milli: int) -> int | float:
    """A figure as it is written."""
    return milli // MILLI if milli % MILLI == 0 else milli / MILLI


def _scrape(value: object) -> int:
    us = parse_duration(value)
    if not SECOND <= us <= 10 * MINUTE:
        raise FieldError("not an interval of scrapes", value, _SCRAPE_ALLOWED)
    return us


def _of(value: object) -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not text.strip() or len(text) > limits.ID_MAX:
        raise FieldError("names no node, topic, partition or group", value, "such as 1, orders, orders-0 or a group")
    return text


MetricName = Annotated[
    str, PlainValidator(reads(_metric)), WithJsonSchema({"enum": list(METRICS), "description": ", ".join(METRICS)})
]
FigureMilli = Annotated[
    int,
    PlainValidator(reads(_figure)),
    PlainSerializer(plain_figure, return_type=int | float),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": limits.ALERT_FIGURE_MAX}),
]
ScrapeUs = Annotated[
    int,
    PlainValidator(reads(_scrape)),
    PlainSerializer(format_duration, return_type=str),
    WithJsonSchema({"type": "string", "description": _SCRAPE_ALLOWED}),
]
SeriesOf = Annotated[str, PlainValidator(reads(_of)), WithJsonSchema({"type": ["string", "integer"]})]
RuleName = Annotated[str, VisibleText, Field(min_length=1, max_length=limits.ALERT_NAME_MAX)]


class AlertRule(Part):
    """One rule. It holds for each series (process, partition, group) on its own; ``of`` None: for all of them.

    A metric that counts (its name ends in PerSec) is compared by its rate per second.
    """

    name: RuleName
    metric: MetricName
    of: SeriesOf | None = None
    comparison: Literal[">", ">=", "<", "<=", "==", "!="] = ">"
    figure_milli: FigureMilli = Field(default=0, alias="figure")
    for_us: TimeUs = Field(default=0, alias="for")

    @property
    def words(self) -> str:
        """The rule in one line, such as ``UnderReplicatedPartitions > 0 for 5m``."""
        of = f" of {self.of}" if self.of is not None else ""
        rate = " per second" if METRICS[self.metric].is_counter else ""
        hold = f" for {format_duration(self.for_us)}" if self.for_us else ""
        return f"{self.metric}{of} {self.comparison} {plain_figure(self.figure_milli)}{rate}{hold}"


class Alerts(Part):
    """The rules of a document, and how often Prometheus scrapes all processes and looks at the rules."""

    scrape_us: ScrapeUs = Field(default=SCRAPE_US_DEFAULT, alias="scrape")
    rules: list[AlertRule] = Field(default_factory=list, max_length=limits.ALERTS_MAX)


def default_alerts(*, has_mirrors: bool) -> Alerts:
    """The rules that a document without ``alerts`` has."""
    return Alerts(rules=[_rule(*one) for one in (*_DEFAULT, *(_OF_MIRRORS if has_mirrors else ()))])


def _rule(name: str, metric: str, comparison: str, figure: int, hold: str) -> AlertRule:
    plain: dict[str, Any] = {"name": name, "metric": metric, "comparison": comparison, "figure": figure, "for": hold}
    return AlertRule.model_validate(plain)


_DEFAULT: Final = (
    ("Under-replicated partitions", "UnderReplicatedPartitions", ">", 0, "5m"),
    ("Offline partitions", "OfflinePartitionsCount", ">", 0, "0"),
    ("Under min ISR", "UnderMinIsrPartitionCount", ">", 0, "0"),
    ("Not one active controller", "ActiveControllerCount", "!=", 1, "0"),
    ("ISR keeps shrinking", "IsrShrinksPerSec", ">", 0, "2m"),
    ("Consumer group lag", GROUP_LAG, ">", 10_000, "1m"),
)
_OF_MIRRORS: Final = (("Replication latency", "replication-latency-ms", ">", 10_000, "1m"),)
