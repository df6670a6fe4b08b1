"""The sentence of an experiment's answer on alerts: in how many losing runs one came first, and how long before."""

from typing import Any, Final

from playground.whatif.figure_words import short
from simengine.alerts.account import time_words
from simengine.words.phrases import listed, plural

Json = dict[str, Any]

TOLD_MAX: Final = 3
"""Configurations that are told one by one; of more, those with the least and the greatest share."""

MINUTE_US: Final = 60_000_000


def alert_sentence(variants: list[Json]) -> str:
    """The sentence on the configurations that lost records under alert rules; "" where there is none.

    An alert counts if it fires at the first loss (`statistics`). Its time before the loss is a median.
    """
    losing = sorted((v for v in variants if v.get("pager")), key=lambda v: (v["pager"]["warned"][0], v["letter"]))
    if not losing:
        return ""
    parts = [_part(v["pager"], f" with {short(v)}" if len(variants) > 1 else "") for v in losing]
    told = listed(parts) if len(parts) <= TOLD_MAX else f"{parts[0]} to {parts[-1]}"
    return f"An alert came before the loss in {told}."


def _part(pager: Json, who: str) -> str:
    runs = f"{plural(pager['losing'], 'losing run', 'losing runs')}{who}"
    if not pager["in_time"]:
        return f"none of {runs}"
    median = "median " if pager["in_time"] > 1 else ""
    return f"{pager['in_time']:,} of {runs} ({median}warning {time_words(round(pager['warning'][0] * MINUTE_US))})"
