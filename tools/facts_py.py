"""Write simengine/facts/decisive.py and traffic.py, and docs/facts.md, from the table in simengine/facts/schema.py.

    python tools/facts_py.py            write them
    python tools/facts_py.py --check    say which are stale; the exit status is 1 if one is

A decisive kind is a class: what the engine states, what the trace keeps and what is read are one object. A kind of
traffic is a function that states it, compiled to one call with integers, and a class that reads its row.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from simengine.facts.fact import Fact  # noqa: E402  (the repository is put on the path first)
from simengine.facts.schema import FACTS  # noqa: E402

HEAD: Final = 4  # of a row: seq, t, kind, cause


def snake(name: str) -> str:
    """``HwMoved`` as ``hw_moved``."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def fields(fact: Fact) -> list[tuple[str, str, str]]:
    """(name, type in compiled code, meaning) of each field, in the order of a row."""
    ints = [(name, "i64", meaning) for name, meaning in fact.fields.items()]
    lists = [(name, "list[int]", meaning) for name, meaning in fact.id_lists.items()]
    return [*ints, *lists, *((name, "str", meaning) for name, meaning in fact.texts.items())]


def kept(fact: Fact) -> list[tuple[str, str, str]]:
    """The fields of an object: an action's text is kept as its verb and its arguments."""
    if not fact.is_action:
        return fields(fact)
    return [*fields(fact)[:-1], ("verb", "str", "of the action"), ("args", "list[str]", "of the action, as written")]


def parameters(fact: Fact) -> str:
    """Keyword parameters of a fact, behind what comes before them."""
    return "".join(f", {name}: {kind}" for name, kind, _ in kept(fact))


def slots(*names: str) -> str:
    """A line of ``__slots__``."""
    return f"    __slots__ = ({', '.join(repr(name) for name in sorted(names))}{',' if len(names) == 1 else ''})"


def prop(name: str, kind: str, value: str) -> list[str]:
    """A property of a class, with an empty line before it."""
    return ["", "    @property", f"    def {name}(self) -> {kind}:", f"        return {value}"]


def listed(names: tuple[str, ...]) -> str:
    """A list of attributes."""
    return f"[{', '.join(f'self.{name}' for name in names)}]"


def read_row(fact: Fact, given: str, assigned: str) -> list[str]:
    """The static method that makes a fact of its row."""
    places = []
    for at, (name, kind, _) in enumerate(kept(fact), HEAD):
        places.append(f'{name}=row[{at}] if len(row) > {at} else ""' if kind == "str" else f"{name}=row[{at}]")
    words = f'row[{HEAD + len(fact.ints) + len(fact.lists)}].split(" ")'
    if fact.is_action:
        places[-2:] = [f"verb={words}[0]", f"args={words}[1:]"]
    return [
        "",
        "    @staticmethod",
        f'    def read(row: Sequence[Any]) -> "{fact.name}":',
        '        """Of its row."""',
        f"        {assigned} {fact.name}({given}{''.join(f', {place}' for place in places)})",
    ]


def decisive(fact: Fact) -> list[str]:
    """The class of a decisive kind."""
    mark = ", *" if fields(fact) else ""
    lines = [
        "@mypyc_attr(acyclic=True)",
        "@final",
        f"class {fact.name}(Decisive):",
        f'    """{fact.meaning}"""',
        "",
        slots(*(name for name, _, _ in kept(fact))) if fields(fact) else "    __slots__ = ()",
        f"    KIND: Final = {fact.number}",
        "",
        f"    def __init__(self, cause: i64{mark}{parameters(fact)}) -> None:",
        f"        super().__init__({fact.number}, cause)",
    ]
    lines += [f"        self.{name}: {kind} = {name}  # {meaning}" for name, kind, meaning in kept(fact)]
    if fact.ints:
        lines += prop("values", "list[int]", listed(fact.ints))
    if fact.lists:
        lines += prop("lists", "list[list[int]]", listed(fact.lists))
    if fact.is_action:
        lines += prop(fact.text, "str", '" ".join([self.verb, *self.args])')
    if fact.text:
        lines += prop("words", "str", f"self.{fact.text}")
    lines += read_row(fact, "row[3]", "fact =")
    return [*lines, "        fact.place(row[0], row[1])", "        return fact", "", ""]


def traffic(fact: Fact) -> list[str]:
    """The function that states a kind of traffic, and the class that reads it."""
    names = [name for name, _, _ in fields(fact)]
    lines = [
        f"def {snake(fact.name)}(trace: Trace, *{parameters(fact)}) -> i64:",
        f'    """{fact.meaning} Returns its number."""',
        f"    return trace.traffic({fact.number}, {', '.join(names)})",
        "",
        "",
        "@mypyc_attr(acyclic=True)",
        "@final",
        f"class {fact.name}:",
        f'    """{fact.meaning}"""',
        "",
        slots("seq", "t", *names),
        f"    KIND: Final = {fact.number}",
        "",
        f"    def __init__(self, seq: i64, t: i64, *{parameters(fact)}) -> None:",
        "        self.seq: i64 = seq",
        "        self.t: i64 = t  # us",
    ]
    lines += [f"        self.{name}: i64 = {name}  # {meaning}" for name, _, meaning in fields(fact)]
    row = ["", "    def row(self) -> Row:", '        """[seq, t_us, kind, 0, field, field, ...]."""']
    row += [f"        return [self.seq, self.t, {fact.number}, 0, {', '.join(f'self.{name}' for name in names)}]"]
    return [*lines, *read_row(fact, "row[0], row[1]", "return"), *row, "", ""]


def module(title: str, names: str, facts: list[Fact], write: Callable[[Fact], list[str]]) -> str:
    """The text of one of the two modules, as ruff formats it."""
    lines = [
        f'"""{title} Written by tools/facts_py.py from schema.py. Do not edit."""',
        "from collections.abc import Sequence",
        "from typing import Any, Final, final",
        "",
        "from mypy_extensions import i64, mypyc_attr",
        "",
        f"from simengine.facts.trace import {names}",
        "",
    ]
    for fact in facts:
        lines += write(fact)
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(ROOT / "simengine" / "facts.py"), "-"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    return done.stdout


def manual() -> str:
    """The table as a page of the documentation."""
    lines = [
        "# Facts",
        "",
        "Written by tools/facts_py.py from simengine/facts/schema.py. Do not edit.",
        "",
        "A run states facts. A fact is a row: `[seq, t, kind, cause, field, field, ...]`. `seq` counts facts from 1,"
        " `t` is in microseconds, `cause` is the `seq` of a decisive fact or 0. Integers come first, then lists of"
        " integers, then at most one text, which is left out where it is empty. Kinds below 64 are decisive: a"
        " run keeps them. The others are traffic. The frames of a room's socket hold these rows;"
        " `.venv/bin/python -m simengine run FILE --facts --json` names the fields.",
    ]
    for fact in FACTS:
        lines += ["", f"## {fact.name} ({fact.number})", "", fact.meaning]
        if fields(fact):
            lines += ["", "| Field | Type | Meaning or unit |", "|---|---|---|"]
        kinds = {"i64": "integer", "list[int]": "integers", "str": "text"}
        lines += [f"| `{name}` | {kinds[kind]} | {meaning} |" for name, kind, meaning in fields(fact)]
        if fact.is_action:
            lines += ["", "Readers have the first word of its text as `verb` and the others as `args`."]
    return "\n".join([*lines, ""])


def render() -> dict[Path, str]:
    """The text of each file, by its path."""
    folder = ROOT / "simengine" / "facts"
    kept = [fact for fact in FACTS if fact.is_decisive]
    rest = [fact for fact in FACTS if not fact.is_decisive]
    return {
        folder / "decisive.py": module("A class for each kind of decisive fact.", "Decisive", kept, decisive),
        ROOT / "docs" / "facts.md": manual(),
        folder / "traffic.py": module(
            "The writers and the readers of each kind of traffic.", "Row, Trace", rest, traffic
        ),
    }


def main(words: list[str]) -> int:
    """Write what is stale, or say so."""
    stale = [(path, text) for path, text in render().items() if not path.exists() or path.read_text() != text]
    for path, text in stale:
        name = path.relative_to(ROOT)
        if "--check" in words:
            print(f"{name} is stale: run `python tools/facts_py.py`")
        else:
            path.write_text(text)
            print(f"wrote {name}")
    return int(bool(stale) and "--check" in words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
