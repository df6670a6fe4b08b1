"""The cost of a run, estimated from its size before it is begun: the seconds to open it, and the memory.

Fitted to 24 documents of all shapes, measured on one core (compiled): reading, building, the document and the first
view. Time and memory of 15 others are met within a third and a sixth; a factor of two is tested.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from playground.engine.need import Need
from playground.scenarios.documents import StoredScenario
from playground.scenarios.limits import (
    OPEN_BYTES_MAX,
    OPEN_SECONDS_MAX,
    REPLAY_SECONDS_MAX,
    SMALL_BYTES_MAX,
    SMALL_SECONDS_MAX,
)
from playground.scenarios.size import Size, created
from simengine.scenario import parse
from simengine.scenario.problems import FieldError

MIB: Final = 1024 * 1024
GROWING: Final = ("create", "partitions")  # verbs of actions that make a run bigger

SECONDS: Final = {  # of each of these
    "partitions": 30.3e-6,
    "replicas": 23.1e-6,
    "connections": 4.65e-6,
    "writes": 2.62e-6,
    "reads": 3.08e-6,
    "pairs": 26.8e-9,
    "mates": 5.81e-9,
    "known": 0.18e-6,
    "delays": 0.11e-6,
}
BYTES: Final = {
    "partitions": 5_950,
    "replicas": 1_960,
    "connections": 600,
    "writes": 400,
    "reads": 384,
    "pairs": 0.28,
    "known": 29,
}
SECONDS_A_SECOND: Final = {"requests": 6e-6, "connections": 0.5e-6}  # of each, to run a simulated second
SECONDS_AT_LEAST: Final = 0.012
SECONDS_A_BYTE: Final = 1.64e-6  # of the document's text
SECONDS_A_SHARE: Final = 4.9e-9  # when a group shares out its partitions: one operation
BYTES_A_PAIR_OF_NODES: Final = 42  # the links between all nodes
BYTES_A_BYTE: Final = 16
SLOWER: Final = {"compiled": 1.0, "interpreted": 3.0}  # to open a run
RUNS_SLOWER: Final = {"compiled": 1.0, "interpreted": 30.0}
US: Final = 1_000_000


class RunTooLarge(Exception):
    """A run costs more than is allowed; the message gives the figures, the limit and what to do."""


@dataclass(frozen=True)
class Cost:
    """Of one run, estimated. ``longest_s``: its longest single operation, which is the opening in most runs."""

    open_s: float
    longest_s: float
    bytes: int

    @property
    def is_large(self) -> bool:
        """True where it may not share a process with small runs."""
        return self.longest_s > SMALL_SECONDS_MAX or self.bytes > SMALL_BYTES_MAX

    @property
    def is_too_large(self) -> bool:
        """True where it is not opened at all."""
        return self.longest_s > OPEN_SECONDS_MAX or self.bytes > OPEN_BYTES_MAX


def need_of(stored: StoredScenario, form: str, until_us: int = 0) -> Need:
    """The needs of a run that is brought to a moment at once. Raises RunTooLarge."""
    added = grown_by(do for _, do in stored.actions)
    size = Size.of(stored.size or {}) + added
    cost = cost_of(size, len(stored.text), form)
    if cost.is_too_large:
        raise RunTooLarge(too_large(cost, size))
    most = cost_of(size.shared_out(added.partitions), len(stored.text), form)  # whoever reads what was added
    is_large = most.is_large or replay_s(size, until_us, form) > REPLAY_SECONDS_MAX
    return Need(_key(stored), is_large, cost.bytes)


def cost_of(size: Size, text_bytes: int, form: str) -> Cost:
    """The cost of a run whose document has so many bytes, in a form of the engine."""
    numbers = asdict(size)
    seconds = SECONDS_AT_LEAST + SECONDS_A_BYTE * text_bytes + _sum(SECONDS, numbers)
    memory = BYTES_A_BYTE * text_bytes + BYTES_A_PAIR_OF_NODES * size.nodes**2 + _sum(BYTES, numbers)
    open_s = seconds * SLOWER[form]
    return Cost(open_s, max(open_s, SECONDS_A_SHARE * size.shares * SLOWER[form]), round(memory))


def replay_s(size: Size, until_us: int, form: str) -> float:
    """The time to bring a run to a moment, within a factor of three; what its actions change does not count."""
    return _sum(SECONDS_A_SECOND, asdict(size)) * until_us / US * RUNS_SLOWER[form]


def grown_by(actions: Iterable[str]) -> Size:
    """The size that accepted actions add to a run. One that cannot be read adds nothing: the engine refuses it."""
    found = Size()
    for do in actions:
        if do.startswith(GROWING):
            try:
                found += created([parse(do)])
            except FieldError:
                continue
    return found


def too_large(cost: Cost, size: Size) -> str:
    """The reason why a run is not opened, and the cure."""
    longest = f"about {cost.longest_s:,.0f} s for one operation and {cost.bytes / MIB:,.0f} MiB of memory"
    most = f"{OPEN_SECONDS_MAX:.0f} s and {OPEN_BYTES_MAX // MIB} MiB"
    return (
        f"This run is too large: it would take {longest}; the limits are {most}. It has {_figures(size)}. "
        f"Make a smaller document: {_cure(size)}."
    )


def _figures(size: Size) -> str:
    told = (
        (size.partitions, "partitions"),
        (size.replicas, "replicas"),
        (size.writes, "pairs of a producer and a partition"),
        (size.reads, "pairs of a consumer and a partition"),
    )
    return ", ".join(f"{number:,} {what}" for number, what in told if number)


def _cure(size: Size) -> str:
    """The parts to have fewer of, the most costly first."""
    numbers = asdict(size)
    by = {
        "consumers, or fewer topics for each": ("reads", "pairs", "mates"),
        "producers, or fewer partitions for each": ("writes", "known"),
        "partitions or replicas": ("partitions", "replicas"),
        "links between racks": ("delays",),
        "clients or brokers": ("connections",),
    }
    costs = {cure: sum(SECONDS[name] * numbers[name] for name in names) for cure, names in by.items()}
    costs["consumers, or fewer topics for each"] += SECONDS_A_SHARE * size.shares
    first, second = sorted(costs, key=lambda cure: -costs[cure])[:2]
    return f"fewer {first}; then fewer {second}"


def _sum(weights: dict[str, float], numbers: dict[str, int]) -> float:
    return sum(weight * numbers[name] for name, weight in weights.items())


def _key(stored: StoredScenario) -> str:
    """The same for runs of one text and the same actions, under whatever id."""
    told = hashlib.sha256(stored.text.encode(errors="surrogatepass"))
    told.update(repr(stored.actions).encode())
    return told.hexdigest()
