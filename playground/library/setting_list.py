"""The settings that the engine obeys: the tables that it reads, with the sentences of `docs/rules/settings.md`.

A chapter of that file is a kind of setting: a heading of level 2, some words, and a table.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from playground.library.rule_book import FOLDER
from simengine.scenario.config_keys import BROKER, CONSUMER, MIRROR, PRODUCER, SIMULATED, TOPIC, ConfigKey, Value
from simengine.scenario.durations import format_duration
from simengine.scenario.profiles import NEWEST_PROFILE, PROFILES, VERSIONS

FILE: Final = FOLDER / "settings.md"
TITLES: Final = {
    TOPIC: "Topics",
    BROKER: "Brokers and controllers",
    PRODUCER: "Producers",
    CONSUMER: "Consumers",
    MIRROR: "MirrorMaker",
}
"""The kinds in the order of the page. A name that several kinds have is the first one's anchor."""
ROW: Final = re.compile(
    r"^\| `(?P<name>[^`]+)` \| (?P<decides>[^|]+) \| (?P<rules>[^|]+) \|(?P<other>[^|]*)\|(?P<last>[^|]*)\|$", re.M
)
SHORT_MS: Final = 1_000  # a shorter time is read as it stands
NEVER: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a kind. `other`: the value to try beside the default, in a `situation` ("": that of its kind).

    Without such a value, `why_none` says in Markdown why two runs would show nothing; else both are "".
    """

    kind: str
    key: ConfigKey
    decides: str
    rules: tuple[str, ...]
    other: str
    situation: str
    why_none: str

    @property
    def name(self) -> str:
        """Kafka's name."""
        return self.key.name

    @property
    def default(self) -> str:
        """The default of the newest version, with its unit."""
        return self.default_in(NEWEST_PROFILE)

    @property
    def elsewhere(self) -> tuple[tuple[str, str], ...]:
        """The versions with another default, each with it."""
        told = [(version, self.default_in(version)) for version in VERSIONS]
        return tuple(one for one in told if one[1] != self.default)

    @property
    def short_other(self) -> str:
        """The value to try as a button names it: a class without its package."""
        return self.other.rpartition(".")[2]

    def default_in(self, version: str) -> str:
        """The default of a version, with its unit."""
        if self.key.instead:
            return f"not set: {self.key.instead} counts"
        return _written(self.key, PROFILES[version].defaults.get(self.name, self.key.default))


@dataclass(frozen=True, slots=True)
class SettingKind:
    """The settings of one kind. `intro`: lines of Markdown."""

    kind: str
    title: str
    intro: tuple[str, ...]
    settings: tuple[Setting, ...]


def _written(key: ConfigKey, value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, int):
        return value or "none"
    if value == NEVER:
        return f"{value} (never)"
    us = key.engine(value)
    is_long = key.unit == "s" or (key.unit == "ms" and value >= SHORT_MS)
    in_words = f" ({format_duration(int(us))})" if is_long else ""
    return f"{value}{f' {key.unit}' if key.unit else ''}{in_words}"


@lru_cache(maxsize=1)
def kinds() -> tuple[SettingKind, ...]:
    """All settings by kind. Raises KeyError for a row of the file that the engine has no key for."""
    _, *parts = re.split(r"^## ", FILE.read_text(encoding="utf-8"), flags=re.M)
    chapters = {head: body for head, _, body in (part.partition("\n") for part in parts)}
    return tuple(_kind(kind, title, chapters[kind]) for kind, title in TITLES.items())


def _kind(kind: str, title: str, body: str) -> SettingKind:
    intro = body.partition("|")[0].strip().splitlines()
    settings = tuple(
        Setting(
            kind,
            SIMULATED[kind][row["name"]],
            row["decides"],
            tuple(row["rules"].split(", ")),
            *_trial(row["other"].strip(), row["last"].strip()),
        )
        for row in ROW.finditer(body)
    )
    return SettingKind(kind, title, tuple(intro), settings)


def _trial(other: str, last: str) -> tuple[str, str, str]:
    return (other, last, "") if other else ("", "", last)


def find(kind: str, name: str) -> Setting | None:
    """A setting by its kind and name; None without one."""
    return next((one for part in kinds() if part.kind == kind for one in part.settings if one.name == name), None)
