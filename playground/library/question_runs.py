"""The runs of a question as they are shown: with the question's captions, and as copies that never change."""

from functools import cache
from types import SimpleNamespace

from playground.library.ends import ends, figure_words
from playground.library.opening import start_us
from playground.library.question_list import Json, Question, document_of, read_questions
from playground.scenarios import store
from playground.scenarios.documents import CheckedDocument
from simengine.scenario import load


def figures(question: Question) -> dict[str, SimpleNamespace]:
    """The figures of both runs in words, by the letter of the run."""
    end = ends()["questions"][question.key]
    return {letter: figure_words(end[letter]["figures"]) for letter, _ in question.sides}


def told_document(question: Question, letter: str) -> Json:
    """The document of a run with the captions of its question."""
    words = figures(question)
    captions = [
        {"on": one.on, "text": f"{one.lead}. {one.text}".format(**words)}
        for one in question.captions
        if one.side == letter
    ]
    return {**document_of(dict(question.sides)[letter]), "captions": captions}


def copies(question: Question) -> list[str]:
    """The ids of copies of both runs that never change and belong to nobody. A site stores each of them once."""
    found = [_checked(question.key, letter) for letter, _ in question.sides]
    return [store.library_copy(document, at_us) for document, at_us in found]


@cache
def _checked(key: str, letter: str) -> tuple[CheckedDocument, int]:
    """A run of a question, ready to be stored, and the moment that its question begins at, us."""
    question = next(question for question in read_questions() if question.key == key)
    document = load(told_document(question, letter))
    return CheckedDocument.of(document), start_us(document)
