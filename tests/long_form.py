"""How often tests repeat what is random: a few times in `make test`, more often in `make test LONG=1`.

README.md has the same table, and tests/setup/test_long_form.py compares them.
"""

import os
from typing import Final

LONG: Final = "HIGHWATER_LONG"

RUNS: Final = {  # `make test`, `make test LONG=1`; the interpreted form of the engine has numbers of its own
    "random clusters of the swarm": (100, 200),
    "random sick clusters": (10, 200),
    "random runs whose calls and records are counted again": (30, 60),
    "random runs whose times are measured again": (15, 30),
    "random runs whose sentences are held against their facts": (20, 300),
    "the interpreted engine repeats one document in": (4, 1),
    "a row closed at rest is compared with its whole run for one scenario in": (6, 1),
    "random documents whose rows are computed whole and closed at rest": (40, 400),
    "random runs whose kept figures are compared after every event": (60, 400),
}


def runs(what: str) -> int:
    """The number for this form of the suite. Raises ValueError where HIGHWATER_LONG is neither 0, 1 nor empty."""
    chosen = os.environ.get(LONG, "")
    if chosen not in ("", "0", "1"):
        raise ValueError(f"{LONG} is {chosen!r}: allowed are 0 and 1")
    return RUNS[what][chosen == "1"]
