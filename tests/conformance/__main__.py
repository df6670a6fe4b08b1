"""`python -m tests.conformance PATH...`: whether runs of the engine explain recordings of real clusters."""

import sys

from simengine.__main__ import piped
from tests.conformance.command import main

if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:], main))
