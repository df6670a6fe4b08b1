"""Alert rules as a rule file for Prometheus.

Metrics have the names that the JMX exporter's example configuration for Kafka gives them; the lag of a group has
kafka_exporter's. Which target is which broker Prometheus knows by the label ``instance`` alone, so the file asks for
that to be filled in.
"""

import json
from typing import Final

from simengine.alerts.watch import RATE_SCRAPES
from simengine.scenario.alerts import AlertRule, plain_figure
from simengine.scenario.arguments import split_partition
from simengine.scenario.durations import MINUTE, MS, SECOND
from simengine.scenario.metric_names import METRICS
from simengine.scenario.model import Document
from simengine.scenario.naming import alert_labels

HEAD: Final = (
    "# Alert rules for Prometheus. Metrics have the names of the JMX exporter's example for Kafka (kafka-2_0_0.yml);",
    "# kafka_consumergroup_lag is of kafka_exporter.",
)
INSTANCE_NOTE: Final = "# Put the instance (host and port) of the process in place of INSTANCE_OF_…"


def rule_file(doc: Document) -> str:
    """The rules of a document as the text of one YAML file with one group."""
    alerts = doc.alerts
    rules = [(rule, selectors(rule, label)) for rule, label in zip(alerts.rules, alert_labels(doc), strict=True)]
    lines = [*HEAD, *([INSTANCE_NOTE] if any("instance" in labels for _, labels in rules) else [])]
    lines += ["groups:", "  - name: kafka", f"    interval: {duration(alerts.scrape_us)}"]
    lines.append("    rules:" if rules else "    rules: []")
    for rule, labels in rules:
        lines.append(f"      - alert: {json.dumps(rule.name, ensure_ascii=False)}")
        quoted = expression(rule, labels, RATE_SCRAPES * alerts.scrape_us).replace("'", "''")
        lines.append(f"        expr: '{quoted}'")
        lines += [f"        for: {duration(rule.for_us)}"] if rule.for_us else []
    return "\n".join(lines) + "\n"


def expression(rule: AlertRule, labels: dict[str, str], rate_us: int) -> str:
    """The expression of a rule in PromQL; ``rate_us``: over how long a counter's rate is taken."""
    metric = METRICS[rule.metric]
    picked = ",".join(f"{key}={json.dumps(value)}" for key, value in labels.items())
    value = metric.exported + (f"{{{picked}}}" if picked else "")
    if metric.is_counter:
        value = f"rate({value}[{duration(rate_us)}])"
    if metric.is_summed:
        value = f"sum({value})"
    return f"{value} {rule.comparison} {plain_figure(rule.figure_milli)}"


def selectors(rule: AlertRule, label: str) -> dict[str, str]:
    """The labels that pick the series of a rule. Clusters have a Prometheus each: their names are left out."""
    if rule.of is None:
        return {}
    name = rule.of.rpartition("/")[2]
    if label == "group":
        return {"consumergroup": name}
    if label == "topic":
        return {"topic": name}
    if label == "partition":
        topic, number = split_partition(name)
        return {"topic": topic, "partition": str(number)}
    return {"instance": f"INSTANCE_OF_{name}"}


def duration(us: int) -> str:
    """A duration as Prometheus writes it: whole units, such as ``1m30s``; a part of a millisecond counts as one."""
    minutes, rest = divmod(-(-us // MS) * MS, MINUTE)
    whole, part = divmod(rest, SECOND)
    parts = ((minutes, "m"), (whole, "s"), (part // MS, "ms"))
    return "".join(f"{amount}{unit}" for amount, unit in parts if amount) or "0s"
