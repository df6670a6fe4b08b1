"""Figures and configurations as the sentences of an answer print them."""

from typing import Any, Final

from simengine.words.phrases import listed

Json = dict[str, Any]

NAMES_LONG: Final = 110
"""Letters of a list of names beyond which configurations are told by their letters."""


def full_name(figures: Json) -> str:
    """A configuration by all its settings."""
    return ", ".join(filter(None, (figures["name"], figures["detail"])))


def called(figures: Json) -> str:
    """A configuration in a sentence: its letter stands before a name that has commas or reads as a sentence."""
    name = full_name(figures)
    return f"{figures['letter']} ({name})" if "," in name or " " in name else name


def short(figures: Json) -> str:
    """A configuration by its name, or by its letter where the name has commas or reads as a sentence."""
    name = full_name(figures)
    return str(figures["letter"]) if "," in name or " " in name else name


def named(variants: list[Json]) -> str:
    """Several configurations in a sentence, by their names, or by their letters where that would be long."""
    names = listed([called(v) for v in variants])
    return names if len(names) <= NAMES_LONG or len(variants) == 1 else letters(variants)


def letters(variants: list[Json]) -> str:
    """Several configurations by their letters."""
    return listed([str(v["letter"]) for v in variants])


def seconds(value: float) -> str:
    """Seconds with one digit."""
    return f"{value:.1f} s"


def duration(ms: float) -> str:
    """Milliseconds, from one second on as seconds."""
    return f"{ms:.1f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def percent(share: float) -> str:
    """A share as it is printed: never 0 % of what happened, never 100 % of what failed once."""
    space = "\N{NO-BREAK SPACE}"
    if share in (0, 1):
        return f"{share * 100:.0f}{space}%"
    if share < 0.001:
        return f"<{space}0.1{space}%"
    return f">{space}99.9{space}%" if share > 0.999 else f"{share * 100:.1f}{space}%"
