"""The report as a page of its own: one HTML file with its style, without scripts, in which nothing is fetched."""

from collections.abc import Sequence
from importlib import resources
from string import Template
from typing import Any, Final

from simengine.compare.comparison import compare
from simengine.compare.differences import LETTERS
from simengine.compare.figures import figure_text
from simengine.compare.settings import value_words
from simengine.compare.titles import title_of
from simengine.form import engine_sources
from simengine.report.html import Html, element, joined, section, table
from simengine.report.run import run_sections
from simengine.scenario.model import Document

FILES: Final = resources.files("simengine.report")
STYLE: Final = (FILES / "report.css").read_text(encoding="utf-8")
PAGE: Final = Template((FILES / "report.html").read_text(encoding="utf-8"))

Json = dict[str, Any]


def report(documents: Sequence[Document], until_us: int, link: str = "") -> str:
    """The report of one run, or of several side by side, at a moment. `link`: the address of the page of the runs."""
    titles = [doc.title or "Untitled" for doc in documents]
    shown = [run_sections(doc, until_us) for doc in documents]
    title = title_of(titles)
    if len(documents) == 1:
        body = joined([element("h1", title), *shown])
    else:
        found = compare(documents, until_us)
        sides = [
            joined([element("h1", f"{letter}: {title}"), part])
            for letter, title, part in zip(LETTERS, titles, shown, strict=False)
        ]
        body = joined([element("h1", title), _apart(found), *sides])
    return PAGE.substitute(title=element("title", title), style=STYLE, body=joined([body, _foot(documents, link)]))


def _apart(found: Json) -> Html:
    """The comparison: what the documents differ in, where the runs part, and the figures of each run."""
    letters = list(LETTERS[: len(found["sides"])])
    settings = [(row["path"], *(value_words(value) for value in row["values"])) for row in found["settings"]]
    figures = [
        (one["label"], *(figure_text(side[one["key"]], one["unit"]) for side in found["sides"]))
        for one in found["figures"]
    ]
    verdicts = [(letter, side["sentence"]) for letter, side in zip(letters, found["sides"], strict=True)]
    return section(
        "Side by side",
        table(("Run", "Verdict"), verdicts),
        element("p", found["parting"]),
        table(("Setting", *letters), settings),
        table(("Figure", *letters), figures),
    )


def _foot(documents: Sequence[Document], link: str) -> Html:
    profiles = " and ".join(dict.fromkeys(doc.version.label for doc in documents))
    these = "This run: " if len(documents) == 1 else "These runs: "
    address = joined([these, element("a", link, href=link)]) if link else ""
    told = f"Highwater, engine {engine_sources()[:12]}, Kafka {profiles}."
    return element("footer", element("p", told), *([element("p", address)] if address else []))
