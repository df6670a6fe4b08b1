"""Puts values as programs print them as JSON: Python, JavaScript, Ruby, Elixir, and structs of Go."""

import json
import re
from typing import Final

_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w{0,40})\s{0,9}:(?!:)")
_ROCKET = re.compile(r"(?:(?<=[{,\s]):([A-Za-z_]\w{0,40})|(\"[^\"\n]{1,99}\"))\s?=>\s?")  # of Ruby: :leader=>1
_ATOM = re.compile(r"(?<=: ):([a-z_]\w{0,40})\b")  # of Elixir
_JSON_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}
_WORD = re.compile(r"(?<=[:,\[ ])(?:True|False|None|undefined|nil)\b")
_STRUCT: Final = "Replicas:["  # of Go, as %+v prints it
# an error's text, which has colons and brackets of its own
_ERROR = re.compile(r"\bErr(?:or)?:[^{}\n]{0,400}?(?= [A-Z]\w{0,40}:[-\d\[{&]|\})")
_FIELD = re.compile(r"(?<=[{\s])([A-Z]\w{0,40}):")
_FIRST_FIELD = re.compile(r"([{\[]\s{0,9}),")
_PLAIN_FIELD = re.compile(r"(\"[A-Z]\w{0,40}\":)([^{}\[\]\"]{0,400}?)\s{0,9}(?=,\"[A-Z]\w{0,40}\":|\})")
_NUMBERS = re.compile(r"\[(-?\d{1,10}(?: -?\d{1,10}){0,99})\]")
_NUMBER = re.compile(r"-?\d{1,18}")


def as_json(text: str) -> str:
    """The text with such values put as JSON; "" if it has nothing of them."""
    fresh = text if '"' in text else text.replace("'", '"')
    if _STRUCT in fresh:
        fresh = _of_structs(fresh)
    if "=>" in fresh:
        fresh = _ROCKET.sub(lambda match: f'"{match[1]}": ' if match[1] else f"{match[2]}: ", fresh)
    if "%{" in fresh:
        fresh = _ATOM.sub(r'"\1"', fresh.replace("%{", "{"))
    if any(word in fresh for word in _JSON_WORDS):
        fresh = _WORD.sub(lambda match: _JSON_WORDS[match[0]], fresh)
    fresh = _BARE_KEY.sub(r'\1"\2":', fresh)
    return fresh if fresh != text else ""


def _of_structs(text: str) -> str:
    """``{ID:0 Leader:1 Replicas:[1 2]}`` as ``{"ID":0,"Leader":1,"Replicas":[1,2]}``."""
    fields = _FIRST_FIELD.sub(r"\1", _FIELD.sub(r',"\1":', _ERROR.sub("", text.replace("&{", "{"))))
    plain = _PLAIN_FIELD.sub(lambda match: match[1] + _plain(match[2].strip()), fields)
    return _NUMBERS.sub(lambda match: f"[{match[1].replace(' ', ',')}]", plain.replace("} {", "},{"))


def _plain(value: str) -> str:
    return value if _NUMBER.fullmatch(value) else json.dumps(value)
