"""Case N of a seed: one hostile request, socket or document. The same seed and number give the same case anywhere."""

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from urllib.parse import quote, urlencode

from tests.faults import hostile, inputs
from tests.faults.inputs import Valid

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
ACCEPTS: Final = ("text/html,*/*", "application/json", "*/*", "", "image/png;q=x")
TYPES: Final = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=" + "é" * 5,
    "text/plain; charset=utf-16",
    "application/json; charset=none",
    "application/x-yaml",
    "",
)
OTHER_HEADERS: Final = (
    ("Host", "evil.example"),
    ("Host", "a_b..:x"),
    ("Cookie", "sessionid=a:b:c; csrftoken=x"),
    ("Cookie", "sessionid=" + "a" * 4_000),
    ("Cookie", "\xff\xfe=;;;==\x7f"),
    ("X-CSRFToken", "no"),
    ("Origin", "https://evil.example"),
    ("Origin", "null"),
    ("Range", "bytes=5-1"),
    ("If-None-Match", '"' * 50),
    ("If-Modified-Since", "yesterday"),
    ("X-Forwarded-For", "' or 1"),
    ("Accept-Encoding", "br;q=0, gzip;q=x"),
    ("Content-Encoding", "gzip"),
    ("Expect", "a miracle"),
)
WHO: Final = ("owner", "owner", "owner", "owner", "stranger", "nobody")
FRAMES_MAX: Final = 5


@dataclass(frozen=True)
class Request:
    """One HTTP request; ``target`` and ``body`` may hold symbols."""

    route: str
    method: str
    target: str
    who: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class SocketCase:
    """One socket and the frames that are sent over it."""

    route: str
    target: str
    who: str
    frames: tuple[str | bytes, ...]


@dataclass(frozen=True)
class DocumentCase:
    """A document that is stored, if it is taken, and then looked at in every way."""

    route: str
    body: bytes


@dataclass(frozen=True)
class WireCase:
    """Bytes that are no proper request: what comes back is a refusal."""

    route: str
    sent: bytes


Case = Request | SocketCase | DocumentCase | WireCase


def draw(seed: int, number: int) -> Case:
    """The case of this number."""
    rng = Random(f"{seed} {number}")
    kind = rng.random()
    if kind < 0.12:
        return _socket(rng)
    if kind > 0.98:
        return WireCase("wire", hostile.wire(rng))
    return _document(rng) if kind < 0.2 else _request(rng)


def of_route(seed: int, number: int, name: str) -> Request:
    """A case of this route."""
    rng = Random(f"{seed} {number} {name}")
    return _of(rng, name, rng.choice(inputs.ROUTES[name]))


def _request(rng: Random) -> Request:
    every = [(name, valid) for name, ways in inputs.ROUTES.items() for valid in ways]
    name, valid = rng.choices(every, [way.weight for _, way in every])[0]
    return _of(rng, name, valid)


def _of(rng: Random, name: str, valid: Valid) -> Request:
    method = valid.method if rng.random() < 0.9 else rng.choice(METHODS)
    headers, body = _body(rng, valid)
    headers["Accept"] = rng.choice(ACCEPTS)
    if rng.random() < 0.08:
        headers["Content-Type"] = rng.choice(TYPES)
    if rng.random() < 0.08:
        key, value = rng.choice(OTHER_HEADERS)
        headers[key] = value
    target = _target(rng, inputs.routes()[name], valid.segments, valid.query)
    return Request(name, method, target, rng.choice(WHO), headers, body)


def _target(rng: Random, route: str, segments: dict[str, tuple[str, ...]], query: dict[str, str]) -> str:
    """An address of a route: its places filled in, its query; both may be hostile."""
    for place, choices in segments.items():
        # the first choice is what a page would send
        weights = [3, *(1 for _ in choices[1:])]
        filled = rng.choices(choices, weights)[0] if rng.random() < 0.9 else rng.choice(hostile.SEGMENTS)
        route = route.replace(f"<str:{place}>", filled)
    assert "<" not in route, f"a place of {route!r} has no valid input"
    pairs = hostile.form(rng, query) if query or rng.random() < 0.05 else []
    asked = "&".join(f"{_quoted(key)}={_quoted(value)}" for key, value in pairs)
    return f"/{route}?{asked}"[:60_000] if asked else f"/{route}"


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="{}")


def _body(rng: Random, valid: Valid) -> tuple[dict[str, str], bytes]:
    if valid.form is not None:
        return _form_body(rng, valid.form)
    if valid.text:
        return {"Content-Type": "application/yaml"}, _text_body(rng, rng.choice(valid.text))
    if valid.json is not None:
        body = hostile.json_body(rng, _pasted(rng, valid.json))
        return {"Content-Type": "application/json"}, body
    return {}, b"" if rng.random() < 0.95 else hostile.text(rng).encode("utf-8", "surrogatepass")


def _pasted(rng: Random, valid: Any) -> Any:
    """A body whose paste is one of those that people make, with hostile lines."""
    if isinstance(valid, dict) and valid.get("text") == "{paste}":
        return {**valid, "text": hostile.lines(rng, rng.choice(inputs.PASTES))}
    return valid


def _form_body(rng: Random, valid: dict[str, str]) -> tuple[dict[str, str], bytes]:
    pairs = hostile.form(rng, valid)
    if rng.random() < 0.8:
        body = urlencode([(k.encode("utf-8", "surrogatepass"), v.encode("utf-8", "surrogatepass")) for k, v in pairs])
        return {"Content-Type": "application/x-www-form-urlencoded"}, body.encode()
    parts = [f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in pairs]
    whole = "".join([*parts, "--x--\r\n"]).encode("utf-8", "surrogatepass")
    return {"Content-Type": "multipart/form-data; boundary=x"}, whole[: rng.choice((len(whole), len(whole) // 2))]


def _text_body(rng: Random, valid: str) -> bytes:
    text = hostile.lines(rng, valid) if rng.random() < 0.5 else json.dumps(_changed_document(rng, valid))
    return text.encode("utf-8", "surrogatepass")


def _changed_document(rng: Random, valid: str) -> Any:
    import yaml  # a YAML text is read to be changed as data

    return hostile.changed(rng, yaml.safe_load(valid), rng.choice((0, 1, 1, 2)))


def _document(rng: Random) -> DocumentCase:
    texts = [text for valid in inputs.ROUTES["create-document"] for text in valid.text]
    return DocumentCase("document", _text_body(rng, rng.choice(texts)))


def _socket(rng: Random) -> SocketCase:
    route, segments = rng.choice(list(inputs.SOCKETS.items()))
    target = _target(rng, route, segments, {"have": "0"})
    frames = tuple(_frame(rng) for _ in range(rng.randrange(FRAMES_MAX + 1)))
    return SocketCase("socket", target, rng.choice(WHO), frames)


def _frame(rng: Random) -> str | bytes:
    cmd = rng.choice(list(inputs.FRAMES))
    valid = {"id": 1, "cmd": cmd, **rng.choice(inputs.FRAMES[cmd])}
    body = hostile.json_body(rng, valid)[:60_000]
    if rng.random() < 0.05:
        return body
    return body.decode("utf-8", "replace")
