"""Hostile values, and valid inputs made hostile. Everything is drawn from the one `Random` that is given."""

import copy
import json
from random import Random
from typing import Any, Final

HUGE: Final = 10**30
LONG: Final = 1_000_000  # characters of the longest texts
DEEP: Final = 10_000  # levels of the deepest JSON

TEXTS: Final = (
    "",
    " ",
    "\ud800",
    "a\udfffb",
    "a\x00b",
    "\x00",
    "\u202eabc\u202c",
    "\u2066x\u2069",
    "=1+1",
    "<script>alert(1)</script>",
    "%s%n{0}{x}",
    "..%2f..",
    "../../etc/passwd",
    "NaN",
    "-1",
    "1e309",
    "٣",
    "²",
    "1_000",
    "0x10",
    "\ufeff1",
    "null",
    "true",
    "none",
    "kill 99",
    "\N{PILE OF POO}" * 20,
    "e\u0301" * 50,
    "\r\nSet-Cookie: a=b",
    "' or 1=1 --",
    "a" * 300,
    "9" * 400,
)
SCALARS: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**53,
    2**63,
    -(2**63) - 1,
    HUGE,
    -HUGE,
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    [],
    {},
    [[]],
    [None],
    {"": ""},
    {"kind": []},
    {"a": {"b": {"c": []}}},
)
SEGMENTS: Final = (
    "..%2f..",
    "%2e%2e",
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    "%F0%9F%92%A9",
    "a" * 3_000,
    "{own}~",
    "~",
    "~~",
    "{own}~{browser}",
    "{frozen}~{browser}",
    "{frozen}~x",
    "%20",
    "%0d%0aX:y",
    "null",
    "-1",
    "0",
    "{own}%00",
    "{own}.yaml.yaml",
    "index.html",
    "%E2%80%AE",
    "*",
    ";x=1",
    "{own};x=1",
)


def text(rng: Random) -> str:
    """A hostile text; one in fifty is a megabyte long."""
    if rng.random() < 0.02:
        return rng.choice(("a", " ", "\n", "é", '"', "\\", "[", "{", "Topic: ", "- ", "\t", "%")) * (LONG // 2)
    if rng.random() < 0.3:
        return "".join(
            chr(rng.choice((rng.randrange(32), rng.randrange(0x300), rng.randrange(0xD800))))
            for _ in "x" * rng.randrange(12)
        )
    return rng.choice(TEXTS)


def value(rng: Random) -> Any:
    """A hostile value as JSON may hold it."""
    draw = rng.random()
    if draw < 0.4:
        return text(rng)
    if draw < 0.42:
        return [0] * rng.choice((1_000, 20_000))
    if draw < 0.44:
        return {str(number): number for number in range(rng.choice((1_000, 20_000)))}
    return copy.deepcopy(rng.choice(SCALARS))


def changed(rng: Random, whole: Any, times: int) -> Any:
    """A copy of plain data with some places made hostile."""
    whole = copy.deepcopy(whole)
    for _ in range(times):
        whole = _changed_once(rng, whole)
    return whole


def _changed_once(rng: Random, whole: Any) -> Any:
    places = _places(whole)
    if not places or rng.random() < 0.05:
        return value(rng)
    holder, key = rng.choice(places)
    _change(rng, holder, key)
    return whole


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every place of a value in plain data: the list or map that holds it, and its key."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting and len(found) < 5_000:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def _change(rng: Random, holder: Any, key: Any) -> None:
    old = holder[key]
    draw = rng.random()
    if draw < 0.45:
        holder[key] = value(rng)
    elif draw < 0.55:
        del holder[key]
    elif draw < 0.62:
        holder[key] = [old]
    elif draw < 0.68:
        holder[key] = {"x": old}
    elif draw < 0.75 and isinstance(holder, list):
        holder.extend(copy.deepcopy(old) for _ in range(rng.choice((1, 2, 20))))
    elif draw < 0.82 and isinstance(holder, dict):
        holder[text(rng)[:100]] = holder.pop(key)
    elif draw < 0.9:
        holder[key] = _near(rng, old)
    else:
        holder[key] = str(old)


def _near(rng: Random, old: Any) -> Any:
    """A value that is almost the old one."""
    if isinstance(old, bool):
        return int(old)
    if isinstance(old, int | float):
        return rng.choice((old + 1, old - 1, -old, old * 1_000_000, float(old), str(old), f"{old}s"))
    if isinstance(old, str):
        return rng.choice(
            (old + "\x00", old * 100, old[::-1], old + "\ud800", old.upper(), f" {old} ", [old], old[:-1])
        )
    return [old, old]


def json_body(rng: Random, valid: Any) -> bytes:
    """JSON, or what pretends to be: mostly a valid body with one or two hostile places."""
    times = rng.choice((0, 1, 1, 1, 2, 3))
    body = json.dumps(changed(rng, valid, times), ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")
    return _bytes_changed(rng, body) if rng.random() < 0.15 else body


def _bytes_changed(rng: Random, body: bytes) -> bytes:
    """Bytes that are no longer what they were."""
    at = rng.randrange(len(body) + 1)
    return rng.choice(
        (
            body[:at],
            body[:at] + b"\x00" + body[at:],
            body[:at] + b"\xff\xfe" + body[at:],
            b"\xef\xbb\xbf" + body,
            body + body,
            b"[" * DEEP + b"]" * DEEP,
            b'{"a":' * DEEP + b"1" + b"}" * DEEP,
            b'{"text":' + b"[" * DEEP,
            body.replace(b"1", b"9" * 5_000, 1),
            body.replace(b"1", b"1e999", 1),
            body.replace(b"{", b'{"at_us":1,"at_us":2,"doc":"a","doc":"b",', 1),
            b"",
            b"null",
            b'"\\ud800"',
            b"a=1&b=2",
            b"-----x\r\n",
            b" " * LONG,
        )
    )


def form(rng: Random, valid: dict[str, str]) -> list[tuple[str, str]]:
    """Pairs of a form or a query: mostly the valid ones with a hostile value."""
    pairs = list(valid.items())
    for _ in range(rng.choice((0, 1, 1, 2))):
        draw = rng.random()
        if draw < 0.7 and pairs:
            at = rng.randrange(len(pairs))
            pairs[at] = (pairs[at][0], text(rng))
        elif draw < 0.8 and pairs:
            pairs.pop(rng.randrange(len(pairs)))
        elif draw < 0.9 and pairs:
            pairs.append(rng.choice(pairs))
        else:
            pairs.append((text(rng)[:50], text(rng)))
    return pairs


def wire(rng: Random) -> bytes:
    """A request whose body is too long, of no length that is told, or of a form that HTTP does not have."""
    head = rng.choice(("POST /api/documents", "POST /", "GET /alive", "PUT /none", "POST /import/preview"))
    framing, body = rng.choice(
        (
            ("Content-Length: 9000000", b"x" * LONG),
            ("Content-Length: 400000000", b""),
            (f"Content-Length: {10**19}", b"{}"),
            ("Content-Length: 9000000\r\nExpect: 100-continue", b""),
            (f"Content-Length: {10**30}", b""),
            ("Content-Length: -1", b""),
            ("Content-Length: 5\r\nContent-Length: 6", b"hello"),
            ("Transfer-Encoding: chunked", b"100000\r\n" + b"x" * LONG),
            ("Transfer-Encoding: chunked", b"1\r\nx\r\n" * (LONG // 6)),
            ("Transfer-Encoding: chunked", b"zz\r\n"),
            ("Transfer-Encoding: chunked\r\nContent-Length: 2", b"{}"),
            ("Transfer-Encoding: gzip", b"{}"),
            ("Long: " + "x" * 100_000, b""),
            (" folded: x\x00", b""),
        )
    )
    return f"{head} HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n".encode() + body


def lines(rng: Random, valid: str) -> str:
    """A text of many lines with some of them made hostile."""
    parts = valid.splitlines(keepends=True) or [""]
    for _ in range(rng.choice((0, 1, 2, 5))):
        at = rng.randrange(len(parts))
        draw = rng.random()
        if draw < 0.3:
            parts[at] = text(rng) + "\n"
        elif draw < 0.5:
            parts[at] = parts[at] * rng.choice((2, 50))
        elif draw < 0.7:
            where = rng.randrange(len(parts[at]) + 1)
            parts[at] = parts[at][:where] + text(rng)[:200] + parts[at][where:]
        elif draw < 0.85:
            parts[at] = parts[at].replace("1", rng.choice(("-1", "99999999999999999999", "1.5", "x", "")))
        else:
            del parts[at]
            parts = parts or [""]
    return "".join(parts)
