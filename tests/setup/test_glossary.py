"""The glossary (docs/glossary.md) names classes that exist, so that a search for them finds something."""

import re

from tests.setup.processes import ROOT

ROW = re.compile(r"^\| (?!Word|-)(?P<word>[^|]+) \|.*\| `(?P<name>\w+)`[^|]* \|$", re.MULTILINE)


def test_every_class_of_the_glossary_exists() -> None:
    sources = "\n".join(
        path.read_text(encoding="utf-8") for top in ("simengine", "playground") for path in (ROOT / top).rglob("*.py")
    )
    classes = set(re.findall(r"^class (\w+)", sources, re.MULTILINE))
    named = {row["name"]: row["word"] for row in ROW.finditer((ROOT / "docs" / "glossary.md").read_text())}
    assert len(named) > 20
    assert {name: word for name, word in named.items() if name not in classes} == {}
