"""The number of repetitions of random tests: a few in `make test`, more in `make test LONG=1`.

README.md has the same table, and tests/setup/test_long_form.py compares them.
"""

import os
from typing import Final

LONG: Final = "HIGHWATER_LONG"

RUNS: Final = {  # `make test`, `make test LONG=1`; the interpreted form of the engine has numbers of its own
    "random clusters of the swarm": (100, 200),
    "random sick clusters": (10, 200),
    "random runs whose calls and records are counted again": (20, 60),
    "random runs whose times are measured again": (15, 30),
    "random runs whose recoveries are counted again": (10, 30),
    "random runs whose sentences are held against their facts": (15, 300),
    "the sentences of one scenario are held against its facts in": (6, 1),
    "the times of one scenario are measured again in": (6, 1),
    "random pairs of clusters whose plans are counted again": (15, 100),
    "random plans whose smaller plans are loaded": (15, 60),
    "random documents that are run again, in slices": (60, 200),
    "the interpreted engine repeats one document in": (16, 1),
    "a row closed at rest is compared with its whole run for one scenario in": (12, 1),
    "random documents whose rows are computed whole and closed at rest": (20, 400),
    "random runs whose kept figures are compared after every event": (30, 400),
    "views of a page that axe checks": (2, 4),
    "a test of all recordings reads one in": (4, 1),
    "kills of the web process while a run plays": (4, 20),
    "kills of a worker while an experiment runs": (1, 2),
}


def is_long() -> bool:
    """True in `make test LONG=1`. Raises ValueError where HIGHWATER_LONG is neither 0, 1 nor empty."""
    chosen = os.environ.get(LONG, "")
    if chosen not in ("", "0", "1"):
        raise ValueError(f"{LONG} is {chosen!r}: allowed are 0 and 1")
    return chosen == "1"


def runs(what: str) -> int:
    """The number for this form of the suite. Raises ValueError as ``is_long`` does."""
    return RUNS[what][is_long()]
