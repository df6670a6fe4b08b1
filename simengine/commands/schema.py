"""The JSON Schema of scenario documents."""

import argparse
import json

from simengine.scenario.schema import json_schema


def main(argv: list[str]) -> int:
    """Prints the JSON Schema of format 1. Returns 0."""
    argparse.ArgumentParser(prog="python -m simengine schema", description=__doc__).parse_args(argv)
    print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    return 0
