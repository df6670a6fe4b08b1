"""Chains that tell the same story of other partitions, made one: a rack that dies loses records of many at once."""

import re
from typing import Any

Json = dict[str, Any]

_BROKERS = re.compile(r"(?:broker|controller)s? \d+(?:(?:, | and | or )\d+)*|acks=\w+|[a-z.]+=\w+")
_NUMBERS = re.compile(r"\d[\d–]*(?:, \d[\d–]*)*(?: and \d+ more ranges?)?")


def merged(chains: list[Json]) -> list[Json]:
    """The chains in their order, each with those that differ from it by partition, offsets, epochs and times alone.

    ``alike``: partition, count, ranges and epoch of each of the others.
    """
    found: dict[tuple[object, ...], Json] = {}
    for chain in chains:
        key = story(chain)
        if key not in found:
            found[key] = {**chain, "alike": []}
        else:
            one = {name: chain[name] for name in ("partition", "count", "ranges", "epoch")}
            found[key]["alike"].append(one)
    return list(found.values())


def story(chain: Json) -> tuple[object, ...]:
    """What a chain says but for its partition and numbers; brokers and settings are part of the story."""
    links = tuple((link["role"], shape(link["text"], chain["partition"]), *link["rules"]) for link in chain["links"])
    return chain["topic"], chain["acks"], links


def shape(text: str, partition: str) -> str:
    """A sentence without its partition's name and without numbers that name no broker and no setting."""
    kept: list[str] = []
    start = 0
    text = text.replace(partition, "it")
    for match in _BROKERS.finditer(text):
        kept += [_NUMBERS.sub("#", text[start : match.start()]), match.group()]
        start = match.end()
    return "".join([*kept, _NUMBERS.sub("#", text[start:])])
