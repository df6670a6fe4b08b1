"""The ends of the runs of gallery and questions: what their cards and pages say and draw.

python tools/gallery_ends.py           writes playground/library/ends.json
python tools/gallery_ends.py --check   fails if the file is not the result of the runs
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playground.library.question_list import Side, document_of, read_questions  # noqa: E402
from playground.library.scenario_files import files  # noqa: E402
from playground.rooms.still import PartitionRow, ReplicaCell, Still  # noqa: E402
from playground.rooms.still_layout import PITCH  # noqa: E402
from playground.rooms.still_told import pictures  # noqa: E402
from simengine.compare.figures import figures_of, figures_of_flows, topics_of_people  # noqa: E402
from simengine.scenario import Document, load  # noqa: E402
from simengine.scenario.parts import parts_of  # noqa: E402
from simengine.world.world import World, build  # noqa: E402

FILE: Final = ROOT / "playground" / "library" / "ends.json"
MOMENTS: Final = 40  # of a run, evenly spaced: one of them is drawn

Json = dict[str, Any]
Gravity = tuple[int, bool, int, int]
NOTHING: Final[Gravity] = (0, False, 0, 0)


def main(arguments: list[str]) -> int:
    """Write the file, or compare it."""
    scenarios = {path.stem: end_of_scenario(load(path.read_bytes())) for path in files()}
    questions = {one.key: {letter: end_of_side(side) for letter, side in one.sides} for one in read_questions()}
    told = as_text({"scenarios": scenarios, "questions": questions})
    if arguments == ["--check"]:
        return 0 if FILE.exists() and FILE.read_text(encoding="utf-8") == told else 1
    FILE.write_text(told, encoding="utf-8")
    return 0


def end_of_scenario(document: Document) -> Json:
    """``stops``: of `stops_of`; ``picture``: of the gravest moment."""
    world, picture = _ended(document)
    return {"stops": stops_of(world, document), "picture": picture}


def end_of_side(side: Side) -> Json:
    """``said``: the sentences of the verdict and of groups that move; ``figures``: of `figures_by_name`.

    ``picture``: of the gravest moment.
    """
    world, picture = _ended(load(document_of(side)))
    said = [world.verdict()["sentence"], *(group["sentence"] for flow in _flows(world) for group in flow["groups"])]
    return {"said": " ".join(said), "figures": figures_by_name(world), "picture": picture}


def _ended(document: Document) -> tuple[World, list[Json]]:
    """The run at its end, and the gravest partition at the gravest of some moments; of equal ones the last."""
    world = build(document)
    gravest, picture = NOTHING, list[Json]()
    for i in range(1, MOMENTS + 1):
        world.run(document.until_us * i // MOMENTS)
        rows = [row for _, still in pictures(world, document) for row in _of_topics(still)]
        row = max(rows, key=_gravity, default=None)  # the first of equals
        if row is not None and _gravity(row) >= gravest:
            gravest, picture = _gravity(row), [_replica(cell) for cell in row.cells]
    return world, picture


def _topics(world: World) -> list[Json]:
    topics: list[Json] = list(world.verdict()["topics"])  # type: ignore[call-overload]
    return topics


def _flows(world: World) -> list[Json]:
    flows: list[Json] = list(world.verdict().get("mirrors", ()))  # type: ignore[call-overload]
    return flows


def stops_of(world: World, document: Document) -> dict[str, int]:
    """The longest stop of a run, in us, in the application's time: of writers, readers and groups.

    ``servers`` is how long a topic could not be written by the state of its brokers, where nobody wrote.
    """
    topics = _topics(world)
    has_groups = any(consumer.group for part in parts_of(document).values() for consumer in part.consumers)
    unused = [topic for topic in topics if not topic["no_response"] and not topic["coordinators"]]
    return {
        "writers": max((us for topic in topics for us in topic["no_response"].values()), default=0),
        "readers": _longest(topics, "read_down_client_us"),
        "groups": _longest(topics, "groups_down_us") if has_groups else 0,
        "servers": _longest(unused, "write_down_all_us"),
    }


def figures_by_name(world: World) -> dict[str, int | float]:
    """Figures by the names that an answer may use: those of a comparison, calls of send(), and what readers met with.

    A name that ends in ``_s`` is of seconds; all others count records or calls.
    """
    topics = _topics(world)
    return {
        **figures_of(topics_of_people(world, topics)),
        "failed": sum(topic["refused"] + topic["unknown"] for topic in topics),
        "again": sum(topic["reread"] for topic in topics),
        "skipped": sum(topic["skipped"] for topic in topics),
        "groups_stopped_s": _longest(topics, "groups_down_us") / 1e6,
        **figures_of_flows(_flows(world)),
    }


def _longest(topics: list[Json], figure: str) -> int:
    return max((int(topic[figure]) for topic in topics), default=0)


def _of_topics(still: Still) -> list[PartitionRow]:
    return [row for row in still.rows if not row.name.startswith("__")] or still.rows


def _gravity(row: PartitionRow) -> Gravity:
    """Lost records first, then a partition without a leader, dead replicas, and those that are out of the ISR."""
    lost = sum(mark.lost for cell in row.cells for mark in cell.marks)
    dead = sum(cell.is_dead for cell in row.cells)
    return lost, row.state == "no leader", dead, sum(cell.membership != "in ISR" for cell in row.cells)


def _replica(cell: ReplicaCell) -> Json:
    """A replica: its sign, the slot of its high watermark, and its records as slot, hue and fate."""
    sign = "dead" if cell.is_dead else "leads" if cell.leads else "follows"
    marks = [[(mark.x // PITCH), mark.hue, "lost" if mark.lost else "dry" if mark.dry else ""] for mark in cell.marks]
    return {"sign": sign, "hw": cell.hw_x // PITCH, "marks": marks}


def as_text(ends: dict[str, dict[str, Json]]) -> str:
    """One line a scenario or question."""
    parts = [
        f"  {json.dumps(kind)}: {{\n"
        + ",\n".join(f"    {json.dumps(name)}: {json.dumps(end, ensure_ascii=False)}" for name, end in found.items())
        + "\n  }"
        for kind, found in ends.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
