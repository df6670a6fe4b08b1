#!/usr/bin/env python3
"""Django's command line: `manage.py play` starts everything, `manage.py help` lists the rest."""

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    from django.core.management import execute_from_command_line

    from playground.environment import EnvironmentProblem

    try:
        execute_from_command_line(sys.argv)
    except EnvironmentProblem as problem:  # raised while the settings are read, before any command runs
        sys.exit(f"{problem}.")


if __name__ == "__main__":
    main()
