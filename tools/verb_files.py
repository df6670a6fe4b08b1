"""Checks that no verb of the timeline stands as a text in more files of the product than ``MOST`` says.

Counted are the files with the verb in a text of the code, comments and docstrings left aside; everyday words are not
counted. ``MOST`` only ever gets smaller. ``python tools/verb_files.py --list`` names the files.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from simengine.scenario.verbs import VERBS  # noqa: E402  (the repository is put on the path first)

FOLDERS: Final = ("simengine", "playground", "static/js")
WRITTEN: Final = "static/js/words/verbs.js"  # by a tool, from the table
EVERYDAY: Final = (
    *("kill", "stop", "start", "pause", "resume", "cut", "heal", "slow", "acks", "rate", "send", "config", "elect"),
    *("create", "delete", "partitions", "open", "close", "crash", "move", "commit", "release"),
    *("hold", "deliver", "drop"),
    "reassign",  # an administrator's request, a step of a recording, a kind of paste
)  # words that stand for other things too
COUNTED: Final = tuple(verb for verb in VERBS if verb not in EVERYDAY)
MOST: Final = {
    "power-loss": 6,
}
MOST_OF_OTHERS: Final = 4
_COMMENT: Final = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
_TEXT: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`')


def files(root: Path) -> Iterator[tuple[str, str]]:
    """The name and the texts of each file of the product that git knows of and that has such a verb."""
    listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=root, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        path = root / name
        if name != WRITTEN and path.suffix in (".py", ".js") and path.exists():
            source = path.read_text(encoding="utf-8")
            if not any(verb in source for verb in COUNTED):
                continue
            yield name, "\n".join(python_texts(source) if path.suffix == ".py" else page_texts(source))


def python_texts(source: str) -> list[str]:
    """The texts of a module without its docstrings."""
    tree = ast.parse(source)
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken
    ]


def page_texts(source: str) -> list[str]:
    """The texts of a script."""
    return _TEXT.findall(_COMMENT.sub("", source))


def naming(root: Path) -> dict[str, list[str]]:
    """The files that name each verb that is counted."""
    found: dict[str, list[str]] = {verb: [] for verb in COUNTED}
    for name, text in files(root):
        for verb, names in found.items():
            if re.search(rf"(?<![\w-]){verb}(?![\w-])", text):
                names.append(name)
    return found


def main(words: list[str]) -> int:
    """Print the count of each verb; status 1 when one is above its figure."""
    found = naming(ROOT)
    if "--list" in words:
        for verb, names in found.items():
            print(verb, *names, sep="\n  ")
    allowed = {verb: MOST.get(verb, MOST_OF_OTHERS) for verb in found}
    above = [verb for verb, names in found.items() if len(names) > allowed[verb]]
    for verb in above:
        print(f"{verb} stands in {len(found[verb])} files, allowed are {allowed[verb]}: {', '.join(found[verb])}")
    if not above:
        print(", ".join(f"{verb} {len(names)}" for verb, names in found.items()), "files")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
