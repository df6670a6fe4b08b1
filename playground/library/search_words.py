"""The words by which runs of the gallery and questions are found, from the file beside the scenarios."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from django.conf import settings

FILE: Final = Path(settings.BASE_DIR) / "tests" / "scenarios" / "search" / "words.yaml"


@lru_cache(maxsize=1)
def data() -> dict[str, Any]:
    """``small`` words, how things are also ``written``, phrases that mean the ``same``, and the words of ``runs``
    and ``questions``.
    """
    read: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {**read, "small": read["small"].split()}


def words_of(name: str) -> list[str]:
    """The phrases by which the run of this name is found."""
    found = [word for beginning, words in data()["runs"].items() if name.startswith(beginning) for word in words]
    return list(dict.fromkeys(str(word) for word in found))


def words_of_question(key: str) -> list[str]:
    """The phrases by which the question of this key is found."""
    return [str(word) for word in data()["questions"].get(key, ())]
