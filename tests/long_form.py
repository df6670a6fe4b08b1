"""How many random runs a test makes: few in `make test`, many in `make test LONG=1`, which takes twice as long."""

import os
from typing import Final

LONG: Final = "HIGHWATER_LONG"


def runs(few: int, many: int) -> int:
    """The number of runs today: ``many`` in the long form of the suite."""
    return many if os.environ.get(LONG) else few
