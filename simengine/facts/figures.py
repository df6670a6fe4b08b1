"""The figures of a topic by name: those of ``VerdictChanged`` behind the topic."""

from typing import Final

from simengine.facts.decisive import VerdictChanged
from simengine.facts.schema import FIGURES

AMOUNTS: Final = FIGURES[: FIGURES.index("down_all_p")]  # those behind them are partitions, modes and times of waits


def figures_in(fact: VerdictChanged) -> dict[str, int]:
    """The figures of a topic, in the order of ``FIGURES``."""
    return dict(zip(FIGURES, fact.values[1:], strict=True))
