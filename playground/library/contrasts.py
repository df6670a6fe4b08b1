"""Runs that a scenario of the gallery is shown beside: the two of a question, or a scenario that its text names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from playground.library.question_list import Json, document_of, read_questions
from playground.library.scenario_files import files
from playground.library.written_once import written_once
from simengine.scenario import load

NAMED: Final = re.compile("“([^”]+)”")


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two runs side by side, and what sets them apart, in words."""

    words: str
    documents: tuple[bytes | Json, bytes | Json]


@written_once
def contrasts() -> Mapping[str, Contrast]:
    """The two runs to show side by side, by the name of each scenario that has a contrast."""
    return _named() | _of_questions()


def _of_questions() -> dict[str, Contrast]:
    return {
        side.scenario: Contrast(
            " and ".join(one.label for _, one in question.sides),
            (document_of(question.sides[0][1]), document_of(question.sides[1][1])),
        )
        for question in read_questions()
        for _, side in question.sides
    }


def _named() -> dict[str, Contrast]:
    """The scenarios whose text names another one by its title, if only one has it."""
    texts = {path.stem: path.read_bytes() for path in files()}
    documents = {name: load(text) for name, text in texts.items()}
    found = {}
    for name, document in documents.items():
        titles = NAMED.findall(" ".join(document.about.split()))
        others = [stem for stem, other in documents.items() if other.title in titles and stem != name]
        if len(others) == 1:
            first = others[0]
            found[name] = Contrast(f"{documents[first].title} and {document.title}", (texts[first], texts[name]))
    return found
