"""Rule ids in the repository and the rule book (docs/rules) agree: what is cited exists, and each rule is cited.

A rule is followed by code and shown by a scenario, a recording or a directed test. The lists below name the exceptions;
a rule that no longer needs its exception must leave the list.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from playground.library import rule_book
from playground.library.rule_text import ids_in
from tests.setup.processes import ROOT

SUFFIXES: Final = {".css", ".html", ".js", ".md", ".py", ".yaml"}
CODE: Final = ("simengine", "playground", "static", "templates")
SHOWS: Final = ("tests",)
ALL: Final = (*CODE, "tests", "tools", "docs", "README.md")
ABOUT_THE_BOOK: Final = {  # they name rules and show none
    "tests/setup/test_rule_citations.py",
    "tests/library/test_rule_book.py",
    "tests/browser/test_rules.py",
}
NO_RULES: Final = {"FNV", "GPL", "KAFKA", "KIP", "LGPL", "MPL", "PSF", "SHA", "UTF"}  # what else looks like an id
RECORDINGS: Final = ROOT / "tests" / "conformance" / "recordings"

NOT_IN_CODE: Final = {
    "ISR-7": "follows from HW-2 and ISR-5; no line of code makes it",
    "TRUNC-4": "follows from TRUNC-2 and TRUNC-3; a property, held by a test",
    "TRUNC-5": "what an unclean election leads to; a property, held by an invariant (trunc_above_own_hw)",
    "PLACE-8": "the seed draws the placement; recordings are held against all draws",
    "ORD-3": "says what is not ordered: the seed draws it",
}
NOT_SHOWN: Final = {"ORD-3": "says what is not ordered: nothing to show"}

# Lines that cite a section of a document that is not in the repository. The number only falls: cite a rule instead.
SECTIONS_MOST: Final = 0
SECTION: Final = re.compile(r"\bsections? [0-9]", re.IGNORECASE)


def files(roots: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The path from the root, and the text, of each source below the roots."""
    for top in roots:
        found = [ROOT / top] if (ROOT / top).is_file() else sorted((ROOT / top).rglob("*"))
        for path in found:
            if path.is_file() and path.suffix in SUFFIXES and "vendor" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def cited(roots: tuple[str, ...]) -> dict[str, str]:
    """Each rule id that files below the roots cite, and the first file that does."""
    found: dict[str, str] = {}
    for name, text in files(roots):
        if name not in ABOUT_THE_BOOK and not name.startswith("docs/rules/"):
            for rule in ids_in(text):
                found.setdefault(rule, name)
    return found


@pytest.fixture(scope="module")
def rules() -> dict[str, rule_book.Rule]:
    return {rule.id: rule for rule in rule_book.all_rules()}


def test_every_rule_that_is_cited_exists(rules: dict[str, rule_book.Rule]) -> None:
    ids = {rule: name for rule, name in cited(ALL).items() if rule.partition("-")[0] not in NO_RULES}
    assert {rule: name for rule, name in ids.items() if rule not in rules} == {}


def test_every_rule_that_the_book_itself_cites_exists(rules: dict[str, rule_book.Rule]) -> None:
    ids = {rule for _, text in files(("docs/rules",)) for rule in ids_in(text)}
    assert {rule for rule in ids if rule.partition("-")[0] not in NO_RULES} - rules.keys() == set()


def test_every_rule_is_cited_by_code(rules: dict[str, rule_book.Rule]) -> None:
    in_code = {rule for name, text in files(CODE) if "testing" not in Path(name).parts for rule in ids_in(text)}
    assert rules.keys() - in_code == NOT_IN_CODE.keys()


def test_every_rule_is_shown_by_a_scenario_a_recording_or_a_directed_test(rules: dict[str, rule_book.Rule]) -> None:
    shown = cited(SHOWS).keys() | {rule.id for rule in rules.values() if rule.recordings}
    assert rules.keys() - shown == NOT_SHOWN.keys()


def test_every_recording_that_a_rule_names_is_there(rules: dict[str, rule_book.Rule]) -> None:
    there = {path.stem for path in RECORDINGS.rglob("*.json")}
    named = {name: rule.id for rule in rules.values() for name in rule.recordings}
    assert {name: rule for name, rule in named.items() if name not in there} == {}


def test_the_rules_of_a_prefix_stand_in_one_chapter_numbered_from_1() -> None:
    for prefix in {rule.id.partition("-")[0] for rule in rule_book.all_rules()}:
        numbers = [
            [int(rule.id.partition("-")[2]) for rule in chapter.rules if rule.id.startswith(f"{prefix}-")]
            for chapter in rule_book.chapters()
        ]
        [one] = [found for found in numbers if found]
        assert one == list(range(1, len(one) + 1)), prefix


def test_the_index_lists_every_chapter() -> None:
    names = {chapter.key for chapter in rule_book.chapters()}
    assert names == {path.stem for path in rule_book.FOLDER.glob("*.md")} - {
        "README",
        "settings",
    }  # which the page of settings shows


def test_sections_of_documents_that_are_not_here_only_get_fewer() -> None:
    lines = [
        f"{name}: {line.strip()}"
        for name, text in files(ALL)
        if name not in ABOUT_THE_BOOK
        for line in text.splitlines()
        if SECTION.search(line)
    ]
    assert len(lines) <= SECTIONS_MOST, "\n".join(lines)
