"""The check of circles of modules."""

import pytest

from tools.circles import circles


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a", "c"}, "c": set()}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}}, [["a", "b", "c"], ["d", "e"]]),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"a"}}, [["a", "b", "c", "d"]]),
        ({"a": {"elsewhere"}}, []),
    ],
)
def test_modules_that_reach_each_other_are_one_circle(graph: dict[str, set[str]], found: list[list[str]]) -> None:
    assert circles(graph) == found
