"""`python -m tests.lab record SCRIPT OUT`, `python -m tests.lab random FOLDER`: a real Kafka under a script of faults."""

import sys

from simengine.__main__ import piped
from tests.lab.command import main

if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:], main))
