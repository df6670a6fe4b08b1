"""`make bench`: every figure that the README and the tests of speed speak of; the last line is one JSON object.

python -m tests.bench                 all
python -m tests.bench engine spark    only these; the others are null
"""

import json
import sys
from collections.abc import Callable
from typing import Any, Final

from simengine import engine_form
from tests.bench import clicks, compare, engine, estimates, hostile, old_engine, rows, sites, spark, viewers

Measure = Callable[[], dict[str, float]]
PARTS: Final[dict[str, tuple[Measure, ...]]] = {
    "engine": (engine.against_simpy, engine.by_size),
    "sites": (sites.measure,),
    "replay": (engine.replay,),
    "rows": (rows.measure, old_engine.measure),
    "spark": (spark.measure,),
    "estimates": (estimates.measure,),
    "clicks": (clicks.measure,),
    "compare": (compare.measure,),
    "viewers": (viewers.measure,),
    "hostile": (hostile.measure,),
    "reading": (hostile.reading,),
}
FIGURES: Final = (
    "seconds_per_simulated_minute",
    "ratio_to_simpy",
    "us_per_batch",
    "cost_per_partition_ratio_1200_to_12",
    "two_clusters_ratio",
    "rows_a_core_second",
    "rows_ratio",
    "pasted_rows_a_core_second",
    "pasted_rows_ratio",
    "old_rows_ratio",
    "old_pasted_rows_ratio",
    "spark_ratio",
    "spark_idle_share",
    "spark_idle_share_skewed",
    "estimates_within",
    "click_ms_p50",
    "click_ms_p99",
    "click_fast_ms_p50",
    "click_fast_ms_p99",
    "compare_click_ms_p50",
    "compare_click_ms_p99",
    "compare_click_ratio",
    "compare_frames_a_second",
    "compare_frames_ratio",
    "viewers_500_cpu",
    "replay_seconds_at_event_limit",
    "alive_hostile_ms_max",
    "import_cpu_s_max",
)


def main(argv: list[str]) -> int:
    """Measure and print."""
    unknown = [name for name in argv if name not in PARTS]
    if unknown:
        print(f"there is no part {unknown[0]!r}. Allowed: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    result: dict[str, Any] = {**dict.fromkeys(FIGURES), "compiled": engine_form() == "compiled"}
    for name in argv or PARTS:
        print(f"--- {name}", flush=True)
        for measure in PARTS[name]:
            result |= measure()
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
