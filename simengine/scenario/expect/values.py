"""The readers of an expectation's values. A reader tells what is wrong with a value, with paths from its key on.

Whether the brokers, partitions and clients that a value names exist is for ``names`` to say.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from simengine.facts.errors import ERRORS_BY_NAME
from simengine.facts.kinds import PROCESS_NAMES, REG_NAMES, RESET_NAMES
from simengine.scenario.durations import parse_duration
from simengine.scenario.limits import EPOCH_MAX, NODE_ID_MAX, OFFSET_MAX, TIME_US_MAX
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError, Problem, joined

Wrongs = Iterator[Problem]
Reader = Callable[[object], Wrongs]
NONE: Final = (None, "none")  # nobody leads

AMOUNT: Final = "a whole number, or [fewest, most] with null for no bound"
TIME: Final = "a duration such as 1.5s, or [shortest, longest] with null for no bound"
IDS: Final = "a list of broker ids, such as [1, 2], or []"
LEADER: Final = "a broker id, none, or a list of those that may lead"
ALERT_STATES: Final = ("inactive", "pending", "firing")
EPOCHS: Final = "a list of [epoch, first offset], such as [[0, 0], [2, 14]]"


def whole(value: object, least: int = 0, most: int = OFFSET_MAX) -> int:
    """A whole number. Raises FieldError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError("not a whole number", value, f"a whole number from {least}")
    if not least <= value <= most:
        raise FieldError("out of range", value, f"{least} to {most}")
    return value


def time(value: object) -> int:
    """A duration, or a whole number of microseconds as a verdict prints it. Raises FieldError."""
    us = whole(value) if isinstance(value, int) else parse_duration(value)
    if us > TIME_US_MAX:
        raise FieldError("longer than any run", value, "at most 24h")
    return us


def amount(one: Callable[[object], int], allowed: str) -> Reader:
    """One amount, or two bounds of it."""

    def read(value: object) -> Wrongs:
        if not isinstance(value, list):
            yield from wrong_of(value, one, allowed)
        elif len(value) != 2 or value == [None, None]:
            yield FieldError("not two bounds", value, allowed).at("")
        else:
            wrongs = [w for part in value if part is not None for w in wrong_of(part, one, allowed)]
            yield from wrongs
            if not wrongs and None not in value and one(value[1]) < one(value[0]):
                yield FieldError("the second bound is below the first", value, allowed).at("")

    return read


def wrong_of(value: object, one: Callable[[object], int], allowed: str = "") -> Wrongs:
    """The refusal of a value by a reader of one value, with what is allowed in its place."""
    try:
        one(value)
    except FieldError as wrong:
        yield FieldError(wrong.message, value, allowed or wrong.allowed, wrong.near).at("")


def broker_id(value: object) -> int:
    """A broker's id, whether it exists or not. Raises FieldError."""
    return whole(value, most=NODE_ID_MAX)


def ids(value: object) -> Wrongs:
    """A list of broker ids, each once."""
    if not isinstance(value, list):
        yield FieldError("not a list of brokers", value, IDS).at("")
        return
    for i, part in enumerate(value):
        yield from under(f"[{i}]", wrong_of(part, broker_id, "a broker id"))
        if value.index(part) < i:
            yield FieldError("named twice", part, "each broker once").at(f"[{i}]")


def leader(value: object) -> Wrongs:
    """A leader: one broker, nobody, or one of several."""
    if isinstance(value, list) and not value:
        yield FieldError("names nobody", value, LEADER).at("")
    for part in value if isinstance(value, list) else [value]:
        if part not in NONE:
            yield from wrong_of(part, lambda one: whole(one, -1, NODE_ID_MAX), LEADER)


def epochs(value: object) -> Wrongs:
    """The first offset of each epoch in a log."""
    if not isinstance(value, list):
        yield FieldError("not the epochs of a log", value, EPOCHS).at("")
        return
    for i, pair in enumerate(value):
        if not isinstance(pair, list) or len(pair) != 2:
            yield FieldError("not an epoch and its first offset", pair, EPOCHS).at(f"[{i}]")
            continue
        yield from under(f"[{i}]", wrong_of(pair[0], lambda one: whole(one, most=EPOCH_MAX), EPOCHS))
        yield from under(f"[{i}]", wrong_of(pair[1], whole, EPOCHS))


def by_broker(reader: Reader) -> Reader:
    """One value for all copies, or a map of them by broker."""

    def read(value: object) -> Wrongs:
        if not isinstance(value, dict):
            yield from reader(value)
            return
        yield from empty(value, "a value by broker, such as {1: 5}")
        for key, part in value.items():
            if not str(key).isdecimal():
                yield FieldError("not a broker id", key, "a value by broker, such as {1: 5}").at(str(key))
            yield from under(str(key), reader(part))

    return read


def word(what: str, allowed: Sequence[str]) -> Reader:
    """One of some words."""

    def read(value: object) -> Wrongs:
        if value not in allowed:
            yield FieldError(f"not {what}", value, ", ".join(allowed), nearest(str(value), allowed)).at("")

    return read


def counts(what: str, allowed: Sequence[str]) -> Reader:
    """Amounts by name."""

    def read(value: object) -> Wrongs:
        if not isinstance(value, dict):
            yield FieldError(f"not a map of {what} and amounts", value, f"such as {{{allowed[-1]}: 1}}").at("")
            return
        yield from empty(value, f"such as {{{allowed[-1]}: 1}}")
        for key, part in value.items():
            yield from under(str(key), word(f"the name of {what}", allowed)(str(key)))
            yield from under(str(key), COUNT(part))

    return read


def positions(value: object) -> Wrongs:
    """Offsets by partition."""
    if not isinstance(value, dict):
        yield FieldError("not a map of partitions and positions", value, "such as {orders-0: 9}").at("")
        return
    yield from empty(value, "such as {orders-0: 9}")
    for key, part in value.items():
        yield from under(str(key), amount(lambda one: whole(one, -1), AMOUNT)(part))


def empty(value: dict[object, object], allowed: str) -> Wrongs:
    """An empty map says nothing."""
    if not value:
        yield FieldError("is empty", value, allowed).at("")


def text(value: object) -> Wrongs:
    """A name, of which ``names`` says whether it exists."""
    if not isinstance(value, str):
        yield FieldError("not a name", value, "a text").at("")


def under(part: str, wrongs: Wrongs) -> Wrongs:
    """The same problems with paths that begin one level higher."""
    for wrong in wrongs:
        yield wrong._replace(path=joined(part, wrong.path))


COUNT: Final = amount(whole, AMOUNT)
SPAN: Final = amount(time, TIME)
ERRORS: Final = counts("an error", tuple(ERRORS_BY_NAME))
RESETS: Final = counts("a reset", RESET_NAMES[1:])

READERS: Final[dict[str, dict[str, Reader]]] = {
    "partition": {
        "leader": leader,
        "epoch": COUNT,
        **dict.fromkeys(("isr", "elr", "last_known", "replicas", "adding", "removing"), ids),
        "isr_size": COUNT,
        "hw": by_broker(COUNT),
        "leo": by_broker(COUNT),
        "epochs": by_broker(epochs),
        "believes": by_broker(leader),
        "logs": word("a comparison of logs", ("equal", "different")),
    },
    "broker": {
        "registration": word("a state of a registration", REG_NAMES),
        "process": word("a state of a process", PROCESS_NAMES),
    },
    "mirror": {
        **dict.fromkeys(("topic", "group", "on"), text),
        **dict.fromkeys(("mirrored", "not_mirrored", "doubled", "skipped", "disagree"), COUNT),
        **dict.fromkeys(("skips", "uncommitted", "rereads"), COUNT),
        "not_mirrored_us": SPAN,
        **dict.fromkeys(("source", "true", "checkpoint", "continues"), amount(lambda one: whole(one, -1), AMOUNT)),
    },
    "producer": {
        "on": text,
        "acked": COUNT,
        "failed": COUNT,
        "errors": ERRORS,
        "answers": ERRORS,
        "gap": SPAN,
        "call": lambda value: wrong_of(value, whole),
        "offset": amount(lambda one: whole(one, -1), AMOUNT),
        "error": word("the name of an error", tuple(ERRORS_BY_NAME)),
    },
    "consumer": {
        "on": text,
        "delivered": COUNT,
        "again": COUNT,
        "position": positions,
        "resets": RESETS,
        "errors": ERRORS,
        "gap": SPAN,
        "behind": SPAN,
    },
    "order": {"apart": SPAN},
    "counter": {"is": COUNT, "of": lambda value: wrong_of(value, broker_id), "on": text},
    "metric": {"is": COUNT, "of": lambda value: wrong_of(value, broker_id), "on": text},
    "alert": {"state": word("a state of an alert", ALERT_STATES)},
    "fact": {"count": COUNT},
}
