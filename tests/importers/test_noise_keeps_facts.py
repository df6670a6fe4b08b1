"""Whatever a mail, a wiki, a terminal or a program does to a listing, its facts stay, and nothing ever raises."""

import random
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simengine.importers.recognise import read
from simengine.importers.report import import_text
from tests.importers import samples
from tests.importers.test_describe import facts

LISTINGS = [
    (samples.MODERN, samples.MODERN_FACTS),
    (samples.OLD, samples.OLD_FACTS),
    (samples.VERY_OLD, samples.VERY_OLD_FACTS),
    (samples.KCAT, samples.KCAT_FACTS),
]


def each_line(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


def hard_wrapped(width: int) -> Callable[[str], str]:
    """As a terminal of so many columns shows it, tabs spread out."""

    def wrap(line: str) -> str:
        line = line.expandtabs(8)
        return "\n".join(line[at : at + width] for at in range(0, max(1, len(line)), width))

    return each_line(wrap)


def soft_wrapped(width: int) -> Callable[[str], str]:
    """As a mail program breaks it, between words."""
    return each_line(lambda line: "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)))


CHANGES: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "old mac": lambda text: text.replace("\n", "\r"),
    "quoted": each_line(lambda line: "> " + line),
    "quoted twice": each_line(lambda line: ">> " + line),
    "commented": each_line(lambda line: "# " + line),
    "docker logs": each_line(lambda line: "kafka-1  | " + line),
    "log stamps": each_line(lambda line: "2026-01-01T00:00:00.000Z " + line),
    "indented": each_line(lambda line: "        " + line),
    "not indented": each_line(str.lstrip),
    "tabs spread": lambda text: text.expandtabs(8),
    "single blanks": each_line(lambda line: " ".join(line.split())),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "fenced": lambda text: f"```\n{text}\n```",
    "coloured": each_line(lambda line: f"\x1b[32m{line}\x1b[0m"),
    "coloured, escapes lost": each_line(lambda line: f"[01;31m[K{line}[m[K"),
    "pods in front": each_line(lambda line: "[pod/my-cluster-kafka-0/kafka] " + line),
    "pod and container in front": each_line(lambda line: "my-cluster-kafka-0 kafka " + line),
    "numbers between": lambda text: "\n".join(f"{at}\n{line}" for at, line in enumerate(text.split("\n"), 1)),
    "Jira colour": each_line(lambda line: "{color:red}" + line + "{color}"),
    "curled quotes": lambda text: text.replace('"', "\u201d"),
    "quotes lost": lambda text: text.replace('"', ""),
    "byte order mark": lambda text: "\ufeff" + text,
    "html": lambda text: "<p><pre>" + text.replace('"', "&quot;") + "</pre>",
    "strings of a list": each_line(lambda line: '  "' + line.replace('"', '\\"').replace("\t", "\\t") + '",'),
    "one JSON string": lambda text: text.replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n"),
    "terminal of 60": hard_wrapped(60),
    "terminal of 80": hard_wrapped(80),
    "terminal of 100": hard_wrapped(100),
    "terminal of 120": hard_wrapped(120),
    "terminal of 150": hard_wrapped(150),
    "mail of 72": soft_wrapped(72),
    "mail of 80": soft_wrapped(80),
    "mail of 120": soft_wrapped(120),
    "quoted mail": lambda text: each_line(lambda line: "> " + line)(soft_wrapped(72)(text)),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize(("text", "expected"), LISTINGS)
def test_the_facts_stay(name: str, text: str, expected: tuple[int, ...]) -> None:
    assert facts(read(CHANGES[name](text))) == expected


def test_utf_16_as_powershell_writes_it_is_read() -> None:
    assert facts(read(samples.MODERN.encode("utf-16"))) == samples.MODERN_FACTS


@st.composite
def clusters(draw: st.DrawFn) -> tuple[str, tuple[int, ...]]:
    """A random listing of one form with the facts that plain counting gives."""
    random_source = random.Random(draw(st.integers(0, 2**32)))
    lower, tab = draw(st.sampled_from([("Topic: ", "\t"), ("Topic:", "\t"), ("Topic: ", "   ")]))
    lines: list[str] = []
    brokers: dict[int, None] = {}
    counts = [0, 0, 0, 0]
    names = draw(st.lists(st.from_regex(r"[A-Za-z0-9._-]{3,40}", fullmatch=True), min_size=1, max_size=4, unique=True))
    for name in names:
        size = random_source.randint(1, 5)
        lines.append(f"{lower}{name}{tab}PartitionCount: {size}{tab}ReplicationFactor: 3{tab}Configs: a.b=1,c.d=x")
        for number in range(size):
            replicas = random_source.sample(range(1, 12), random_source.randint(1, 4))
            isr = [broker for broker in replicas if random_source.random() < 0.7]
            leader = isr[0] if isr and random_source.random() < 0.8 else -1
            brokers.update(dict.fromkeys(replicas))
            counts[0] += 1
            counts[1] += len(isr) < len(replicas)
            counts[2] += leader == -1
            counts[3] += leader not in (-1, replicas[0])
            said = "none" if leader == -1 else leader
            members = [",".join(map(str, ids)) for ids in (replicas, isr)]
            cells = [f"Topic: {name}", f"Partition: {number}", f"Leader: {said}", f"Replicas: {members[0]}"]
            lines.append(tab + tab.join([*cells, f"Isr: {members[1]}"]))
    return "\n".join(lines) + "\n", (len(brokers), len(names), *counts)


@settings(max_examples=60, deadline=None)
@given(clusters(), st.sampled_from(sorted(CHANGES)))
def test_random_clusters_keep_their_facts_through_any_change(cluster: tuple[str, tuple[int, ...]], change: str) -> None:
    text, expected = cluster
    assert facts(read(CHANGES[change](text))) == expected


@settings(max_examples=60, deadline=None)
@given(clusters(), st.randoms(use_true_random=False))
def test_shuffled_lines_keep_the_facts(cluster: tuple[str, tuple[int, ...]], source: random.Random) -> None:
    lines = cluster[0].splitlines()
    source.shuffle(lines)
    assert facts(read("\n".join(lines))) == cluster[1]


PROSE = st.from_regex(r"[a-z]{3,9}( [a-z,.]{3,9}){1,6}", fullmatch=True)


@settings(max_examples=80, deadline=None)
@given(clusters(), st.lists(st.tuples(st.integers(0, 60), PROSE), min_size=1, max_size=8))
def test_every_line_is_used_or_listed_as_unread(
    cluster: tuple[str, tuple[int, ...]], prose: list[tuple[int, str]]
) -> None:
    lines = cluster[0].splitlines()
    for place, words in prose:
        lines.insert(min(place, len(lines)), words)
    reading = read("\n".join(lines))
    assert facts(reading) == cluster[1]
    assert reading.cluster is not None
    used = [row.line for row in reading.cluster.rows()] + [topic.line for topic in reading.cluster.topics.values()]
    unread = [entry.line for entry in reading.unread]
    assert sorted(used + unread) == list(range(1, len(lines) + 1))
    assert all(entry.reason and entry.text for entry in reading.unread)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), PROSE), min_size=1, max_size=8))
def test_every_line_of_kcat_is_used_or_listed_as_unread(prose: list[tuple[int, str]]) -> None:
    lines = samples.KCAT.splitlines()
    for place, words in prose:
        lines.insert(min(place, len(lines)), words)
    reading = read("\n".join(lines))
    assert facts(reading) == samples.KCAT_FACTS
    assert [entry.text for entry in reading.unread] == [line for line in lines if line not in samples.KCAT]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([samples.MODERN, samples.OLD, samples.KCAT, samples.KCAT_JSON]),
    st.integers(0, 2_000),
    st.integers(0, 2_000),
    st.text(max_size=30),
)
def test_no_truncation_and_no_inserted_noise_ever_raises(text: str, cut: int, place: int, noise: str) -> None:
    damaged = text[:place] + noise + text[place : len(text) - cut]
    result = import_text(damaged)
    assert result["status"] in ("accept", "accept-warn", "reject")
    assert (result["scenario"] is None) == (result["reason"] is not None)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=400), st.binary(max_size=400)))
def test_arbitrary_text_never_raises(data: str | bytes) -> None:
    assert import_text(data)["status"] in ("accept", "accept-warn", "reject")
