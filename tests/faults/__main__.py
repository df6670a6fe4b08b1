"""`python -m tests.faults`: the storm of hostile input, with Django set up for it. See `tests.faults.fuzz`."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    from tests.faults.fuzz import main

    sys.exit(main(sys.argv[1:]))
