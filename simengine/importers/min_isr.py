"""Proofs in a paste of min.insync.replicas, for topics whose configs it does not show.

The controller keeps an ELR only for a partition with fewer members in its ISR than min.insync.replicas (ELR-1), so an
Elr that is not empty is a bound. A broker that refuses acks=all names the value in its error.
"""

import re
from typing import Final

from simengine.importers.evidence import MinIsr, PastedValue
from simengine.importers.model import PastedCluster, PastedPartition
from simengine.importers.noise import holds
from simengine.importers.text import Paste

_REFUSED = re.compile(r"min\.isr requirement of (\d{1,3})(?: for partition ([A-Za-z0-9._-]{1,249})-(\d{1,9}))?")
_REFUSAL_WORDS: Final = ("NOT_ENOUGH_REPLICAS", "NotEnoughReplicas", "fewer in-sync replicas than required")
_WORDS_OF_ANY: Final = ("min", "Min", *_REFUSAL_WORDS)
_PARTITION = re.compile(r"\b(?:topic-)?partition ([A-Za-z0-9._-]{1,249})-(\d{1,7})\b")
_WORDS = re.compile(
    r"\bmin[. ]?(?:insync[. ]?replicas|isr)[`*\"']{0,3}\s{0,3}(?:=|:|of)\s{0,3}[`*\"']{0,3}(\d{1,3})\b", re.I
)
_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}")
LINE_CHARS_MAX: Final = 2_000


def contribute(paste: Paste, cluster: PastedCluster) -> None:
    """Add what the rows, the error messages and the sentences of a paste prove."""
    evidence = cluster.evidence
    for row in cluster.rows():
        if row.elr and not any(broker in row.isr for broker in row.elr):
            why = f"{row.topic}-{row.number} has an Elr with an ISR of {len(row.isr)}, which needs more than that"
            evidence.prove_min_isr(row.topic, MinIsr(len(row.isr) + 1, False, why, row.line))
    lines = [(line.text[:LINE_CHARS_MAX], line.no) for line in paste.lines if holds(line.text, _WORDS_OF_ANY)]
    _take_values(lines, cluster)
    refusals = [one for one in lines if holds(one[0], _REFUSAL_WORDS) and not _REFUSED.search(one[0])]
    short = _smallest_isr(cluster) if refusals else None
    for text, number in refusals:
        _take_refusal(text, number, cluster, short)


def _take_values(lines: list[tuple[str, int]], cluster: PastedCluster) -> None:
    """The values that error messages and sentences name."""
    evidence = cluster.evidence
    commanded = frozenset(said.line for _, _, said in evidence.topic_configs)  # read as commands already
    for text, number in lines:
        if "min" not in text and "Min" not in text:
            continue
        refused = _REFUSED.search(text)
        if refused and refused.group(2):
            why = f"an error message in line {number} names it"
            evidence.prove_min_isr(refused.group(2), MinIsr(int(refused.group(1)), True, why, number))
        elif refused:
            evidence.min_isr_any = PastedValue(refused.group(1), number, "an error message")
        elif number not in commanded:
            _take_sentence(text, number, cluster)


def _take_refusal(text: str, line: int, cluster: PastedCluster, short: PastedPartition | None) -> None:
    """A producer's error for a partition whose ISR is short now: min.insync.replicas is more than its members.

    A value that another line names counts more: the error may be older than the listing, when the ISR was smaller.
    """
    match = _PARTITION.search(text)
    if match is None:
        _take_unnamed_refusal(line, cluster, short)
        return
    topic = cluster.topics.get(match.group(1))
    row = topic.rows.get(int(match.group(2))) if topic is not None else None
    known = cluster.evidence.min_isr_of.get(match.group(1))
    if row is not None and len(row.isr) < len(row.replicas) and not (known is not None and known.is_exact):
        why = f"line {line} tells that {row.topic}-{row.number} refuses acks=all, with an ISR of {len(row.isr)}"
        cluster.evidence.prove_min_isr(row.topic, MinIsr(len(row.isr) + 1, False, why, line))


def _take_unnamed_refusal(line: int, cluster: PastedCluster, short: PastedPartition | None) -> None:
    """An error without partition or value, where only one topic can be meant: its smallest ISR is too small."""
    if cluster.evidence.min_isr_any is None and short is not None:
        why = f"line {line} tells of refused writes, and {short.topic}-{short.number} has an ISR of {len(short.isr)}"
        cluster.evidence.prove_min_isr(short.topic, MinIsr(len(short.isr) + 1, False, why, line))


def _smallest_isr(cluster: PastedCluster) -> PastedPartition | None:
    """The row with the smallest ISR that is not whole, where all such rows are of one topic; None otherwise."""
    short = [row for row in cluster.rows() if len(row.isr) < len(row.replicas) and not row.topic.startswith("__")]
    if not short or any(row.topic != short[0].topic for row in short):
        return None
    return min(short, key=lambda one: len(one.isr))


def _take_sentence(text: str, line: int, cluster: PastedCluster) -> None:
    """A value in a sentence or a command that names one of the topics, and no other."""
    value = _WORDS.search(text)
    if value is None or "Configs:" in text:
        return
    named = dict.fromkeys(word for word in _NAME.findall(text) if word in cluster.topics)
    if len(named) == 1:
        why = f"line {line} says {value.group(1)}"
        cluster.evidence.prove_min_isr(next(iter(named)), MinIsr(int(value.group(1)), True, why, line))
