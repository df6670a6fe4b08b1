"""Small documents for the tests, and the problems that loading one reports."""

from typing import Any

import pytest

from simengine.scenario import Document, DocumentError, Problem, load


def plain(**changes: Any) -> dict[str, Any]:
    """A small valid document as plain data, with top-level keys changed (None: left out)."""
    document: dict[str, Any] = {
        "format": 1,
        "cluster": {"brokers": [{"id": 1, "rack": "az-a"}, {"id": 2, "rack": "az-b"}, 3]},
        "topics": [{"name": "orders", "assignment": [[1, 2, 3], [2, 3, 1]]}],
        "producers": [{"id": "P", "topic": "orders"}],
        "consumers": [{"id": "C", "group": "g", "topics": ["orders"]}],
        **changes,
    }
    return {key: value for key, value in document.items() if value is not None}


def document(**changes: Any) -> Document:
    return load(plain(**changes))


def problems(source: Any) -> list[Problem]:
    with pytest.raises(DocumentError) as caught:
        load(source)
    return caught.value.problems


def problem(**changes: Any) -> Problem:
    """The only problem of a document with these changes."""
    found = problems(plain(**changes))
    assert len(found) == 1, found
    return found[0]


def timeline(*actions: str) -> list[dict[str, str]]:
    return [{"at": f"{i + 1}s", "do": action} for i, action in enumerate(actions)]
