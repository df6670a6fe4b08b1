"""`python -m tests.lab record SCRIPT OUT` and `python -m tests.lab random FOLDER`: a real Kafka under faults."""

import signal
import sys

from simengine.__main__ import piped
from tests.lab.command import main

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # no node outlives the command
    sys.exit(piped(sys.argv[1:], main))
