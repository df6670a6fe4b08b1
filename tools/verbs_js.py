"""Write the page's table of verbs, static/js/words/verbs.js, from simengine/scenario/verbs.py.

``python tools/verbs_js.py`` writes it, ``--check`` exits 1 when the committed one is stale.
"""

import json
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
MODULE: Final = ROOT / "static" / "js" / "words" / "verbs.js"
sys.path.insert(0, str(ROOT))

from simengine.scenario.verb import Form, Slot, Verb  # noqa: E402
from simengine.scenario.verbs import VERBS  # noqa: E402  (the repository is put on the path first)

COLUMNS: Final = 120
HEAD: Final = """\
// Written by tools/verbs_js.py from simengine/scenario/verbs.py. Do not edit.

/**
 * What stands behind a verb, such as "<node> after <duration>", its clause, and its label in a menu, if it has one.
 * @typedef {readonly [string, string, string?]} Form
 * @typedef {{noun: readonly [string, string], forms: Form[]}} Verb  noun: of one and of several actions
 */

/** @type {Record<string, Verb>} */
export const VERBS = {"""


def compact(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def written(slot: Slot) -> str:
    """A word of a form as the table has it."""
    only = f":{slot.text}" if slot.text else ""
    default = f"={slot.default}" if slot.default else ""
    return f"<{slot.kind}{only}{default}>" if slot.kind else slot.text


def form(one: Form) -> list[str]:
    """A form, on one line if it has room for it."""
    parts = [compact(text) for text in (" ".join(map(written, one.slots)), one.clause, one.label)]
    parts = parts if one.label else parts[:2]
    line = f"      [{', '.join(parts)}],"
    return [line] if len(line) <= COLUMNS else ["      [", *(f"        {part}," for part in parts), "      ],"]


def verb(one: Verb) -> list[str]:
    """A verb with its name as the key."""
    forms = [line for form_ in one.forms for line in form(form_)]
    return [f"  {compact(one.name)}: {{", f"    noun: {compact(one.noun)},", "    forms: [", *forms, "    ],", "  },"]


def module() -> str:
    """The text of the module."""
    return "\n".join([HEAD, *(line for one in VERBS.values() for line in verb(one)), "};", ""])


def main(words: list[str]) -> int:
    """Write the module, or say that it is stale; returns the exit code."""
    text = module()
    if MODULE.exists() and MODULE.read_text() == text:
        return 0
    if "--check" in words:
        print(f"{MODULE.relative_to(ROOT)} is stale: run python tools/verbs_js.py")
        return 1
    MODULE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
