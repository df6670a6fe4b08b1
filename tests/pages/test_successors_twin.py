"""The page's price of an unclean election names the leader that the engine's rule elects (UNC-3, UNC-4, ELR-6)."""

import json
import subprocess
from itertools import chain, combinations, product
from pathlib import Path

from simengine.kafka.shared.standing import PartitionLists, successors
from tools.node import NODE

ROOT = Path(__file__).resolve().parent.parent.parent
REPLICAS = [3, 1, 2]
SOME = [list(some) for some in chain.from_iterable(combinations(REPLICAS, n) for n in range(4))]


def test_python_and_javascript_elect_the_same_broker(tmp_path: Path) -> None:
    cases = [
        {"replicas": REPLICAS, "isr": isr, "elr": elr, "last_known": last, "observers": observers, "able": able}
        for isr, elr, able in product(SOME, SOME, SOME)
        for last in ([], [1], [2])
        for observers in ([], [3])
        if not set(isr) & set(elr) and not set(observers) & {*isr, *elr, *last}
    ]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(cases))
    words = [NODE, ROOT / "tests/js/successors_twin.js", file]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    lists = ("replicas", "isr", "elr", "last_known", "observers")
    elected = [successors(PartitionLists(*(one[key] for key in lists)), one["able"], True).brokers for one in cases]
    assert json.loads(told.stdout) == [brokers[0] if brokers else -1 for brokers in elected]
