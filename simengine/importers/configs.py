"""The ``Configs:`` value of a topic header: ``k=v,k=v``, where a value may hold commas, colons or JSON itself."""

import re

from simengine.importers.values import bare_value
from simengine.scenario import config_keys
from simengine.scenario.config_known import KNOWN

_KEY = re.compile(r"\s{0,20}([A-Za-z][\w.-]{0,249})=")
_CUT_KEY = re.compile(r"(\d{1,19}|true|false),([A-Za-z][\w.]{0,60})")  # what may break off in its next key
_TOPIC_KEYS = (*config_keys.SIMULATED[config_keys.TOPIC], *KNOWN[config_keys.TOPIC])
_CLOSING = {"{": "}", "[": "]"}


_CUT_OFF = re.compile(r",?\s*(?:[>\u203a\u00bb\u2026]|\.{3,})\s*$")  # as pagers and people write it


def without_cut_mark(text: str) -> str:
    """The configs without the mark that says that more of them follows."""
    return _CUT_OFF.sub("", text)


def parse_configs(text: str) -> dict[str, str]:
    """Split at the commas that a new ``key=`` follows, never inside braces, brackets or double quotes."""
    text = text.strip()
    keys = _keys(text)
    ends = [match.start() - 1 for match in keys[1:]] + [len(text)]  # a value ends at the comma before the next key
    return {
        match[1]: _without_cut_key(bare_value(text[match.end() : end])) for match, end in zip(keys, ends, strict=False)
    }


def is_topic_key(name: str) -> bool:
    """True for a setting of topics that Kafka has."""
    return name in config_keys.SIMULATED[config_keys.TOPIC] or name in KNOWN[config_keys.TOPIC]


def _without_cut_key(value: str) -> str:
    """The value without the beginning of Kafka's next key, in which a line breaks off."""
    cut = _CUT_KEY.fullmatch(value) if "," in value else None
    return cut[1] if cut and any(key.startswith(cut[2]) for key in _TOPIC_KEYS) else value


def _keys(text: str) -> list[re.Match[str]]:
    """Each key where it stands: at the beginning, or behind a comma outside JSON."""
    found = [_KEY.match(text)] + [_KEY.match(text, comma + 1) for comma in _top_level_commas(text)]
    return [match for match in found if match]


def _top_level_commas(text: str) -> list[int]:
    """Places of commas outside JSON; where the braces do not balance, every comma counts."""
    places: list[int] = []
    closers: list[str] = []
    quoted = False
    if not any(opening in text for opening in _CLOSING):
        return _commas(text)
    for at, char in enumerate(text):
        if char == '"' and closers:
            quoted = not quoted
        elif quoted:
            continue
        elif char in _CLOSING:
            closers.append(_CLOSING[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif char == "," and not closers:
            places.append(at)
    if closers:
        return _commas(text)
    return places


def _commas(text: str) -> list[int]:
    """Places of all commas."""
    places: list[int] = []
    at = text.find(",")
    while at >= 0:
        places.append(at)
        at = text.find(",", at + 1)
    return places
