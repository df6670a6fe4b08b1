"""A program that asks the API without cookies, and holds every answer against the description."""

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft202012Validator

from playground.api.description import Json, description, resolved
from tests.rooms.site import START_S, Site

JSON: Final = "application/json"


@dataclass(frozen=True)
class ApiAnswer:
    """An answer; ``body`` is None without one."""

    status: int
    kind: str
    body: Any


@dataclass
class Program:
    """``asked``: each operation with the statuses that it was answered with, by path and method."""

    site: Site
    asked: dict[tuple[str, str], set[int]]

    def get(self, path: str, query: str = "", token: str = "", **values: str) -> ApiAnswer:
        """A GET of an address of the description, with values in place of its parameters."""
        return self._held("get", path, query, None, token, values)

    def post(
        self, path: str, body: Any = None, token: str = "", headers: Json | None = None, **values: str
    ) -> ApiAnswer:
        """A POST; a body of bytes goes as it is, any other as JSON."""
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        return self._held("post", path, "", data, token, values, headers)

    def _held(
        self,
        method: str,
        path: str,
        query: str,
        data: bytes | None,
        token: str,
        values: dict[str, str],
        headers: Json | None = None,
    ) -> ApiAnswer:
        address = re.sub(r"\{(\w+)\}", lambda found: values[found[1]], path) + (f"?{query}" if query else "")
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.ask(method.upper(), address, data, sent | (headers or {}))
        problems = against_description(method, path, answer)
        assert not problems, f"{method} {address}: {answer.status} {str(answer.body)[:500]}: {problems[:3]}"
        self.asked.setdefault((path, method), set()).add(answer.status)
        return answer

    def ask(self, method: str, address: str, data: bytes | None = None, headers: Json | None = None) -> ApiAnswer:
        """Any request. No answer sets a cookie."""
        request = urllib.request.Request(self.site.url + address, data=data, headers=headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=START_S) as response:
                return _answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as refused:
            return _answer(refused.code, refused.headers, refused.read())


def _answer(status: int, headers: Any, content: bytes) -> ApiAnswer:
    kind = str(headers.get("Content-Type", "")).partition(";")[0]
    assert kind != JSON or headers.get("Set-Cookie") is None, "a program gets no cookie"
    return ApiAnswer(status, kind, json.loads(content) if kind == JSON else content.decode() or None)


def against_description(method: str, path: str, answer: ApiAnswer) -> list[str]:
    """Whatever an answer has that its operation is not described with."""
    responses = description()["paths"][path][method]["responses"]
    key = next((key for key in (str(answer.status), f"{answer.status // 100}XX") if key in responses), None)
    if key is None:
        return [f"the status {answer.status} is not described"]
    content = resolved(responses[key]).get("content")
    if content is None:
        return [] if answer.body is None else ["a body is not described"]
    if answer.kind not in content:
        return [f"the type {answer.kind!r} is not described"]
    return wrong(content[answer.kind]["schema"], answer.body)


def wrong(schema: Json, value: Any) -> list[str]:
    """The errors of a value against a schema of the description."""
    whole = {**schema, "components": description()["components"]}
    return [f"{error.json_path}: {error.message[:200]}" for error in Draft202012Validator(whole).iter_errors(value)]
