"""Writes plain data as YAML for people: what fits on a line stands on one, longer things go over several."""

import json
import re
from typing import Any, Final

from simengine.scenario.yaml_scalars import needs_quotes

WIDTH: Final = 110  # characters of a line before maps and lists are broken
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./~][A-Za-z0-9_ ./()+~=@*'|>&!%-]*")  # safe between brackets too
_BLOCK: Final = re.compile(r"[^\s][^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff\r]*")
_ESCAPED: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write_yaml(data: dict[str, Any], spread: tuple[str, ...] = ()) -> str:
    """A map as YAML; the maps under the keys in `spread` go over several lines however short they are."""
    lines: list[str] = []
    for key, value in data.items():
        _entry(lines, "", _text(str(key)), value, is_spread=key in spread)
    return "\n".join(lines) + "\n"


def _entry(lines: list[str], indent: str, head: str, value: Any, *, is_spread: bool = False) -> None:
    """Adds `head: value`, on one line where it fits."""
    if isinstance(value, str) and "\n" in value and _block_text(lines, indent, head, value):
        return
    if not is_spread:
        room = WIDTH - len(indent) - len(head) - 2
        flat = None if _is_table(value) else _flow(value, room)
        if flat is not None:
            lines.append(f"{indent}{head}: {flat}")
            return
    lines.append(f"{indent}{head}:")
    _spread(lines, indent + "  ", value)


def _is_table(value: Any) -> bool:
    """A list of maps has a line for each."""
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _spread(lines: list[str], indent: str, value: Any) -> None:
    """Adds the entries of a map or list, each on lines of its own."""
    if isinstance(value, dict):
        for key, entry in value.items():
            _entry(lines, indent, _text(str(key)), entry)
        return
    for item in value:
        flat = _flow(item, WIDTH - len(indent) - 2)
        if flat is not None:
            lines.append(f"{indent}- {flat}")
            continue
        start = len(lines)
        _spread(lines, indent + "  ", item)
        lines[start] = f"{indent}- {lines[start][len(indent) + 2 :]}"


def _flow(value: Any, room: int) -> str | None:
    """`value` on one line of at most `room` characters; scalars and what is empty always fit."""
    if not isinstance(value, dict | list) or not value:
        return _scalar(value)
    parts: list[str] = []
    left = room - 2
    for item in value:
        inner = value[item] if isinstance(value, dict) else item
        text = _flow(inner, left)
        if text is None:
            return None
        parts.append(f"{_text(str(item))}: {text}" if isinstance(value, dict) else text)
        left -= len(parts[-1]) + 2
        if left < -2:
            return None
    joined = ", ".join(parts)
    return f"{{{joined}}}" if isinstance(value, dict) else f"[{joined}]"


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


def _text(text: str) -> str:
    """A text on one line, quoted where it would be read as anything else."""
    if _PLAIN.fullmatch(text) and not text.endswith(" ") and not needs_quotes(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _block_text(lines: list[str], indent: str, head: str, text: str) -> bool:
    """Adds a text of several lines as a literal block; False where it cannot stand as one."""
    body = text.removesuffix("\n")
    if not _BLOCK.fullmatch(text) or body.endswith("\n") or not body:
        return False
    lines.append(f"{indent}{head}: |" if text.endswith("\n") else f"{indent}{head}: |-")
    lines += [f"{indent}  {line}" if line else "" for line in body.split("\n")]
    return True
