"""The rule book: the chapters of `docs/rules`, and the page that shows them with the runs in which each rule is seen.

A chapter is a file: a title, some words, then the rules, each below a heading `### ISR-2 Out of sync` with an anchor in
front of it. What stands below a heading of level 2 belongs to the chapter and to no rule.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from playground.library import gallery, rule_text, scenario_files
from playground.library.gallery import GalleryCard
from playground.library.written_once import written_once

FOLDER: Final = Path(settings.BASE_DIR) / "docs" / "rules"
INDEX: Final = "README.md"  # lists the chapters in their order
RULE: Final = re.compile(r'<a id="(?P<anchor>[^"]+)"></a>\s+### (?P<id>[A-Z]+-[0-9]+) (?P<title>.+)\n(?P<body>[\s\S]*)')
CHAPTER: Final = re.compile(r"^\| \[[^]]+\]\(([a-z-]+)\.md\)", re.MULTILINE)
RECORDED: Final = "**Recorded:** "
RUNS_SHOWN: Final = 3  # of a rule; the others are behind a button


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its id, its title, its text as lines of Markdown, and the recordings that it names."""

    id: str
    title: str
    lines: tuple[str, ...]
    recordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """One file. `intro` stands before the rules, `rest` after them; both are lines of Markdown."""

    key: str
    title: str
    intro: tuple[str, ...]
    rules: tuple[Rule, ...]
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleHtml:
    """A rule as the page shows it: its text and its sources (class, setting, versions) as HTML.

    `runs`: scenarios of the gallery that cite it, `more`: those beyond the first ones.
    """

    id: str
    title: str
    html: str
    sources: str
    recordings: tuple[str, ...]
    runs: tuple[GalleryCard, ...]
    more: tuple[GalleryCard, ...]


@dataclass(frozen=True, slots=True)
class ShownChapter:
    """A chapter as the page shows it; `intro` and `rest` are HTML."""

    key: str
    title: str
    intro: str
    rules: tuple[RuleHtml, ...]
    rest: str


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """All chapters with their rules."""
    return render(request, "library/rules.html", {"written": _written()})


@written_once
def _written() -> str:
    """The chapters as HTML, the same for everybody."""
    told = shown()
    rules = [rule for chapter in told for rule in chapter.rules]
    with_runs = sum(bool(rule.runs) for rule in rules)
    return render_to_string(
        "library/rules_written.html",
        {"chapters": told, "total": len(rules), "with_runs": with_runs, "words": words()},
    )


@lru_cache(maxsize=1)
def shown() -> tuple[ShownChapter, ...]:
    """The chapters as HTML, each rule with the runs that cite it."""
    known = frozenset(rule.id for rule in all_rules())
    runs = runs_by_rule()
    return tuple(
        ShownChapter(
            chapter.key,
            chapter.title,
            rule_text.to_html(list(chapter.intro), known.__contains__),
            tuple(_shown(rule, known, runs.get(rule.id, ())) for rule in chapter.rules),
            rule_text.to_html(list(chapter.rest), known.__contains__),
        )
        for chapter in chapters()
    )


def _shown(rule: Rule, known: frozenset[str], runs: tuple[GalleryCard, ...]) -> RuleHtml:
    lines = list(rule.lines)
    start = next((n for n, line in enumerate(lines) if line.startswith("- **")), len(lines))
    others = [f"- {item}" for item in rule_text.items(lines[start:]) if not item.startswith(RECORDED)]
    html, sources = (rule_text.to_html(part, known.__contains__) for part in (lines[:start], others))
    return RuleHtml(rule.id, rule.title, html, sources, rule.recordings, runs[:RUNS_SHOWN], runs[RUNS_SHOWN:])


@lru_cache(maxsize=1)
def runs_by_rule() -> dict[str, tuple[GalleryCard, ...]]:
    """The scenarios of the gallery whose document cites a rule; first those that cite little else."""
    found: dict[str, list[tuple[float, GalleryCard]]] = {}
    for path, entry in zip(scenario_files.files(), gallery.entries(), strict=True):
        cited = Counter(rule_text.ids_in(path.read_text(encoding="utf-8")))
        for rule, times in cited.items():
            found.setdefault(rule, []).append((times / cited.total(), entry))
    return {
        rule: tuple(entry for _, entry in sorted(shares, key=lambda share: -share[0])) for rule, shares in found.items()
    }


@lru_cache(maxsize=1)
def words() -> str:
    """The table of words of the index, as HTML."""
    known = frozenset(rule.id for rule in all_rules())
    lines = (FOLDER / INDEX).read_text(encoding="utf-8").splitlines()
    start = lines.index("## Words") + 1
    return rule_text.to_html([line for line in lines[start:] if line.startswith("|")], known.__contains__)


def all_rules() -> Iterator[Rule]:
    """Every rule of the book."""
    return (rule for chapter in chapters() for rule in chapter.rules)


@lru_cache(maxsize=1)
def chapters() -> tuple[Chapter, ...]:
    """The chapters in the order of the index."""
    names = CHAPTER.findall((FOLDER / INDEX).read_text(encoding="utf-8"))
    return tuple(read(name, (FOLDER / f"{name}.md").read_text(encoding="utf-8")) for name in names)


def read(key: str, text: str) -> Chapter:
    """The chapter in the text of a file. Raises ValueError where a rule's anchor is missing or names another rule."""
    head, *parts = re.split(r"^(?=<a id=)", text, flags=re.MULTILINE)
    title, *intro = head.splitlines()
    rules, rest = [], ""
    for part in parts:
        body, heading, after = part.partition("\n## ")
        rules.append(_rule(key, body))
        rest += f"{heading}{after}"
    return Chapter(key, title.removeprefix("# "), tuple(intro), tuple(rules), tuple(rest.splitlines()))


def _rule(key: str, text: str) -> Rule:
    found = RULE.fullmatch(text)
    if found is None or found["anchor"] != found["id"]:
        raise ValueError(f"{key}.md: no rule below its own anchor in {text[:60]!r}")
    lines = found["body"].splitlines()
    recorded = [item for item in rule_text.items(lines) if item.startswith(RECORDED)]
    names = tuple(recorded[0].removeprefix(RECORDED).split(", ")) if recorded else ()
    return Rule(found["id"], found["title"], tuple(lines), names)
