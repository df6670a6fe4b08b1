"""A text of several documents, one for each run of a comparison: YAML with a line of three dashes between them."""

import re
from collections.abc import Iterable
from typing import Final

from simengine.scenario.dumping import to_yaml
from simengine.scenario.loading import load
from simengine.scenario.model import Document
from simengine.scenario.problems import DocumentError

_BETWEEN: Final = re.compile(rb"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_TOLD: Final = re.compile(rb"^[ \t]*[^#%\s]", re.MULTILINE)  # a line that is no comment and no directive


def texts_of(source: bytes) -> list[bytes]:
    """The texts of the documents; the whole text where it has only one."""
    parts = [part for part in _BETWEEN.split(source) if _TOLD.search(part)]
    return parts if len(parts) > 1 else [source]


def load_all(source: bytes) -> list[Document]:
    """The documents of a text. Raises DocumentError; of several documents each problem tells which."""
    texts = texts_of(source)
    if len(texts) == 1:
        return [load(source)]
    return [_loaded(text, f"document {number}") for number, text in enumerate(texts, 1)]


def _loaded(text: bytes, name: str) -> Document:
    try:
        return load(text)
    except DocumentError as error:
        problems = [problem._replace(path=f"{name}: {problem.path}".rstrip(": ")) for problem in error.problems]
        raise DocumentError(problems) from None


def to_yaml_all(documents: Iterable[Document]) -> str:
    """Documents as one text of YAML."""
    return "---\n".join(to_yaml(document) for document in documents)
