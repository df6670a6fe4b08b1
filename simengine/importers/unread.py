"""The one list of what was not read: each line of a paste that no reader has used, with the reason.

A reader notes the lines that it uses (``PastedEvidence.lines_read``), and facts name theirs. What is left is listed
under the reason of the reader that lists lines itself, else under what the line is.
"""

import re
from collections.abc import Iterable
from typing import Final

from simengine.importers import own_lines
from simengine.importers.commands_said import whole_commands
from simengine.importers.model import PastedCluster, PasteResult, UnreadLine
from simengine.importers.noise import COMMAND, why_noise
from simengine.importers.text import Line, Paste
from simengine.importers.values import bare_value
from simengine.scenario.config_keys import BROKER, SIMULATED, TOPIC

LINE_CHARS_MAX: Final = 1_000  # of a line that may be a setting
_SETTING: Final = re.compile(
    r"[\s\"'-]{0,40}([a-z][a-z.]{3,80})[\"']?\s{0,9}[:=]\s{0,9}(\S.{0,80}?)(?:\s+sensitive=.*)?$"
)


def list_unread(paste: Paste, first: PasteResult, others: Iterable[PasteResult]) -> None:
    """Put the list into the first reading, which has the cluster of all. A setting that is lost makes a warning."""
    assert first.cluster is not None
    readings = [one for one in (first, *others) if not one.rejected]
    read = _lines_of_facts(first.cluster)
    read |= dict.fromkeys(own_lines.contribute(paste, [one.label for one in readings]))
    reasons: dict[int, list[UnreadLine]] = {}
    for reading in readings:
        mine: dict[int, list[UnreadLine]] = {}
        for one in reading.unread:
            mine.setdefault(one.line, []).append(one)
        if reading.lists_unread:
            read |= dict.fromkeys(line.no for line in paste.lines if line.no not in mine)
        reasons = mine | reasons
    left = [line for line in paste.lines if line.text.strip() and line.no not in read]
    commands = {number for start, end, _ in whole_commands(paste) for number in range(start, end + 1)}
    found = [one for line in left for one in reasons.get(line.no) or [_unread(line, first.label, commands)]]
    found += [UnreadLine(one.line.no, one.line.text, one.reason, one.is_noise) for one in paste.left]
    first.unread = sorted(dict.fromkeys(found), key=lambda one: one.line)
    for line in left:
        _warn_of_setting(line, first)


def _unread(line: Line, label: str, commands: set[int]) -> UnreadLine:
    noise = COMMAND if line.no in commands else why_noise(line.text)
    if line.text.lstrip().startswith(("#", "//")):
        noise = noise or "a comment or a heading, no data"
    return UnreadLine(line.no, line.text, noise or f"no line of {label}", noise=noise is not None)


def _lines_of_facts(cluster: PastedCluster) -> dict[int, None]:
    """The lines that any fact names."""
    evidence = cluster.evidence
    said = [*(one for _, _, one in evidence.topic_configs), *(one for _, one in evidence.cluster_configs)]
    said += [*evidence.versions, *evidence.rates.values()]
    said += [one for one in (evidence.elr, evidence.min_isr_any) if one is not None]
    lines = [one.line for one in said]
    lines += [one.line for one in evidence.declared.values()]
    lines += [one.line for one in evidence.min_isr_of.values()]
    lines += [one.line for one in evidence.lags]
    lines += [row.line for row in cluster.rows()]
    lines += [broker.line for broker in cluster.brokers.values()]
    lines += [controller.line for controller in cluster.controllers.values()]
    return dict.fromkeys([*lines, *evidence.lines_read])


def _warn_of_setting(line: Line, reading: PasteResult) -> None:
    """A line that sets what a run obeys, outside everything that says of which topic or broker."""
    match = _SETTING.match(line.text.rstrip()) if len(line.text) < LINE_CHARS_MAX else None
    if match and (match[1] in SIMULATED[TOPIC] or match[1] in SIMULATED[BROKER]):
        value = bare_value(match[2])
        reading.warn(
            f"Line {line.no} sets {match[1]} = {value}, and nothing around it says of which topic or broker. "
            "It is not used."
        )
