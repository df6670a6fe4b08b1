"""The operations of the API as its page shows them, read from the description."""

from dataclasses import dataclass
from typing import Any

from playground.api.description import Json, description, resolved
from playground.library.rule_text import to_html

METHODS = ("get", "post")


@dataclass(frozen=True, slots=True)
class RequestMember:
    """A value of a request: its name, its type, whether it must be there, and its meaning as HTML."""

    name: str
    kind: str
    is_required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """One method of one address. ``told`` and ``body_told`` are HTML. ``body`` is empty if the body is a document."""

    name: str
    method: str
    path: str
    told: str
    parameters: tuple[RequestMember, ...]
    body_told: str
    body: tuple[RequestMember, ...]


@dataclass(frozen=True, slots=True)
class ApiChapter:
    """The operations on one kind of thing; ``told`` is HTML."""

    title: str
    told: str
    operations: tuple[ApiOperation, ...]


def chapters() -> tuple[ApiChapter, ...]:
    """All operations by kind, as the description has them in order."""
    paths = description()["paths"]
    found = [(path, method, item) for path, item in paths.items() for method in METHODS if method in item]
    return tuple(
        ApiChapter(
            tag["name"],
            _html(tag["description"]),
            tuple(_operation(*one) for one in found if tag["name"] in one[2][one[1]]["tags"]),
        )
        for tag in description()["tags"]
    )


def _operation(path: str, method: str, item: Json) -> ApiOperation:
    one = item[method]
    body = one.get("requestBody", {})
    told = " ".join(filter(None, (one["summary"], one.get("description"))))
    return ApiOperation(
        one["operationId"],
        method.upper(),
        path,
        _html(told),
        tuple(_parameter(resolved(part)) for part in (*item.get("parameters", []), *one.get("parameters", []))),
        _html(body.get("description", "")),
        _members(body.get("content", {})),
    )


def _parameter(part: Json) -> RequestMember:
    return RequestMember(part["name"], _kind(part["schema"]), part.get("required", False), _html(part["description"]))


def _members(content: Json) -> tuple[RequestMember, ...]:
    """The members of a body that is JSON alone; of several forms those of the first."""
    if list(content) != ["application/json"]:
        return ()
    schema = resolved(content["application/json"]["schema"])
    schema = resolved(schema.get("oneOf", [schema])[0])
    required = schema.get("required", [])
    return tuple(
        RequestMember(name, _kind(part), name in required, _html(part.get("description", "")))
        for name, part in schema["properties"].items()
    )


def _kind(schema: Json) -> str:
    """The type of a value in a word or two."""
    if "enum" in schema:
        return " or ".join(str(one) for one in schema["enum"])
    kind: Any = schema.get("type", "")
    return {"object": "map", "array": "list", "string": "text"}.get(kind, str(kind))


def _html(text: str) -> str:
    return to_html([text], lambda _: False) if text else ""
