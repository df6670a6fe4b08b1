"""The language of ``expect:``. Each entry is a map; the key that names its subject tells its kind.

``partition: t-0``   its state in the controller: leader, epoch, isr, elr, last_known, replicas, adding, removing,
                     isr_size; at one moment also what its copies hold: hw, leo, epochs (one value, or one by
                     broker), believes (by broker: the leader it takes for true), logs: equal or different
``broker: 1``        registration (active, fenced, shutting down, unregistered), process (running, down, …)
``verdict: t``       figures of the topic at the end: acked, lost, lost_before, hidden, write_down_client_us,
                     longest_wait_us, … ; of ``__consumer_offsets`` groups_down, groups_down_us, groups_lost
``producer: P``      calls by outcome: acked, failed, errors {TimeoutException: 1}; answers of brokers by error;
                     gap (longest time without an ack); call: n with offset, error (one call)
``consumer: C``      delivered, again (delivered a second time), position {t-0: 9}, resets {…}, errors {…}, gap;
                     behind (longest time from a record's commit, the leader's high watermark, to its delivery;
                     with an upper bound also of what was not delivered)
``counter: …``       IsrShrinks, IsrExpands, UncleanElections, ElrElections, Truncations; is: n; of: a broker; on: a
                     partition
``metric: …``        what JMX says under that name (UnderReplicatedPartitions, …); is: n; of: a node; on: a
                     partition; summed over all that are meant
``alert: name``      state of an alert rule over all its series: inactive, pending or firing; ``within: [12s, 42s]``
                     says that it fires within 30 s of 12 s
``fact: Kind``       facts of the kind whose values are as in `where`; count: n (default: at least one)
``mirror: east->west``  one flow at the end. Of a `topic`: mirrored, not_mirrored, doubled, skipped, disagree (records),
                     not_mirrored_us; of a `group` and a remote partition `on`: source, true, checkpoint, continues
                     (offsets; -1: none), skips, uncommitted, rereads (records)
``any_of: [[…], …]`` one of several outcomes, each entry with a time of its own
``order: [a, b, …]`` entries of the kind fact, each with a time of its own: the first such facts come in this order;
                     apart: the time from each to the next

When: ``at: 30s`` or ``at: end`` (the default); ``within: [a, b]`` it begins to be so between a and b (or counts only
what lies there); of partitions, brokers and alerts also ``throughout: [a, b]`` and ``never: [a, b]``. ``10s+D`` stands
for the detection window after 10 s. Amounts are a number or [fewest, most] (null: no bound). `rules` and `say` give
rule ids and reasons.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from simengine.scenario.durations import parse_duration
from simengine.scenario.expect.values import COUNT, READERS, SPAN, Reader, under
from simengine.scenario.limits import TIME_US_MAX
from simengine.scenario.near import nearest
from simengine.scenario.problems import FieldError, Problem, joined

# a silent broker is fenced after S - H to S + S/8 (LIVE-3), and the commit takes some more
DETECTION_US: Final = (7_000_000, 10_350_000)
END: Final = -1

STATE_KEYS: Final = ("leader", "epoch", "isr", "elr", "last_known", "replicas", "adding", "removing", "isr_size")
COPY_KEYS: Final = ("hw", "leo", "epochs", "believes", "logs")
TIME_KEYS: Final = ("at", "within", "throughout", "never")
COMMON_KEYS: Final = ("rules", "say")
FIGURES: Final = (
    "calls",
    "acked",
    "kept",
    "lost",
    "lost_all",
    "lost_1",
    "moved",
    "duplicated",
    "doomed",
    "hidden",
    "frozen_hidden",
    "refused",
    "unknown",
    "unknown_written",
    "handed_over",
    "arrived",
    "vanished",
    "undetermined",
    "stranded",
    "delivered",
    "seen",
    "lagging",
    "skipped",
    "phantoms",
    "overwritten",
    "reread",
    "by_application",
    "recovered",
    "before",
    "lost_before",
    "unreadable",
    "unled",
    "groups_down",
    "groups_lost",
    "coordinators",
)
TIMES: Final = (
    "write_down_all_us",
    "write_down_1_us",
    "write_down_client_us",
    "read_down_us",
    "read_down_client_us",
    "exposed_us",
    "stalled_us",
    "refused_us",
    "leaderless_us",
    "longest_wait_us",
    "longest_read_us",
    "client_waits_us",
    "read_waits_us",
    "groups_down_us",
)
MIRROR_FIGURES: Final = ("mirrored", "not_mirrored", "doubled", "skipped", "disagree")
GROUP_OFFSETS: Final = ("source", "true", "checkpoint", "continues")
GROUP_FIGURES: Final = ("skips", "uncommitted", "rereads")
COUNTERS: Final = ("IsrShrinks", "IsrExpands", "UncleanElections", "ElrElections", "Truncations")
SUBJECTS: Final[dict[str, tuple[str, ...]]] = {
    "partition": (*STATE_KEYS, *COPY_KEYS),
    "broker": ("registration", "process"),
    "verdict": (*FIGURES, *TIMES),
    "producer": ("on", "acked", "failed", "errors", "answers", "gap", "call", "offset", "error"),
    "consumer": ("on", "delivered", "again", "position", "resets", "errors", "gap", "behind"),
    "counter": ("is", "of", "on"),
    "metric": ("is", "of", "on"),
    "alert": ("state",),
    "fact": ("where", "count"),
    "mirror": ("topic", *MIRROR_FIGURES, "not_mirrored_us", "group", "on", *GROUP_OFFSETS, *GROUP_FIGURES),
    "any_of": (),
    "order": ("apart",),
}

TIMES_OF: Final[dict[str, tuple[str, ...]]] = {
    "partition": TIME_KEYS,
    "broker": TIME_KEYS,
    "alert": TIME_KEYS,
    "any_of": (),
    "order": (),
}

Bounds = tuple[int, int | None]


class When(NamedTuple):
    """A time condition: `how` is one of TIME_KEYS; `at` uses `start_us` alone (END: at the end)."""

    how: str
    start_us: int
    end_us: int


class Expectation(NamedTuple):
    """One entry: its kind (a key of SUBJECTS), subject, the keys it holds, when, and why; its place in the document."""

    kind: str
    subject: Any
    wanted: dict[str, Any]
    when: When
    rules: tuple[str, ...]
    say: str
    path: str
    options: tuple[tuple["Expectation", ...], ...] = ()


def read_all(entries: Sequence[object]) -> tuple[list[Expectation], list[Problem]]:
    """The expectations of a document that can be held, and what is wrong with the others (paths from ``expect``)."""
    problems: list[Problem] = []
    return _read_each("expect", entries, problems), problems


def _read_each(path: str, entries: Sequence[object], problems: list[Problem]) -> list[Expectation]:
    """The entries of a list that can be read; what is wrong with the others goes to ``problems``."""
    found: list[Expectation] = []
    for i, entry in enumerate(entries):
        before = len(problems)
        try:
            expectation = read(entry, joined(path, f"[{i}]"), problems)
        except FieldError as wrong:
            problems.append(wrong.at(joined(path, f"[{i}]")))
        else:
            found += [expectation] if len(problems) == before else []
    return found


def read(entry: object, path: str, problems: list[Problem]) -> Expectation:
    """One entry. Raises FieldError; what is wrong with its values goes to ``problems``."""
    if not isinstance(entry, dict):
        raise FieldError("an expectation is a map", entry, ", ".join(SUBJECTS))
    kinds = [key for key in SUBJECTS if key in entry]
    kind = kinds[0] if kinds else ""
    if len(kinds) != 1:
        near = next((nearest(str(key), SUBJECTS) for key in entry), "")
        raise FieldError(
            "says not what it is about, or two things at once", " ".join(map(str, entry)), ", ".join(SUBJECTS), near
        )
    allowed = (kind, *SUBJECTS[kind], *TIMES_OF.get(kind, ("at", "within")), *COMMON_KEYS)
    for key in entry:
        if key not in allowed:
            raise FieldError(f"unknown key {key!r}", key, ", ".join(allowed), nearest(str(key), allowed))
    wanted = {key: entry[key] for key in SUBJECTS[kind] if key in entry}
    for key, value in wanted.items():
        problems += under(joined(path, key), reader_of(kind, key)(value))
    when = _when(entry)
    _check(kind, wanted, when)
    return Expectation(
        kind=kind,
        subject=entry[kind],
        wanted=wanted,
        when=when,
        rules=_rules(entry.get("rules", [])),
        say=_say(entry.get("say", "")),
        path=path,
        options=_nested(kind, entry[kind], joined(path, kind), problems),
    )


def reader_of(kind: str, key: str) -> Reader:
    """The reader that checks the value of a key; ``names`` checks a fact's `where`."""
    if kind == "verdict":
        return SPAN if key in TIMES else COUNT
    return READERS[kind].get(key, lambda value: iter(()))


def _say(value: object) -> str:
    if not isinstance(value, str):
        raise FieldError("not a reason in words", value, "a text")
    return value


def _rules(value: object) -> tuple[str, ...]:
    rules = [value] if isinstance(value, str) else value
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise FieldError("not the rules that say so", value, "a list of ids, such as [ISR-2, HW-3]")
    return tuple(rules)


def _nested(kind: str, value: object, path: str, problems: list[Problem]) -> tuple[tuple[Expectation, ...], ...]:
    """The expectations inside one: outcomes, or the facts of an order as a single one."""
    if kind == "any_of":
        return _options(value, path, problems)
    return (_ordered(value, path, problems),) if kind == "order" else ()


def _ordered(value: object, path: str, problems: list[Problem]) -> tuple[Expectation, ...]:
    """The facts that are to come in their order."""
    if not isinstance(value, list) or len(value) < 2:
        allowed = "such as [{fact: ControllerChanged}, {fact: LeaderActivated}]"
        raise FieldError("not a list of two facts or more", value, allowed)
    found = _read_each(path, value, problems)
    for entry in found:
        if entry.kind != "fact" or "count" in entry.wanted:
            raise FieldError("not the first of some facts", entry.kind, "fact, with where and within")
    return tuple(found)


def _options(value: object, path: str, problems: list[Problem]) -> tuple[tuple[Expectation, ...], ...]:
    if not isinstance(value, list) or not value or [] in value:
        allowed = "such as [[{partition: orders-0, leader: 2}], [{partition: orders-0, leader: 3}]]"
        raise FieldError("any_of is a list of outcomes, each a list of expectations", value, allowed)
    return tuple(_option(option, joined(path, f"[{i}]"), problems) for i, option in enumerate(value))


def _option(value: object, path: str, problems: list[Problem]) -> tuple[Expectation, ...]:
    """One outcome: a list of expectations, or a single one."""
    if isinstance(value, list):
        return tuple(_read_each(path, value, problems))
    try:
        return (read(value, path, problems),)
    except FieldError as wrong:
        problems.append(wrong.at(path))
        return ()


def _when(entry: dict[str, Any]) -> When:
    given = [key for key in TIME_KEYS if key in entry]
    if len(given) > 1:
        raise FieldError("has two times", ", ".join(given), "one of at, within, throughout, never")
    if not given:
        return When("at", END, END)
    how = given[0]
    value = entry[how]
    if how == "at":
        moment = END if value == "end" else parse_duration(value)
        return When("at", moment, moment)
    return When(how, *window(value))


def window(value: object) -> tuple[int, int]:
    """A written window in microseconds: [a, b], or "10s+D". Raises FieldError."""
    if isinstance(value, str) and value.endswith("+D"):
        start = parse_duration(value.removesuffix("+D"))
        return start + DETECTION_US[0], start + DETECTION_US[1]
    if not isinstance(value, list) or len(value) != 2:
        raise FieldError("not a window", value, "[from, to], or such as 10s+D")
    start, end = (TIME_US_MAX if part == "end" else parse_duration(part) for part in value)
    if end < start:
        raise FieldError("ends before it begins", value, "[from, to] in the order of time")
    return start, end


def _check(kind: str, wanted: dict[str, Any], when: When) -> None:
    if kind not in ("any_of", "order", "fact") and not wanted:
        raise FieldError(f"expects nothing of its {kind}", "", ", ".join(SUBJECTS[kind]))
    if kind == "partition" and when.how != "at":
        late = [key for key in COPY_KEYS if key in wanted]
        if late:
            raise FieldError(f"{late[0]} is looked at in one moment only", late[0], "at")
    if kind in ("counter", "metric") and "is" not in wanted:
        raise FieldError(f"a {kind} is a number", ", ".join(wanted), "is")
    if kind == "metric" and when.how != "at":
        raise FieldError("a metric is read at one moment", when.how, "at")
    if kind == "consumer" and "position" in wanted and when.how != "at":
        raise FieldError("a position is looked at in one moment only", when.how, "at")
    if kind == "producer":
        _check_call(wanted)
    if kind in ("verdict", "mirror") and when != When("at", END, END):
        raise FieldError("a verdict is read at the end", when.how, "at: end")
    if kind == "mirror":
        _check_mirror(wanted)


def _check_mirror(wanted: dict[str, Any]) -> None:
    """A topic has figures of its copies, a group has offsets."""
    if ("topic" in wanted) == ("group" in wanted):
        raise FieldError("a flow is looked at for one topic or one group", ", ".join(wanted), "topic or group")
    subject = "topic" if "topic" in wanted else "group"
    of_topic, of_group = (*MIRROR_FIGURES, "not_mirrored_us"), ("on", *GROUP_OFFSETS, *GROUP_FIGURES)
    allowed = of_topic if subject == "topic" else of_group
    wrong = [key for key in wanted if key not in (*allowed, subject)]
    if wrong:
        raise FieldError(f"{wrong[0]} is not said of a {subject}", wrong[0], ", ".join(allowed))
    if all(key in (subject, "on") for key in wanted):
        raise FieldError(f"expects nothing of its {subject}", subject, ", ".join(allowed))


def _check_call(wanted: dict[str, Any]) -> None:
    """One call has an offset and an error; calls together have counts."""
    of_one, of_all = ("offset", "error"), ("acked", "failed", "errors", "answers", "gap")
    wrong = [key for key in (of_all if "call" in wanted else of_one) if key in wanted]
    if wrong:
        allowed = ", ".join(of_one) if "call" in wanted else "call beside it, or counts of all calls"
        raise FieldError(f"{wrong[0]} is said of {'all calls' if 'call' in wanted else 'one call'}", wrong[0], allowed)
    if [*wanted] == ["on"]:
        raise FieldError("expects nothing of its producer", "on", ", ".join((*of_all, "call")))


def bounds(value: object) -> Bounds:
    """(fewest, most) of a written amount; most None: no bound. Raises FieldError."""
    if isinstance(value, list) and len(value) == 2:
        low, high = value
        return (amount(low) if low is not None else 0), (amount(high) if high is not None else None)
    exact = amount(value)
    return exact, exact


def amount(value: object) -> int:
    """A count, or a duration in microseconds. Raises FieldError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return parse_duration(value)


def flat(expectation: Expectation) -> list[Expectation]:
    """The expectation itself, or all those inside its outcomes."""
    if not expectation.options:
        return [expectation]
    return [inner for option in expectation.options for entry in option for inner in flat(entry)]


def snapshot_times(expectations: list[Expectation], until_us: int) -> list[int]:
    """The moments at which `failures` needs a snapshot, ascending; the end is always one of them."""
    times = {until_us: None}
    for expectation in expectations:
        for option in expectation.options:
            times.update(dict.fromkeys(snapshot_times(list(option), until_us)))
        if expectation.kind in ("partition", "broker", "consumer", "metric") and expectation.when.how == "at":
            moment = expectation.when.start_us
            times[until_us if moment == END else min(moment, until_us)] = None
    return sorted(times)
