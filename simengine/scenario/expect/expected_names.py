"""Checks that the names in an expectation exist: its subject, brokers, partitions, the values of facts, its times."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from simengine.facts.errors import ERRORS_BY_NAME
from simengine.facts.reading import field_names
from simengine.facts.schema import BY_NAME
from simengine.scenario import references
from simengine.scenario.durations import format_duration
from simengine.scenario.expect import language, values
from simengine.scenario.expect.language import Expectation
from simengine.scenario.expect.observed import NAMES_OF
from simengine.scenario.limits import OFFSET_MAX
from simengine.scenario.metric_names import JMX
from simengine.scenario.problems import FieldError, Problem, joined, shown

BROKER_LISTS: Final = ("isr", "elr", "last_known", "replicas", "adding", "removing")
BY_BROKER: Final = ("hw", "leo", "epochs", "believes")
OFFSETS_TOPIC: Final = "__consumer_offsets"  # the brokers make it where consumers commit
VALUE: Final = "a whole number, or [fewest, most] with null for no bound"


def problems_of(expectation: Expectation, names: references.Names, until_us: int) -> Iterator[Problem]:
    """The problems of the names and times of an expectation whose values can be read."""
    subject = _refused(lambda: _subject(expectation, names))
    for wrong in subject:
        yield wrong._replace(path=expectation.path)
    if not subject:
        for key, value in expectation.wanted.items():
            yield from values.under(joined(expectation.path, key), _of_value(expectation, key, value, names))
    yield from late(expectation, until_us)


def late(expectation: Expectation, until_us: int) -> Iterator[Problem]:
    """The problem of an expectation whose time begins after the end of the run."""
    start_us = expectation.when.start_us
    if start_us > until_us:
        start, allowed = format_duration(start_us), f"at most {format_duration(until_us)}"
        yield Problem(joined(expectation.path, expectation.when.how), start, "later than the end of the run", allowed)


def _refused(check: Callable[[], object]) -> list[Problem]:
    try:
        check()
    except FieldError as wrong:
        return [wrong.at("")]
    return []


def _subject(expectation: Expectation, names: references.Names) -> None:
    """Raises FieldError where nothing bears the name that an expectation is about."""
    kind, subject = expectation.kind, shown(expectation.subject)
    if kind == "partition":
        names.partition(subject)
    elif kind in ("producer", "consumer"):
        references.member(kind, subject, names.clients(kind))
    elif kind == "broker":
        references.member("broker", subject, [str(broker) for broker in names.brokers])
    elif kind == "verdict" and not (subject == OFFSETS_TOPIC and names.clients("consumer")):
        references.member("topic", subject, list(names.topics))
    elif kind == "counter":
        references.member("counter", subject, language.COUNTERS)
    elif kind == "metric":
        references.member("metric", subject, list(JMX))
    elif kind == "fact":
        references.member("kind of fact", subject, list(BY_NAME))


def _of_value(expectation: Expectation, key: str, value: Any, names: references.Names) -> Iterator[Problem]:
    """The problems of the names in one value."""
    if key == "leader" or key in BROKER_LISTS:
        yield from _brokers(value if isinstance(value, list) else [value], names)
    elif key in BY_BROKER and isinstance(value, dict):
        for broker, part in value.items():
            yield from values.under(str(broker), iter(_refused(lambda one=broker: _broker(one, names))))  # type: ignore[misc]
            if key == "believes":
                yield from values.under(str(broker), _brokers(part if isinstance(part, list) else [part], names))
    elif key == "believes":
        yield from _brokers(value if isinstance(value, list) else [value], names)
    elif key == "of":
        nodes = [*names.brokers, *(names.controllers if expectation.kind == "metric" else ())]
        yield from _refused(lambda: references.member("node", str(value), [str(node) for node in nodes]))
    elif key == "on":
        yield from _refused(lambda: names.partition(value))
    elif key == "position":
        for name in value:
            yield from values.under(name, iter(_refused(lambda one=name: names.partition(one))))  # type: ignore[misc]
    elif key == "where":
        yield from _where(str(expectation.subject), value, names)


def _broker(value: object, names: references.Names) -> None:
    references.member("broker", str(value), [str(broker) for broker in names.brokers])


def _brokers(ids: list[Any], names: references.Names) -> Iterator[Problem]:
    """The problems of a list of brokers, in which the words for "nobody" are allowed."""
    for one in ids:
        if one not in (*values.NONE, -1):
            yield from _refused(lambda broker=one: _broker(broker, names))  # type: ignore[misc]


def _where(kind: str, where: object, names: references.Names) -> Iterator[Problem]:
    """The problems of the values that a fact of a kind is to have."""
    allowed = (*field_names(kind), *(("partition",) if "p" in field_names(kind) else ()))
    if not isinstance(where, dict) or not where:
        yield FieldError("not a map of the fact's values", where, ", ".join(allowed)).at("")
        return
    for key, value in where.items():
        unknown = _refused(lambda name=str(key): references.member(f"value of {kind}", name, allowed))  # type: ignore[misc]
        yield from unknown
        if not unknown:
            yield from values.under(str(key), _fact_value(kind, str(key), value, names))


def _fact_value(kind: str, key: str, value: Any, names: references.Names) -> Iterator[Problem]:
    """The problems of one value of a fact."""
    told = BY_NAME[kind]
    if key in ("partition", "p"):
        yield from _refused(lambda: names.partition(shown(value)))
    elif key == "client":
        yield from _refused(lambda: references.member("client", shown(value), (*names.producers, *names.consumers)))
    elif key in told.lists:
        yield from values.ids(value)
    elif key == told.text:
        yield from values.text(value)
    elif isinstance(value, str) and (words := _words(kind, key, names)):
        yield from _refused(lambda: references.member(f"{key} of {kind}", value, words))
    elif isinstance(value, list):
        yield from values.amount(_number, VALUE)(value)
    else:
        yield from values.wrong_of(value, _number, ", ".join((VALUE, *_words(kind, key, names))))


def _number(value: object) -> int:
    return values.whole(value, -OFFSET_MAX)


def _words(kind: str, key: str, names: references.Names) -> tuple[str, ...]:
    """The names that a value of a fact may be written by, instead of its number."""
    if key == "error":
        return tuple(ERRORS_BY_NAME)
    if key in ("src", "dst"):
        return (*names.producers, *names.consumers)
    return tuple(names.topics) if key == "topic" else NAMES_OF.get(kind, {}).get(key, ())
