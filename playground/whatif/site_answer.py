"""The answer of an experiment on several clusters: RPO and RTO, what is not mirrored, where groups continue.

The title is the first figure that clearly differs between configurations, by the rule of `pairing`.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from playground.whatif.pairing import between
from playground.whatif.pipeline.site_figures import UNMIRRORED
from playground.whatif.told import Told
from simengine.words.phrases import listed, plural

Json = dict[str, Any]

LISTED_MAX: Final = 3
"""Configurations whose figures are told one by one; of more, the least and the greatest."""


class Statement(NamedTuple):
    """A figure in words: what stands before it, and how its value is said.

    ``part``: the figure of a flow that is told as a part of it; "" for none.
    """

    name: str
    head: str
    words: Callable[[Json], str]
    part: str = ""


def _records(name: str) -> Callable[[Json], str]:
    return lambda sites: _count(sites[name][0], "record")


def _count(value: float, what: str) -> str:
    number = int(value + 0.5)
    return plural(number, what, f"{what}s") if number else f"no {what}"


def _not_mirrored(name: str, time: str) -> Callable[[Json], str]:
    return lambda sites: f"{_count(sites[name][0], 'record')} ({sites[time][0]:.1f} s)"


STATEMENTS: Final = (
    Statement("rpo_records", "RPO, the records not mirrored when clients moved", _not_mirrored("rpo_records", "rpo")),
    Statement("not_mirrored", "Not mirrored at the end", _not_mirrored("not_mirrored", "not_mirrored_s"), UNMIRRORED),
    Statement("group_skips", "Groups skip on the target", _records("group_skips")),
    Statement("group_rereads", "Groups read again on the target", _records("group_rereads")),
    Statement("rto", "RTO", lambda sites: f"{sites['rto'][0]:.1f} s"),
    Statement("mirrored_twice", "Mirrored twice", _records("mirrored_twice")),
    Statement("left_out", "Left out, without a copy to come", _records("left_out")),
    Statement("disagree", "Copies of what the source no longer has", _records("disagree")),
    Statement(
        "groups_without_offset",
        "Without a committed offset on the target, so that auto.offset.reset decides",
        lambda sites: _count(sites["groups_without_offset"][0], "partition"),
    ),
)
ALWAYS: Final = ("rpo_records", "not_mirrored", "rto")
"""Told also where they are 0."""


def with_sites(told: Told, summary: Json) -> Json:
    """The answer about all clusters and within each; ``told``, that within them, where a run has one cluster."""
    variants = [v for v in summary["variants"] if v.get("sites")]
    if not variants or not summary["is_final"]:
        return told.whole()
    chosen = [statement for statement in STATEMENTS if _matters(statement.name, variants)]
    if not chosen:
        return told.whole()
    first = next((one for one in chosen if _is_clear(summary, one.name, variants)), chosen[0])
    rest = [_sentence(summary, one, variants) for one in chosen if one is not first]
    open_ends = [one for one in [_not_over(variants)] if one]
    within = [f"Within each cluster: {told.title}", *told.sentences]
    return Told(_sentence(summary, first, variants), [*rest, *open_ends, *within]).listed()


def _having(name: str, variants: list[Json]) -> list[Json]:
    """The configurations that have a figure, the least first."""
    return sorted((v for v in variants if name in v["sites"]), key=lambda v: (v["sites"][name][0], v["letter"]))


def _matters(name: str, variants: list[Json]) -> bool:
    having = _having(name, variants)
    if name == "not_mirrored" and _having("rpo_records", variants):
        return False  # it is the RPO, except for flows between other clusters
    return any(name in ALWAYS or v["sites"][name][0] for v in having)


def _is_clear(summary: Json, name: str, variants: list[Json]) -> bool:
    """True if the configurations with the least and the greatest figure clearly differ in it."""
    having = _having(name, variants)
    pair = between(summary["comparisons"], having[-1]["letter"], having[0]["letter"])
    return pair is not None and name in pair and pair[name]["is_clear"] and pair[name]["more"] > pair[name]["fewer"]


def _sentence(summary: Json, one: Statement, variants: list[Json]) -> str:
    having = _having(one.name, variants)
    texts = [one.words(v["sites"]) + _part_words(one, v) for v in having]
    if len(dict.fromkeys(texts)) == 1:
        return f"{one.head}: {texts[0]} in the middle run{' of each' if len(having) > 1 else ''}."
    with_letters = [f"{text} with {_name(v, having)}" for text, v in zip(texts, having, strict=True)]
    values = listed(with_letters) if len(having) <= LISTED_MAX else f"from {with_letters[0]} to {with_letters[-1]}"
    chance = "" if _is_clear(summary, one.name, variants) else "; that difference may be chance"
    return f"{one.head}: {values} in the middle run{chance}."


def _part_words(one: Statement, figures: Json) -> str:
    """The records of topics that a flow does not copy, of the flow with the most; "" where there are none."""
    parts = [part for part in figures["parts"] if part["figure"] == one.part]
    most = max(parts, key=lambda part: float(part["median"][0]), default=None)
    if most is None or most["median"][0] < 1:
        return ""
    is_all = most["median"][0] == figures["sites"][one.name][0]
    share = "all" if is_all else f"{most['median'][0]:,.0f}"
    return f", {share} of them in topics that {most['of']} does not copy,"


def _name(figures: Json, having: list[Json]) -> str:
    """A configuration in a sentence: by its name if there are two with short ones, else by its letter."""
    is_short = len(having) == 2 and not any(v["detail"] or "," in v["name"] for v in having)
    return str(figures["name"] if is_short else figures["letter"])


def _not_over(variants: list[Json]) -> str:
    """In how many runs a failover was not over."""
    said = [
        f"{v['sites']['failovers'] - v['sites']['over']:,} of {v['sites']['failovers']:,} runs with {v['letter']}"
        for v in variants
        if v["sites"]["over"] < v["sites"]["failovers"]
    ]
    return f"The failover was not over at the end of {listed(said)}." if said else ""
