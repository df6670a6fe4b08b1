"""The topics, groups and topic configs that a flow copies: Kafka's default filters (MM-3, MM-7).

A filter is a list of names and regular expressions; a name must match one of them as a whole, and an empty list matches
nothing. Kafka's expressions are Java's; Python reads nearly all of them in the same way.
"""

import re
from typing import final


@final
class NameFilter:
    """``DefaultTopicFilter`` and ``DefaultGroupFilter``: what is included and not excluded. Raises re.error."""

    __slots__ = ("_exclude", "_include")

    def __init__(self, include: list[str], exclude: list[str]) -> None:
        self._include = _pattern(include)
        self._exclude = _pattern(exclude)

    def admits(self, name: str) -> bool:
        """True if a topic or group of this name is copied."""
        return _matches(self._include, name) and not _matches(self._exclude, name)


@final
class ConfigPropertyFilter:
    """``DefaultConfigPropertyFilter``: which configs of a source topic its remote topic gets. Raises re.error.

    Left out: ``use.defaults.from: source``, which also writes the source's defaults to the remote topic.
    """

    __slots__ = ("_exclude",)

    def __init__(self, exclude: list[str]) -> None:
        self._exclude = _pattern(exclude)

    def target_configs(self, configs: dict[str, str]) -> dict[str, str]:
        """The part of a topic's own configs that travels."""
        return {key: value for key, value in configs.items() if not _matches(self._exclude, key)}


def _pattern(fields: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(fields)) if fields else None


def _matches(pattern: re.Pattern[str] | None, name: str) -> bool:
    return pattern is not None and pattern.fullmatch(name) is not None
