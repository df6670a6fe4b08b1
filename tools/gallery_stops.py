"""The longest stop of each scenario of the gallery: its cards say it beside what is lost.

python tools/gallery_stops.py           writes playground/library/stops.json
python tools/gallery_stops.py --check   fails if the file is not the result of the runs
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from simengine.scenario import load  # noqa: E402
from simengine.scenario.parts import parts_of  # noqa: E402
from simengine.world.world import build  # noqa: E402

SCENARIOS: Final = ROOT / "tests" / "scenarios"
FILE: Final = ROOT / "playground" / "library" / "stops.json"


def main(arguments: list[str]) -> int:
    """Write the file, or compare it."""
    told = as_text({path.stem: stops_of(path) for path in files()})
    if arguments == ["--check"]:
        return 0 if FILE.exists() and FILE.read_text(encoding="utf-8") == told else 1
    FILE.write_text(told, encoding="utf-8")
    return 0


def files() -> list[Path]:
    """The scenarios of one cluster, then those of several with MirrorMaker."""
    return [*sorted(SCENARIOS.glob("*.yaml")), *sorted(SCENARIOS.glob("mirrors/*.yaml"))]


def stops_of(path: Path) -> dict[str, int]:
    """The longest stop of a run, in us, in the application's time: of writers, readers and groups.

    ``servers`` is how long a topic could not be written by the state of its brokers, where nobody wrote.
    """
    document = load(path.read_bytes())
    world = build(document)
    world.run(document.until_us)
    topics: list[dict[str, Any]] = list(world.verdict()["topics"])  # type: ignore[call-overload]
    has_groups = any(consumer.group for part in parts_of(document).values() for consumer in part.consumers)
    unused = [topic for topic in topics if not topic["no_response"] and not topic["coordinators"]]
    return {
        "writers": max((us for topic in topics for us in topic["no_response"].values()), default=0),
        "readers": max((topic["read_down_client_us"] for topic in topics), default=0),
        "groups": max((topic["groups_down_us"] for topic in topics), default=0) if has_groups else 0,
        "servers": max((topic["write_down_all_us"] for topic in unused), default=0),
    }


def as_text(stops: dict[str, dict[str, int]]) -> str:
    """One line a scenario."""
    lines = [f"  {json.dumps(name)}: {json.dumps(figures)}" for name, figures in stops.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
