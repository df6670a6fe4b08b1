"""Names the JSON of ``kafka-log-dirs.sh --describe``: which broker stores which replica, with its size and lag."""

import re
from typing import Any, Final

from simengine.importers.jsontext import as_int, json_values, loosened, unescaped
from simengine.importers.model import Facts, Reading
from simengine.importers.text import Paste

KIND: Final = "logdirs"
LABEL: Final = "kafka-log-dirs.sh --describe"
_MARK = re.compile(r"\"logDirs\"\s*:")
_BROKER = re.compile(r"\"broker\"\s*:\s*(\d{1,10})")
_PARTITION = re.compile(r"\"partition\"\s*:\s*\"([^\"]+)-(\d+)\"")


def read(paste: Paste) -> Reading | None:
    """The brokers and partitions that the JSON names; None if it is no such JSON."""
    text = unescaped(paste.joined())
    if not _MARK.search(text):
        return None
    brokers = dict.fromkeys(_BROKER.findall(text))
    partitions = dict.fromkeys(_PARTITION.findall(text))
    facts = Facts(len(brokers), len(dict.fromkeys(name for name, _ in partitions)), len(partitions))
    reading = Reading(KIND, LABEL, facts=facts)
    if any(_is_whole(value) for value in json_values(text)):
        pass
    elif any(_is_whole(value) for value in json_values(loosened(text))):
        reading.warn("Comments were written into the JSON; they are left out.")
    else:
        reading.rejected = (
            "This is the JSON of kafka-log-dirs.sh, but it is cut: its braces do not close. Paste it whole."
        )
    if paste.had_html:
        reading.warn("The paste was HTML; its tags were taken away.")
    return reading


def _is_whole(value: Any) -> bool:
    brokers = value.get("brokers") if isinstance(value, dict) else None
    if not isinstance(brokers, list) or not brokers:
        return False
    return all(isinstance(item, dict) and as_int(item.get("broker")) is not None for item in brokers)
