"""Write the page's modules of facts and of reasons from the engine, the one place where they are declared.

``python tools/facts_js.py`` writes them, ``--check`` exits 1 when a committed one is stale.

- ``static/js/facts/facts.js``: numbers and names of kinds, states and errors.
- ``static/js/facts/standing.js``: why an election on request does nothing, from ``simengine.kafka.shared.standing``.
- ``static/js/facts/decisive.js`` and ``traffic.js``: for each kind a type, and the function that reads its row.
"""

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "static" / "js"
sys.path.insert(0, str(ROOT))

from simengine.facts import errors  # noqa: E402  (the repository is put on the path first)
from simengine.facts import kinds as numbers  # noqa: E402
from simengine.facts.fact import Fact  # noqa: E402
from simengine.facts.schema import FACTS  # noqa: E402
from simengine.kafka.shared import standing  # noqa: E402

COLUMNS: Final = 120
HEAD: Final = 4  # of a row: seq, t, kind, cause
HEADS: Final = {
    "Decisive": "seq: number, t: number, kind: K, cause: number",
    "Traffic": "seq: number, t: number, kind: K",
}
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
    """Write or check the modules; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    stale = [(path, text) for path, text in render().items() if not path.exists() or path.read_text() != text]
    if parser.parse_args(argv).check:
        for path, _ in stale:
            print(f"{path.relative_to(ROOT)} is stale: run python tools/facts_js.py")
        return int(bool(stale))
    for path, text in stale:
        path.write_text(text)
    return 0


def render() -> dict[Path, str]:
    """The text of each module, by its path."""
    kept = [fact for fact in FACTS if fact.is_decisive]
    rest = [fact for fact in FACTS if not fact.is_decisive]
    return {
        FOLDER / "facts" / "facts.js": constants_module(),
        FOLDER / "facts" / "standing.js": standing_module(),
        FOLDER / "facts" / "decisive.js": readers_module("Decisive", kept),
        FOLDER / "facts" / "traffic.js": readers_module("Traffic", rest),
    }


def constants_module() -> str:
    """Numbers of kinds, states and errors, and their names."""
    lines = ["// Written by tools/facts_js.py from simengine/facts. Do not edit.", ""]
    lines.append(f"export const FIRST_TRAFFIC = {numbers.FIRST_TRAFFIC};")
    lines += constant("KIND", {screaming(fact.name): fact.number for fact in FACTS})
    lines.append("/** The name of each kind, by its number. @type {Record<number, string>} */")
    lines += table("KIND_NAMES", "{}", (f"{fact.number}: {compact(fact.name)}" for fact in FACTS))
    for prefix in PREFIXES:
        lines += constant(prefix, numbers_of(prefix))
    for name in TABLES:
        lines += table(name, "[]", map(compact, getattr(numbers, name)))
    lines.append("/** The name of each error, by Kafka's number; of an exception of a client by ours. */")
    lines.append("/** @type {Record<number, string>} */")
    lines += table("ERROR_NAMES", "{}", (f"{error}: {compact(name)}" for error, name in errors.ERROR_NAMES.items()))
    lines.append(
        "/** The reason for refusing an administrator's call, by call and error. @type {Record<string, string>} */"
    )
    lines += table("REFUSED_BECAUSE", "{}", (f"{compact(k)}: {compact(v)}" for k, v in errors.REFUSED_BECAUSE.items()))
    return "\n".join(lines) + "\n"


def standing_module() -> str:
    """The module of elections: brokers that may be elected, and reasons why an election on request does nothing."""
    active = (f"{compact(name)}: {compact(standing.is_active(reg))}" for reg, name in enumerate(numbers.REG_NAMES))
    return "\n".join(
        [
            "// Written by tools/facts_js.py from simengine/kafka/shared/standing.py. Do not edit.",
            "",
            "/** True if a broker may be elected, by its registration. @type {Record<string, boolean>} */",
            *table("IS_ACTIVE", "{}", active),
            "/** The key of a reason: what holds, in the order of its table. @param {boolean[]} holds */",
            'export const keyOf = (...holds) => holds.map(Number).join("");',
            "/** By: the preferred leader leads; it is in the ISR. @type {Record<string, string>} */",
            *table("WHY_NOT_PREFERRED", "{}", reasons(standing.why_not_preferred, 2)),
            "/** By: there is a leader; a controller; a replica on an active broker. @type {Record<string, string>} */",
            *table("WHY_NOT_UNCLEAN", "{}", reasons(standing.why_not_unclean, 3)),
            "",
        ]
    )


def reasons(why: Callable[..., str], conditions: int) -> Iterable[str]:
    """The words of a function of so many conditions, for each combination of them."""
    for holds in product((False, True), repeat=conditions):
        yield f'"{"".join(str(int(one)) for one in holds)}": {compact(why(*holds))}'


def readers_module(group: str, facts: list[Fact]) -> str:
    """A type and a reader for each kind of a group, and one reader of them all."""
    lines = [
        "// Written by tools/facts_js.py from simengine/facts/schema.py. Do not edit.",
        "// docs/facts.md says what each field means.",
        "",
        '/** @import {Row} from "./types.js" */',
        *(['import { partsOf } from "./actionparts.js";', ""] if any(fact.is_action for fact in facts) else []),
        "/** @template F @typedef {(row: Row) => F} Read  reads a row of one kind */",
        f"/** @template {{number}} K @typedef {{{{{HEADS[group]}}}}} Head  what each has */",
        "",
    ]
    for fact in facts:
        lines += [*typed(fact), *reader(fact), ""]
    lines += wrapped("A fact of any of these kinds.", f"@typedef {{{' | '.join(fact.name for fact in facts)}}} {group}")
    lines.append(f'/** @template {{{group}["kind"]}} K @typedef {{Extract<{group}, {{kind: K}}>}} {group}Of */')
    lines += ["", f"/** @type {{Record<number, Read<{group}>>}} */"]
    lines += table(f"{group.upper()}_READERS", "{}", (f"{fact.number}: read{fact.name}" for fact in facts))
    return "\n".join(lines) + "\n"


def typed(fact: Fact) -> list[str]:
    """The type of a kind."""
    fields = [*(f"{name}: number" for name in fact.ints), *(f"{name}: number[]" for name in fact.lists)]
    fields += [f"{fact.text}: string"] if fact.text else []
    fields += ["verb: string", "args: string[]"] if fact.is_action else []
    return wrapped(fact.meaning, f"@typedef {{Head<{fact.number}> & {{{', '.join(fields)}}}}} {fact.name}")


def reader(fact: Fact) -> list[str]:
    """The function that reads a row of a kind."""
    fields = ["seq: row[0]", "t: row[1]", f"kind: {fact.number}"]
    fields += ["cause: row[3]"] if fact.is_decisive else []
    fields += [f"{name}: row[{at}]" for at, name in enumerate((*fact.ints, *fact.lists), HEAD)]
    if fact.text:
        text = f'row[{HEAD + len(fact.ints) + len(fact.lists)}] ?? ""'
        fields += [f"{fact.text}: {text}", *([f"...partsOf({text})"] if fact.is_action else [])]
    return [
        f"/** @type {{Read<{fact.name}>}} */",
        f"export const read{fact.name} = (/** @type {{any}} */ row) => ({{",
        *filled(fields),
        "});",
    ]


def constant(name: str, values: dict[str, int]) -> list[str]:
    """An object of integers, of which the types know each value."""
    items = filled(f"{key}: {value}" for key, value in values.items())
    return [f"export const {name} = /** @type {{const}} */ ({{", *items, "});"]


def table(name: str, brackets: str, items: Iterable[str]) -> list[str]:
    """A list or an object."""
    return [f"export const {name} = {brackets[0]}", *filled(items), f"{brackets[1]};"]


def filled(items: Iterable[str]) -> list[str]:
    """Items of a list or an object, as many on a line as it has room for; none is torn."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) + 2 > COLUMNS:
            lines.append("")
        lines[-1] += f" {item}," if lines[-1] else f"  {item},"
    return lines


def wrapped(meaning: str, tag: str) -> list[str]:
    """A comment of a meaning and a tag, on one line if it has room for them."""
    line = f"/** {meaning} {tag} */"
    if len(line) <= COLUMNS:
        return [line]
    lines = textwrap.wrap(tag, COLUMNS, initial_indent=" * ", subsequent_indent=" *   ")
    return ["/**", f" * {meaning}", *lines, " */"]


def screaming(name: str) -> str:
    """PartitionChanged as PARTITION_CHANGED."""
    return "".join(f"_{letter}" if letter.isupper() and index else letter for index, letter in enumerate(name)).upper()


def numbers_of(prefix: str) -> dict[str, int]:
    """The integer constants PREFIX_* without their prefix; the numbers of kinds are none of them."""
    kinds = {screaming(fact.name) for fact in FACTS}
    found = {
        name: value for name, value in vars(numbers).items() if name.startswith(f"{prefix}_") and name not in kinds
    }
    return {name.removeprefix(f"{prefix}_"): value for name, value in found.items() if type(value) is int}


def compact(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
