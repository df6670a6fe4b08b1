"""The checks of alert rules against the rest of the document: names of their own, and series that exist."""

from collections.abc import Iterator
from typing import Final

from simengine.scenario import references
from simengine.scenario.alerts import AlertRule
from simengine.scenario.expect import expected_names
from simengine.scenario.expect.language import Expectation
from simengine.scenario.metric_names import GROUP_LAG, METRICS, MIRRORS
from simengine.scenario.model import Document
from simengine.scenario.naming import names_of
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError, Problem, shown
from simengine.scenario.sites import AlertSubjects

SHOWN_MAX: Final = 10  # names in an error


def check(doc: Document) -> list[Problem]:
    """Everything that is wrong with the alert rules of a document, in its order."""
    if doc.alerts_set is None:
        return []
    rules, known = doc.alerts_set.rules, names_of(doc).alert_subjects()
    return [problem for i, rule in enumerate(rules) for problem in _of_rule(i, rule, rules, known)]


def expected(doc: Document, expectation: Expectation) -> list[Problem]:
    """The problem of an expectation that names no rule of the document, or a time after its end."""
    try:
        references.member("alert", shown(expectation.subject), [rule.name for rule in doc.alerts.rules])
    except FieldError as wrong:
        return [wrong.at(expectation.path)]
    return list(expected_names.late(expectation, doc.until_us))


def _of_rule(i: int, rule: AlertRule, rules: list[AlertRule], known: AlertSubjects) -> Iterator[Problem]:
    if rule.name in [other.name for other in rules[:i]]:
        yield Problem(f"alerts.rules[{i}].name", rule.name, "named twice", "a name of its own")
    subjects = _subjects(rule.metric, known)
    if rule.of is not None and METRICS[rule.metric].is_summed:
        yield Problem(f"alerts.rules[{i}].of", rule.of, f"{rule.metric} is added up over all processes", "no of")
    elif rule.of is not None and rule.of not in subjects:
        message = f"{rule.metric} has no series of {rule.of!r}"
        allowed = ", ".join(subjects[:SHOWN_MAX]) + (", …" if len(subjects) > SHOWN_MAX else "")
        near = nearest(rule.of, subjects)
        yield Problem(f"alerts.rules[{i}].of", rule.of, message, allowed or "none exist", near)


def _subjects(metric: str, known: AlertSubjects) -> list[str]:
    """The names that ``of`` may give for a metric: whose series it has."""
    told = METRICS[metric]
    if metric == GROUP_LAG:
        return [*known.groups, *known.topics, *known.partitions]
    if metric in MIRRORS:
        return [*known.processes, *known.topics, *known.partitions]
    nodes = known.controllers if told.exported.startswith("kafka_controller_") else known.brokers
    return [*nodes, *known.topics, *known.partitions] if told.of_partitions else nodes
