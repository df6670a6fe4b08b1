"""The proof of "by rule": random sick clusters, each played many times with other seeds and moments of the loss.

    python -m tests.questions.by_rule --clusters 1000 --runs 200

Prints how many runs there were, and each kind of denial with its smallest document.
"""

import argparse
import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from random import Random

from simengine.questions.az import run as az_run
from simengine.questions.az.cell import ACKS
from simengine.questions.az.edits import DARK, GONE, Edits
from simengine.questions.az.figures import cell_json
from simengine.questions.az.losses import rows_of
from simengine.questions.az.moments import at_moment, moments_of
from simengine.scenario import Document, load
from tests.questions.loss_claims import Denial, Told, denials, denials_of_fenced, unseen
from tests.questions.loss_runs import Draw, Place, Played, play, state_of
from tests.questions.sick_clusters import Sick, draw
from tests.questions.smaller_clusters import shrink

LOG_MB = 10_000
UNLUCKY = 0.3  # share of the runs in which brokers beside the loss are made to be fenced, where that may be
SEEN_MIN = 8  # runs of a cell before what it calls lost must have been lost in one


@dataclass
class Found:
    """The claims that the runs of one cluster deny."""

    sick: Sick
    runs: int = 0
    others: int = 0  # runs that had come to another state by the moment of the loss
    fenced: int = 0  # runs in which a broker that the loss does not touch was fenced
    denials: list[Denial] = field(default_factory=list)


def examine(sick: Sick, runs: int) -> Found:
    """Play every moment of a cluster so many times, its cells in turn."""
    found, rng = Found(sick), Random(sick.seed)
    made = load(sick.plain)
    for moment in moments_of(made, Edits(dies=sick.dies, disks=sick.disks)):
        doc = at_moment(made, moment)
        rates = rates_of(doc)
        cells: list[tuple[Told, list[Played]]] = [(told, []) for told in cells_of(sick, doc, moment)]
        for _, (told, played) in zip(range(runs if cells else 0), cycle(cells), strict=False):
            chance = Draw.of(rng, must_return=sick.disks == GONE)
            if told.cell.fences_beside and rng.random() < UNLUCKY:
                chance = chance.with_bad_luck(rng, doc, told.loss)
            run = play(doc, told.loss, told.acks, sick.disks == GONE, chance)
            found.runs += 1
            if run.state != told.state:
                found.others += 1
                continue
            if run.fences_others(told.loss.brokers):
                found.fenced += 1
                found.denials += denials_of_fenced(told, run, chance)
                continue
            played.append(run)
            found.denials += denials(told, run, rates, chance)
        for told, played in cells:
            found.denials += unseen(told, played) if len(played) >= SEEN_MIN else []
    return found


def cells_of(sick: Sick, doc: Document, moment: str) -> list[Told]:
    """The cells of a moment's table."""
    world = az_run.at_the_loss(doc, ACKS[0], sick.dies == DARK)
    told: list[Told] = []
    for loss in rows_of(doc, sick.dies, world):
        for acks in ACKS:
            cell = az_run.run_cell(doc, loss, acks, sick.disks)
            state = state_of(az_run.at_the_loss(doc, acks, sick.dies == DARK))
            told.append(Told(moment, loss, cell, cell_json(cell, LOG_MB), state))
    return told


def rates_of(doc: Document) -> dict[Place, int]:
    """Records per 1000 s to each partition."""
    sizes = {topic.name: len(topic.assignment) for topic in doc.topics}
    return {
        (one.topic, number): one.rate_milli // sizes[one.topic]
        for one in doc.producers
        for number in range(sizes[one.topic])
    }


# -- the command


def main() -> None:
    """Examine so many clusters, and print what denies the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.questions.by_rule", description=__doc__)
    parser.add_argument("--clusters", type=int, default=100, help="seeds")
    parser.add_argument("--runs", type=int, default=200, help="of each moment of a cluster")
    parser.add_argument("--seed", type=int, default=0, help="the first")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--shrink", action="store_true", help="print the smallest document of each kind")
    options = parser.parse_args()
    began, runs, others, fenced = time.monotonic(), 0, 0, 0
    counts: Counter[str] = Counter()
    first: dict[str, Found] = {}
    seeds = range(options.seed, options.seed + options.clusters)
    with ProcessPoolExecutor(options.jobs) as pool:
        for found in pool.map(_examine, seeds, [options.runs] * len(seeds), chunksize=4):
            runs, others, fenced = runs + found.runs, others + found.others, fenced + found.fenced
            kinds = dict.fromkeys(one.kind for one in found.denials)
            counts.update(list(kinds))
            for kind in kinds:
                if kind not in first:
                    print(f"cluster {found.sick.seed}, {found.sick.dies}, disks {found.sick.disks}:")
                    print(f"  {next(one for one in found.denials if one.kind == kind)}", flush=True)
                first.setdefault(kind, found)
    print(
        f"{len(seeds)} clusters, {runs} runs in {time.monotonic() - began:.0f} s; {others} had another state, "
        f"{fenced} fenced a broker beside"
    )
    for kind, count in counts.most_common():
        print(f"{kind}: denied in {count} clusters, first {first[kind].sick.seed}")
        if options.shrink:
            denials_of = partial(_denials, kind=kind, runs=options.runs)
            small = shrink(first[kind].sick, denials_of)
            print(f"  {denials_of(small)[0]}\n  {json.dumps(small.plain)}")


def _denials(sick: Sick, kind: str, runs: int) -> list[Denial]:
    return [one for one in examine(sick, runs).denials if one.kind == kind]


def _examine(seed: int, runs: int) -> Found:
    return examine(draw(seed), runs)


if __name__ == "__main__":
    main()
