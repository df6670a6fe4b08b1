"""`python -m tests.swarm ...`: random clusters under random faults."""

import sys

from simengine.__main__ import piped
from tests.swarm.command import main

if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:], main))
