"""The beginnings of outputs that readers know. What stands in front of one in its line is no part of the output."""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple

from simengine.importers.text import Line

FRONT_CHARS_MAX: Final = 160
HITS_MAX: Final = 100  # of one word: a pretty-printed listing has a brace in each third line
_TAIL_CHARS: Final = 400  # of an anchor that are looked at
_NO_BOUNDARY = re.compile(r"[\w.\"'=\\/$-]$")
_KEY: Final = r":(?:\s|$)"
_IS: Final = r"\s*=\s*\S"
_FORMS: Final = tuple(
    (word, re.compile(re.escape(word) + rest))
    for word, rest in (
        ("{", r"(?:\s*$|\s*\\?\")"),
        ("[", r"(?:\s*$|\s*\{)"),
        *(
            (word, _KEY)
            for word in (
                "apiVersion",
                "kind",
                "services",
                "metadata",
                "spec",
                "environment",
                "extraEnvVars",
                "controller",
            )
        ),
        *((word, r"\s.*LogEndOffset") for word in ("NodeId", "ReplicaId")),
        *((word, r"\s*:\s") for word in ("ClusterId", "LeaderId", "CurrentVoters")),
        ("GROUP", r"[\s|]+(?:TOPIC|COORDINATOR)\b"),
        ("TOPIC", r"[\s|]+PARTITION\b"),
        ("ID", r"[\s|]+HOST[\s|]+PORT\b"),
        *(
            (word, r"(?i:[\s|,;].{0,200}\bleader\b.{0,200}\breplicas?\b)")
            for word in ("Partition", "PARTITION", "partition", "Topic", "TOPIC", "topic", "ID")
        ),
        *((word, r":\s*$") for word in ("Partitions", "partitions", "Configs", "configs")),
        ("BROKER", r"[\s|]+LEADER"),
        ("HOST", r"[\s|]+BROKER\b"),
        *((f"{word} configs for", r"\s") for word in ("Dynamic", "All", "Default")),
        ("Configs for", r"\s"),
        ("Status of partition", r"\s"),
        ("Current partition re", r"\w"),
        ("Metadata for", r"\s.*\(from broker"),
        ("Topic", r"[\s|]+Partition[\s|]+Replica\b"),
        ("Topic:", r"\s*\S"),
        ("topic:", r"\s*\S+\s+partition:"),
        *((word, _IS) for word in ("broker.id", "node.id", "process.roles", "controller.quorum.voters", "clusters")),
        *((word, r"\s*[=:]\s*\d") for word in ("min.insync.replicas", "default.replication.factor")),
    )
)
_WITHIN = re.compile(
    r"\(id: \d{1,10} rack: |\bKAFKA_[A-Z_]{4,60}\b|\bbroker \d{1,10} at \S|\bpartition \d{1,9}, leader |"
    r"^\s*\d{1,9} (?:brokers|topics):"
)  # in the middle of an output


class Anchor(NamedTuple):
    """The beginning of an output: the index of its line, and its prefix."""

    at: int
    front: str


def anchors(lines: list[Line]) -> list[Anchor]:
    """The first anchors of each form, one a line and form, in the order of the lines."""
    text = "\n".join(line.text for line in lines)
    starts = [0, *accumulate(len(line.text) + 1 for line in lines)]
    found: dict[int, str] = {}
    for word, pattern in _FORMS:
        for at, front in _hits(text, starts, word, pattern):
            if at not in found or len(front) < len(found[at]):
                found[at] = front
    return [Anchor(at, found[at]) for at in sorted(found)]


def _hits(text: str, starts: list[int], word: str, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    """Lines with the word where the pattern matches, each with what stands in front."""
    found: list[tuple[int, str]] = []
    place = text.find(word)
    for _ in range(HITS_MAX):
        if place < 0:
            break
        at = bisect_right(starts, place) - 1
        end = starts[at + 1] - 1
        front = text[starts[at] : place] if place - starts[at] <= FRONT_CHARS_MAX else None
        is_one = front is not None and not _NO_BOUNDARY.search(front)
        if front is not None and is_one and pattern.match(text[place : min(end, place + _TAIL_CHARS)]):
            found.append((at, front))
        place = text.find(word, end)
    return found


def begins(text: str) -> bool:
    """True if a text begins as a known output does."""
    start = text.lstrip()[:_TAIL_CHARS]
    return any(start.startswith(word) and pattern.match(start.partition("\n")[0]) for word, pattern in _FORMS)


def with_output(lines: list[Line]) -> list[int]:
    """The numbers of lines with an anchor, or with what readers know anywhere in an output; some of very many."""
    found = {lines[one.at].no for one in anchors(lines)} if lines else set()
    return sorted(found | {line.no for line in lines if _WITHIN.search(line.text[:_TAIL_CHARS])})


def is_bare(anchor: Anchor) -> bool:
    """True if nothing stands in front of it."""
    return not anchor.front.strip()
