"""Write static/js/facts.js from simengine.facts, the one place where kinds of fact are declared.

``python tools/facts_js.py`` writes the file, ``--check`` exits 1 when the committed one is stale.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "static" / "js" / "facts.js"
sys.path.insert(0, str(ROOT))

from simengine.facts import errors  # noqa: E402  (the repository is put on the path first)
from simengine.facts import kinds as facts  # noqa: E402
from simengine.facts.schema import FACTS  # noqa: E402

TABLES: Final = (
    "SEVERITY_NAMES",
    "PROCESS_NAMES",
    "REG_NAMES",
    "REASON_NAMES",
    "ELECTION_NAMES",
    "CLIENT_NAMES",
    "RESET_NAMES",
    "WAIT_NAMES",
    "TASKS_NAMES",
    "MSG_NAMES",
)
PREFIXES: Final = (
    "SEVERITY",
    "PROCESS",
    "REG",
    "REASON",
    "ELECTION",
    "CLIENT",
    "RESET",
    "FLIGHT",
    "HAND",
    "MSG",
    "TASKS",
)


def main(argv: list[str]) -> int:
    """Write or check the module; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    text = render()
    if parser.parse_args(argv).check:
        if TARGET.read_text() == text:
            return 0
        print("static/js/facts.js is stale: run python tools/facts_js.py")
        return 1
    TARGET.write_text(text)
    return 0


def render() -> str:
    """The text of the module: constants, names of states and, per kind, the position of each value in its row."""
    lines = ["// Written by tools/facts_js.py from simengine/facts. Do not edit.", ""]
    lines.append(f"export const FIRST_TRAFFIC = {facts.FIRST_TRAFFIC};")
    kinds = {screaming(kind.name): kind.number for kind in FACTS}
    lines.append(f"export const KIND = /** @type {{const}} */ ({compact(kinds)});")
    lines.append("/** Names of the values of each kind, in the order in which a row has them after its first four. */")
    lines.append("export const KINDS = /** @type {Record<number, {name: string, values: string[]}>} */ ({")
    for kind in FACTS:
        values = [*kind.ints, *kind.lists, *([kind.text] if kind.text else [])]
        lines.append(f"  {kind.number}: {compact({'name': kind.name, 'values': values})},")
    lines.append("});")
    for prefix in PREFIXES:
        lines.append(f"export const {prefix} = /** @type {{const}} */ ({compact(constants(prefix))});")
    for table in TABLES:
        lines.append(f"export const {table} = {compact(list(getattr(facts, table)))};")
    lines.append(f"export const ERROR_NAMES = {compact(list(errors.ERROR_NAMES))};")
    lines.append("/** Why a call of an administrator is refused, by the call and the error. */")
    lines.append(
        f"export const REFUSED_BECAUSE = /** @type {{Record<string, string>}} */ ({compact(errors.REFUSED_BECAUSE)});"
    )
    return "\n".join(lines) + "\n"


def screaming(name: str) -> str:
    """PartitionChanged as PARTITION_CHANGED."""
    return "".join(f"_{letter}" if letter.isupper() and index else letter for index, letter in enumerate(name)).upper()


def constants(prefix: str) -> dict[str, int]:
    """The integer constants PREFIX_* without their prefix."""
    found = {name: value for name, value in vars(facts).items() if name.startswith(f"{prefix}_") and type(value) is int}
    return {name.removeprefix(f"{prefix}_"): value for name, value in found.items()}


def compact(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
