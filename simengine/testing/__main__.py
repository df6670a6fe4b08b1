"""`python -m simengine.testing COMMAND ...`: the commands of those who test the engine."""

import sys

from simengine.__main__ import piped
from simengine.testing import commands

if __name__ == "__main__":
    sys.exit(piped(sys.argv[1:], commands))
