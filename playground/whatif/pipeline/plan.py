"""The plan of an experiment: one document, its variants and its seeds, as plain JSON.

A plan is all that a worker needs to compute every row, and all that a reader needs to repeat one: run ``i`` of the plan
is variant ``i % len(variants)`` under seed ``first_seed + i // len(variants)``, so a block of consecutive seeds holds
every variant of these seeds.
"""

import json
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from playground.whatif.pipeline import stored_plan
from playground.whatif.pipeline.document_clusters import parts_of

Json = dict[str, Any]

AXES: Final = (
    *("acks", "min_isr", "unclean", "rf", "lag_ms", "kafka", "load"),
    *("wan_us", "checkpoints_s", "group_sync_s", "offset_lag", "flush_ms"),  # of several clusters with MirrorMaker
    "fault",
)
"""The axes in the order in which they name a variant."""

AS_IS: Final = "as-is"
"""The value of an axis, other than the fault, that changes nothing: as in the run."""

WHOLE_SEEDS: Final = 20
"""Seeds of each variant whose runs go to the horizon even where they are at rest: these tell the latencies."""

VARIANTS_MAX: Final = 8
"""Most variants of one plan: the page tells them apart by letter, shape and hue."""


@dataclass(frozen=True)
class Variant:
    """One column of the comparison: a letter and the value of each axis that the experiment varies.

    `also`: settings that were asked for as well and come to the same run. `is_as_in_run`: but for the fault, so does
    changing nothing.
    """

    letter: str
    settings: Json
    also: tuple[Json, ...] = ()
    is_as_in_run: bool = False

    def plain(self) -> Json:
        """As JSON has it."""
        return {
            "letter": self.letter,
            "settings": self.settings,
            **({"also": list(self.also)} if self.also else {}),
            **({"as_in_run": True} if self.is_as_in_run else {}),
        }

    @classmethod
    def of(cls, raw: Json) -> "Variant":
        """Read what `plain` gave."""
        return cls(raw["letter"], raw["settings"], tuple(raw.get("also", ())), raw.get("as_in_run", False))


@dataclass(frozen=True)
class ExperimentPlan:
    """The runs to do: `document` under each of `variants`, for `seeds` seeds from `first_seed`, up to `horizon_us`."""

    document: Json
    variants: tuple[Variant, ...]
    topics: tuple[str, ...]
    first_seed: int
    seeds: int
    horizon_us: int

    @property
    def runs(self) -> int:
        """Runs in all."""
        return self.seeds * len(self.variants)

    def run(self, index: int) -> tuple[Variant, int]:
        """Variant and seed of run `index` (0 .. runs-1)."""
        return self.variants[index % len(self.variants)], self.first_seed + index // len(self.variants)

    def is_whole(self, index: int) -> bool:
        """True if run `index` goes to the horizon and tells its latencies."""
        return index // len(self.variants) < WHOLE_SEEDS

    def index(self, letter: str, seed: int) -> int | None:
        """The number of the run of a variant and seed; None where the plan has no such run."""
        letters = [variant.letter for variant in self.variants]
        if letter not in letters or not 0 <= seed - self.first_seed < self.seeds:
            return None
        return (seed - self.first_seed) * len(letters) + letters.index(letter)

    def variant(self, letter: str) -> Variant:
        """The variant of this letter; KeyError names the letters there are."""
        for variant in self.variants:
            if variant.letter == letter:
                return variant
        raise KeyError(f"no variant {letter}; there are {', '.join(v.letter for v in self.variants)}")

    def to_json(self) -> str:
        """The plan as canonical JSON text."""
        return json.dumps(self._plain(), sort_keys=True)

    def _plain(self) -> Json:
        return {
            "document": self.document,
            "variants": [variant.plain() for variant in self.variants],
            "topics": list(self.topics),
            "first_seed": self.first_seed,
            "seeds": self.seeds,
            "horizon_us": self.horizon_us,
        }

    def outline(self) -> Json:
        """The plan without its document, of which title and versions stay: what pages draw, whatever the cluster."""
        versions = list(dict.fromkeys(part["profile"] for _, part in parts_of(self.document)))
        title = self.document.get("title", "")
        return replace(self, document={"title": title, "profile": versions[0], "profiles": versions})._plain()

    @classmethod
    def of_outline(cls, raw: Json) -> "ExperimentPlan":
        """Read what ``outline`` gave."""
        return cls._of(raw)

    @classmethod
    def from_json(cls, text: str) -> "ExperimentPlan":
        """Read what `to_json` wrote. Raises DocumentError for a text that is no plan."""
        return cls._of(stored_plan.read(text))

    @classmethod
    def _of(cls, raw: Json) -> "ExperimentPlan":
        variants = tuple(map(Variant.of, raw["variants"]))
        return cls(raw["document"], variants, tuple(raw["topics"]), raw["first_seed"], raw["seeds"], raw["horizon_us"])


def grid(axes: Mapping[str, Sequence[Any]]) -> list[Json]:
    """Settings of every combination of the axes that have values, in the order of `AXES`, last axis fastest."""
    used = [name for name in AXES if axes.get(name)]
    return [dict(zip(used, values, strict=True)) for values in product(*(axes[name] for name in used))]


def lettered(settings: Sequence[Json]) -> tuple[Variant, ...]:
    """Give letters A, B, C… to settings; ValueError beyond `VARIANTS_MAX`."""
    if len(settings) > VARIANTS_MAX:
        raise ValueError(f"{len(settings)} configurations; at most {VARIANTS_MAX} can be compared. Take values away.")
    return tuple(Variant(string.ascii_uppercase[i], value) for i, value in enumerate(settings))
